//! Weather of missions: the record as stored, and its fog zones with colors from 0 to 1.
//!
//! Facts of Crimson Skies are from the documentation of CSVM (CC BY 4.0), which read them from retail data and the
//! program: colors are stored in one of two ranges, the blocks `SW_*` are for the software renderer, and the sun is
//! that of a zone.

use glam::DVec3;
use relicast_scene::extras::{Float, camel_case, zipper};
use serde_json::{Map, Value as Json, json};

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::model::number;

use super::key_table::{KeyTable, RECOIL_WEATHER, WEATHER};

/// Sun of a zone of Crimson Skies. The game applies it to the node `sunlight` when the camera enters the zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sunlight {
    /// Pitch, yaw and roll in degrees: light travels along -Z of a node with these angles.
    pub angles: [f32; 3],
    /// Strength of the light from the sun.
    pub diffuse: f32,
    /// Strength of the ambient light.
    pub ambient: f32,
    /// True if the sun is on.
    pub is_active: bool,
}

impl Sunlight {
    /// The direction in which light travels. Computed in software, so that it is the same on every machine.
    fn direction(&self) -> DVec3 {
        let [pitch, yaw, _] = self.angles.map(|angle| f64::from(angle).to_radians());
        let (sin_pitch, cos_pitch) = (libm::sin(pitch), libm::cos(pitch));
        let (sin_yaw, cos_yaw) = (libm::sin(yaw), libm::cos(yaw));
        DVec3::new(-cos_pitch * sin_yaw, sin_pitch, -cos_pitch * cos_yaw)
    }

    /// The extras of the scene: the ambient light, while the sun is on.
    pub(super) fn facts(self) -> zipper::Scene {
        let ambient = Float(self.ambient.clamp(0.0, 1.0));
        zipper::Scene {
            ambient_light: self.is_active.then_some(ambient),
            ..zipper::Scene::default()
        }
    }

    /// The sun that a zone states; `None` if it states none.
    fn of_zone(zone: &Map<String, Json>) -> Option<Self> {
        let keys = ["ORIENTATION", "DIFFUSE", "AMBIENT", "ACTIVE"];
        let stated = |key: &str| value_of(zone, &format!("SUNLIGHT_{key}"));
        if keys.iter().all(|key| stated(key).is_none()) {
            return None;
        }
        let part = |key: &str, place: usize, default: f32| {
            let value = stated(key)?;
            let value = match value.as_array() {
                Some(parts) => parts.get(place)?.as_f64()?,
                None if place == 0 => value.as_f64()?,
                None => return Some(default),
            };
            Some(value as f32).filter(|value| value.is_finite())
        };
        let angle = |place: usize, default| part("ORIENTATION", place, default).unwrap_or(default);
        let number = |key: &str, default| part(key, 0, default).unwrap_or(default);
        Some(Self {
            angles: [angle(0, STRAIGHT_DOWN), angle(1, 0.0), angle(2, 0.0)],
            diffuse: number("DIFFUSE", 1.0),
            ambient: number("AMBIENT", 0.0),
            is_active: number("ACTIVE", 1.0) != 0.0,
        })
    }
}

/// Pitch of a sun whose orientation is not stated, in degrees.
const STRAIGHT_DOWN: f32 = -90.0;

/// Zone whose weather applies where a mission begins: at the ground, outside all fog volumes.
const FIRST_ZONE: &str = "ZONE1";

/// The weather of a mission of Crimson Skies.
pub(super) struct CrimsonWeather {
    /// `record` as stored, `zones`, and `clouds` where there is a cloud band.
    pub document: Json,
    /// Sun of the zone in which missions begin.
    pub sunlight: Option<Sunlight>,
}

/// Reads the weather of a mission of Crimson Skies.
pub(super) fn crimson(values: &[Value<'_>]) -> CrimsonWeather {
    let record = WEATHER.document(values);
    let mut weather = zipper::Weather::default();
    let mut sunlight = None;
    if let Some(record) = record.as_object() {
        let zones = record
            .iter()
            .filter(|(name, _)| is_zone(name))
            .filter_map(|(name, zone)| Some(self::zone(name, zone.as_object()?)));
        weather.zones = Some(zones.collect());
        let cover = value_of(record, "CLOUD_COVER").and_then(Json::as_object);
        weather.clouds = cover.map(clouds);
        let first = value_of(record, FIRST_ZONE).and_then(Json::as_object);
        sunlight = first.and_then(Sunlight::of_zone);
    }
    weather.record = Some(record);
    CrimsonWeather {
        document: serde_json::to_value(weather).unwrap_or_default(),
        sunlight,
    }
}

/// The value of a key, letter case ignored.
fn value_of<'m>(values: &'m Map<String, Json>, key: &str) -> Option<&'m Json> {
    let mut entries = values.iter();
    let found = entries.find(|(name, _)| name.eq_ignore_ascii_case(key));
    found.map(|(_, value)| value)
}

