//! Contents of `sounds.zrd`: which sounds of an archive are looped, their volume and range, which sounds are
//! variants of one another, and the names of the tracks of the disc.
//!
//! Records have three shapes. In the first syntax, position gives the meaning. In the second, a name is
//! followed by keys, and files are values of keys. In MechWarrior 3 the second item is the file and keys follow
//! it (Mech3DotNet, whose reader accepts nothing else). It is unknown which number its `SYNTAX` states, so the
//! shape decides. Source of the keys of Recoil: both reconstructions of its program. Crimson Skies also has
//! `SFX`, `OPTIONAL`, `MUSIC`, `QUEUE` with its seconds (default 5) and `QPRIORITY` (CSVM, docs/formats, CC BY
//! 4.0: 2,766 definitions, of which 2,538 queue). The shape also gives the nesting of records, as for all
//! readers.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::messages::Texts;
use super::settings::{self, is_key, unwrapped};
use crate::Dependency;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::{Loop, LoopDirection, Sound};

/// Keys of the root.
const ROOT: &[&str] = &[
    "SYNTAX",
    "SOUND_PATH",
    "SPEED_OF_SOUND",
    "SETS",
    "SOUND_GROUPS",
    "CD_TRACKS",
];

/// The key of a list of sets within a set.
const SUB_SET: &[&str] = &["SUB_SET"];

/// Keys of a sound in the syntax with keys.
const KEYS: &[&str] = &[
    "3D",
    "LOOPED",
    "FREQUENCY",
    "HARDWARE",
    "MUSIC",
    "OPTIONAL",
    "PURGEABLE",
    "QPRIORITY",
    "QUEUE",
    "SFX",
    "SUBTITLE",
    "VOICE",
    "VOICE_QUEUE",
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
    "EXTRA",
    "MINDELAY",
];

/// Default distances between which a sound in space fades, in meters.
const RANGE: [f32; 2] = [50.0, 400.0];

/// Maximum depth of variants that follow one another.
const MAX_DEPTH: usize = 8;

/// A sound of the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedSound {
    /// Name in scripts and animations.
    pub name: String,
    /// Its files, by detail; a single one where all details share it.
    pub files: Vec<String>,
    /// 0 to 1; default 1.
    pub volume: f32,
    /// It restarts when it ends.
    pub is_looped: bool,
    /// It is positioned in space.
    pub is_3d: bool,
    /// Distances in meters up to which it has full volume, and from which on it is silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f32; 2]>,
    /// Key of the message with its subtitle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    /// The message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtitle_text: Option<String>,
    /// Other keys, as stored.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub keys: Map<String, Json>,
}

impl ListedSound {
    /// By position: name, file, optional gain, texts that switch looping, space and purging on, range.
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

    /// The file and the values after it, where a file is the first value after a name and keys follow it.
    fn file_and_keys<'r, 'v>(values: &'r [Value<'v>]) -> Option<(String, &'r [Value<'v>])> {
        let (file, rest) = values.split_first()?;
        let file_name = file.as_text().filter(|_| !is_key(file, KEYS))?;
        let is_keyed = match rest.first() {
            None => true,
            Some(Value::List(list)) => list.first().is_none_or(|first| is_key(first, KEYS)),
            Some(value) => is_key(value, KEYS),
        };
        is_keyed.then(|| (file_name.shown().into_owned(), rest))
    }

    /// By keys after a name, and after a file where one is first.
    fn by_keys(name: &Value<'_>, values: &[Value<'_>]) -> Option<Self> {
        let mut sound = Self {
            name: name.as_text()?.shown().into_owned(),
            volume: 1.0,
            ..Self::default()
        };
        let (file, values) = match Self::file_and_keys(values) {
            Some((file, rest)) => (Some(file), rest),
            None => (None, values),
        };
        sound.files.extend(file);
        let mut place = 0;
        while let Some(key) = values.get(place) {
            if key.as_list().is_some_and(<[_]>::is_empty) {
                place += 1;
                continue;
            }
            // A key and its values may be a separate list.
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
            // `wep_ams_fire` of MechWarrior 3 has its range here, without its key.
            "3D" => {
                self.is_3d = true;
                self.range = range_of(own).or(self.range);
            }
            "SUBTITLE" => self.subtitle = settings::texts(own).into_iter().next(),
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
            "FREQUENCY" | "HARDWARE" | "MUSIC" | "OPTIONAL" | "PURGEABLE" | "QPRIORITY"
            | "QUEUE" | "SFX" | "VOICE" | "VOICE_QUEUE"
                if own.is_empty() =>
            {
                self.keys.insert(key.to_lowercase(), Json::Bool(true));
            }
            _ => {
                self.keys.insert(key.to_lowercase(), settings::json(own));
            }
        }
    }

    /// The looped range, for a sound that has none.
    pub(crate) fn repeat(&self, sound: &mut Sound<'_>) {
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
        // The original file does not contain it.
        sound.source = None;
    }
}

fn range_of(values: &[Value<'_>]) -> Option<[f32; 2]> {
    match *settings::numbers(values, 2) {
        [near, far] => Some([near, far]),
        _ => None,
    }
}

/// A set of sounds, such as those of a mission or of the films.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SoundSet {
    name: String,
    sounds: Vec<ListedSound>,
    /// Names of the sets that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sub_sets: Vec<String>,
}

/// A group of sounds; the game chooses one each time.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SoundGroup {
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(flatten)]
    keys: Map<String, Json>,
    variants: Vec<Variant>,
}

