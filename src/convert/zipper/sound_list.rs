//! What `sounds.zrd` tells of the sounds of an archive: which are looped, how loud they are and how far they are heard,
//! which of them are variants of one another, and what the tracks of the disc are called.
//!
//! Source of the keys: `zipper-engine-events` §8. How records are nested is told by their shape, as for all readers.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::settings::{self, is_key, unwrapped};
use crate::convert::Dependency;
use crate::formats::zipper::zrd::Value;
use crate::scene::{Loop, LoopDirection, Sound};

/// Keys of the root.
const ROOT: &[&str] = &[
    "SYNTAX",
    "SOUND_PATH",
    "SPEED_OF_SOUND",
    "SETS",
    "SOUND_GROUPS",
    "CD_TRACKS",
];

/// Keys of a sound in the second syntax.
const KEYS: &[&str] = &[
    "3D",
    "LOOPED",
    "FREQUENCY",
    "HARDWARE",
    "PURGEABLE",
    "VOICE",
    "VOLUME",
    "A3DDIST",
    "RANGE",
    "HIGH",
    "MED",
    "LOW",
];

/// Keys of a group and of its variants.
const GROUP_KEYS: &[&str] = &[
    "REPEAT",
    "DELAY_REPEAT",
    "DELAY_TERMINATION",
    "DYNAMIC_WEIGHTS",
    "PLAY_SOLO",
    "WEIGHT",
    "DELAY_PLAY",
    "PLAY_COUNT",
];

/// Distances between which a sound in space fades, where none are told; metres.
const RANGE: [f32; 2] = [50.0, 400.0];

/// How deep variants of groups follow one another.
const DEEPEST: usize = 8;

/// A sound as the list tells of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::convert) struct ListedSound {
    /// What scripts and animations call it.
    pub name: String,
    /// Its files, by detail; one alone where all details share it.
    pub files: Vec<String>,
    /// 0 to 1; 1 when not told.
    pub volume: f32,
    /// It plays again from its start when it ends.
    pub is_looped: bool,
    /// It is heard from a place.
    pub is_3d: bool,
    /// Metres up to which it is as loud as it gets, and from which on it is silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f32; 2]>,
    /// Other keys, as stored.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub keys: Map<String, Json>,
}

impl ListedSound {
    /// By position: name, file, gain where there is one, texts that switch looping, space and purging on, range.
    fn by_position(values: &[Value<'_>]) -> Option<Self> {
        let (name, rest) = values.split_first()?;
        let (file, rest) = rest.split_first()?;
        let mut sound = Self {
            name: name.as_text()?.shown().into_owned(),
            files: vec![file.as_text()?.shown().into_owned()],
            volume: 1.0,
            ..Self::default()
        };
        let mut switches = Vec::new();
        for (place, value) in rest.iter().enumerate() {
            match value {
                Value::Int(_) | Value::Float(_) if place == 0 => {
                    sound.volume = settings::numbers(std::slice::from_ref(value), 1)
                        .first()
                        .copied()
                        .unwrap_or(1.0);
                }
                Value::Int(_) | Value::Float(_) => {}
                Value::Text(_) => switches.push(is_key(value, &["TRUE"])),
                Value::List(range) => sound.range = range_of(range),
            }
        }
        let mut switches = switches.into_iter();
        sound.is_looped = switches.next().unwrap_or_default();
        sound.is_3d = switches.next().unwrap_or_default();
        if switches.next().unwrap_or_default() {
            sound.keys.insert("purgeable".to_owned(), Json::Bool(true));
        }
        Some(sound)
    }

    /// By keys behind a name.
    fn by_keys(name: &Value<'_>, values: &[Value<'_>]) -> Option<Self> {
        let mut sound = Self {
            name: name.as_text()?.shown().into_owned(),
            volume: 1.0,
            ..Self::default()
        };
        let mut place = 0;
        while let Some(key) = values.get(place) {
            // A key and its values may be a list of their own.
            if let Value::List(inner) = key
                && inner.first().is_some_and(|first| is_key(first, KEYS))
            {
                let (key, own) = inner.split_first()?;
                sound.set(key, own);
                place += 1;
                continue;
            }
            let rest = values.get(place + 1..).unwrap_or_default();
            let end = rest.iter().position(|value| {
                let own_key = |first: &Value<'_>| is_key(first, KEYS);
                own_key(value) || value.as_list().and_then(<[_]>::first).is_some_and(own_key)
            });
            let own = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            sound.set(key, own);
            place += 1 + own.len();
        }
        Some(sound)
    }

