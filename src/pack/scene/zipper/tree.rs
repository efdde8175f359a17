//! The nodes and models of a world or of a 'mech, from either kind of file.

use std::collections::BTreeSet;

use glam::{DMat4, DVec3};

use crate::config::Config;
use relicast_codec::Box3;
use relicast_codec::Vec3;
use relicast_convert::zipper::{CornerSource, Materials, corner_sources};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    GameZ, MaterialRecord, MaterialReference, Model, ModelSlot, Node, NodeData,
};
use relicast_formats::zipper::mechlib::{MechMaterial, MechModel};

/// A tree of nodes with their models.
#[derive(Debug, Clone)]
pub(super) enum GameTree {
    /// A world or a library of aircraft.
    World(Box<GameZ>),
    /// A member of a model library, with the materials of the library.
    Mech {
        mech: MechModel,
        materials: Vec<MechMaterial>,
        version: ZipperGame,
    },
}

impl GameTree {
    pub(super) fn version(&self) -> ZipperGame {
        match self {
            Self::World(gamez) => gamez.version,
            Self::Mech { version, .. } => *version,
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::World(gamez) => gamez.nodes.used.len(),
            Self::Mech { mech, .. } => mech.nodes.len(),
        }
    }

    pub(super) fn node(&self, index: usize) -> Option<&Node> {
        match self {
            Self::World(gamez) => gamez.nodes.used.get(index),
            Self::Mech { mech, .. } => mech.nodes.get(index).map(|node| &node.node),
        }
    }

    pub(super) fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        match self {
            Self::World(gamez) => gamez.nodes.used.get_mut(index),
            Self::Mech { mech, .. } => mech.nodes.get_mut(index).map(|node| &mut node.node),
        }
    }

    /// Number above those of all models.
    pub(super) fn model_count(&self) -> usize {
        match self {
            Self::World(gamez) => gamez.models.slots.len(),
            Self::Mech { mech, .. } => mech.nodes.len(),
        }
    }

    /// The number of the model that a node shows.
    pub(super) fn model_of(&self, node: usize) -> Option<usize> {
        match self {
            Self::World(gamez) => {
                let slot = gamez.nodes.used.get(node)?.model()?;
                gamez.models.get(slot).map(|_| slot)
            }
            Self::Mech { mech, .. } => mech.nodes.get(node)?.model.as_ref().map(|_| node),
        }
    }

    pub(super) fn model(&self, number: usize) -> Option<&Model> {
        match self {
            Self::World(gamez) => gamez.models.get(number),
            Self::Mech { mech, .. } => mech.nodes.get(number)?.model.as_deref(),
        }
    }

    pub(super) fn model_mut(&mut self, number: usize) -> Option<&mut Model> {
        match self {
            Self::World(gamez) => match gamez.models.slots.get_mut(number)? {
                ModelSlot::Used(model) => Some(model),
                ModelSlot::Free { .. } => None,
            },
            Self::Mech { mech, .. } => mech.nodes.get_mut(number)?.model.as_deref_mut(),
        }
    }

    /// A material of the game file.
    pub(super) fn material(&self, number: usize) -> Option<&MaterialRecord> {
        match self {
            Self::World(gamez) => gamez.materials.used.get(number).map(|it| &it.record),
            Self::Mech { materials, .. } => materials.get(number).map(|it| &it.record),
        }
    }

    /// Number of uses of each material by a model, by the rule of its game.
    pub(super) fn expected_references(&self, number: usize) -> Option<Vec<MaterialReference>> {
        let version = self.version();
        let model = self
            .model(number)
            .filter(|_| version.since(ZipperGame::PiratesMoon))?;
        Some(match self {
            Self::World(gamez) => model.expected_references(version, false, |material| {
                let place = usize::try_from(material).ok();
                let found = place.and_then(|place| gamez.materials.used.get(place));
                found.is_some_and(|material| material.cycle.is_some())
            }),
            Self::Mech { .. } => model.expected_references(version, true, |_| false),
        })
    }

    /// Sources of the corners of the mesh of a model.
    pub(super) fn sources(
        &self,
        number: usize,
        bare: bool,
        config: &Config,
    ) -> Vec<Vec<CornerSource>> {
        match self.model(number) {
            Some(model) => corner_sources(model, self.materials(), bare, &config.options()),
            None => Vec::new(),
        }
    }

    /// The materials that polygons name.
    pub(super) fn materials(&self) -> Materials<'_> {
        match self {
            Self::World(gamez) => Materials::World(gamez),
            Self::Mech {
                materials, version, ..
            } => Materials::Library(materials, *version),
        }
    }

    /// Computes the list of used materials anew that later games store in a model, if there is one.
    pub(super) fn refer(&self, model: &mut Model) {
        let version = self.version();
        if !version.since(ZipperGame::PiratesMoon) {
            return;
        }
        let is_cycled = |material: i32| match self {
            Self::World(gamez) => {
                let place = usize::try_from(material).ok();
                let material = place.and_then(|place| gamez.materials.used.get(place));
                material.is_some_and(|material| material.cycle.is_some())
            }
            Self::Mech { .. } => false,
        };
        let is_library = matches!(self, Self::Mech { .. });
        model.material_references = model.expected_references(version, is_library, is_cycled);
    }

    /// The stored transform of a node, for column vectors; the identity for a node without one.
    pub(super) fn local(&self, index: usize) -> DMat4 {
        match self.node(index).map(|node| &node.data) {
            Some(NodeData::Object3d(object)) => {
                let columns = object.transform.to_columns().map(f64::from);
                DMat4::from_cols_array(&columns)
            }
            _ => DMat4::IDENTITY,
        }
    }

    /// The transform from a node to the world, by first parents.
    pub(super) fn world(&self, index: usize) -> DMat4 {
        let mut matrix = self.local(index);
        let mut at = index;
        for _ in 0..512 {
            match self.parent(at) {
                Some(parent) => {
                    matrix = self.local(parent) * matrix;
                    at = parent;
                }
                None => break,
            }
        }
        matrix
    }

    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        let parent = *self.node(index)?.parents.first()? as usize;
        (parent != index && parent < self.count()).then_some(parent)
    }

    /// The nodes and their ancestors.
    pub(super) fn with_ancestors(&self, nodes: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut stack: Vec<usize> = nodes.iter().copied().collect();
        while let Some(node) = stack.pop() {
            if all.insert(node) {
                let parents = self.node(node).map(|node| node.parents.clone());
                stack.extend(
                    parents
                        .unwrap_or_default()
                        .into_iter()
                        .map(|it| it as usize),
                );
            }
        }
        all
    }

    /// A node and its descendants.
    pub(super) fn below(&self, node: usize) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if all.insert(node) {
                let children = self.node(node).map(|node| node.children.clone());
                stack.extend(
                    children
                        .unwrap_or_default()
                        .into_iter()
                        .map(|it| it as usize),
                );
            }
        }
        all
    }
}

