//! The fields of the reference decoder of Recoil, MechWarrior 3 and Pirate's Moon, and where documents
//! have them.

use super::special::{
    basis, bounce_sequences, bounce_sounds, condition, count, direction, from_along, from_beam,
    from_called, from_place, garbage, growths, puffer_place, puffer_state, restart, shades,
    to_along, to_beam, to_called, to_place,
};
use super::table::Rule::{By, Elsewhere, Entry, Flag, Node, Parts, Rate, Same, Word};
use super::table::{Kind, Rule};

const NODE: Rule = Node("/node");

const RUN_TIME: Rule = Same("/run_time");

const ANIMATION: Rule = Same("/animation");

const AT_NODE: Rule = Parts(&[("name", Node("/at_node")), ("pos", Same("/offset"))]);

/// One place or another, never both.
const PLACE: Rule = Parts(&[("Absolute", Same("/position")), ("AtNode", AT_NODE)]);

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
                                ("translate", Same("/rotation_radians")),
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
                ("range_alt", Same("/range_acceleration")),
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
                ("size_range", Same("/radius")),
                ("lifetime_range", Same("/lifetime")),
                ("start_age_range", Same("/start_age")),
                ("deviation_distance", Same("/deviation_distance")),
                ("unk_range", Same("/near_fade")),
                ("fade_range", Same("/far_fade")),
                ("friction", Same("/friction")),
                ("wind_factor", Same("/wind_factor")),
                ("priority", Same("/priority")),
                ("number", Same("/number")),
                ("textures", Same("/textures")),
                ("colors", By(shades)),
                ("growth_factors", By(growths)),
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
