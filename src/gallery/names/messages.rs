//! Texts of message libraries that name an asset: their keys end in its stored name.

use std::collections::HashMap;

use serde::Deserialize;

use super::name::{Name, is_name};
use crate::gallery::entry::Entry;
use crate::pipeline::report::converted::Converted;
use relicast_formats::asset::AssetKind;

/// Maximum size of a message document.
const MAX_BYTES: u64 = 64 << 20;

/// Words in keys of texts that describe something but do not name it.
const NO_NAMES: &[&str] = &[
    "OBJECTIVE",
    "DESC",
    "DESCRIPTION",
    "HELP",
    "HINT",
    "TEXT",
    "BRIEF",
    "BRIEFING",
    "ERROR",
    "TIP",
];

/// A message document.
#[derive(Debug, Deserialize)]
struct Document {
    #[serde(default)]
    language: Option<String>,
    entries: Vec<Message>,
}

#[derive(Debug, Deserialize)]
struct Message {
    key: Option<String>,
    value: Option<String>,
}

/// Texts of an install in all languages.
#[derive(Debug, Default)]
pub(super) struct Library {
    /// Texts by key.
    texts: HashMap<String, Vec<Name>>,
    /// Keys by their endings, from the start of a word.
    tails: HashMap<String, Vec<String>>,
}

impl Library {
    /// Adds a message document.
    pub fn add(&mut self, converted: &Converted, entry: &Entry<'_>) {
        let main = entry.main();
        let bytes = main.and_then(|main| converted.read(&main.path, MAX_BYTES));
        let document = bytes.and_then(|bytes| serde_json::from_slice::<Document>(&bytes).ok());
        if let (Some(document), Some(main)) = (document, main) {
            self.add_texts(document, &main.path);
        }
    }

    fn add_texts(&mut self, document: Document, path: &str) {
        for message in document.entries {
            let (Some(key), Some(value)) = (message.key, message.value) else {
                continue;
            };
            if !is_name(&value) {
                continue;
            }
            let names = self.texts.entry(key.clone()).or_default();
            if names.is_empty() {
                for (place, _) in key.match_indices('_') {
                    let tail = key.get(place + 1..).unwrap_or_default().to_uppercase();
                    self.tails.entry(tail).or_default().push(key.clone());
                }
            }
            names.push(Name {
                text: value.trim().to_owned(),
                language: document.language.clone(),
                from: Some(path.to_owned()),
            });
        }
    }

    /// Texts of a key, English first.
    pub fn of_key(&self, key: &str) -> Vec<Name> {
        let mut names = self.texts.get(key).cloned().unwrap_or_default();
        names.sort_by_key(|name| name.language.as_deref() != Some("en"));
        names
    }

    /// Texts whose key ends in the stored name of an asset and that can be names.
    pub fn names(&self, entry: &Entry<'_>) -> Vec<Name> {
        let kinds = [
            AssetKind::Models,
            AssetKind::Worlds,
            AssetKind::Maps,
            AssetKind::Video,
            AssetKind::Readers,
        ];
        match kinds.contains(&entry.kind) {
            true => self.of_stem(entry.stem()),
            false => Vec::new(),
        }
    }

    fn of_stem(&self, stem: &str) -> Vec<Name> {
        // Endings of a letter or two match too much.
        if stem.len() < 3 {
            return Vec::new();
        }
        let keys = self.tails.get(&stem.to_uppercase());
        let names = |key: &&String| {
            let mut words = key.split('_');
            !words.any(|word| NO_NAMES.contains(&&*word.to_uppercase()))
        };
        let best = keys.into_iter().flatten().filter(names);
        let best = best.min_by_key(|key| (key.len(), (*key).clone()));
        best.map(|key| self.of_key(key)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> Library {
        let mut library = Library::default();
        for (language, text) in [("de", "Streuner"), ("en", "Stray")] {
            let entries = [
                ("MSG_MECH_MAD_CAT", text),
                ("MSG_DESC_MAD_CAT", "A heavy machine"),
                ("MSG_LONG", "Losses: %1!d!"),
            ];
            let entries = entries.map(|(key, value)| Message {
                key: Some(key.to_owned()),
                value: Some(value.to_owned()),
            });
            let document = Document {
                language: Some(language.to_owned()),
                entries: entries.into(),
            };
            library.add_texts(document, "text/m.json");
        }
        library
    }

    #[test]
    fn keys_that_end_in_a_stored_name_name_it() {
        let names = library().of_stem("mad_cat");
        let texts: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        assert_eq!(texts, ["Stray", "Streuner"]);
        assert!(library().of_stem("long").is_empty(), "no name");
        assert!(library().of_stem("at").is_empty(), "no whole word");
    }
}
