//! Objects that readers of missions place in a world, and what else they tell of it.
//!
//! - `aiv`: vehicles, each a name with the id on the network, the place, and the heading in degrees.
//!   The name up to the first `_` before a digit is that of its template. The first is the player, in
//!   Crimson Skies the one of that name, see [`super::airframes`].
//! - `puppies`: things to pick up, see [`super::pickups`].
//! - `net_NN` from 01 on: paths, see [`super::nets`].
//! - `zeppelins`: airships, see [`super::airships`].
//! - `ai`: turrets, see [`super::turrets`].
//! - `movers`: names of nodes that move.
//! - `weather`, `objectives`, `dzones`, `race`: told in the extras of the scene, see [`super::key_table`].
//!
//! No game reads `aiv_easy`, `aiv_hard`, `puppies_easy`, `puppies_hard` or `net_00` from an archive
//! (Recoil's demos read the lists of a difficulty, and only as loose files); they place nothing and are
//! told as unread.
//!
//! Most of these are Recoil's; readers of MechWarrior 3's missions have records of vehicles too, in a shape
//! that is not known. So records are taken whether their values are bare, in lists, or behind keys;
//! what has no place is no record.

use std::collections::BTreeSet;
use std::f64::consts::PI;

use glam::DVec3;
use serde_json::{Map, Value as Json};

use crate::convert::Dependency;
use crate::convert::zipper::settings::{self, Reader};
use crate::formats::kind::Kind;
use crate::formats::zipper::ZipperGame;
use crate::formats::zipper::zrd::Value;
use crate::scene::model::number;

use super::airframes::player_plane;
use super::airships::{self, Airship};
use super::key_table::{
    AIRSHIPS, DANGER_ZONES, KeyTable, NETS, OBJECTIVES, PICKUPS, TURRETS, VEHICLES,
};
use super::nets::Net;
use super::pickups;
use super::records::{
    MissionPlacement, MissionPlacementKind, Record, about, place, records, template_of, whole,
};
use super::turrets::{self, TurretDefinition};
use super::weather;

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
    pub(super) nets: Vec<Net>,
    /// Vehicles for which a node of their full name stands in the world, which is moved.
    pub(super) standing: Vec<MissionPlacement>,
    pub(super) airships: Vec<Airship>,
    pub(super) turrets: Vec<TurretDefinition>,
    /// Names of nodes that move.
    pub(super) movers: Vec<String>,
    /// The aircraft of the player, where the mission names one.
    pub(super) player_plane: Option<String>,
    /// What documents tell, for the extras of the scene.
    pub(super) facts: Map<String, Json>,
    /// What is known of the keys of these documents.
    pub(super) keys: Map<String, Json>,
    /// Names of readers that no game reads.
    pub(super) unread: Vec<String>,
    /// For the report.
    pub(super) notes: Vec<String>,
    /// Names of all its readers in lower case.
    stems: BTreeSet<String>,
}

impl Mission {
    /// Whether it changes the world or fills it.
    pub(super) fn is_filled(&self) -> bool {
        !(self.things.is_empty()
            && self.nets.is_empty()
            && self.standing.is_empty()
            && self.airships.is_empty()
            && self.turrets.is_empty()
            && self.movers.is_empty())
    }

    /// Notes a document in the extras, the first of a name.
    fn tell(&mut self, name: &str, value: Json, table: Option<&KeyTable>) {
        self.facts.entry(name).or_insert(value);
        if let Some(table) = table {
            self.explain(name, table);
        }
    }

    /// Tells what is known of the keys of a document.
    fn explain(&mut self, name: &str, table: &KeyTable) {
        self.keys.entry(name).or_insert_with(|| table.legend());
    }
}

