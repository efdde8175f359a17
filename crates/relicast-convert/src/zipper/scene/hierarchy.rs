//! Builds scenes from trees of nodes: the main scene, and others for hidden nodes and levels of detail.
//!
//! A node that goes to another scene than its parent becomes a root there, with its world transform, so that
//! the scenes can be laid over each other.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DMat4;

use crate::options::{Hidden, Lods, Shading};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Model, ModelFlags, ModelType, Node, NodeData, NodeFlags};
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{self, NodeId, Placement};

use super::ancestors::{Ancestors, Reached};
use super::checks::Checks;
use super::detail_levels::{self, Detail, LevelRanges, ShownLevel};
use super::extras;
use super::material::Surfaces;
use super::material_key::Tint;
use super::mesh::{self, Drawing, ShapeKind};
use super::nodes::{FileNode, opacity_below, placement_of, tint_below};
use super::prepared_shapes::PreparedShapes;
use super::scene_builder::{MeshVariantKey, SceneBuilder, StoredNode};
use super::variants::MaterialVariants;

pub(crate) use super::layer::Layer;
pub(crate) use super::nodes::{ModelNumber, NodeSubset, Nodes, matrix_of, parent_of};

/// What a hierarchy represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A world. Its vertex colours hold baked light in the games that have them.
    World,
    /// An object that moves and is lit.
    Model,
    /// A 'mech. Its models contain duplicate polygons.
    Mech,
}

/// A node of the file that is in a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Emitted {
    /// Its index in the file.
    pub index: usize,
    /// The scene it is in.
    pub layer: Layer,
    /// Its node in that scene.
    pub node: NodeId,
}

/// A node that was reached and is not added yet.
#[derive(Debug, Clone, Copy)]
struct Pending {
    /// Index in the file.
    index: usize,
    /// A node above belongs to the subset with all below it.
    inside: bool,
    layer: Layer,
    /// The node above, if it is in the same scene.
    above: Option<NodeId>,
    /// Transform of the node above, to world space.
    world: DMat4,
    /// The opacity that holds above, 0 to 1.
    opacity: f32,
    /// The tint that holds above.
    tint: Option<Tint>,
    /// Part of the sky, which no light changes.
    sky: bool,
    /// Part of a collision volume, which is not drawn.
    collision: bool,
    /// The node above among those that were reached.
    ancestors: Option<Reached>,
    detail: Option<Detail>,
}

/// A node with what is the same wherever it is placed.
struct Prepared<'n> {
    node: &'n Node,
    name: String,
    placement: Placement,
    /// The opacity that holds here, 0 to 1.
    opacity: f32,
    /// The tint that holds here.
    tint: Option<Tint>,
    extras: zipper::Node,
    /// The node is wanted with its geometry and all below it.
    whole: bool,
}

/// Builds the scenes of a tree of nodes.
#[derive(Debug)]
pub(crate) struct HierarchyBuilder<'s, 'l, 'a, N> {
    nodes: &'s N,
    surfaces: Surfaces<'l, 'a>,
    purpose: Purpose,
    hidden: Hidden,
    lods: Lods,
    /// The scenes.
    pub builders: BTreeMap<Layer, SceneBuilder>,
    /// Counts for the report.
    pub checks: Checks,
    /// All nodes that were added, in order.
    pub shown: Vec<Emitted>,
    /// First appearance of each node.
    first: HashMap<usize, NodeId>,
    ancestors: Ancestors,
    /// Extras that nodes get beside their own, by index. Only the first copy of a node gets them.
    pub notes: HashMap<usize, zipper::Node>,
    /// Nodes that follow the camera with all below them. Only the first copy of a node does.
    pub sky_nodes: HashSet<usize>,
    /// Nodes whose own mesh goes to the hidden scene, without the nodes below.
    pub hidden_meshes: HashSet<usize>,
    /// Nodes that are hidden with all below them, whatever their flags.
    pub hidden_nodes: HashSet<usize>,
    /// Nodes that are shown regardless of their flags.
    pub shown_nodes: HashSet<usize>,
    /// Levels of detail of the main scene.
    levels: Vec<ShownLevel>,
    /// Triangles of models that were made beforehand.
    shapes: PreparedShapes,
    /// Transforms that replace stored ones, by index of the node.
    pub poses: HashMap<usize, model::Transform>,
    /// Whether lights act on the models of nodes, where that differs from what the models say.
    pub lit_nodes: HashMap<usize, bool>,
    /// Nodes get their index as extras, with what `notes` holds, and nothing else.
    pub terse: bool,
    /// Nodes that the scenes before hold; others are told whole all the same. `None`: all.
    pub told: Option<HashSet<usize>>,
    /// What is hidden at first is left out, its place excepted, in place of going to another scene.
    pub omits_hidden: bool,
    /// Make no meshes and no extras, only the nodes.
    pub dry: bool,
    /// The nodes to add; `None` for all. With a subset, hidden nodes and coarse levels are left out.
    pub extract: Option<NodeSubset>,
}

