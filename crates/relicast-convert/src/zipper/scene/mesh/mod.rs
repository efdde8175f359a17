//! Models to meshes: the faces of a model, and the groups of them that become primitives.

mod face;
mod primitive_writer;

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use glam::DVec3;

use crate::options::Layers;
use relicast_formats::zipper::gamez::{
    Facade, Model, ModelFlags, PerCorner, Polygon, PolygonFlags,
};
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{Layout, Mesh, MorphTarget, Primitive, PrimitiveBuilder, Topology};

use super::checks::{Checks, ShapeChecks};
use super::corner::CornerSource;
use super::material::Surfaces;
use super::material_key::{MaterialIndex, MaterialKey, Tint, Tinting};
use super::scene_builder::SceneBuilder;
use super::triangulate::{Corners, newell, outline, strip};
use face::{Face, stored_normal, uvs_of};
use primitive_writer::{PrimitiveWriter, SmoothNormals};

/// Selection of the polygons of a model, and of their materials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShapeKind {
    /// Duplicate polygons, which model libraries have, are left out.
    pub drop_duplicates: bool,
    /// No materials: a shape that is not drawn.
    pub bare: bool,
}

/// Rules for drawing a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawing {
    pub kind: ShapeKind,
    /// Without light.
    pub unlit: bool,
    /// 0 to 1.
    pub opacity: f32,
    /// The color that it is tinted with.
    pub tint: Option<Tint>,
}

/// Properties that the polygons of a primitive share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Group {
    layer: usize,
    priority: i32,
    material: Option<MaterialIndex>,
    double_sided: bool,
    textured: bool,
    /// Materials of the layers over this one, where they are not separate groups.
    carried: Vec<Option<MaterialIndex>>,
}

/// The triangles of a model: its mesh without the materials. They do not depend on the node that shows the model,
/// so that several models are processed in parallel.
#[derive(Debug)]
pub(super) struct Shape {
    kind: ShapeKind,
    parts: Vec<ShapePart>,
    counts: ShapeChecks,
}

/// A primitive without its material.
#[derive(Debug)]
struct ShapePart {
    group: Group,
    primitive: Primitive,
    /// All texture coordinates are inside the picture.
    is_inside: bool,
}

impl Shape {
    /// The shape of a model.
    pub(super) fn of(model: &Model, kind: ShapeKind, surfaces: &Surfaces<'_, '_>) -> Self {
        let mut counts = ShapeChecks::default();
        let faces = faces(model, kind, &mut counts);
        let (order, members) = groups(model, &faces, kind, surfaces);
        let primitives = Primitives {
            model,
            kind,
            smooth: SmoothNormals::new(model, &faces, surfaces.options().smooth_angle),
        };
        let mut parts = Vec::with_capacity(order.len());
        for group in order {
            let faces: Vec<&Face<'_>> = members
                .get(&group)
                .into_iter()
                .flatten()
                .filter_map(|&index| faces.get(index))
                .collect();
            if let Some(primitive) = primitives.make(&group, &faces, surfaces, &mut counts) {
                let mut faces = faces.iter();
                parts.push(ShapePart {
                    is_inside: faces.all(|face| is_inside(face, group.layer)),
                    group,
                    primitive,
                });
            }
        }
        Self {
            kind,
            parts,
            counts,
        }
    }

    /// True if it is of this kind.
    pub(super) fn is_of(&self, kind: ShapeKind) -> bool {
        self.kind == kind
    }
}

