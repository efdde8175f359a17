//! Known keys of mission readers: their values, units and defaults.
//!
//! Readers have no maps, so a document is split at the keys of its table. Values before the first key, and unknown
//! keys, are preserved.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;

/// Maximum depth of lists that documents are split into.
const MAX_DEPTH: usize = 8;

/// A key of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    /// Its name; `#` at the end matches a number, `*` anything.
    name: &'static str,
    /// Type of its value.
    kind: &'static str,
    unit: Option<&'static str>,
    /// Default where it is absent, as JSON.
    default: Option<&'static str>,
}

/// A key and the type of its value.
pub(super) const fn key(name: &'static str, kind: &'static str) -> Key {
    Key {
        name,
        kind,
        unit: None,
        default: None,
    }
}

impl Key {
    /// Sets the unit of the value.
    pub(super) const fn unit(self, unit: &'static str) -> Self {
        Self {
            unit: Some(unit),
            ..self
        }
    }

    /// Sets the default, as JSON.
    pub(super) const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    fn is(&self, name: &str) -> bool {
        let rest = |start: &str| {
            let (head, tail) = name.split_at_checked(start.len())?;
            head.eq_ignore_ascii_case(start).then_some(tail)
        };
        if let Some(start) = self.name.strip_suffix('#') {
            let is_number =
                |tail: &str| !tail.is_empty() && tail.bytes().all(|sign| sign.is_ascii_digit());
            rest(start).is_some_and(is_number)
        } else if let Some(start) = self.name.strip_suffix('*') {
            rest(start).is_some_and(|tail| !tail.is_empty())
        } else {
            self.name.eq_ignore_ascii_case(name)
        }
    }
}

/// The keys of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyTable {
    pub keys: &'static [Key],
    /// True if values are split at these keys too.
    pub nested: bool,
}

/// A key in a list, and its values.
pub(super) type Entry<'r, 'v> = (String, &'r [Value<'v>]);

impl KeyTable {
    /// The name of a value that is a key.
    fn name_of(&self, value: &Value<'_>) -> Option<String> {
        let name = value.as_text()?.shown();
        let known = self.keys.iter().any(|key| key.is(&name));
        known.then(|| name.into_owned())
    }

