//! Saves whose document gained or lost sections, items of counted lists, or bytes of an undecoded section.
//!
//! The save is rebuilt with the counts of the edited document: a new section is a copy of one with the same owner, a
//! new item a copy of one of its list. Their values are packed afterwards like any others.

use std::collections::HashSet;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::pack::edited::Refusal;
use relicast_codec::{Blob, PaddedText};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive::{self, Archive, Entry};
use relicast_formats::zipper::save::{self, SaveMember, SavedBy};

use super::leaf::{differences, same_shape};

/// Keys of a section that follow from its contents.
const PLACES: [&str; 2] = ["offset", "length"];

/// Counts in sections, which follow from their lists.
const COUNTS: [&str; 4] = ["count", "sequence_count", "light_count", "sound_count"];

/// The save with the number of sections and items of the edited document; `None` if none of the numbers changed.
///
/// # Errors
/// A section or item has no model, or its format cannot hold it.
pub(super) fn fitted(
    kind: Kind,
    bytes: &[u8],
    now: &Value,
    edited: &Value,
) -> Result<Option<Vec<u8>>, Refusal> {
    if kind != Kind::Archive {
        return Ok(None);
    }
    let (Some(old), Some(new)) = (sections(now), sections(edited)) else {
        return Ok(None);
    };
    let Ok(decoded) = archive::decode(bytes) else {
        return Ok(None);
    };
    let mut save = decoded.value;
    let Some(game) = SavedBy::new(&save) else {
        return Ok(None);
    };
    if old.len() != save.entries.len() {
        return Ok(None);
    }
    let models = models(old, new)?;
    let mut entries = Vec::with_capacity(new.len());
    let mut is_changed = models.iter().ne((0..old.len()).collect::<Vec<_>>().iter());
    for (index, (&model, section)) in models.iter().zip(new).enumerate() {
        let missing = || {
            refuse(
                index,
                "it is modeled on a section that the save does not have",
            )
        };
        let mut entry = save.entries.get(model).cloned().ok_or_else(missing)?;
        let was = old.get(model).ok_or_else(missing)?;
        // Where no section was added or removed, a name is a value like any other, and its padding stays.
        let name = text(section, "name").filter(|_| old.len() != new.len());
        if let Some(name) = name.filter(|name| *name != entry.name()) {
            let stored = PaddedText::new(name).filter(|_| name.is_ascii() && !name.is_empty());
            entry.row.name = stored
                .ok_or_else(|| refuse(index, "its name must have 1 to 63 ASCII characters"))?;
            is_changed = true;
        }
        if let Some(data) =
            content(game, &entry, was, section).map_err(|error| at(index, &error))?
        {
            entry.data = Blob::from(data);
            is_changed = true;
        }
        entries.push(entry);
    }
    if !is_changed {
        return Ok(None);
    }
    encode(&mut save, entries, game)
}

fn encode<'a>(
    save: &mut Archive<'a>,
    entries: Vec<Entry<'a>>,
    game: SavedBy,
) -> Result<Option<Vec<u8>>, Refusal> {
    if save.scattered.is_some() {
        return Err(Refusal::new(
            "$.sections: the sections of this save are not contiguous; values can be changed, nothing can be added or removed",
        ));
    }
    let had_checksum = save.checksum != 0 && save.checksum == save.computed_checksum();
    save.entries = entries;
    if SavedBy::new(save) != Some(game) {
        return Err(Refusal::new(
            "$.sections: the section that identifies the game is missing",
        ));
    }
    if had_checksum {
        save.checksum = save.computed_checksum();
    }
    archive::encode(save).map(Some).map_err(Refusal::new)
}

/// Byte range of the section that a value of a save is in; `None` for other values and documents.
pub(super) fn range(now: &Value, pointer: &str) -> Option<Range<usize>> {
    let mut parts = pointer.strip_prefix("/sections/")?.split('/');
    let index: usize = parts.next()?.parse().ok()?;
    parts.next().filter(|key| *key == "value")?;
    let section = sections(now)?.get(index)?;
    let number = |key: &str| usize::try_from(section.get(key)?.as_u64()?).ok();
    let (start, length) = (number("offset")?, number("length")?);
    Some(start..start.checked_add(length)?)
}

