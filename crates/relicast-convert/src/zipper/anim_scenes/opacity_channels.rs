//! Opacity channels of materials, from the opacity of the nodes that use them and of all their ancestors.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use glam::Vec3;

use crate::zipper::bake::evaluate::AnimatedNode;
use crate::zipper::bake::keys::{self, Keys};
use crate::zipper::bake::product::product;
use relicast_scene::extras::{ObjectExtras, read, zipper};
use relicast_scene::model::{
    AlphaMode, Interpolation, MaterialId, Node, NodeId, Scene, SurfaceChannel, SurfaceTrack,
};

/// The surfaces that were copied for nodes that fade.
#[derive(Debug, Default)]
pub(in crate::zipper) struct Fades {
    /// Copied surfaces, by node.
    own: BTreeMap<NodeId, Vec<MaterialId>>,
    /// Parent of each node of the scene.
    parents: Vec<Option<NodeId>>,
    /// The opacity of a node replaces those of its ancestors instead of multiplying them, as in Recoil.
    pub replaces: bool,
}

/// The opacity of a node, from itself and its ancestors, and the part that its surfaces have at rest.
struct Fade {
    keys: Keys<Vec3>,
    at_rest: f64,
}

impl Fades {
    /// Records the parents of the nodes of a scene.
    pub(in crate::zipper) fn look_at(&mut self, scene: &Scene) {
        self.parents = vec![None; scene.nodes.len()];
        for (index, node) in scene.nodes.iter().enumerate() {
            for child in &node.children {
                if let Some(parent) = self.parents.get_mut(child.index()) {
                    *parent = Some(NodeId::from(index));
                }
            }
        }
    }

    /// The channels of all materials at and below nodes whose opacity a clip changes. Each of these nodes gets its
    /// own materials, so that nothing else fades.
    pub(in crate::zipper) fn channels(
        &mut self,
        scene: &mut Scene,
        faders: &BTreeMap<NodeId, &AnimatedNode>,
        end: f64,
    ) -> Vec<SurfaceChannel> {
        let mut channels = Vec::new();
        let mut known: HashMap<Vec<NodeId>, Rc<Fade>> = HashMap::new();
        let tops = faders.keys().copied();
        let tops: Vec<NodeId> = tops.filter(|&top| !self.is_below(top, faders)).collect();
        let mut pending: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        pending.extend(tops.into_iter().map(|top| (top, Vec::new())));
        while let Some((node, mut above)) = pending.pop() {
            if faders.contains_key(&node) {
                if self.replaces {
                    above.clear();
                }
                above.push(node);
            }
            let Some(own) = scene.nodes.get(node.index()) else {
                continue;
            };
            if self.replaces && !faders.contains_key(&node) && has_own_opacity(own) {
                above.clear();
            }
            let children = own.children.iter().rev();
            pending.extend(children.map(|&child| (child, above.clone())));
            if own.mesh.is_none() || above.is_empty() {
                continue;
            }
            let fade = known.entry(above);
            let fade = fade.or_insert_with_key(|above| Rc::new(fade_of(above, faders, end)));
            let fade = Rc::clone(fade);
            let own = self.own.entry(node);
            let own = own.or_insert_with(|| scene.own_surfaces(node));
            channels.extend(own.iter().map(|&surface| fade.channel(scene, surface)));
        }
        channels
    }

    /// True if a node is a descendant of one of them.
    fn is_below(&self, node: NodeId, faders: &BTreeMap<NodeId, &AnimatedNode>) -> bool {
        let above = |node: &NodeId| self.parents.get(node.index()).copied().flatten();
        let mut chain = std::iter::successors(above(&node), above);
        chain.any(|above| faders.contains_key(&above))
    }
}

/// True if the file gives the node its own opacity.
fn has_own_opacity(node: &Node) -> bool {
    let facts = node
        .extras
        .get(zipper::Node::FAMILY)
        .map(read::<zipper::Node>);
    facts.is_some_and(|facts| facts.opacity.is_some())
}

fn fade_of(above: &[NodeId], faders: &BTreeMap<NodeId, &AnimatedNode>, end: f64) -> Fade {
    let actors = above.iter().filter_map(|node| faders.get(node));
    let tracks = actors.clone().map(|actor| actor.opacity.spans(end));
    let tracks: Vec<_> = tracks.collect();
    let at_rest = actors.map(|actor| actor.rest.opacity.unwrap_or(1.0));
    Fade {
        keys: keys::vector_keys(&product(&tracks)),
        at_rest: at_rest.product(),
    }
}

impl Fade {
    /// Adds a fade to a surface.
    fn channel(&self, scene: &mut Scene, surface: MaterialId) -> SurfaceChannel {
        let mut shade = [1.0; 4];
        let material = scene.materials.get_mut(surface.index());
        if let Some(material) = &material {
            shade = material.base_color;
        }
        let [red, green, blue, alpha] = shade;
        // A surface that is invisible at rest has no known opacity when it is shown.
        let solid = if self.at_rest > 0.0 {
            f64::from(alpha) / self.at_rest
        } else {
            1.0
        };
        let value = |opacity: f32| {
            let alpha = (f64::from(opacity) * solid).clamp(0.0, 1.0);
            [red, green, blue, alpha as f32]
        };
        let slope = |rate: f32| [0.0, 0.0, 0.0, (f64::from(rate) * solid) as f32];
        let rows = self.keys.values.iter().map(|row| row.x);
        let rows: Vec<[f32; 4]> = match self.keys.interpolation {
            Interpolation::Cubic => rows
                .enumerate()
                .map(|(place, row)| match place % 3 {
                    1 => value(row),
                    _ => slope(row),
                })
                .collect(),
            Interpolation::Linear | Interpolation::Step => rows.map(value).collect(),
        };
        let each = self.keys.interpolation.values_per_key();
        let mut alphas = rows.iter().skip(each / 2).step_by(each).map(|row| row[3]);
        if let Some(material) = material
            && alphas.any(|alpha| alpha < 1.0)
        {
            // Fading needs blending, regardless of the picture.
            material.alpha = AlphaMode::Blend;
        }
        SurfaceChannel {
            material: surface,
            times: self.keys.times.clone(),
            interpolation: self.keys.interpolation,
            track: SurfaceTrack::BaseColor(rows),
        }
    }
}
