//! Weather of missions: the record as it is stored, and its zones of fog with colours from 0 to 1.

use serde_json::{Map, Value as Json};

use crate::convert::zipper::settings;
use crate::formats::zipper::zrd::Value;
use crate::scene::model::number;

use super::key_table::{KeyTable, RECOIL_WEATHER, WEATHER};

/// The weather of a mission of Crimson Skies: `record` as stored, and `zones`.
pub(super) fn crimson(values: &[Value<'_>]) -> (Json, &'static KeyTable) {
    let record = WEATHER.document(values);
    let mut weather = Map::new();
    if let Some(record) = record.as_object() {
        let zones: Vec<Json> = record
            .iter()
            .filter(|(name, _)| is_zone(name))
            .filter_map(|(name, zone)| Some(self::zone(name, zone.as_object()?)))
            .collect();
        weather.insert("zones".to_owned(), Json::from(zones));
    }
    weather.insert("record".to_owned(), record);
    (Json::Object(weather), &WEATHER)
}

fn is_zone(name: &str) -> bool {
    let name = name.to_uppercase();
    name.starts_with("ZONE") || name.starts_with("SW_ZONE")
}

/// A zone; the angles of sunlight and all ranges are as stored, their units are not known.
fn zone(name: &str, zone: &Map<String, Json>) -> Json {
    let found = |key: &str| {
        let mut entries = zone.iter();
        let found = entries.find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.clone())
    };
    let mut facts = Map::new();
    facts.insert("name".to_owned(), Json::from(name));
    facts.insert(
        "software".to_owned(),
        Json::from(name.to_uppercase().starts_with("SW_")),
    );
    let colour = found("FOG_COLOR").and_then(|colour| unit_colour(&colour));
    facts.extend(colour.map(|colour| ("fogColor".to_owned(), colour)));
    for (key, name) in [
        ("FOG_RANGES", "fogRanges"),
        ("CLIP_RANGES", "clipRanges"),
        ("FOG_ALTITUDE", "fogAltitude"),
    ] {
        facts.extend(found(key).map(|value| (name.to_owned(), value)));
    }
    let sunlight = zone.iter().filter_map(|(name, value)| {
        let (start, rest) = name.split_at_checked("SUNLIGHT_".len())?;
        let is_sunlight = start.eq_ignore_ascii_case("SUNLIGHT_");
        is_sunlight.then(|| (rest.to_lowercase(), value.clone()))
    });
    let sunlight: Map<String, Json> = sunlight.collect();
    if !sunlight.is_empty() {
        facts.insert("sunlight".to_owned(), Json::Object(sunlight));
    }
    Json::Object(facts)
}

/// A colour of three parts from 0 to 255 as parts from 0 to 1.
fn unit_colour(colour: &Json) -> Option<Json> {
    let parts = colour.as_array()?.iter().map(Json::as_f64);
    let parts: Vec<f64> = parts.collect::<Option<_>>()?;
    let [red, green, blue] = *parts.as_slice() else {
        return None;
    };
    let unit = |part: f64| number((part / 255.0) as f32);
    Some(Json::from_iter([red, green, blue].map(unit)))
}

/// The weather of a mission of Recoil. A document for all missions has a section for each number; of one
/// with sections only that of the mission counts.
pub(super) fn recoil(values: &[Value<'_>], label: &str) -> Option<(Json, &'static KeyTable)> {
    let number: String = label.chars().filter(char::is_ascii_digit).collect();
    let own = RECOIL_WEATHER.after(values, &format!("MISSION{number}"));
    let record = RECOIL_WEATHER.document(values);
    let has_sections = record.as_object().is_some_and(|record| {
        let mut names = record.keys();
        names.any(|name| name.to_uppercase().starts_with("MISSION"))
    });
    match (own, has_sections) {
        (Some(own), _) => Some((RECOIL_WEATHER.document(own), &RECOIL_WEATHER)),
        (None, true) => None,
        (None, false) => {
            let is_empty = settings::unwrapped(values).is_empty();
            (!is_empty).then_some((record, &RECOIL_WEATHER))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::zipper::zrd::text::spelt;
    use serde_json::json;

    #[test]
    fn zones_have_colours_from_0_to_1_and_all_else_as_stored() {
        let read = spelt(
            "((WIND (STATIC_VELOCITY (0 2 0)) ZONE1 (FOG_COLOR (0 51 255) FOG_RANGES (100 2000.) \
              SUNLIGHT_ORIENTATION (-25 0 0)) SW_ZONE1 (CLIP_RANGES (1 2)) TYPE SNOW))",
        );
        let (weather, _) = crimson(&read);
        assert_eq!(
            weather["zones"],
            json!([
                {"name": "ZONE1", "software": false, "fogColor": [0.0, 0.2, 1.0],
                 "fogRanges": [100, 2000.0], "sunlight": {"orientation": [-25, 0, 0]}},
                {"name": "SW_ZONE1", "software": true, "clipRanges": [1, 2]},
            ])
        );
        assert_eq!(weather["record"]["TYPE"], "SNOW");
        assert_eq!(
            weather["record"]["WIND"]["STATIC_VELOCITY"],
            json!([0, 2, 0])
        );
    }

    #[test]
    fn missions_of_recoil_have_their_own_section() {
        let read = spelt("(MISSION1 (TYPE SNOW) MISSION3 (TYPE RAIN PARTICLES 40))");
        let (weather, _) = recoil(&read, "m3").unwrap();
        assert_eq!(weather, json!({"TYPE": "RAIN", "PARTICLES": 40}));
        assert!(recoil(&read, "m2").is_none());
    }
}
