//! Notes on unusual findings in a world.

use crate::Sink;
use crate::options::ConvertOptions;
use relicast_codec::quantity::counted;

use super::WorldFile;
use crate::zipper::world::environment;

impl WorldFile<'_> {
    /// Reports readers that no game reads, unreachable nodes, and a wrong count of materials.
    pub(super) fn note_findings(&self, options: &ConvertOptions, sink: &mut dyn Sink) {
        let unread = self.unread.iter();
        for path in unread.filter(|_| options.worlds.placements) {
            sink.note(format!(
                "{path} is not loaded by the game; its placements were not converted"
            ));
        }
        let waiting = self.waiting(options).count();
        if waiting > 0 {
            sink.note(format!(
                "{} at the origin, hidden until an animation places them",
                counted(waiting, "actor", "actors")
            ));
        }
        if !self.unreachable.is_empty() {
            let count = self.unreachable.len();
            sink.note(format!(
                "{} skipped; listed in the tables",
                counted(count, "unreachable node", "unreachable nodes")
            ));
        }
        let lights = environment::deleted_lights(&self.gamez).len();
        if lights > 0 {
            sink.note(format!(
                "{} that the world does not list, inactive: left out of scenes; in the raw document",
                counted(lights, "light", "lights")
            ));
        }
        let materials = &self.gamez.materials;
        if materials.states_used_slots() {
            sink.note(format!(
                "the header states {} material slots, which is the number of used ones; {} are stored",
                materials.used.len(),
                materials.slots(),
            ));
        }
    }
}