/// A box that is being computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub least: DVec3,
    pub greatest: DVec3,
}

impl Extent {
    /// The box of a model's vertices and points of light.
    pub(super) fn of_model(model: &Model) -> Option<Self> {
        let lights = model.lights.iter().flat_map(|light| &light.vertices);
        let points = model.vertices.iter().chain(lights);
        points.fold(None, |extent, at| {
            let at = DVec3::from_array(at.to_array().map(f64::from));
            Self::join(
                extent,
                Some(Self {
                    least: at,
                    greatest: at,
                }),
            )
        })
    }

    pub(super) fn of_box(stored: &Box3) -> Option<Self> {
        let wide = |corner: Vec3| DVec3::from_array(corner.to_array().map(f64::from));
        let extent = Self {
            least: wide(stored.min),
            greatest: wide(stored.max),
        };
        let is_filled = extent.least.is_finite()
            && extent.greatest.is_finite()
            && extent.least.cmple(extent.greatest).all()
            && extent.least != extent.greatest;
        is_filled.then_some(extent)
    }

    pub(super) fn to_box(self) -> Box3 {
        let narrow = |corner: DVec3| Vec3::from(corner.to_array().map(|part| part as f32));
        Box3 {
            min: narrow(self.least),
            max: narrow(self.greatest),
        }
    }

    pub(super) fn join(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(Self {
                least: one.least.min(other.least),
                greatest: one.greatest.max(other.greatest),
            }),
            (one, other) => one.or(other),
        }
    }

    /// The box around this one's corners in another space.
    pub(super) fn through(self, matrix: &DMat4) -> Self {
        let corners = (0..8_u8).map(|corner| {
            let pick = |bit: u8, axis: usize| {
                let high = corner & (1 << bit) != 0;
                if high {
                    self.greatest[axis]
                } else {
                    self.least[axis]
                }
            };
            matrix.transform_point3(DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2)))
        });
        corners.fold(
            Self {
                least: DVec3::INFINITY,
                greatest: DVec3::NEG_INFINITY,
            },
            |extent, at| Self {
                least: extent.least.min(at),
                greatest: extent.greatest.max(at),
            },
        )
    }

    /// True if the difference is no more than single precision and its sums explain.
    pub(super) fn is_like(self, other: Self) -> bool {
        let size = (self.greatest - self.least).abs().max_element();
        let reach = self.least.abs().max(self.greatest.abs()).max_element();
        let slack = 1e-3 * size.max(1e-3 * reach).max(1e-3);
        (self.least - other.least).abs().max_element() <= slack
            && (self.greatest - other.greatest).abs().max_element() <= slack
    }
}
