//! Worlds with the objects of missions: the missions, the templates of their objects, and their scenes.

use serde_json::Value;

use crate::options::ConvertOptions;
use crate::zipper::messages::Texts;
use crate::zipper::scene::finish::measure_bounds;
use crate::zipper::scene::hierarchy::Layer;
use crate::zipper::scene::scene_builder::SceneBuilder;
use crate::zipper::settings;
use crate::{ConvertError, Dependency, OutputRole, Sink};
use relicast_codec::Deviations;
use relicast_formats::depth::Depth;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::{Asset, Document, Pictures};

use super::actors;
use super::airframes::{VehicleRoots, airframe_of_root};
use super::campaign;
use super::file::{Aircraft, WorldFile};
use super::key_table::FOG_VOLUMES;
use super::mission_nodes::{self, MissionNodes};
use super::missions::{self, Mission, folder_of};
use super::placements::{AllPictures, Template, place_mission};
use super::records::{MissionPlacement, MissionPlacementKind};
use super::roots;
use super::tables::{PolygonTables, Tables};
use super::weather::{Sunlight, unit_color};

/// The document of fog volumes with their color from 0 to 1 in addition to the stored one.
fn with_unit_color(document: Value) -> Value {
    let color = document.get("fog_color").and_then(unit_color);
    match document {
        Value::Object(stored) => {
            let facts = zipper::FogVolumes { stored, color };
            serde_json::to_value(facts).unwrap_or_default()
        }
        document => document,
    }
}

