//! Edited documents whose values lie in the source: each edited value is put in the place that shows it.
//!
//! A document is a view of its source. For an edited value the places are tried that hold the old value, nearest first to where the
//! order of the document puts it; the source is converted again for each, and the place counts when the document then says what
//! the edit says and nothing else of it changes. So what was not edited keeps its bytes, whatever the format is, and an edit
//! that no place shows is refused. Values that follow from an edited one (the end of what was made longer) may change with it, which
//! is told.
//!
//! - `leaf` — the values of a document, and what differs; `others` — documents of one file that are edited together; `rates` — what files hold beside what it follows from; `sections` — saves that get and lose sections;
//!   `stored` — places that may hold a value; `trials` — which of them does; `view` — a document of a source.

mod leaf;
mod others;
mod rates;
mod sections;
mod stored;
mod trials;
mod view;

use std::ops::Range;

use serde_json::Value;

use super::edited::{Content, Edited, Refusal, Refusals};
use super::json::{Shown, parse};
use super::unit::Unit;
use leaf::{leaves, same};
use others::settle;
use relicast_formats::kind::sniff;
use stored::Search;
use trials::{Goal, Trials, Wanted};
use view::View;

/// Most places that are tried for an edited document.
const MOST_TRIES: usize = 60_000;

/// Most places that are tried for a value where its item lies.
const MOST_HERE: usize = 2000;

/// Most places that are tried for a value before all others had their turn.
const MOST_AT_FIRST: usize = 64;

/// Most places that are tried for a value elsewhere in the file.
const MOST_ELSEWHERE: usize = 500;

