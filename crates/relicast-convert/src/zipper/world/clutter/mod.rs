//! Clutter of Crimson Skies' worlds, which is not stored in nodes: forests and city blocks on the ground, clouds in
//! fog volumes.
//!
//! - `random` — the game's random number generator;
//! - `lattice` — places by the texture of the ground;
//! - `registry` — contents of `templates.zrd`;
//! - `ground` — templates, and their triangles of the ground;
//! - `clouds` — the field of clouds of a fog volume;
//! - `parts` — the meshes of the objects.
//!
//! The rules are from the documentation of CSVM (CC BY 4.0), which read them from the program. Places by texture
//! follow from the files. Sizes and choices are random, and the sources do not describe the generator, so that they
//! are marked with `"certain": false`, and nothing else depends on them.

mod clouds;
mod ground;
mod lattice;
mod parts;
mod random;
mod registry;

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use crate::Sink;
use crate::options::ConvertOptions;
use crate::zipper::scene::scene_builder::SceneBuilder;
use relicast_codec::quantity::counted;
use relicast_formats::zipper::ZipperGame;
use relicast_limits as limits;
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::Extras;
use relicast_scene::model::{Node, NodeId, Placement, Scene, Transform};

use super::file::WorldFile;
use parts::{Part, PartMaker};
use random::Random;

/// Maximum number of objects in a world.
const MAX_THINGS: usize = 500_000;

/// Objects of one kind, each with its place, scale and node.
#[derive(Debug, Default)]
struct Crowd {
    /// Name of the group.
    name: String,
    /// Facts about the group.
    facts: zipper::Clutter,
    /// Place, scale, and the node that is shown.
    things: Vec<Thing>,
}

/// An object of the clutter.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Thing {
    point: DVec3,
    scale: f64,
    /// Index of the node in the file.
    node: usize,
}

/// Results for the clutter of a world.
#[derive(Debug, Default)]
struct Strewn {
    crowds: Vec<Crowd>,
    /// For the report.
    notes: Vec<String>,
}

impl Strewn {
    fn count(&self) -> usize {
        self.crowds.iter().map(|crowd| crowd.things.len()).sum()
    }

    /// True if another object would exceed the maximum.
    fn is_full(&self, crowd: &Crowd) -> bool {
        self.count() + crowd.things.len() >= MAX_THINGS
    }
}

impl WorldFile<'_> {
    /// Adds the clutter of the world to the first scene of a file. Other scenes do not repeat it, because a glTF
    /// node is in a single scene.
    pub(super) fn add_clutter(
        &self,
        options: &ConvertOptions,
        builder: &mut SceneBuilder,
        sink: &mut dyn Sink,
    ) {
        if self.gamez.version != ZipperGame::CrimsonSkies {
            return;
        }
        if !options.worlds.clutter {
            let text =
                "ground clutter and clouds were left out; to add them, set worlds.clutter = true";
            sink.note(text.to_owned());
            return;
        }
        let mut strewn = Strewn::default();
        self.strew_ground(options, &mut strewn);
        self.strew_clouds(&mut strewn);
        strewn.notes.drain(..).for_each(|note| sink.note(note));
        let count = strewn.count();
        if count == 0 {
            return;
        }
        if count >= MAX_THINGS {
            sink.note(format!(
                "clutter has too many objects: only the first {MAX_THINGS} were converted"
            ));
        }
        let shown = strewn.crowds.iter().flat_map(|crowd| &crowd.things);
        let mut maker = PartMaker::new(self, options);
        maker.make(shown.map(|thing| thing.node), builder);
        let scene = &mut builder.scene;
        let facts = zipper::Clutter {
            things: Some(count),
            random: Some(RANDOM.to_owned()),
            certain: Some(false),
            ..zipper::Clutter::default()
        };
        let group = scene.add_node(Node {
            name: "clutter".to_owned(),
            extras: clutter_extras(facts),
            ..Node::default()
        });
        for crowd in strewn
            .crowds
            .into_iter()
            .filter(|crowd| !crowd.things.is_empty())
        {
            add_crowd(&crowd, group, &maker, scene);
        }
        scene.roots.push(group);
        sink.note(format!(
            "{} of ground clutter and clouds added",
            counted(count, "object", "objects")
        ));
    }
}

/// Random choice of sizes and templates.
const RANDOM: &str =
    "rand() of Microsoft's C runtime; the game's generator and its order of draws are not known";

fn clutter_extras(clutter: zipper::Clutter) -> Extras {
    let facts = zipper::Node {
        clutter: Some(clutter),
        ..zipper::Node::default()
    };
    facts.extras()
}

/// Adds a group with a node for each mesh, which has the places of all objects with this mesh.
fn add_crowd(crowd: &Crowd, above: NodeId, maker: &PartMaker<'_, '_>, scene: &mut Scene) {
    let facts = zipper::Clutter {
        things: Some(crowd.things.len()),
        ..crowd.facts.clone()
    };
    let group = scene.add_node(Node {
        name: crowd.name.clone(),
        extras: clutter_extras(facts),
        ..Node::default()
    });
    scene.add_child(above, group);
    let mut kinds: BTreeMap<usize, Vec<&Thing>> = BTreeMap::new();
    for thing in &crowd.things {
        kinds.entry(thing.node).or_default().push(thing);
    }
    for (kind, things) in kinds {
        for part in maker.parts(kind) {
            limits::check();
            let node = scene.add_node(Node {
                name: crowd.name.clone(),
                mesh: Some(part.mesh),
                instances: things.iter().map(|thing| placed(thing, part)).collect(),
                ..Node::default()
            });
            scene.add_child(group, node);
        }
    }
}

/// Place of a part of an object: upright, rotated like its template.
fn placed(thing: &Thing, part: &Part) -> Transform {
    let matrix = DMat4::from_translation(thing.point)
        * DMat4::from_scale(DVec3::splat(thing.scale))
        * part.matrix;
    let placement = Placement::from_matrix(&matrix);
    placement.map_or(Transform::IDENTITY, |placement| placement.outer())
}

/// The seed of a generator for objects on the ground.
fn ground_random() -> Random {
    Random::new(0x8EA9_1836)
}
