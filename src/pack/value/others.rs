//! Documents of one file that were edited together: each is a view of the same bytes, so an edit of one may show in
//! another.

use relicast_codec::quantity::counted;
use serde_json::Value;

use super::leaf::{self, path, same, same_shape};
use super::view::View;
use crate::pack::edited::{Edited, IN_TWO_STEPS, Refusal};
use crate::pack::json::{Shown, parse};
use crate::pack::unit::Unit;

/// Merges an edited document with earlier edits of its file: `original` is the document before, `edited` its edit,
/// `now` the current document of the file.
///
/// # Errors
/// Edits contradict each other, or cannot be distinguished.
pub(super) fn merged(original: &Value, edited: &Value, now: &Value) -> Result<Value, Refusal> {
    if !same_shape(original, now) || !same_shape(original, edited) {
        return Err(refusal!(
            "other documents of its file were edited too, and something was added or removed; {IN_TWO_STEPS}"
        ));
    }
    let mut merged = now.clone();
    let mut refused = None;
    leaf::visit(original, &mut |path, value| {
        let pointer = leaf::pointer(path);
        let at = |document: &Value| document.pointer(&pointer).cloned().unwrap_or_default();
        let (wanted, shown) = (at(edited), at(now));
        if same(value, &wanted) {
            return;
        }
        if !same(value, &shown) && !same(&wanted, &shown) {
            refused.get_or_insert_with(|| contradicted(&pointer, &wanted, &shown));
        }
        if let Some(place) = merged.pointer_mut(&pointer) {
            *place = wanted;
        }
    });
    refused.map_or(Ok(merged), Err)
}

/// Reports values of an edited document that other edits of its file changed, and values that follow from all of them.
/// `bytes` is the file with all edits.
///
/// # Errors
/// An edited value of it is not as edited any more.
pub(super) fn settle(
    unit: &Unit<'_, '_>,
    edit: &Edited<'_>,
    bytes: &[u8],
) -> Result<Option<String>, Refusal> {
    // An output that is not a view of its file shows only its own edit.
    if !edit.output.path.ends_with(".json") {
        return Ok(None);
    }
    let edited: Value = parse(&edit.bytes)?;
    let Ok(view) = View::new(unit, edit, &edited) else {
        return Ok(None);
    };
    let original = view.show(unit.original)?;
    let now = view.show(bytes)?;
    let (mut others, mut more, mut refused) = (0_usize, 0_isize, None);
    leaf::visit(&now, &mut |_, _| more += 1);
    leaf::visit(&edited, &mut |path, value| {
        more -= 1;
        let pointer = leaf::pointer(path);
        let shown = now.pointer(&pointer);
        if shown.is_some_and(|shown| same(shown, value)) {
            return;
        }
        let before = original.pointer(&pointer);
        if !before.is_some_and(|before| same(before, value)) {
            let shown = shown.cloned().unwrap_or_default();
            refused.get_or_insert_with(|| contradicted(&pointer, value, &shown));
        }
        others += 1;
    });
    if let Some(refusal) = refused {
        return Err(refusal);
    }
    others = others.saturating_add_signed(more.max(0));
    Ok((others > 0).then(|| {
        let values = counted(
            others,
            "value of the document comes",
            "values of the document come",
        );
        format!("{values} from other edits of its file")
    }))
}

fn contradicted(pointer: &str, wanted: &Value, shown: &Value) -> Refusal {
    Refusal::new(format_args!(
        "{} is {} here, and {} by another edit of its file; make them equal, or {IN_TWO_STEPS}",
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