/// The missions among the readers of a world. Readers in the folder `apart` belong to the whole game.
pub(super) fn missions(
    dependencies: &[Dependency<'_>],
    apart: Option<&str>,
    version: ZipperGame,
) -> Vec<Mission> {
    let archives = dependencies
        .iter()
        .filter(|dependency| dependency.kind == Kind::Archive);
    let archives: Vec<&Dependency<'_>> = archives.collect();
    let common = match version {
        // Missions of Crimson Skies lie below their worlds, whose readers are no more than those of a mission.
        ZipperGame::CrimsonSkies => apart,
        _ => apart.or_else(|| folder_above(&archives)),
    };
    let (shared, own): (Vec<_>, Vec<_>) = archives
        .into_iter()
        .partition(|archive| common.is_some_and(|common| folder_of(archive.path) == common));
    let own = own.into_iter();
    let mut missions: Vec<Mission> = own.map(|archive| of_archive(archive, version)).collect();
    match version {
        ZipperGame::CrimsonSkies => tell_of_worlds(&mut missions),
        ZipperGame::Recoil => tell_of_game(&mut missions, &shared),
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {}
    }
    missions
        .into_iter()
        .filter(|mission| mission.is_filled() || !mission.unread.is_empty())
        .collect()
}

/// The folder of archives that lies above those of all others, if there is one.
fn folder_above<'p>(archives: &[&Dependency<'p>]) -> Option<&'p str> {
    let folders = archives.iter().map(|archive| folder_of(archive.path));
    let top = folders.clone().min_by_key(|folder| folder.len())?;
    let is_below = |folder: &str| {
        let rest = folder.strip_prefix(top);
        rest.is_some_and(|rest| top.is_empty() || rest.starts_with('/'))
    };
    let mut others = folders.filter(|folder| *folder != top).peekable();
    (others.peek().is_some() && others.all(is_below)).then_some(top)
}

