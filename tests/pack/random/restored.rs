//! Game files whose edits were undone, byte by byte.

use relicast::pack::Edit;
use relicast_samples::edits::What;

use crate::random::compare::Packed;
use crate::random::unpacked;

/// A file may differ if the original bytes of an edit cannot be restored: lossy codings, palettes, words of
/// texts.
pub fn check_reported(
    path: &str,
    (original, restored): (&[u8], &[u8]),
    edits: &[&Packed],
    undone: &[Edit],
) -> Result<(), String> {
    let is_lossy = |edit: &Packed| {
        let rounding = |edits: &[Edit]| {
            let own = edits.iter().find(|other| other.output == edit.output);
            own.is_some_and(|own| own.rounding.is_some())
        };
        edit.rounding.is_some()
            || rounding(undone)
            // Palettes keep colors that were taken into them; nodes and boxes that are moved back have roundings.
            || matches!(edit.what, What::Texels(_) | What::Node(_) | What::Corners(_))
            // A text that had no words may have had no room, and one that is written like a number may have
            // been one.
            || matches!(&edit.what, What::Value { old, .. } if is_no_text(old))
    };
    let is_text = !original.contains(&0);
    if is_text || edits.iter().any(|edit| is_lossy(edit)) {
        return Ok(());
    }
    // Archives of EverQuest compress anew: their members are the same.
    let (before, after) = (unpacked::members(original), unpacked::members(restored));
    let is_repacked = before.is_some() && before == after;
    let is_text_member = || {
        let (Some(before), Some(after)) = (&before, &after) else {
            return false;
        };
        let differing = before
            .iter()
            .filter(|(name, bytes)| after.get(*name) != Some(bytes));
        differing.into_iter().all(|(_, bytes)| !bytes.contains(&0))
    };
    match is_repacked || is_text_member() {
        true => Ok(()),
        false => Err(format!("{path} is not as it was: {edits:?}")),
    }
}

fn is_no_text(value: &serde_json::Value) -> bool {
    let numbers = ["inf", "nan"];
    let text = value.as_str();
    text.is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        let number = text.strip_prefix('-').unwrap_or(&text);
        // With the bits that make one no number among others, too.
        let kind = number.split(':').next().unwrap_or_default();
        text.is_empty() || numbers.contains(&kind)
    })
}
