//! Builds scenes from trees of nodes: the main scene, and others for hidden nodes and levels of detail.
//!
//! A node in another scene than its parent becomes a root there, with its world transform, so that the scenes can
//! be combined.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DMat4;

use crate::options::{Lods, Shading};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Model, ModelFlags, ModelType, Node, NodeFlags};
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{self, NodeId, Placement};

use super::detail_levels::{self, Detail, ShownLevel};
use super::extras;
use super::layout::{Spot, Step};
use super::material::Surfaces;
use super::material_key::Tint;
use super::mesh::{self, Drawing, ShapeKind};
use super::nodes::StepId;
use super::nodes::{FileNode, opacity_below, placement_of, tint_below};
use super::prepared_shapes::PreparedShapes;
use super::scene_builder::{MeshVariantKey, SceneBuilder, StoredNode};
use super::variants::MaterialVariants;

pub(crate) use super::layer::Layer;
pub(crate) use super::layout::Layout;
pub(crate) use super::nodes::{ModelNumber, NodeSubset, Nodes, matrix_of, parent_of};

/// Purpose of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A world. Its vertex colors hold baked light in the games that have them.
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

/// Facts of a node that follow from its ancestors.
#[derive(Debug, Clone, Copy)]
struct Above {
    /// The parent in its scene.
    node: Option<NodeId>,
    /// Its transform to world space.
    world: DMat4,
    /// The opacity there, 0 to 1.
    opacity: f32,
    /// The tint there.
    tint: Option<Tint>,
    /// Part of the sky, which is unlit.
    sky: bool,
    /// Part of a collision volume, which is not drawn.
    collision: bool,
}

/// A node with the properties that do not depend on its place.
struct Prepared<'n> {
    node: &'n Node,
    name: String,
    placement: Placement,
    /// The opacity here, 0 to 1.
    opacity: f32,
    /// The tint here.
    tint: Option<Tint>,
    extras: zipper::Node,
    /// Part of the sky, which is unlit.
    sky: bool,
    /// Part of a collision volume, which is not drawn.
    collision: bool,
}

/// A place for a node: a scene, and the parent there.
#[derive(Debug, Clone, Copy)]
struct Site {
    /// Index in the file.
    index: usize,
    layer: Layer,
    above: Option<NodeId>,
    /// Transform of the parent, to world space.
    world: DMat4,
}

/// Builds the scenes of a tree of nodes.
#[derive(Debug)]
pub(crate) struct HierarchyBuilder<'s, 'l, 'a, N> {
    /// The nodes to add, and the scene of each.
    pub layout: Layout<'s, N>,
    surfaces: Surfaces<'l, 'a>,
    purpose: Purpose,
    /// The scenes.
    pub builders: BTreeMap<Layer, SceneBuilder>,
    /// All nodes that were added, in order.
    pub shown: Vec<Emitted>,
    /// Number of groups of the layout that are built.
    built: usize,
    /// Facts for the descendants of each built step; `None` for steps that are left out.
    made: Vec<Option<Above>>,
    /// Additional extras of nodes, by index. Only the first copy of a node gets them.
    pub notes: HashMap<usize, zipper::Node>,
    /// Nodes that follow the camera with all descendants. Only the first copy of a node does.
    pub sky_nodes: HashSet<usize>,
    /// Levels of detail of the main scene.
    levels: Vec<ShownLevel>,
    /// Prepared triangles of models.
    shapes: PreparedShapes,
    /// Transforms that replace stored ones, by index of the node.
    pub poses: HashMap<usize, model::Transform>,
    /// True if lights act on the models of nodes, where that differs from the models' own flag.
    pub lit_nodes: HashMap<usize, bool>,
    /// Nodes get only their index and their `notes` as extras.
    pub terse: bool,
    /// Nodes of the previous scenes; others get all extras in any case. `None`: all nodes.
    pub with_facts: Option<HashSet<usize>>,
}

impl<'s, 'l, 'a, N: Nodes> HierarchyBuilder<'s, 'l, 'a, N> {
    /// Builds by a layout.
    pub(crate) fn new(layout: Layout<'s, N>, surfaces: Surfaces<'l, 'a>, purpose: Purpose) -> Self {
        Self {
            layout,
            purpose,
            surfaces,
            builders: BTreeMap::from([(Layer::Main, SceneBuilder::default())]),
            shown: Vec::new(),
            built: 0,
            made: Vec::new(),
            notes: HashMap::new(),
            sky_nodes: HashSet::new(),
            levels: Vec::new(),
            shapes: PreparedShapes::default(),
            poses: HashMap::new(),
            lit_nodes: HashMap::new(),
            terse: false,
            with_facts: None,
        }
    }