    fn set(&mut self, key: &Value<'_>, values: &[Value<'_>]) {
        let Some(key) = key.as_text() else {
            return;
        };
        let key = key.shown().to_uppercase();
        let own = unwrapped(values);
        let first = settings::numbers(own, 1).first().copied();
        match &*key {
            "LOOPED" => self.is_looped = true,
            "3D" => self.is_3d = true,
            "VOLUME" => self.volume = first.unwrap_or(1.0),
            "RANGE" => {
                self.range = range_of(own);
                self.is_3d = true;
            }
            "HIGH" | "MED" | "LOW" => match settings::texts(own).into_iter().next() {
                Some(file) if !self.files.contains(&file) => self.files.push(file),
                Some(_) => {}
                None => {
                    self.keys.insert(key.to_lowercase(), settings::json(own));
                }
            },
            "FREQUENCY" | "HARDWARE" | "PURGEABLE" | "VOICE" if own.is_empty() => {
                self.keys.insert(key.to_lowercase(), Json::Bool(true));
            }
            _ => {
                self.keys.insert(key.to_lowercase(), settings::json(own));
            }
        }
    }

    /// The stretch that repeats, for a sound that has none of its own.
    pub(in crate::convert) fn repeat(&self, sound: &mut Sound<'_>) {
        let frames = sound.frames();
        if !self.is_looped || !sound.loops.is_empty() || frames == 0 {
            return;
        }
        sound.loops.push(Loop {
            start: 0,
            end: u32::try_from(frames - 1).unwrap_or(u32::MAX),
            count: 0,
            direction: LoopDirection::Forward,
        });
        // The file as it is says nothing of it.
        sound.source = None;
    }
}

fn range_of(values: &[Value<'_>]) -> Option<[f32; 2]> {
    match *settings::numbers(values, 2) {
        [near, far] => Some([near, far]),
        _ => None,
    }
}

/// A set of sounds: those of a mission, of the films and so on.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
struct SoundSet {
    name: String,
    sounds: Vec<ListedSound>,
}

/// Sounds of which one is chosen each time.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
struct SoundGroup {
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(flatten)]
    keys: Map<String, Json>,
    variants: Vec<Variant>,
}

/// One of a group.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
struct Variant {
    /// The sound or group.
    plays: Vec<String>,
    #[serde(flatten)]
    keys: Map<String, Json>,
    /// What follows it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    then: Vec<Variant>,
}

/// A track of the disc.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
struct Track {
    name: String,
    track: i64,
}

/// What the readers called `sounds` tell.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::convert) struct SoundList {
    /// Paths of their archives.
    sources: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Metres a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_of_sound: Option<f32>,
    sets: Vec<SoundSet>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<SoundGroup>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tracks: Vec<Track>,
    /// Items of sets that have no shape of a sound, as stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Json>,
    /// Sounds by the names of their files, lower case: set and place in it.
    #[serde(skip)]
    by_file: HashMap<String, (usize, usize)>,
}

