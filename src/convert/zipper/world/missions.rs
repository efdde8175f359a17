//! What readers of missions place in a world.
//!
//! - `aiv`: vehicles, each a name with the id on the network, the place, and the heading in degrees.
//!   The name up to the first `_` before a digit is that of its template. The first is the player.
//!   `aiv_easy` and `aiv_hard` take its place at other difficulties.
//! - `puppies`: things to pick up, each a type with the place and three angles in radians.
//! - `net_NN`: nodes of paths, each a name with a number, the place, and three links.
//!
//! These are Recoil's; readers of MechWarrior 3's missions have records of vehicles too, in a shape
//! that is not known. So records are taken whether their values are bare, in lists, or behind keys;
//! what has no place is no record.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value as Json};

use crate::convert::Companion;
use crate::convert::zipper::settings::{self, Reader};
use crate::formats::kind::Kind;
use crate::formats::zipper::reader::Value;
use crate::scene::model::number;

/// Places further out than this are damaged values.
const FARTHEST: f32 = 1e7;

/// Keys of a record of a vehicle.
const KEYS: [&str; 9] = [
    "position",
    "pos",
    "location",
    "heading",
    "direction",
    "id",
    "net_id",
    "model",
    "type",
];

/// What is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThingKind {
    Vehicle,
    Pickup,
    PathNode,
}

impl ThingKind {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Vehicle => "vehicle",
            Self::Pickup => "pickup",
            Self::PathNode => "pathNode",
        }
    }
}

/// Something that a mission places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thing {
    pub kind: ThingKind,
    pub name: String,
    /// Name of what it is a copy of.
    pub template: Option<String>,
    pub place: DVec3,
    pub rotation: DQuat,
    /// For extras.
    pub facts: Map<String, Json>,
}

/// A mission.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::convert) struct Mission {
    /// Short name, for the file.
    pub label: String,
    /// Path of its readers.
    pub source: String,
    pub(super) things: Vec<Thing>,
}

/// The missions among the readers of a world; `apart` is a folder whose readers are those of the whole
/// game.
pub(super) fn missions(companions: &[Companion<'_>], apart: Option<&str>) -> Vec<Mission> {
    let archives = companions.iter().filter(|it| it.kind == Kind::Archive);
    let archives = archives.filter(|it| apart.is_none_or(|apart| folder_of(it.path) != apart));
    archives.flat_map(of_archive).collect()
}

/// The folder of a path.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Short name of the mission of an archive: what follows `reader`, or else its folder.
fn label_of(path: &str) -> String {
    let lower = path.to_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let rest = stem.strip_prefix("reader").unwrap_or_default();
    let named = [rest, folder, stem]
        .into_iter()
        .find(|name| !name.is_empty());
    named.unwrap_or_default().to_owned()
}

/// The mission of an archive, and one for each other difficulty that it has.
fn of_archive(companion: &Companion<'_>) -> Vec<Mission> {
    let mut vehicles: Vec<(String, Vec<Thing>)> = vec![(String::new(), Vec::new())];
    let mut others = Vec::new();
    settings::visit(std::slice::from_ref(companion), |reader| {
        let Reader { stem, value, .. } = reader;
        let values = std::slice::from_ref(value);
        if let Some(variant) = stem.strip_prefix("aiv") {
            let variant = variant.trim_matches('_').to_owned();
            let found = self::vehicles(values);
            match vehicles.iter_mut().find(|(known, _)| *known == variant) {
                Some((_, known)) => known.extend(found),
                None => vehicles.push((variant, found)),
            }
        } else if stem.starts_with("puppies") {
            others.extend(records(values).into_iter().filter_map(pickup));
        } else if stem.starts_with("net_") {
            others.extend(records(values).into_iter().filter_map(path_node));
        } else if let Some(values) = settings::after(values, "aiv", &[]) {
            vehicles[0].1.extend(self::vehicles(values));
        }
    });
    let label = label_of(companion.path);
    let missions = vehicles.into_iter().map(|(variant, vehicles)| {
        let is_plain = variant.is_empty();
        let mut things = vehicles;
        if !things.is_empty() || is_plain {
            things.extend(others.iter().cloned());
        }
        Mission {
            label: match is_plain {
                true => label.clone(),
                false => format!("{label}_{variant}"),
            },
            source: companion.path.to_owned(),
            things,
        }
    });
    missions
        .filter(|mission| !mission.things.is_empty())
        .collect()
}

/// A record: what it starts with, and its values.
type Record<'r, 'v> = (&'r Value<'v>, &'r [Value<'v>]);

