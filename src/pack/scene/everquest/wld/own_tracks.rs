//! Tracks that a model gets. The game finds those of a clip by their names, which begin with the code of the clip and
//! that of the creature. So a clip that a creature borrows becomes its own, and so can bones move that had no track.

use std::collections::BTreeMap;

use super::members::Members;
use crate::pack::edited::Refusal;
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::rerun::Rerun;
use crate::pack::scene::everquest::clips::{Source, clips, edited_sources};
use crate::pack::scene::everquest::scene::Scene;
use relicast_convert::borrowed_tracks;
use relicast_formats::everquest::wld::{
    Body, Fragment, FragmentKind, FragmentRef, Frames, Track, TrackDefinition, Wld,
};

/// A track that a model gets.
#[derive(Debug)]
struct OwnTrack {
    instance: Track,
    definition: TrackDefinition<'static>,
}

/// Tracks by name without ending.
type Named = BTreeMap<String, OwnTrack>;

/// Tracks that models get, by their scene file.
#[derive(Debug, Default)]
pub(super) struct OwnTracks {
    tracks: BTreeMap<usize, Named>,
    /// Words about them by scene.
    pub words: BTreeMap<String, Vec<String>>,
}

impl OwnTracks {
    /// Finds the tracks of edited clips that creatures borrow.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(super) fn find(
        scenes: &[Scene<'_>],
        members: &Members<'_>,
        rerun: &Rerun<'_>,
    ) -> Result<Self, SceneError> {
        let mut all = Self::default();
        for scene in scenes {
            let own = scene.output.member.as_deref().unwrap_or_default();
            let (file, model) = own.split_once('/').unwrap_or((own, ""));
            let Some(member) = members.find(file) else {
                continue;
            };
            for source in edited_sources(scene) {
                let names = |lender| (model, lender, source.code);
                let near = members.find(source.file);
                let near = near.and_then(|near| members.files.get(near));
                let mut tracks: Named = match (source.model, near) {
                    (Some(lender), Some(near)) => lent(scene, names(lender), &near.body),
                    (Some(lender), None) => far(scene, names(lender), source.file, rerun)?,
                    (None, _) => Named::new(),
                };
                if let Some(lender) = source.model.filter(|_| !tracks.is_empty()) {
                    let said = all.words.entry(scene.output.path.clone());
                    said.or_default().push(format!(
                        "clip {} becomes {model}'s own: it no longer follows that of {lender}, from which it was borrowed",
                        source.name
                    ));
                } else if !source.file.eq_ignore_ascii_case(file) {
                    continue;
                }
                if let Some(own) = members.files.get(member) {
                    add_missing(scene, source, &own.body, &mut tracks);
                }
                all.tracks.entry(member).or_default().append(&mut tracks);
            }
        }
        all.tracks.retain(|_, tracks| !tracks.is_empty());
        Ok(all)
    }

    /// True if there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// Appends the tracks to the scene files, always in the same order.
    ///
    /// # Errors
    /// A name of them cannot be stored.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusal> {
        for (&member, tracks) in &self.tracks {
            let Some(file) = members.edit(member) else {
                continue;
            };
            for (name, track) in tracks {
                append(&mut file.body, name, track)?;
            }
        }
        Ok(())
    }
}

fn append(wld: &mut Wld<'static>, name: &str, track: &OwnTrack) -> Result<(), Refusal> {
    let mut name_of = |ending: &str| {
        wld.strings
            .add(&format!("{name}{ending}"))
            .map_err(Refusal::new)
    };
    let (definition, instance) = (name_of("_TRACKDEF")?, name_of("_TRACK")?);
    let reference = FragmentRef::to(wld.fragments.len())
        .ok_or_else(|| refusal!("its file has too many fragments"))?;
    let body = Body::TrackDefinition(track.definition.clone());
    wld.fragments.push(Fragment::new(definition, body));
    let body = Body::Track(Track {
        definition: reference,
        ..track.instance.clone()
    });
    wld.fragments.push(Fragment::new(instance, body));
    wld.header.string_count = wld.header.string_count.saturating_add(2);
    Ok(())
}

/// The tracks of a clip in a scene file of another archive that the scene was made from.
fn far(
    scene: &Scene<'_>,
    names: (&str, &str, &str),
    file: &str,
    rerun: &Rerun<'_>,
) -> Result<Named, SceneError> {
    for path in rerun
        .scope
        .sources
        .iter()
        .filter(|path| *path != rerun.source)
    {
        let bytes = rerun.originals.read(path)?;
        let Ok(members) = Members::open(&bytes) else {
            continue;
        };
        let found = members.find(file);
        let found = found.and_then(|found| members.files.get(found));
        let lent = found.map_or_else(Named::new, |found| lent(scene, names, &found.body));
        if !lent.is_empty() {
            return Ok(lent);
        }
    }
    Ok(Named::new())
}

/// The tracks of a clip in a scene file, with the names that they get. `model`, `lender` and `code` are the creature, the
/// one that lends the clip, and the code of the clip.
fn lent(scene: &Scene<'_>, (model, lender, code): (&str, &str, &str), wld: &Wld<'static>) -> Named {
    let names = scene.base.nodes.iter().map(|node| &*node.name);
    let bones: Vec<&str> = names.filter(|name| name.ends_with("_DAG")).collect();
    let tracks = borrowed_tracks((model, &bones), (lender, code), wld);
    let tracks = tracks.into_iter();
    let tracks: Named = tracks
        .filter_map(|(name, track)| Some((name, OwnTrack::of(wld, track)?)))
        .collect();
    // Tracks of its own code are no copies: both would have one name.
    let known = |name: &str| {
        wld.find(FragmentKind::Track, &format!("{name}_TRACK"))
            .is_some()
    };
    match tracks.keys().any(|name| known(name)) {
        true => Named::new(),
        false => tracks,
    }
}

/// Adds tracks for bones that move in an edited clip and had none in it: their poses at rest.
fn add_missing(scene: &Scene<'_>, source: Source<'_>, wld: &Wld<'static>, tracks: &mut Named) {
    let Ok(clips) = clips(scene, source.clip.0, source.clip.1) else {
        return;
    };
    let track = |name: &str| wld.find(FragmentKind::Track, &format!("{name}_TRACK"));
    let nodes = clips.nodes(scene).into_iter();
    for node in nodes.filter(|&node| clips.differ_at(node)) {
        let bone = scene.name(node).to_uppercase();
        let Some(bone) = bone.strip_suffix("_DAG") else {
            continue;
        };
        let name = format!("{}{bone}", source.code);
        let is_known = tracks.contains_key(&name) || track(&name).is_some();
        let rest = track(bone).and_then(FragmentRef::to);
        let rest = rest.and_then(|rest| OwnTrack::of(wld, rest));
        if let Some(mut rest) = rest.filter(|_| !is_known) {
            match &mut rest.definition.frames {
                Frames::Packed(frames) => frames.to_mut().truncate(1),
                Frames::Float(frames) => frames.to_mut().truncate(1),
            }
            tracks.insert(name, rest);
        }
    }
}

impl OwnTrack {
    /// A copy of a track.
    fn of(wld: &Wld<'static>, track: FragmentRef) -> Option<Self> {
        let Body::Track(instance) = &wld.get(track)?.body else {
            return None;
        };
        let Body::TrackDefinition(definition) = &wld.get(instance.definition)?.body else {
            return None;
        };
        Some(Self {
            instance: instance.clone(),
            definition: definition.clone(),
        })
    }
}