/// One of a group.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Variant {
    /// The sound or group.
    plays: Vec<String>,
    #[serde(flatten)]
    keys: Map<String, Json>,
    /// Variants that follow it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    then: Vec<Variant>,
}

/// A track of the disc.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Track {
    name: String,
    track: i64,
}

/// Contents of the readers called `sounds`.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SoundList {
    /// Paths of their archives.
    sources: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Meters per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_of_sound: Option<f32>,
    sets: Vec<SoundSet>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<SoundGroup>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tracks: Vec<Track>,
    /// Items of sets that are not in the shape of a sound, as stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Json>,
    /// Sounds by the names of their files, lower case: set and index in it.
    #[serde(skip)]
    by_file: HashMap<String, (usize, usize)>,
}

impl SoundList {
    /// Reads the lists among the dependencies of an archive; `None` where there are none.
    pub(crate) fn read(dependencies: &[Dependency<'_>]) -> Option<Self> {
        let mut list = Self::default();
        settings::visit_named(dependencies, &["sounds"], |reader| {
            list.sources.push(reader.path.to_owned());
            list.add(std::slice::from_ref(&reader.value));
        });
        list.add_subtitles(&Texts::new(dependencies));
        (!list.sources.is_empty()).then_some(list)
    }

    /// Adds the messages of subtitles.
    fn add_subtitles(&mut self, texts: &Texts) {
        for sound in self.sets.iter_mut().flat_map(|set| &mut set.sounds) {
            let key = sound.subtitle.as_deref();
            sound.subtitle_text = key.and_then(|key| texts.get(key));
        }
    }

    /// The tracks of the disc: their names in the program, and their numbers.
    pub(crate) fn tracks(&self) -> impl Iterator<Item = (&str, i64)> {
        self.tracks.iter().map(|track| (&*track.name, track.track))
    }

    /// The numbers of missions with their own sounds: sets called `M` and a number.
    pub(crate) fn missions(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().filter_map(|set| {
            let (initial, number) = set.name.split_at_checked(1)?;
            let is_mission = initial.eq_ignore_ascii_case("m");
            number.parse().ok().filter(|_| is_mission)
        })
    }

    /// True if the archive that it is from has the name that Recoil opens.
    pub(crate) fn is_of_recoil(&self) -> bool {
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
        match after("SOUND_GROUPS").unwrap_or_default() {
            // A single group, without its list.
            [Value::Text(name), own @ ..]
                if own.first().is_some_and(|own| is_key(own, GROUP_KEYS)) =>
            {
                self.groups.push(group(name.shown().into_owned(), own));
            }
            groups => {
                for (name, values) in named(groups) {
                    self.groups.push(group(name, values));
                }
            }
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
        let mut sub_sets = Vec::new();
        let mut values = values.iter();
        while let Some(value) = values.next() {
            match value {
                // Empty lists are ignored.
                Value::List(own) if own.is_empty() => continue,
                Value::List(own) if own.first().is_some_and(|first| is_key(first, SUB_SET)) => {
                    sub_sets.extend(settings::texts(own.get(1..).unwrap_or_default()));
                    continue;
                }
                Value::Text(_) if is_key(value, SUB_SET) => {
                    let own = values.next().map_or(&[][..], std::slice::from_ref);
                    sub_sets.extend(settings::texts(own));
                    continue;
                }
                _ => {}
            }
            let has_file = |own: &[Value<'_>]| {
                let rest = own.get(1..).unwrap_or_default();
                ListedSound::file_and_keys(rest).is_some()
            };
            let sound = match (value, is_by_position) {
                (Value::List(own), true) if !has_file(own) => ListedSound::by_position(own),
                (Value::List(own), true) => own
                    .split_first()
                    .and_then(|(name, own)| ListedSound::by_keys(name, own)),
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
                // The first set with a name is used.
                let key = file.to_lowercase();
                self.by_file.entry(key).or_insert((set, sounds.len()));
            }
            sounds.push(sound);
        }
        self.sets.push(SoundSet {
            name,
            sounds,
            sub_sets,
        });
    }

    /// Entry of the sound in the file of this name.
    pub(crate) fn of_file(&self, name: &str) -> Option<&ListedSound> {
        let name = name.to_lowercase();
        let known = self.by_file.get(&name).or_else(|| {
            let stem = name.strip_suffix(".wav")?;
            self.by_file.get(stem)
        });
        let &(set, place) = known?;
        self.sets.get(set)?.sounds.get(place)
    }
}

/// Names with their values: a text and the list after it, or a list that starts with a text.
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
    let all = variant(values, MAX_DEPTH);
    let mut variants = all.then;
    // Names in the group itself are variants without keys.
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
                if key == "extra"
                    && let Some(Value::List(own)) = values.next_if(|next| next.as_list().is_some())
                {
                    // A separate list of keys.
                    let extra = variant(own, 0);
                    made.keys.insert(key, Json::Object(extra.keys));
                    continue;
                }
                let is_number = |next: &&Value<'_>| matches!(next, Value::Int(_) | Value::Float(_));
                let value = values.next_if(is_number);
                let value = value.map_or(Json::Bool(true), |number| {
                    settings::json(std::slice::from_ref(number))
                });
                made.keys.insert(key, value);
            }
            Value::Text(text) => made.plays.push(text.shown().into_owned()),
            Value::List(own) if depth > 0 => made.then.push(variant(own, depth - 1)),
            Value::List(_) | Value::Int(_) | Value::Float(_) => {}
        }
    }
    made
}

#[cfg(test)]
mod tests;
