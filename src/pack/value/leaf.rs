//! The values of a document that hold no others, and differences between documents of one shape.

use serde_json::{Number, Value};

use crate::pack::edited::Refusal;
use crate::pack::json::Shown;

/// A key or an index on the path to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

/// Visits the values of a document that hold no others, in order.
pub(super) fn visit<'v>(document: &'v Value, visit: &mut dyn FnMut(&[Step<'v>], &'v Value)) {
    visit_below(document, &mut Vec::new(), visit);
}

fn visit_below<'v>(
    value: &'v Value,
    path: &mut Vec<Step<'v>>,
    visit: &mut dyn FnMut(&[Step<'v>], &'v Value),
) {
    let mut below = |step, value| {
        path.push(step);
        visit_below(value, path, visit);
        path.pop();
    };
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, item)| below(Step::Index(index), item));
        }
        Value::Object(fields) => {
            (fields.iter()).for_each(|(key, field)| below(Step::Key(key), field));
        }
        value => visit(path, value),
    }
}

/// The value at a path.
pub(super) fn at<'v>(document: &'v Value, path: &[Step<'_>]) -> Option<&'v Value> {
    path.iter().try_fold(document, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// The JSON pointer of a path.
pub(super) fn pointer(path: &[Step<'_>]) -> String {
    let part = |step: &Step<'_>| match step {
        Step::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Step::Index(index) => format!("/{index}"),
    };
    path.iter().map(part).collect()
}

/// The path of a value in readable notation.
pub(super) fn path(pointer: &str) -> String {
    let mut path = String::from("$");
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        match part.parse::<usize>() {
            Ok(index) => path.push_str(&format!("[{index}]")),
            Err(_) => {
                path.push('.');
                path.push_str(&part);
            }
        }
    }
    path
}

/// Checks that an edited document has its old lists and keys.
///
/// # Errors
/// Something was added or removed.
pub(super) fn check_shape(
    now: &Value,
    edited: &Value,
    pointer: &mut String,
) -> Result<(), Refusal> {
    let length = pointer.len();
    let refuse = |pointer: &str, what: String| {
        Err(Refusal::new(format_args!(
            "{}: {what}; only stored values can be changed here, nothing can be added or removed",
            path(pointer)
        )))
    };
    match (now, edited) {
        (Value::Array(ours), Value::Array(theirs)) => {
            if ours.len() != theirs.len() {
                let what = format!("expected {} items, found {}", ours.len(), theirs.len());
                return refuse(pointer, what);
            }
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                pointer.push_str(&format!("/{index}"));
                check_shape(ours, theirs, pointer)?;
                pointer.truncate(length);
            }
            Ok(())
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            if let Some(key) = ours.keys().find(|key| !theirs.contains_key(*key)) {
                return refuse(pointer, format!("expected the key {key}, found none"));
            }
            if let Some(key) = theirs.keys().find(|key| !ours.contains_key(*key)) {
                return refuse(pointer, format!("found the new key {key}"));
            }
            for (key, ours) in ours {
                let Some(theirs) = theirs.get(key) else {
                    continue;
                };
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                check_shape(ours, theirs, pointer)?;
                pointer.truncate(length);
            }
            Ok(())
        }
        (Value::Array(_) | Value::Object(_), other)
        | (other, Value::Array(_) | Value::Object(_)) => {
            refuse(pointer, format!("found {} in its place", Shown(other)))
        }
        _ => Ok(()),
    }
}

/// Returns true if documents have the same lists and keys.
pub(super) fn same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(ours), Value::Array(theirs)) => {
            let mut pairs = ours.iter().zip(theirs);
            ours.len() == theirs.len() && pairs.all(|(one, other)| same_shape(one, other))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let is_there = |(key, one)| theirs.get(key).is_some_and(|it| same_shape(one, it));
            ours.len() == theirs.len() && ours.iter().all(is_there)
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        _ => true,
    }
}

/// Number of values that differ from two documents: neither as in one of the first two, all of one shape, nor as in the
/// other.
pub(super) fn strayed(shown: &Value, before: &Value, edited: &Value) -> usize {
    let mut strayed = 0;
    visit(shown, &mut |path, shown| {
        let is_as_in = |other| at(other, path).is_some_and(|other| same(shown, other));
        strayed += usize::from(!is_as_in(before) && !is_as_in(edited));
    });
    strayed
}

/// Number of values that differ in documents of one shape.
pub(super) fn differences(one: &Value, other: &Value) -> usize {
    strayed(one, other, other)
}

/// Number of values that a document has differently, that it has more, and that it has no more.
pub(in crate::pack) fn changes(before: &Value, after: &Value) -> [usize; 3] {
    let mut counts = [0; 3];
    count_changes(before, after, &mut counts);
    counts
}

