//! EQG models placed in zones: a node for each placement. Placements without light of their
//! own share their meshes.

use std::collections::{BTreeMap, HashMap};

use crate::everquest::archive::{ArchiveSet, stem_of};
use crate::everquest::scene_builder::Layers;
use relicast_formats::everquest::eqg::{light, text};
use relicast_limits as limits;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Mesh, MeshId, Node, NodeId, Transform};

use super::models::ModelFile;
use super::shape::{self, Wanted};
use super::surfaces::{Origin, Surfaces};

/// Deepest nesting of lists of levels of detail that name other ones.
const MAX_LISTS: usize = 4;

/// Drawn and undrawn meshes of a piece, and true if the piece replaces another.
#[derive(Debug, Clone, Copy)]
struct Shared {
    visible: Option<MeshId>,
    invisible: Option<MeshId>,
    alternate: bool,
}

/// A placed model.
#[derive(Debug)]
pub(super) struct Placement {
    /// Name of the node.
    pub name: String,
    /// Name of the model's file.
    pub model: String,
    /// Transform of the placement.
    pub transform: Transform,
    /// Light that is stored with the placement.
    pub colors: Option<Vec<[u8; 4]>>,
    /// File of its light.
    pub light: String,
    /// Extras of the node.
    pub facts: everquest::Node,
}

/// Puts models into a scene.
pub(super) struct Placer<'p, 's, 'a> {
    pub layers: &'p mut Layers<'s, 'a>,
    pub set: &'s ArchiveSet<'a>,
    pub surfaces: Surfaces,
    /// Meshes of models in the light that is stored with them.
    shared: HashMap<Origin, Vec<Shared>>,
    /// Meshes of models in the light of a file.
    lit: HashMap<(Origin, String), Vec<Shared>>,
    /// Models by the names of their files.
    found: HashMap<String, Option<(Origin, &'s ModelFile)>>,
    /// Number of placements by model.
    pub models: BTreeMap<String, usize>,
    /// Placements whose light does not fit the model.
    pub odd_lights: Vec<String>,
}

impl<'p, 's, 'a> Placer<'p, 's, 'a> {
    pub(super) fn new(layers: &'p mut Layers<'s, 'a>, set: &'s ArchiveSet<'a>) -> Self {
        Self {
            layers,
            set,
            surfaces: Surfaces::default(),
            shared: HashMap::new(),
            lit: HashMap::new(),
            found: HashMap::new(),
            models: BTreeMap::new(),
            odd_lights: Vec::new(),
        }
    }

    /// The model of a file name. A list of levels of detail gives its finest.
    pub(super) fn model(&mut self, name: &str) -> Option<(Origin, &'s ModelFile)> {
        if let Some(known) = self.found.get(name) {
            return *known;
        }
        let found = self.search(name);
        self.found.insert(name.to_owned(), found);
        found
    }

    fn search(&self, name: &str) -> Option<(Origin, &'s ModelFile)> {
        let mut name = name.to_owned();
        for _ in 0..MAX_LISTS {
            let (place, member) = self.set.find_member(&name, 0)?;
            let opened = self.set.get(place)?;
            if let Some(file) = opened.models().get(member) {
                return Some((Origin { place, member }, file));
            }
            let bytes = opened.bytes(member)?;
            let list = bytes
                .starts_with(text::DETAIL)
                .then(|| text::decode(&bytes).ok());
            let levels = list.flatten()?.value.levels();
            let finest = levels.into_iter().find(|level| level.distance.is_some());
            name = finest?.model;
        }
        None
    }

    /// The colors of a file with baked light.
    fn light(&self, name: &str) -> Option<Vec<[u8; 4]>> {
        let bytes = self.set.bytes(name, 0)?;
        Some(light::decode(&bytes).ok()?.value.colors)
    }

    /// Light of a placement, as many colors as the model has vertices: that of the placement, of its file, or
    /// that of the model.
    fn colors(&mut self, placement: &Placement, file: &ModelFile) -> Option<Vec<[u8; 4]>> {
        let pieces = file.model.pieces("");
        let count: usize = pieces.iter().map(|piece| piece.vertices.len()).sum();
        let own = placement.colors.clone().filter(|colors| !colors.is_empty());
        let found = own.or_else(|| self.light(&placement.light));
        let fits = found.as_ref().is_none_or(|colors| colors.len() == count);
        if !fits {
            self.odd_lights.push(placement.name.clone());
        }
        found.filter(|_| fits)
    }