/// What readers of the whole game tell of Recoil's missions: their weather.
fn tell_of_game(missions: &mut [Mission], shared: &[&Dependency<'_>]) {
    for archive in shared {
        settings::visit_named(std::slice::from_ref(*archive), &["weather"], |reader| {
            for mission in &mut *missions {
                let values = std::slice::from_ref(&reader.value);
                if let Some((weather, table)) = weather::recoil(values, &mission.label) {
                    mission.tell("weather", weather, Some(table));
                }
            }
        });
    }
}

/// Documents that a mission lacks are those of the world, in whose folder that of the mission lies.
fn tell_of_worlds(missions: &mut [Mission]) {
    let all = missions.to_vec();
    for mission in missions {
        let folder = folder_of(&mission.source).to_owned();
        let above = all.iter().filter(|other| {
            let rest = folder.strip_prefix(folder_of(&other.source));
            rest.is_some_and(|rest| rest.starts_with('/'))
        });
        // A world's own readers make no mission of it.
        for other in above {
            let hides = mission.stems.intersection(&other.stems);
            let hides: Vec<String> = hides.map(|stem| format!("{stem}.zrd")).collect();
            if !hides.is_empty() {
                mission.notes.push(format!(
                    "its readers hide those of the world that are called {}",
                    hides.join(", ")
                ));
                mission
                    .facts
                    .insert("hidesReaders".to_owned(), Json::from(hides));
            }
            for (name, value) in &other.facts {
                mission.facts.entry(name).or_insert_with(|| value.clone());
            }
            for (name, value) in &other.keys {
                mission.keys.entry(name).or_insert_with(|| value.clone());
            }
        }
    }
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

/// The mission of an archive. One without things is none, but may have readers that are not read. Of readers
/// of one name the first is read.
fn of_archive(dependency: &Dependency<'_>, version: ZipperGame) -> Mission {
    let mut mission = Mission {
        label: label_of(dependency.path),
        source: dependency.path.to_owned(),
        ..Mission::default()
    };
    let mut vehicles = Vec::new();
    settings::visit(std::slice::from_ref(dependency), |reader| {
        if mission.stems.insert(reader.stem.clone()) {
            read(reader, version, &mut vehicles, &mut mission);
        }
    });
    mark_player(&mut vehicles, version);
    mission.things.splice(0..0, vehicles);
    mission
}

/// Takes what one reader has.
fn read(
    reader: &Reader<'_>,
    version: ZipperGame,
    vehicles: &mut Vec<MissionPlacement>,
    mission: &mut Mission,
) {
    let Reader { stem, value, .. } = reader;
    let values = std::slice::from_ref(value);
    match role_of(stem) {
        Some(OutputRole::Vehicles) => {
            vehicles.extend(self::vehicles(values));
            mission.explain("vehicles", &VEHICLES);
        }
        Some(OutputRole::Pickups) => {
            mission.things.extend(pickups::pickups(values));
            mission.explain("pickups", &PICKUPS);
        }
        Some(OutputRole::Path) => match Net::of(stem, values) {
            Some(net) if net.nodes.is_empty() => {}
            Some(net) => {
                mission.nets.push(net);
                mission.explain("nets", &NETS);
            }
            None => mission.unread.push(stem.clone()),
        },
        Some(OutputRole::Unread) => mission.unread.push(stem.clone()),
        None => {
            let is_known = match version {
                ZipperGame::CrimsonSkies => read_crimson(stem, values, mission),
                ZipperGame::Recoil => read_recoil(stem, values, mission),
                ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => false,
            };
            if is_known {
                return;
            }
            if stem == "objectives" {
                let plain = settings::json(settings::unwrapped(values));
                mission.tell("objectives", plain, None);
            } else if let Some(values) = settings::after(values, "aiv", &[]) {
                vehicles.extend(self::vehicles(values));
            }
        }
    }
}

/// Documents of Crimson Skies. False for others.
fn read_crimson(stem: &str, values: &[Value<'_>], mission: &mut Mission) -> bool {
    match stem {
        "zeppelins" => {
            mission.airships.extend(airships::airships(values));
            if !mission.airships.is_empty() {
                mission.explain("airships", &AIRSHIPS);
            }
        }
        "weather" => {
            let (weather, table) = weather::crimson(values);
            mission.tell("weather", weather, Some(table));
        }
        "dzones" => mission.tell(
            "dangerZones",
            DANGER_ZONES.document(values),
            Some(&DANGER_ZONES),
        ),
        "net" => mission.notes.push(
            "net.zrd holds lists of numbers without names: no path is made of them".to_owned(),
        ),
        "ia" => mission.player_plane = player_plane(values),
        _ => return false,
    }
    true
}

/// Documents of Recoil. False for others.
fn read_recoil(stem: &str, values: &[Value<'_>], mission: &mut Mission) -> bool {
    match stem {
        "weather" => {
            let found = weather::recoil(values, &mission.label);
            if let Some((weather, table)) = found {
                mission.tell("weather", weather, Some(table));
            }
        }
        "objectives" => {
            mission.tell("objectives", OBJECTIVES.document(values), Some(&OBJECTIVES));
        }
        "ai" => {
            mission.turrets.extend(turrets::definitions(values));
            if !mission.turrets.is_empty() {
                mission.explain("turrets", &TURRETS);
            }
        }
        "movers" => mission.movers.extend(settings::texts(values)),
        "race" => {
            let plain = settings::json(settings::unwrapped(values));
            mission.tell("race", plain, None);
        }
        _ => return false,
    }
    true
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

/// The first vehicle of a mission is the player's; in Crimson Skies the one that is called so, if any is.
fn mark_player(vehicles: &mut [MissionPlacement], version: ZipperGame) {
    let named = |vehicle: &MissionPlacement| vehicle.name.eq_ignore_ascii_case("player");
    let named = match version {
        ZipperGame::CrimsonSkies => vehicles.iter().position(named),
        _ => None,
    };
    if let Some(player) = vehicles.get_mut(named.unwrap_or(0)) {
        player.facts.insert("player".to_owned(), Json::from(true));
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
            mark_player(&mut things, ZipperGame::Recoil);
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
    fn the_player_of_crimson_skies_is_called_so() {
        let list = "(24 tank 28 boat wingman_2 (-1 (1. 2. 3.) 180. 0 5) \
                     player (-1 (4. 5. 6.) 170. 0 5))";
        for (version, player) in [
            (ZipperGame::CrimsonSkies, "player"),
            (ZipperGame::Recoil, "wingman_2"),
        ] {
            let mut things = read(list, vehicles);
            mark_player(&mut things, version);
            let mut marked = things
                .iter()
                .filter(|thing| thing.facts.contains_key("player"));
            assert_eq!(
                marked.next().map(|thing| &*thing.name),
                Some(player),
                "{things:?}"
            );
            assert_eq!(marked.next(), None);
        }
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