fn count_changes(before: &Value, after: &Value, counts: &mut [usize; 3]) {
    let leaves = |value: &Value| {
        let mut all = 0;
        visit(value, &mut |_, _| all += 1);
        all
    };
    let [changed, added, removed] = counts;
    match (before, after) {
        (Value::Array(ours), Value::Array(theirs)) => {
            let (ours, theirs) = between(ours, theirs);
            // Items between the equal ones are other ones as far as there are two, and then came or went.
            let common = ours.len().min(theirs.len());
            *added += theirs.iter().skip(common).map(leaves).sum::<usize>();
            *removed += ours.iter().skip(common).map(leaves).sum::<usize>();
            for (ours, theirs) in ours.iter().zip(theirs) {
                count_changes(ours, theirs, counts);
            }
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, theirs) in theirs {
                match ours.get(key) {
                    Some(ours) => count_changes(ours, theirs, counts),
                    None => counts[1] += leaves(theirs),
                }
            }
            let gone = ours.iter().filter(|(key, _)| !theirs.contains_key(*key));
            counts[2] += gone.map(|(_, gone)| leaves(gone)).sum::<usize>();
        }
        (ours, theirs) if is_list(ours) || is_list(theirs) => {
            *removed += leaves(ours);
            *added += leaves(theirs);
        }
        (ours, theirs) => *changed += usize::from(!same(ours, theirs)),
    }
}

fn is_list(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// The items of two lists without those that are equal at their begins and ends, if the lists have different lengths.
fn between<'v>(ours: &'v [Value], theirs: &'v [Value]) -> (&'v [Value], &'v [Value]) {
    if ours.len() == theirs.len() {
        return (ours, theirs);
    }
    let is_equal = |(one, other): &(&Value, &Value)| one == other;
    let first = ours.iter().zip(theirs).take_while(is_equal).count();
    let rest = |list: &'v [Value]| list.get(first..).unwrap_or_default();
    let (ours, theirs) = (rest(ours), rest(theirs));
    let pairs = ours.iter().rev().zip(theirs.iter().rev());
    let last = pairs.take_while(is_equal).count();
    let start = |list: &'v [Value]| list.get(..list.len() - last).unwrap_or_default();
    (start(ours), start(theirs))
}

/// True if values are equal; numbers with a point are compared to the precision of the games' floats.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        _ => one == other,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "to the precision that is stored"
)]
fn same_number(one: &Number, other: &Number) -> bool {
    match one.is_f64() || other.is_f64() {
        true => {
            let single = |number: &Number| number.as_f64().map(|number| number as f32);
            single(one) == single(other)
        }
        false => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{changes, check_shape, path, pointer, same, same_shape, strayed, visit};

    #[test]
    fn leaves_come_in_the_order_of_the_document() {
        let document = json!({"b": [1, {"a/c": "x"}], "a": null});
        let mut found = Vec::new();
        visit(&document, &mut |path, value| {
            assert_eq!(document.pointer(&pointer(path)), Some(value));
            found.push(pointer(path));
        });
        assert_eq!(found, ["/b/0", "/b/1/a~1c", "/a"]);
        assert_eq!(path("/b/1/a~1c"), "$.b[1].a/c");
    }

    #[test]
    fn what_is_as_in_the_edit_has_not_strayed() {
        let before = json!({"a": [1, 2, 3], "b": 4});
        let edited = json!({"a": [1, 9, 3], "b": 4});
        let strayed = |shown| strayed(&shown, &before, &edited);
        assert_eq!(strayed(json!({"a": [1, 9, 3], "b": 4})), 0);
        assert_eq!(strayed(json!({"a": [1, 2, 3], "b": 4})), 0);
        assert_eq!(strayed(json!({"a": [9, 9, 3], "b": 5})), 2);
    }

    #[test]
    fn items_that_came_or_went_do_not_make_changes_of_the_others() {
        let changes = |before, after| changes(&before, &after);
        let items = || json!([1, [2, 3], 4]);
        assert_eq!(changes(items(), items()), [0, 0, 0]);
        for at in 0..=3 {
            let mut more = items();
            more.as_array_mut().unwrap().insert(at, json!([7, 8]));
            assert_eq!(changes(items(), more.clone()), [0, 2, 0], "{more}");
            assert_eq!(changes(more, items()), [0, 0, 2]);
        }
        assert_eq!(changes(items(), json!([1, [9, 3], 4, 5])), [1, 1, 0]);
        assert_eq!(
            changes(json!({"a": 1, "b": [1]}), json!({"a": 2, "c": 3})),
            [1, 1, 1]
        );
        assert_eq!(changes(json!([1]), json!({"a": [1, 2]})), [0, 2, 1]);
    }

    #[test]
    fn shapes_differ_by_items_and_keys_and_not_by_values() {
        let document = json!({"a": [1, 2], "b": "x"});
        let check = |other| {
            assert_eq!(
                check_shape(&document, &other, &mut String::new()).is_ok(),
                same_shape(&document, &other)
            );
            same_shape(&document, &other)
        };
        assert!(check(json!({"a": [3, 2.5], "b": null})));
        assert!(!check(json!({"a": [1], "b": "x"})));
        assert!(!check(json!({"a": [1, 2]})));
        assert!(!check(json!({"a": [1, 2], "b": "x", "c": 1})));
        assert!(!check(json!({"a": [1, 2], "b": ["x"]})));
    }

    #[test]
    fn floats_are_the_same_as_far_as_games_can_represent() {
        assert!(same(&json!(0.1), &json!(0.100000001)));
        assert!(!same(&json!(0.1), &json!(0.1001)));
        assert!(same(&json!(2), &json!(2.0)));
        assert!(!same(&json!(16_777_217), &json!(16_777_216)));
    }
}
