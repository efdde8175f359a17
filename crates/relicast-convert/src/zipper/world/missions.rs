//! Objects that mission readers place in a world, and other facts from these readers.
//!
//! - `aiv`: vehicles, in MechWarrior 3 all actors: each a name with a whole number, the place, and the heading in
//!   degrees. The name up to the first `_` before a digit is that of its template; in MechWarrior 3 see
//!   [`super::actors`]. In Recoil the first is the player, in Crimson Skies the one of that name, see
//!   [`super::airframes`]; for MechWarrior 3 no rule is known.
//! - `puppies`: pickups, see [`super::pickups`].
//! - `net_NN`: paths, see [`super::nets`]; Recoil begins with 01.
//! - `valves`: variables of a mission of MechWarrior 3, see [`super::valves`].
//! - `net`, `ne0NNNNN`: spawn points and patrol nets of Crimson Skies, see [`super::crimson_nets`].
//! - `zeppelins`: airships, see [`super::airships`].
//! - `ai`: turrets, see [`super::turrets`].
//! - `movers`: names of nodes that move.
//! - `weather`, `objectives`, `dzones`, `race`: stored in the extras of the scene, see [`super::key_table`].
//!
//! No game reads `aiv_easy`, `aiv_hard`, `puppies_easy`, `puppies_hard` or `net_00` from an archive (Recoil's demos
//! read the lists of a difficulty, and only as loose files). They place nothing and are reported as unread.
//!
//! The values of records may be bare, in lists, or after keys; values without a place are not a record.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use crate::Dependency;
use crate::zipper::settings::{self, Reader};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;

use super::airframes::player_plane;
use super::airships::{self, Airship};
use super::crimson_nets;
use super::crimson_vehicles;
use super::key_table::{
    AIRSHIPS, DANGER_ZONES, KeyTable, MAPS, NETS, OBJECTIVES, PICKUPS, TURRETS, VALVES, VEHICLES,
    WEATHER,
};
use super::nets::Net;
use super::pickups;
use super::records::MissionPlacement;
use super::turrets::{self, TurretDefinition};
use super::valves::Valves;
use super::vehicles;
use super::weather::{self, Sunlight};

/// A mission.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Mission {
    /// Short name, for the file.
    pub label: String,
    /// Path of its readers.
    pub source: String,
    pub(super) things: Vec<MissionPlacement>,
    pub(super) nets: Vec<Net>,
    /// Vehicles with a node of their full name in the world, which is moved: its index, and the vehicle.
    pub(super) standing: Vec<(usize, MissionPlacement)>,
    /// Nodes deeper in the world that vehicles use, and that are placed as copies: the index, and the vehicle's name.
    pub(super) taken: Vec<(usize, String)>,
    /// Variables.
    pub(super) valves: Valves,
    pub(super) airships: Vec<Airship>,
    pub(super) turrets: Vec<TurretDefinition>,
    /// Names of nodes that move.
    pub(super) movers: Vec<String>,
    /// The aircraft of the player, where the mission names one.
    pub(super) player_plane: Option<String>,
    /// The sun of its weather.
    pub(super) sunlight: Option<Sunlight>,
    /// Facts from documents, for the extras of the scene.
    pub(super) facts: zipper::Scene,
    /// Known facts about the keys of these documents.
    pub(super) keys: Map<String, Json>,
    /// Names of readers that no game reads.
    pub(super) unread: Vec<String>,
    /// For the report.
    pub(super) notes: Vec<String>,
    /// Names of all its readers in lower case.
    stems: BTreeSet<String>,
}

impl Mission {
    /// True if it changes the world or fills it.
    pub(super) fn is_filled(&self) -> bool {
        !(self.things.is_empty()
            && self.nets.is_empty()
            && self.standing.is_empty()
            && self.airships.is_empty()
            && self.turrets.is_empty()
            && self.movers.is_empty())
    }

    /// Adds a document to the extras, the first of a name.
    fn add_facts(&mut self, mut facts: zipper::Scene) {
        facts.merge(std::mem::take(&mut self.facts));
        self.facts = facts;
    }

    /// Adds the weather to the extras.
    fn add_weather(&mut self, weather: Json, table: &KeyTable) {
        self.add_facts(zipper::Scene {
            weather: Some(weather),
            ..zipper::Scene::default()
        });
        self.explain("weather", table);
    }

    /// Adds the known facts about the keys of a document.
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
        // Missions of Crimson Skies are below their worlds, whose readers are like those of a mission.
        ZipperGame::CrimsonSkies => apart.or_else(|| folder_above_worlds(&archives)),
        _ => apart.or_else(|| folder_above(&archives)),
    };
    let (shared, own): (Vec<_>, Vec<_>) = archives
        .into_iter()
        .partition(|archive| common.is_some_and(|common| folder_of(archive.path) == common));
    let own = own.into_iter();
    let mut missions: Vec<Mission> = own.map(|archive| of_archive(archive, version)).collect();
    match version {
        ZipperGame::CrimsonSkies => add_world_facts(&mut missions),
        ZipperGame::Recoil => add_game_facts(&mut missions, &shared),
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => add_map_facts(&mut missions, &shared),
    }
    missions
        .into_iter()
        .filter(|mission| mission.is_filled() || !mission.unread.is_empty())
        .collect()
}

