//! Rows of archives with facts about their members, such as texture repetition and sound playback.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::known::{Facts, LARGEST_DOCUMENT};
use crate::gallery::entry::Entry;
use crate::gallery::kinds::Mark;
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::InputNumber;
use relicast_formats::asset::AssetKind;

type Place<'c> = (InputNumber, &'c str);

/// Rows of all archives.
#[derive(Debug, Default)]
pub(in crate::gallery) struct Tables {
    rows: HashMap<(InputNumber, String), HashMap<String, Value>>,
}

impl Tables {
    /// Reads the tables among `entries`.
    pub fn read(converted: &Converted, entries: &[Entry<'_>]) -> Self {
        use rayon::prelude::*;
        let tables = entries.par_iter().filter(|entry| {
            entry.kind == AssetKind::Archives && entry.member.is_none() && entry.main().is_some()
        });
        let rows = tables.filter_map(|entry| {
            let bytes = converted.read(&entry.main()?.path, LARGEST_DOCUMENT)?;
            let table: Value = serde_json::from_slice(&bytes).ok()?;
            let (input, source): Place<'_> = (entry.input, entry.source);
            let rows = rows(&table);
            (!rows.is_empty()).then(|| ((input, source.to_owned()), rows))
        });
        Self {
            rows: rows.collect(),
        }
    }

    /// Row of a member in its archive.
    pub fn row(&self, entry: &Entry<'_>) -> Option<&Value> {
        let rows = self.rows.get(&(entry.input, entry.source.to_owned()))?;
        rows.get(entry.member?)
    }
}

/// Rows by the stored name of the member, without empty ones.
fn rows(table: &Value) -> HashMap<String, Value> {
    let list = |key: &str| table[key].as_array().into_iter().flatten();
    let pictures = list("texture_infos").filter_map(|row| {
        let mut kept = Map::new();
        for key in ["alpha", "edge_mode", "palette", "stretch"] {
            kept.insert(key.to_owned(), row.get(key)?.clone());
        }
        Some((row["name"].as_str()?.to_owned(), Value::Object(kept)))
    });
    let sounds = list("entries").filter_map(|row| {
        let sound = row.get("sound")?.clone();
        let mut kept = Map::new();
        kept.insert("sound".to_owned(), sound);
        Some((row["name"].as_str()?.to_owned(), Value::Object(kept)))
    });
    pictures.chain(sounds).collect()
}

/// Adds a row to the facts of its member.
pub(super) fn apply(row: &Value, facts: &mut Facts) {
    match row.get("sound") {
        Some(sound) => {
            let looped = sound["isLooped"] == Value::Bool(true);
            facts.mark(Mark::Loops, looped);
            facts.put("looped", looped);
            facts
                .terms
                .extend(sound["name"].as_str().map(str::to_owned));
            // Spoken text is a search term.
            let said = sound["subtitleText"].as_str();
            facts.terms.extend(said.map(str::to_owned));
            facts.put("sound", sound.clone());
        }
        None => facts.put("stored", row.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_of_sounds_and_pictures() {
        let table = json!({"entries": [
            {"name": "a.wav", "sound": {"name": "engine", "isLooped": true, "subtitleText": "Hold on"}},
            {"name": "b.wav"},
        ]});
        let found = rows(&table);
        assert_eq!(found.len(), 1);
        let mut facts = Facts::default();
        apply(&found["a.wav"], &mut facts);
        assert_eq!(facts.marks, Mark::Loops.bit());
        assert!(facts.terms.contains("engine") && facts.terms.contains("Hold on"));
    }
}
