//! Kind of a JSON document, detected from its keys, its number of rows, and the assets that it names.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::known::{Facts, LARGEST_DOCUMENT};
use super::mentions::Places;
use crate::gallery::entry::Entry;
use crate::pipeline::report::converted::Converted;
use relicast_formats::asset::AssetKind;

/// Keys that identify documents; lists are only counted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Keys {
    definitions: Option<Vec<IgnoredAny>>,
    sequences: Option<Vec<IgnoredAny>>,
    entries: Option<Vec<IgnoredAny>>,
    columns: Option<IgnoredAny>,
    rows: Option<Vec<IgnoredAny>>,
    emitters: Option<Vec<IgnoredAny>>,
    features: Option<Vec<IgnoredAny>>,
    lines: Option<Vec<IgnoredAny>>,
    parts: Option<Vec<IgnoredAny>>,
    members: Option<Vec<IgnoredAny>>,
    texture_infos: Option<Vec<IgnoredAny>>,
    tracks: Option<Vec<IgnoredAny>>,
    sections: Option<Vec<IgnoredAny>>,
    spells: Option<Vec<IgnoredAny>>,
    effects: Option<Vec<IgnoredAny>>,
    chars: Option<Vec<IgnoredAny>>,
    fragments: Option<Vec<IgnoredAny>>,
    volumes: Option<Vec<IgnoredAny>>,
    animation: Option<IgnoredAny>,
    frame_count: Option<u64>,
    loop_time: Value,
    ticks_per_second: Option<IgnoredAny>,
    emit: Option<IgnoredAny>,
    language: Option<String>,
    language_id: Option<u64>,
}

/// Reads the documents of an asset.
pub(super) fn read(
    converted: &Converted,
    entry: &Entry<'_>,
    places: &Places<'_>,
    facts: &mut Facts,
) {
    for (role, output) in &entry.outputs {
        if role == "raw" || !output.path.ends_with(".json") {
            continue;
        }
        let Some(bytes) = converted.read(&output.path, LARGEST_DOCUMENT) else {
            continue;
        };
        places.collect(entry, &bytes, facts);
        if role == "main" {
            describe(&bytes, entry.kind, facts);
        }
    }
}

fn describe(bytes: &[u8], kind: AssetKind, facts: &mut Facts) {
    let keys = serde_json::from_slice::<Keys>(bytes).unwrap_or_default();
    let count = |list: &Option<Vec<IgnoredAny>>| list.as_ref().map(Vec::len);
    let of_list = || serde_json::from_slice::<Vec<IgnoredAny>>(bytes).map_or(0, |list| list.len());
    let (name, entries) = match kind {
        AssetKind::Messages => ("messages", count(&keys.entries)),
        AssetKind::Motions => ("motion", count(&keys.parts)),
        AssetKind::Maps => ("map", count(&keys.features).or_else(|| count(&keys.lines))),
        AssetKind::Discs => ("disc", count(&keys.tracks)),
        AssetKind::Saves => ("save", count(&keys.sections)),
        AssetKind::Scripts => ("script", Some(of_list())),
        _ if keys.definitions.is_some() => ("animations", count(&keys.definitions)),
        _ if keys.animation.is_some() => ("animation", count(&keys.sequences)),
        _ if keys.ticks_per_second.is_some() => ("songs", count(&keys.sequences)),
        _ if keys.emitters.is_some() => ("emitters", count(&keys.emitters)),
        _ if keys.columns.is_some() => ("table", count(&keys.rows)),
        _ if keys.spells.is_some() => ("spells", count(&keys.spells)),
        _ if keys.effects.is_some() => ("spells", count(&keys.effects)),
        _ if keys.chars.is_some() => ("font", count(&keys.chars)),
        _ if keys.volumes.is_some() => ("everquest-world", count(&keys.volumes)),
        _ if keys.emit.is_some() => ("sound-names", None),
        AssetKind::Archives | AssetKind::Cabinets => (
            "archive",
            count(&keys.entries)
                .or_else(|| count(&keys.members))
                .or_else(|| count(&keys.texture_infos))
                .or_else(|| count(&keys.fragments)),
        ),
        AssetKind::Readers => ("reader", Some(of_list())),
        _ => ("other", None),
    };
    facts.put("document", name);
    facts.put("entries", entries.unwrap_or_default());
    facts.put("language", keys.language.unwrap_or_default());
    facts.put("languageId", keys.language_id);
    facts.put("frames", keys.frame_count.unwrap_or_default());
    facts.put("seconds", keys.loop_time);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(json: &str, kind: AssetKind) -> (String, u64) {
        let mut facts = Facts::default();
        describe(json.as_bytes(), kind, &mut facts);
        let entries = facts.values.get("entries").and_then(Value::as_u64);
        let name = facts.values["document"].as_str().unwrap().to_owned();
        (name, entries.unwrap_or_default())
    }

    #[test]
    fn documents_are_detected_by_their_keys() {
        let name = |json, kind| name(json, kind);
        let of = |name: &str, entries| (name.to_owned(), entries);
        assert_eq!(
            name(r#"{"definitions": [1, 2]}"#, AssetKind::Animations),
            of("animations", 2)
        );
        assert_eq!(
            name(r#"{"columns": ["a"], "rows": [[1]]}"#, AssetKind::Other),
            of("table", 1)
        );
        assert_eq!(name("[1, [2], 3]", AssetKind::Readers), of("reader", 3));
        assert_eq!(name("\"text\"", AssetKind::Readers), of("reader", 0));
    }
}