/// The folder of archives that contains those of all others, if there is one.
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

/// The folder of archives that contains those of all others, if one of them is at least two folders deeper: it is
/// then the game's folder, with folders of worlds and of missions.
fn folder_above_worlds<'p>(archives: &[&Dependency<'p>]) -> Option<&'p str> {
    let depth = |folder: &str| folder.split('/').filter(|name| !name.is_empty()).count();
    let top = folder_above(archives)?;
    let mut folders = archives.iter().map(|archive| folder_of(archive.path));
    folders
        .any(|folder| depth(folder) >= depth(top) + 2)
        .then_some(top)
}

/// Adds facts from readers of the whole game to Recoil's missions: their weather.
fn add_game_facts(missions: &mut [Mission], shared: &[&Dependency<'_>]) {
    for archive in shared {
        settings::visit_named(std::slice::from_ref(*archive), &["weather"], |reader| {
            for mission in &mut *missions {
                let values = std::slice::from_ref(&reader.value);
                if let Some((weather, table)) = weather::recoil(values, &mission.label) {
                    mission.add_weather(weather, table);
                }
            }
        });
    }
}

/// Adds facts from readers of the whole game to the maps of MechWarrior 3: their satellite pictures.
fn add_map_facts(missions: &mut [Mission], shared: &[&Dependency<'_>]) {
    for archive in shared {
        settings::visit_named(std::slice::from_ref(*archive), &["maps"], |reader| {
            let values = std::slice::from_ref(&reader.value);
            let rows = settings::after(values, "maps", &[]);
            let rows = rows.unwrap_or_else(|| settings::unwrapped(values));
            let rows: Json = if MAPS.cuts(rows) {
                std::iter::once(MAPS.document(rows)).collect()
            } else {
                let rows = rows.iter().filter_map(Value::as_list);
                rows.map(|row| MAPS.document(row)).collect()
            };
            for mission in &mut *missions {
                mission.add_facts(zipper::Scene {
                    maps: Some(rows.clone()),
                    ..zipper::Scene::default()
                });
                mission.explain("maps", &MAPS);
            }
        });
    }
}

/// Adds missing documents of a mission from its world, whose folder contains that of the mission.
fn add_world_facts(missions: &mut [Mission]) {
    let all = missions.to_vec();
    for mission in missions {
        let folder = folder_of(&mission.source).to_owned();
        let has_missions = all.iter().any(|other| {
            let rest = folder_of(&other.source).strip_prefix(&*folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        });
        if has_missions {
            mission.nets.clear();
        }
        let above = all.iter().filter(|other| {
            let rest = folder.strip_prefix(folder_of(&other.source));
            rest.is_some_and(|rest| rest.starts_with('/'))
        });
        // A world's own readers do not make it a mission.
        for other in above {
            let hides = mission.stems.intersection(&other.stems);
            let hides: Vec<String> = hides.map(|stem| format!("{stem}.zrd")).collect();
            if !hides.is_empty() {
                mission.notes.push(format!(
                    "its readers replace those of the world: {}",
                    hides.join(", ")
                ));
                mission.facts.hides_readers = Some(hides);
            }
            mission.sunlight = mission.sunlight.or(other.sunlight);
            mission.add_facts(other.facts.clone());
            for (name, value) in &other.keys {
                mission.keys.entry(name).or_insert_with(|| value.clone());
            }
            // Patrol nets are those of the chapter.
            mission.nets.extend(other.nets.iter().cloned());
        }
    }
}

/// The folder of a path.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Short name of the mission of an archive: the text after `reader`, or else its folder.
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

/// The mission of an archive. An archive without objects is not a mission, but may have unread readers. Of readers
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
    vehicles::mark_player(&mut vehicles, version);
    let templates = crimson_vehicles::take_templates(&mut vehicles);
    if !templates.is_empty() {
        mission.notes.push(format!(
            "vehicle templates of generators, not placed: {} ({})",
            templates.len(),
            templates.join(", ")
        ));
        mission.add_facts(zipper::Scene {
            generator_templates: Some(templates),
            ..zipper::Scene::default()
        });
    }
    mission.things.splice(0..0, vehicles);
    let teleports = std::mem::take(&mut mission.valves.teleports);
    mission.things.extend(teleports);
    if let Some(valves) = mission.valves.facts(&mission.nets) {
        mission.add_facts(zipper::Scene {
            valves: Some(valves),
            ..zipper::Scene::default()
        });
        mission.explain("valves", &VALVES);
    }
    if version == ZipperGame::PiratesMoon && !mission.things.is_empty() {
        // No known program places the objects of Pirate's Moon's missions; the rules of MechWarrior 3 are used.
        mission.add_facts(zipper::Scene {
            placement_rules: Some(zipper::PlacementRules {
                from: Some(ZipperGame::MechWarrior3.short_name().to_owned()),
                certain: Some(false),
            }),
            ..zipper::Scene::default()
        });
    }
    mission
}

/// Adds the contents of a reader.
fn read(
    reader: &Reader<'_>,
    version: ZipperGame,
    vehicles: &mut Vec<MissionPlacement>,
    mission: &mut Mission,
) {
    let Reader { stem, value, .. } = reader;
    let values = std::slice::from_ref(value);
    match role_of(stem, version) {
        Some(OutputRole::Vehicles) => {
            vehicles.extend(vehicles::read(values, version));
            mission.explain("vehicles", &VEHICLES);
        }
        Some(OutputRole::Pickups) => {
            mission.things.extend(pickups::pickups(values));
            mission.explain("pickups", &PICKUPS);
        }
        Some(OutputRole::Path) => match Net::new(stem, values, version) {
            Some(net) if net.nodes.is_empty() && net.edges.is_empty() => {}
            Some(net) => {
                if let Some(odd) = net.odd_version {
                    mission.notes.push(format!(
                        "{stem}.zrd states the unknown version {odd}; its layout was detected by its shape"
                    ));
                }
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
                ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {
                    read_mech(stem, values, mission)
                }
            };
            if is_known {
                return;
            }
            if stem == "objectives" {
                mission.add_facts(zipper::Scene {
                    objectives: Some(settings::json(settings::unwrapped(values))),
                    ..zipper::Scene::default()
                });
            } else if let Some(values) = settings::after(values, "aiv", &[]) {
                vehicles.extend(vehicles::read(values, version));
            }
        }
    }
}

/// Documents of MechWarrior 3 and Pirate's Moon. False for others, and for documents that other code also reads.
fn read_mech(stem: &str, values: &[Value<'_>], mission: &mut Mission) -> bool {
    match stem {
        "valves" => mission.valves.add(values),
        "objectives" => {
            mission.valves.add_objectives(values);
            return false;
        }
        _ => return false,
    }
    true
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
            let weather = weather::crimson(values);
            mission.add_weather(weather.document, &WEATHER);
            mission.sunlight = mission.sunlight.or(weather.sunlight);
        }
        "dzones" => {
            mission.add_facts(zipper::Scene {
                danger_zones: Some(DANGER_ZONES.document(values)),
                ..zipper::Scene::default()
            });
            mission.explain("dangerZones", &DANGER_ZONES);
        }
        "net" => {
            let points = crimson_nets::spawn_points(values);
            if crimson_nets::has_spawn_points(&mission.label) {
                mission.things.extend(points);
            } else if !points.is_empty() {
                let note = "the game reads net.zrd only in multiplayer missions; its spawn points were not placed";
                mission.notes.push(note.to_owned());
            }
        }
        stem if crimson_nets::is_patrol(stem) => {
            let net = crimson_nets::patrol(stem, values);
            mission.nets.extend(net);
        }
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
                mission.add_weather(weather, table);
            }
        }
        "objectives" => {
            mission.add_facts(zipper::Scene {
                objectives: Some(OBJECTIVES.document(values)),
                ..zipper::Scene::default()
            });
            mission.explain("objectives", &OBJECTIVES);
        }
        "ai" => {
            mission.turrets.extend(turrets::definitions(values));
            if !mission.turrets.is_empty() {
                mission.explain("turrets", &TURRETS);
            }
        }
        "movers" => mission.movers.extend(settings::texts(values)),
        "race" => {
            mission.add_facts(zipper::Scene {
                race: Some(settings::json(settings::unwrapped(values))),
                ..zipper::Scene::default()
            });
        }
        _ => return false,
    }
    true
}