/// The mesh of a model; `None` if it shows nothing. `shape` is the prepared shape of the model, if any.
pub(super) fn make(
    model: &Model,
    shape: Option<Shape>,
    drawing: Drawing,
    surfaces: &mut Surfaces<'_, '_>,
    builder: &mut SceneBuilder,
    checks: &mut Checks,
) -> Option<Mesh> {
    let shape = shape.filter(|shape| shape.is_of(drawing.kind));
    let shape = shape.unwrap_or_else(|| Shape::of(model, drawing.kind, surfaces));
    checks.add_shape(shape.counts);
    let scroll = scroll(model);
    let primitives = shape.parts.into_iter();
    let primitives =
        primitives.map(|part| write_primitive(part, drawing, scroll, surfaces, builder, checks));
    let mut mesh = Mesh {
        primitives: primitives.collect(),
        ..Mesh::default()
    };
    if mesh.primitives.is_empty() {
        return None;
    }
    if !model.morphs.is_empty() {
        let factor = model.record.morph_factor.0;
        mesh.morph_targets.push(MorphTarget {
            name: "morph".to_owned(),
            weight: if factor.is_finite() { factor } else { 0.0 },
        });
    }
    mesh.extras = facts_of(model).extras();
    Some(mesh)
}

/// Adds the material to a primitive. `scroll` has the bits of the speeds of the texture along u and v, when it moves.
fn write_primitive(
    part: ShapePart,
    drawing: Drawing,
    scroll: Option<[u32; 2]>,
    surfaces: &mut Surfaces<'_, '_>,
    builder: &mut SceneBuilder,
    checks: &mut Checks,
) -> Primitive {
    let ShapePart {
        group,
        mut primitive,
        is_inside,
    } = part;
    checks.triangles += primitive.indices.len() / 3;
    if !drawing.kind.bare {
        let tint = tinting(&group, drawing, surfaces, &mut primitive);
        let material_key = MaterialKey {
            material: group.material,
            textured: group.textured,
            double_sided: group.double_sided,
            unlit: drawing.unlit,
            opacity: drawing.opacity.to_bits(),
            tint,
            inside: is_inside,
            scroll,
            overlay: group.layer > 0,
            variant: None,
        };
        primitive.material = Some(builder.material(material_key, surfaces, checks));
        if group.textured {
            primitive.variants = builder.variants(material_key, surfaces, checks);
        }
    }
    let mut facts = zipper::Primitive {
        priority: (group.priority != 0).then_some(group.priority),
        layer: (group.layer > 0).then_some(group.layer),
        ..zipper::Primitive::default()
    };
    if !group.carried.is_empty() {
        let over = group.carried.iter();
        let over = over.map(|&material| surfaces.layer_facts(material, checks));
        facts.layers = Some(over.collect());
        primitive.keep_unused_uvs = true;
    }
    primitive.extras = facts.extras();
    primitive
}

/// The tint of a primitive. The vertex colors of an unlit one without texture are part of the color that the engine
/// mixes, so the mixture is written to them: they multiply the material, and would darken the tint like the
/// surface.
fn tinting(
    group: &Group,
    drawing: Drawing,
    surfaces: &Surfaces<'_, '_>,
    primitive: &mut Primitive,
) -> Option<Tinting> {
    let tint = drawing.tint?;
    let plain = surfaces.plain_color(group.material);
    let Some(own) = plain.filter(|_| drawing.unlit && !primitive.colors.is_empty()) else {
        return Some(Tinting::Material(tint));
    };
    for color in &mut primitive.colors {
        let [red, green, blue, alpha] = *color;
        let light = [red, green, blue].map(|part| f32::from(part) / f32::from(u16::MAX));
        let mixed = tint.mixed(std::array::from_fn(|at| own[at] * light[at]));
        let [red, green, blue] = mixed.map(|part| (part * f32::from(u16::MAX)).round() as u16);
        *color = [red, green, blue, alpha];
    }
    Some(Tinting::Vertices)
}

