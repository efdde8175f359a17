//! Clips in the scene of a world itself, for those who ask for it.

use crate::config::Config;
use crate::convert::Companion;
use crate::convert::zipper::clip::evaluate::NodeKey;
use crate::convert::zipper::model::assembly::{Assembly, Layer};
use crate::convert::zipper::world::NodePlaces;
use crate::formats::zipper::anim;
use crate::formats::zipper::gamez::GameZ;

use super::bind;
use super::cast::Cast;
use super::clips::{self, Places, Shutters};
use super::forest::Forest;

/// Adds the clips of containers to the main scene of a world, as far as it shows what they move. Returns
/// lines for the report. A container that cannot be read is reported as a file of its own.
pub(in crate::convert) fn add_clips(
    containers: &[Companion<'_>],
    gamez: &GameZ,
    config: &Config,
    assembly: &mut Assembly<'_, '_, '_, GameZ>,
) -> Vec<String> {
    let mut places = Places::new();
    let shown = assembly.shown.iter();
    for shown in shown.filter(|shown| shown.layer == Layer::Main) {
        let index = shown.index;
        let found = places.entry(NodeKey { forest: 0, index }).or_default();
        found.push(shown.node);
    }
    let forests = [Forest::new("", gamez, NodePlaces::new(), &[])];
    let mut shutters = Shutters::new();
    let mut notes = Vec::new();
    for companion in containers {
        let Ok(decoded) = anim::decode(companion.bytes) else {
            continue;
        };
        let container = decoded.value;
        let bindings = bind::bind(&container, &forests);
        for group in clips::groups(&container) {
            let cast = Cast(vec![gamez]);
            let show = clips::rehearse(&container, &bindings, &cast, &group);
            let scene = assembly.main();
            let before = scene.clips.len();
            show.stage(scene, &places, &mut shutters, config);
            if scene.clips.len() == before && !show.is_empty() {
                notes.push(format!(
                    "{}: the scene shows nothing that the animations of {} move",
                    companion.path, group.name
                ));
            }
        }
    }
    notes
}
