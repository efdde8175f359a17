//! Forests and city blocks: templates for textures of the ground, and their places.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec2, DVec3};
use relicast_scene::extras::{Float, floats, zipper};

use crate::options::ConvertOptions;
use crate::zipper::scene::hierarchy::{Nodes, matrix_of, parent_of};
use crate::zipper::scene::mesh;
use crate::zipper::scene::texture_library::key_of;
use crate::zipper::settings;
use crate::zipper::world::file::WorldFile;
use crate::zipper::world::zones;
use relicast_codec::quantity::counted;
use relicast_formats::zipper::gamez::{
    Model, NodeData, NodeFlags, Object3dFlags, Polygon, PolygonFlags,
};

use super::lattice::{self, GroundTriangle, uv_at, wrapped};
use super::registry::{self, Block, plain};
use super::{Crowd, Strewn, Thing, ground_random};

/// Maximum number of ancestors that are followed.
const FARTHEST: usize = 512;

/// An object of a template, by its place on the texture.
#[derive(Debug)]
struct Decoration {
    node: usize,
    uv: DVec2,
    /// Height over the plane of the template.
    height: f64,
}

/// A tree of nodes outside the world for a texture of the ground.
#[derive(Debug)]
struct Template {
    root: usize,
    /// The texture, as a key of [`key_of`].
    texture: String,
    decorations: Vec<Decoration>,
}