impl<'a> Aircraft<'a> {
    /// The library among the dependencies of a world. It uses the pictures of the world, as in the game.
    fn open(depth: Depth, dependencies: &[Dependency<'a>]) -> Option<Self> {
        let library = dependencies
            .iter()
            .find(|dependency| dependency.kind == Kind::GameZ)?;
        let pictures: Vec<Dependency<'a>> = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Textures)
            .copied()
            .collect();
        let name = library.path.rsplit('/').next().unwrap_or(library.path);
        let file = WorldFile::open_to(depth, name, library.bytes, &pictures).ok()?;
        Some(Self {
            path: library.path,
            file: Box::new(file),
        })
    }
}

impl<'a> WorldFile<'a> {
    /// Reads the missions of a world, and opens the aircraft that they place.
    pub(super) fn open_missions(&mut self, depth: Depth, dependencies: &[Dependency<'a>]) {
        let version = self.gamez.version;
        if version == ZipperGame::CrimsonSkies {
            self.aircraft = Aircraft::open(depth, dependencies);
            settings::visit_named(dependencies, &["fogvol"], |reader| {
                if self.fog_volumes.is_none() {
                    let values = std::slice::from_ref(&reader.value);
                    self.fog_volumes = Some(with_unit_color(FOG_VOLUMES.document(values)));
                }
            });
        }
        let mechs = self.mechs.as_ref().map(|mechs| mechs.path);
        let aircraft = self.aircraft.as_ref().map(|aircraft| aircraft.path);
        let apart = mechs.or(aircraft).map(folder_of);
        let vehicles = VehicleRoots::new(dependencies);
        let texts = Texts::new(dependencies);
        for mut mission in missions::missions(dependencies, apart, version) {
            for stem in &mission.unread {
                self.unread.push(format!("{}/{stem}.zrd", mission.source));
            }
            if !mission.is_filled() {
                continue;
            }
            mission_nodes::settle(&mut mission, &self.gamez, &self.templates);
            if version == ZipperGame::CrimsonSkies {
                let campaign = campaign::facts(&mission.source, &texts);
                mission.facts.campaign = campaign.or(mission.facts.campaign);
                let plane = mission.player_plane.clone();
                for thing in &mut mission.things {
                    name_aircraft(thing, &vehicles, plane.as_deref());
                }
            }
            self.missions.push(mission);
        }
    }

    /// The node of a name, in lower case: a root, else the first below one.
    fn named(&self, name: &str) -> Option<usize> {
        let is_so = |index: &usize| {
            let node = self.gamez.nodes.used.get(*index);
            node.is_some_and(|node| roots::is_thing(node) && node.name().to_lowercase() == name)
        };
        let mut templates = self.templates.iter().copied();
        let mut all = 0..self.gamez.nodes.used.len();
        templates.find(is_so).or_else(|| all.find(is_so))
    }

    /// Template for a name in missions: a model of the world, else a 'mech. Things to pick up may be copies of
    /// a node that is in the world, the one of the highest slot.
    fn template(
        &self,
        kind: MissionPlacementKind,
        name: &str,
        options: &ConvertOptions,
    ) -> Template {
        let is_late = matches!(
            self.gamez.version,
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon
        );
        if is_late && kind == MissionPlacementKind::Vehicle {
            return match *actors::objects_called(&self.gamez, name) {
                [] => self.mech(name, options),
                [root] => {
                    let mut hierarchy = self.assemble(Some(root), options);
                    let main = hierarchy.builders.remove(&Layer::Main);
                    let scene = main.map(|builder| builder.scene).unwrap_or_default();
                    Template::Scene(Box::new(scene), self.name.to_owned())
                }
                _ => Template::Ambiguous,
            };
        }
        let lower = name.to_lowercase();
        let is_so = |&&index: &&usize| {
            let own = self.gamez.nodes.used[index].name().to_lowercase();
            own.strip_suffix(".flt").unwrap_or(&own) == lower
        };
        let mut models: Vec<usize> = self.templates.iter().filter(is_so).copied().collect();
        if models.is_empty() && kind == MissionPlacementKind::Pickup {
            let nodes = 0..self.gamez.nodes.used.len();
            let mut things = nodes.rev().filter(|&index| {
                let node = self.gamez.nodes.used.get(index);
                node.is_some_and(roots::is_thing) && is_so(&&index)
            });
            models.extend(things.next());
        }
        match &*models {
            [] => {}
            &[root] => {
                let is_driven = kind == MissionPlacementKind::Vehicle
                    && self.gamez.version == ZipperGame::Recoil;
                let nodes = is_driven.then(|| MissionNodes::of_vehicle(&self.gamez));
                let layout = self.build_layout(Some(root), nodes.as_ref(), options);
                let mut hierarchy =
                    self.assemble_in(Some(root), layout, options, None, nodes.as_ref());
                let main = hierarchy.builders.remove(&Layer::Main);
                let scene = main.map(|builder| builder.scene).unwrap_or_default();
                return Template::Scene(Box::new(scene), self.name.to_owned());
            }
            _ => return Template::Ambiguous,
        }
        if let Some(aircraft) = &self.aircraft
            && kind == MissionPlacementKind::Vehicle
        {
            let file = &aircraft.file;
            let Some(root) = file.named(&lower) else {
                return Template::None;
            };
            let mut hierarchy = file.assemble(Some(root), options);
            let main = hierarchy.builders.remove(&Layer::Main);
            let scene = main.map(|builder| builder.scene).unwrap_or_default();
            return Template::Scene(Box::new(scene), aircraft.path.to_owned());
        }
        self.mech(name, options)
    }

    /// The 'mech of the library for a name.
    fn mech(&self, name: &str, options: &ConvertOptions) -> Template {
        let Some(mechs) = &self.mechs else {
            return Template::None;
        };
        let (found, is_certain) = mechs.bearing(name, self.gamez.version);
        match &*found {
            [] => Template::None,
            [entry] => match mechs.library.scene(&entry.name(), &entry.data, options) {
                Ok(scene) => {
                    let source = format!("{}/{}", mechs.path, entry.name());
                    let scene = Box::new(scene);
                    match is_certain {
                        true => Template::Scene(scene, source),
                        false => Template::Assumed(scene, source),
                    }
                }
                // The library itself reports why.
                Err(_) => Template::None,
            },
            _ => Template::Ambiguous,
        }
    }

    /// The world with the objects of a mission.
    pub(super) fn convert_mission(
        &self,
        mission: &Mission,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let nodes = MissionNodes::new(mission, &self.gamez);
        let start = self.start_of(&mission.source, options);
        let (mut builders, mut checks) = match &start {
            Some(state) => {
                let main = SceneBuilder::default();
                let assembled = self.assemble_start(state, main, false, Some(&nodes), options);
                (assembled.builders, assembled.layout.checks)
            }
            None => {
                let layout = self.build_layout(None, Some(&nodes), options);
                let assembled = self.assemble_in(None, layout, options, None, Some(&nodes));
                (assembled.builders, assembled.layout.checks)
            }
        };
        let main = builders.entry(Layer::Main).or_default();
        let scene = &mut main.scene;
        let populated = place_mission(scene, mission, |thing, name| {
            self.template(thing.kind, name, options)
        });
        self.add_clutter(options, main, sink);
        let scene = &mut main.scene;
        let mut facts = match &start {
            Some(state) => self.start_facts(state, &[], nodes.sunlight),
            None => {
                let mut facts = self.facts(&self.gamez);
                facts.merge(nodes.sunlight.map(Sunlight::facts).unwrap_or_default());
                facts
            }
        };
        facts.mission = Some(populated.facts(mission));
        facts.merge(mission.facts.clone());
        facts.moved = (!nodes.poses.is_empty()).then(|| nodes.moved(&self.gamez));
        if !mission.keys.is_empty() {
            let keys = facts.keys.get_or_insert_default();
            keys.extend(mission.keys.clone());
        }
        scene.name = format!("{} {}", self.stem(), mission.label);
        scene.extras = facts.extras();
        measure_bounds(&builders, &mut checks);
        let own = self.library.view(options);
        let mechs = self
            .mechs
            .as_ref()
            .map(|mechs| mechs.library.pictures(options));
        let pictures = AllPictures(&own, mechs.as_ref().map(|view| view as &dyn Pictures));
        let main = builders.get(&Layer::Main);
        if let Some(main) = main.filter(|_| sink.wants(OutputRole::Main)) {
            sink.take(OutputRole::Main, Asset::Scene(&main.scene, &pictures))?;
        }
        let tables = Tables {
            game: self.gamez.version.short_name(),
            checks: &checks,
            placements: Some(&populated),
            grid: None,
            templates: Vec::new(),
            unreachable: Vec::new(),
            polygons: PolygonTables::default(),
        };
        sink.take(OutputRole::Tables, Asset::Document(Document::new(&tables)))?;
        // The world's own item reports faults of the world itself.
        let notes = populated.notes().into_iter().chain(nodes.notes);
        let notes = notes.chain(mission.notes.iter().cloned());
        notes.for_each(|note| sink.note(note));
        Ok(Deviations::default())
    }
}

/// Names the aircraft for a vehicle of Crimson Skies.
fn name_aircraft(thing: &mut MissionPlacement, vehicles: &VehicleRoots, plane: Option<&str>) {
    if thing.kind != MissionPlacementKind::Vehicle {
        return;
    }
    let Some(found) = vehicles.aircraft(&thing.name, plane) else {
        return;
    };
    let facts = &mut thing.facts;
    if let Some(airframe) = airframe_of_root(&found.root) {
        facts.airframe = Some(airframe.shown_name.to_owned());
    }
    if let Some(why) = found.assumed {
        facts.assumed_from = Some(why.into());
    }
    thing.template = Some(found.root);
}