/// The edited document with derived facts of its sections taken from the rebuilt save `now`. Edited facts that match
/// neither the old save nor the new one stay.
pub(super) fn with_followers(mut edited: Value, before: &Value, now: &Value) -> Value {
    let (Some(old), Some(made)) = (sections(before), sections(now)) else {
        return edited;
    };
    let Some(new) = edited.get_mut("sections").and_then(Value::as_array_mut) else {
        return edited;
    };
    for (section, made) in new.iter_mut().zip(made) {
        let name = text(made, "name").map(str::to_owned);
        let named = |old: &&Value| text(old, "name") == name.as_deref();
        let was: Vec<&Value> = old.iter().filter(named).collect();
        for key in PLACES {
            let Some(fields) = section.as_object_mut() else {
                continue;
            };
            let Some(value) = made.get(key) else { continue };
            let shown = fields.get(key);
            let is_old = shown.is_none_or(|shown| {
                old.iter().any(|old| old.get(key) == Some(shown)) || shown == value
            });
            if is_old {
                fields.insert(key.to_owned(), value.clone());
            }
        }
        if let (Some((_, made)), Some(fields)) = (member(made), member_mut(section)) {
            follow(fields, made, &was);
        }
    }
    edited
}

/// Updates counts of lists.
fn follow(fields: &mut Value, made: &Value, was: &[&Value]) {
    let Some(made) = made.get("head") else { return };
    let Some(head) = fields.get_mut("head").and_then(Value::as_object_mut) else {
        return;
    };
    for key in COUNTS {
        let (Some(value), Some(shown)) = (made.get(key), head.get(key)) else {
            continue;
        };
        let old = |old: &&Value| {
            let head = member(old).and_then(|(_, fields)| fields.get("head"));
            head.and_then(|head| head.get(key)) == Some(shown)
        };
        if was.is_empty() || was.iter().any(old) {
            head.insert(key.to_owned(), value.clone());
        }
    }
}

