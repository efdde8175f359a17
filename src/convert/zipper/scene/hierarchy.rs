//! Trees of nodes to scenes: one for what is seen at first, and others for what is not.
//!
//! What leaves the scene of its parent stands in the other one by itself, with its transform in the
//! world, so that both files lie over each other.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{DMat3, DMat4, Vec3};
use serde_json::{Map, Value, json};

use crate::config::{Hidden, Lods, Shading};
use crate::formats::zipper::gamez::{
    Model, ModelFlags, ModelType, Node, NodeData, NodeFlags, Object3dFlags, Version,
};
use crate::scene::model::{self, NodeId, Placement};

use super::checks::Checks;
use super::material::Surfaces;
use super::mesh::{self, Drawing};
use super::nodes::{DEEPEST, mismatches, opacity_of};
use super::scene_builder::{MeshVariantKey, SceneBuilder};
use super::variants::MaterialVariants;
use super::{extras, zipper};

pub(in crate::convert) use super::nodes::{NodeSubset, Nodes, matrix_of, parent_of};

/// Which file of a part a node goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::convert) enum Layer {
    /// What is seen.
    Main,
    /// What is not seen at first.
    Hidden,
    /// A level of detail, 1 for the one after the finest.
    Detail(u8),
}

/// What an assembly is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::convert) enum Purpose {
    /// The world itself, whose colours hold its light in the games that have colours.
    World,
    /// Something that moves about and is lit.
    Model,
    /// A 'mech: a model whose file repeats polygons.
    Mech,
}

/// A node of the file that is in a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::convert) struct Emitted {
    /// Its index in the file.
    pub index: usize,
    /// The scene it is in.
    pub layer: Layer,
    /// What stands for it there.
    pub node: NodeId,
}

/// A node that is still to come.
#[derive(Debug, Clone, Copy)]
struct Pending {
    index: usize,
    /// A node above is wanted as a whole.
    inside: bool,
    layer: Layer,
    /// The node above, if that is in the same scene.
    above: Option<NodeId>,
    /// Transform of the node above.
    world: DMat4,
    opacity: f32,
    /// Part of the sky, which no light changes.
    sky: bool,
    /// Part of a volume that things collide with, which nobody sees.
    collision: bool,
    /// The entry of the node above in the trail.
    ancestors: Option<usize>,
    detail: Option<Detail>,
}

/// The place of a level of detail in its group.
#[derive(Debug, Clone, Copy)]
struct Detail {
    level: usize,
    of: usize,
}

/// Puts scenes together.
#[derive(Debug)]
pub(in crate::convert) struct HierarchyBuilder<'s, 'l, 'a, N> {
    nodes: &'s N,
    surfaces: Surfaces<'l, 'a>,
    purpose: Purpose,
    hidden: Hidden,
    lods: Lods,
    /// The scenes.
    pub builders: BTreeMap<Layer, SceneBuilder>,
    /// What was counted.
    pub checks: Checks,
    /// What is where, in order.
    pub shown: Vec<Emitted>,
    /// First appearance of each node.
    first: HashMap<usize, NodeId>,
    /// Index, entry of the node above, and depth of every node that was reached.
    ancestors: Vec<(usize, Option<usize>, usize)>,
    /// More facts about nodes, by index.
    pub notes: HashMap<usize, Map<String, Value>>,
    /// Nodes whose own mesh goes to the hidden scene.
    pub hidden_meshes: HashSet<usize>,
    /// Nodes that are hidden with all below them, whatever their flags.
    pub hidden_nodes: HashSet<usize>,
    /// Nodes that are shown whatever their flags.
    pub shown_nodes: HashSet<usize>,
    /// Levels of detail of the main scene: the trail of the node above, the level, what stands for it.
    levels: Vec<(Option<usize>, usize, NodeId, usize)>,
    /// Transforms that take the place of stored ones.
    pub poses: HashMap<usize, model::Transform>,
    /// Make no meshes: only find out what goes where.
    pub dry: bool,
    /// Leave out the rest. What is then still hidden or coarse goes to no scene.
    pub extract: Option<NodeSubset>,
}

