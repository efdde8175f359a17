//! Objects that readers of missions place in a world.
//!
//! - `aiv`: vehicles, each a name with the id on the network, the place, and the heading in degrees.
//!   The name up to the first `_` before a digit is that of its template. The first is the player.
//! - `puppies`: things to pick up, see [`super::pickups`].
//! - `net_NN` from 01 on: nodes of paths, each a name with a number, the place, and three links.
//!
//! No game reads `aiv_easy`, `aiv_hard`, `puppies_easy`, `puppies_hard` or `net_00` from an archive
//! (Recoil's demos read the lists of a difficulty, and only as loose files); they place nothing and are
//! told as unread.
//!
//! These are Recoil's; readers of MechWarrior 3's missions have records of vehicles too, in a shape
//! that is not known. So records are taken whether their values are bare, in lists, or behind keys;
//! what has no place is no record.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value as Json};

use crate::convert::Dependency;
use crate::convert::zipper::settings::{self, Reader};
use crate::formats::kind::Kind;
use crate::formats::zipper::zrd::Value;
use crate::scene::model::number;

use super::pickups;
use super::records::{
    MissionPlacement, MissionPlacementKind, Record, about, place, records, template_of, whole,
};

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

/// A mission.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::convert) struct Mission {
    /// Short name, for the file.
    pub label: String,
    /// Path of its readers.
    pub source: String,
    pub(super) things: Vec<MissionPlacement>,
    /// Names of readers that no game reads.
    pub(super) unread: Vec<String>,
}

/// The missions among the readers of a world. Readers in the folder `apart` belong to the whole game.
pub(super) fn missions(dependencies: &[Dependency<'_>], apart: Option<&str>) -> Vec<Mission> {
    let archives = dependencies
        .iter()
        .filter(|dependency| dependency.kind == Kind::Archive);
    let archives =
        archives.filter(|archive| apart.is_none_or(|apart| folder_of(archive.path) != apart));
    let missions = archives.map(of_archive);
    missions
        .filter(|mission| !(mission.things.is_empty() && mission.unread.is_empty()))
        .collect()
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

/// The mission of an archive. One without things is none, but may have readers that are not read.
fn of_archive(dependency: &Dependency<'_>) -> Mission {
    let mut vehicles = Vec::new();
    let mut others = Vec::new();
    let mut unread = Vec::new();
    settings::visit(std::slice::from_ref(dependency), |reader| {
        let Reader { stem, value, .. } = reader;
        let values = std::slice::from_ref(value);
        match role_of(stem) {
            Some(OutputRole::Vehicles) => vehicles.extend(self::vehicles(values)),
            Some(OutputRole::Pickups) => others.extend(pickups::pickups(values)),
            Some(OutputRole::Path) => {
                others.extend(records(values).into_iter().filter_map(path_node))
            }
            Some(OutputRole::Unread) => unread.push(stem.clone()),
            None => {
                if let Some(values) = settings::after(values, "aiv", &[]) {
                    vehicles.extend(self::vehicles(values));
                }
            }
        }
    });
    mark_player(&mut vehicles);
    Mission {
        label: label_of(dependency.path),
        source: dependency.path.to_owned(),
        things: vehicles.into_iter().chain(others).collect(),
        unread,
    }
}

/// What a reader places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputRole {
    Vehicles,
    Pickups,
    Path,
    /// What is called like one that places something, and which no game reads.
    Unread,
}

fn role_of(stem: &str) -> Option<OutputRole> {
    let is_variant = |rest: &str| rest.starts_with('_');
    if let Some(rest) = stem.strip_prefix("aiv") {
        return match rest {
            "" => Some(OutputRole::Vehicles),
            _ => is_variant(rest).then_some(OutputRole::Unread),
        };
    }
    if let Some(rest) = stem.strip_prefix("puppies") {
        return match rest {
            "" => Some(OutputRole::Pickups),
            _ => is_variant(rest).then_some(OutputRole::Unread),
        };
    }
    let number = stem.strip_prefix("net_")?;
    let is_number = number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit());
    if is_number && number != "00" {
        Some(OutputRole::Path)
    } else {
        Some(OutputRole::Unread)
    }
}

fn vehicles(values: &[Value<'_>]) -> Vec<MissionPlacement> {
    records(values).into_iter().filter_map(vehicle).collect()
}

/// The first vehicle of a mission is the player's.
fn mark_player(vehicles: &mut [MissionPlacement]) {
    if let Some(first) = vehicles.first_mut() {
        first.facts.insert("player".to_owned(), Json::from(true));
    }
}

fn vehicle((name, values): Record<'_, '_>) -> Option<MissionPlacement> {
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
    Some(MissionPlacement {
        kind: MissionPlacementKind::Vehicle,
        template: Some(template.unwrap_or_else(|| template_of(&name).to_owned())),
        name,
        place: position,
        rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
        facts,
    })
}

fn path_node((name, values): Record<'_, '_>) -> Option<MissionPlacement> {
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
    Some(MissionPlacement {
        kind: MissionPlacementKind::PathNode,
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
    use crate::formats::zipper::zrd::text;

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
            let mut things = read(spelling, vehicles);
            mark_player(&mut things);
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
    fn nodes_of_paths_have_their_facts() {
        let nodes = read(
            "(node_00 (5 (1. 2. 3.) (1 -1 2)) other (5 (1. 2. 3.) (1 1 1)))",
            |values| {
                records(values)
                    .into_iter()
                    .filter_map(path_node)
                    .collect::<Vec<MissionPlacement>>()
            },
        );
        let [node] = &*nodes else { panic!("{nodes:?}") };
        assert_eq!(node.facts["links"], serde_json::json!([1, -1, 2]));
        assert_eq!(node.facts["value"], 5);
    }

    #[test]
    fn only_readers_that_the_game_reads_place_things() {
        for (stem, role) in [
            ("aiv", Some(OutputRole::Vehicles)),
            ("aiv_easy", Some(OutputRole::Unread)),
            ("puppies", Some(OutputRole::Pickups)),
            ("puppies_hard", Some(OutputRole::Unread)),
            ("net_00", Some(OutputRole::Unread)),
            ("net_01", Some(OutputRole::Path)),
            ("net_99", Some(OutputRole::Path)),
            ("net_1", Some(OutputRole::Unread)),
            ("aivatar", None),
            ("objectives", None),
        ] {
            assert_eq!(role_of(stem), role, "{stem}");
        }
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
