//! Names in definitions: after a key such as `NAME`, as text or as a key of the message library.

use serde_json::Value;

use super::messages::Library;
use super::name::{Name, is_name};
use crate::gallery::entry::Entry;
use crate::pipeline::report::converted::Converted;
use relicast_formats::asset::AssetKind;

/// Maximum size of a reader.
const MAX_BYTES: u64 = 4 << 20;

/// Depth in a reader at which it describes itself.
const DEPTH: usize = 4;

/// Keys before a name, in lower case.
const KEYS: &[&str] = &[
    "name",
    "title",
    "display_name",
    "chassis_name",
    "mission_name",
    "longname",
];

/// Subject of a definition: its name without the suffix of definitions.
pub(super) fn subject(stem: &str) -> String {
    let stem = stem.to_lowercase();
    stem.strip_suffix("_def").unwrap_or(&stem).to_owned()
}

/// Names in a reader for its subject.
pub(super) fn names(converted: &Converted, entry: &Entry<'_>, library: &Library) -> Vec<Name> {
    let (AssetKind::Readers, Some(main)) = (entry.kind, entry.main()) else {
        return Vec::new();
    };
    let bytes = converted.read(&main.path, MAX_BYTES);
    let value = bytes.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let Some(text) = value.as_ref().and_then(|value| name(value, 0)) else {
        return Vec::new();
    };
    let known = library.of_key(text);
    if !known.is_empty() {
        return known;
    }
    let is_own = subject(text) == subject(entry.stem());
    match is_name(text) && !text.starts_with("MSG_") && !is_own {
        true => vec![Name {
            text: text.to_owned(),
            language: None,
            from: Some(main.path.clone()),
        }],
        false => Vec::new(),
    }
}

/// Text after the first key that precedes a name.
fn name(value: &Value, depth: usize) -> Option<&str> {
    let list = value.as_array().filter(|_| depth < DEPTH)?;
    let mut pairs = list.iter().zip(list.iter().skip(1));
    let named = pairs.find_map(|(key, value)| {
        let key = key.as_str()?.to_lowercase();
        let value = match value {
            Value::Array(list) => list.first()?,
            value => value,
        };
        value.as_str().filter(|_| KEYS.contains(&&*key))
    });
    // Parts of an object have names, too, which are not its own.
    named.or_else(|| match &**list {
        [only] => name(only, depth + 1),
        [Value::String(_), only @ Value::Array(_)] => name(only, depth + 1),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_names_itself_and_not_its_parts() {
        let value = json!([["CHASSIS", ["mass", 3, "name", ["MSG_MECH_MAD_CAT"]]]]);
        assert_eq!(name(&value, 0), Some("MSG_MECH_MAD_CAT"));
        let value = json!([["MOUNT", 1, ["name", "slot"], 2]]);
        assert_eq!(name(&value, 0), None);
        assert_eq!(subject("MadCat_def"), "madcat");
    }
}
