//! Comparisons of fields of events that no single rule covers.

use serde_json::Value;

use super::table::Event;

/// The surfaces on which things land.
const SURFACES: [(&str, &str); 3] = [("default", "any"), ("water", "water"), ("lava", "lava")];

/// Effects of landing on each surface.
fn landing(expected: &Value, event: &mut Event<'_>, compare: fn(&Value, &Value)) {
    let landings = event.at("/on_landing").cloned().unwrap_or_default();
    let landings = landings.as_array().cloned().unwrap_or_default();
    for (theirs, surface) in SURFACES {
        let found = landings
            .iter()
            .find(|landing| landing["surface"] == surface);
        compare(&expected[theirs], found.unwrap_or(&Value::Null));
    }
}

pub fn bounce_sequences(expected: &Value, event: &mut Event<'_>) {
    landing(expected, event, |expected, found| {
        assert_eq!(&found["sequence"], expected);
    });
}

pub fn bounce_sounds(expected: &Value, event: &mut Event<'_>) {
    landing(expected, event, |expected, found| {
        assert_eq!(found["sound"]["name"], expected["name"]);
        let (found, expected) = (&found["full_volume_speed"], &expected["volume"]);
        assert_eq!(found.as_f64(), expected.as_f64());
    });
}

pub fn basis(expected: &Value, event: &mut Event<'_>) {
    let words = [
        ("AtNodeXYZ", "at_node_angles"),
        ("AtNodeMatrix", "at_node_matrix"),
    ];
    match expected {
        Value::String(word) if word == "Absolute" => event.assert_nothing("/basis"),
        Value::String(word) => {
            assert_eq!(word, "Relative");
            event.assert_same("/basis", &Value::from("relative"));
            event.assert_nothing("/from_node");
        }
        other => {
            let (kind, node) = other.as_object().unwrap().iter().next().unwrap();
            let word = words.iter().find(|(word, _)| word == kind).unwrap().1;
            event.assert_same("/basis", &Value::from(word));
            let found = event.at("/from_node").unwrap();
            let name = match found["index"].as_i64() {
                Some(-200) => "INPUT_NODE",
                _ => found["name"].as_str().unwrap(),
            };
            assert_eq!(node, name);
        }
    }
}

pub fn condition(expected: &Value, event: &mut Event<'_>) {
    let (kind, value) = expected.as_object().unwrap().iter().next().unwrap();
    let words = [
        ("RandomWeight", "random_weight"),
        ("PlayerRange", "player_range"),
        ("AnimationLod", "animation_lod"),
        ("NodeUndercover", "node_undercover"),
        ("HwRender", "hw_render"),
        ("PlayerFirstPerson", "player_first_person"),
    ];
    let word = words.iter().find(|(word, _)| word == kind);
    let (_, word) = word.unwrap_or_else(|| panic!("{kind} is in no table"));
    event.assert_same("/condition", &Value::from(*word));
    match kind.as_str() {
        "NodeUndercover" => {
            event.assert_same("/node/index", &value["node_index"]);
            // The reference shows the bits of a float.
            let bits = u32::try_from(value["distance"].as_u64().unwrap()).unwrap();
            let length = Value::from(f64::from(f32::from_bits(bits)));
            event.assert_same("/value", &length);
        }
        "PlayerRange" => {
            event.assert_same("/value", value);
            let distance = event.at("/distance").unwrap().as_f64().unwrap();
            let squared = value.as_f64().unwrap();
            assert!((distance * distance - squared).abs() < 1e-5 * squared);
        }
        _ => event.assert_same("/value", value),
    }
}

pub fn count(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64().unwrap() {
        -1 | 0 => {
            event.assert_same("/passes", &Value::from("endless"));
            event.assert_same("/stored", expected);
        }
        _ => event.assert_same("/passes", expected),
    }
}

/// The end of a beam that is a place.
fn end(expected: &Value, event: &mut Event<'_>, [position, input]: [&str; 2]) {
    match expected {
        Value::Null => event.assert_nothing(position),
        Value::String(word) => {
            assert_eq!(word, "Input");
            event.assert_same(input, &Value::from("position"));
        }
        place => event.assert_same(position, &place["Pos"]),
    }
}

pub fn from_place(expected: &Value, event: &mut Event<'_>) {
    end(expected, event, ["/from/position", "/from/input"]);
}

pub fn to_place(expected: &Value, event: &mut Event<'_>) {
    end(expected, event, ["/to/position", "/to/input"]);
}

/// The end of a beam that is a node: of the definition, or the one handed over.
fn beam_node(expected: &Value, event: &mut Event<'_>, [node, input]: [&str; 2]) {
    match expected.as_str() {
        None => event.assert_nothing(node),
        Some("INPUT_NODE") => {
            event.assert_nothing(node);
            event.assert_same(input, &Value::from("node"));
        }
        Some(name) => event.assert_same(&format!("{node}/name"), &Value::from(name)),
    }
}

