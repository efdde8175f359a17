//! Definitions of chassis of version 2 (`dfn_NAME.zrd` of MechWarrior 3): all their keys, the animations of a 'mech
//! and its loadouts.
//!
//! A definition is a flat list of keys with one value each. Source of keys and shapes: the reader of Mech3DotNet
//! for all shipped definitions, which accepts nothing else. Comments that remain as words, and start with `//`, end
//! a value.

use serde_json::{Map, Value as Json, json};

use crate::zipper::settings::{self, is_key};
use relicast_formats::zipper::zrd::Value;

/// Keys with one value and no separate field.
pub(super) const SETTINGS: [&str; 27] = [
    "version",
    "recoil_bend",
    "recoil_slide",
    "recoil_twist",
    "lean_angle",
    "lean_factor",
    "max_turn_rate",
    "accel_rate",
    "decel_rate",
    "aim_slerp_freq",
    "aim_min_pitch",
    "aim_max_pitch",
    "aim_min_yaw",
    "aim_max_yaw",
    "aim_arm_pitch_factor",
    "aim_ignore_arms",
    "torso_shake",
    "omnimech",
    "clan",
    "internal_mass",
    "max_mass",
    "weight_class",
    "engine_minmax",
    "animations",
    "configurations",
    "crouch_height",
    "chicken",
];

/// Keys of [`SETTINGS`] that also have a separate field.
const FIELDS: [&str; 4] = ["animations", "configurations", "crouch_height", "chicken"];

/// Keys of a loadout.
const LOADOUT: [&str; 5] = ["engine", "armor", "equipment", "weapons", "internal"];
const ENGINE: [&str; 3] = ["rating", "xl", "max_speed"];
const ARMOR: [&str; 7] = [
    "ferro-fibrous",
    "mass",
    "head",
    "torso",
    "torsolr",
    "arms",
    "legs",
];
const WEAPON: [&str; 3] = ["group", "ammo", "extra"];
const AMMO: [&str; 2] = ["part", "extra"];
const SHAKE: [&str; 5] = ["pitch_amp", "yaw_amp", "roll_amp", "freq", "damp_freq"];

/// Values up to a comment.
pub(super) fn without_comment<'r, 'v>(values: &'r [Value<'v>]) -> &'r [Value<'v>] {
    let is_comment = |value: &Value<'_>| {
        let text = value.as_text();
        text.is_some_and(|text| text.shown().starts_with("//"))
    };
    let end = values.iter().position(is_comment);
    values
        .get(..end.unwrap_or(values.len()))
        .unwrap_or_default()
}

/// A value as JSON, the words `true` and `false` as such.
fn plain(values: &[Value<'_>]) -> Json {
    let json = settings::json(settings::unwrapped(values));
    match json.as_str() {
        Some("true") => Json::Bool(true),
        Some("false") => Json::Bool(false),
        _ => json,
    }
}

/// Keys with the values after each.
type Pairs<'r, 'v> = Vec<(String, &'r [Value<'v>])>;

/// Values before the first key of a list, and the keys with the values after each.
fn keyed<'r, 'v>(values: &'r [Value<'v>], keys: &[&str]) -> (&'r [Value<'v>], Pairs<'r, 'v>) {
    let first = values.iter().position(|value| is_key(value, keys));
    let (before, mut rest) = values.split_at(first.unwrap_or(values.len()));
    let mut found = Vec::new();
    while let Some((key, behind)) = rest.split_first() {
        let end = behind.iter().position(|value| is_key(value, keys));
        let (own, next) = behind.split_at(end.unwrap_or(behind.len()));
        if let Some(key) = key.as_text() {
            found.push((key.shown().to_lowercase(), without_comment(own)));
        }
        rest = next;
    }
    (before, found)
}