/// The records in a list: each a text with a list behind it or with bare values behind it, or a list.
fn records<'r, 'v>(values: &'r [Value<'v>]) -> Vec<Record<'r, 'v>> {
    let values = settings::unwrapped(values);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(value) = values.get(at) {
        let rest = values.get(at + 1..).unwrap_or_default();
        at += 1;
        match (value, rest.first()) {
            (Value::Text(_), Some(Value::List(list))) => {
                found.push((value, &**list));
                at += 1;
            }
            (Value::Text(_), _) => {
                let bare = |value: &&Value<'_>| matches!(value, Value::Int(_) | Value::Float(_));
                let length = rest.iter().take_while(bare).count();
                // Behind a number may come lists: an id, then a place.
                let lists = rest.get(length..).unwrap_or_default().iter();
                let lists = lists
                    .take_while(|value| !matches!(value, Value::Text(_)))
                    .count();
                found.push((value, rest.get(..length + lists).unwrap_or_default()));
                at += length + lists;
            }
            (Value::List(list), _) => {
                if let [first @ (Value::Text(_) | Value::Int(_)), rest @ ..] = &**list {
                    found.push((first, rest));
                }
            }
            (Value::Int(_) | Value::Float(_), _) => {}
        }
    }
    found
}

/// A place, when it is one.
fn place(numbers: &[f32]) -> Option<DVec3> {
    let [x, y, z] = numbers.get(..3)?.try_into().ok()?;
    let is_near = |value: f32| value.abs() <= FARTHEST;
    ([x, y, z].into_iter().all(is_near)).then(|| DVec3::from_array([x, y, z].map(f64::from)))
}

fn whole(number: Option<&f32>) -> Option<i64> {
    let value = *number?;
    (value.abs() < 1e9 && value.fract() == 0.0).then_some(value as i64)
}

/// Turn about an axis, the same on every machine.
fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The name of a template: up to the first `_` before a digit.
fn template_of(name: &str) -> &str {
    let marks = name.match_indices('_').find(|(at, _)| {
        let next = name.as_bytes().get(at + 1);
        next.is_some_and(u8::is_ascii_digit)
    });
    marks.map_or(name, |(at, _)| &name[..at])
}