pub fn from_beam(expected: &Value, event: &mut Event<'_>) {
    beam_node(expected, event, ["/from/node", "/from/input"]);
}

pub fn to_beam(expected: &Value, event: &mut Event<'_>) {
    beam_node(expected, event, ["/to/node", "/to/input"]);
}

/// The end of a called beam that is a node, or its position only.
fn called_node(expected: &Value, event: &mut Event<'_>, end: &str) {
    let place = |name: &str| format!("/{end}/{name}");
    let only = expected["pos"] == true;
    match expected["name"].as_str() {
        None => event.assert_nothing(&place("node")),
        Some("INPUT_NODE") => {
            event.assert_nothing(&place("node"));
            let words = if only { "node_position" } else { "node" };
            event.assert_same(&place("input"), &Value::from(words));
        }
        Some(name) => {
            event.assert_same(&place("node/name"), &Value::from(name));
            let flag = if only { Value::from(true) } else { Value::Null };
            event.assert_same(&place("node_position_only"), &flag);
        }
    }
}

pub fn from_called(expected: &Value, event: &mut Event<'_>) {
    called_node(expected, event, "from");
}

pub fn to_called(expected: &Value, event: &mut Event<'_>) {
    called_node(expected, event, "to");
}

fn along(expected: &Value, event: &mut Event<'_>, place: &str) {
    let ends = match expected {
        Value::Null => return event.assert_nothing(place),
        one if one.get("Scalar").is_some() => [&one["Scalar"], &one["Scalar"]],
        range => [&range["Range"]["min"], &range["Range"]["max"]],
    };
    for (name, expected) in ["from", "to"].into_iter().zip(ends) {
        event.assert_same(&format!("{place}/{name}"), expected);
    }
    event.assert_nothing(&format!("{place}/stored_rate"));
}

pub fn from_along(expected: &Value, event: &mut Event<'_>) {
    along(expected, event, "/from/along");
}

pub fn to_along(expected: &Value, event: &mut Event<'_>) {
    along(expected, event, "/to/along");
}

/// Places of particles: at a node, or anywhere.
pub fn puffer_place(expected: &Value, event: &mut Event<'_>) {
    let (has, has_not) = match event.fields["at_node"].is_null() {
        true => ("/position", "/offset"),
        false => ("/offset", "/position"),
    };
    event.assert_same(has, expected);
    event.assert_nothing(has_not);
}

/// State of an emitter, on or off; the words are those of its state.
pub fn puffer_state(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/active_state", expected);
    event.assert_same("/on", &Value::from(!expected.is_null()));
}

/// Values in memory of an emitter that is switched off, all of them empty in these files.
pub fn garbage(expected: &Value, _: &mut Event<'_>) {
    if let Value::Object(fields) = expected {
        for (key, value) in fields {
            let empty = value == false || value.as_f64() == Some(0.0) || value == "Time";
            assert!(empty, "{key}: {value}");
        }
    }
}

/// Ages and scales, which the independent decoder calls a range.
pub fn growths(expected: &Value, event: &mut Event<'_>) {
    for (place, row) in expected.as_array().into_iter().flatten().enumerate() {
        for (name, stored) in [("age", "min"), ("scale", "max")] {
            event.assert_same(&format!("/growth_factors/{place}/{name}"), &row[stored]);
        }
    }
    let count = event
        .at("/growth_factors")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    assert_eq!(count, expected.as_array().map_or(0, Vec::len));
}

/// Shades over the age of a particle, whose age and alpha the independent decoder does not name.
pub fn shades(expected: &Value, event: &mut Event<'_>) {
    let rows = expected.as_array().map_or(&[][..], Vec::as_slice);
    for (place, row) in rows.iter().enumerate() {
        for (name, stored) in [("age", "unk00"), ("color", "color"), ("alpha", "unk16")] {
            event.assert_same(&format!("/colors/{place}/{name}"), &row[stored]);
        }
    }
    let found = event.at("/colors").and_then(Value::as_array);
    assert_eq!(found.map_or(0, Vec::len), rows.len());
}

pub fn restart(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/frame", expected);
    event.assert_same("/restart", &Value::from(true));
}

/// The direction of a launch, left out if its length is zero.
pub fn direction(expected: &Value, event: &mut Event<'_>) {
    let zero = ["x", "y", "z"]
        .iter()
        .all(|axis| expected[*axis].as_f64() == Some(0.0));
    match zero {
        true => event.assert_nothing("/direction"),
        false => event.assert_same("/direction", expected),
    }
}