fn object(values: &[Value<'_>], keys: &[&str]) -> Json {
    let (_, found) = keyed(settings::unwrapped(values), keys);
    if found.is_empty() {
        return plain(values);
    }
    let found = found.into_iter().map(|(key, own)| (key, plain(own)));
    Json::Object(found.collect())
}

/// The settings of a definition without a separate field. `get` returns the values of a key.
pub(super) fn settings_of<'r, 'v: 'r>(
    get: impl Fn(&str) -> Option<&'r [Value<'v>]>,
) -> Map<String, Json> {
    let mut found = Map::new();
    for key in SETTINGS {
        if FIELDS.contains(&key) {
            continue;
        }
        if let Some(values) = get(key) {
            let value = match key {
                "torso_shake" => object(values, &SHAKE),
                _ => plain(values),
            };
            found.insert(key.to_owned(), value);
        }
    }
    found
}

/// The animations that a definition names (`canned`): entries of the container of animations, not motions. `eject`
/// has the node that leaves the 'mech, and its position.
pub(super) fn animations(values: &[Value<'_>]) -> Map<String, Json> {
    let values = settings::unwrapped(values);
    let mut found = Map::new();
    let mut rest = values;
    while let Some((key, behind)) = rest.split_first() {
        let own = behind.first().map_or(&[][..], std::slice::from_ref);
        rest = behind.get(own.len()..).unwrap_or_default();
        let Some(key) = key.as_text().map(|key| key.shown().to_lowercase()) else {
            continue;
        };
        let own = settings::unwrapped(own);
        let object = match own {
            [Value::Text(name)] => json!({"animation": name.shown()}),
            [Value::Text(name), more @ ..] => {
                let (_, more) = keyed(more, &["ofs", "node"]);
                let mut object = Map::new();
                object.insert("animation".to_owned(), Json::from(name.shown()));
                for (key, own) in more {
                    let key = if key == "ofs" {
                        "offset".to_owned()
                    } else {
                        key
                    };
                    object.insert(key, plain(own));
                }
                Json::Object(object)
            }
            _ => settings::json(own),
        };
        found.insert(key, object);
    }
    found
}

/// The stock loadouts of a definition, by name. A weapon names its fire point; `part` is a section of the body. The
/// two armor values of the torso are probably its front and its rear.
pub(super) fn loadouts(values: &[Value<'_>]) -> Map<String, Json> {
    let values = settings::unwrapped(values);
    let mut found = Map::new();
    let mut name = None;
    for value in values {
        match value {
            Value::Text(text) => name = Some(text.shown().into_owned()),
            Value::List(list) => {
                // The name is before the list, or in it.
                let (own, list) = match (name.take(), &**list) {
                    (Some(name), list) => (name, list),
                    (None, [Value::Text(name), rest @ ..]) => {
                        (name.shown().into_owned(), settings::unwrapped(rest))
                    }
                    (None, _) => continue,
                };
                found.insert(own, loadout(list));
            }
            Value::Int(_) | Value::Float(_) => {}
        }
    }
    found
}

fn loadout(values: &[Value<'_>]) -> Json {
    let (_, found) = keyed(settings::unwrapped(values), &LOADOUT);
    let parts = found.into_iter().map(|(key, own)| {
        let object = match &*key {
            "engine" => object(own, &ENGINE),
            "armor" => armor(own),
            "equipment" => rows(own).map(equipment).collect(),
            "weapons" => rows(own).map(weapon).collect(),
            _ => plain(own),
        };
        (key, object)
    });
    Json::Object(parts.collect())
}

/// The lists in a list.
fn rows<'r, 'v>(values: &'r [Value<'v>]) -> impl Iterator<Item = &'r [Value<'v>]> {
    let values = match values {
        [Value::List(all)] if all.iter().all(|value| value.as_list().is_some()) => &**all,
        values => values,
    };
    values.iter().filter_map(Value::as_list)
}

fn armor(values: &[Value<'_>]) -> Json {
    let mut armor = object(values, &ARMOR);
    if let Some(torso) = armor.get_mut("torso")
        && let Some([front, rear]) = torso.as_array().map(Vec::as_slice)
    {
        *torso = json!({"front": front, "rear": rear, "certain": false});
    }
    armor
}

fn equipment(values: &[Value<'_>]) -> Json {
    match values {
        [Value::Text(kind), Value::Text(part)] => {
            json!({"type": kind.shown(), "part": part.shown()})
        }
        values => settings::json(values),
    }
}

fn weapon(values: &[Value<'_>]) -> Json {
    let (head, found) = keyed(values, &WEAPON);
    let [Value::Text(kind), Value::Text(point)] = head else {
        return settings::json(values);
    };
    let mut object = Map::new();
    object.insert("type".to_owned(), Json::from(kind.shown()));
    object.insert("firepoint".to_owned(), Json::from(point.shown()));
    for (key, own) in found {
        let own = match own {
            [Value::List(list)] => &**list,
            own => own,
        };
        let value = if key == "ammo" {
            let (count, found) = keyed(own, &AMMO);
            let mut ammo = Map::new();
            ammo.insert("count".to_owned(), plain(count));
            ammo.extend(found.into_iter().map(|(key, own)| (key, plain(own))));
            Json::Object(ammo)
        } else {
            own.iter().map(std::slice::from_ref).map(plain).collect()
        };
        object.insert(key, value);
    }
    Json::Object(object)
}

/// The cage of the cockpit, `["cage", [name, x, y, z]]`. The numbers are probably its offset.
pub(super) fn cage(values: &[Value<'_>]) -> Option<Json> {
    let mut texts = settings::texts(values).into_iter();
    let is_cage = texts.next()?.eq_ignore_ascii_case("cage");
    let name = texts.next().filter(|_| is_cage)?;
    let offset = settings::numbers(values, 3);
    let offset = offset.into_iter().map(relicast_scene::model::number);
    Some(json!({"name": name, "offset": offset.collect::<Json>(), "certain": false}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;

    #[test]
    fn animations_of_a_chassis_are_no_motions() {
        let canned = values(
            "(eject (eject_seat ofs (0. 1.5 -2.) node pilot) jumpjets jumpjets narc narc_shroud)",
        );
        assert_eq!(
            Json::Object(animations(&canned)),
            json!({
                "eject": {"animation": "eject_seat", "offset": [0.0, 1.5, -2.0], "node": "pilot"},
                "jumpjets": {"animation": "jumpjets"},
                "narc": {"animation": "narc_shroud"},
            })
        );
    }

    #[test]
    fn loadouts_have_weapons_at_fire_points() {
        let stock = values(
            "(STOCK (engine (rating 250 xl true max_speed 24.5) \
                armor (ferro-fibrous false mass 9.5 head 9 torso (30 10) torsolr (20 8) arms 20 legs 30) \
                equipment ((heat_sink torso) (heat_sink legs)) \
                weapons ((ac10 rgun group (1 2) ammo (20 part rtorso)) (laser lgun group (1) extra (2))) internal 12.5))",
        );
        assert_eq!(
            Json::Object(loadouts(&stock)),
            json!({"STOCK": {
                "engine": {"rating": 250, "xl": true, "max_speed": 24.5},
                "armor": {
                    "ferro-fibrous": false, "mass": 9.5, "head": 9,
                    "torso": {"front": 30, "rear": 10, "certain": false},
                    "torsolr": [20, 8], "arms": 20, "legs": 30,
                },
                "equipment": [
                    {"type": "heat_sink", "part": "torso"}, {"type": "heat_sink", "part": "legs"},
                ],
                "weapons": [
                    {"type": "ac10", "firepoint": "rgun", "group": [1, 2],
                     "ammo": {"count": 20, "part": "rtorso"}},
                    {"type": "laser", "firepoint": "lgun", "group": [1], "extra": [2]},
                ],
                "internal": 12.5,
            }})
        );
    }

    #[test]
    fn odd_loadouts_end() {
        assert!(loadouts(&values("7 (1 2) ((3))")).is_empty());
        assert_eq!(
            Json::Object(loadouts(&values(
                "(A (weapons ((x) 5 (1 2)) armor heavy engine ()))"
            ))),
            json!({"A": {"weapons": [[["x"], 5, [1, 2]]], "armor": "heavy", "engine": []}})
        );
        assert!(animations(&values("5 (6)")).is_empty());
        assert_eq!(cage(&values("(lamps 3)")), None);
    }
}
