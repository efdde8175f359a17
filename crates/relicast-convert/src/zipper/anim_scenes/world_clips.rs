//! Clips in the scene of a world itself, by a setting.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::Dependency;
use crate::options::ConvertOptions;
use crate::zipper::bake::evaluate::NodeKey;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer};
use crate::zipper::scene::node_places::NodePlaces;
use relicast_formats::zipper::anim;
use relicast_formats::zipper::gamez::GameZ;
use relicast_scene::model::Clip;

use super::clip_writer::{Places, Staging};
use super::clips;
use super::stored_nodes::StoredNodes;
use crate::zipper::anim::bind;
use crate::zipper::anim::node_lookup::NodeLookup;

/// Adds the clips of containers to the main scene of a world, for the nodes that it has. Returns lines for the
/// report. Unreadable containers are skipped; their own files report them.
pub(crate) fn add_clips(
    containers: &[Dependency<'_>],
    gamez: &GameZ,
    options: &ConvertOptions,
    hierarchy: &mut HierarchyBuilder<'_, '_, '_, GameZ>,
) -> Vec<String> {
    let mut places = Places::new();
    let shown = hierarchy.shown.iter();
    for shown in shown.filter(|shown| shown.layer == Layer::Main) {
        let index = shown.index;
        let found = places.entry(NodeKey { lookup: 0, index }).or_default();
        found.push(shown.node);
    }
    let forests = [NodeLookup::new("", gamez, NodePlaces::new(), &[])];
    let mut staging = Staging::inside(places);
    let mut notes = Vec::new();
    let mut added = Vec::new();
    for dependency in containers {
        let first = hierarchy.main().clips.len();
        let Ok(decoded) = anim::decode(dependency.bytes) else {
            continue;
        };
        let container = decoded.value;
        let bindings = bind::bind(&container, &forests);
        for group in clips::groups(&container) {
            let cast = StoredNodes(vec![gamez]);
            let show = clips::bake(&container, &bindings, &cast, &group);
            let scene = hierarchy.main();
            let before = scene.clips.len();
            let lost = staging.add(scene, &show, options);
            notes.extend(
                lost.into_iter()
                    .map(|note| format!("{}: {note}", dependency.path)),
            );
            if scene.clips.len() == before && !show.is_empty() {
                notes.push(format!(
                    "{}: the scene has no node that the animations of {} move",
                    dependency.path, group.name
                ));
            }
        }
        added.push((dependency.path, first..hierarchy.main().clips.len()));
    }
    disambiguate(&mut hierarchy.main().clips, &added);
    notes
}

/// Prefixes clip names that several containers have with the folder of their container: the part of its path in
/// which the containers differ.
fn disambiguate(clips: &mut [Clip], added: &[(&str, Range<usize>)]) {
    let folder = |path: &str| -> Vec<String> {
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        parts.pop();
        parts
    };
    let folders: Vec<Vec<String>> = added.iter().map(|(path, _)| folder(path)).collect();
    let mut shared = folders.first().map_or(0, Vec::len);
    for one in &folders {
        let same = folders[0].iter().zip(one).take_while(|(a, b)| a == b);
        shared = shared.min(same.count());
    }
    let mut holders: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for (container, (_, range)) in added.iter().enumerate() {
        for clip in clips.get(range.clone()).unwrap_or_default() {
            let holders = holders.entry(clip.name.clone()).or_default();
            holders.insert(container);
        }
    }
    for ((_, range), folder) in added.iter().zip(&folders) {
        let label = folder.get(shared..).unwrap_or_default().join(".");
        if label.is_empty() {
            continue;
        }
        for clip in clips.get_mut(range.clone()).unwrap_or_default() {
            if holders.get(&clip.name).is_some_and(|found| found.len() > 1) {
                clip.name = format!("{label}.{}", clip.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(added: &[(&str, Range<usize>)], names: &[&str]) -> Vec<String> {
        let clip = |name: &&str| Clip {
            name: (*name).to_owned(),
            ..Clip::default()
        };
        let mut clips: Vec<Clip> = names.iter().map(clip).collect();
        disambiguate(&mut clips, added);
        clips.into_iter().map(|clip| clip.name).collect()
    }

    #[test]
    fn names_that_several_containers_have_include_the_folder() {
        let added = [
            ("ZBD/C1/cam_anim.zbd", 0..2),
            ("ZBD/C1/M01/mis_anim.zbd", 2..4),
            ("ZBD/C1/M02/mis_anim.zbd", 4..6),
        ];
        let found = names(&added, &["fly", "door", "door", "burn", "burn", "land"]);
        let expected = ["fly", "door", "M01.door", "M01.burn", "M02.burn", "land"];
        assert_eq!(found, expected);
        // In one folder: names are made unique when scenes are written.
        let added = [("c1/a.zbd", 0..1), ("c1/b.zbd", 1..2)];
        assert_eq!(names(&added, &["fly", "fly"]), ["fly", "fly"]);
        assert_eq!(names(&[], &[]), [""; 0]);
    }
}
