//! A world that changes: its nodes, over the models of its file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use crate::zipper::anim_scenes::stored_nodes::rest_of;
use crate::zipper::bake::evaluate::{NodeKey, RestState, World};
use crate::zipper::scene::hierarchy::{ModelNumber, Nodes, parent_of};
use relicast_codec::F32;
use relicast_formats::zipper::gamez::{
    GameZ, Light, Model, Node, NodeData, NodeFlags, NodeName, Object3dFlags,
};
use relicast_scene::extras::zipper;
use relicast_scene::model::Transform;

use super::report::StartReport;

/// A light that an animation switches on.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::zipper) struct StartLight {
    /// Its name.
    pub name: String,
    /// True if it is on.
    pub is_active: bool,
    /// The light, at its place in the world.
    pub light: Light,
}

/// A world at the start of a mission.
#[derive(Debug)]
pub(in crate::zipper) struct StagedWorld<'g> {
    file: &'g GameZ,
    /// The world without its models.
    pub gamez: GameZ,
    /// Models that differ from those of the file, by slot.
    models: BTreeMap<usize, Model>,
    serial: usize,
    /// Nodes that differ from those of `gamez`.
    live: BTreeMap<usize, RestState>,
    /// Transforms of nodes that differ from the file.
    pub poses: HashMap<usize, Transform>,
    /// True if lights act on a node.
    pub lit: HashMap<usize, bool>,
    /// Facts of nodes for their extras.
    pub notes: BTreeMap<usize, zipper::Node>,
    /// Lights of the file that are off.
    pub dark: BTreeSet<usize>,
    /// Lights of animations, in their order.
    pub lights: BTreeMap<(usize, usize, usize), StartLight>,
    /// Facts of the scene.
    pub settings: Vec<Value>,
    /// Changes made.
    pub report: StartReport,
}

impl Nodes for StagedWorld<'_> {
    fn node(&self, index: usize) -> Option<&Node> {
        self.gamez.nodes.used.get(index)
    }

    fn model(&self, index: usize) -> Option<(ModelNumber, &Model)> {
        let node = self.gamez.nodes.used.get(index)?;
        if !matches!(node.data, NodeData::Object3d(_)) {
            return None;
        }
        let slot = node.model()?;
        match self.models.get(&slot) {
            Some(model) => {
                let number = self.file.models.slots.len() * (1 + self.serial) + slot;
                Some((ModelNumber(number), model))
            }
            None => Some((ModelNumber(slot), self.file.models.get(slot)?)),
        }
    }

    fn count(&self) -> usize {
        self.gamez.nodes.used.len()
    }
}

impl World for StagedWorld<'_> {
    fn rest(&self, node: NodeKey) -> RestState {
        match self.live.get(&node.index).filter(|_| node.lookup == 0) {
            Some(rest) => *rest,
            None => self.stored(node),
        }
    }

    fn parent(&self, node: NodeKey) -> Option<NodeKey> {
        let index = parent_of(self, node.index).filter(|_| node.lookup == 0)?;
        Some(NodeKey { index, ..node })
    }
}

impl<'g> StagedWorld<'g> {
    /// The world as stored in its file.
    pub(super) fn new(file: &'g GameZ, serial: usize) -> Self {
        Self {
            file,
            gamez: GameZ {
                version: file.version,
                nodes: file.nodes.clone(),
                ..GameZ::default()
            },
            models: BTreeMap::new(),
            serial,
            live: BTreeMap::new(),
            poses: HashMap::new(),
            lit: HashMap::new(),
            notes: BTreeMap::new(),
            dark: BTreeSet::new(),
            lights: BTreeMap::new(),
            settings: Vec::new(),
            report: StartReport::default(),
        }
    }

    fn stored(&self, node: NodeKey) -> RestState {
        let stored = self.gamez.nodes.used.get(node.index);
        let Some(stored) = stored.filter(|_| node.lookup == 0) else {
            return RestState::plain();
        };
        let mut rest = rest_of(stored);
        if let Some((_, model)) = self.model(node.index) {
            let factor = f64::from(model.record.morph_factor.0);
            rest.morph = if factor.is_finite() { factor } else { 0.0 };
        }
        rest
    }

    /// Changes the pose of a node.
    pub(super) fn change_rest(&mut self, index: usize, change: impl FnOnce(&mut RestState)) {
        let mut rest = self.rest(NodeKey { lookup: 0, index });
        change(&mut rest);
        self.live.insert(index, rest);
    }