    /// True if a list has keys at its top.
    pub(super) fn cuts(&self, values: &[Value<'_>]) -> bool {
        !self.entries(values).1.is_empty()
    }

    /// Values before the first key, and the keys, each with the values after it.
    fn entries<'r, 'v>(&self, values: &'r [Value<'v>]) -> (&'r [Value<'v>], Vec<Entry<'r, 'v>>) {
        let mut found = Vec::new();
        let is_key = |value: &Value<'_>| self.name_of(value).is_some();
        let first = values.iter().position(is_key);
        if let Some(first) = first {
            let (before, mut rest) = values.split_at(first);
            while let Some((name, behind)) = rest.split_first() {
                let end = behind.iter().position(is_key).unwrap_or(behind.len());
                let (own, next) = behind.split_at(end);
                found.extend(self.name_of(name).map(|name| (name, own)));
                rest = next;
            }
            return (before, found);
        }
        // A list of lists that each start with a key.
        for value in values {
            if let Some([first, rest @ ..]) = value.as_list() {
                found.extend(self.name_of(first).map(|name| (name, rest)));
            }
        }
        (&[], found)
    }

    /// The values of a key at the top of a list.
    pub(super) fn after<'r, 'v>(
        &self,
        values: &'r [Value<'v>],
        key: &str,
    ) -> Option<&'r [Value<'v>]> {
        let (_, entries) = self.entries(settings::unwrapped(values));
        let found = entries
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, values)| settings::unwrapped(values))
    }

    /// The keys at the top of a list with their values, in order, repeated ones too.
    pub(super) fn pairs<'r, 'v>(&self, values: &'r [Value<'v>]) -> Vec<Entry<'r, 'v>> {
        self.entries(settings::unwrapped(values)).1
    }

    /// A document as JSON: an object where it has keys, else a copy.
    pub(super) fn document(&self, values: &[Value<'_>]) -> Json {
        self.document_at(values, 0)
    }

    fn document_at(&self, values: &[Value<'_>], depth: usize) -> Json {
        let values = settings::unwrapped(values);
        let (before, entries) = self.entries(values);
        if entries.is_empty() || depth >= MAX_DEPTH {
            return settings::json(values);
        }
        let mut object = Map::new();
        let mut again = Vec::new();
        if !before.is_empty() {
            object.insert("values".to_owned(), settings::json(before));
        }
        for (name, values) in entries {
            let value = match self.nested {
                true => self.document_at(values, depth + 1),
                false => settings::json(settings::unwrapped(values)),
            };
            if object.contains_key(&name) {
                again.push(Json::Object(Map::from_iter([(name, value)])));
            } else {
                object.insert(name, value);
            }
        }
        if !again.is_empty() {
            object.insert("again".to_owned(), Json::from(again));
        }
        Json::Object(object)
    }

    /// Known facts about the keys.
    pub(super) fn legend(&self) -> Json {
        let rows = self.keys.iter().map(|key| {
            let facts = zipper::KeyMeaning {
                kind: Some(key.kind.to_owned()),
                unit: key.unit.map(str::to_owned),
                default: key.default.and_then(|text| serde_json::from_str(text).ok()),
            };
            (key.name, facts)
        });
        let rows: BTreeMap<&str, zipper::KeyMeaning> = rows.collect();
        serde_json::to_value(rows).unwrap_or_default()
    }
}

/// The airships of Crimson Skies (`zeppelins.zrd`). The meaning of `deactivated` and `team` is unknown.
pub(super) const AIRSHIPS: KeyTable = KeyTable {
    keys: &[
        key("node", "name of a node of the world"),
        key("position", "place").unit("m"),
        key("yaw", "angle").unit("degree"),
        key("pitch", "angle").unit("degree"),
        key("max_speed", "number"),
        key("max_accel", "number"),
        key("accel_*", "number"),
        key("max_rate_*", "number"),
        key("min_pitch", "number"),
        key("max_pitch", "number"),
        key("net", "not known"),
        key("healthy", "not known"),
        key("num_healthy_required", "count"),
        key("engines", "not known"),
        key("deactivated", "not known"),
        key("team", "ally or enemy"),
        key("cannon_*", "not known"),
        key("left_cannons", "not known"),
        key("right_cannons", "not known"),
        key("targets", "not known"),
        key("gasbags", "not known"),
    ],
    nested: false,
};

/// Unit of the colors of Crimson Skies, which are stored in two ways.
const COLOR_UNIT: &str = "0 to 255 if a part is above 1, else 0 to 1";

/// The weather of a mission of Crimson Skies (`weather.zrd`), as CSVM documents it.
pub(super) const WEATHER: KeyTable = KeyTable {
    keys: &[
        key("VIEWING_RANGE", "list"),
        key("HIGH", "list"),
        key("MED", "list"),
        key("LOW", "list"),
        key("SW_HIGH", "list"),
        key("SW_MED", "list"),
        key("SW_LOW", "list"),
        key("CLIP_SCALE", "number"),
        key("FOG_SCALE", "number"),
        key("WIND", "list"),
        key("STATIC_VELOCITY", "vector").unit("m/s"),
        key("RANDOM_MAX_SPEED", "number").unit("m/s"),
        key("RANDOM_ACCEL", "number, each frame").unit("m/s"),
        key("RANDOM_ANG_VEL", "number").unit("degree/s"),
        key("CLOUD_COVER", "list"),
        key("TOP", "height").unit("m").or("280"),
        key("BOTTOM", "height").unit("m").or("240"),
        key("THICKNESS", "height of the band in which zone 2 begins").unit("m"),
        key("TOP_COLOR", "red, green, blue").unit(COLOR_UNIT),
        key("BOTTOM_COLOR", "red, green, blue").unit(COLOR_UNIT),
        key("ZONE#", "list"),
        key("SW_ZONE#", "list"),
        key("FOG_COLOR", "red, green, blue").unit(COLOR_UNIT),
        key("FOG_RANGES", "near and far, on the level, linear").unit("m"),
        key("CLIP_RANGES", "near and far").unit("m"),
        key("FOG_ALTITUDE", "low and high").unit("m"),
        key(
            "SUNLIGHT_ORIENTATION",
            "pitch, yaw, roll: light travels along -Z",
        )
        .unit("degree")
        .or("[-90, 0, 0]"),
        key("SUNLIGHT_DIFFUSE", "strength from the sun"),
        key("SUNLIGHT_AMBIENT", "strength from everywhere"),
        key("SUNLIGHT_ACTIVE", "flag"),
        key("SUNLIGHT_*", "not known"),
        key("SHADOW_ANGLES", "numbers").unit("degree"),
        key("TYPE", "RAIN or SNOW"),
        key("PARTICLES", "number").or("100"),
        key("COLOR", "number").unit("0 to 255"),
        key("WIND_VEL", "number"),
        key("GRAVITY", "number"),
        key("ALPHA_GRADIENT", "numbers"),
    ],
    nested: true,
};

/// The weather of Recoil's missions (`Weather.zrd`).
pub(super) const RECOIL_WEATHER: KeyTable = KeyTable {
    keys: &[
        key("MISSION#", "list"),
        key("TYPE", "SNOW or RAIN"),
        key("PARTICLES", "count").or("100"),
        key("COLOR", "red, green, blue").unit("0 to 255"),
        key("WIND_DIR", "not known"),
        key("WIND_VEL", "number"),
        key("GRAVITY", "number"),
        key("ALPHA_GRADIENT", "number"),
    ],
    nested: true,
};

/// Volumes of fog of a world of Crimson Skies (`fogvol.zrd`).
pub(super) const FOG_VOLUMES: KeyTable = KeyTable {
    keys: &[
        key("clutter", "list"),
        key("weight", "number"),
        key("nodes", "names of nodes"),
        key("far_fade_range", "numbers"),
        key("perp_dist_range", "numbers"),
        key("perturb_dist_range", "numbers"),
        key("scale_range", "numbers"),
        key("distance", "number"),
        key("fog_zone", "number"),
        key("fog_fade_dist", "number"),
        key("interior_fog_fade_dist", "number"),
        key("fog_color", "red, green, blue").unit(COLOR_UNIT),
    ],
    nested: true,
};

/// Zones of danger of Crimson Skies (`dzones.zrd`), over the nodes `dzpathN`.
pub(super) const DANGER_ZONES: KeyTable = KeyTable {
    keys: &[
        key("disable", "paths"),
        key("nosnapshot", "paths"),
        key("objective_numbers", "numbers of objectives, from 1"),
        key("dzpath#", "list"),
    ],
    nested: true,
};

/// The objectives of a mission of Recoil (`objectives.zrd`).
pub(super) const OBJECTIVES: KeyTable = KeyTable {
    keys: &[
        key("READ_TIME", "whole number").unit("s").or("4"),
        key("REVIEW_DELAY", "whole number").unit("s").or("4"),
        key("FINAL_MISSION", "flag"),
        key(
            "OBJECTIVE#",
            "picture, key of the title, of the text, of the text when done",
        ),
        key("AUTOPLAY", "flag"),
        key("ACTIVE", "path of a node; done when it becomes active"),
        key("INACTIVE", "path of a node; done when it becomes inactive"),
        key("READ_SOUND", "sound and delay"),
        key("REVIEW_SOUND", "sound"),
        key("OBJECTIVE_SOUND", "sound"),
    ],
    nested: true,
};

/// A turret of Recoil (`ai.zrd`).
pub(super) const TURRETS: KeyTable = KeyTable {
    keys: &[
        key(
            "PARTS",
            "names of 2 to 4 nodes: base, barrel, one or two fire points",
        ),
        key("DEACTIVATE", "not known"),
        key("EFFECT", "node and time").unit("s"),
        key("ACTIVATE_ON_HIT", "flag"),
        key("ALWAYS_LOOK_AT", "flag"),
        key("DAMAGE_PART", "node"),
        key("DESTROY_ANIM", "animation"),
        key("FIRE_ANIM", "animation"),
        key("HEALTH", "number").or("100"),
        key("INTERSECT_BVOL", "flag").or("1"),
        key("LOS", "flag"),
        key("SOUNDS", "list"),
        key("ON", "sound"),
        key("START", "sound"),
        key("STOP", "sound"),
        key("TARGETS", "up to 8 names of nodes"),
        key("MSL_LOCK", "not known"),
        key("WEAPON", "list"),
        key("NAME", "name of a weapon"),
        key("AMMO", "count"),
        key("BASE_MOVES", "flag"),
        key("DAMAGE_MODIFIER", "number").or("1"),
        key("DETECTION_RANGE", "number").or("200"),
        key("FIRE_DWELL", "number"),
        key("FIRE_RATE", "number").or("1"),
        key("FIRE_LIMITS", "two numbers"),
    ],
    nested: true,
};

/// Facts about a vehicle of a mission (`aiv.zrd`).
pub(super) const VEHICLES: KeyTable = KeyTable {
    keys: &[
        key("id", "number on the network; in Recoil 0 has no driver"),
        key(
            "net",
            "number of the net that it follows; most likely the id",
        ),
        key(
            "more",
            "further items of the record in MechWarrior 3; not known",
        ),
        key("heading", "angle about the vertical").unit("degree"),
        key("player", "flag"),
    ],
    nested: false,
};

/// Facts about a pickup (`puppies.zrd`).
pub(super) const PICKUPS: KeyTable = KeyTable {
    keys: &[
        key("type", "number of the kind, 0 to 39"),
        key(
            "amount",
            "count; 0 is stored for the usual amount of the kind",
        ),
        key("respawn", "time until it comes back").unit("s"),
    ],
    nested: false,
};

/// A net of paths of Recoil or MechWarrior 3 (`net_NN.zrd`).
pub(super) const NETS: KeyTable = KeyTable {
    keys: &[
        key(
            "version",
            "whole number: 105 in Recoil, which drops a net that states another one; 106 in MechWarrior 3",
        ),
        key("name", "text"),
        key("type", "ST, HI, FI or DE"),
        key("path_width", "number").or("10"),
        key("activate_rad", "number"),
        key("attack_rad", "number"),
        key("attack_dwell", "number"),
        key("pursuit_params", "two numbers"),
        key("pursuit_range", "two numbers"),
        key("not_pursuit_dwell", "number"),
        key("return_range", "number"),
        key("hide_times", "two numbers").or("[8, 4]"),
        key("attack_buddy", "name"),
        key("activate_buddy", "name; never read"),
        key(
            "attack_strategy",
            "by its first three letters: FOL, CIR, HEA, BAC, ZIG or SIT",
        )
        .or("\"HEA\""),
        key(
            "node_#",
            "a place: a number that Recoil never reads, place, links (-1: none), attributes; or an edge: two numbers of \
             places, attributes",
        ),
    ],
    nested: false,
};

/// Satellite pictures of maps of MechWarrior 3 (`maps.zrd`), with scale and place (Mech3DotNet).
pub(super) const MAPS: KeyTable = KeyTable {
    keys: &[
        key("name", "text"),
        key("bitmap", "picture"),
        key("mpp", "scale of the picture").unit("m per pixel"),
        key("offset", "place of the picture").unit("m"),
    ],
    nested: true,
};

/// Variables of a mission of MechWarrior 3 (`valves.zrd`): conditions and actions, as zStudio reads them.
pub(super) const VALVES: KeyTable = KeyTable {
    keys: &[
        key("all_zero", "true when all of the names in its list are 0"),
        key(
            "all_nonzero",
            "true when none of the names in its list is 0",
        ),
        key(
            "any_nonzero",
            "true when one of the names in its list is not 0",
        ),
        key("namelist", "names of valves"),
        key("attack_strategy", "actor and two numbers"),
        key("shutdown", "actor and two numbers"),
        key("delayupdate", "valve and time").unit("s"),
        key("destroy", "text and number"),
        key("sound", "text and number"),
        key("sound_once", "text and number"),
        key("teleport", "actor, place, heading in degrees, number"),
    ],
    nested: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn read(table: &KeyTable, source_text: &str) -> Json {
        let decoded = text::decode(source_text.as_bytes()).unwrap().value;
        table.document(&decoded.values().unwrap())
    }

    #[test]
    fn documents_are_cut_at_their_keys_in_every_shape() {
        let expected = serde_json::json!({
            "ZONE1": {"FOG_COLOR": [128, 0, 255], "SUNLIGHT_ORIENTATION": -25},
            "TYPE": "RAIN",
        });
        for source_text in [
            "(ZONE1 (FOG_COLOR (128 0 255) SUNLIGHT_ORIENTATION -25) TYPE RAIN)",
            "(ZONE1 (FOG_COLOR 128 0 255 SUNLIGHT_ORIENTATION (-25)) TYPE (RAIN))",
            "((ZONE1 (FOG_COLOR 128 0 255) (SUNLIGHT_ORIENTATION -25)) (TYPE RAIN))",
        ] {
            assert_eq!(read(&WEATHER, source_text), expected, "{source_text}");
        }
        assert_eq!(
            read(&WEATHER, "(7 TYPE RAIN TYPE SNOW)"),
            serde_json::json!({"values": 7, "TYPE": "RAIN", "again": [{"TYPE": "SNOW"}]})
        );
        assert_eq!(
            read(&WEATHER, "(nothing (known 1))"),
            serde_json::json!(["nothing", ["known", 1]])
        );
    }

    #[test]
    fn names_with_numbers_are_no_others() {
        let is = |pattern: &'static str, name: &str| key(pattern, "").is(name);
        assert!(is("ZONE#", "zone12") && !is("ZONE#", "ZONE") && !is("ZONE#", "ZONES"));
        assert!(is("accel_*", "ACCEL_time") && !is("accel_*", "accel_"));
        assert!(!is("OBJECTIVE#", "OBJECTIVE_SOUND"));
    }

    #[test]
    fn defaults_are_json() {
        for table in [
            AIRSHIPS,
            WEATHER,
            RECOIL_WEATHER,
            FOG_VOLUMES,
            OBJECTIVES,
            TURRETS,
            NETS,
            VALVES,
            DANGER_ZONES,
        ] {
            for key in table.keys {
                let default = key.default.map(serde_json::from_str::<Json>);
                assert!(
                    default.is_none_or(|default| default.is_ok()),
                    "{}",
                    key.name
                );
            }
        }
        assert_eq!(
            NETS.legend()["hide_times"]["default"],
            serde_json::json!([8, 4])
        );
    }
}
