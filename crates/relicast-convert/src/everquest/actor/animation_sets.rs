//! Animation sets by the names of their tracks.
//!
//! The rest pose of a bone is the track of its name. `C05` before that name makes it a track of the set
//! C05. For creatures the name starts with the three letters of the model, and sets of another model
//! fit if the rest of the name is the same. Names of bones of objects are free; the track of their
//! root may have its code twice, with the model's name at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::code::{CODE_LENGTH, SetCode, lender};
use super::rig::{Joint, movement};
use relicast_formats::everquest::wld::{Body, FragmentRef, Wld};

/// Text in upper case and without an ending.
pub(super) fn stem(name: &str, ending: &str) -> String {
    let name = name.to_ascii_uppercase();
    match name.strip_suffix(ending) {
        Some(stem) => stem.to_owned(),
        None => name,
    }
}

/// The tracks of one file that belong to animation sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::everquest) struct TrackIndex {
    /// By the name after the code.
    tracks: HashMap<String, BTreeMap<SetCode, FragmentRef>>,
    /// Frames of all tracks, each counted once.
    frames: usize,
}

impl TrackIndex {
    /// Lists the tracks of a scene file. If several tracks have the same name, the first is used.
    pub(in crate::everquest) fn new(wld: &Wld<'_>) -> Self {
        let mut index = Self::default();
        for (place, fragment) in wld.fragments.iter().enumerate() {
            match &fragment.body {
                Body::TrackDefinition(definition) => {
                    index.frames = index.frames.saturating_add(definition.len());
                }
                Body::Track(_) => {
                    let name = stem(fragment.name(), "_TRACK");
                    if let (Some((code, rest)), Some(reference)) =
                        (SetCode::split(&name), FragmentRef::to(place))
                    {
                        let sets = index.tracks.entry(rest.to_owned()).or_default();
                        sets.entry(code).or_insert(reference);
                    }
                }
                _ => {}
            }
        }
        index
    }

    /// Number of tracks whose bone no skeleton of the file has, by the first letters of the bone's name. They
    /// are unused, or belong to a model of another file.
    pub(in crate::everquest) fn unmatched_tracks(&self, wld: &Wld<'_>) -> BTreeMap<&str, usize> {
        let mut bones: BTreeSet<String> = BTreeSet::new();
        for fragment in &wld.fragments {
            if let Body::SkeletonDefinition(skeleton) = &fragment.body {
                bones.extend(
                    skeleton
                        .bones
                        .iter()
                        .map(|bone| stem(bone.name.as_str(), "_DAG")),
                );
                let root = format!("_{}", stem(fragment.name(), "_HS_DEF"));
                bones.insert(root);
            }
        }
        let mut unmatched_tracks = BTreeMap::new();
        for (name, sets) in &self.tracks {
            let doubled = SetCode::split(name).is_some_and(|(_, rest)| bones.contains(rest));
            if !doubled && !bones.contains(name) {
                let model = name.get(..CODE_LENGTH).unwrap_or(name);
                *unmatched_tracks.entry(model).or_default() += sets.len();
            }
        }
        unmatched_tracks
    }
}

/// A scene file with its tracks.
#[derive(Debug, Clone, Copy)]
pub(in crate::everquest) struct TrackSource<'w> {
    /// Name of the file, for extras and notes.
    pub name: &'w str,
    /// The file.
    pub wld: &'w Wld<'w>,
    /// Its tracks.
    pub index: &'w TrackIndex,
}

impl TrackSource<'_> {
    /// Number of frames in the file.
    pub(super) fn frames(&self) -> usize {
        self.index.frames
    }
}

/// An animation set with its tracks assigned to the joints of a skeleton.
#[derive(Debug)]
pub(super) struct FoundSet<'w> {
    /// Code of the set; `None` for rest poses that have several frames.
    pub code: Option<SetCode>,
    /// Code of the creature whose tracks these are, in upper case; `None` if the tracks have no such code.
    pub lender: Option<String>,
    /// File of the tracks.
    pub file: TrackSource<'w>,
    /// The tracks by joint.
    pub tracks: BTreeMap<usize, FragmentRef>,
}

/// The name of a joint in the names of its tracks.
fn joint_name(joint: &Joint) -> String {
    stem(&joint.name, "_DAG")
}

/// The code of a creature: the start of the names of its bones, which is the name of the model or of its root
/// bone. `None` for models that are not creatures. Codes have three letters, except a few in the list of
/// lenders.
pub(super) fn creature(model: &str, joints: &[Joint]) -> Option<String> {
    let names: Vec<String> = joints.iter().map(joint_name).collect();
    creature_named(model, &names)
}

/// The code of a creature by the names of its joints without endings.
fn creature_named(model: &str, names: &[String]) -> Option<String> {
    let own = [model.to_ascii_uppercase()];
    let mut codes = own.iter().chain(names.first());
    let code = codes.find(|&code| {
        let is_code = code.len() == CODE_LENGTH || lender(code).is_some();
        is_code && names.iter().any(|name| name.starts_with(code))
    });
    code.cloned()
}

