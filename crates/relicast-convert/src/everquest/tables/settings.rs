//! Settings of the world: sections with their values, and for skies the settings of each zone.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::documents::DocumentForm;
use crate::everquest::sky;
use relicast_formats::everquest::lists::{self, Section};
use relicast_scene::Document;

/// Settings of the world by section, and for skies by zone.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Settings {
    sections: Vec<Group>,
    /// The settings of each zone, with defaults for missing ones.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    zones: Option<BTreeMap<String, Value>>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Group {
    name: String,
    values: BTreeMap<String, Setting>,
}

/// A value; several if a key occurs several times.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
enum Setting {
    Number(f64),
    Text(String),
    Several(Vec<Setting>),
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Settings>(
    "world-settings",
    "Settings of the world by section, and for skies by zone",
)];

/// Keys and values; a key that occurs several times has a list.
fn values(section: &Section) -> Map<String, Value> {
    let mut all = Map::new();
    for (key, text) in &section.values {
        let value = sky::value(text);
        match all.get_mut(key) {
            None => {
                all.insert(key.clone(), value);
            }
            Some(Value::Array(list)) => list.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    all
}

/// The document of a text of settings.
pub(super) fn document(name: &str, bytes: &[u8]) -> Document<'static> {
    let sections = lists::sections(bytes);
    let rows = sections.iter();
    let rows = rows.map(|section| json!({"name": section.name, "values": values(section)}));
    let mut document = json!({"sections": rows.collect::<Vec<_>>()});
    let zones = match name.eq_ignore_ascii_case("sky.ini") {
        true => sky::zones(&sections),
        false => Map::new(),
    };
    if let (false, Value::Object(document)) = (zones.is_empty(), &mut document) {
        document.insert("zones".to_owned(), Value::Object(zones));
    }
    Document::of_form::<Settings>(document)
}
