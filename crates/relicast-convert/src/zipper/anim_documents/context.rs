//! Shared context of the documents: the container, the definition, its names.

use super::names::Names;
use super::script::{ScriptMotion, ScriptSource, Table};
use super::script_uses::{FirstUses, pool_index, script_heads};
use relicast_formats::zipper::anim::{AnimFile, Definition, Event, EventBody};
use relicast_scene::document::Style;

/// Context shared by the documents of all definitions of a container.
#[derive(Debug, Clone, Copy)]
pub(in crate::zipper) struct Shared<'d> {
    pub container: &'d AnimFile,
    pub uses: &'d FirstUses,
    /// Names of the documents.
    pub stems: &'d [String],
    pub style: Style,
}

/// Context of a definition's document.
#[derive(Debug)]
pub(super) struct Context<'d> {
    pub(super) container: &'d AnimFile,
    pub(super) definition: &'d Definition,
    pub(super) number: usize,
    pub(super) names: &'d Names,
    pub(super) uses: &'d FirstUses,
    pub(super) stems: &'d [String],
    pub(super) style: Style,
}

impl<'d> Context<'d> {
    /// Motions of the scripts of an event.
    pub(super) fn scripts(
        &self,
        event: &'d Event,
        block: usize,
        place: usize,
    ) -> Vec<ScriptMotion<'d>> {
        let version = self.container.version;
        if let (EventBody::ObjectMotionSiScript(motion), false) =
            (&event.body, version.has_script_pool())
        {
            return vec![ScriptMotion {
                node: self.names.node(motion.head.node),
                script: None,
                table: Some(Table::new(&motion.frames, false, self.style)),
            }];
        }
        let heads = script_heads(event).into_iter().enumerate();
        heads
            .map(|(motion, head)| {
                let index = pool_index(version, self.definition, head);
                let script = index.and_then(|index| self.container.scripts.get(index));
                let used = index.and_then(|index| self.uses.get(&index));
                let here = (self.number, block, place, motion);
                let elsewhere = used.filter(|used| **used != here);
                let broken = script.is_some_and(|script| script.broken.is_some());
                let source = ScriptSource {
                    stored: head.script,
                    pool_index: index.filter(|_| script.is_some()),
                    source: script.map(|script| script.script_name.text()),
                    made_for: script.map(|script| script.object_name.text()),
                    frames_are_in: elsewhere
                        .and_then(|used| self.stems.get(used.0))
                        .map(String::as_str),
                    fault: match (script, broken) {
                        (None, _) => Some("no such script"),
                        (_, true) => Some("frames that do not fit their header"),
                        _ => None,
                    },
                };
                let shown = script.filter(|_| used == Some(&here) && !broken);
                let table = shown.map(|script| {
                    let splines = script.header.spline_interpolation.is_set();
                    Table::new(&script.frames, splines, self.style)
                });
                ScriptMotion {
                    node: self.names.node(head.node),
                    script: Some(source),
                    table,
                }
            })
            .collect()
    }
}
