//! New nodes: copies of nodes with other places, or objects made from nothing.

use std::collections::{BTreeMap, BTreeSet};

use glam::DMat4;
use serde_json::json;

use super::deletion::{link, settle_addresses};
use super::mesh_models::MeshModels;
use super::names::Names;
use super::placing::{Listings, place_in_world, set_boxes};
use super::slots;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::shear_of;
use crate::pack::scene::compare::matching::{index_of, match_nodes, plain_name};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneFile, SceneNode};
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::facts;
use crate::pack::scene::zipper::geometry::place::{Move, is_like, move_node};
use crate::pack::scene::zipper::tree::GameTree;
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::gamez::{
    Affine, AreaPartition, Node, NodeBounds, NodeData, NodeFlags, NodeName, Object3d,
    Object3dFlags, Relations, ZoneId,
};

/// Indices in the game file of edited nodes that were added.
pub(in crate::pack::scene::zipper) type NewNodes = BTreeMap<usize, usize>;

/// Makes the nodes that a scene adds. Returns their indices, and adds nodes with other children to `parents`.
///
/// # Errors
/// The game file has no place for one.
pub(in crate::pack::scene::zipper) fn add(
    before: &GameTree,
    tree: &mut GameTree,
    scene: &EditedScene<'_>,
    config: &Config,
    parents: &mut BTreeSet<usize>,
) -> Result<NewNodes, Refusal> {
    if scene.objects.added.is_empty() {
        return Ok(NewNodes::new());
    }
    let matches = match_nodes(&scene.base, &scene.edited)?;
    let names = Names::of(tree);
    let mut maker = Maker {
        before,
        tree,
        scene,
        models: MeshModels::new(before, scene, &matches, config),
        names,
        listings: Listings::of(before),
        new: NewNodes::new(),
    };
    for added in &scene.objects.added {
        maker
            .add_top(added.node, added.parent, parents)
            .map_err(|refusal| refusal!("node {}: {refusal}", maker.name(added.node)))?;
    }
    Ok(maker.new)
}

struct Maker<'m> {
    before: &'m GameTree,
    tree: &'m mut GameTree,
    scene: &'m EditedScene<'m>,
    models: MeshModels<'m>,
    /// Names of all nodes.
    names: Names,
    /// Nodes at the top of the world.
    listings: Listings,
    new: NewNodes,
}

/// A node of the game file and of the original scene, of which a new node is a copy.
#[derive(Debug, Clone, Copy)]
struct Source {
    /// Index in the game file.
    index: usize,
    /// The original node of the scene.
    node: usize,
}

