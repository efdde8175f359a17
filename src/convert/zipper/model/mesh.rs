//! Models to meshes.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use serde_json::{Map, Value, json};

use crate::formats::zipper::gamez::{Facade, Model, ModelFlags, ModelType, Polygon, PolygonFlags};
use crate::scene::model::{Corner, Layout, Mesh, MorphTarget, PrimitiveBuilder};
use crate::scene::space::vertex_colour;

use super::checks::Checks;
use super::material::{Surfaces, Wear};
use super::stage::Stage;
use super::triangulate::{Triangles, newell, outline, strip};
use super::zipper;

/// How a model is to be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawing {
    /// Without light.
    pub unlit: bool,
    /// 0 to 1.
    pub opacity: f32,
    /// Polygons that repeat others are left out, as model libraries have them.
    pub drop_duplicates: bool,
}

/// What the polygons of a primitive have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Group {
    layer: usize,
    priority: i32,
    material: Option<usize>,
    double_sided: bool,
    textured: bool,
}

/// A polygon whose corners exist.
struct Face<'m> {
    polygon: &'m Polygon,
    /// Positions in the polygon's lists of the corners that count.
    corners: Vec<usize>,
    points: Vec<DVec3>,
    triangles: Triangles,
    /// Normal of the whole polygon; none for a strip or without area.
    normal: Option<[f32; 3]>,
}

/// The mesh of a model; `None` if it shows nothing.
pub(super) fn make(
    model: &Model,
    drawing: Drawing,
    surfaces: &mut Surfaces<'_, '_>,
    stage: &mut Stage,
    checks: &mut Checks,
) -> Option<Mesh> {
    if model.record.model_type == ModelType::Points {
        return None;
    }
    let faces = faces(model, drawing, checks);
    let (order, members) = groups(&faces, surfaces);
    let scroll = scroll(model);
    let morph = model.morphs.len();
    let layout = Layout {
        normals: true,
        morph_targets: usize::from(morph > 0),
        ..Layout::default()
    };
    let mut mesh = Mesh::default();
    for group in order {
        let faces: Vec<&Face<'_>> = members
            .get(&group)
            .into_iter()
            .flatten()
            .filter_map(|&index| faces.get(index))
            .collect();
        let wear = Wear {
            material: group.material,
            textured: group.textured,
            double_sided: group.double_sided,
            unlit: drawing.unlit,
            opacity: drawing.opacity.to_bits(),
            inside: faces.iter().all(|face| is_inside(face, group.layer)),
            scroll,
            overlay: group.layer > 0,
            look: None,
        };
        let layout = Layout {
            uv_sets: usize::from(group.textured),
            colours: faces.iter().any(|face| is_coloured(face, checks)),
            ..layout
        };
        let mut builder = PrimitiveBuilder::new(layout);
        for face in faces {
            add(&mut builder, model, face, group.layer);
        }
        let dropped = builder.dropped();
        checks.degenerate_triangles += dropped.degenerate;
        checks.not_finite_triangles += dropped.not_finite;
        checks.replaced_normals += dropped.normals;
        checks.replaced_values += dropped.values;
        if builder.is_empty() {
            continue;
        }
        let mut primitive = builder.finish();
        checks.triangles += primitive.indices.len() / 3;
        primitive.material = Some(stage.material(wear, surfaces, checks));
        if group.textured {
            primitive.variants = stage.variants(wear, surfaces, checks);
        }
        let mut facts = Map::new();
        if group.priority != 0 {
            facts.insert("priority".to_owned(), Value::from(group.priority));
        }
        if group.layer > 0 {
            facts.insert("layer".to_owned(), Value::from(group.layer));
        }
        primitive.extras = zipper(facts);
        mesh.primitives.push(primitive);
    }
    if mesh.primitives.is_empty() {
        return None;
    }
    if morph > 0 {
        let factor = model.record.morph_factor.0;
        mesh.morph_targets.push(MorphTarget {
            name: "morph".to_owned(),
            weight: if factor.is_finite() { factor } else { 0.0 },
        });
    }
    mesh.extras = zipper(facts(model));
    Some(mesh)
}