impl WorldFile<'_> {
    /// Places the objects of all templates on the ground with their textures.
    pub(super) fn strew_ground(&self, options: &ConvertOptions, strewn: &mut Strewn) {
        let names = self.around(options).clutter_names();
        if names.is_empty() {
            return;
        }
        let mut blocks = BTreeMap::new();
        settings::visit_named(&self.dependencies, &["templates"], |reader| {
            let values = settings::unwrapped(std::slice::from_ref(&reader.value));
            for (name, block) in registry::blocks(values) {
                blocks.entry(name).or_insert(block);
            }
        });
        let names = names.iter().map(|name| plain(name));
        let names: BTreeSet<String> = names.chain(blocks.keys().cloned()).collect();
        let roots = self.templates.iter().copied().filter(|&root| {
            let node = self.gamez.node(root);
            node.is_some_and(|node| names.contains(&plain(&node.name())))
        });
        let templates: Vec<Template> = roots.filter_map(|root| self.template_of(root)).collect();
        let textures = templates.iter().map(|template| &*template.texture);
        let ground = self.ground(&textures.collect());
        let mut random = ground_random();
        let mut endless = 0;
        for template in &templates {
            let triangles = ground
                .get(&*template.texture)
                .map_or(&[][..], Vec::as_slice);
            for decoration in &template.decorations {
                let mut crowd = self.crowd(template, decoration, &blocks);
                let block = self.block(template, decoration, &blocks);
                for triangle in triangles {
                    let is_whole = lattice::visit(triangle, decoration.uv, |point| {
                        if strewn.is_full(&crowd) {
                            return;
                        }
                        let node = self.drawn(decoration.node, block, &mut random);
                        let scale = block.and_then(|block| block.scale);
                        let scale = scale.map_or(1.0, |range| random.between(range));
                        // The distance at which it fades.
                        random.unit();
                        crowd.things.push(Thing {
                            point: point + DVec3::Y * decoration.height,
                            scale,
                            node,
                        });
                    });
                    endless += usize::from(!is_whole);
                }
                strewn.crowds.push(crowd);
            }
        }
        if endless > 0 {
            strewn.notes.push(format!(
                "{} too many texture tiles: no clutter there",
                counted(
                    endless,
                    "triangle of the ground has",
                    "triangles of the ground have"
                )
            ));
        }
    }

    fn name_of(&self, index: usize) -> String {
        let node = self.gamez.node(index);
        node.map(|node| node.name()).unwrap_or_default()
    }

    /// The settings of a decoration: its own, else those of its template.
    fn block<'b>(
        &self,
        template: &Template,
        decoration: &Decoration,
        blocks: &'b BTreeMap<String, Block>,
    ) -> Option<&'b Block> {
        let of = |index: usize| blocks.get(&plain(&self.name_of(index)));
        of(decoration.node).or_else(|| of(template.root))
    }

    /// An empty group for a decoration.
    fn crowd(
        &self,
        template: &Template,
        decoration: &Decoration,
        blocks: &BTreeMap<String, Block>,
    ) -> Crowd {
        let name = self.name_of(decoration.node);
        let mut facts = zipper::Clutter {
            template: Some(self.name_of(template.root)),
            texture: Some(template.texture.to_string()),
            uv: Some(floats(decoration.uv.to_array().map(|part| part as f32))),
            ..zipper::Clutter::default()
        };
        if let Some(block) = self.block(template, decoration, blocks) {
            facts.scale = block.scale.map(|range| zipper::ClutterScale {
                range: Some(floats(range.map(|end| end as f32))),
                certain: Some(false),
            });
            let weights = block.substitutes.iter();
            let weights = weights.map(|(name, weight)| (name.clone(), Float(*weight as f32)));
            facts.substitutes = (!block.substitutes.is_empty()).then(|| zipper::Substitutes {
                weights: Some(weights.collect()),
                certain: Some(false),
            });
            let distances = block.far_fade.iter().copied().map(Float);
            facts.far_fade_range = (!block.far_fade.is_empty()).then(|| distances.collect());
        }
        Crowd {
            name: format!("clutter_{name}"),
            facts,
            things: Vec::new(),
        }
    }

    /// The node for a decoration at a place: itself, or one of its substitutes.
    fn drawn(
        &self,
        node: usize,
        block: Option<&Block>,
        random: &mut super::random::Random,
    ) -> usize {
        let Some(block) = block.filter(|block| !block.substitutes.is_empty()) else {
            return node;
        };
        let weights = block.substitutes.iter().map(|(_, weight)| *weight);
        let choice = random.choice(weights);
        let name = block.substitutes.get(choice).map(|(name, _)| plain(name));
        let named = name.and_then(|name| self.named_plain(&name));
        named.unwrap_or(node)
    }

    /// The node of a name without its ending, templates first.
    pub(super) fn named_plain(&self, name: &str) -> Option<usize> {
        let is_so = |index: &usize| plain(&self.name_of(*index)) == name;
        let mut templates = self.templates.iter().copied();
        let found = templates.find(is_so);
        found.or_else(|| (0..self.gamez.count()).find(is_so))
    }

    /// The template below a root: its first mesh is a piece of the ground, the other children are objects on it.
    fn template_of(&self, root: usize) -> Option<Template> {
        let mut stack = vec![(root, DMat4::IDENTITY, None)];
        let mut visited = 0;
        let (ground, matrix, child, model) = loop {
            let (index, matrix, child) = stack.pop()?;
            visited += 1;
            if visited > FARTHEST {
                return None;
            }
            if let Some((_, model)) = self.gamez.model(index)
                && !model.polygons.is_empty()
            {
                break (index, matrix, child, model);
            }
            let children = self.children(index).into_iter().rev();
            stack.extend(children.map(|below| {
                let own = matrix * self.local(below);
                (below, own, child.or(Some(below)))
            }));
        };
        let polygon = model.polygons.first()?;
        let (material, uvs) = polygon.layers().next()?;
        let texture = self.texture_key(material)?;
        let triangles = mesh::triangles(model, polygon).into_iter();
        let mut triangles =
            triangles.filter_map(|corners| triangle_of(model, polygon, uvs?, corners, &matrix));
        let quad = triangles.find(|quad| uv_at(quad, quad.points[0]).is_some())?;
        let beside = self
            .children(root)
            .into_iter()
            .filter(|below| Some(*below) != child);
        let below = self.children(ground).into_iter().filter(|_| ground != root);
        let beside = beside.map(|index| (index, self.local(index)));
        let below = below.map(|index| (index, matrix * self.local(index)));
        let decorations = beside.chain(below).filter_map(|(node, matrix)| {
            let at = matrix.transform_point3(DVec3::ZERO);
            Some(Decoration {
                node,
                uv: wrapped(uv_at(&quad, at)?),
                height: at.y - quad.points[0].y,
            })
        });
        Some(Template {
            root,
            texture,
            decorations: decorations.collect(),
        })
    }

    fn children(&self, index: usize) -> Vec<usize> {
        let node = self.gamez.node(index);
        let children = node.into_iter().flat_map(|node| &node.children);
        children.map(|&child| child as usize).collect()
    }

    /// The transform of a node in its parent.
    fn local(&self, index: usize) -> DMat4 {
        match self.gamez.node(index).map(|node| &node.data) {
            Some(NodeData::Object3d(object))
                if !object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) =>
            {
                matrix_of(&object.transform)
            }
            _ => DMat4::IDENTITY,
        }
    }

    /// The texture of a stored material, as a key of [`key_of`].
    fn texture_key(&self, material: i32) -> Option<String> {
        let material = self.materials.get(usize::try_from(material).ok()?)?;
        Some(key_of(material.texture()?))
    }

    /// A node and its ancestors.
    fn upwards(&self, index: usize) -> impl Iterator<Item = usize> {
        let above = std::iter::successors(Some(index), |&at| parent_of(&self.gamez, at));
        above.take(FARTHEST)
    }

    /// The transform of a node to the world.
    pub(super) fn to_world(&self, index: usize) -> DMat4 {
        let above = self.upwards(index);
        above.fold(DMat4::IDENTITY, |below, at| self.local(at) * below)
    }

    /// True if a node is visible from near the ground where a mission begins.
    fn is_seen(&self, index: usize) -> bool {
        let can_hide = |at: usize| {
            let node = self.gamez.node(at);
            node.is_some_and(|node| {
                let is_thing = matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_));
                is_thing && !node.flags().contains(NodeFlags::ACTIVE)
            })
        };
        let hidden = self.unplaced_nodes();
        zones::is_shown(&self.gamez, index)
            && !self
                .upwards(index)
                .any(|at| can_hide(at) || hidden.contains(&at))
    }

    /// The triangles of the world by texture, for some textures. Polygons with the flag of nodes called
    /// `…no_clutter…` are skipped.
    fn ground(&self, textures: &BTreeSet<&str>) -> BTreeMap<String, Vec<GroundTriangle>> {
        let mut found: BTreeMap<String, Vec<GroundTriangle>> = BTreeMap::new();
        if textures.is_empty() {
            return found;
        }
        for &index in &self.placed {
            let Some((_, model)) = self.gamez.model(index).filter(|_| self.is_seen(index)) else {
                continue;
            };
            let matrix = self.to_world(index);
            for polygon in &model.polygons {
                if polygon.flags().contains(PolygonFlags::UNK3) {
                    continue;
                }
                let mut seen = BTreeSet::new();
                for (material, uvs) in polygon.layers() {
                    let key = self.texture_key(material);
                    let key = key.filter(|key| textures.contains(&**key));
                    let (Some(key), Some(uvs)) = (key, uvs) else {
                        continue;
                    };
                    if seen.insert(key.clone()) {
                        let triangles = mesh::triangles(model, polygon).into_iter();
                        let triangles = triangles.filter_map(|corners| {
                            triangle_of(model, polygon, uvs, corners, &matrix)
                        });
                        found.entry(key).or_default().extend(triangles);
                    }
                }
            }
        }
        found
    }
}

/// A triangle of a polygon with one of its layers.
fn triangle_of(
    model: &Model,
    polygon: &Polygon,
    uvs: &[relicast_codec::Vec2],
    corners: [usize; 3],
    matrix: &DMat4,
) -> Option<GroundTriangle> {
    let mut points = [DVec3::ZERO; 3];
    let mut flat = [DVec2::ZERO; 3];
    for ((corner, point), uv) in corners.into_iter().zip(&mut points).zip(&mut flat) {
        let vertex = *polygon.vertex_indices.get(corner)?;
        let vertex = model.vertices.get(vertex as usize)?.to_array();
        *point = matrix.transform_point3(DVec3::from_array(vertex.map(f64::from)));
        *uv = DVec2::from_array(uvs.get(corner)?.to_array().map(f64::from));
    }
    Some(GroundTriangle { points, uvs: flat })
}