/// A model that is drawn as points: each vertex is a point in the color of the first polygon's material. Its
/// polygons are not filled. `None` without vertices.
pub(super) fn dots(
    model: &Model,
    drawing: Drawing,
    surfaces: &mut Surfaces<'_, '_>,
    builder: &mut SceneBuilder,
    checks: &mut Checks,
) -> Option<Mesh> {
    let vertices = model.vertices.iter().map(|at| at.to_array());
    let is_finite = |at: &[f32; 3]| at.iter().all(|part| part.is_finite());
    let positions: Vec<[f32; 3]> = vertices.filter(is_finite).collect();
    checks.replaced_values += model.vertices.len() - positions.len();
    let count = u32::try_from(positions.len())
        .ok()
        .filter(|count| *count > 0)?;
    let polygon = model.polygons.first();
    let material = polygon.and_then(|polygon| polygon.materials.first());
    let material_key = MaterialKey {
        material: material.and_then(|&material| surfaces.index(material)),
        textured: false,
        double_sided: false,
        unlit: true,
        opacity: drawing.opacity.to_bits(),
        tint: drawing.tint.map(Tinting::Material),
        inside: true,
        scroll: None,
        overlay: false,
        variant: None,
    };
    let material = builder.material(material_key, surfaces, checks);
    Some(Mesh {
        primitives: vec![Primitive {
            positions: Arc::new(positions),
            indices: Arc::new((0..count).collect()),
            topology: Topology::Points,
            material: Some(material),
            ..Primitive::default()
        }],
        extras: facts_of(model).extras(),
        ..Mesh::default()
    })
}

/// Origins of the corners of the mesh that [`make`] makes of a model: for each of its primitives one entry for
/// each of its indices.
pub(super) fn sources(
    model: &Model,
    kind: ShapeKind,
    surfaces: &Surfaces<'_, '_>,
) -> Vec<Vec<CornerSource>> {
    let faces = faces(model, kind, &mut ShapeChecks::default());
    let (order, members) = groups(model, &faces, kind, surfaces);
    let smooth = SmoothNormals::new(model, &[], 0.0);
    let of_group = |group: &Group| {
        let mut builder = PrimitiveBuilder::new(Layout::default());
        let writer = PrimitiveWriter {
            model,
            smooth: &smooth,
            layer: group.layer,
            uv_sets: 0,
            lift: surfaces.options().decal_offset * group.priority as f32,
        };
        let members = members.get(group).into_iter().flatten();
        let mut corners = Vec::new();
        for face in members.filter_map(|&index| faces.get(index)) {
            for place in writer.add(&mut builder, face).into_iter().flatten() {
                corners.push(CornerSource {
                    polygon: face.number,
                    layer: group.layer,
                    corner: face.corners[place],
                });
            }
        }
        corners
    };
    let all = order.iter().map(of_group);
    all.filter(|corners| !corners.is_empty()).collect()
}

/// Inputs for the primitives of a mesh.
struct Primitives<'m> {
    model: &'m Model,
    kind: ShapeKind,
    smooth: SmoothNormals,
}

impl Primitives<'_> {
    /// The triangles of a group; `None` if there are none.
    fn make(
        &self,
        group: &Group,
        faces: &[&Face<'_>],
        surfaces: &Surfaces<'_, '_>,
        counts: &mut ShapeChecks,
    ) -> Option<Primitive> {
        let uv_sets = match group.carried.len() {
            0 => usize::from(group.textured),
            over => over + 1,
        };
        let mut primitive = PrimitiveBuilder::new(Layout {
            normals: true,
            morph_targets: usize::from(!self.model.morphs.is_empty()),
            uv_sets,
            colors: !self.kind.bare && faces.iter().any(|face| is_colored(face, counts)),
            ..Layout::default()
        });
        let writer = PrimitiveWriter {
            model: self.model,
            smooth: &self.smooth,
            layer: group.layer,
            uv_sets,
            lift: surfaces.options().decal_offset * group.priority as f32,
        };
        for face in faces {
            writer.add(&mut primitive, face);
        }
        let dropped = primitive.dropped();
        counts.degenerate_triangles += dropped.degenerate;
        counts.not_finite_triangles += dropped.not_finite;
        counts.replaced_normals += dropped.normals;
        counts.replaced_values += dropped.values;
        (!primitive.is_empty()).then(|| primitive.finish())
    }
}