/// The band of clouds: its heights in meters, the height from which a camera is in zone 2, and its colors.
fn clouds(cover: &Map<String, Json>) -> zipper::WeatherClouds {
    let number = |key: &str, default: f64| {
        let value = value_of(cover, key).and_then(Json::as_f64);
        value.unwrap_or(default)
    };
    let (top, bottom) = (number("TOP", 280.0), number("BOTTOM", 240.0));
    let thickness = number("THICKNESS", 0.0);
    let color = |key: &str| {
        let stated = value_of(cover, key).and_then(unit_color);
        stated.unwrap_or_else(|| json!([1.0, 1.0, 1.0]))
    };
    zipper::WeatherClouds {
        top: Some(top),
        bottom: Some(bottom),
        thickness: Some(thickness),
        zone2_from: Some((top + bottom) / 2.0 - thickness / 2.0),
        top_color: Some(color("TOP_COLOR")),
        bottom_color: Some(color("BOTTOM_COLOR")),
    }
}

fn is_zone(name: &str) -> bool {
    let name = name.to_uppercase();
    name.starts_with("ZONE") || name.starts_with("SW_ZONE")
}

/// A zone; the angles of sunlight are degrees and all ranges meters, as stored.
fn zone(name: &str, zone: &Map<String, Json>) -> zipper::WeatherZone {
    let found = |key: &str| value_of(zone, key).cloned();
    let sunlight = zone.iter().filter_map(|(name, value)| {
        let (start, rest) = name.split_at_checked("SUNLIGHT_".len())?;
        let is_sunlight = start.eq_ignore_ascii_case("SUNLIGHT_");
        is_sunlight.then(|| (camel_case(&rest.to_lowercase()), value.clone()))
    });
    let mut sunlight: Map<String, Json> = sunlight.collect();
    if let Some(sun) = Sunlight::of_zone(zone) {
        let direction = sun.direction().as_vec3().to_array().map(number);
        sunlight.insert("direction".to_owned(), Json::from_iter(direction));
    }
    zipper::WeatherZone {
        name: Some(name.to_owned()),
        software: Some(name.to_uppercase().starts_with("SW_")),
        fog_color: found("FOG_COLOR").and_then(|color| unit_color(&color)),
        fog_ranges: found("FOG_RANGES"),
        clip_ranges: found("CLIP_RANGES"),
        fog_altitude: found("FOG_ALTITUDE"),
        sunlight: (!sunlight.is_empty()).then_some(sunlight),
    }
}

/// A color with components from 0 to 1. Colors of Crimson Skies are stored from 0 to 255 if any component is
/// greater than 1, else from 0 to 1 (counted by CSVM on all worlds: C1 has 0.69, C4 whole numbers).
pub(super) fn unit_color(color: &Json) -> Option<Json> {
    let parts = color.as_array()?.iter().map(Json::as_f64);
    let parts: Vec<f64> = parts.collect::<Option<_>>()?;
    let [red, green, blue] = *parts.as_slice() else {
        return None;
    };
    let is_unit = parts.iter().all(|part| *part <= 1.0);
    let unit = |part: f64| number(if is_unit { part } else { part / 255.0 } as f32);
    Some(Json::from_iter([red, green, blue].map(unit)))
}