impl SoundList {
    /// Reads the lists among the dependencies of an archive; `None` where there are none.
    pub(in crate::convert) fn read(dependencies: &[Dependency<'_>]) -> Option<Self> {
        let mut list = Self::default();
        settings::visit_named(dependencies, &["sounds"], |reader| {
            list.sources.push(reader.path.to_owned());
            list.add(std::slice::from_ref(&reader.value));
        });
        (!list.sources.is_empty()).then_some(list)
    }

    /// The tracks of the disc: what the program calls them, and their numbers.
    pub(in crate::convert) fn tracks(&self) -> impl Iterator<Item = (&str, i64)> {
        self.tracks.iter().map(|track| (&*track.name, track.track))
    }

    /// The numbers of missions that have sounds of their own: sets called `M` and a number.
    pub(in crate::convert) fn missions(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().filter_map(|set| {
            let (initial, number) = set.name.split_at_checked(1)?;
            let is_mission = initial.eq_ignore_ascii_case("m");
            number.parse().ok().filter(|_| is_mission)
        })
    }

    /// Whether the archive that it is from has the name that Recoil opens.
    pub(in crate::convert) fn is_of_recoil(&self) -> bool {
        self.sources.iter().any(|path| {
            let name = path.rsplit_once('/').map_or(&**path, |(_, name)| name);
            name.eq_ignore_ascii_case("zrdr.zbd")
        })
    }

    fn add(&mut self, values: &[Value<'_>]) {
        let after = |key: &str| settings::after(values, key, ROOT);
        let number = |key: &str| settings::numbers(after(key)?, 1).first().copied();
        if let Some(folder) = after("SOUND_PATH") {
            self.folder = settings::texts(folder).into_iter().next();
        }
        self.speed_of_sound = number("SPEED_OF_SOUND").or(self.speed_of_sound);
        let is_by_position = number("SYNTAX").is_none_or(|syntax| syntax < 2.0);
        for (name, sounds) in named(after("SETS").unwrap_or_default()) {
            self.add_set(name, sounds, is_by_position);
        }
        for (name, values) in named(after("SOUND_GROUPS").unwrap_or_default()) {
            self.groups.push(group(name, values));
        }
        for (name, values) in named(after("CD_TRACKS").unwrap_or_default()) {
            if let Some(&track) = settings::numbers(values, 1).first() {
                let track = track as i64;
                self.tracks.push(Track { name, track });
            }
        }
    }

    fn add_set(&mut self, name: String, values: &[Value<'_>], is_by_position: bool) {
        let set = self.sets.len();
        let mut sounds: Vec<ListedSound> = Vec::new();
        let mut values = values.iter();
        while let Some(value) = values.next() {
            let sound = match (value, is_by_position) {
                (Value::List(own), true) => ListedSound::by_position(own),
                (Value::List(own), false) => own
                    .split_first()
                    .and_then(|(name, own)| ListedSound::by_keys(name, unwrapped(own))),
                (Value::Text(_), false) => {
                    let own = values.next().and_then(Value::as_list).unwrap_or_default();
                    ListedSound::by_keys(value, own)
                }
                _ => None,
            };
            let Some(mut sound) = sound else {
                self.others
                    .push(settings::json(std::slice::from_ref(value)));
                continue;
            };
            if sound.is_3d {
                sound.range.get_or_insert(RANGE);
            }
            for file in &sound.files {
                // The first set that has a name counts.
                let key = file.to_lowercase();
                self.by_file.entry(key).or_insert((set, sounds.len()));
            }
            sounds.push(sound);
        }
        self.sets.push(SoundSet { name, sounds });
    }

    /// What is told of the sound in the file of this name.
    pub(in crate::convert) fn of_file(&self, name: &str) -> Option<&ListedSound> {
        let name = name.to_lowercase();
        let known = self.by_file.get(&name).or_else(|| {
            let stem = name.strip_suffix(".wav")?;
            self.by_file.get(stem)
        });
        let &(set, place) = known?;
        self.sets.get(set)?.sounds.get(place)
    }
}

/// Names with what belongs to each: a text and the list behind it, or a list that starts with a text.
fn named<'r, 'v>(values: &'r [Value<'v>]) -> Vec<(String, &'r [Value<'v>])> {
    let mut found = Vec::new();
    let mut values = values.iter().peekable();
    while let Some(value) = values.next() {
        match value {
            Value::Text(name) => {
                let own = match values.peek() {
                    Some(Value::List(own)) => &**own,
                    Some(number @ (Value::Int(_) | Value::Float(_))) => {
                        std::slice::from_ref(*number)
                    }
                    Some(Value::Text(_)) | None => continue,
                };
                values.next();
                found.push((name.shown().into_owned(), own));
            }
            Value::List(own) => {
                if let Some((Value::Text(name), own)) = own.split_first() {
                    found.push((name.shown().into_owned(), unwrapped(own)));
                }
            }
            Value::Int(_) | Value::Float(_) => {}
        }
    }
    found
}

fn group(name: String, values: &[Value<'_>]) -> SoundGroup {
    let all = variant(values, DEEPEST);
    let mut variants = all.then;
    // Names that stand in the group itself are variants without keys.
    variants.extend(all.plays.into_iter().map(|name| Variant {
        plays: vec![name],
        ..Variant::default()
    }));
    SoundGroup {
        name,
        keys: all.keys,
        variants,
    }
}

fn variant(values: &[Value<'_>], depth: usize) -> Variant {
    let mut made = Variant::default();
    let mut values = values.iter().peekable();
    while let Some(value) = values.next() {
        match value {
            Value::Text(text) if is_key(value, GROUP_KEYS) => {
                let key = text.shown().to_lowercase();
                let is_number = |next: &&Value<'_>| matches!(next, Value::Int(_) | Value::Float(_));
                let told = values.next_if(is_number);
                let told = told.map_or(Json::Bool(true), |number| {
                    settings::json(std::slice::from_ref(number))
                });
                made.keys.insert(key, told);
            }
            Value::Text(text) => made.plays.push(text.shown().into_owned()),
            Value::List(own) if depth > 0 => made.then.push(variant(own, depth - 1)),
            Value::List(_) | Value::Int(_) | Value::Float(_) => {}
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{RANGE, SoundList};
    use crate::formats::zipper::zrd::text::spelt;
    use crate::scene::{Samples, Sound};

    fn list(source: &str) -> SoundList {
        let mut list = SoundList::default();
        list.add(&spelt(source));
        list
    }

    #[test]
    fn sounds_are_told_by_position() {
        let list = list(
            "( SYNTAX 1 SOUND_PATH ( zbd ) SPEED_OF_SOUND 340 SETS ( M1 ( ( hum hum.wav 0.5 TRUE TRUE FALSE ( 10 90 ) ) \
             ( click click.wav ) ) M2 ( ( hum other.wav ) ) ) CD_TRACKS ( ( menu 2 ) ( war 4 ) ) )",
        );
        let hum = list.of_file("HUM.WAV").unwrap();
        assert_eq!((hum.volume, hum.is_looped, hum.is_3d), (0.5, true, true));
        assert_eq!(hum.range, Some([10.0, 90.0]));
        let click = list.of_file("click.wav").unwrap();
        assert_eq!(
            (click.volume, click.is_looped, click.range),
            (1.0, false, None)
        );
        assert_eq!(list.of_file("other.wav").unwrap().name, "hum");
        assert_eq!(list.speed_of_sound, Some(340.0));
        assert_eq!(list.tracks[1].track, 4);
    }

    #[test]
    fn sounds_are_told_by_keys() {
        let list = list(
            "( SYNTAX 2 SETS ( FMV ( hum ( LOOPED VOLUME 0.25 RANGE ( 5 60 ) HIGH hum_h.wav LOW ( 11025 8 1 ) ) \
             wind ( 3D VOICE HIGH ( wind.wav ) ) ) ) SOUND_GROUPS ( steps ( REPEAT -1 ( WEIGHT 2 left ) ( right ) ) ) )",
        );
        let hum = list.of_file("hum_h.wav").unwrap();
        assert!(hum.is_looped && hum.is_3d);
        assert_eq!((hum.volume, hum.range), (0.25, Some([5.0, 60.0])));
        assert_eq!(hum.keys["low"], serde_json::json!([11025, 8, 1]));
        let wind = list.of_file("wind.wav").unwrap();
        assert_eq!((wind.is_looped, wind.range), (false, Some(RANGE)));
        let steps = &list.groups[0];
        assert_eq!(steps.keys["repeat"], -1);
        assert_eq!(steps.variants[0].plays, ["left"]);
        assert_eq!(steps.variants[0].keys["weight"], 2);
        assert_eq!(steps.variants[1].plays, ["right"]);
    }

    #[test]
    fn looped_sounds_repeat_whole_and_others_keep_their_file() {
        let list = list("( SYNTAX 1 SETS ( M1 ( ( hum hum.wav TRUE ) ( click click.wav ) ) ) )");
        let samples = [0_u8; 8];
        let make = || {
            let mut sound = Sound::new(
                std::num::NonZeroU16::MIN,
                8000,
                Samples::I16Le(samples[..].into()),
            );
            sound.source = Some(samples[..].into());
            sound
        };
        let mut hum = make();
        list.of_file("hum.wav").unwrap().repeat(&mut hum);
        assert_eq!((hum.loops[0].start, hum.loops[0].end), (0, 3));
        assert!(hum.source.is_none());
        let mut click = make();
        list.of_file("click.wav").unwrap().repeat(&mut click);
        assert!(click.loops.is_empty() && click.source.is_some());
    }

    #[test]
    fn odd_lists_are_kept_and_do_no_harm() {
        let list = list(
            "( SYNTAX 2 SETS ( M1 ( 7 ( ) ( 5 6 ) lonely ) 8 ) SOUND_GROUPS 5 CD_TRACKS ( x ) )",
        );
        assert!(!list.others.is_empty());
        assert!(list.of_file("x").is_none());
    }
}