impl<'s, 'l, 'a, N: Nodes> HierarchyBuilder<'s, 'l, 'a, N> {
    pub(crate) fn new(nodes: &'s N, surfaces: Surfaces<'l, 'a>, purpose: Purpose) -> Self {
        let options = surfaces.options();
        let mut builders = BTreeMap::new();
        builders.insert(Layer::Main, SceneBuilder::default());
        Self {
            nodes,
            purpose,
            hidden: options.hidden,
            lods: options.lods,
            surfaces,
            builders,
            checks: Checks::default(),
            shown: Vec::new(),
            first: HashMap::new(),
            ancestors: Ancestors::default(),
            notes: HashMap::new(),
            sky_nodes: HashSet::new(),
            hidden_meshes: HashSet::new(),
            hidden_nodes: HashSet::new(),
            shown_nodes: HashSet::new(),
            levels: Vec::new(),
            shapes: PreparedShapes::default(),
            poses: HashMap::new(),
            lit_nodes: HashMap::new(),
            terse: false,
            told: None,
            omits_hidden: false,
            dry: false,
            extract: None,
        }
    }

    /// Goes on with a scene that holds another hierarchy already, whose meshes and surfaces are used again.
    /// What would go to other files is left out.
    pub(crate) fn go_on_with(&mut self, main: SceneBuilder) {
        self.builders.insert(Layer::Main, main);
        self.omits_hidden = true;
        if self.lods == Lods::All {
            self.lods = Lods::Nearest;
        }
    }

    /// Sets the material variants of everything that is added later.
    pub(crate) fn use_variants(&mut self, variants: &'l MaterialVariants) {
        self.surfaces.set_variants(variants);
    }

