//! Fields of Crimson Skies whose meaning depends on other fields. Bits of flags are numbered as in the file.

use serde_json::Value;

use super::table::Event;

/// The value of the first bits of the flags that has a place for it.
pub fn placed(expected: &Value, event: &mut Event<'_>) {
    let flags = event.fields["flags"].as_u64().unwrap();
    let places = [(1, "/position"), (2, "/offset")];
    for (bit, place) in places {
        match flags & bit != 0 {
            true => event.assert_same(place, expected),
            false => event.assert_nothing(place),
        }
    }
}

/// Places of particles: at a node, or anywhere.
pub fn puffer_place(expected: &Value, event: &mut Event<'_>) {
    let flags = event.fields["flags"].as_u64().unwrap();
    let (has, has_not) = match flags & 2 != 0 {
        true => ("/offset", "/position"),
        false => ("/position", "/offset"),
    };
    match flags & 1 != 0 {
        true => event.assert_same(has, expected),
        false => event.assert_nothing(has),
    }
    event.assert_nothing(has_not);
}

pub fn puffer_node(expected: &Value, event: &mut Event<'_>) {
    let counts = event.fields["flags"].as_u64().unwrap() & 2 != 0;
    assert_eq!(event.at("/at_node").is_some(), counts);
    if counts {
        let index = event.at("/at_node").unwrap()["index"].clone();
        assert_eq!(&index, expected);
    }
}

pub fn puffer_state(expected: &Value, event: &mut Event<'_>) {
    let on = event.fields["flags"].as_u64().unwrap() & 4 != 0;
    event.assert_same("/on", &Value::from(on));
    match on {
        true => event.assert_same("/active_state", expected),
        false => event.assert_nothing("/active_state"),
    }
}

pub fn textures(expected: &Value, event: &mut Event<'_>) {
    let counts = event.fields["flags"].as_u64().unwrap() & 0x4000 != 0;
    let entries = expected["entries"].as_array().unwrap();
    let Some(found) = event.at("/textures") else {
        assert!(!counts);
        return;
    };
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), entries.len());
    for (found, entry) in found.iter().zip(entries) {
        assert_eq!(found["name"], entry["name"]);
        let time = found.get("run_time").and_then(Value::as_f64);
        match expected["has_run_time"] == 1 {
            true => assert!((time.unwrap() - entry["run_time"].as_f64().unwrap()).abs() < 1e-7),
            false => assert_eq!(time, None),
        }
    }
}

pub fn colors(expected: &Value, event: &mut Event<'_>) {
    let rows = expected.as_array().unwrap();
    let counts = event.fields["flags"].as_u64().unwrap() & 0x40000 != 0;
    assert_eq!(event.at("/colors").is_some(), counts);
    if !counts {
        return;
    }
    assert_eq!(
        event.at("/colors").unwrap().as_array().unwrap().len(),
        rows.len()
    );
    for (place, row) in rows.iter().enumerate() {
        let at = |name: &str| format!("/colors/{place}/{name}");
        let names = ["age", "color/r", "color/g", "color/b", "alpha"];
        for (name, value) in names.into_iter().zip(row.as_array().unwrap()) {
            event.assert_same(&at(name), value);
        }
    }
}

/// Ages and scales, if their flag is set.
pub fn growths(expected: &Value, event: &mut Event<'_>) {
    if event.fields["flags"].as_u64().unwrap() & 0x2000 == 0 {
        event.assert_nothing("/growth_factors");
        return;
    }
    for (place, row) in expected.as_array().unwrap().iter().enumerate() {
        for (name, value) in ["age", "scale"].into_iter().zip(row.as_array().unwrap()) {
            event.assert_same(&format!("/growth_factors/{place}/{name}"), value);
        }
    }
}

/// Only where it is not the place that flags demand.
pub fn at_node_of_a_sound(expected: &Value, event: &mut Event<'_>) {
    let index = expected.as_i64().unwrap();
    match index {
        0 => event.assert_nothing("/at_node"),
        _ => event.assert_same("/at_node/index", expected),
    }
}

pub fn offset_of_a_sound(expected: &Value, event: &mut Event<'_>) {
    let zero = expected
        .as_array()
        .unwrap()
        .iter()
        .all(|it| it.as_f64() == Some(0.0));
    match zero && event.fields["node"] == 0 {
        true => event.assert_nothing("/offset"),
        false => event.assert_same("/offset", expected),
    }
}

pub fn basis(expected: &Value, event: &mut Event<'_>) {
    let word = match expected.as_u64().unwrap() {
        0 => Value::Null,
        1 => Value::from("relative"),
        2 => Value::from("at_node_angles"),
        4 => Value::from("at_node_matrix"),
        other => panic!("basis {other}"),
    };
    event.assert_same("/basis", &word);
}