/// Kind of objects that a reader places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputRole {
    Vehicles,
    Pickups,
    Path,
    /// A reader named like one that places something, which the game does not read.
    Unread,
}

fn role_of(stem: &str, version: ZipperGame) -> Option<OutputRole> {
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
    let is_late = matches!(version, ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon);
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    if is_number && (is_late || (number.len() == 2 && number != "00")) {
        Some(OutputRole::Path)
    } else {
        Some(OutputRole::Unread)
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::template_of;
    use super::*;

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
            assert_eq!(role_of(stem, ZipperGame::Recoil), role, "{stem}");
        }
        for stem in ["net_00", "net_1", "net_100"] {
            let role = role_of(stem, ZipperGame::MechWarrior3);
            assert_eq!(role, Some(OutputRole::Path), "{stem}");
        }
    }

    #[test]
    fn names_determine_templates_and_files_determine_missions() {
        assert_eq!(template_of("ltank_01"), "ltank");
        assert_eq!(template_of("big_tank_2b"), "big_tank");
        assert_eq!(template_of("crate"), "crate");
        assert_eq!(label_of("zbd/c1/readermp2.zbd"), "mp2");
        assert_eq!(label_of("zbd/M3/ZRDR.ZBD"), "m3");
        assert_eq!(label_of("zbd/c1/reader.zbd"), "c1");
    }
}