impl Maker<'_> {
    fn name(&self, node: usize) -> &str {
        let node = self.scene.edited.nodes.get(node);
        node.map_or("", |node| &node.name)
    }

    fn add_top(
        &mut self,
        node: usize,
        parent: Option<usize>,
        parents: &mut BTreeSet<usize>,
    ) -> Result<(), Refusal> {
        let source = self.source(node);
        let of_world = |tree: &GameTree| match tree {
            GameTree::World(gamez) => gamez.nodes.world().map(|(index, _)| index),
            GameTree::Mech { .. } => None,
        };
        let world = of_world(self.tree);
        let above = parent.filter(|parent| Some(*parent) != world);
        if above.is_none() && (world.is_none() || !self.scene.is_world()) {
            refuse!("it was added at the top of the scene; put it below a node of the model");
        }
        if let Some(above) = above {
            let above = self.tree.node(above);
            let takes = above.is_some_and(|above| {
                matches!(above.data, NodeData::Object3d(_) | NodeData::Lod(_))
            });
            if !takes {
                refuse!("it was added below a node that is no object; put it below another one");
            }
        }
        if is_too_deep(&self.scene.edited, node) {
            refuse!("its parts are nested deeper than {DEEPEST}; make them flatter");
        }
        let index = self.add_tree(node)?;
        match above {
            Some(above) => {
                link(self.tree, index, above)?;
                parents.insert(above);
            }
            None => {
                let source = source.map(|source| source.index);
                place_in_world(self.before, self.tree, index, source, &self.listings);
                let nodes = [Some(index), world].into_iter().flatten();
                for node in nodes {
                    if let Some(node) = self.tree.node_mut(node) {
                        settle_addresses(node);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a node and all below it.
    fn add_tree(&mut self, node: usize) -> Result<usize, Refusal> {
        let edited = &self.scene.edited;
        let Some(new) = edited.nodes.get(node) else {
            refuse!("it does not exist");
        };
        let inner =
            shear_of(edited, node).and_then(|inner| Some((inner, edited.nodes.get(inner)?)));
        let source = self.source(node);
        let made = self.node(node, new, inner.map(|(_, inner)| inner), source)?;
        let index = slots::add_node(self.tree, made)?;
        self.new.insert(node, index);
        let old = source.and_then(|source| self.scene.base.nodes.get(source.node));
        let old = old.map_or(json!({"zipper": {}}), |old| old.extras.clone());
        facts::apply(self.tree, index, &old, &new.extras)?;
        let meshes = [new.mesh, inner.and_then(|(_, inner)| inner.mesh)];
        self.set_model(index, meshes.into_iter().flatten().next(), source)?;
        let below = inner.map(|(_, inner)| inner.children.clone());
        let children = new.children.iter().copied();
        let children = children.filter(|child| inner.is_none_or(|(inner, _)| inner != *child));
        let children: Vec<usize> = children.chain(below.into_iter().flatten()).collect();
        for child in children {
            let added = self
                .add_tree(child)
                .map_err(|refusal| refusal!("{}: {refusal}", self.name(child)))?;
            link(self.tree, added, index)?;
        }
        if let Some(source) = source {
            self.copy_unseen(index, source)?;
        }
        set_boxes(
            self.before,
            self.tree,
            index,
            source.map(|source| source.index),
        );
        Ok(index)
    }

    /// Copies the parts of a source that the scene does not show, such as further levels of detail.
    fn copy_unseen(&mut self, index: usize, source: Source) -> Result<(), Refusal> {
        let base = &self.scene.base;
        let inner = shear_of(base, source.node);
        let nodes = [Some(source.node), inner].into_iter().flatten();
        let seen: BTreeSet<usize> = nodes
            .filter_map(|node| base.nodes.get(node))
            .flat_map(|node| &node.children)
            .filter_map(|&child| base.nodes.get(child).and_then(index_of))
            .chain(self.scene.objects.deleted.iter().map(|it| it.edge.1))
            .collect();
        let before = self.before;
        let parts = before.node(source.index).map(|node| &node.children);
        for &part in parts.into_iter().flatten() {
            let part = part as usize;
            if !seen.contains(&part) && part != source.index {
                self.copy_part(part, index, 0)?;
            }
        }
        Ok(())
    }

    /// Copies a node of the game file with all below it.
    fn copy_part(&mut self, part: usize, parent: usize, depth: usize) -> Result<(), Refusal> {
        let before = self.before;
        let Some(old) = before.node(part) else {
            return Ok(());
        };
        if depth >= DEEPEST {
            refuse!(
                "its hidden parts are nested deeper than {DEEPEST}; add an object of its own instead of a copy"
            );
        }
        if !matches!(old.data, NodeData::Object3d(_) | NodeData::Lod(_)) {
            return Ok(());
        }
        let mut node = Node {
            parents: Vec::new(),
            children: Vec::new(),
            gap: Default::default(),
            ..old.clone()
        };
        node.record.relations = Relations::default();
        node.record.model_index = slots::no_model(self.tree);
        let name = old.name();
        let stored = self.names.unique(&name, None);
        node.record.name = stored.ok_or_else(|| refusal!("its part {name} has no valid name"))?;
        let index = slots::add_node(self.tree, node)?;
        if let Some(model) = before.model_of(part) {
            slots::share_model(self.tree, index, model)?;
        }
        for &child in &old.children {
            if child as usize != part {
                self.copy_part(child as usize, index, depth + 1)?;
            }
        }
        link(self.tree, index, parent)
    }

    /// The node that an edited node is a copy of.
    fn source(&self, node: usize) -> Option<Source> {
        let new = self.scene.edited.nodes.get(node)?;
        let index = index_of(new)?;
        self.before.node(index)?;
        let node = source_of(&self.scene.base, new, index)?;
        Some(Source { index, node })
    }

    /// The record and the data of a new node, without model and links.
    fn node(
        &mut self,
        number: usize,
        new: &SceneNode,
        inner: Option<&SceneNode>,
        source: Option<Source>,
    ) -> Result<Node, Refusal> {
        let copied = source.and_then(|source| self.before.node(source.index));
        let mut node = match copied {
            Some(node) => node.clone(),
            None => fresh(self.before)?,
        };
        if !matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_)) {
            refuse!("only objects can be added, no lights, cameras or worlds");
        }
        node.parents.clear();
        node.children.clear();
        node.gap = Default::default();
        let record = &mut node.record;
        record.relations = Relations::default();
        record.model_index = slots::no_model(self.tree);
        record.name = self.name_for(number, source)?;
        let local = |node: &SceneNode| node.local.to_matrix();
        let wanted = inner.map_or(local(new), |inner| local(new) * local(inner));
        self.put_in_place(&mut node, new, wanted, inner.is_none(), source)?;
        Ok(node)
    }

    /// Gives a node its place in the edit. One that is where its source is keeps every bit.
    fn put_in_place(
        &self,
        node: &mut Node,
        new: &SceneNode,
        wanted: DMat4,
        is_plain: bool,
        source: Option<Source>,
    ) -> Result<(), Refusal> {
        let base = &self.scene.base;
        let stored = source.map_or(DMat4::IDENTITY, |source| self.before.local(source.index));
        let old = source.and_then(|source| base.nodes.get(source.node));
        let shown = source.map(|source| whole_place(base, source.node));
        let is_as_stored = shown.is_some_and(|shown| is_like(&stored, &shown));
        if matches!(node.data, NodeData::Lod(_)) && is_like(&stored, &wanted) {
            return Ok(());
        }
        if is_like(&stored, &wanted) && source.is_none() {
            return Ok(());
        }
        let is_split = source.is_some_and(|source| shear_of(base, source.node).is_some());
        let plain = old.filter(|_| is_plain && is_as_stored && !is_split);
        let change = Move {
            before: stored,
            after: wanted,
            plain: plain.map(|old| (old.local, new.local)),
            tolerance: Tolerance::EXACT,
        };
        let is_unmoved = shown.is_some_and(|shown| is_like(&shown, &wanted)) && is_as_stored;
        match is_unmoved {
            true => Ok(()),
            false => move_node(node, &change, self.before.version()),
        }
    }

    /// A name that no other node has, so that animations and scripts go on finding those that they found before.
    fn name_for(&mut self, number: usize, source: Option<Source>) -> Result<NodeName, Refusal> {
        let scene = self.scene;
        let base = &scene.base;
        let shown = scene.edited.nodes.get(number).map_or("", |node| &node.name);
        let plain = plain_name(shown);
        let old = source.and_then(|source| Some((source, base.nodes.get(source.node)?)));
        let stored = match old {
            Some((source, old)) if plain == plain_name(&old.name) => {
                let stored = self.before.node(source.index).map(Node::name);
                stored.unwrap_or_default()
            }
            _ => plain.to_owned(),
        };
        let invalid = || refusal!("{shown} is not a valid node name: use 1 to 35 ASCII characters");
        if stored.is_empty() || !stored.is_ascii() {
            return Err(invalid());
        }
        // Names in outputs have no periods.
        let own = shown
            .strip_prefix(plain)
            .and_then(|number| number.strip_prefix('.'));
        let own = own.map(|number| format!("_{number}"));
        self.names.unique(&stored, own).ok_or_else(invalid)
    }

    /// Gives a new node its model.
    fn set_model(
        &mut self,
        index: usize,
        mesh: Option<usize>,
        source: Option<Source>,
    ) -> Result<(), Refusal> {
        let Some(mesh) = mesh else {
            return match self.unseen_model(source) {
                Some(number) => slots::share_model(self.tree, index, number),
                None => Ok(()),
            };
        };
        let node = self.tree.node(index);
        if node.is_some_and(|node| !matches!(node.data, NodeData::Object3d(_))) {
            refuse!("a level of detail has no mesh of its own; put an object below it");
        }
        let source = source.map(|source| source.node);
        self.models.give(self.tree, index, mesh, source)
    }

    /// The model of a copy whose mesh the scene does not show: of a hidden node.
    fn unseen_model(&self, source: Option<Source>) -> Option<usize> {
        let source = source?;
        let is_unseen = whole_mesh(&self.scene.base, source.node).is_none();
        self.before.model_of(source.index).filter(|_| is_unseen)
    }
}

/// The original node with an index that a new node is a copy of: the one with the same facts, else the first. `None`
/// where they have other names, as an object that comes from another world.
pub(super) fn source_of(base: &SceneFile, new: &SceneNode, index: usize) -> Option<usize> {
    let stored = |node: &SceneNode| node.extras.pointer("/zipper/name").cloned();
    let name = stored(new);
    let is_source = |node: &SceneNode| {
        index_of(node) == Some(index) && (name.is_none() || stored(node) == name)
    };
    let nodes = base.nodes.iter().enumerate();
    let mut nodes = nodes.filter(|(_, node)| is_source(node));
    let equal = nodes.clone().find(|(_, node)| node.extras == new.extras);
    equal.or_else(|| nodes.next()).map(|(number, _)| number)
}

/// Most levels of parts below a node.
const DEEPEST: usize = 256;

/// True if a node has parts below it that are nested deeper than files of the games have them.
fn is_too_deep(file: &SceneFile, node: usize) -> bool {
    let mut stack = vec![(node, 0)];
    while let Some((node, depth)) = stack.pop() {
        if depth > DEEPEST {
            return true;
        }
        let children = file.nodes.get(node).map(|node| &node.children);
        let children = children.into_iter().flatten();
        stack.extend(children.map(|&child| (child, depth.saturating_add(1))));
    }
    false
}

/// The mesh of a node, or of its part that undoes shear.
pub(super) fn whole_mesh(file: &SceneFile, node: usize) -> Option<usize> {
    let mesh = |node: usize| file.nodes.get(node)?.mesh;
    mesh(node).or_else(|| mesh(shear_of(file, node)?))
}

/// The transform of a node, with that of its part that undoes shear.
pub(super) fn whole_place(file: &SceneFile, node: usize) -> DMat4 {
    let matrix = |node: usize| {
        let node = file.nodes.get(node);
        node.map_or(DMat4::IDENTITY, |node| node.local.to_matrix())
    };
    match shear_of(file, node) {
        Some(inner) => matrix(node) * matrix(inner),
        None => matrix(node),
    }
}

/// An object without anything, with the usual words of the file.
pub(super) fn fresh(tree: &GameTree) -> Result<Node, Refusal> {
    let mut nodes = (0..tree.count()).filter_map(|index| tree.node(index));
    let like = nodes.find_map(|node| match &node.data {
        NodeData::Object3d(object) => Some((node, object)),
        _ => None,
    });
    let Some((like, object)) = like else {
        refuse!("the game file has no object that a new one could be made like");
    };
    let mut record = like.record.clone();
    record.flags = NodeFlags::ACTIVE
        | NodeFlags::ALTITUDE_SURFACE
        | NodeFlags::INTERSECT_SURFACE
        | NodeFlags::TREE_VALID
        | NodeFlags::ID_ZONE_CHECK
        | NodeFlags::MOVED;
    record.field040 = 0;
    record.zone_id = ZoneId::ANY;
    record.area_partition = AreaPartition::NONE;
    record.virtual_partition = [0, 0];
    record.node_bbox = match record.node_bbox {
        NodeBounds::Box(_) => NodeBounds::default(),
        NodeBounds::Corners(_) => NodeBounds::Corners(Box::default()),
    };
    (record.model_bbox, record.child_bbox) = Default::default();
    let mut data = Object3d {
        flags: Object3dFlags::ALWAYS | Object3dFlags::TRANSFORM_INITIAL,
        opacity: F32(0.0),
        color: Vec3::default(),
        tint_weight: F32(0.0),
        rotate: Vec3::default(),
        scale: Vec3::from([1.0; 3]),
        transform: Affine::identity(),
        ..(**object).clone()
    };
    if let Some(translation) = &mut data.early_translation.0 {
        *translation = Vec3::default();
    }
    Ok(Node {
        record,
        data: NodeData::Object3d(Box::new(data)),
        ..Node::default()
    })
}
