//! The stored fields of Crimson Skies, as the generator of the fixtures wrote them, and where documents
//! have them. Bits of flags are those of the sheet.

use serde_json::Value;

use super::table::Rule::{By, Elsewhere, Empty, Entry, Node, Rate, Same, When, Word};
use super::table::{Event, Kind, Rule};

const NODE: Rule = Node("/node");
const RUN_TIME: Rule = Same("/run_time");
const ANIMATION: Rule = Same("/animation");

/// The value of the first bits of the flags that has a place for it.
fn placed(expected: &Value, event: &mut Event<'_>) {
    let flags = event.fields["flags"].as_u64().unwrap();
    let places = [(1, "/position"), (2, "/offset")];
    for (bit, place) in places {
        match flags & bit != 0 {
            true => event.assert_same(place, expected),
            false => event.assert_nothing(place),
        }
    }
}

/// Where particles come from: beside a node, or anywhere.
fn puffer_place(expected: &Value, event: &mut Event<'_>) {
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

fn puffer_node(expected: &Value, event: &mut Event<'_>) {
    let counts = event.fields["flags"].as_u64().unwrap() & 2 != 0;
    assert_eq!(event.at("/at_node").is_some(), counts);
    if counts {
        let index = event.at("/at_node").unwrap()["index"].clone();
        assert_eq!(&index, expected);
    }
}

fn puffer_state(expected: &Value, event: &mut Event<'_>) {
    let on = event.fields["flags"].as_u64().unwrap() & 4 != 0;
    event.assert_same("/on", &Value::from(on));
    match on {
        true => event.assert_same("/active_state", expected),
        false => event.assert_nothing("/active_state"),
    }
}

fn textures(expected: &Value, event: &mut Event<'_>) {
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

fn colors(expected: &Value, event: &mut Event<'_>) {
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
        let names = ["unk00", "color/r", "color/g", "color/b", "unk16"];
        for (name, value) in names.into_iter().zip(row.as_array().unwrap()) {
            event.assert_same(&at(name), value);
        }
    }
}

/// Only where it is not the place that flags demand.
fn at_node_of_a_sound(expected: &Value, event: &mut Event<'_>) {
    let index = expected.as_i64().unwrap();
    match index {
        0 => event.assert_nothing("/at_node"),
        _ => event.assert_same("/at_node/index", expected),
    }
}

fn offset_of_a_sound(expected: &Value, event: &mut Event<'_>) {
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

fn basis(expected: &Value, event: &mut Event<'_>) {
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
fn switch(expected: &Value, event: &mut Event<'_>, place: &str) {
    let state = match expected.as_i64().unwrap() {
        -1 => Value::Null,
        state => Value::from(state == 1),
    };
    event.assert_same(place, &state);
}

fn state_from(expected: &Value, event: &mut Event<'_>) {
    switch(expected, event, "/enabled_at_start");
}

fn state_to(expected: &Value, event: &mut Event<'_>) {
    switch(expected, event, "/enabled_at_end");
}

/// One of two ranges that count only with both bits; with the lower one alone the document says so.
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

fn azimuth(expected: &Value, event: &mut Event<'_>) {
    ranged(expected, event, "/azimuth_degrees");
}

fn elevation(expected: &Value, event: &mut Event<'_>) {
    ranged(expected, event, "/elevation_degrees");
}

fn speed(expected: &Value, event: &mut Event<'_>) {
    ranged(expected, event, "/speed");
}

fn accel_along(expected: &Value, event: &mut Event<'_>) {
    ranged(expected, event, "/acceleration_along");
}

fn ranged(expected: &Value, event: &mut Event<'_>, place: &str) {
    match range_flags(event) {
        true => event.assert_same(place, expected),
        false => event.assert_nothing(place),
    }
}

fn direction(expected: &Value, event: &mut Event<'_>) {
    let zero = expected
        .as_array()
        .unwrap()
        .iter()
        .all(|it| it.as_f64() == Some(0.0));
    match zero {
        true => event.assert_nothing("/direction"),
        false => event.assert_same("/direction", expected),
    }
}

/// The bits that are switches of their own, all others are looked at with their fields.
fn motion_flags(expected: &Value, event: &mut Event<'_>) {
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

fn roll(expected: &Value, event: &mut Event<'_>, what: &str) {
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

fn roll_rate(expected: &Value, event: &mut Event<'_>) {
    roll(expected, event, "per_second");
}

fn roll_acceleration(expected: &Value, event: &mut Event<'_>) {
    roll(expected, event, "acceleration");
}

/// What happens on landing on a surface, by the digit of the fields' names.
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

fn on_any(_: &Value, event: &mut Event<'_>) {
    landing(event, 0);
}

fn on_water(_: &Value, event: &mut Event<'_>) {
    landing(event, 1);
}

fn on_lava(_: &Value, event: &mut Event<'_>) {
    landing(event, 2);
}

/// An end of a change that counts with a bit; its rate is compared with the run time.
fn change(expected: &Value, event: &mut Event<'_>, bit: u64, place: &str) {
    match event.fields["flags"].as_u64().unwrap() & bit != 0 {
        true => event.assert_same(place, expected),
        false => event.assert_nothing(place),
    }
}

macro_rules! ends {
    ($($name:ident $bit:literal $place:literal;)*) => {
        $(fn $name(expected: &Value, event: &mut Event<'_>) {
            change(expected, event, $bit, $place);
        })*
    };
}

ends! {
    translate_from 1 "/translation/from";
    translate_to 1 "/translation/to";
    rotate_from 2 "/euler_radians/from";
    rotate_to 2 "/euler_radians/to";
    scale_from 4 "/scale/from";
    scale_to 4 "/scale/to";
    morph_from 8 "/morph/from";
    morph_to 8 "/morph/to";
}

/// A ramp of one colour: from, to, change per second.
fn ramp(expected: &Value, event: &mut Event<'_>, place: &str) {
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

fn red(expected: &Value, event: &mut Event<'_>) {
    ramp(expected, event, "/red");
}

fn green(expected: &Value, event: &mut Event<'_>) {
    ramp(expected, event, "/green");
}

fn blue(expected: &Value, event: &mut Event<'_>) {
    ramp(expected, event, "/blue");
}

fn alpha(expected: &Value, event: &mut Event<'_>) {
    ramp(expected, event, "/alpha");
}

fn frame(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/frame", expected);
    let restart = event.fields["flags"] == 1;
    event.assert_same("/restart", &Value::from(restart));
}

fn relative(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/relative"),
        _ => event.assert_same("/relative", expected),
    }
}

fn from_node(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/from_node"),
        _ => event.assert_same("/from_node/index", expected),
    }
}

fn condition(expected: &Value, event: &mut Event<'_>) {
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

fn condition_node(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/node"),
        _ => event.assert_same("/node/index", expected),
    }
}

fn value(expected: &Value, event: &mut Event<'_>) {
    let is_switch = event.fields["condition"] == 0x2000;
    match is_switch && expected.as_f64() == Some(0.0) {
        true => event.assert_nothing("/value"),
        false => event.assert_same("/value", expected),
    }
}

fn upper_value(expected: &Value, event: &mut Event<'_>) {
    let ranges = [0x400, 0x1000].map(Value::from);
    let ranged = ranges.contains(&event.fields["condition"]);
    match !ranged && expected.as_f64() == Some(0.0) {
        true => event.assert_nothing("/upper_value"),
        false => event.assert_same("/upper_value", expected),
    }
}

fn passes(expected: &Value, event: &mut Event<'_>) {
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

fn loop_seconds(expected: &Value, event: &mut Event<'_>) {
    match event.fields["flags"] == 2 {
        true => event.assert_same("/seconds", expected),
        false => event.assert_nothing("/seconds"),
    }
}

fn call_node(expected: &Value, event: &mut Event<'_>) {
    let flags = event.fields["flags"].as_u64().unwrap();
    for (bit, place) in [(1, "/at_node"), (8, "/with_node")] {
        match flags & bit != 0 {
            true => event.assert_same(&format!("{place}/index"), expected),
            false => event.assert_nothing(place),
        }
    }
}

fn bound_to(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/bound_to"),
        _ => event.assert_same("/bound_to/index", expected),
    }
}

/// Stale without its flag.
fn waits_for(expected: &Value, event: &mut Event<'_>) {
    match event.fields["flags"].as_u64().unwrap() & 0x10 != 0 {
        true => event.assert_same("/waits_for/index", expected),
        false => event.assert_nothing("/waits_for"),
    }
}

fn called_index(expected: &Value, event: &mut Event<'_>) {
    match expected.as_i64() {
        Some(0) => event.assert_nothing("/stored_index"),
        _ => event.assert_same("/stored_index", expected),
    }
}

/// The nodes of a motion of several, in order.
fn records(expected: &Value, event: &mut Event<'_>) {
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
fn not_told(_: &Value, _: &mut Event<'_>) {}

fn fog_kind(expected: &Value, event: &mut Event<'_>) {
    let words = ["off", "linear", "exponential"];
    let code = usize::try_from(expected.as_u64().unwrap()).unwrap();
    match event.fields["flags"].as_u64().unwrap() & 1 != 0 {
        true => event.assert_same("/kind", &Value::from(words[code])),
        false => event.assert_nothing("/kind"),
    }
}

fn odd(expected: &Value, event: &mut Event<'_>, place: &str) {
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

fn range_b(expected: &Value, event: &mut Event<'_>) {
    odd(expected, event, "/range_b");
}

fn color_b(expected: &Value, event: &mut Event<'_>) {
    odd(expected, event, "/color_b");
}

/// The rules for a type of event.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub fn kind(code: u64) -> Kind {
    let (rules, more): (&[(&str, Rule)], &[&str]) = match code {
        1 => (
            &[
                ("sound", Entry("/sound", "static_sounds")),
                ("node", By(at_node_of_a_sound)),
                ("pos", By(offset_of_a_sound)),
            ],
            &[],
        ),
        2 => (
            &[
                ("name", Same("/sound/name")),
                ("sound", Entry("/sound", "dynamic_sounds")),
                ("flags", Elsewhere),
                ("active", Same("/on")),
                ("node", When(2, &Node("/at_node"))),
                ("translate", By(placed)),
            ],
            &[],
        ),
        4 => (
            &[
                ("name", Same("/light/name")),
                ("light", Entry("/light", "lights")),
                ("flags", Elsewhere),
                ("active", Same("/on")),
                ("type", Word("/kind", &[("0", "directed"), ("1", "point")])),
                ("directional", When(0x80, &Same("/directional"))),
                ("saturated", When(0x100, &Same("/saturated"))),
                ("subdivide", When(0x200, &Same("/subdivide"))),
                ("lightmap", When(0x2000, &Same("/lightmap"))),
                ("static", When(0x400, &Same("/static"))),
                ("bicolored", When(0x1000, &Same("/bicolored"))),
                ("node", When(2, &Node("/at_node"))),
                ("translate", By(placed)),
                ("orientation", When(4, &Same("/orientation"))),
                ("range", When(8, &Same("/range"))),
                ("color", When(0x10, &Same("/color"))),
                ("ambient_color", When(0x800, &Same("/ambient_color"))),
                ("ambient", When(0x20, &Same("/ambient"))),
                ("diffuse", When(0x40, &Same("/diffuse"))),
            ],
            &[],
        ),
        5 => (
            &[
                ("name", Same("/light/name")),
                ("light", Entry("/light", "lights")),
                ("range_a", Same("/range_per_second")),
                ("range_b", By(range_b)),
                ("range_live", Empty),
                ("color_a", Same("/color_per_second")),
                ("color_b", By(color_b)),
                ("color_live", Empty),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        6 => (
            &[("state", Same("/shown")), ("node", NODE), ("pad", Empty)],
            &[],
        ),
        7 => (
            &[
                ("relative", By(relative)),
                ("translate", Same("/translation")),
                ("node", NODE),
                ("at_node", By(from_node)),
            ],
            &[],
        ),
        8 => (&[("scale", Same("/scale")), ("node", NODE)], &[]),
        9 => (
            &[
                ("flags", By(basis)),
                ("rotate", Same("/euler_radians")),
                ("node", NODE),
                ("at_node", By(from_node)),
            ],
            &[],
        ),
        10 => (
            &[
                ("flags", By(motion_flags)),
                ("node", NODE),
                ("pad", Empty),
                ("zero008", Empty),
                ("gravity", When(0x1, &Same("/gravity"))),
                ("morph", When(0x200, &Same("/morph_per_second"))),
                ("range_azimuth", By(azimuth)),
                ("range_elevation", By(elevation)),
                ("range_speed", By(speed)),
                ("range_accel", By(accel_along)),
                ("velocity", When(0x4, &Same("/velocity"))),
                ("accel", When(0x4, &Same("/acceleration"))),
                ("velocity_live", Empty),
                ("accel_live", Empty),
                ("direction", By(direction)),
                ("fwd_rot_rate", By(roll_rate)),
                ("fwd_rot_accel", By(roll_acceleration)),
                ("fwd_rot_live", Empty),
                (
                    "spin_rate",
                    When(0x20, &Same("/spin_euler_radians/per_second")),
                ),
                (
                    "spin_accel",
                    When(0x20, &Same("/spin_euler_radians/acceleration")),
                ),
                ("spin_live", Empty),
                ("scale_rate", When(0x100, &Same("/scale/per_second"))),
                ("scale_accel", When(0x100, &Same("/scale/acceleration"))),
                ("scale_live", Empty),
                ("bounce_seq0", By(on_any)),
                ("bounce_seq0_index", Empty),
                ("bounce_snd0", Elsewhere),
                ("bounce_snd0_speed", Elsewhere),
                ("bounce_seq1", By(on_water)),
                ("bounce_seq1_index", Empty),
                ("bounce_snd1", Elsewhere),
                ("bounce_snd1_speed", Elsewhere),
                ("bounce_seq2", By(on_lava)),
                ("bounce_seq2_index", Empty),
                ("bounce_snd2", Elsewhere),
                ("bounce_snd2_speed", Elsewhere),
                ("run_time", When(0x400, &RUN_TIME)),
            ],
            &[],
        ),
        11 => (
            &[
                ("flags", Elsewhere),
                ("node", NODE),
                ("morph_from", By(morph_from)),
                ("morph_to", By(morph_to)),
                ("morph_delta", Rate("/morph")),
                ("translate_from", By(translate_from)),
                ("translate_to", By(translate_to)),
                ("translate_delta", Rate("/translation")),
                ("rotate_from", By(rotate_from)),
                ("rotate_to", By(rotate_to)),
                ("rotate_delta", Rate("/euler_radians")),
                ("scale_from", By(scale_from)),
                ("scale_to", By(scale_to)),
                ("scale_delta", Rate("/scale")),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        // Frames have a comparison of their own.
        12 => (
            &[
                ("zero00", Empty),
                ("node", NODE),
                ("script_slot", Same("/script/stored")),
            ],
            &["columns", "frames"],
        ),
        13 => (
            &[
                ("enable", Same("/enabled")),
                ("has_opacity", Elsewhere),
                ("opacity", By(stated_opacity)),
                ("node", NODE),
                ("pad", Empty),
            ],
            &[],
        ),
        14 => (
            &[
                ("node", NODE),
                ("state_from", By(state_from)),
                ("state_to", By(state_to)),
                ("opacity_from", Same("/opacity/from")),
                ("opacity_to", Same("/opacity/to")),
                ("opacity_delta", Rate("/opacity")),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        15 | 16 => (
            &[("parent", Node("/parent")), ("child", Node("/child"))],
            &[],
        ),
        17 => (
            &[("flags", Elsewhere), ("node", NODE), ("frame", By(frame))],
            &[],
        ),
        20 => (
            &[
                ("flags", Elsewhere),
                ("node", Node("/camera")),
                ("clip_near", When(1, &Same("/clip_near"))),
                ("clip_far", When(2, &Same("/clip_far"))),
                ("lod_multiplier", When(4, &Same("/lod_multiplier"))),
                ("fov_h", When(8, &Same("/horizontal_fov_radians"))),
                ("fov_v", When(0x10, &Same("/vertical_fov_radians"))),
                ("zoom_h", When(0x20, &Same("/horizontal_zoom"))),
                ("zoom_v", When(0x40, &Same("/vertical_zoom"))),
            ],
            &[],
        ),
        22 | 23 => (&[("name", Same("/sequence")), ("index", Empty)], &[]),
        24 => (
            &[
                ("anim_name", ANIMATION),
                ("operand_node", By(bound_to)),
                ("flags", Elsewhere),
                ("anim_index", By(not_told)),
                ("wait_index", By(waits_for)),
                ("node", By(call_node)),
                ("pad", Empty),
                ("position", When(2, &Same("/offset"))),
                ("translate", When(4, &Same("/translation_or_rotation"))),
            ],
            &[],
        ),
        25 => (
            &[
                ("anim_name", ANIMATION),
                ("anim_ref_index", Empty),
                ("anim_def_index", Empty),
            ],
            &[],
        ),
        26 | 27 => (
            &[
                ("anim_name", ANIMATION),
                ("anim_def_index", By(called_index)),
            ],
            &[],
        ),
        28 => (
            &[
                ("fog_name", Same("/fog")),
                ("flags", Elsewhere),
                ("type", By(fog_kind)),
                ("color", When(2, &Same("/color"))),
                ("altitude", When(4, &Same("/altitude"))),
                ("range", When(8, &Same("/range"))),
            ],
            &[],
        ),
        30 => (
            &[
                ("flags", Elsewhere),
                ("count", By(passes)),
                ("run_time", By(loop_seconds)),
            ],
            &[],
        ),
        31 | 33 => (
            &[
                ("condition", By(condition)),
                ("node", By(condition_node)),
                ("value", By(value)),
                ("value2", By(upper_value)),
            ],
            &["distance", "holds_when"],
        ),
        32 | 34 => (&[], &[]),
        35 => (&[("code", Same("/code"))], &[]),
        36 => (
            &[
                ("red", By(red)),
                ("green", By(green)),
                ("blue", By(blue)),
                ("alpha", By(alpha)),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        41 => (
            &[
                ("weapon", Same("/weapon")),
                ("weapon_raw", Elsewhere),
                ("node", Node("/at_node")),
                ("pos", Same("/offset")),
            ],
            &[],
        ),
        42 => (
            &[
                ("name", Same("/puffer/name")),
                ("puffer", Entry("/puffer", "puffers")),
                ("flags", Elsewhere),
                ("node", By(puffer_node)),
                ("active_state", By(puffer_state)),
                ("translate", By(puffer_place)),
                ("local_velocity", When(0x8, &Same("/local_velocity"))),
                ("world_velocity", When(0x10, &Same("/world_velocity"))),
                (
                    "min_random_velocity",
                    When(0x20, &Same("/min_random_velocity")),
                ),
                (
                    "max_random_velocity",
                    When(0x40, &Same("/max_random_velocity")),
                ),
                (
                    "world_acceleration",
                    When(0x10000, &Same("/world_acceleration")),
                ),
                (
                    "interval_type",
                    When(
                        0x80,
                        &Word("/interval_counts", &[("0", "time"), ("1", "distance")]),
                    ),
                ),
                ("interval_value", When(0x100, &Same("/interval"))),
                ("size_range", When(0x200, &Same("/size"))),
                ("lifetime_range", When(0x400, &Same("/lifetime"))),
                ("start_age_range", When(0x8000, &Same("/start_age"))),
                (
                    "deviation_distance",
                    When(0x800, &Same("/deviation_distance")),
                ),
                ("unknown_range", When(0x80000, &Same("/unknown_range"))),
                ("fade_range", When(0x1000, &Same("/fade_distance"))),
                ("friction", When(0x20000, &Same("/friction"))),
                ("wind_factor", When(0x100000, &Same("/wind_factor"))),
                ("priority", When(0x400000, &Same("/priority"))),
                ("number", When(0x200000, &Same("/number"))),
                ("textures", By(textures)),
                ("colors", By(colors)),
                ("growths", When(0x2000, &Same("/growth_factors"))),
            ],
            &[],
        ),
        46 => (&[("raw", Same("/not_decoded"))], &[]),
        47 => (&[("count", By(motions)), ("records", By(records))], &[]),
        other => panic!("event {other} is in no table"),
    };
    Kind { rules, more }
}

fn stated_opacity(expected: &Value, event: &mut Event<'_>) {
    match event.fields["has_opacity"] == 1 {
        true => event.assert_same("/opacity", expected),
        false => event.assert_nothing("/opacity"),
    }
}

fn motions(expected: &Value, event: &mut Event<'_>) {
    let found = event.at("/motions").unwrap().as_array().unwrap().len();
    assert_eq!(expected.as_u64(), u64::try_from(found).ok());
}