/// Speeds of the texture, when it moves.
fn scroll(model: &Model) -> Option<[u32; 2]> {
    let speeds = [model.record.tex_scroll_u.0, model.record.tex_scroll_v.0];
    let moves = model.flags().contains(ModelFlags::TEXTURE_SCROLL)
        && speeds.iter().all(|speed| speed.is_finite())
        && speeds.iter().any(|speed| *speed != 0.0);
    moves.then(|| speeds.map(|speed| (speed + 0.0).to_bits()))
}

/// Name of the turning of a model with the camera.
pub(super) fn facade_label(facade: Facade) -> &'static str {
    match facade {
        Facade::CylindricalY => "cylindricalY",
        Facade::SphericalY => "spherical",
        Facade::CylindricalX => "cylindricalX",
        Facade::CylindricalZ => "cylindricalZ",
        Facade::Other(_) => "unknown",
    }
}

fn facts_of(model: &Model) -> zipper::Mesh {
    let flags = model.flags() - ModelFlags::FACADE_CENTROID - ModelFlags::FACADE_SPHERICAL;
    let flags: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    zipper::Mesh {
        facade: model.facade().map(|facade| zipper::Facade {
            mode: Some(facade_label(facade).to_owned()),
            centroid: Some(model.flags().contains(ModelFlags::FACADE_CENTROID)),
        }),
        flags: (!flags.is_empty()).then_some(flags),
    }
}

fn faces<'m>(model: &'m Model, kind: ShapeKind, counts: &mut ShapeChecks) -> Vec<Face<'m>> {
    let mut seen = HashSet::new();
    let mut faces = Vec::with_capacity(model.polygons.len());
    for (number, polygon) in model.polygons.iter().enumerate() {
        counts.polygons += 1;
        if kind.drop_duplicates && !seen.insert(cycle_of(polygon)) {
            counts.duplicate_polygons += 1;
            continue;
        }
        match face(model, number, polygon) {
            Some(face) => {
                counts.guessed_polygons += usize::from(face.triangles.guessed);
                vote(model, &face, counts);
                faces.push(face);
            }
            None => counts.dropped_polygons += 1,
        }
    }
    faces
}

/// Corners from the lowest on, materials and strip flag: equal for duplicate polygons.
pub(super) fn cycle_of(polygon: &Polygon) -> (PerCorner<u32>, PerCorner<i32>, bool) {
    let is_strip = polygon.flags().contains(PolygonFlags::TRI_STRIP);
    let mut corners = polygon.vertex_indices.clone();
    if !is_strip {
        let lowest = corners.iter().enumerate().min_by_key(|(_, index)| **index);
        let lowest = lowest.map_or(0, |(place, _)| place);
        corners.rotate_left(lowest);
    }
    (corners, polygon.materials.clone(), is_strip)
}

/// Triangles of a polygon, as indices into its lists of corners; none if it is not drawn.
pub(crate) fn triangles(model: &Model, polygon: &Polygon) -> Vec<[usize; 3]> {
    let Some(face) = face(model, 0, polygon) else {
        return Vec::new();
    };
    let list = face.triangles.list.iter();
    list.map(|triangle| triangle.map(|place| face.corners[place]))
        .collect()
}