/// The weather of a mission of Recoil. A document for all missions has a section for each number, of which only
/// that of the mission is used.
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
    use crate::zipper::reader_text::values;

    fn zone_of(text: &str) -> Json {
        crimson(&values(text)).document["zones"][0].clone()
    }

    #[test]
    fn colors_are_divided_only_where_a_part_is_above_1() {
        for (stored, expected) in [
            ("0.69 0.69 0.69", [0.69_f32, 0.69, 0.69]),
            ("0.80 0.84 1.0", [0.80, 0.84, 1.0]),
            ("1 1 1", [1.0, 1.0, 1.0]),
            ("51 102 255", [0.2, 0.4, 1.0]),
            ("0.5 0 1.5", [0.5 / 255.0, 0.0, 1.5 / 255.0]),
        ] {
            let zone = zone_of(&format!("(ZONE1 (FOG_COLOR ({stored})))"));
            assert_eq!(
                zone["fogColor"],
                Json::from_iter(expected.map(number)),
                "{stored}"
            );
        }
    }

    #[test]
    fn clouds_have_their_defaults_and_the_height_at_which_zone_2_begins() {
        let read = values(
            "(CLOUD_COVER (TOP 1124 BOTTOM 970 THICKNESS 30 TOP_COLOR (51 102 255)) ZONE1 (FOG_COLOR (0 0 0)))",
        );
        assert_eq!(
            crimson(&read).document["clouds"],
            json!({"top": 1124.0, "bottom": 970.0, "thickness": 30.0, "zone2From": 1032.0,
                   "topColor": [0.2, 0.4, 1.0], "bottomColor": [1.0, 1.0, 1.0]})
        );
        let read = values("(CLOUD_COVER (THICKNESS 10) ZONE1 (FOG_COLOR (0 0 0)))");
        let clouds = &crimson(&read).document["clouds"];
        assert_eq!(
            (&clouds["top"], &clouds["zone2From"]),
            (&json!(280.0), &json!(255.0))
        );
    }

    #[test]
    fn the_sun_is_that_of_the_first_zone_and_shines_straight_down_without_an_orientation() {
        let read = values(
            "(SW_ZONE1 (SUNLIGHT_DIFFUSE 9.0) ZONE2 (SUNLIGHT_DIFFUSE 8.0) \
              ZONE1 (SUNLIGHT_DIFFUSE 1.2 SUNLIGHT_AMBIENT 0.25 SUNLIGHT_ACTIVE 1))",
        );
        let sun = crimson(&read).sunlight.unwrap();
        let expected = Sunlight {
            angles: [-90.0, 0.0, 0.0],
            diffuse: 1.2,
            ambient: 0.25,
            is_active: true,
        };
        assert_eq!(sun, expected);
        assert!(sun.direction().abs_diff_eq(DVec3::NEG_Y, 1e-12));
        let off = values("(ZONE1 (SUNLIGHT_ACTIVE 0 SUNLIGHT_ORIENTATION (-25 90 0)))");
        let off = crimson(&off).sunlight.unwrap();
        assert!(!off.is_active);
        // As in C1: from the east, 25 degrees high.
        let expected = DVec3::new(-0.906_307_787, -0.422_618_262, 0.0);
        assert!(off.direction().abs_diff_eq(expected, 1e-8));
        assert!(
            crimson(&values("(ZONE1 (FOG_COLOR (0 0 0)))"))
                .sunlight
                .is_none()
        );
    }

    #[test]
    fn zones_have_colors_from_0_to_1_and_all_else_as_stored() {
        let read = values(
            "((WIND (STATIC_VELOCITY (0 2 0)) ZONE1 (FOG_COLOR (0 51 255) FOG_RANGES (100 2000.) \
              SUNLIGHT_ORIENTATION (-25 0 0)) SW_ZONE1 (CLIP_RANGES (1 2)) TYPE SNOW))",
        );
        let CrimsonWeather {
            document: weather,
            sunlight,
        } = crimson(&read);
        assert_eq!(sunlight.unwrap().angles, [-25.0, 0.0, 0.0]);
        // (-cos p · sin y, sin p, -cos p · cos y), by hand.
        assert_eq!(
            weather["zones"][0]["sunlight"]["direction"],
            json!([0.0, -0.422_618_27, -0.906_307_8])
        );
        assert_eq!(
            weather["zones"],
            json!([
                {"name": "ZONE1", "software": false, "fogColor": [0.0, 0.2, 1.0],
                 "fogRanges": [100, 2000.0], "sunlight": {"orientation": [-25, 0, 0],
                 "direction": [0.0, -0.422_618_27, -0.906_307_8]}},
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
        let read = values("(MISSION1 (TYPE SNOW) MISSION3 (TYPE RAIN PARTICLES 40))");
        let (weather, _) = recoil(&read, "m3").unwrap();
        assert_eq!(weather, json!({"TYPE": "RAIN", "PARTICLES": 40}));
        assert!(recoil(&read, "m2").is_none());
    }
}