    /// The meshes of a placement. Placements in the same light share them.
    fn parts(&mut self, origin: Origin, file: &ModelFile, placement: &Placement) -> Vec<Shared> {
        let own = placement.colors.as_ref();
        let is_own = own.is_some_and(|colors| !colors.is_empty());
        let key = (origin, placement.light.clone());
        if let (false, Some(known)) = (is_own, self.lit.get(&key)) {
            return known.clone();
        }
        let light = self.colors(placement, file);
        let bakes = self.layers.baking().options.bakes();
        if let Some(light) = light.filter(|_| bakes) {
            let made = self.meshes(origin, file, Some(&light));
            if !is_own {
                self.lit.insert(key, made.clone());
            }
            return made;
        }
        if let Some(known) = self.shared.get(&origin) {
            return known.clone();
        }
        let made = self.meshes(origin, file, None);
        self.shared.insert(origin, made.clone());
        made
    }

    fn meshes(
        &mut self,
        origin: Origin,
        file: &ModelFile,
        light: Option<&[[u8; 4]]>,
    ) -> Vec<Shared> {
        let mut made = Vec::new();
        let mut start = 0_usize;
        for piece in file.model.pieces(self.name(origin).as_str()) {
            let own = piece.colors();
            let end = start.saturating_add(piece.vertices.len());
            let colors = light.map_or(Some(&*own), |light| light.get(start..end));
            start = end;
            let wanted = Wanted {
                origin,
                colors: colors.unwrap_or_default(),
                hidden: piece.alternate,
                joints: None,
            };
            let meshes = shape::make(self.layers, &mut self.surfaces, &file.model, &piece, wanted);
            let visible = meshes.visible.map(|mesh| match piece.alternate {
                true => self.layers.hidden().scene.add_mesh(mesh),
                false => self.layers.main.scene.add_mesh(mesh),
            });
            let invisible: Option<Mesh> = meshes.invisible;
            made.push(Shared {
                visible,
                invisible: invisible.map(|mesh| self.layers.hidden().scene.add_mesh(mesh)),
                alternate: piece.alternate,
            });
        }
        made
    }

    /// Name of a member without extension.
    pub(super) fn name(&self, origin: Origin) -> String {
        let opened = self.set.get(origin.place);
        let label = opened.and_then(|opened| opened.label(origin.member));
        stem_of(&label.unwrap_or_default())
    }

    /// Places a model below a node. False if there is no such model.
    pub(super) fn place(&mut self, above: NodeId, placement: Placement) -> bool {
        limits::check();
        let Some((origin, file)) = self.model(&placement.model) else {
            let missing = &mut self.layers.main.checks.missing_models;
            *missing.entry(placement.model).or_default() += 1;
            return false;
        };
        let parts = self.parts(origin, file, &placement);
        *self.models.entry(placement.model.clone()).or_default() += 1;
        let mut extras = placement.facts.extras();
        let facts = everquest::Node {
            model: Some(placement.model),
            ..everquest::Node::default()
        };
        facts.put_below(&mut extras);
        let shown: Vec<MeshId> = parts
            .iter()
            .filter(|part| !part.alternate)
            .filter_map(|part| part.visible)
            .collect();
        let scene = &mut self.layers.main.scene;
        let node = scene.add_node(Node {
            name: placement.name.clone(),
            transform: placement.transform,
            mesh: match &*shown {
                [mesh] => Some(*mesh),
                _ => None,
            },
            extras,
            ..Node::default()
        });
        scene.add_child(above, node);
        if let [_, _, ..] = &*shown {
            for mesh in shown {
                let child = scene.add_node(Node {
                    name: placement.name.clone(),
                    mesh: Some(mesh),
                    ..Node::default()
                });
                scene.add_child(node, child);
            }
        }
        for part in parts {
            let other = part.visible.filter(|_| part.alternate);
            for mesh in other.into_iter().chain(part.invisible) {
                let facts = everquest::Node {
                    hidden: Some(true),
                    ..everquest::Node::default()
                };
                self.layers.hidden().attach(Node {
                    name: placement.name.clone(),
                    transform: placement.transform,
                    mesh: Some(mesh),
                    extras: facts.extras(),
                    ..Node::default()
                });
            }
        }
        true
    }
}
