//! Documents that were saved by another program: what only its notation differs in is no edit.
//!
//! Editors indent in their way, order keys, escape characters and write `1` for `1.0`. An edited document is compared
//! with the original one by meaning. One without any difference is not packed; in the others, numbers that have their
//! old value get their old notation back, because games distinguish whole numbers from others.

use serde_json::{Number, Value};

use super::archive;
use super::edited::Edited;
use super::error::PackError;
use super::game_file::GameFile;
use super::json::parse;
use super::scene::{self, Job};

/// Removes documents that were only reformatted from `edits` and returns their paths. The rest get the notation of the
/// originals.
pub(super) fn removed(
    job: Job<'_>,
    file: GameFile<'_>,
    edits: &mut Vec<Edited<'_>>,
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Vec<String> {
    let mut removed = Vec::new();
    let parsed = |edit: &Edited<'_>| {
        let is_document = edit.output.path.ends_with(".json");
        is_document.then(|| parse(&edit.bytes).ok()).flatten()
    };
    let values: Vec<Option<Value>> = edits.iter().map(parsed).collect();
    if values.iter().all(Option::is_none) {
        return removed;
    }
    let mut originals = archive::original_documents(file, edits, &values, job.settings);
    let is_unknown = |at: &usize| {
        values.get(*at).is_some_and(Option::is_some) && originals.get(*at) == Some(&None)
    };
    let unknown: Vec<usize> = (0..edits.len()).filter(is_unknown).collect();
    let outputs = unknown.iter().filter_map(|&at| edits.get(at));
    let outputs: Vec<_> = outputs.map(|edit| edit.output).collect();
    // Documents with data of other files.
    for (at, bytes) in unknown
        .iter()
        .zip(scene::original_outputs(job, &outputs, place_of))
    {
        if let (Some(place), Some(bytes)) = (originals.get_mut(*at), bytes) {
            *place = parse(&bytes).ok();
        }
    }
    let mut compared = values.into_iter().zip(originals);
    edits.retain_mut(|edit| {
        let Some((Some(mut value), Some(original))) = compared.next() else {
            return true;
        };
        let before = value.clone();
        if adopt(&original, &mut value) {
            removed.push(edit.output.path.clone());
            return false;
        }
        if before != value
            && let Ok(bytes) = serde_json::to_vec(&value)
        {
            edit.bytes = bytes;
        }
        true
    });
    removed
}

/// Gives an edited value the notation of the original one where numbers are equal, and the kind of the original number
/// where they are not. Returns true if nothing differs in meaning.
fn adopt(original: &Value, edited: &mut Value) -> bool {
    match (original, edited) {
        (Value::Number(ours), Value::Number(theirs)) => {
            let is_equal = is_equal(ours, theirs);
            *theirs = match is_equal {
                true => ours.clone(),
                false => with_kind(ours, theirs),
            };
            is_equal
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            if ours.len() == theirs.len() {
                let pairs = ours.iter().zip(theirs);
                return pairs.fold(true, |all, (ours, theirs)| adopt(ours, theirs) & all);
            }
            // Items were added or removed: those before and behind them are the old ones.
            let pairs = ours.iter().zip(theirs.iter());
            let first = pairs.take_while(|(one, other)| is_same(one, other)).count();
            let pairs = ours.iter().rev().zip(theirs.iter().rev());
            let shortest = ours.len().min(theirs.len());
            let last = pairs.take(shortest.saturating_sub(first));
            let last = last.take_while(|(one, other)| is_same(one, other)).count();
            let before = ours.iter().zip(theirs.iter_mut()).take(first);
            before.for_each(|(ours, theirs)| {
                adopt(ours, theirs);
            });
            let behind = ours.iter().rev().zip(theirs.iter_mut().rev()).take(last);
            behind.for_each(|(ours, theirs)| {
                adopt(ours, theirs);
            });
            false
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut all = ours.len() == theirs.len();
            for (key, theirs) in theirs {
                all &= ours.get(key).is_some_and(|ours| adopt(ours, theirs));
            }
            all
        }
        (ours, theirs) => ours == theirs,
    }
}

/// True if values have the same meaning.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => is_equal(one, other),
        (Value::Array(ours), Value::Array(theirs)) => {
            let mut pairs = ours.iter().zip(theirs);
            ours.len() == theirs.len() && pairs.all(|(one, other)| is_same(one, other))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let is_there = |(key, one)| theirs.get(key).is_some_and(|it| is_same(one, it));
            ours.len() == theirs.len() && ours.iter().all(is_there)
        }
        _ => one == other,
    }
}

