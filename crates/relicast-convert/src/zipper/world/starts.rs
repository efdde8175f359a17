//! Worlds at the start of missions, in scenes in addition to the stored one or instead of it.
//!
//! A start is another hierarchy of nodes with the meshes of the stored world. Nodes that are hidden at the start
//! become empty nodes at their place.

use crate::Sink;
use crate::options::{ConvertOptions, HideUnplaced, WorldState};
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Layout, Nodes, Purpose};
use crate::zipper::scene::material::Surfaces;
use crate::zipper::scene::scene_builder::SceneBuilder;
use crate::zipper::start::{self, Missions, StagedWorld, StartPlan};
use relicast_formats::zipper::gamez::{GameZ, Node, NodeData};
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{self, OtherScene};

use super::environment;
use super::file::WorldFile;
use super::markers;
use super::mission_nodes::MissionNodes;
use super::roots;
use super::waiting::{self, GivenPlace};
use super::weather::Sunlight;
use super::zones;

impl<'a> WorldFile<'a> {
    /// Files around the world for the start of missions. All calls must pass the same configuration.
    pub(super) fn around(&self, options: &ConvertOptions) -> &Missions<'a> {
        self.around.get_or_init(|| {
            let macros = options.worlds.macros();
            Missions::open(self.path, self.gamez().version, &self.dependencies, macros)
        })
    }

    /// Starts of missions; empty where worlds are wanted as stored.
    fn plans(&self, options: &ConvertOptions) -> Vec<StartPlan> {
        match options.worlds.state {
            WorldState::Stored => Vec::new(),
            WorldState::MissionStart | WorldState::Both if !self.has_world() => Vec::new(),
            WorldState::MissionStart | WorldState::Both => self.around(options).plans(),
        }
    }

    /// Records the sky that scripts name, where cameras name none.
    pub(super) fn note_scripted_skies<N: Nodes>(
        &self,
        options: &ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'_, '_, '_, N>,
    ) {
        for (name, axes) in self.around(options).skies() {
            let nodes = &self.gamez().nodes.used;
            let sky = nodes.iter().rposition(|node| node.name() == name);
            if let Some(sky) = sky.filter(|sky| !hierarchy.sky_nodes.contains(sky)) {
                let notes = hierarchy.notes.entry(sky).or_default();
                notes.sky = Some(axes.to_owned());
                hierarchy.sky_nodes.insert(sky);
            }
        }
    }

    /// The world at the start of the mission with these readers, with its facts.
    pub(super) fn start_of(
        &self,
        readers: &str,
        options: &ConvertOptions,
    ) -> Option<StagedWorld<'_>> {
        let plan = self.plans(options).into_iter().find(|plan| {
            let mut missions = plan.missions.iter();
            missions.any(|mission| mission.readers.iter().any(|path| path == readers))
        })?;
        Some(start::begin(self.gamez(), self.around(options), &plan, 0))
    }

    /// Actors that wait for a place from an animation, where the settings hide them.
    pub(super) fn waiting(
        &self,
        options: &ConvertOptions,
    ) -> impl Iterator<Item = (usize, &GivenPlace)> {
        let is_wanted = options.worlds.hide_unplaced != HideUnplaced::Never;
        let actors = is_wanted.then(|| {
            let actors = || waiting::actors(self.gamez(), &self.animations);
            self.waiting.get_or_init(actors)
        });
        let actors = actors.into_iter().flatten();
        actors.map(|(index, place)| (*index, place))
    }

    /// Changes that the readers of a start make to the nodes of the world, by the first of its missions.
    fn nodes_of(&self, plan: &StartPlan) -> Option<MissionNodes> {
        let mut missions = plan.missions.iter().filter_map(|planned| {
            let mut known = self.missions().iter();
            known.find(|known| planned.readers.contains(&known.source))
        });
        let mission = missions.next()?;
        Some(MissionNodes::new(mission, self.gamez()))
    }

    /// Assembles a staged world in the main scene of a builder, after its current contents.
    pub(super) fn assemble_start<'s, 'g>(
        &'s self,
        state: &'s StagedWorld<'g>,
        main: SceneBuilder,
        terse: bool,
        mission: Option<&MissionNodes>,
        options: &'s ConvertOptions,
    ) -> HierarchyBuilder<'s, 's, 'a, StagedWorld<'g>> {
        let version = self.gamez().version;
        let surfaces = Surfaces::new(&self.materials, self.library.view(options), version);
        let layout = self.build_start_layout(state, mission, options);
        let mut hierarchy = HierarchyBuilder::new(layout, surfaces, Purpose::World);
        let with_facts = main.stored_nodes.iter().map(|stored| stored.index.0);
        hierarchy.with_facts = terse.then(|| with_facts.collect());
        hierarchy.go_on_with(main);
        hierarchy.terse = terse;
        hierarchy.poses.clone_from(&state.poses);
        hierarchy.lit_nodes.clone_from(&state.lit);
        if state.gamez.nodes.world().is_none() {
            return hierarchy;
        }
        if !terse {
            for (index, mark) in markers::marks(self.gamez()) {
                let notes = hierarchy.notes.entry(index).or_default();
                notes.merge(mark);
            }
        }
        environment::note_sky(&state.gamez, &mut hierarchy);
        zones::note_hidden(&mut hierarchy);
        for (&node, notes) in &state.notes {
            let known = hierarchy.notes.entry(node).or_default();
            known.merge(notes.clone());
        }
        if let Some(mission) = mission {
            mission.apply(&mut hierarchy);
        }
        let sun = mission.and_then(|mission| mission.sunlight);
        environment::build_world(&state.gamez, sun, options, &mut hierarchy);
        self.put_start_lights(state, options, &mut hierarchy);
        hierarchy
    }

    /// The layout of a staged world. Nodes that are hidden at the start become empty nodes at their place.
    fn build_start_layout<'s, 'g>(
        &self,
        state: &'s StagedWorld<'g>,
        mission: Option<&MissionNodes>,
        options: &ConvertOptions,
    ) -> Layout<'s, StagedWorld<'g>> {
        let mut layout = Layout::new(state, &options.scenes);
        layout.stay_in_main();
        layout.hidden_nodes.clone_from(&self.hidden);
        layout.shown_nodes.clone_from(&self.shown);
        let unplaced = roots::hides_unplaced(self.gamez(), options).then(|| self.unplaced_nodes());
        let unplaced = unplaced.into_iter().flatten().copied();
        let waiting = self.waiting(options).map(|(index, _)| index);
        let waits = unplaced
            .chain(waiting)
            .filter(|index| !state.poses.contains_key(index));
        layout.hidden_nodes.extend(waits);
        layout
            .hidden_meshes
            .extend(zones::hidden_meshes(&state.gamez));
        if let Some(mission) = mission {
            mission.hide(&mut layout);
        }
        roots::add_world(&state.gamez, &mut layout);
        if state.gamez.nodes.world().is_some() {
            environment::add(&state.gamez, &mut layout);
        }
        layout
    }

    /// Removes the lights that are off at a start, and adds those of animations.
    fn put_start_lights<N: Nodes>(
        &self,
        state: &StagedWorld<'_>,
        options: &ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'_, '_, '_, N>,
    ) {
        let world = state.gamez.nodes.world();
        let above = world.and_then(|(index, _)| hierarchy.in_main(index));
        for &dark in &state.dark {
            let node = hierarchy.in_main(dark);
            let scene = hierarchy.main();
            if let Some(node) = node.and_then(|node| scene.nodes.get_mut(node.index())) {
                node.light = None;
                let facts = zipper::Node {
                    index: Some(dark),
                    shines: Some(false),
                    ..zipper::Node::default()
                };
                node.extras = facts.extras();
            }
        }
        for light in state.lights.values().filter(|light| light.is_active) {
            let scene = hierarchy.main();
            let facts = zipper::Node {
                of_animation: Some(light.name.clone()),
                ..zipper::Node::default()
            };
            let node = scene.add_node(model::Node {
                name: format!("light_{}", light.name),
                extras: facts.extras(),
                ..model::Node::default()
            });
            let mut source = Node {
                data: NodeData::Light(Box::new(light.light.clone())),
                ..Node::default()
            };
            source.record.name =
                relicast_formats::zipper::gamez::NodeName::new(&light.name).unwrap_or_default();
            let game = self.gamez().version;
            environment::furnish(&source, node, game, options, scene);
            match above {
                Some(above) => scene.add_child(above, node),
                None => scene.roots.push(node),
            }
        }
    }

    /// Adds the starts of missions to an assembled world: in addition to the stored scene, or instead of it.
    /// Returns the facts of the first scene, if that is a start.
    pub(super) fn add_starts<'s>(
        &'s self,
        options: &'s ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'s, 's, 'a, GameZ>,
        sink: &mut dyn Sink,
    ) -> Option<zipper::Scene> {
        let plans = self.plans(options);
        if plans.is_empty() {
            return None;
        }
        let replaces = options.worlds.state == WorldState::MissionStart;
        let stored = hierarchy.builders.remove(&Layer::Main).unwrap_or_default();
        let mut main = if replaces {
            SceneBuilder::default()
        } else {
            stored
        };
        let mut first_facts = None;
        for (serial, plan) in plans.iter().enumerate() {
            let state = start::begin(self.gamez(), self.around(options), plan, serial);
            let labels = plan.labels();
            let missions = labels.join(", ");
            let notes = state.report.notes(&missions).into_iter();
            notes.for_each(|note| sink.note(note));
            let nodes = self.nodes_of(plan);
            let sun = nodes.as_ref().and_then(|nodes| nodes.sunlight);
            let facts = self.start_facts(&state, &labels, sun);
            let is_first = replaces && serial == 0;
            let known = (main.scene.roots.len(), main.stored_nodes.len());
            let mut beside = self.assemble_start(&state, main, !is_first, nodes.as_ref(), options);
            main = beside.builders.remove(&Layer::Main).unwrap_or_default();
            if is_first {
                hierarchy.shown.retain(|shown| shown.layer != Layer::Main);
                hierarchy.shown.append(&mut beside.shown);
                first_facts = Some(facts);
                continue;
            }
            main.stored_nodes.truncate(known.1);
            let roots = main.scene.roots.split_off(known.0);
            main.scene.others.push(OtherScene {
                name: format!("{} {missions}", self.stem()),
                roots,
                extras: facts.extras(),
            });
        }
        hierarchy.builders.insert(Layer::Main, main);
        first_facts
    }

    /// Facts about a world at the start of missions.
    pub(super) fn start_facts(
        &self,
        state: &StagedWorld<'_>,
        labels: &[String],
        sun: Option<Sunlight>,
    ) -> zipper::Scene {
        let mut facts = self.facts(&state.gamez);
        facts.merge(sun.map(Sunlight::facts).unwrap_or_default());
        facts.settings = (!state.settings.is_empty()).then(|| state.settings.clone());
        facts.start = Some(zipper::Start {
            missions: (!labels.is_empty()).then(|| labels.to_vec()),
            ..state.report.facts()
        });
        facts
    }
}