    /// Whether a node was reached.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.first.contains_key(&index)
    }

    /// The node of the main scene for a node of the file.
    pub(crate) fn in_main(&self, index: usize) -> Option<NodeId> {
        let mut shown = self.shown.iter();
        let found = shown.find(|shown| shown.index == index && shown.layer == Layer::Main);
        found.map(|shown| shown.node)
    }

    /// The main scene.
    pub(crate) fn main(&mut self) -> &mut model::Scene {
        &mut self.builder(Layer::Main).scene
    }

    fn builder(&mut self, layer: Layer) -> &mut SceneBuilder {
        self.builders.entry(layer).or_default()
    }

    /// Adds trees to the scenes, in order, below a node of the main scene or as roots.
    pub(crate) fn add(&mut self, roots: &[usize], above: Option<NodeId>) {
        let mut stack = Vec::new();
        self.push_group(
            roots,
            Pending {
                index: 0,
                inside: false,
                layer: Layer::Main,
                above,
                world: DMat4::IDENTITY,
                opacity: 1.0,
                tint: None,
                sky: false,
                collision: false,
                ancestors: None,
                detail: None,
            },
            &mut stack,
        );
        while let Some(next) = stack.pop() {
            self.add_one(next, &mut stack);
        }
        let levels = std::mem::take(&mut self.levels);
        let options = self.surfaces.options();
        if options.msft_lod && self.lods == Lods::Together {
            let groups = detail_levels::groups(levels, self.nodes, self.surfaces.version());
            self.main().detail_groups.extend(groups);
        }
    }

    /// Puts siblings on the stack, the first on top, with their levels of detail.
    fn push_group(&mut self, members: &[usize], like: Pending, stack: &mut Vec<Pending>) {
        let levels = LevelRanges::of(self.nodes, members);
        if levels.is_group() {
            self.checks.detail_groups += 1;
            self.checks.detail_gaps += usize::from(levels.has_gaps());
        }
        for &index in members.iter().rev() {
            stack.push(Pending {
                index,
                detail: levels.level_of(self.nodes, index),
                ..like
            });
        }
    }

    /// Adds a node, and puts those below it on the stack.
    fn add_one(&mut self, mut next: Pending, stack: &mut Vec<Pending>) {
        let nodes = self.nodes;
        let Some(node) = nodes.node(next.index) else {
            self.checks.unknown_nodes += 1;
            return;
        };
        let depth = (self.ancestors).depth_below(next.index, next.ancestors, nodes.count());
        let Some(depth) = depth else {
            self.checks.cut_nodes += 1;
            return;
        };
        let subset = self.extract.as_ref();
        let named = subset.is_some_and(|subset| subset.names(next.index));
        let whole = subset.is_none_or(|subset| next.inside || subset.whole.contains(&next.index));
        if !(named || whole) {
            return;
        }
        let is_coarse = next.detail.is_some_and(Detail::is_coarse);
        if is_coarse && (self.lods == Lods::Nearest || self.extract.is_some()) && !named {
            return;
        }
        let reached = self.ancestors.push(next.index, next.ancestors, depth);
        let mut prepared = self.prepare(node, &mut next, whole);
        let world = next.world * prepared.placement.to_matrix();
        if self.choose_layer(&mut prepared, &mut next, named).is_none() {
            return;
        }
        if self.first.contains_key(&next.index) {
            prepared.extras.instance_of = Some(next.index);
            self.checks.copies += 1;
        }
        let (opacity, tint) = (prepared.opacity, prepared.tint);
        let placed = self.add_shown(prepared, &next);
        if let Some(Detail { level, .. }) = next.detail
            && next.layer == Layer::Main
        {
            self.levels.push(ShownLevel {
                above: next.ancestors,
                level,
                node: placed.outer,
                index: next.index,
            });
        }
        self.first.entry(next.index).or_insert(placed.outer);
        self.shown.push(Emitted {
            index: next.index,
            layer: next.layer,
            node: placed.outer,
        });
        let children: Vec<usize> = node.children.iter().map(|&child| child as usize).collect();
        let like = Pending {
            index: 0,
            inside: self.extract.is_some() && whole,
            layer: next.layer,
            above: Some(placed.inner),
            world,
            opacity,
            tint,
            sky: next.sky,
            collision: next.collision,
            ancestors: Some(reached),
            detail: None,
        };
        self.push_group(&children, like, stack);
    }

    /// Sends a node to another scene than the one above, if it is a coarse level or hidden and not wanted by
    /// itself. `None` if that scene is not made.
    fn choose_layer(
        &mut self,
        prepared: &mut Prepared<'s>,
        next: &mut Pending,
        named: bool,
    ) -> Option<()> {
        let coarse = next.detail.filter(|detail| detail.is_coarse());
        if let Some(Detail { level, .. }) = coarse
            && next.layer == Layer::Main
            && self.lods == Lods::All
            && !named
        {
            next.layer = Layer::Detail(u8::try_from(level).unwrap_or(u8::MAX));
            next.above = None;
        }
        if self.is_hidden(next.index, prepared.node) {
            let leaves = self.hidden == Hidden::Separate && next.layer != Layer::Hidden && !named;
            prepared.extras.hidden = Some(true);
            if leaves {
                self.keep_place(prepared, next);
                if self.extract.is_some() || self.omits_hidden {
                    return None;
                }
                next.layer = Layer::Hidden;
                next.above = None;
            }
        }
        Some(())
    }

    /// Name, placement and extras of a node. Whether it is part of the sky or of a collision volume is noted
    /// in `next`, for all below it.
    fn prepare(&mut self, node: &'s Node, next: &mut Pending, whole: bool) -> Prepared<'s> {
        let stored = placement_of(node, &mut self.checks);
        let posed = self.poses.get(&next.index).copied();
        let mut extras = match (self.dry, self.is_terse(next.index)) {
            (true, _) => zipper::Node::default(),
            (false, true) => zipper::Node {
                index: Some(next.index),
                ..zipper::Node::default()
            },
            (false, false) => extras::of_node(next.index, node),
        };
        extras.merge(self.notes.remove(&next.index).unwrap_or_default());
        next.sky |= self.sky_nodes.remove(&next.index);
        next.collision |= extras::is_collision(&node.name());
        if let Some(Detail { level, of }) = next.detail
            && let Some(lod) = &mut extras.lod
        {
            lod.level = Some(level);
            lod.of = Some(of);
        }
        let base = node.name();
        let name = match next.detail {
            Some(Detail { level, .. }) if self.lods != Lods::Nearest => {
                format!("{base}_LOD{level}")
            }
            _ => base,
        };
        Prepared {
            node,
            name,
            placement: posed.map_or(stored, Placement::Simple),
            opacity: opacity_below(node, next.opacity, self.surfaces.version()),
            tint: tint_below(node, next.tint),
            extras,
            whole,
        }
    }

    /// Adds an empty node in place of one that goes to the hidden scene.
    fn keep_place(&mut self, prepared: &Prepared<'_>, at: &Pending) {
        let empty = model::Node {
            name: prepared.name.clone(),
            extras: prepared.extras.extras(),
            ..model::Node::default()
        };
        self.place(empty, &prepared.placement, at);
    }

    /// Adds a node with its mesh. A mesh that is hidden by itself goes to the hidden scene, on a node of its
    /// own.
    fn add_shown(&mut self, prepared: Prepared<'s>, at: &Pending) -> model::Placed {
        let Prepared {
            node,
            name,
            placement,
            opacity,
            tint,
            mut extras,
            whole,
            ..
        } = prepared;
        let at = &Pending {
            opacity,
            tint,
            ..*at
        };
        let nodes = self.nodes;
        let mut facts = zipper::Node::default();
        let mut mesh = if whole {
            self.mesh(at, &mut facts)
        } else {
            None
        };
        if !self.is_terse(at.index) {
            extras.merge(facts);
        }
        let is_moved = nodes.model(at.index).is_some()
            && self.hidden == Hidden::Separate
            && at.layer != Layer::Hidden
            && self.extract.is_none()
            && self.hidden_meshes.contains(&at.index);
        if is_moved {
            extras.hidden = Some(true);
            let alone = Pending {
                layer: Layer::Hidden,
                above: None,
                ..*at
            };
            mesh = self.mesh(&alone, &mut zipper::Node::default());
            let node = model::Node {
                name: name.clone(),
                mesh: mesh.take(),
                extras: extras.extras(),
                ..model::Node::default()
            };
            self.place(node, &placement, &alone);
        }
        let solid = NodeFlags::ALTITUDE_SURFACE | NodeFlags::INTERSECT_SURFACE;
        let model = nodes.model(at.index).map(|(_, model)| model);
        let is_solid =
            model.is_some_and(|model| !model.polygons.is_empty()) && node.flags().intersects(solid);
        let wants_hint = self.surfaces.options().godot_suffix;
        let node = model::Node {
            name,
            hint: (is_solid && wants_hint).then_some(model::NameHint::Solid),
            mesh,
            extras: extras.extras(),
            ..model::Node::default()
        };
        self.place(node, &placement, at)
    }

    /// Adds a node below its parent in the scene, or as a root with its world transform.
    fn place(&mut self, node: model::Node, placement: &Placement, at: &Pending) -> model::Placed {
        let alone = at.world * placement.to_matrix();
        let alone = at.above.is_none().then(|| Placement::from_matrix(&alone));
        let placement = match alone {
            Some(Ok(placement)) => placement,
            Some(Err(_)) => {
                self.checks.not_finite_transforms += 1;
                *placement
            }
            None => *placement,
        };
        let builder = self.builder(at.layer);
        let scene = &mut builder.scene;
        let placed = scene.add_placed(node, &placement);
        builder.stored_nodes.push(StoredNode {
            node: placed.outer,
            index: FileNode(at.index),
        });
        match at.above {
            Some(above) => scene.add_child(above, placed.outer),
            None => scene.roots.push(placed.outer),
        }
        placed
    }

    fn is_hidden(&self, index: usize, node: &Node) -> bool {
        let can_be = matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_));
        let hidden = can_be && !node.flags().contains(NodeFlags::ACTIVE);
        (hidden || self.hidden_nodes.contains(&index)) && !self.shown_nodes.contains(&index)
    }

    /// The mesh of a node for the scene of its layer, of the opacity and the tint that hold at the node. Adds the
    /// extras of its model.
    fn mesh(&mut self, at: &Pending, facts: &mut zipper::Node) -> Option<model::MeshId> {
        let nodes = self.nodes;
        let index = at.index;
        let (number, model) = nodes.model(index)?;
        let ModelNumber(name_number) = number;
        facts.points = extras::points(model, self.surfaces.version());
        if model.polygons.is_empty() {
            facts.facade = model.facade().map(|facade| zipper::Facade {
                mode: Some(mesh::facade_label(facade).to_owned()),
                centroid: None,
            });
            return None;
        }
        if at.collision && !self.surfaces.options().collision {
            self.checks.collision_volumes += usize::from(!self.dry);
            return None;
        }
        let drawing = Drawing {
            kind: ShapeKind {
                bare: at.collision,
                ..self.shape_kind()
            },
            unlit: self.is_unlit(index, model, at.sky),
            opacity: at.opacity,
            tint: at.tint,
        };
        let key = MeshVariantKey {
            model: number,
            opacity: at.opacity.to_bits(),
            tint: at.tint,
            unlit: drawing.unlit,
            bare: drawing.kind.bare,
        };
        let builder = self.builders.entry(at.layer).or_default();
        if self.dry {
            return None;
        }
        if let Some(&known) = builder.meshes.get(&key) {
            return known;
        }
        let draws_points = model.record.model_type == ModelType::Points;
        let (surfaces, checks) = (&mut self.surfaces, &mut self.checks);
        let mesh = match draws_points {
            true => mesh::dots(model, drawing, surfaces, builder, checks),
            false => {
                let shape = self.shapes.take(number);
                mesh::make(model, shape, drawing, surfaces, builder, checks)
            }
        };
        let node = nodes.node(index).map(Node::name).unwrap_or_default();
        let name = format!("m{name_number}_{node}");
        if draws_points {
            self.checks.unfilled_models.insert(name.clone());
        }
        let id = mesh.map(|mesh| builder.scene.add_mesh(model::Mesh { name, ..mesh }));
        builder.meshes.insert(key, id);
        id
    }

    fn shape_kind(&self) -> ShapeKind {
        ShapeKind {
            drop_duplicates: self.purpose == Purpose::Mech,
            bare: false,
        }
    }

    /// Makes the triangles of the models of some nodes beforehand, with the help of threads that are idle.
    pub(crate) fn prepare_shapes(&mut self, nodes: &[usize]) {
        if !self.dry {
            let models = nodes.iter().filter_map(|&index| self.nodes.model(index));
            self.shapes = PreparedShapes::of(models, self.shape_kind(), &self.surfaces);
        }
    }

    /// Whether a node is told by its index and what differs alone.
    fn is_terse(&self, index: usize) -> bool {
        self.terse && self.told.as_ref().is_none_or(|told| told.contains(&index))
    }

    fn is_unlit(&self, index: usize, model: &Model, sky: bool) -> bool {
        let is_lit = self.lit_nodes.get(&index).copied();
        let is_lit = is_lit.unwrap_or_else(|| model.flags().contains(ModelFlags::LIGHTING));
        match self.surfaces.options().shading {
            Shading::Lit => false,
            Shading::Unlit => true,
            Shading::Auto => {
                let baked =
                    self.purpose == Purpose::World && self.surfaces.version() != ZipperGame::Recoil;
                baked || sky || !is_lit
            }
        }
    }
}
