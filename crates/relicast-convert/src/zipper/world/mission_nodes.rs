//! Nodes of the world that a mission moves, shows, hides and describes: airships, vehicles that are already in the
//! world, turrets, movers.

use std::collections::HashMap;

use glam::{DMat4, DQuat, DVec3};

use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layout, Nodes};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{GameZ, NodeData};
use relicast_scene::extras::{floats, zipper};
use relicast_scene::model::{Placement, Transform};

use super::actors;
use super::missions::Mission;
use super::records::{MissionPlacement, MissionPlacementKind};
use super::roots::is_thing;
use super::weather::Sunlight;

/// Changes that a mission makes to nodes of the world.
#[derive(Debug, Default)]
pub(super) struct MissionNodes {
    /// Poses of nodes in their parents.
    pub poses: Vec<(usize, Transform)>,
    /// Nodes that are shown, regardless of their flags.
    pub shown: Vec<usize>,
    /// Nodes that are hidden with all descendants.
    pub hidden: Vec<usize>,
    /// Extras of nodes: index, name, value.
    pub marks: Vec<(usize, zipper::Node)>,
    /// Items not found or left out, for the report.
    pub notes: Vec<String>,
    /// The sun of the mission's weather.
    pub sunlight: Option<Sunlight>,
}

/// The nodes of a world by name.
struct Names<'g> {
    gamez: &'g GameZ,
    /// By name in lower case, in order.
    places: HashMap<String, Vec<usize>>,
}

impl<'g> Names<'g> {
    fn new(gamez: &'g GameZ) -> Self {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, node) in gamez.nodes.used.iter().enumerate() {
            if is_thing(node) {
                places
                    .entry(node.name().to_lowercase())
                    .or_default()
                    .push(index);
            }
        }
        Self { gamez, places }
    }

    /// The node of a name in the highest slot.
    fn newest(&self, name: &str) -> Option<usize> {
        self.places.get(&name.to_lowercase())?.last().copied()
    }

    /// The node of a name: one at the top, else that of the highest slot.
    fn top(&self, name: &str) -> Option<usize> {
        let found = self.places.get(&name.to_lowercase())?;
        let is_top = |index: &&usize| {
            let node = self.gamez.node(**index);
            node.is_some_and(|node| match *node.parents.as_slice() {
                [] => true,
                [parent] => {
                    let parent = self.gamez.node(parent as usize);
                    parent.is_some_and(|parent| matches!(parent.data, NodeData::World(_)))
                }
                _ => false,
            })
        };
        found.iter().find(is_top).or_else(|| found.last()).copied()
    }
}

/// A transform with the scale that a node has.
fn pose(gamez: &GameZ, index: usize, place: DVec3, rotation: DQuat) -> Option<Transform> {
    let scale = match &gamez.node(index)?.data {
        NodeData::Object3d(object) => {
            let scale = DVec3::from_array(object.scale.to_array().map(f64::from));
            let is_valid = scale.is_finite() && scale.abs().min_element() > 0.0;
            if is_valid { scale } else { DVec3::ONE }
        }
        _ => DVec3::ONE,
    };
    let matrix = DMat4::from_scale_rotation_translation(scale, rotation, place);
    Placement::from_matrix(&matrix)
        .ok()
        .map(|placement| placement.outer())
}

/// Moves airships without a node in the scene: an airship whose node is one of `templates` becomes a placed object.
/// Vehicles of Recoil that have a node of their full name are copies of that node.
pub(super) fn settle(mission: &mut Mission, gamez: &GameZ, templates: &[usize]) {
    let is_template = |name: &str| {
        let mut names = templates.iter().filter_map(|&index| gamez.node(index));
        names.any(|node| node.name().eq_ignore_ascii_case(name))
    };
    let names = Names::new(gamez);
    let is_placed = |name: &str| {
        let top = names.top(name);
        top.is_some_and(|index| !templates.contains(&index))
    };
    for ship in std::mem::take(&mut mission.airships) {
        if is_placed(&ship.node) || !is_template(&ship.node) || ship.is_deactivated {
            mission.airships.push(ship);
            continue;
        }
        mission.things.push(MissionPlacement {
            kind: MissionPlacementKind::Airship,
            name: ship.node.clone(),
            template: Some(ship.node),
            place: ship.place,
            rotation: ship.rotation,
            facts: zipper::Placement {
                stored: ship.facts,
                ..zipper::Placement::default()
            },
        });
    }
    if matches!(
        gamez.version,
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon
    ) {
        actors::take_named(mission, gamez, templates);
    }
    if gamez.version == ZipperGame::Recoil {
        for mut thing in std::mem::take(&mut mission.things) {
            let is_vehicle = thing.kind == MissionPlacementKind::Vehicle;
            let newest = names.newest(&thing.name).filter(|_| is_vehicle);
            match newest {
                Some(index) if templates.contains(&index) => {
                    thing.template = Some(thing.name.clone());
                    mission.things.push(thing);
                }
                Some(index) => mission.standing.push((index, thing)),
                None => mission.things.push(thing),
            }
        }
    }
}

/// True for the four nodes that mark the place of a vehicle: `support00` to `support03`.
fn is_support(name: &str) -> bool {
    let number = name.to_lowercase();
    let number = number.strip_prefix("support").map(str::to_owned);
    number.is_some_and(|number| ["00", "01", "02", "03"].contains(&&*number))
}