fn vehicles(values: &[Value<'_>]) -> Vec<Thing> {
    let mut things: Vec<Thing> = records(values).into_iter().filter_map(vehicle).collect();
    if let Some(first) = things.first_mut() {
        first.facts.insert("player".to_owned(), Json::from(true));
    }
    things
}

fn vehicle((name, values): Record<'_, '_>) -> Option<Thing> {
    let name = name.as_text()?.shown().into_owned();
    let keyed = |keys: &[&str]| {
        let mut found = keys
            .iter()
            .filter_map(|key| settings::after(values, key, &KEYS));
        found.next()
    };
    let numbers = |values: Option<&[Value<'_>]>| settings::numbers(values.unwrap_or_default(), 5);
    let position = numbers(keyed(&["position", "pos", "location"]));
    let (id, position, heading) = match place(&position) {
        Some(position) => {
            let heading = numbers(keyed(&["heading", "direction"])).first().copied();
            (
                whole(numbers(keyed(&["id", "net_id"])).first()),
                position,
                heading,
            )
        }
        None => match &*settings::numbers(values, 5) {
            [id, rest @ ..] if rest.len() == 4 => {
                (whole(Some(id)), place(rest)?, rest.last().copied())
            }
            bare if bare.len() >= 3 => (None, place(bare)?, bare.get(3).copied()),
            _ => return None,
        },
    };
    let heading = heading
        .filter(|heading| heading.abs() <= 1e6)
        .unwrap_or(0.0);
    let template = keyed(&["model", "type"]).map(settings::texts);
    let template = template.and_then(|texts| texts.into_iter().next());
    let mut facts = Map::new();
    facts.extend(id.map(|id| ("id".to_owned(), Json::from(id))));
    facts.insert("heading".to_owned(), number(heading));
    Some(Thing {
        kind: ThingKind::Vehicle,
        template: Some(template.unwrap_or_else(|| template_of(&name).to_owned())),
        name,
        place: position,
        rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
        facts,
    })
}

fn pickup((first, values): Record<'_, '_>) -> Option<Thing> {
    let numbers = settings::numbers(values, 6);
    let place = place(&numbers)?;
    let angles: Option<[f32; 3]> = numbers.get(3..6).and_then(|angles| angles.try_into().ok());
    let angles = angles.filter(|angles| angles.iter().all(|angle| angle.abs() <= 1e3));
    let [x, y, z] = angles.unwrap_or_default().map(f64::from);
    let mut facts = Map::new();
    let (name, template) = match first {
        Value::Text(text) => {
            let name = text.shown().into_owned();
            (name.clone(), Some(template_of(&name).to_owned()))
        }
        Value::Int(kind) => {
            facts.insert("type".to_owned(), Json::from(*kind));
            (format!("pickup_{kind}"), None)
        }
        Value::Float(_) | Value::List(_) => return None,
    };
    Some(Thing {
        kind: ThingKind::Pickup,
        name,
        template,
        place,
        rotation: about(DVec3::Y, y) * about(DVec3::X, x) * about(DVec3::Z, z),
        facts,
    })
}

fn path_node((name, values): Record<'_, '_>) -> Option<Thing> {
    let name = name.as_text()?.shown().into_owned();
    let numbers = settings::numbers(values, 7);
    let is_node = name.to_lowercase().starts_with("node_");
    let place = place(numbers.get(1..)?).filter(|_| is_node)?;
    let mut facts = Map::new();
    let value = whole(numbers.first());
    facts.extend(value.map(|value| ("value".to_owned(), Json::from(value))));
    let links = numbers.get(4..).unwrap_or_default().iter();
    let links: Vec<i64> = links.filter_map(|link| whole(Some(link))).collect();
    facts.insert("links".to_owned(), Json::from(links));
    Some(Thing {
        kind: ThingKind::PathNode,
        name,
        template: None,
        place,
        rotation: DQuat::IDENTITY,
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::zipper::reader::text;

    fn read<T>(spelling: &str, make: impl Fn(&[Value<'_>]) -> T) -> T {
        make(
            &text::decode(spelling.as_bytes())
                .unwrap()
                .value
                .values()
                .unwrap(),
        )
    }

    #[test]
    fn vehicles_are_read_in_every_shape() {
        for spelling in [
            "(tank_00 (3 (1. 2. -3.) 90.) bft_01 (4 (0. 0. 0.) 0.))",
            "((tank_00 3 (1. 2. -3.) 90.) (bft_01 (4 (0. 0. 0.) 0.)))",
            "(tank_00 3 1. 2. -3. 90. bft_01 4 0. 0. 0. 0.)",
            "(tank_00 3 (1. 2. -3.) 90. bft_01 4 (0. 0. 0.) 0.)",
            "((tank_00 POSITION (1. 2. -3.) HEADING 90. ID 3) (bft_01 pos 0. 0. 0. id 4))",
        ] {
            let things = read(spelling, vehicles);
            let [tank, other] = &*things else {
                panic!("{spelling}: {things:?}")
            };
            assert_eq!(tank.template.as_deref(), Some("tank"), "{spelling}");
            assert_eq!(tank.place, DVec3::new(1.0, 2.0, -3.0), "{spelling}");
            let ahead = tank.rotation * DVec3::NEG_Z;
            assert!((ahead - DVec3::NEG_X).length() < 1e-12, "{spelling}");
            assert_eq!(tank.facts["id"], 3, "{spelling}");
            assert_eq!(tank.facts["player"], true);
            assert_eq!(
                (&*other.name, &other.facts["id"]),
                ("bft_01", &Json::from(4))
            );
            assert!(!other.facts.contains_key("player"));
        }
    }

    #[test]
    fn what_has_no_place_is_no_record() {
        for spelling in [
            "()",
            "(tank_00)",
            "(tank_00 (1 2) crate ((((7)))))",
            "(1 2 3 (4 5 6 7 8))",
            "(tank_00 (1 (100000000000000.0 0. 0.) 0.))",
        ] {
            assert!(read(spelling, vehicles).is_empty(), "{spelling}");
        }
    }

    #[test]
    fn pickups_and_nodes_of_paths_have_their_facts() {
        let things = read(
            "((ammo (1. 2. 3.) (0. 1.5 0.)) (7 (1. 2. 3.) (0. 0. 0.)))",
            |values| {
                records(values)
                    .into_iter()
                    .filter_map(pickup)
                    .collect::<Vec<Thing>>()
            },
        );
        assert_eq!(things[0].template.as_deref(), Some("ammo"));
        assert_eq!(
            (things[1].template.as_deref(), &things[1].facts["type"]),
            (None, &Json::from(7))
        );
        let nodes = read(
            "(node_00 (5 (1. 2. 3.) (1 -1 2)) other (5 (1. 2. 3.) (1 1 1)))",
            |values| {
                records(values)
                    .into_iter()
                    .filter_map(path_node)
                    .collect::<Vec<Thing>>()
            },
        );
        let [node] = &*nodes else { panic!("{nodes:?}") };
        assert_eq!(node.facts["links"], serde_json::json!([1, -1, 2]));
        assert_eq!(node.facts["value"], 5);
    }

    #[test]
    fn names_tell_templates_and_files_tell_missions() {
        assert_eq!(template_of("ltank_01"), "ltank");
        assert_eq!(template_of("big_tank_2b"), "big_tank");
        assert_eq!(template_of("crate"), "crate");
        assert_eq!(label_of("zbd/c1/readermp2.zbd"), "mp2");
        assert_eq!(label_of("zbd/M3/ZRDR.ZBD"), "m3");
        assert_eq!(label_of("zbd/c1/reader.zbd"), "c1");
    }
}