/// The source with all edited documents of it.
///
/// # Errors
/// A document is none of the source, or something was edited that no place shows.
pub(super) fn encode(unit: &Unit<'_, '_>) -> Result<Content, Refusals> {
    let mut bytes = unit.original.to_vec();
    let mut roundings = Vec::new();
    let mut refusals = Refusals::new();
    for edit in unit.edits {
        match put(unit, edit, &mut bytes) {
            Ok(rounding) => roundings.push(rounding),
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    if let ([_, _, ..], true) = (unit.edits, refusals.is_empty()) {
        refusals = settle_all(unit, unit.edits, &bytes, &mut roundings);
    }
    // A value may be one by which the file is told from others.
    let is_told = |bytes: &[u8]| sniff(bytes, unit.name) == unit.kind;
    if refusals.is_empty() && is_told(unit.original) && !is_told(&bytes) {
        return Err(unit.refuse(format_args!(
            "with these values its file would not be known as one of the kind {} any more",
            unit.kind.label()
        )));
    }
    match refusals.is_empty() {
        true => Ok(Content { bytes, roundings }),
        false => Err(refusals),
    }
}

/// Tells of each document what other edits change in it, once they all are in the file whose bytes these are. What says
/// otherwise than an edit is refused.
pub(super) fn settle_all(
    unit: &Unit<'_, '_>,
    edits: &[&Edited<'_>],
    bytes: &[u8],
    roundings: &mut [Option<String>],
) -> Refusals {
    let mut refusals = Refusals::new();
    for (edit, rounding) in edits.iter().zip(roundings) {
        match settle(unit, edit, bytes) {
            Ok(told) => {
                let both = [rounding.take(), told].into_iter().flatten();
                let both: Vec<String> = both.collect();
                *rounding = (!both.is_empty()).then(|| both.join("; "));
            }
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    refusals
}

/// Puts one edited document into the source.
fn put(
    unit: &Unit<'_, '_>,
    edit: &Edited<'_>,
    bytes: &mut Vec<u8>,
) -> Result<Option<String>, Refusal> {
    let view = View::of(unit, edit)?;
    let before = bytes.clone();
    let mut edited: Value = parse(&edit.bytes)?;
    let mut now = view.show(bytes)?;
    if *bytes != unit.original {
        edited = others::merged(&view.show(unit.original)?, &edited, &now)?;
    }
    let mut placed = 0;
    if let Some(fitted) = sections::fitted(view.kind, bytes, &now, &edited)? {
        let shown = view.show(&fitted)?;
        let followed = sections::with_followers(edited.clone(), &now, &shown);
        placed = leaf::differences(&edited, &followed);
        edited = followed;
        (*bytes, now) = (fitted, shown);
    }
    let mut wanted = edits(&now, &edited)?;
    let mut tries = MOST_TRIES;
    // First those whose places are clear: others may follow from them.
    let turns = [MOST_AT_FIRST, usize::MAX].into_iter();
    for most in turns.skip(usize::from(wanted.len() < 2)) {
        for wanted in &mut wanted {
            if let Some(now) = now.pointer(&wanted.pointer) {
                if same(now, &wanted.new) {
                    continue;
                }
                wanted.old = now.clone();
            }
            let goal = Goal {
                wanted,
                edited: &edited,
                most,
            };
            match find(&view, bytes, &now, &goal, &mut tries) {
                Ok(found) => (*bytes, now) = found,
                Err(_) if most == MOST_AT_FIRST => {}
                Err(refusal) => return Err(refusal),
            }
        }
    }
    let followers = leaf::differences(&edited, &now) + placed;
    // An edited value that an edit after it changed again cannot be had together with that.
    if let Some(lost) = wanted.iter().find(|wanted| {
        let shown = now.pointer(&wanted.pointer);
        !shown.is_some_and(|shown| same(shown, &wanted.new))
    }) {
        return Err(Refusal::new(format_args!(
            "{} follows from other values that were edited",
            leaf::path(&lost.pointer)
        )));
    }
    let members = view.members_that_follow(&before, bytes)?;
    let told = [
        (followers, "other values of the document"),
        (members, "outputs of members"),
    ];
    let told = told.into_iter().filter(|(count, _)| *count > 0);
    let mut told: Vec<String> = told
        .map(|(count, what)| format!("{count} {what} follow from it and change with it"))
        .collect();
    let mut pointers = wanted.iter().map(|wanted| &*wanted.pointer);
    if pointers.any(|pointer| view.tells_what_pictures_are(pointer)) {
        told.push("outputs of members that its materials wear follow from it".to_owned());
    }
    Ok((!told.is_empty()).then(|| told.join("; ")))
}

/// What was edited in a document.
fn edits(now: &Value, edited: &Value) -> Result<Vec<Wanted>, Refusal> {
    leaf::check_shape(now, edited, &mut String::new())?;
    let all = leaves(now).count().max(1);
    // Programs may write keys in another order.
    let differing = leaves(now).enumerate().filter_map(|(at, leaf)| {
        let new = edited.pointer(&leaf.pointer)?;
        (!same(leaf.value, new)).then(|| Wanted {
            old: leaf.value.clone(),
            new: new.clone(),
            pointer: leaf.pointer,
            index: (at, all),
        })
    });
    Ok(differing.collect())
}

/// The source with one value in its place, and its document.
fn find(
    view: &View<'_>,
    bytes: &[u8],
    now: &Value,
    goal: &Goal<'_>,
    tries: &mut usize,
) -> Result<(Vec<u8>, Value), Refusal> {
    let wanted = goal.wanted;
    let refuse = |reason: &str| {
        Err(Refusal::new(format_args!(
            "{}: {reason} (from {} to {})",
            leaf::path(&wanted.pointer),
            Shown(&wanted.old),
            Shown(&wanted.new)
        )))
    };
    let whole = view.range(bytes);
    let own = sections::range(now, &wanted.pointer);
    let own = own.filter(|own| whole.start <= own.start && own.end <= whole.end);
    let is_section = own.is_some();
    let range = own.unwrap_or(whole);
    let places = places(bytes, &range, now, wanted);
    let mut search = Search::new(bytes, range.clone(), &places);
    if is_section {
        search = search.binary();
    }
    // What an item takes from elsewhere in its file comes last.
    let elsewhere = [0..range.start, range.end..bytes.len()];
    let elsewhere = elsewhere
        .into_iter()
        .flat_map(|range| Search::new(bytes, range, &places).changes(&wanted.old, &wanted.new));
    let here = search.changes(&wanted.old, &wanted.new).into_iter();
    let changes: Vec<_> = here
        .take(MOST_HERE)
        .chain(elsewhere.take(MOST_ELSEWHERE))
        .take(goal.most)
        .collect();
    let mut trials = Trials::new(view, bytes, now, goal, tries);
    let is_first = goal.most == MOST_AT_FIRST;
    let best = match is_first {
        true => trials.of(&changes, 0),
        false => trials.of(&changes, usize::MAX).or_else(|| {
            // What no place holds may be a flag or the code of a name: only one that changes nothing else counts.
            trials.of(&search.codes(&wanted.old, &wanted.new), 0)
        }),
    };
    match best {
        Some(found) => Ok((found.bytes, found.shown)),
        None => refuse("it follows from other values, or its format cannot hold it"),
    }
}

/// How far from a value others are looked at to tell where it lies.
const MOST_NEIGHBOURS: usize = 60;

/// About where a value lies: beside the nearest text of the document that lies in one place only, beside the nearest number
/// of the kind, and as far in the file as it is in the document. A number may lie elsewhere in another width, so none of them
/// is sure.
fn places(bytes: &[u8], range: &Range<usize>, now: &Value, wanted: &Wanted) -> Vec<usize> {
    let (index, all) = wanted.index;
    let first = index.saturating_sub(MOST_NEIGHBOURS);
    let mut near: Vec<(usize, &Value)> = leaves(now)
        .map(|leaf| leaf.value)
        .enumerate()
        .skip(first)
        .take(MOST_NEIGHBOURS * 2)
        .collect();
    near.sort_by_key(|(at, _)| at.abs_diff(index));
    let search = Search::new(bytes, range.clone(), &[]);
    let beside = |is_text: bool| {
        let others = near.iter().skip(1).map(|(_, value)| *value);
        let mut of_kind = others.filter(|value| value.is_string() == is_text);
        of_kind.find_map(|value| search.only(value))
    };
    let share = range.len().saturating_mul(index).checked_div(all);
    let share = range.start.saturating_add(share.unwrap_or_default());
    let mut places: Vec<usize> = [beside(true), beside(false)]
        .into_iter()
        .flatten()
        .collect();
    places.push(share);
    places
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Wanted, places};

    #[test]
    fn a_number_alike_elsewhere_does_not_hide_where_the_name_is() {
        let mut bytes = vec![9; 300];
        bytes[40..46].copy_from_slice(b"muzzle");
        // The width of the document is stored in two bytes; this is another number.
        bytes[200..204].copy_from_slice(&64_u32.to_le_bytes());
        let wanted = Wanted {
            pointer: "/stretch".to_owned(),
            old: json!(0),
            new: json!(1),
            index: (2, 3),
        };
        let now = json!({"name": "muzzle", "width": 64, "stretch": 0});
        assert_eq!(places(&bytes, &(0..300), &now, &wanted), [40, 200, 200]);
    }
}