/// Speeds of the texture, when it moves.
fn scroll(model: &Model) -> Option<[u32; 2]> {
    let speeds = [model.record.tex_scroll_u.0, model.record.tex_scroll_v.0];
    let moves = model.flags().contains(ModelFlags::TEXTURE_SCROLL)
        && speeds.iter().all(|speed| speed.is_finite())
        && speeds.iter().any(|speed| *speed != 0.0);
    moves.then(|| speeds.map(|speed| (speed + 0.0).to_bits()))
}

/// Name of the way a model turns with the camera.
pub(super) fn facade_label(facade: Facade) -> &'static str {
    match facade {
        Facade::CylindricalY => "cylindricalY",
        Facade::SphericalY => "spherical",
        Facade::CylindricalX => "cylindricalX",
        Facade::CylindricalZ => "cylindricalZ",
        Facade::Other(_) => "unknown",
    }
}

fn facts(model: &Model) -> Map<String, Value> {
    let mut facts = Map::new();
    if let Some(facade) = model.facade() {
        let centroid = model.flags().contains(ModelFlags::FACADE_CENTROID);
        let facade = json!({"mode": facade_label(facade), "centroid": centroid});
        facts.insert("facade".to_owned(), facade);
    }
    let flags = model.flags() - ModelFlags::FACADE_CENTROID - ModelFlags::FACADE_SPHERICAL;
    let flags: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    if !flags.is_empty() {
        facts.insert("flags".to_owned(), Value::from(flags));
    }
    facts
}

fn faces<'m>(model: &'m Model, drawing: Drawing, checks: &mut Checks) -> Vec<Face<'m>> {
    let mut seen = HashSet::new();
    let mut faces = Vec::with_capacity(model.polygons.len());
    for polygon in &model.polygons {
        checks.polygons += 1;
        if drawing.drop_duplicates && !seen.insert(cycle_of(polygon)) {
            checks.duplicate_polygons += 1;
            continue;
        }
        match face(model, polygon) {
            Some(face) => {
                checks.guessed_polygons += usize::from(face.triangles.guessed);
                vote(model, &face, checks);
                faces.push(face);
            }
            None => checks.dropped_polygons += 1,
        }
    }
    faces
}

/// Corners from the lowest on, materials and strip flag: equal for polygons that repeat each other.
fn cycle_of(polygon: &Polygon) -> (Vec<u32>, Vec<i32>, bool) {
    let is_strip = polygon.flags().contains(PolygonFlags::TRI_STRIP);
    let mut corners = polygon.vertex_indices.clone();
    if !is_strip {
        let lowest = corners.iter().enumerate().min_by_key(|(_, index)| **index);
        let lowest = lowest.map_or(0, |(place, _)| place);
        corners.rotate_left(lowest);
    }
    (corners, polygon.materials.clone(), is_strip)
}

fn face<'m>(model: &Model, polygon: &'m Polygon) -> Option<Face<'m>> {
    let is_strip = polygon.flags().contains(PolygonFlags::TRI_STRIP);
    let indices = &polygon.vertex_indices;
    let mut corners: Vec<usize> = (0..indices.len()).collect();
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
    let points: Option<Vec<DVec3>> = corners
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
        let near: Vec<DVec3> = points.iter().map(|point| *point - origin).collect();
        let normal = newell(&near).try_normalize();
        let normal = normal.filter(|normal| normal.is_finite());
        let normal = normal.map(|normal| normal.to_array().map(|part| part as f32));
        (outline(&points), normal)
    };
    Some(Face {
        polygon,
        corners,
        points,
        triangles,
        normal,
    })
}

/// The stored normal of a corner.
fn stored_normal(model: &Model, polygon: &Polygon, corner: usize) -> Option<[f32; 3]> {
    let index = *polygon.normal_indices.get(corner)?;
    Some(model.normals.get(index as usize)?.to_array())
}

