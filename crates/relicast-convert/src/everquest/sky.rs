//! Skies: the motion of the layers of `sky.wld`, and the settings of `sky.ini`.

use serde_json::{Map, Value};

use relicast_formats::everquest::lists::{self, Section};
use relicast_scene::extras::everquest;

/// Stem of the scene file that holds skies.
pub(super) const SCENE: &str = "sky";

/// Motion of each layer of a sky: seconds in which one unit of texture coordinates passes, and
/// the direction.
const LAYERS: [(u8, u8, u32, Option<&str>); 8] = [
    (1, 1, 120, None),
    (1, 3, 20, Some("east to west")),
    (2, 1, 120, None),
    (2, 3, 40, None),
    (3, 1, 40, Some("north to south")),
    (3, 3, 20, Some("south to north")),
    (4, 1, 120, None),
    (4, 3, 40, None),
];

/// Seconds of a day of the game, in which the bodies circle once.
const DAY: u32 = 72 * 60;

/// Facts about the model with this name, if it is a layer of a sky: `LAYERnm` is part m of sky n.
pub(super) fn layer(name: &str) -> Option<everquest::SkyLayer> {
    let digits = name
        .get(..5)
        .filter(|start| start.eq_ignore_ascii_case("LAYER"))?;
    let digits = name.strip_prefix(digits)?.as_bytes();
    let &[sky @ b'1'..=b'9', part @ b'1'..=b'3'] = digits else {
        return None;
    };
    let (sky, part) = (sky - b'0', part - b'0');
    let label = match part {
        1 => "upper",
        2 => "bodies",
        _ => "clouds",
    };
    let known = LAYERS.iter().find(|row| (row.0, row.1) == (sky, part));
    Some(everquest::SkyLayer {
        sky: Some(sky),
        part: Some(label.to_owned()),
        draw_order: Some(part - 1),
        seconds_per_uv: known.map(|&(_, _, seconds, _)| seconds),
        direction: known.and_then(|&(.., direction)| direction.map(str::to_owned)),
        turn_seconds: (part == 2).then_some(DAY),
    })
}

/// Facts that hold for all skies; `settings` is a text of settings.
pub(super) fn facts(settings: Option<&[u8]>) -> everquest::Sky {
    everquest::Sky {
        centered_on_camera: Some(true),
        turns_with_camera: Some(false),
        depth_write: Some(false),
        draw_order: Some(
            ["upper", "bodies", "clouds", "world"]
                .map(str::to_owned)
                .into(),
        ),
        zones: settings.map(|bytes| zones(&lists::sections(bytes))),
    }
}

/// Name of the section with defaults for zones.
const DEFAULT: &str = "default";

/// Start of the names of sections of zones.
const ZONE: &str = "SkySetting-";

/// Settings where no section has them.
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

/// Value of a setting: a number if it is one.
pub(super) fn value(text: &str) -> Value {
    lists::number(text).map_or_else(|| Value::from(text), Value::Number)
}

/// The settings of each zone, with defaults for missing ones.
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
    let overlay = |onto: &mut Map<String, Value>, section: Option<&Section>| {
        for (key, text) in section.into_iter().flat_map(|section| &section.values) {
            let known = onto.keys().find(|known| known.eq_ignore_ascii_case(key));
            let key = known.unwrap_or(key).clone();
            onto.insert(key, value(text));
        }
    };
    overlay(&mut base, of(DEFAULT));
    let list = sections.iter();
    let list = list.filter(|section| section.name.eq_ignore_ascii_case("SkySettings"));
    let names = list.flat_map(|section| section.values.iter().map(|(zone, _)| zone));
    let mut all = Map::new();
    for zone in names {
        relicast_limits::check();
        let mut settings = base.clone();
        overlay(&mut settings, of(zone));
        all.insert(zone.to_lowercase(), Value::Object(settings));
    }
    all
}
