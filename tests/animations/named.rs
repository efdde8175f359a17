//! The fields of the reference decoder of Recoil, MechWarrior 3 and Pirate's Moon, and where documents
//! have them.

use serde_json::Value;

use super::table::Rule::{By, Elsewhere, Entry, Flag, Node, Parts, Rate, Same, Word};
use super::table::{Event, Kind, Rule};

const NODE: Rule = Node("/node");
const RUN_TIME: Rule = Same("/run_time");
const ANIMATION: Rule = Same("/animation");
const AT_NODE: Rule = Parts(&[("name", Node("/at_node")), ("pos", Same("/offset"))]);
/// One place or another, never both.
const PLACE: Rule = Parts(&[("Absolute", Same("/position")), ("AtNode", AT_NODE)]);

/// The surfaces on which things land.
const SURFACES: [(&str, &str); 3] = [("default", "any"), ("water", "water"), ("lava", "lava")];

/// What happens on landing on each surface.
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

fn bounce_sequences(expected: &Value, event: &mut Event<'_>) {
    landing(expected, event, |expected, found| {
        assert_eq!(&found["sequence"], expected);
    });
}

fn bounce_sounds(expected: &Value, event: &mut Event<'_>) {
    landing(expected, event, |expected, found| {
        assert_eq!(found["sound"]["name"], expected["name"]);
        let (found, expected) = (&found["full_volume_speed"], &expected["volume"]);
        assert_eq!(found.as_f64(), expected.as_f64());
    });
}