fn face<'m>(model: &Model, number: usize, polygon: &'m Polygon) -> Option<Face<'m>> {
    let is_strip = polygon.flags().contains(PolygonFlags::TRI_STRIP);
    let indices = &polygon.vertex_indices;
    let mut corners: Corners<usize> = (0..indices.len()).collect();
    if !is_strip {
        corners.dedup_by_key(|corner| indices[*corner]);
        while corners.len() > 1
            && corners.first().map(|first| indices[*first])
                == corners.last().map(|last| indices[*last])
        {
            corners.pop();
        }
    }
    if corners.len() < 3 {
        return None;
    }
    let points: Option<Corners<DVec3>> = corners
        .iter()
        .map(|&corner| {
            let vertex = model.vertices.get(indices[corner] as usize)?;
            Some(DVec3::from_array(vertex.to_array().map(f64::from)))
        })
        .collect();
    let points = points?;
    let (triangles, normal) = if is_strip {
        (strip(points.len()), None)
    } else {
        let origin = points[0];
        let near: Corners<DVec3> = points.iter().map(|point| *point - origin).collect();
        let normal = newell(&near).try_normalize();
        let normal = normal.filter(|normal| normal.is_finite());
        let normal = normal.map(|normal| normal.to_array().map(|part| part as f32));
        (outline(&points), normal)
    };
    Some(Face {
        number,
        polygon,
        corners,
        points,
        triangles,
        normal,
    })
}

/// Counts the triangles of a face that point to the side of its stored normals, and those that do not.
fn vote(model: &Model, face: &Face<'_>, counts: &mut ShapeChecks) {
    for triangle in &face.triangles.list {
        let [a, b, c] = triangle.map(|place| face.points[place]);
        let normals = triangle.map(|place| {
            let stored = stored_normal(model, face.polygon, face.corners[place]);
            stored.map(|normal| DVec3::from_array(normal.map(f64::from)))
        });
        if let [Some(one), Some(two), Some(three)] = normals {
            let side = (b - a).cross(c - a).dot(one + two + three);
            counts.winding.agree += usize::from(side > 0.0);
            counts.winding.disagree += usize::from(side < 0.0);
        }
    }
}

/// Groups in drawing order, and the faces of each.
fn groups(
    model: &Model,
    faces: &[Face<'_>],
    kind: ShapeKind,
    surfaces: &Surfaces<'_, '_>,
) -> (Vec<Group>, HashMap<Group, Vec<usize>>) {
    let mut order = Vec::new();
    let mut members: HashMap<Group, Vec<usize>> = HashMap::new();
    for (index, face) in faces.iter().enumerate() {
        let polygon = face.polygon;
        let flags = polygon.flags();
        let raised = i32::from(flags.contains(PolygonFlags::UNK3));
        let double_sided = model.shows_both_sides(polygon, surfaces.version());
        let (layers, carried) = match surfaces.options().layers {
            _ if kind.bare => (1, Vec::new()),
            Layers::Blend => (usize::MAX, Vec::new()),
            Layers::Extras => {
                let over = polygon.layers().skip(1);
                (
                    1,
                    over.map(|(material, _)| surfaces.index(material)).collect(),
                )
            }
        };
        for (layer, (material, uvs)) in polygon.layers().enumerate().take(layers) {
            let material = surfaces.index(material).filter(|_| !kind.bare);
            let over = i32::from(layer > 0);
            let group = Group {
                layer,
                priority: polygon
                    .record
                    .priority
                    .saturating_add(raised)
                    .saturating_add(over),
                material,
                double_sided,
                textured: uvs.is_some() && surfaces.is_textured(material),
                carried: carried.clone(),
            };
            match members.get_mut(&group) {
                Some(list) => list.push(index),
                None => {
                    order.push(group.clone());
                    members.insert(group, vec![index]);
                }
            }
        }
    }
    order.sort_by_key(|group| (group.layer, group.priority));
    (order, members)
}

fn is_inside(face: &Face<'_>, layer: usize) -> bool {
    let mut uvs = uvs_of(face, layer).iter();
    uvs.all(|uv| uv.to_array().iter().all(|part| (0.0..=1.0).contains(part)))
}

/// True if a face has a corner that is not white.
fn is_colored(face: &Face<'_>, counts: &mut ShapeChecks) -> bool {
    let mut colored = false;
    for color in &face.polygon.colors {
        for part in color.to_array() {
            colored |= part != 255.0;
            counts.colors_out_of_range += usize::from(!(0.0..=255.0).contains(&part));
        }
    }
    colored
}