impl MissionNodes {
    /// Changes to the nodes of a vehicle of Recoil. The game switches the nodes that only mark its place off
    /// once it has read them. Collision volumes are not drawn anyway.
    pub(super) fn of_vehicle(gamez: &GameZ) -> Self {
        let nodes = gamez.nodes.used.iter().enumerate();
        let supports = nodes.filter(|(_, node)| is_support(&node.name()));
        let hidden: Vec<usize> = supports.map(|(index, _)| index).collect();
        let mark = |&index: &usize| (index, switched_off_by("vehicle.zrd"));
        Self {
            marks: hidden.iter().map(mark).collect(),
            hidden,
            ..Self::default()
        }
    }

    /// Changes that a mission makes to the nodes of its world.
    pub(super) fn new(mission: &Mission, gamez: &GameZ) -> Self {
        let names = Names::new(gamez);
        let mut nodes = Self {
            sunlight: mission.sunlight,
            ..Self::default()
        };
        nodes.add_airships(mission, &names);
        nodes.add_standing(mission, gamez);
        nodes.add_turrets(mission, gamez);
        for name in &mission.movers {
            match names.top(name) {
                Some(index) => {
                    let mover = zipper::Node {
                        mover: Some(true),
                        ..zipper::Node::default()
                    };
                    nodes.marks.push((index, mover));
                }
                None => nodes.notes.push(format!(
                    "movers.zrd names {name}, but no node has this name"
                )),
            }
        }
        nodes
    }

    fn add_airships(&mut self, mission: &Mission, names: &Names<'_>) {
        let mut known: Vec<usize> = Vec::new();
        for ship in &mission.airships {
            let found = names.top(&ship.node);
            let Some((index, pose)) = found.and_then(|index| {
                Some((index, pose(names.gamez, index, ship.place, ship.rotation)?))
            }) else {
                let note = format!(
                    "zeppelins.zrd places {}, but no node has this name",
                    ship.node
                );
                self.notes.push(note);
                continue;
            };
            if known.contains(&index) {
                let note = format!(
                    "zeppelins.zrd places {} more than once; the first place was used",
                    ship.node
                );
                self.notes.push(note);
                continue;
            }
            known.push(index);
            self.poses.push((index, pose));
            match ship.is_deactivated {
                true => self.hidden.push(index),
                false => self.shown.push(index),
            }
            let airship = zipper::Airship {
                stored: ship.facts.clone(),
                is_deactivated: ship.is_deactivated,
            };
            let facts = zipper::Node {
                airship: Some(airship),
                ..zipper::Node::default()
            };
            self.marks.push((index, facts));
        }
    }

    fn add_standing(&mut self, mission: &Mission, gamez: &GameZ) {
        for (index, name) in &mission.taken {
            self.hidden.push(*index);
            let facts = zipper::Node {
                taken_by: Some(name.clone()),
                ..zipper::Node::default()
            };
            self.marks.push((*index, facts));
        }
        for (index, thing) in &mission.standing {
            let index = *index;
            let Some(pose) = pose(gamez, index, thing.place, thing.rotation) else {
                continue;
            };
            self.poses.push((index, pose));
            self.shown.push(index);
            let facts = zipper::Node {
                placement: Some(thing.placement()),
                ..zipper::Node::default()
            };
            self.marks.push((index, facts));
        }
    }

    fn add_turrets(&mut self, mission: &Mission, gamez: &GameZ) {
        for definition in &mission.turrets {
            let mut count = 0_usize;
            for (index, node) in gamez.nodes.used.iter().enumerate() {
                if !is_thing(node) || !definition.names(&node.name()) {
                    continue;
                }
                count += 1;
                let turret = zipper::Turret {
                    pattern: definition.pattern.clone(),
                    stored: definition.facts.clone(),
                };
                let facts = zipper::Node {
                    turret: Some(turret),
                    ..zipper::Node::default()
                };
                self.marks.push((index, facts));
                for off in definition.off_below(gamez, index) {
                    self.hidden.push(off);
                    self.marks.push((off, switched_off_by("ai.zrd")));
                }
            }
            if count == 0 {
                let pattern = &definition.pattern;
                self.notes.push(format!(
                    "ai.zrd defines turrets {pattern}, but no node matches"
                ));
            }
        }
    }

    /// Hides and shows nodes of a layout.
    pub(super) fn hide<N>(&self, layout: &mut Layout<'_, N>) {
        layout.shown_nodes.extend(self.shown.iter().copied());
        for index in &self.hidden {
            layout.hidden_nodes.insert(*index);
            layout.shown_nodes.remove(index);
        }
    }

    /// Poses nodes of a scene under construction, and records their extras.
    pub(super) fn apply<N: Nodes>(&self, hierarchy: &mut HierarchyBuilder<'_, '_, '_, N>) {
        hierarchy.poses.extend(self.poses.iter().copied());
        for (index, mark) in &self.marks {
            let notes = hierarchy.notes.entry(*index).or_default();
            notes.merge(mark.clone());
        }
    }

    /// Nodes that were moved, in order, for the extras of the scene.
    pub(super) fn moved(&self, gamez: &GameZ) -> Vec<zipper::Moved> {
        let moved = self.poses.iter().filter_map(|(index, pose)| {
            Some(zipper::Moved {
                index: Some(*index),
                name: Some(gamez.node(*index)?.name()),
                place: Some(floats(pose.translation.to_array())),
            })
        });
        moved.collect()
    }
}

/// The facts of a node that a file switches off.
fn switched_off_by(file: &str) -> zipper::Node {
    zipper::Node {
        switched_off_by: Some(file.to_owned()),
        ..zipper::Node::default()
    }
}