fn basis(expected: &Value, event: &mut Event<'_>) {
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

fn condition(expected: &Value, event: &mut Event<'_>) {
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

fn count(expected: &Value, event: &mut Event<'_>) {
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

fn from_place(expected: &Value, event: &mut Event<'_>) {
    end(expected, event, ["/from/position", "/from/input"]);
}

fn to_place(expected: &Value, event: &mut Event<'_>) {
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

fn from_beam(expected: &Value, event: &mut Event<'_>) {
    beam_node(expected, event, ["/from/node", "/from/input"]);
}

fn to_beam(expected: &Value, event: &mut Event<'_>) {
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

fn from_called(expected: &Value, event: &mut Event<'_>) {
    called_node(expected, event, "from");
}

fn to_called(expected: &Value, event: &mut Event<'_>) {
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

fn from_along(expected: &Value, event: &mut Event<'_>) {
    along(expected, event, "/from/along");
}

fn to_along(expected: &Value, event: &mut Event<'_>) {
    along(expected, event, "/to/along");
}

/// Where particles come from: beside a node, or anywhere.
fn puffer_place(expected: &Value, event: &mut Event<'_>) {
    let (has, has_not) = match event.fields["at_node"].is_null() {
        true => ("/position", "/offset"),
        false => ("/offset", "/position"),
    };
    event.assert_same(has, expected);
    event.assert_nothing(has_not);
}

/// Whether an emitter is switched on; the words are those of its state.
fn puffer_state(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/active_state", expected);
    event.assert_same("/on", &Value::from(!expected.is_null()));
}

const INTERVAL: Rule = Parts(&[
    (
        "interval_type",
        Word(
            "/interval_counts",
            &[("Time", "time"), ("Distance", "distance")],
        ),
    ),
    ("interval_value", Same("/interval")),
]);

/// What an emitter that is switched off has in memory, all of it empty in these files.
fn garbage(expected: &Value, _: &mut Event<'_>) {
    if let Value::Object(fields) = expected {
        for (key, value) in fields {
            let empty = value == false || value.as_f64() == Some(0.0) || value == "Time";
            assert!(empty, "{key}: {value}");
        }
    }
}

fn restart(expected: &Value, event: &mut Event<'_>) {
    event.assert_same("/frame", expected);
    event.assert_same("/restart", &Value::from(true));
}

/// The rules for a type of event.
pub fn kind(name: &str) -> Kind {
    let (rules, more): (&[(&str, Rule)], &[&str]) = match name {
        "AnimVerbose" => (&[("on", Same("/on"))], &[]),
        "CallAnimation" => (
            &[
                ("name", ANIMATION),
                ("operand_node", Node("/bound_to")),
                ("wait_for_completion", Same("/waits_for/index")),
                (
                    "parameters",
                    Parts(&[
                        (
                            "AtNode",
                            Parts(&[
                                ("node", Node("/at_node")),
                                ("position", Same("/offset")),
                                ("translate", Same("/translation_or_rotation")),
                            ]),
                        ),
                        (
                            "WithNode",
                            Parts(&[("node", Node("/with_node")), ("position", Same("/offset"))]),
                        ),
                    ]),
                ),
            ],
            &[],
        ),
        "CallObjectConnector" => (
            &[
                ("name", ANIMATION),
                ("save_index", Same("/saved_as/index")),
                ("from_node", By(from_called)),
                ("to_node", By(to_called)),
                ("from_pos", By(from_place)),
                ("to_pos", By(to_place)),
            ],
            &[],
        ),
        "CallSequence" | "StopSequence" => (&[("name", Same("/sequence"))], &[]),
        "StopAnimation" | "ResetAnimation" | "InvalidateAnimation" => (&[("name", ANIMATION)], &[]),
        "Callback" => (&[("value", Same("/code"))], &[]),
        "CameraFromTo" | "CameraState" => (
            &[
                ("name", Node("/camera")),
                ("clip_near", Same("/clip_near")),
                ("clip_far", Same("/clip_far")),
                ("lod_multiplier", Same("/lod_multiplier")),
                ("fov_h", Same("/horizontal_fov_radians")),
                ("fov_v", Same("/vertical_fov_radians")),
                ("zoom_h", Same("/horizontal_zoom")),
                ("zoom_v", Same("/vertical_zoom")),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        "DetonateWeapon" => (&[("weapon", Same("/weapon")), ("at_node", AT_NODE)], &[]),
        "Effect" => (
            &[("name", Entry("/effect", "effects")), ("at_node", AT_NODE)],
            &[],
        ),
        "Else" | "Endif" => (&[], &[]),
        "If" | "Elseif" => (&[("condition", By(condition))], &["holds_when", "node"]),
        "FbfxColorFromTo" => (
            &[
                (
                    "from",
                    Parts(&[
                        ("r", Same("/red/from")),
                        ("g", Same("/green/from")),
                        ("b", Same("/blue/from")),
                        ("a", Same("/alpha/from")),
                    ]),
                ),
                (
                    "to",
                    Parts(&[
                        ("r", Same("/red/to")),
                        ("g", Same("/green/to")),
                        ("b", Same("/blue/to")),
                        ("a", Same("/alpha/to")),
                    ]),
                ),
                ("run_time", RUN_TIME),
                ("alpha_delta", Rate("/alpha")),
            ],
            &[],
        ),
        "FbfxCsinwaveFromTo" => (
            &[
                ("at_node", AT_NODE),
                (
                    "screen_pos",
                    Parts(&[("x", Same("/screen_x")), ("y", Same("/screen_y"))]),
                ),
                ("world_radius", Same("/world_radius")),
                ("screen_radius", Same("/screen_radius")),
                (
                    "csin",
                    Parts(&[
                        ("x", Same("/extent")),
                        ("y", Same("/frequency")),
                        ("z", Same("/phase")),
                    ]),
                ),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        "FogState" => (
            &[
                (
                    "type_",
                    Word(
                        "/kind",
                        &[
                            ("Off", "off"),
                            ("Linear", "linear"),
                            ("Exponential", "exponential"),
                        ],
                    ),
                ),
                ("color", Same("/color")),
                ("altitude", Same("/altitude")),
                ("range", Same("/range")),
            ],
            &["fog"],
        ),
        "LightAnimation" => (
            &[
                ("name", Entry("/light", "lights")),
                ("range", Same("/range_per_second")),
                ("color", Same("/color_per_second")),
                ("range_alt", Same("/range_b")),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        "LightState" => (
            &[
                ("name", Entry("/light", "lights")),
                ("active_state", Same("/on")),
                (
                    "type_",
                    Word(
                        "/kind",
                        &[("Directed", "directed"), ("PointSource", "point")],
                    ),
                ),
                ("translate", PLACE),
                ("directional", Same("/directional")),
                ("saturated", Same("/saturated")),
                ("subdivide", Same("/subdivide")),
                ("lightmap", Same("/lightmap")),
                ("static_", Same("/static")),
                ("bicolored", Same("/bicolored")),
                ("orientation", Same("/orientation")),
                ("range", Same("/range")),
                ("color", Same("/color")),
                ("ambient_color", Same("/ambient_color")),
                ("ambient", Same("/ambient")),
                ("diffuse", Same("/diffuse")),
            ],
            &[],
        ),
        "Loop" => (&[("Count", By(count)), ("RunTime", Same("/seconds"))], &[]),
        "ObjectActiveState" => (&[("node", NODE), ("state", Same("/shown"))], &[]),
        "ObjectAddChild" | "ObjectDeleteChild" => (
            &[("parent", Node("/parent")), ("child", Node("/child"))],
            &[],
        ),
        "ObjectConnector" => (
            &[
                ("name", NODE),
                ("from_node", By(from_beam)),
                ("to_node", By(to_beam)),
                ("from_pos", By(from_place)),
                ("to_pos", By(to_place)),
                ("from_t", By(from_along)),
                ("to_t", By(to_along)),
                ("run_time", RUN_TIME),
                ("max_length", Same("/max_length")),
            ],
            &[],
        ),
        "ObjectCycleTexture" => (&[("name", NODE), ("reset", By(restart))], &[]),
        "ObjectMotion" => (
            &[
                ("node", NODE),
                ("impact_force", Flag("/adds_velocity_of_owner")),
                ("morph", Same("/morph_per_second")),
                (
                    "gravity",
                    Parts(&[
                        ("value", Same("/gravity")),
                        ("complex", Flag("/gravity_turned_into_parent")),
                        ("no_altitude", Flag("/gravity_without_ground_test")),
                    ]),
                ),
                (
                    "translation_range",
                    Parts(&[
                        ("xz", Same("/azimuth_degrees")),
                        ("y", Same("/elevation_degrees")),
                        ("initial", Same("/speed")),
                        ("delta", Same("/acceleration_along")),
                    ]),
                ),
                (
                    "translation",
                    Parts(&[
                        ("initial", Same("/velocity")),
                        ("delta", Same("/acceleration")),
                        ("rnd_xz", By(direction)),
                    ]),
                ),
                (
                    "forward_rotation",
                    Parts(&[
                        (
                            "Time",
                            Parts(&[
                                ("initial", Same("/roll_radians_by_time/per_second")),
                                ("delta", Same("/roll_radians_by_time/acceleration")),
                            ]),
                        ),
                        (
                            "Distance",
                            Parts(&[("initial", Same("/roll_radians_by_distance/per_second"))]),
                        ),
                    ]),
                ),
                (
                    "xyz_rotation",
                    Parts(&[
                        ("initial", Same("/spin_euler_radians/per_second")),
                        ("delta", Same("/spin_euler_radians/acceleration")),
                    ]),
                ),
                (
                    "scale",
                    Parts(&[
                        ("initial", Same("/scale/per_second")),
                        ("delta", Same("/scale/acceleration")),
                    ]),
                ),
                ("bounce_sequence", By(bounce_sequences)),
                ("bounce_sound", By(bounce_sounds)),
                ("run_time", RUN_TIME),
            ],
            &[],
        ),
        "ObjectMotionFromTo" => (
            &[
                ("name", NODE),
                ("run_time", RUN_TIME),
                ("morph", Same("/morph")),
                ("translate", Same("/translation")),
                ("rotate", Same("/euler_radians")),
                ("scale", Same("/scale")),
                ("translate_delta", Rate("/translation")),
                ("rotate_delta", Rate("/euler_radians")),
                ("scale_delta", Rate("/scale")),
            ],
            &[],
        ),
        // Frames have a comparison of their own, in the order of the scripts.
        "ObjectMotionSiScript" => (
            &[("name", NODE), ("index", Elsewhere)],
            &["script", "columns", "frames"],
        ),
        "ObjectOpacityFromTo" => (
            &[
                ("name", NODE),
                (
                    "opacity_from",
                    Parts(&[
                        ("opacity", Same("/opacity/from")),
                        ("state", Same("/enabled_at_start")),
                    ]),
                ),
                (
                    "opacity_to",
                    Parts(&[
                        ("opacity", Same("/opacity/to")),
                        ("state", Same("/enabled_at_end")),
                    ]),
                ),
                ("run_time", RUN_TIME),
                ("opacity_delta", Rate("/opacity")),
            ],
            &[],
        ),
        "ObjectOpacityState" => (
            &[
                ("name", NODE),
                ("state", Same("/enabled")),
                ("opacity", Same("/opacity")),
            ],
            &[],
        ),
        "ObjectRotateState" => (
            &[
                ("name", NODE),
                ("state", Same("/euler_radians")),
                ("basis", By(basis)),
            ],
            &[],
        ),
        "ObjectScaleState" => (&[("name", NODE), ("state", Same("/scale"))], &[]),
        "ObjectTranslateState" => (
            &[
                ("node", NODE),
                ("relative", Flag("/relative")),
                ("state", Same("/translation")),
                ("at_node", Node("/from_node")),
            ],
            &[],
        ),
        "PufferState" => (
            &[
                ("name", Entry("/puffer", "puffers")),
                ("active_state", By(puffer_state)),
                ("translate", By(puffer_place)),
                ("at_node", Node("/at_node")),
                ("local_velocity", Same("/local_velocity")),
                ("world_velocity", Same("/world_velocity")),
                ("min_random_velocity", Same("/min_random_velocity")),
                ("max_random_velocity", Same("/max_random_velocity")),
                ("world_acceleration", Same("/world_acceleration")),
                ("interval", INTERVAL),
                ("interval_garbage", By(garbage)),
                ("size_range", Same("/size")),
                ("lifetime_range", Same("/lifetime")),
                ("start_age_range", Same("/start_age")),
                ("deviation_distance", Same("/deviation_distance")),
                ("unk_range", Same("/unknown_range")),
                ("fade_range", Same("/fade_distance")),
                ("friction", Same("/friction")),
                ("wind_factor", Same("/wind_factor")),
                ("priority", Same("/priority")),
                ("number", Same("/number")),
                ("textures", Same("/textures")),
                ("colors", Same("/colors")),
                ("growth_factors", Same("/growth_factors")),
            ],
            &[],
        ),
        "Sound" => (
            &[
                ("name", Entry("/sound", "static_sounds")),
                ("at_node", AT_NODE),
            ],
            &[],
        ),
        "SoundNode" => (
            &[
                ("name", Entry("/sound", "dynamic_sounds")),
                ("active_state", Same("/on")),
                ("translate", PLACE),
            ],
            &[],
        ),
        other => panic!("{other} is in no table"),
    };
    Kind { rules, more }
}

/// The direction of a launch, left out where it has no length.
fn direction(expected: &Value, event: &mut Event<'_>) {
    let zero = ["x", "y", "z"]
        .iter()
        .all(|axis| expected[*axis].as_f64() == Some(0.0));
    match zero {
        true => event.assert_nothing("/direction"),
        false => event.assert_same("/direction", expected),
    }
}
