//! Names in the resource table of EverQuest clients with EQG files (`OnDemandResources.txt`): the archive of
//! each model, and the tag that the client uses for it.

use std::collections::HashMap;

use serde::Deserialize;

use super::name::{Name, is_name};
use crate::gallery::entry::Entry;
use crate::pipeline::report::converted::Converted;

/// File name of the table, in lower case.
const TABLE: &str = "ondemandresources.txt";

/// Suffix of the tags of models.
const ACTOR: &str = "_actordef";

/// Maximum size of a table.
const MAX_BYTES: u64 = 64 << 20;

/// A converted table.
#[derive(Debug, Deserialize)]
struct Document {
    rows: Vec<Vec<serde_json::Value>>,
}

/// Tags of models by archive and model, both in lower case.
#[derive(Debug, Default)]
pub(super) struct Resources {
    tags: HashMap<(String, String), Name>,
}

/// Returns the last part of a path, in lower case.
fn file_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.to_lowercase()
}

/// Returns a file name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Resources {
    /// Adds the table of an entry; other entries have none.
    pub fn add(&mut self, converted: &Converted, entry: &Entry<'_>) {
        if file_name(entry.source) != TABLE {
            return;
        }
        let main = entry.main();
        let bytes = main.and_then(|main| converted.read(&main.path, MAX_BYTES));
        let document = bytes.and_then(|bytes| serde_json::from_slice::<Document>(&bytes).ok());
        if let (Some(document), Some(main)) = (document, main) {
            self.add_rows(&document, &main.path);
        }
    }

    fn add_rows(&mut self, document: &Document, path: &str) {
        for row in &document.rows {
            let texts = [0, 1, 2].map(|column| row.get(column).and_then(|cell| cell.as_str()));
            let [Some(archive), Some(file), Some(tag)] = texts else {
                continue;
            };
            let file = file_name(file);
            let split = tag.len().checked_sub(ACTOR.len());
            let split = split.and_then(|at| tag.split_at_checked(at));
            let tag = match split {
                Some((start, end)) if end.eq_ignore_ascii_case(ACTOR) => start,
                _ => tag,
            };
            if !is_name(tag) {
                continue;
            }
            let name = Name {
                text: tag.to_owned(),
                language: None,
                from: Some(path.to_owned()),
            };
            let key = (file_name(archive), stem(&file).to_owned());
            self.tags.entry(key).or_insert(name);
        }
    }

    /// Returns the tag of the model of an entry.
    pub fn tag(&self, entry: &Entry<'_>) -> Option<&Name> {
        let key = (file_name(entry.source), entry.stem().to_lowercase());
        self.tags.get(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tags_are_found_by_archive_and_model() {
        let rows = json!({"columns": ["archive", "file", "tag", "type"], "rows": [
            ["Mill.eqg", "BARREL.MOD", "KEG_ACTORDEF", "EQGM"],
            ["other.eqg", "barrel.mod", "CASK", "EQGM"],
            ["short row"],
        ]});
        let mut resources = Resources::default();
        let document = serde_json::from_value(rows).unwrap();
        resources.add_rows(&document, "tables/ondemandresources.json");
        let tag = |archive: &str, file: &str| {
            let found = resources.tags.get(&(archive.to_owned(), file.to_owned()));
            found.map(|name| name.text.clone())
        };
        assert_eq!(tag("mill.eqg", "barrel").as_deref(), Some("KEG"));
        assert_eq!(tag("other.eqg", "barrel").as_deref(), Some("CASK"));
        assert_eq!(tag("mill.eqg", "wheel"), None);
    }
}
