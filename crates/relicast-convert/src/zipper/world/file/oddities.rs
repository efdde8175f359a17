//! Notes on unusual findings in a world.

use crate::Sink;
use crate::options::ConvertOptions;

use super::WorldFile;

impl WorldFile<'_> {
    /// Reports readers that no game reads, unreachable nodes, and a wrong count of materials.
    pub(super) fn note_oddities(&self, options: &ConvertOptions, sink: &mut dyn Sink) {
        let unread = self.unread.iter();
        for path in unread.filter(|_| options.worlds.placements) {
            sink.note(format!(
                "no game reads {path}: what it places is in no scene"
            ));
        }
        let waiting = self.waiting(options).count();
        if waiting > 0 {
            sink.note(format!(
                "actors at the origin that are hidden until an animation places them: {waiting}"
            ));
        }
        if !self.unreachable.is_empty() {
            let count = self.unreachable.len();
            sink.note(format!(
                "{count} nodes that no root leads to are in no scene; the tables list them as lost"
            ));
        }
        let materials = &self.gamez.materials;
        if materials.states_used_slots() {
            sink.note(format!(
                "the head of the materials states the {} used slots in place of the {} that are stored",
                materials.used.len(),
                materials.slots(),
            ));
        }
    }
}