/// Whether the triangles of a face show to the side that its stored normals show to.
fn vote(model: &Model, face: &Face<'_>, checks: &mut Checks) {
    for triangle in &face.triangles.list {
        let [a, b, c] = triangle.map(|place| face.points[place]);
        let normals = triangle.map(|place| {
            let stored = stored_normal(model, face.polygon, face.corners[place]);
            stored.map(|normal| DVec3::from_array(normal.map(f64::from)))
        });
        if let [Some(one), Some(two), Some(three)] = normals {
            let side = (b - a).cross(c - a).dot(one + two + three);
            checks.winding.agree += usize::from(side > 0.0);
            checks.winding.disagree += usize::from(side < 0.0);
        }
    }
}

/// Groups in the order in which they are to be drawn, and the faces of each.
fn groups(
    faces: &[Face<'_>],
    surfaces: &Surfaces<'_, '_>,
) -> (Vec<Group>, HashMap<Group, Vec<usize>>) {
    let mut order = Vec::new();
    let mut members: HashMap<Group, Vec<usize>> = HashMap::new();
    for (index, face) in faces.iter().enumerate() {
        let polygon = face.polygon;
        let flags = polygon.flags();
        let raised = i32::from(flags.contains(PolygonFlags::UNK3));
        for (layer, (material, uvs)) in polygon.layers().enumerate() {
            let material = surfaces.place(material);
            let over = i32::from(layer > 0);
            let group = Group {
                layer,
                priority: polygon
                    .record
                    .priority
                    .saturating_add(raised)
                    .saturating_add(over),
                material,
                double_sided: flags.contains(PolygonFlags::SHOW_BACKFACE),
                textured: uvs.is_some() && surfaces.is_textured(material),
            };
            let list = members.entry(group).or_insert_with(|| {
                order.push(group);
                Vec::new()
            });
            list.push(index);
        }
    }
    order.sort_by_key(|group| (group.layer, group.priority));
    (order, members)
}

fn uvs_of<'m>(face: &Face<'m>, layer: usize) -> &'m [crate::formats::codec::Vec2] {
    let corners = face.polygon.corners();
    let start = layer.saturating_mul(corners);
    let uvs = &face.polygon.uvs;
    uvs.get(start..start.saturating_add(corners))
        .unwrap_or_default()
}

fn is_inside(face: &Face<'_>, layer: usize) -> bool {
    let mut uvs = uvs_of(face, layer).iter();
    uvs.all(|uv| uv.to_array().iter().all(|part| (0.0..=1.0).contains(part)))
}

/// Whether a face has a corner that is not white.
fn is_coloured(face: &Face<'_>, checks: &mut Checks) -> bool {
    let mut coloured = false;
    for colour in &face.polygon.colors {
        for part in colour.to_array() {
            coloured |= part != 255.0;
            checks.colours_out_of_range += usize::from(!(0.0..=255.0).contains(&part));
        }
    }
    coloured
}

/// Texture coordinates and displacement of a corner.
type Values = ([[f32; 2]; 1], [[f32; 3]; 1]);

fn add(builder: &mut PrimitiveBuilder, model: &Model, face: &Face<'_>, layer: usize) {
    let polygon = face.polygon;
    let uvs = uvs_of(face, layer);
    let values: Vec<Values> = face
        .corners
        .iter()
        .map(|&corner| {
            let uv = uvs.get(corner).map_or([0.0; 2], |uv| uv.to_array());
            let vertex = polygon.vertex_indices[corner] as usize;
            let morph = model.morphs.get(vertex);
            ([uv], [morph.map_or([0.0; 3], |morph| morph.to_array())])
        })
        .collect();
    let corners: Vec<Corner<'_>> = face
        .corners
        .iter()
        .zip(&values)
        .map(|(&corner, (uvs, morphs))| {
            let vertex = polygon.vertex_indices[corner] as usize;
            let colour = polygon.colors.get(corner);
            Corner {
                position: model.vertices[vertex].to_array(),
                normal: stored_normal(model, polygon, corner).or(face.normal),
                uvs,
                colour: colour.map(|colour| vertex_colour(colour.to_array(), 1.0)),
                morphs,
                ..Corner::default()
            }
        })
        .collect();
    for triangle in &face.triangles.list {
        builder.triangle(triangle.map(|place| &corners[place]));
    }
}
