//! Edited documents whose values are stored in the source: each edited value is written to the field that it comes
//! from.
//!
//! A document is a view of its source, and the conversion reports the position of each field that it reads. For an
//! edited value, the fields with the old value are tried, those with its path first. The source is converted again for
//! each of them. A field counts if the document then has the edited value and no other change. So unedited data keep
//! their bytes in any format, and an edit that no field shows is refused. Values that follow from an edited one, such
//! as the end of a longer list, may change with it, which is reported.
//!
//! - `fields` — fields that may hold a value; `leaf` — the values of a document, and differences; `others` — documents
//!   of one file that are edited together; `rates` — rates that files store together with the values they follow from;
//!   `sections` — saves with added and removed sections; `stored` — stored forms of values, and texts and bytes that no
//!   decoder reads; `trials` — finds the right one of many changes; `view` — a document of a source.

mod fields;
pub(super) mod leaf;
mod others;
mod rates;
mod sections;
mod stored;
#[cfg(test)]
mod tests;
mod trials;
mod view;

use std::collections::HashSet;

use serde_json::Value;

use super::edited::{Content, Edited, Refusal, Refusals};
use super::json::{Shown, parse};
use super::rounding::RoundingReport;
use super::selection::SCENE_FILES;
use super::unit::Unit;
use fields::Fields;
use leaf::same;
use others::settle;
use relicast_formats::kind::sniff;
use stored::{Change, MOST_PLACES, Search};
use trials::{Found, Trials, Wanted};
use view::View;

/// Words for one and for several values that change with an edit.
const VALUES_FOLLOW: [&str; 2] = [
    "other value of the document follows from it and changes with it",
    "other values of the document follow from it and change with it",
];
/// Words for outputs of members that change with an edit.
const MEMBERS_FOLLOW: [&str; 2] = [
    "output of a member follows from it and changes with it",
    "outputs of members follow from it and change with it",
];

/// Most places that are tried for an edited document.
const MAX_TRIES: usize = 60_000;

/// Most places that are tried for a value before all others were tried.
const MAX_AT_FIRST: usize = 64;