/// True if numbers are equal. Programs that read floats of 32 bits write them in notations of their own: these are equal
/// too, but a number that has more digits than such a float is only equal to itself.
fn is_equal(one: &Number, other: &Number) -> bool {
    match (one.is_f64(), other.is_f64()) {
        (false, false) => one == other,
        (true, true) => one == other || single(one).is_some_and(|it| Some(it) == single(other)),
        _ => one.as_f64() == other.as_f64(),
    }
}

/// The float of 32 bits that a number is a notation of: exact, shortest, or with the 9 digits of C.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what is lost is compared with the number"
)]
fn single(number: &Number) -> Option<f32> {
    let number = number.as_f64()?;
    let single = number as f32;
    let shortest = || single.to_string().parse() == Ok(number);
    let digits = || format!("{single:.8e}").parse() == Ok(number);
    (f64::from(single) == number || shortest() || digits()).then_some(single)
}

/// A new number as the kind of number that the old one is, if it can be: whole, or with a point.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a whole number within the limits stays what it is"
)]
fn with_kind(old: &Number, new: &Number) -> Number {
    /// The largest whole number up to which floats hold all.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let Some(value) = new.as_f64().filter(|value| value.abs() <= LARGEST) else {
        return new.clone();
    };
    let is_whole = libm::trunc(value) == value;
    let kept = match (old.is_f64(), new.is_f64()) {
        (true, false) => Number::from_f64(value),
        (false, true) if is_whole => Some(Number::from(value as i64)),
        _ => None,
    };
    kept.unwrap_or_else(|| new.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::adopt;

    fn adopted(original: &Value, mut edited: Value) -> (bool, Value) {
        (adopt(original, &mut edited), edited)
    }

    #[test]
    fn notation_is_no_difference_and_comes_back() {
        let original = json!({"a": [1.0, 2, -0.0], "b": {"c": 0.1, "d": null}});
        let edited = json!({"b": {"d": null, "c": 0.100000001}, "a": [1, 2.0, 0]});
        assert_eq!(adopted(&original, edited), (true, original));
    }

    #[test]
    fn only_notations_of_a_float_of_the_games_are_equal_to_it() {
        // A text may hold any number of digits.
        for (ours, theirs, is_same) in [
            ("0.1", "0.100000001", true),
            ("0.1", "0.10000000149011612", true),
            ("0.100000001", "0.1", true),
            ("3.1415927", "3.14159274", true),
            ("0.1", "0.1000000012", false),
            ("3.14159265358979", "3.1415927", false),
            ("3.1415927", "3.14159265358979", false),
            ("3.14159265358979", "3.14159265358978", false),
        ] {
            let [ours, theirs] = [ours, theirs].map(|text| serde_json::from_str(text).unwrap());
            assert_eq!(adopted(&ours, theirs).0, is_same, "{ours}");
        }
    }

    #[test]
    fn edits_stay_and_take_the_kind_of_number() {
        let original = json!([1.0, 2, "x", {"a": 1}]);
        let (is_same, edited) = adopted(&original, json!([3, 4.0, "x", {"a": 1.5}]));
        assert!(!is_same);
        assert_eq!(edited, json!([3.0, 4, "x", {"a": 1.5}]));
        for other in [
            json!([1.0, 2, "y", {"a": 1}]),
            json!([1.0, 2, "x", {"b": 1}]),
            json!([1.0, 2, "x", {"a": 1, "b": null}]),
            json!([1.0, 2, "x", {}]),
            json!([1.0, 2, "x"]),
            json!(null),
        ] {
            assert_eq!(adopted(&original, other.clone()), (false, other));
        }
        assert!(!adopted(&json!(16_777_217), json!(16_777_216.0)).0);
    }

    #[test]
    fn items_around_inserted_and_removed_ones_keep_their_notation() {
        let original = json!([1.0, "a", [2.0, 3], 4.0]);
        let (is_same, edited) = adopted(&original, json!([1, "new", 7, "a", [2, 3.0], 4]));
        assert!(!is_same);
        assert_eq!(edited, json!([1.0, "new", 7, "a", [2.0, 3], 4.0]));
        let (_, edited) = adopted(&original, json!([1, 4]));
        assert_eq!(edited, json!([1.0, 4.0]));
    }
}