/// A switch with the meaning "leave it".
pub fn switch(expected: &Value, event: &mut Event<'_>, place: &str) {
    let state = match expected.as_i64().unwrap() {
        -1 => Value::Null,
        state => Value::from(state == 1),
    };
    event.assert_same(place, &state);
}

/// One of two ranges that apply only with both bits; with the lower one alone the document says so.
fn range_flags(event: &mut Event<'_>) -> bool {
    let flags = event.fields["flags"].as_u64().unwrap() & 0x18;
    let only = |bit| {
        if flags == bit {
            Value::from(true)
        } else {
            Value::Null
        }
    };
    event.assert_same("/only_min_counts", &only(0x8));
    event.assert_same("/only_max_counts", &only(0x10));
    flags != 0
}

pub fn ranged(expected: &Value, event: &mut Event<'_>, place: &str) {
    match range_flags(event) {
        true => event.assert_same(place, expected),
        false => event.assert_nothing(place),
    }
}

/// The bits that are switches of their own; all others are checked with their fields.
pub fn motion_flags(expected: &Value, event: &mut Event<'_>) {
    let flags = expected.as_u64().unwrap();
    for (bit, place) in [
        (0x2, "/adds_velocity_of_owner"),
        (0x2000, "/gravity_turned_into_parent"),
        (0x4000, "/gravity_without_ground_test"),
        (0x8000, "/gravity_with_intersections"),
    ] {
        let state = if flags & bit != 0 {
            Value::from(true)
        } else {
            Value::Null
        };
        event.assert_same(place, &state);
    }
}

pub fn roll(expected: &Value, event: &mut Event<'_>, what: &str) {
    let flags = event.fields["flags"].as_u64().unwrap();
    for (bit, place) in [
        (0x40, "/roll_radians_by_distance"),
        (0x80, "/roll_radians_by_time"),
    ] {
        match flags & bit != 0 {
            true => event.assert_same(&format!("{place}/{what}"), expected),
            false => event.assert_nothing(place),
        }
    }
}

/// Effects of landing on a surface, by the digit of the fields' names.
fn landing(event: &mut Event<'_>, digit: usize) {
    let flags = event.fields["flags"].as_u64().unwrap();
    let field = |name: &str| event.fields[name.replace('#', &digit.to_string())].clone();
    let (sequence, sound) = (field("bounce_seq#"), field("bounce_snd#"));
    let speed = field("bounce_snd#_speed");
    let landings = event.at("/on_landing").cloned().unwrap_or_default();
    assert_eq!(landings.is_array(), flags & 0x1800 != 0);
    let surface = ["any", "water", "lava"][digit];
    let mut found = landings.as_array().into_iter().flatten();
    let found = found
        .find(|it| it["surface"] == surface)
        .cloned()
        .unwrap_or_default();
    let has_sequence = flags & 0x800 != 0 && sequence != "";
    let has_sound = flags & 0x1000 != 0 && sound != 0;
    assert_eq!(found.get("sequence").is_some(), has_sequence);
    assert_eq!(found.get("sound").is_some(), has_sound);
    if has_sequence {
        assert_eq!(found["sequence"], sequence);
    }
    if has_sound {
        assert_eq!(found["sound"]["index"], sound);
        let name = (event.table)("static_sounds", sound.as_i64().unwrap());
        assert_eq!(found["sound"]["name"].as_str(), name.as_deref());
        assert_eq!(found["full_volume_speed"].as_f64(), speed.as_f64());
    }
}

pub fn on_any(_: &Value, event: &mut Event<'_>) {
    landing(event, 0);
}

pub fn on_water(_: &Value, event: &mut Event<'_>) {
    landing(event, 1);
}

pub fn on_lava(_: &Value, event: &mut Event<'_>) {
    landing(event, 2);
}

/// A ramp of one color: from, to, change per second.
pub fn ramp(expected: &Value, event: &mut Event<'_>, place: &str) {
    let [from, to, rate] = &**expected.as_array().unwrap() else {
        panic!("{expected}");
    };
    event.assert_same(&format!("{place}/from"), from);
    event.assert_same(&format!("{place}/to"), to);
    let found = event.at(place).unwrap().get("stored_rate");
    let [from, to, rate] = [from, to, rate].map(|it| it.as_f64().unwrap());
    let regular = (to - from) / event.fields["run_time"].as_f64().unwrap();
    let rate_found = found.map_or(regular, |it| it.as_f64().unwrap());
    assert!(
        (rate_found - rate).abs() < 1e-6,
        "{place} of {}",
        event.ours
    );
}

pub fn frame(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/frame", expected);
    let restart = event.fields["flags"] == 1;
    event.assert_same("/restart", &Value::from(restart));
}

pub fn relative(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/relative"),
        _ => event.assert_same("/relative", expected),
    }
}

pub fn from_node(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/from_node"),
        _ => event.assert_same("/from_node/index", expected),
    }
}