/// The tracks of a set that a creature borrows from another one, each with the name without ending that it has as the
/// creature's own. `bones` are the names of the creature's bones, the root first; `file` has the tracks of the lender.
pub fn borrowed_tracks(
    (model, bones): (&str, &[&str]),
    (lender, set): (&str, &str),
    file: &Wld<'_>,
) -> Vec<(String, FragmentRef)> {
    let names: Vec<String> = bones.iter().map(|bone| stem(bone, "_DAG")).collect();
    let (Some(code), Some((set, _))) = (creature_named(model, &names), SetCode::split(set)) else {
        return Vec::new();
    };
    let index = TrackIndex::new(file);
    let names: BTreeSet<&String> = names.iter().collect();
    let tracks = names.into_iter().filter_map(|name| {
        let bone = name.strip_prefix(code.as_str())?;
        let sets = index.tracks.get(&format!("{lender}{bone}"))?;
        Some((format!("{set}{name}"), *sets.get(&set)?))
    });
    tracks.collect()
}

/// Scene files that may hold animation sets of a model, besides its own. They are decoded when the iterator
/// reaches them.
pub(in crate::everquest) struct TrackSources<'w> {
    /// Files of the model's own archive and zone.
    pub near: Box<dyn Iterator<Item = TrackSource<'w>> + 'w>,
    /// Files of all other archives. They are searched when the model borrows sets, when no set was found
    /// so far, or when `thorough`.
    pub far: Box<dyn Iterator<Item = TrackSource<'w>> + 'w>,
    /// Search `far` in any case: the model's archive belongs to all zones.
    pub thorough: bool,
}

/// All sets that fit a skeleton, by code; the rest poses come first if any of them moves. `own` is the
/// file of the skeleton. Of two sets with one code, the model's own is used before a borrowed one, and an
/// earlier file before a later one.
pub(super) fn find<'w>(
    model: &str,
    joints: &[Joint],
    own: TrackSource<'w>,
    others: TrackSources<'w>,
) -> Vec<FoundSet<'w>> {
    let mut found: BTreeMap<Option<SetCode>, FoundSet<'w>> = BTreeMap::new();
    // Joints with the same name move in the same way.
    let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, joint) in joints.iter().enumerate() {
        names.entry(joint_name(joint)).or_default().push(index);
    }
    let creature = creature(model, joints);
    let plain = by_name(&names, own.index, |name| Some(name.to_owned()));
    let own_sets = with_roots(plain, model, own.index);
    add(&mut found, own_sets, creature.as_deref(), own);
    if let Some(code) = &creature {
        let lender = lender(code);
        let mut files = vec![own];
        files.extend(others.near);
        let of_lender = |file: &TrackSource<'w>, lender: &str| {
            by_name(&names, file.index, |name| {
                let bone = name.strip_prefix(code.as_str())?;
                Some(format!("{lender}{bone}"))
            })
        };
        for &file in files.iter().skip(1) {
            add(&mut found, of_lender(&file, code), Some(code), file);
        }
        if others.thorough || lender.is_some() || found.is_empty() {
            for file in others.far {
                add(&mut found, of_lender(&file, code), Some(code), file);
                files.push(file);
            }
        }
        for (lender, &file) in files.iter().filter_map(|file| Some((lender?, file))) {
            add(&mut found, of_lender(&file, lender), Some(lender), file);
        }
    }
    if let Some(set) = moving_pose(joints, own) {
        found.insert(None, set);
    }
    found.into_values().collect()
}

/// The rest poses as a set, if any has more than one frame.
fn moving_pose<'w>(joints: &[Joint], file: TrackSource<'w>) -> Option<FoundSet<'w>> {
    let tracks: BTreeMap<usize, FragmentRef> = (joints.iter().enumerate())
        .filter(|(_, joint)| {
            movement(file.wld, joint.track).is_some_and(|(_, track)| track.len() > 1)
        })
        .map(|(index, joint)| (index, joint.track))
        .collect();
    (!tracks.is_empty()).then_some(FoundSet {
        code: None,
        lender: None,
        file,
        tracks,
    })
}

/// Tracks by set and joint.
type Sets = BTreeMap<SetCode, BTreeMap<usize, FragmentRef>>;

/// The tracks of a file by set and joint. `wanted` returns the name of the tracks for the name of a joint.
fn by_name(
    names: &BTreeMap<String, Vec<usize>>,
    index: &TrackIndex,
    wanted: impl Fn(&str) -> Option<String>,
) -> Sets {
    let mut sets = Sets::new();
    for (name, same) in names {
        let tracks = wanted(name).and_then(|wanted| index.tracks.get(&wanted));
        for (&code, &track) in tracks.into_iter().flatten() {
            for &joint in same {
                sets.entry(code).or_default().entry(joint).or_insert(track);
            }
        }
    }
    sets
}

/// Adds tracks of the root joint whose names have the code of their set twice and end in the model's name.
fn with_roots(mut sets: Sets, model: &str, index: &TrackIndex) -> Sets {
    let ending = format!("_{}", model.to_ascii_uppercase());
    for (rest, tracks) in &index.tracks {
        if let Some((code, after)) = SetCode::split(rest)
            && after == ending
            && let Some(&track) = tracks.get(&code)
        {
            sets.entry(code).or_default().entry(0).or_insert(track);
        }
    }
    sets
}

/// Adds the sets of one file whose codes were not found yet. `lender` is the code of the creature that the
/// tracks belong to.
fn add<'w>(
    found: &mut BTreeMap<Option<SetCode>, FoundSet<'w>>,
    sets: Sets,
    lender: Option<&str>,
    file: TrackSource<'w>,
) {
    for (code, tracks) in sets {
        found.entry(Some(code)).or_insert_with(|| FoundSet {
            code: Some(code),
            lender: lender.map(str::to_owned),
            file,
            tracks,
        });
    }
}