    /// A node, for other changes.
    pub(super) fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.gamez.nodes.used.get_mut(index)
    }

    /// True if a node is itself switched on.
    pub(super) fn is_active(&self, index: usize) -> bool {
        self.rest(NodeKey { lookup: 0, index }).is_active
    }

    /// True if a node shows something.
    pub(super) fn shows_model(&self, index: usize) -> bool {
        let model = self.model(index);
        model.is_some_and(|(_, model)| !model.polygons.is_empty() || !model.lights.is_empty())
    }

    /// Changes the model of a node, for all nodes that show it. False without a model.
    pub(super) fn change_model(&mut self, index: usize, change: impl FnOnce(&mut Model)) -> bool {
        let slot = self.gamez.nodes.used.get(index).and_then(Node::model);
        let Some((slot, stored)) = slot.and_then(|slot| Some((slot, self.file.models.get(slot)?)))
        else {
            return false;
        };
        change(self.models.entry(slot).or_insert_with(|| stored.clone()));
        true
    }

    /// Adds facts to the extras of a node.
    pub(super) fn note(&mut self, index: usize, facts: zipper::Node) {
        self.notes.entry(index).or_default().merge(facts);
    }

    /// Makes a node the child of another one. Does nothing where it already is, or where it would be its own
    /// descendant.
    pub(super) fn hang(&mut self, parent: usize, child: usize) -> bool {
        let above: Vec<usize> = std::iter::successors(Some(parent), |&at| parent_of(self, at))
            .take(self.count())
            .collect();
        let count = self.count();
        if parent >= count || child >= count || above.contains(&child) {
            return false;
        }
        let (Ok(up), Ok(down)) = (u32::try_from(parent), u32::try_from(child)) else {
            return false;
        };
        let Some(holder) = self.node_mut(parent) else {
            return false;
        };
        if !holder.children.contains(&down) {
            holder.children.push(down);
        }
        if let Some(node) = self.node_mut(child)
            && !node.parents.contains(&up)
        {
            node.parents.push(up);
            self.report.changed.rehung += 1;
        }
        true
    }

    /// Removes a node from its parent.
    pub(super) fn take_off(&mut self, parent: usize, child: usize) {
        let (Ok(up), Ok(down)) = (u32::try_from(parent), u32::try_from(child)) else {
            return;
        };
        if let Some(holder) = self.node_mut(parent) {
            holder.children.retain(|&other| other != down);
        }
        if let Some(node) = self.node_mut(child) {
            let before = node.parents.len();
            node.parents.retain(|&other| other != up);
            if node.parents.len() != before {
                self.report.changed.rehung += 1;
            }
        }
        // Cells list the nodes of the world.
        if let Some(NodeData::World(world)) = self.node_mut(parent).map(|node| &mut node.data) {
            for cell in &mut world.partitions {
                cell.entries.retain(|entry| entry.node != down);
            }
        }
    }

    /// Removes a tree, given by its nodes with the topmost first, from the world. Its nodes are no longer found by
    /// name, except nodes with another parent.
    pub(super) fn delete(&mut self, tree: &[usize]) {
        let Some(&top) = tree.first() else {
            return;
        };
        let parents = self
            .gamez
            .nodes
            .used
            .get(top)
            .map(|node| node.parents.clone());
        for parent in parents.unwrap_or_default() {
            self.take_off(parent as usize, top);
        }
        let own = u32::try_from(top).ok();
        for node in &mut self.gamez.nodes.used {
            if let NodeData::World(world) = &mut node.data {
                for cell in &mut world.partitions {
                    cell.entries.retain(|entry| Some(entry.node) != own);
                }
            }
        }
        let below: BTreeSet<usize> = tree.iter().copied().collect();
        for &index in tree {
            if let Some(node) = self.gamez.nodes.used.get_mut(index)
                && node
                    .parents
                    .iter()
                    .all(|&parent| below.contains(&(parent as usize)))
            {
                node.record.name = NodeName::default();
                self.report.changed.deleted += 1;
            }
        }
    }

    /// Writes the poses into the nodes.
    pub(super) fn settle(&mut self) {
        for (index, rest) in std::mem::take(&mut self.live) {
            let stored = self.stored(NodeKey { lookup: 0, index });
            let turned = stored.rotation.quat.dot(rest.rotation.quat).abs() < 1.0 - 1e-9;
            let is_moved = turned
                || !stored.translation.abs_diff_eq(rest.translation, 1e-9)
                || !stored.scale.abs_diff_eq(rest.scale, 1e-9);
            let changed = &mut self.report.changed;
            let Some(node) = self.gamez.nodes.used.get_mut(index) else {
                continue;
            };
            if rest.is_active != stored.is_active
                && matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_))
            {
                changed.shown += usize::from(rest.is_active);
                changed.hidden += usize::from(!rest.is_active);
                node.record.flags.set(NodeFlags::ACTIVE, rest.is_active);
            }
            let place = rest.translation.as_vec3().to_array();
            match &mut node.data {
                NodeData::Object3d(object) => {
                    if rest.opacity != stored.opacity {
                        changed.faded += 1;
                        let value = rest.opacity.unwrap_or(1.0) as f32;
                        object
                            .flags
                            .set(Object3dFlags::OPACITY, rest.opacity.is_some());
                        object.opacity = F32(value);
                    }
                    if is_moved {
                        let transform = Transform {
                            translation: rest.translation.as_vec3(),
                            rotation: rest.rotation.quat.normalize().as_quat(),
                            scale: rest.scale.as_vec3(),
                        };
                        let finite = transform.translation.is_finite()
                            && transform.rotation.is_finite()
                            && transform.scale.is_finite();
                        if finite {
                            changed.moved += 1;
                            self.poses.insert(index, transform);
                        }
                    }
                }
                NodeData::Camera(camera) if is_moved => {
                    changed.moved += 1;
                    camera.translate = place.into();
                    camera.rotate = rest.rotation.angles().as_vec3().to_array().into();
                }
                NodeData::Light(light) if is_moved => {
                    changed.moved += 1;
                    light.record.translate = place.into();
                    let angles = rest.rotation.angles().as_vec3().to_array();
                    light.record.orientation = angles.into();
                }
                _ => {}
            }
        }
    }
}
