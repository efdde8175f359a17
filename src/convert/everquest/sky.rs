//! Skies: what the client does with the layers of `sky.wld`, and the settings of `sky.ini`.

use serde_json::{Map, Value};

use crate::formats::everquest::lists::{self, Section};

/// Name of the section with what zones lack.
const DEFAULT: &str = "default";

/// Start of the names of sections of zones.
const ZONE: &str = "SkySetting-";

/// What settings are where no section has them, from the fact sheet.
const DEFAULTS: [(&str, &str); 9] = [
    ("OpaqueAngle", "0.0"),
    ("TransparentAngle", "0.2"),
    ("DefaultWeather", "DefaultClear"),
    ("MinAngle", "0.0"),
    ("MaxAngle", "-0.1"),
    ("MinWidth", "0.1"),
    ("MaxWidth", "0.1"),
    ("MinCameraZ", "0.0"),
    ("MaxCameraZ", "100.0"),
];

/// A value of a setting: a number where it is one.
pub(super) fn value(text: &str) -> Value {
    lists::number(text).map_or_else(|| Value::from(text), Value::Number)
}

/// The settings of each zone, with those that it lacks from the default.
pub(super) fn zones(sections: &[Section]) -> Map<String, Value> {
    let of = |wanted: &str| {
        let mut found = sections.iter().filter(|section| {
            let start = section.name.get(..ZONE.len());
            let zone = section.name.get(ZONE.len()..);
            start.is_some_and(|start| start.eq_ignore_ascii_case(ZONE))
                && zone.is_some_and(|zone| zone.eq_ignore_ascii_case(wanted))
        });
        found.next()
    };
    let mut base: Map<String, Value> = DEFAULTS
        .iter()
        .map(|(key, text)| ((*key).to_owned(), value(text)))
        .collect();
    let lay = |onto: &mut Map<String, Value>, section: Option<&Section>| {
        for (key, text) in section.into_iter().flat_map(|section| &section.values) {
            let known = onto.keys().find(|known| known.eq_ignore_ascii_case(key));
            let key = known.unwrap_or(key).clone();
            onto.insert(key, value(text));
        }
    };
    lay(&mut base, of(DEFAULT));
    let list = sections.iter();
    let list = list.filter(|section| section.name.eq_ignore_ascii_case("SkySettings"));
    let names = list.flat_map(|section| section.values.iter().map(|(zone, _)| zone));
    let mut all = Map::new();
    for zone in names {
        crate::limits::check();
        let mut settings = base.clone();
        lay(&mut settings, of(zone));
        all.insert(zone.to_lowercase(), Value::Object(settings));
    }
    all
}