impl<'s, 'l, 'a, N: Nodes> HierarchyBuilder<'s, 'l, 'a, N> {
    pub(in crate::convert) fn new(
        nodes: &'s N,
        surfaces: Surfaces<'l, 'a>,
        purpose: Purpose,
    ) -> Self {
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
            ancestors: Vec::new(),
            notes: HashMap::new(),
            hidden_meshes: HashSet::new(),
            hidden_nodes: HashSet::new(),
            shown_nodes: HashSet::new(),
            levels: Vec::new(),
            poses: HashMap::new(),
            dry: false,
            extract: None,
        }
    }

    /// Gives what is added from now on several looks.
    pub(in crate::convert) fn use_variants(&mut self, variants: &'l MaterialVariants) {
        self.surfaces.set_looks(variants);
    }

    /// Whether a node was reached.
    pub(in crate::convert) fn has(&self, index: usize) -> bool {
        self.first.contains_key(&index)
    }

    /// What stands for a node in the main scene.
    pub(in crate::convert) fn in_main(&self, index: usize) -> Option<NodeId> {
        let mut shown = self.shown.iter();
        let found = shown.find(|shown| shown.index == index && shown.layer == Layer::Main);
        found.map(|shown| shown.node)
    }

    /// The main scene.
    pub(in crate::convert) fn main(&mut self) -> &mut model::Scene {
        &mut self.builder(Layer::Main).scene
    }

    fn builder(&mut self, layer: Layer) -> &mut SceneBuilder {
        self.builders.entry(layer).or_default()
    }

    /// Adds trees to the scenes, in order, below a node of the main scene or as roots.
    pub(in crate::convert) fn add(&mut self, roots: &[usize], above: Option<NodeId>) {
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
            let groups = self.detail_groups(levels);
            self.main().detail_groups.extend(groups);
        }
    }

    /// Groups of levels, where each level is one node.
    fn detail_groups(
        &self,
        levels: Vec<(Option<usize>, usize, NodeId, usize)>,
    ) -> Vec<model::DetailGroup> {
        let mut groups: BTreeMap<Option<usize>, Vec<(usize, NodeId, usize)>> = BTreeMap::new();
        for (above, level, node, index) in levels {
            groups.entry(above).or_default().push((level, node, index));
        }
        let made = groups.into_values().filter_map(|mut group| {
            group.sort_unstable_by_key(|level| level.0);
            let whole = group.iter().enumerate().all(|(at, level)| level.0 == at);
            let &(_, _, finest) = group.first().filter(|_| whole && group.len() > 1)?;
            let around = self.nodes.node(finest)?.bounds(self.surfaces.version());
            let radius = around.map_or(0.0, |around| {
                let corners = [around.min, around.max].map(|at| Vec3::from_array(at.to_array()));
                corners[0].distance(corners[1]) / 2.0
            });
            let share = |index: usize| match &self.nodes.node(index)?.data {
                NodeData::Lod(lod) => {
                    let (_, far) = lod.range();
                    let share = (radius / far).powi(2);
                    Some(if share.is_finite() {
                        share.min(1.0)
                    } else {
                        0.0
                    })
                }
                _ => None,
            };
            Some(model::DetailGroup {
                levels: group.iter().map(|level| level.1).collect(),
                coverage: group.iter().filter_map(|level| share(level.2)).collect(),
            })
        });
        made.collect()
    }

    /// Puts siblings on the stack, the first on top, and sorts out their levels of detail.
    fn push_group(&mut self, members: &[usize], like: Pending, stack: &mut Vec<Pending>) {
        let ranges = |index: usize| match &self.nodes.node(index)?.data {
            NodeData::Lod(lod) => Some(lod.range()),
            _ => None,
        };
        let mut levels: Vec<(f32, f32)> = members.iter().filter_map(|&at| ranges(at)).collect();
        levels.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Nodes that are seen from the same distance on are parts of one level.
        levels.dedup_by(|next, level| next.0.total_cmp(&level.0).is_eq());
        if levels.len() > 1 {
            self.checks.detail_groups += 1;
            let touch = |pair: &[(f32, f32)]| {
                let (far, near) = (pair[0].1, pair[1].0);
                (far - near).abs() <= 1e-3 * near.abs().max(1.0)
            };
            self.checks.detail_gaps += usize::from(!levels.windows(2).all(touch));
        }
        for &index in members.iter().rev() {
            let near = ranges(index).map(|(near, _)| near);
            let level = near.and_then(|near| {
                let mut levels = levels.iter();
                levels.position(|level| level.0.total_cmp(&near).is_eq())
            });
            stack.push(Pending {
                index,
                detail: level.map(|level| Detail {
                    level,
                    of: levels.len(),
                }),
                ..like
            });
        }
    }

    /// Depth of a node below an entry of the trail, unless it would be its own ancestor.
    fn depth_below(&self, index: usize, ancestors: Option<usize>) -> Option<usize> {
        let depth = ancestors.map_or(0, |entry| self.ancestors[entry].2 + 1);
        let mut at = ancestors;
        while let Some(entry) = at {
            let (ancestor, above, _) = self.ancestors[entry];
            if ancestor == index {
                return None;
            }
            at = above;
        }
        (depth < DEEPEST).then_some(depth)
    }

    fn add_one(&mut self, mut next: Pending, stack: &mut Vec<Pending>) {
        let nodes = self.nodes;
        let Some(node) = nodes.node(next.index) else {
            self.checks.unknown_nodes += 1;
            return;
        };
        let most = nodes.count().saturating_mul(4).saturating_add(1 << 12);
        let Some(depth) = self
            .depth_below(next.index, next.ancestors)
            .filter(|_| self.ancestors.len() < most)
        else {
            self.checks.cut_nodes += 1;
            return;
        };
        let named = self
            .extract
            .as_ref()
            .is_some_and(|extract| extract.names(next.index));
        let whole = match &self.extract {
            Some(extract) => next.inside || extract.whole.contains(&next.index),
            None => true,
        };
        if !(named || whole) {
            return;
        }
        if let Some(Detail { level: 1.., .. }) = next.detail
            && (self.lods == Lods::Nearest || self.extract.is_some())
            && !named
        {
            return;
        }
        self.ancestors.push((next.index, next.ancestors, depth));
        let ancestors = self.ancestors.len() - 1;

        let stored = self.placement(node);
        let posed = self.poses.get(&next.index).copied();
        let placement = posed.map_or(stored, Placement::Simple);
        let world = next.world * placement.to_matrix();
        let opacity = next.opacity * opacity_of(node);
        let mut facts = extras::of_node(next.index, node, self.surfaces.version());
        facts.extend(self.notes.remove(&next.index).unwrap_or_default());
        next.sky |= facts.contains_key("sky");
        next.collision |= facts.contains_key("collision");
        if let Some(Detail { level, of }) = next.detail
            && let Some(Value::Object(lod)) = facts.get_mut("lod")
        {
            lod.insert("level".to_owned(), Value::from(level));
            lod.insert("of".to_owned(), Value::from(of));
        }
        let base = node.name();
        let name = match next.detail {
            Some(Detail { level, .. }) if self.lods != Lods::Nearest => {
                format!("{base}_LOD{level}")
            }
            _ => base,
        };
        if let Some(Detail {
            level: level @ 1.., ..
        }) = next.detail
            && next.layer == Layer::Main
            && self.lods == Lods::All
            && !named
        {
            next.layer = Layer::Detail(u8::try_from(level).unwrap_or(u8::MAX));
            next.above = None;
        }
        if self.is_hidden(next.index, node) {
            facts.insert("hidden".to_owned(), Value::from(true));
            if self.hidden == Hidden::Separate && next.layer != Layer::Hidden && !named {
                // An empty node keeps the place.
                let empty = model::Node {
                    name: name.clone(),
                    extras: zipper(facts.clone()),
                    ..model::Node::default()
                };
                self.place(empty, &placement, &next);
                if self.extract.is_some() {
                    return;
                }
                next.layer = Layer::Hidden;
                next.above = None;
            }
        }
        if self.first.contains_key(&next.index) {
            facts.insert("instanceOf".to_owned(), Value::from(next.index));
            self.checks.copies += 1;
        }
        let mut own = if whole {
            self.mesh(&next, opacity, &mut facts)
        } else {
            None
        };
        let moved = nodes.model(next.index).is_some()
            && self.hidden == Hidden::Separate
            && next.layer != Layer::Hidden
            && self.extract.is_none()
            && self.hidden_meshes.contains(&next.index);
        if moved {
            own = None;
            facts.insert("hidden".to_owned(), Value::from(true));
            let alone = Pending {
                layer: Layer::Hidden,
                above: None,
                ..next
            };
            let mesh = self.mesh(&alone, opacity, &mut Map::new());
            let node = model::Node {
                name: name.clone(),
                mesh,
                extras: zipper(facts.clone()),
                ..model::Node::default()
            };
            self.place(node, &placement, &alone);
        }
        let solid = NodeFlags::ALTITUDE_SURFACE | NodeFlags::INTERSECT_SURFACE;
        let model = nodes.model(next.index).map(|(_, model)| model);
        let is_solid =
            model.is_some_and(|model| !model.polygons.is_empty()) && node.flags().intersects(solid);
        let wants_hint = self.surfaces.options().godot_suffix;
        let node_made = model::Node {
            name,
            hint: (is_solid && wants_hint).then_some(model::NameHint::Solid),
            mesh: own,
            extras: zipper(facts),
            ..model::Node::default()
        };
        let placed = self.place(node_made, &placement, &next);
        if let Some(Detail { level, .. }) = next.detail
            && next.layer == Layer::Main
        {
            self.levels
                .push((next.ancestors, level, placed.outer, next.index));
        }
        self.first.entry(next.index).or_insert(placed.outer);
        self.shown.push(Emitted {
            index: next.index,
            layer: next.layer,
            node: placed.outer,
        });
        let children: Vec<usize> = node.children.iter().map(|&child| child as usize).collect();
        self.push_group(
            &children,
            Pending {
                index: 0,
                inside: self.extract.is_some() && whole,
                layer: next.layer,
                above: Some(placed.inner),
                world,
                opacity,
                sky: next.sky,
                collision: next.collision,
                ancestors: Some(ancestors),
                detail: None,
            },
            stack,
        );
    }

    /// Adds a node where it belongs: below the one above it, or by itself at its place in the world.
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
        let scene = &mut self.builder(at.layer).scene;
        let placed = scene.add_placed(node, &placement);
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

    fn placement(&mut self, node: &Node) -> Placement {
        let NodeData::Object3d(object) = &node.data else {
            return Placement::Simple(model::Transform::IDENTITY);
        };
        if object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) {
            return Placement::Simple(model::Transform::IDENTITY);
        }
        let matrix = matrix_of(&object.transform);
        let determinant = DMat3::from_mat4(matrix).determinant();
        self.checks.determinants.add(determinant);
        self.checks.euler_mismatches += usize::from(mismatches(object));
        Placement::from_matrix(&matrix).unwrap_or_else(|_| {
            self.checks.not_finite_transforms += 1;
            Placement::Simple(model::Transform::IDENTITY)
        })
    }

    /// The mesh that a node shows in the scene of a layer, and what its model says besides.
    fn mesh(
        &mut self,
        at: &Pending,
        opacity: f32,
        facts: &mut Map<String, Value>,
    ) -> Option<model::MeshId> {
        let nodes = self.nodes;
        let index = at.index;
        let (number, model) = nodes.model(index)?;
        if let Some(points) = extras::points(model) {
            facts.insert("points".to_owned(), points);
        }
        if model.polygons.is_empty() {
            if let Some(facade) = model.facade() {
                let facade = json!({"mode": mesh::facade_label(facade)});
                facts.insert("facade".to_owned(), facade);
            }
            return None;
        }
        if model.record.model_type == ModelType::Points && !self.dry {
            let place = model
                .polygons
                .first()
                .and_then(|polygon| polygon.materials.first());
            let place = place.and_then(|&material| self.surfaces.place(material));
            let material = self.surfaces.layer_facts(place, &mut self.checks);
            facts.insert("dots".to_owned(), extras::dots(model, &material));
            let node = nodes.node(index).map(Node::name).unwrap_or_default();
            self.checks
                .unfilled_models
                .insert(format!("m{number}_{node}"));
            return None;
        }
        if at.collision && !self.surfaces.options().collision {
            self.checks.collision_volumes += usize::from(!self.dry);
            return None;
        }
        let drawing = Drawing {
            unlit: self.is_unlit(model, at.sky),
            opacity,
            drop_duplicates: self.purpose == Purpose::Mech,
            bare: at.collision,
        };
        let look = MeshVariantKey {
            model: number,
            opacity: opacity.to_bits(),
            unlit: drawing.unlit,
            bare: drawing.bare,
        };
        let builder = self.builders.entry(at.layer).or_default();
        if self.dry {
            return None;
        }
        if let Some(&known) = builder.meshes.get(&look) {
            return known;
        }
        let made = mesh::make(
            model,
            drawing,
            &mut self.surfaces,
            builder,
            &mut self.checks,
        );
        let id = made.map(|mut mesh| {
            let node = nodes.node(index).map(Node::name).unwrap_or_default();
            mesh.name = format!("m{number}_{node}");
            builder.scene.add_mesh(mesh)
        });
        builder.meshes.insert(look, id);
        id
    }

    fn is_unlit(&self, model: &Model, sky: bool) -> bool {
        match self.surfaces.options().shading {
            Shading::Lit => false,
            Shading::Unlit => true,
            Shading::Auto => {
                let baked =
                    self.purpose == Purpose::World && self.surfaces.version() != Version::Recoil;
                baked || sky || !model.flags().contains(ModelFlags::LIGHTING)
            }
        }
    }
}
