//! Documents of one file that were edited together: each is a view of the same bytes, so what was edited in one may show in
//! another.

use serde_json::Value;

use super::leaf::{leaves, path, same, same_shape};
use super::view::View;
use crate::pack::edited::{Edited, Refusal};
use crate::pack::json::{Shown, parse};
use crate::pack::unit::Unit;

/// An edited document with what edits before it made of its file: `original` is what it was, `edited` what was made of
/// that, `now` what its file shows by this time.
///
/// # Errors
/// Edits contradict each other, or cannot be told from each other.
pub(super) fn merged(original: &Value, edited: &Value, now: &Value) -> Result<Value, Refusal> {
    if !same_shape(original, now) || !same_shape(original, edited) {
        return Err(Refusal::new(
            "other documents of its file were edited too, and something is new or gone; pack one after the other, with --only",
        ));
    }
    let mut merged = now.clone();
    for leaf in leaves(original) {
        let at = |document: &Value| document.pointer(&leaf.pointer).cloned().unwrap_or_default();
        let (wanted, shown) = (at(edited), at(now));
        if same(leaf.value, &wanted) {
            continue;
        }
        if !same(leaf.value, &shown) && !same(&wanted, &shown) {
            return Err(contradicted(&leaf.pointer, &wanted, &shown));
        }
        if let Some(place) = merged.pointer_mut(&leaf.pointer) {
            *place = wanted;
        }
    }
    Ok(merged)
}

/// What other edits change in an edited document once they are in its file, whose bytes these are, and what follows from
/// all of them.
///
/// # Errors
/// What was edited in it is not as it was edited any more.
pub(super) fn settle(
    unit: &Unit<'_, '_>,
    edit: &Edited<'_>,
    bytes: &[u8],
) -> Result<Option<String>, Refusal> {
    // What is no view of its file was made in another way, and shows that alone.
    let Ok(view) = View::of(unit, edit) else {
        return Ok(None);
    };
    let original = view.show(unit.original)?;
    let edited: Value = parse(&edit.bytes)?;
    let now = view.show(bytes)?;
    let mut others = 0_usize;
    let mut met = 0_usize;
    for leaf in leaves(&edited) {
        met = met.saturating_add(1);
        let shown = now.pointer(&leaf.pointer);
        if shown.is_some_and(|shown| same(shown, leaf.value)) {
            continue;
        }
        let before = original.pointer(&leaf.pointer);
        if !before.is_some_and(|before| same(before, leaf.value)) {
            let shown = shown.cloned().unwrap_or_default();
            return Err(contradicted(&leaf.pointer, leaf.value, &shown));
        }
        others = others.saturating_add(1);
    }
    others = others.saturating_add(leaves(&now).count().saturating_sub(met));
    Ok((others > 0).then(|| {
        format!(
            "{others} values of the document are as other edits of its file have them, or follow from these edits"
        )
    }))
}

fn contradicted(pointer: &str, wanted: &Value, shown: &Value) -> Refusal {
    Refusal::new(format_args!(
        "{} is {} here, and {} by another edit of its file; pack one after the other, with --only, or make them say the same",
        path(pointer),
        Shown(wanted),
        Shown(shown)
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::merged;

    #[test]
    fn an_edit_keeps_what_another_one_made_of_its_file() {
        let original = json!({"a": 1, "b": [2, 3]});
        let merge = |edited, now| merged(&original, &edited, &now).map_err(|it| it.to_string());
        let other = json!({"a": 1, "b": [2, 9]});
        assert_eq!(
            merge(json!({"a": 5, "b": [2, 3]}), other.clone()),
            Ok(json!({"a": 5, "b": [2, 9]}))
        );
        assert_eq!(merge(other.clone(), other.clone()), Ok(other.clone()));
        let refused = merge(json!({"a": 1, "b": [2, 7]}), other.clone()).unwrap_err();
        assert!(
            refused.starts_with("$.b[1] is 7 here, and 9 by another edit"),
            "{refused}"
        );
        let refused = merge(json!({"a": 1, "b": [2]}), other).unwrap_err();
        assert!(refused.contains("--only"), "{refused}");
    }
}