pub fn condition(expected: &Value, event: &mut Event<'_>) {
    let word = match expected.as_u64().unwrap() {
        0x1 => "random_weight",
        0x2 => "player_range",
        0x4 => "animation_lod",
        0x8 => "player_undercover",
        0x10 => "node_undercover",
        0x20 => "hw_render",
        0x40 => "player_first_person",
        0x80 => "player_below_altitude",
        0x100 => "node_below_altitude",
        0x200 => "player_lined_up",
        0x400 => "player_speed",
        0x800 => "animation_health",
        0x1000 => "animation_health_range",
        0x2000 => "node_active",
        other => panic!("condition {other:#x}"),
    };
    event.assert_same("/condition", &Value::from(word));
}

pub fn condition_node(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/node"),
        _ => event.assert_same("/node/index", expected),
    }
}

pub fn value(expected: &Value, event: &mut Event<'_>) {
    let is_switch = event.fields["condition"] == 0x2000;
    match is_switch && expected.as_f64() == Some(0.0) {
        true => event.assert_nothing("/value"),
        false => event.assert_same("/value", expected),
    }
}

pub fn upper_value(expected: &Value, event: &mut Event<'_>) {
    let ranges = [0x400, 0x1000].map(Value::from);
    let ranged = ranges.contains(&event.fields["condition"]);
    match !ranged && expected.as_f64() == Some(0.0) {
        true => event.assert_nothing("/upper_value"),
        false => event.assert_same("/upper_value", expected),
    }
}

pub fn passes(expected: &Value, event: &mut Event<'_>) {
    let count = expected.as_i64().unwrap();
    match event.fields["flags"] == 1 {
        true if count < 1 => {
            event.assert_same("/passes", &Value::from("endless"));
            event.assert_same("/stored", expected);
        }
        true => event.assert_same("/passes", expected),
        false => event.assert_nothing("/passes"),
    }
}

pub fn loop_seconds(expected: &Value, event: &mut Event<'_>) {
    match event.fields["flags"] == 2 {
        true => event.assert_same("/seconds", expected),
        false => event.assert_nothing("/seconds"),
    }
}

pub fn call_node(expected: &Value, event: &mut Event<'_>) {
    let flags = event.fields["flags"].as_u64().unwrap();
    for (bit, place) in [(1, "/at_node"), (8, "/with_node")] {
        match flags & bit != 0 {
            true => event.assert_same(&format!("{place}/index"), expected),
            false => event.assert_nothing(place),
        }
    }
}

pub fn bound_to(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/bound_to"),
        _ => event.assert_same("/bound_to/index", expected),
    }
}

/// Stale without its flag.
pub fn waits_for(expected: &Value, event: &mut Event<'_>) {
    match event.fields["flags"].as_u64().unwrap() & 0x10 != 0 {
        true => event.assert_same("/waits_for/index", expected),
        false => event.assert_nothing("/waits_for"),
    }
}

pub fn called_index(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/stored_index"),
        _ => event.assert_same("/stored_index", expected),
    }
}

/// The nodes of a motion of several, in order.
pub fn records(expected: &Value, event: &mut Event<'_>) {
    let records = expected.as_array().unwrap();
    assert_eq!(
        event.at("/motions").unwrap().as_array().unwrap().len(),
        records.len()
    );
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record["zero00"], 0);
        event.assert_same(&format!("/motions/{place}/node/index"), &record["node"]);
        event.assert_same(
            &format!("/motions/{place}/script/stored"),
            &record["script_slot"],
        );
    }
}

/// Run-time state that only the typed decode shows.
pub fn not_reported(_: &Value, _: &mut Event<'_>) {}

pub fn fog_kind(expected: &Value, event: &mut Event<'_>) {
    let words = ["off", "linear", "exponential"];
    let code = usize::try_from(expected.as_u64().unwrap()).unwrap();
    match event.fields["flags"].as_u64().unwrap() & 1 != 0 {
        true => event.assert_same("/kind", &Value::from(words[code])),
        false => event.assert_nothing("/kind"),
    }
}

pub fn odd(expected: &Value, event: &mut Event<'_>, place: &str) {
    let zero = expected
        .as_array()
        .unwrap()
        .iter()
        .all(|it| it.as_f64() == Some(0.0));
    match zero {
        true => event.assert_nothing(place),
        false => event.assert_same(place, expected),
    }
}

pub fn stated_opacity(expected: &Value, event: &mut Event<'_>) {
    match event.fields["has_opacity"] == 1 {
        true => event.assert_same("/opacity", expected),
        false => event.assert_nothing("/opacity"),
    }
}

pub fn motions(expected: &Value, event: &mut Event<'_>) {
    let found = event.at("/motions").unwrap().as_array().unwrap().len();
    assert_eq!(expected.as_u64(), u64::try_from(found).ok());
}
