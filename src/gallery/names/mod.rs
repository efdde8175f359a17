//! Display names: from message libraries, from readers that refer to a message, and for EverQuest from its
//! resource table and from known zones and races.
//!
//! - `name` — a name, and which texts can be one; `messages` — texts by key and key ending; `readers` — names
//!   in definitions; `resources` — tags of models by archive; `everquest` — zones and races.

mod everquest;
mod messages;
mod name;
mod readers;
mod resources;

use std::collections::HashMap;

use rayon::prelude::*;

use super::entry::Entry;
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::InputNumber;
use messages::Library;
use relicast_formats::asset::{AssetKind, Game};
use resources::Resources;

pub(super) use everquest::zone_name;
pub(super) use name::Name;

/// Scope of names: an install within an input. Its message library is in the folder above.
type Install<'c> = (InputNumber, Option<Game>);

/// Names of each asset, the best first.
pub(super) fn names(converted: &Converted, entries: &[Entry<'_>]) -> Vec<Vec<Name>> {
    let mut libraries: HashMap<Install<'_>, Library> = HashMap::new();
    let mut resources: HashMap<Install<'_>, Resources> = HashMap::new();
    for entry in entries {
        if entry.game == Some(Game::Eq) {
            let resources = resources.entry((entry.input, entry.game)).or_default();
            resources.add(converted, entry);
        }
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
    // A name in a definition also applies to the models it defines.
    let listed: Vec<Vec<Name>> = entries
        .par_iter()
        .map(|entry| readers::names(converted, entry, library_of(entry)))
        .collect();
    let mut of_models: HashMap<(Install<'_>, String), &Vec<Name>> = HashMap::new();
    for (entry, listed) in entries.iter().zip(&listed) {
        if !listed.is_empty() {
            let install = (entry.input, entry.game);
            let stem = readers::subject(entry.stem());
            of_models.entry((install, stem)).or_insert(listed);
        }
    }
    entries
        .par_iter()
        .zip(&listed)
        .map(|(entry, listed)| {
            let mut names = listed.clone();
            if matches!(entry.kind, AssetKind::Models | AssetKind::Worlds) {
                let key = ((entry.input, entry.game), entry.stem().to_lowercase());
                names.extend(of_models.get(&key).into_iter().copied().flatten().cloned());
            }
            names.extend(library_of(entry).names(entry));
            if entry.game == Some(Game::Eq) {
                let resources = resources.get(&(entry.input, entry.game));
                let tag = resources.and_then(|resources| resources.tag(entry));
                names.extend(everquest::names(entry, tag));
            }
            let mut seen = Vec::new();
            names.retain(|name| {
                let is_new = !seen.contains(&(name.text.clone(), name.language.clone()));
                seen.push((name.text.clone(), name.language.clone()));
                is_new
            });
            names
        })
        .collect()
}
