//! The stored fields of Crimson Skies, as the generator of the fixtures wrote them, and where documents
//! have them. Bits of flags are those of the sheet.

use super::stored_rules::{
    at_node_of_a_sound, basis, bound_to, call_node, called_index, colors, condition,
    condition_node, fog_kind, frame, from_node, growths, loop_seconds, motion_flags, motions,
    not_reported, odd, offset_of_a_sound, on_any, on_lava, on_water, passes, placed, puffer_node,
    puffer_place, puffer_state, ramp, ranged, records, relative, roll, stated_opacity, switch,
    textures, upper_value, value, waits_for,
};
use super::table::Rule::{At, By, Elsewhere, Empty, Entry, Node, Rate, Same, When, Word};
use super::table::{Kind, Rule};

const NODE: Rule = Node("/node");
const RUN_TIME: Rule = Same("/run_time");
const ANIMATION: Rule = Same("/animation");

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
                ("range_b", At(odd, "/range_acceleration")),
                ("range_live", Empty),
                ("color_a", Same("/color_per_second")),
                ("color_b", At(odd, "/color_acceleration")),
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
                ("range_azimuth", At(ranged, "/azimuth_degrees")),
                ("range_elevation", At(ranged, "/elevation_degrees")),
                ("range_speed", At(ranged, "/speed")),
                ("range_accel", At(ranged, "/acceleration_along")),
                ("velocity", When(0x4, &Same("/velocity"))),
                ("accel", When(0x4, &Same("/acceleration"))),
                ("velocity_live", Empty),
                ("accel_live", Empty),
                ("direction", At(odd, "/direction")),
                ("fwd_rot_rate", At(roll, "per_second")),
                ("fwd_rot_accel", At(roll, "acceleration")),
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
                ("morph_from", When(8, &Same("/morph/from"))),
                ("morph_to", When(8, &Same("/morph/to"))),
                ("morph_delta", Rate("/morph")),
                ("translate_from", When(1, &Same("/translation/from"))),
                ("translate_to", When(1, &Same("/translation/to"))),
                ("translate_delta", Rate("/translation")),
                ("rotate_from", When(2, &Same("/euler_radians/from"))),
                ("rotate_to", When(2, &Same("/euler_radians/to"))),
                ("rotate_delta", Rate("/euler_radians")),
                ("scale_from", When(4, &Same("/scale/from"))),
                ("scale_to", When(4, &Same("/scale/to"))),
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
                ("state_from", At(switch, "/enabled_at_start")),
                ("state_to", At(switch, "/enabled_at_end")),
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
                ("anim_index", By(not_reported)),
                ("wait_index", By(waits_for)),
                ("node", By(call_node)),
                ("pad", Empty),
                ("position", When(2, &Same("/offset"))),
                ("translate", When(4, &Same("/rotation_radians"))),
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
                ("red", At(ramp, "/red")),
                ("green", At(ramp, "/green")),
                ("blue", At(ramp, "/blue")),
                ("alpha", At(ramp, "/alpha")),
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
                ("size_range", When(0x200, &Same("/radius"))),
                ("lifetime_range", When(0x400, &Same("/lifetime"))),
                ("start_age_range", When(0x8000, &Same("/start_age"))),
                (
                    "deviation_distance",
                    When(0x800, &Same("/deviation_distance")),
                ),
                ("unknown_range", When(0x80000, &Same("/near_fade"))),
                ("fade_range", When(0x1000, &Same("/far_fade"))),
                ("friction", When(0x20000, &Same("/friction"))),
                ("wind_factor", When(0x100000, &Same("/wind_factor"))),
                ("priority", When(0x400000, &Same("/priority"))),
                ("number", When(0x200000, &Same("/number"))),
                ("textures", By(textures)),
                ("colors", By(colors)),
                ("growths", By(growths)),
            ],
            &[],
        ),
        46 => (&[("raw", Same("/not_decoded"))], &[]),
        47 => (&[("count", By(motions)), ("records", By(records))], &[]),
        other => panic!("event {other} is in no table"),
    };
    Kind { rules, more }
}
