//! Names for people: from message libraries, from readers that name a message, and for EverQuest from what is
//! commonly known of its zones and races.
//!
//! - `messages` — texts by key, and keys by what they end in; `readers` — names in definitions;
//!   `everquest` — zones and races.

mod everquest;
mod messages;
mod readers;

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use super::converted::Converted;
use super::entry::Entry;
use crate::asset::{AssetKind, Game};
use crate::pipeline::manifest::InputNumber;
use messages::Library;

pub(super) use everquest::zone_name;

/// A name for people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Name {
    /// The name.
    pub text: String,
    /// Its language, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The document that has it; none for what is commonly known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// What belongs together: an install within an input, as its message library lies in the folder above it all.
type Install<'c> = (InputNumber, Option<Game>);

/// Longest text that is a name and not a sentence, in characters.
const LONGEST: usize = 60;

/// Whether a text can be the name of something.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.chars().count() <= LONGEST
        && !text.contains(['\n', '\r', '%'])
        && text.chars().any(char::is_alphanumeric)
}

/// The names of each asset, the best first.
pub(super) fn names(converted: &Converted, entries: &[Entry<'_>]) -> Vec<Vec<Name>> {
    let mut libraries: HashMap<Install<'_>, Library> = HashMap::new();
    for entry in entries {
        if entry.kind == AssetKind::Messages {
            let library = libraries.entry((entry.input, entry.game)).or_default();
            library.add(converted, entry);
        }
    }
    let nothing = Library::default();
    let library_of = |entry: &Entry<'_>| {
        let library = libraries.get(&(entry.input, entry.game));
        library.unwrap_or(&nothing)
    };
    // What definitions say of themselves holds for the models of their names, too.
    let told: Vec<Vec<Name>> = entries
        .par_iter()
        .map(|entry| readers::names(converted, entry, library_of(entry)))
        .collect();
    let mut of_models: HashMap<(Install<'_>, String), &Vec<Name>> = HashMap::new();
    for (entry, told) in entries.iter().zip(&told) {
        if !told.is_empty() {
            let install = (entry.input, entry.game);
            let stem = readers::subject(entry.stem());
            of_models.entry((install, stem)).or_insert(told);
        }
    }
    entries
        .par_iter()
        .zip(&told)
        .map(|(entry, told)| {
            let mut names = told.clone();
            if matches!(entry.kind, AssetKind::Models | AssetKind::Worlds) {
                let key = ((entry.input, entry.game), entry.stem().to_lowercase());
                names.extend(of_models.get(&key).into_iter().copied().flatten().cloned());
            }
            names.extend(library_of(entry).names(entry));
            if entry.game == Some(Game::Eq) {
                names.extend(everquest::names(entry));
            }
            let mut seen = Vec::new();
            names.retain(|name| {
                let is_new = !seen.contains(&(name.text.clone(), name.language.clone()));
                seen.push((name.text.clone(), name.language.clone()));
                is_new && !name.text.eq_ignore_ascii_case(entry.stem())
            });
            names
        })
        .collect()
}