fn sections(document: &Value) -> Option<&Vec<Value>> {
    document.get("saved_by")?;
    document.get("sections")?.as_array()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The variant of a section's contents, and its fields.
fn member(section: &Value) -> Option<(&String, &Value)> {
    section.get("value")?.as_object()?.iter().next()
}

fn member_mut(section: &mut Value) -> Option<&mut Value> {
    section
        .get_mut("value")?
        .as_object_mut()?
        .values_mut()
        .next()
}

fn refuse(index: usize, reason: &str) -> Refusal {
    Refusal::new(format_args!("$.sections[{index}]: {reason}"))
}

fn at(index: usize, refusal: &Refusal) -> Refusal {
    Refusal::new(format_args!("$.sections[{index}]{refusal}"))
}

/// A section without derived facts.
fn essence(section: &Value) -> Option<Map<String, Value>> {
    let mut fields = section.as_object()?.clone();
    for key in PLACES {
        fields.shift_remove(key);
    }
    Some(fields)
}

/// For each edited section its original, or the one that it copies.
fn models(old: &[Value], new: &[Value]) -> Result<Vec<usize>, Refusal> {
    let names = |sections: &[Value]| -> Vec<Option<String>> {
        let names = sections.iter().map(|section| text(section, "name"));
        names.map(|name| name.map(str::to_owned)).collect()
    };
    if names(old) == names(new) {
        return Ok((0..old.len()).collect());
    }
    let essences: Vec<_> = old.iter().map(essence).collect();
    let mut models: Vec<Option<usize>> = vec![None; new.len()];
    let mut taken = HashSet::new();
    // Unedited sections are matched first, then sections with the same name.
    for (section, model) in new.iter().zip(&mut models) {
        let own = essence(section);
        let mut places = (0..old.len()).filter(|place| !taken.contains(place));
        *model = places.find(|&place| own.is_some() && essences.get(place) == Some(&own));
        taken.extend(*model);
    }
    for (section, model) in new.iter().zip(&mut models) {
        if model.is_some() {
            continue;
        }
        let mut places = (0..old.len()).filter(|place| !taken.contains(place));
        let name = text(section, "name");
        *model = places.find(|&place| {
            let own = old.get(place);
            own.is_some_and(|own| text(own, "name") == name && is_equal(own, section))
        });
        taken.extend(*model);
    }
    let is_renamed = old.len() == new.len();
    let found = models.iter().zip(new).enumerate();
    let found = found.map(|(index, (model, section))| {
        let here = || {
            let own = old
                .get(index)
                .filter(|own| is_renamed && is_equal(own, section))?;
            (!taken.contains(&index) && text(own, "name").is_some()).then_some(index)
        };
        let copy = || {
            let own = essence(section);
            let nameless = |fields: &Option<Map<String, Value>>| {
                let mut fields = fields.clone()?;
                fields.shift_remove("name");
                Some(fields)
            };
            let own = nameless(&own);
            let same = essences.iter().position(|old| nameless(old) == own);
            let is_model = |old: &Value| owner(old) == owner(section) && is_equal(old, section);
            same.or_else(|| old.iter().position(is_model))
        };
        model.or_else(here).or_else(copy).ok_or_else(|| {
            refuse(
                index,
                "the save has no section of its owner and kind to copy",
            )
        })
    });
    found.collect()
}

/// True if sections hold the same kind of thing.
fn is_equal(one: &Value, other: &Value) -> bool {
    member(one).map(|(kind, _)| kind) == member(other).map(|(kind, _)| kind)
}

/// Owner of a section, from its name; `None` where names have no owner.
fn owner(section: &Value) -> Option<&str> {
    let (owner, _) = text(section, "name")?.split_once('/')?;
    Some(owner)
}

/// The bytes of a section with the number of items of the edited one; `None` if unchanged.
fn content(
    game: SavedBy,
    entry: &Entry<'_>,
    was: &Value,
    edited: &Value,
) -> Result<Option<Vec<u8>>, Refusal> {
    let (Some((_, was)), Some((kind, fields))) = (member(was), member(edited)) else {
        return Ok(None);
    };
    if was == fields {
        return Ok(None);
    }
    if let (Some(was), Some(stored)) = (was.as_str(), fields.as_str()) {
        let bytes = STANDARD.decode(stored).map_err(|error| {
            Refusal::new(format_args!(".value.{kind}: invalid base64: {error}"))
        })?;
        return Ok((was != stored).then_some(bytes));
    }
    let decoded = save::decode_of(game, &entry.name(), &entry.data).map_err(in_section)?;
    let mut value = decoded.value;
    let is_changed = match &mut value {
        SaveMember::Activation(own) => resize(&mut own.node_states, fields, "node_states"),
        SaveMember::Animation(own) => resize(&mut own.nodes, fields, "nodes"),
        SaveMember::Running(own) => {
            let sequences = resize(&mut own.sequences, fields, "sequences");
            let lights = resize(&mut own.lights, fields, "lights");
            let sounds = resize(&mut own.sounds, fields, "sounds");
            sequences | lights | sounds
        }
        _ => false,
    };
    match is_changed {
        true => save::encode(&value).map(Some).map_err(in_section),
        false => Ok(None),
    }
}

fn in_section(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(format_args!(": {error}"))
}

/// Gives a list the number of items of the edited one, and returns true if it changed. Each item is its original, or a
/// copy of one that is there.
fn resize<T: Clone + Default + Serialize>(list: &mut Vec<T>, fields: &Value, key: &str) -> bool {
    let Some(edited) = fields.get(key).and_then(Value::as_array) else {
        return false;
    };
    if edited.len() == list.len() {
        return false;
    }
    let shown: Vec<Option<Value>> = list
        .iter()
        .map(|item| serde_json::to_value(item).ok())
        .collect();
    let item = |(index, edited): (usize, &Value)| {
        let is_same = |shown: &Value, edited: &Value| {
            same_shape(shown, edited) && differences(shown, edited) == 0
        };
        let same = shown
            .iter()
            .position(|shown| shown.as_ref().is_some_and(|shown| is_same(shown, edited)));
        let place = same.unwrap_or(index);
        list.get(place).or(list.last()).cloned().unwrap_or_default()
    };
    let new: Vec<T> = edited.iter().enumerate().map(item).collect();
    *list = new;
    true
}