/// Puts all edited documents into their source.
///
/// # Errors
/// A document does not match the source, or no place shows an edit.
pub(super) fn encode(unit: &Unit<'_, '_>) -> Result<Content, Refusals> {
    let mut bytes = unit.original.to_vec();
    let mut roundings = Vec::new();
    let mut refusals = Refusals::new();
    for edit in unit.edits {
        match put(unit, edit, &mut bytes, &mut { MAX_TRIES }) {
            Ok(rounding) => roundings.push(rounding),
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    if let ([_, _, ..], true) = (unit.edits, refusals.is_empty()) {
        refusals = settle_all(unit, unit.edits, &bytes, &mut roundings);
    }
    // The kind of a file may be detected by an edited value.
    let is_detected = |bytes: &[u8]| sniff(bytes, unit.name) == unit.kind;
    if refusals.is_empty() && is_detected(unit.original) && !is_detected(&bytes) {
        return Err(unit.refuse(format_args!(
            "with these values, its file would no longer be detected as {}",
            unit.kind.label()
        )));
    }
    match refusals.is_empty() {
        true => Ok(Content { bytes, roundings }),
        false => Err(refusals),
    }
}

/// The document as it was before it was edited; `None` if its source alone does not give it.
pub(super) fn original(unit: &Unit<'_, '_>, edit: &Edited<'_>, edited: &Value) -> Option<Value> {
    let view = View::new(unit, edit, edited).ok()?;
    let shown = view.show(unit.original).ok()?;
    // Raw documents may have more than a source shows alone.
    let is_whole = view.is_proven() || leaf::same_shape(&shown, edited);
    is_whole.then_some(shown)
}

/// Reports for each document the changes by other edits, once all are in the file, whose bytes these are. Refuses
/// contradictions.
pub(super) fn settle_all(
    unit: &Unit<'_, '_>,
    edits: &[&Edited<'_>],
    bytes: &[u8],
    roundings: &mut [Option<String>],
) -> Refusals {
    let mut refusals = Refusals::new();
    for (edit, rounding) in edits.iter().zip(roundings) {
        match settle(unit, edit, bytes) {
            Ok(report) => {
                let both = [rounding.take(), report].into_iter().flatten();
                let both: Vec<String> = both.collect();
                *rounding = (!both.is_empty()).then(|| both.join("; "));
            }
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    refusals
}

/// Puts one edited document into the source; at most `left` documents are converted to find places.
fn put(
    unit: &Unit<'_, '_>,
    edit: &Edited<'_>,
    bytes: &mut Vec<u8>,
    left: &mut usize,
) -> Result<Option<String>, Refusal> {
    let path = &edit.output.path;
    if SCENE_FILES.iter().any(|ending| path.ends_with(ending)) {
        refuse!(
            "it only shows documents; edit the .json documents in its folder whose names begin with its name"
        );
    }
    let mut edited: Value = parse(&edit.bytes)?;
    let view = View::new(unit, edit, &edited)?;
    let before = bytes.clone();
    let (mut now, mut map) = view.located(bytes)?;
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
        map = view.located(bytes)?.1;
    }
    let mut wanted = edits(&now, &edited)?;
    // Unambiguous places first: others may follow from them.
    let turns = [MAX_AT_FIRST, MOST_PLACES].into_iter();
    for most in turns.skip(usize::from(wanted.len() < 2)) {
        for wanted in &mut wanted {
            if let Some(now) = now.pointer(&wanted.pointer) {
                if same(now, &wanted.new) {
                    continue;
                }
                wanted.old = now.clone();
            }
            let trials = Trials {
                view: &view,
                bytes,
                now: &now,
                map: &map,
                wanted,
                edited: &edited,
                left: &mut *left,
            };
            match find(trials, most) {
                Ok(found) => {
                    let is_moved = found.bytes.len() != bytes.len();
                    (*bytes, now) = (found.bytes, found.shown);
                    if is_moved {
                        map = view.located(bytes)?.1;
                    }
                }
                Err(_) if most == MAX_AT_FIRST => {}
                Err(refusal) => return Err(refusal),
            }
        }
    }
    let followers = leaf::differences(&edited, &now) + placed;
    // An edited value that a later edit changed again contradicts that.
    if let Some(lost) = wanted.iter().find(|wanted| {
        let shown = now.pointer(&wanted.pointer);
        !shown.is_some_and(|shown| same(shown, &wanted.new))
    }) {
        return Err(Refusal::new(format_args!(
            "{} is derived from other values that were edited",
            leaf::path(&lost.pointer)
        )));
    }
    let members = view.members_that_follow(&before, bytes)?;
    let mut report = RoundingReport::default();
    report.count(followers, VALUES_FOLLOW);
    report.count(members, MEMBERS_FOLLOW);
    let mut pointers = wanted.iter().map(|wanted| &*wanted.pointer);
    if pointers.any(|pointer| view.shows_what_pictures_are(pointer)) {
        report.say("outputs of members that its materials use change with it");
    }
    Ok(report.text())
}

/// Edits in a document.
fn edits(now: &Value, edited: &Value) -> Result<Vec<Wanted>, Refusal> {
    leaf::check_shape(now, edited, &mut String::new())?;
    let (mut differing, mut all) = (Vec::new(), 0_usize);
    leaf::visit(now, &mut |path, old| {
        // Programs may write keys in another order.
        if let Some(new) = leaf::at(edited, path).filter(|new| !same(old, new)) {
            differing.push((leaf::pointer(path), old, new, all));
        }
        all = all.saturating_add(1);
    });
    let wanted = differing.into_iter().map(|(pointer, old, new, at)| Wanted {
        pointer,
        old: old.clone(),
        new: new.clone(),
        index: (at, all),
    });
    Ok(wanted.collect())
}

/// Puts one value into the source, and returns it with its document; at most so many places are tried.
fn find(mut trials: Trials<'_>, most: usize) -> Result<Found, Refusal> {
    let (bytes, now, wanted) = (trials.bytes, trials.now, trials.wanted);
    let whole = trials.view.range(bytes);
    let own = sections::range(now, &wanted.pointer);
    let own = own.filter(|own| whole.start <= own.start && own.end <= whole.end);
    let search = match &own {
        Some(own) => Search::binary(bytes, own.clone()),
        None => Search::new(bytes, whole.clone()),
    };
    let range = own.unwrap_or(whole);
    let (index, all) = wanted.index;
    let share = range.len().saturating_mul(index) / all.max(1);
    let fields = Fields {
        bytes,
        map: trials.map,
        range: &range,
        near: range.start.saturating_add(share),
    };
    let is_first = most == MAX_AT_FIRST;
    let most_others = if is_first { 0 } else { usize::MAX };
    // A decoder may read a field again; places that were tried as fields are not searched.
    let mut known = HashSet::new();
    let mut tried = |changes: Vec<Change>, most_others| {
        let new = changes.into_iter();
        let new = new.filter(|change| known.insert(change.clone()));
        let new: Vec<Change> = new.take(most).collect();
        trials.of(&new, most_others)
    };
    let mut found = None;
    if !search.is_text {
        found = tried(fields.changes(now, wanted), most_others);
    }
    if found.is_none() {
        // Bytes that no decoder reads.
        let mut searched = search.changes(&wanted.old, &wanted.new);
        searched.sort_by_key(|change| change.range.start.abs_diff(fields.near));
        found = tried(searched, most_others);
    }
    if found.is_none() && !is_first {
        // A value without a place may be a flag or the code of a name: it counts only if nothing else changes.
        let places = fields.numbers(now, wanted).into_iter().chain(range.clone());
        found = tried(search.codes(places, &wanted.old, &wanted.new), 0);
    }
    found.ok_or_else(|| {
        Refusal::new(format_args!(
            "{}: it is derived from other values, or its format cannot hold the change (from {} to {})",
            leaf::path(&wanted.pointer),
            Shown(&wanted.old),
            Shown(&wanted.new)
        ))
    })
}