    /// Continues with a scene that already contains another hierarchy, and reuses its meshes and surfaces.
    pub(crate) fn go_on_with(&mut self, main: SceneBuilder) {
        self.builders.insert(Layer::Main, main);
    }

    /// Sets the material variants of everything that is added later.
    pub(crate) fn use_variants(&mut self, variants: &'l MaterialVariants) {
        self.surfaces.set_variants(variants);
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

    /// Builds the layout.
    pub(crate) fn build(&mut self) {
        while self.build_group() {}
    }

    /// Builds the next group of the layout. Returns false when there is none.
    pub(crate) fn build_group(&mut self) -> bool {
        let Some(group) = self.layout.groups.get(self.built).cloned() else {
            return false;
        };
        self.built += 1;
        let below = group.below.and_then(|below| self.in_main(below));
        for place in group.steps {
            let made = self.build_step(self.layout.steps[place], below);
            self.made.push(made);
        }
        let levels = std::mem::take(&mut self.levels);
        let options = self.surfaces.options();
        if options.msft_lod && self.layout.lods == Lods::Together {
            let groups = detail_levels::groups(levels, self.layout.nodes, self.surfaces.version());
            self.main().detail_groups.extend(groups);
        }
        true
    }

    /// Builds a step. Returns the facts for its descendants, unless it is left out.
    fn build_step(&mut self, step: Step, below: Option<NodeId>) -> Option<Above> {
        let node = self.layout.nodes.node(step.index)?;
        let above = step
            .above
            .and_then(|StepId(above)| self.made.get(above).copied()?);
        let above = above.unwrap_or(Above {
            node: below,
            world: DMat4::IDENTITY,
            opacity: 1.0,
            tint: None,
            sky: false,
            collision: false,
        });
        let site = |Spot { layer, apart }| Site {
            index: step.index,
            layer,
            above: above.node.filter(|_| !apart),
            world: above.world,
        };
        let mut prepared = self.prepare(node, &step, &above);
        let world = above.world * prepared.placement.to_matrix();
        if step.hidden {
            prepared.extras.hidden = Some(true);
        }
        if let Some(spot) = step.stand_in {
            self.keep_place(&prepared, &site(spot));
        }
        let site = site(step.spot?);
        if step.is_copy {
            prepared.extras.instance_of = Some(step.index);
        }
        let below = Above {
            node: None,
            world,
            opacity: prepared.opacity,
            tint: prepared.tint,
            sky: prepared.sky,
            collision: prepared.collision,
        };
        let placed = self.add_shown(prepared, &step, &site);
        if let Some(Detail { level, .. }) = step.detail
            && site.layer == Layer::Main
        {
            self.levels.push(ShownLevel {
                above: step.above,
                level,
                node: placed.outer,
                index: step.index,
            });
        }
        self.shown.push(Emitted {
            index: step.index,
            layer: site.layer,
            node: placed.outer,
        });
        Some(Above {
            node: Some(placed.inner),
            ..below
        })
    }

    /// Name, placement and extras of a node.
    fn prepare(&mut self, node: &'s Node, step: &Step, above: &Above) -> Prepared<'s> {
        let stored = placement_of(node, &mut self.layout.checks);
        let posed = self.poses.get(&step.index).copied();
        let mut extras = if self.layout.nodes_only {
            zipper::Node::default()
        } else if self.is_terse(step.index) {
            zipper::Node {
                index: Some(step.index),
                ..zipper::Node::default()
            }
        } else {
            extras::of_node(step.index, node)
        };
        extras.merge(self.notes.remove(&step.index).unwrap_or_default());
        if let Some(Detail { level, of }) = step.detail
            && let Some(lod) = &mut extras.lod
        {
            lod.level = Some(level);
            lod.of = Some(of);
        }
        let base = node.name();
        let sky = self.sky_nodes.remove(&step.index);
        Prepared {
            node,
            placement: posed.map_or(stored, Placement::Simple),
            opacity: opacity_below(node, above.opacity, self.surfaces.version()),
            tint: tint_below(node, above.tint),
            extras,
            sky: above.sky || sky,
            collision: above.collision || extras::is_collision(&base),
            name: match step.detail {
                Some(Detail { level, .. }) if self.layout.lods != Lods::Nearest => {
                    format!("{base}_LOD{level}")
                }
                _ => base,
            },
        }
    }

    /// Adds an empty node for one that goes to the hidden scene.
    fn keep_place(&mut self, prepared: &Prepared<'_>, at: &Site) {
        let empty = model::Node {
            name: prepared.name.clone(),
            extras: prepared.extras.extras(),
            ..model::Node::default()
        };
        self.place(empty, &prepared.placement, at);
    }

    /// Adds a node with its mesh. A mesh that is hidden by itself goes to the hidden scene, on a separate node.
    fn add_shown(&mut self, mut prepared: Prepared<'s>, step: &Step, at: &Site) -> model::Placed {
        let mut facts = zipper::Node::default();
        let mut mesh = step
            .whole
            .then(|| self.mesh(&prepared, at, &mut facts))
            .flatten();
        if !self.is_terse(at.index) {
            prepared.extras.merge(facts);
        }
        if step.hidden_mesh {
            prepared.extras.hidden = Some(true);
            let alone = Site {
                layer: Layer::Hidden,
                above: None,
                ..*at
            };
            mesh = self.mesh(&prepared, &alone, &mut zipper::Node::default());
            let node = model::Node {
                name: prepared.name.clone(),
                mesh: mesh.take(),
                extras: prepared.extras.extras(),
                ..model::Node::default()
            };
            self.place(node, &prepared.placement, &alone);
        }
        let solid = NodeFlags::ALTITUDE_SURFACE | NodeFlags::INTERSECT_SURFACE;
        let model = self.layout.nodes.model(at.index).map(|(_, model)| model);
        let is_solid = model.is_some_and(|model| !model.polygons.is_empty())
            && prepared.node.flags().intersects(solid);
        let wants_hint = self.surfaces.options().godot_suffix;
        let node = model::Node {
            name: prepared.name,
            hint: (is_solid && wants_hint).then_some(model::NameHint::Solid),
            mesh,
            extras: prepared.extras.extras(),
            ..model::Node::default()
        };
        self.place(node, &prepared.placement, at)
    }

    /// Adds a node below its parent in the scene, or as a root with its world transform.
    fn place(&mut self, node: model::Node, placement: &Placement, at: &Site) -> model::Placed {
        let alone = at.world * placement.to_matrix();
        let alone = at.above.is_none().then(|| Placement::from_matrix(&alone));
        let placement = match alone {
            Some(Ok(placement)) => placement,
            Some(Err(_)) => {
                self.layout.checks.not_finite_transforms += 1;
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

    /// The mesh of a node for the scene of its layer, with the opacity and the tint at the node. Adds the extras of
    /// its model.
    fn mesh(
        &mut self,
        prepared: &Prepared<'_>,
        at: &Site,
        facts: &mut zipper::Node,
    ) -> Option<model::MeshId> {
        let nodes = self.layout.nodes;
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
        if prepared.collision && !self.surfaces.options().collision {
            self.layout.checks.collision_volumes += 1;
            return None;
        }
        let drawing = Drawing {
            kind: ShapeKind {
                bare: prepared.collision,
                ..self.shape_kind()
            },
            unlit: self.is_unlit(index, model, prepared.sky),
            opacity: prepared.opacity,
            tint: prepared.tint,
        };
        let key = MeshVariantKey {
            model: number,
            opacity: prepared.opacity.to_bits(),
            tint: prepared.tint,
            unlit: drawing.unlit,
            bare: drawing.kind.bare,
        };
        let builder = self.builders.entry(at.layer).or_default();
        if self.layout.nodes_only {
            return None;
        }
        if let Some(&known) = builder.meshes.get(&key) {
            return known;
        }
        let draws_points = model.record.model_type == ModelType::Points;
        let (surfaces, checks) = (&mut self.surfaces, &mut self.layout.checks);
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
            self.layout.checks.unfilled_models.insert(name.clone());
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

    /// Prepares the triangles of visible models in parallel on idle threads.
    pub(crate) fn prepare_shapes(&mut self) {
        if !self.layout.nodes_only {
            let shown = self.layout.shown();
            let models = shown.filter_map(|index| self.layout.nodes.model(index));
            self.shapes = PreparedShapes::of(models, self.shape_kind(), &self.surfaces);
        }
    }

    /// True if a node's extras hold only its index and the values that differ.
    fn is_terse(&self, index: usize) -> bool {
        self.terse
            && self
                .with_facts
                .as_ref()
                .is_none_or(|with_facts| with_facts.contains(&index))
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
