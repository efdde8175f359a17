//! Outputs that are made from several edited sources.
//!
//! Each game file is proved separately. An output that is also made from another edited one shows the new state of
//! that: this is reported. Pictures and sounds do not change the outputs that name them, and show only
//! themselves.

use std::collections::BTreeSet;

use super::edited::Edit;
use crate::pipeline::report::manifest::{InputNumber, Manifest, ManifestOutput};
use relicast_formats::asset::AssetKind;

/// Adds a note to such edits. `is_packed` is true for an output that a changed game file is made from. The outputs of
/// the manifest are sorted by path.
pub(super) fn report_shared(
    manifest: &Manifest,
    is_packed: &dyn Fn(&str) -> bool,
    edits: &mut [Edit],
) {
    let output = |edit: &Edit| -> Option<&ManifestOutput> {
        let outputs = &manifest.outputs;
        let found = outputs.binary_search_by(|output| output.path.cmp(&edit.output));
        outputs.get(found.ok()?)
    };
    let edited: Vec<&ManifestOutput> = edits.iter().filter_map(output).collect();
    let shaping = edited
        .iter()
        .filter(|output| is_shaped(output) && is_packed(&output.path));
    let files: BTreeSet<_> = shaping.map(|output| place(output)).collect();
    for edit in edits {
        let own = output(edit).filter(|own| is_shaped(own));
        let Some(own) = own else { continue };
        let sources = own.made_from.iter();
        let sources = sources.filter_map(|&number| manifest.sources.get(number as usize));
        let others: Vec<&str> = sources
            .map(|source| (source.input, &*source.path))
            .filter(|source| *source != place(own) && files.contains(source))
            .map(|(_, path)| path)
            .collect();
        if others.is_empty() {
            continue;
        }
        let reported = format!("it also shows the edit of {}", others.join(", "));
        edit.rounding = Some(match edit.rounding.take() {
            Some(rounding) => format!("{rounding}; {reported}"),
            None => reported,
        });
    }
}

/// True if its content may come from more than one source.
fn is_shaped(output: &ManifestOutput) -> bool {
    !matches!(output.kind, AssetKind::Textures | AssetKind::Sounds)
}

fn place(output: &ManifestOutput) -> (InputNumber, &str) {
    (output.input, &output.source)
}
