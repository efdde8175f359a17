//! New triangles of a mesh as polygons, modeled on neighboring polygons.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::models::changed_color;
use super::triangle_template::{Origin, TriangleTemplate};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::pairing::{Twin, points};
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::PrimitiveTriangle;
use relicast_codec::{Vec2, Vec3};
use relicast_convert::zipper::CornerSource;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Model, Polygon, PolygonFlags};

/// Most polygons at a vertex that are searched for a neighbor.
const MAX_NEIGHBORS: usize = 64;

/// An address where the game had one; only its presence matters.
const SOME_ADDRESS: u32 = 1;

/// A new polygon.
#[derive(Debug)]
pub(super) struct Made {
    pub polygon: Polygon,
    /// 0, or its layer above another polygon.
    pub layer: usize,
    pub points: [[f32; 3]; 3],
}

/// Makes polygons, and the vertices and normals that they need.
pub(super) struct FaceMaker<'m> {
    pub origin: &'m Origin<'m>,
    /// The new model.
    pub model: Model,
    vertices: HashMap<[u32; 3], u32>,
    normals: HashMap<[u32; 3], u32>,
    /// Primitives and polygons at each place.
    beside: HashMap<[u32; 3], Vec<(usize, usize)>>,
    /// Largest difference of a normal that counts as the stored one.
    normal_slack: f32,
}

fn bits(row: [f32; 3]) -> [u32; 3] {
    // Negative zero becomes zero.
    row.map(|part| (part + 0.0).to_bits())
}

fn unit(direction: [f32; 3]) -> Option<[f32; 3]> {
    let wide = DVec3::from_array(direction.map(f64::from));
    let length = wide.length();
    (length.is_finite() && length > 0.0).then(|| (wide / length).to_array().map(|part| part as f32))
}

fn counted(length: usize, what: &str) -> Result<u32, Refusal> {
    let too_many = || refusal!("it has more {what} than a 32-bit count can hold");
    u32::try_from(length).map_err(|_| too_many())
}

impl<'m> FaceMaker<'m> {
    pub(super) fn new(origin: &'m Origin<'m>, model: Model, normal_slack: f32) -> Self {
        fn known(
            rows: &[Vec3],
            key: impl Fn([f32; 3]) -> Option<[f32; 3]>,
        ) -> HashMap<[u32; 3], u32> {
            let mut known = HashMap::new();
            for (number, row) in (0_u32..).zip(rows) {
                if let Some(row) = key(row.to_array()) {
                    known.entry(bits(row)).or_insert(number);
                }
            }
            known
        }
        let mut beside: HashMap<[u32; 3], Vec<(usize, usize)>> = HashMap::new();
        let parts = origin.mesh.primitives.iter().zip(origin.sources);
        for (number, (part, sources)) in parts.enumerate() {
            for (position, source) in part.positions.iter().zip(sources) {
                let list = beside.entry(bits(*position)).or_default();
                let one = (number, source.polygon);
                if list.len() < MAX_NEIGHBORS && !list.contains(&one) {
                    list.push(one);
                }
            }
        }
        Self {
            origin,
            vertices: known(&model.vertices, Some),
            normals: known(&model.normals, unit),
            beside,
            model,
            normal_slack,
        }
    }

    /// The polygon of a triangle; `None` where its corners are not three.
    ///
    /// # Errors
    /// The game has no place for its material, or it lacks something that the game needs.
    pub(super) fn make(
        &mut self,
        triangle: PrimitiveTriangle<'_>,
        twin: Option<Twin>,
        template: &TriangleTemplate,
    ) -> Result<Option<Made>, Refusal> {
        let before = self.after(triangle, twin, template);
        let corners: Vec<Option<CornerSource>> =
            (0..3).map(|step| self.source(twin, step)).collect();
        let Some(places) = self.places(triangle, &before, template) else {
            return Ok(None);
        };
        let mut polygon = Polygon {
            record: before.record.clone(),
            ..Polygon::default()
        };
        for (place, source) in places.iter().zip(&corners) {
            let known = source.and_then(|source| {
                let polygon = self.origin.model.polygons.get(source.polygon)?;
                polygon.vertex_indices.get(source.corner).copied()
            });
            let vertex = match known {
                Some(known) => known,
                None => self.vertex(*place)?,
            };
            polygon.vertex_indices.push(vertex);
        }
        if let [a, b, c] = *polygon.vertex_indices
            && (a == b || b == c || c == a)
        {
            return Ok(None);
        }
        self.set_normals(&mut polygon, triangle, &places, &corners)?;
        let shown = template.layer..template.layer.saturating_add(template.layers);
        let materials = before.materials.get(shown).unwrap_or_default();
        polygon.materials = materials.into();
        if template.is_textured {
            set_uvs(&mut polygon, triangle, template)?;
        }
        polygon.record.uvs_ptr = match (polygon.uvs.is_empty(), before.record.uvs_ptr) {
            (true, _) => 0,
            (false, 0) => SOME_ADDRESS,
            (false, address) => address,
        };
        self.set_colors(&mut polygon, triangle, &before, &corners)?;
        let flags = &mut polygon.record.corners.flags.known;
        flags.remove(PolygonFlags::TRI_STRIP);
        Ok(Some(Made {
            polygon,
            layer: template.layer,
            points: places,
        }))
    }

    fn source(&self, twin: Option<Twin>, step: usize) -> Option<CornerSource> {
        let twin = twin?;
        let sources = self.origin.sources.get(twin.triangle.primitive)?;
        sources.get(twin.corner(step)).copied()
    }

    /// The polygon on which a triangle is modeled: its original polygon, else the one with the most corners in common.
    fn after(
        &self,
        triangle: PrimitiveTriangle<'_>,
        twin: Option<Twin>,
        template: &TriangleTemplate,
    ) -> Polygon {
        let polygons = &self.origin.model.polygons;
        let own = self.source(twin, 0).map(|source| source.polygon);
        if let Some(own) = own.and_then(|own| polygons.get(own)) {
            return own.clone();
        }
        let mut met: BTreeMap<usize, usize> = BTreeMap::new();
        let corners = triangle.primitive.positions.get(triangle.corners());
        for position in corners.unwrap_or_default() {
            for (primitive, polygon) in self.beside.get(&bits(*position)).into_iter().flatten() {
                if template.primitives.contains(primitive) {
                    *met.entry(*polygon).or_default() += 1;
                }
            }
        }
        let most = met
            .into_iter()
            .max_by_key(|&(polygon, count)| (count, std::cmp::Reverse(polygon)));
        let neighbor = most.and_then(|(polygon, _)| polygons.get(polygon));
        neighbor.unwrap_or(&template.polygon).clone()
    }

    /// Stored positions of its corners: scenes may show faces a little off their planes. `None` without area.
    fn places(
        &self,
        triangle: PrimitiveTriangle<'_>,
        before: &Polygon,
        template: &TriangleTemplate,
    ) -> Option<[[f32; 3]; 3]> {
        let wide = points(triangle.primitive, triangle.first)?;
        let [a, b, c] = wide;
        let raised = i32::from(before.flags().contains(PolygonFlags::UNK3));
        let rank = before
            .record
            .priority
            .saturating_add(raised)
            .saturating_add(i32::from(template.layer > 0));
        let lift = self.origin.config.scenes.decal_offset * rank as f32;
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(wide.map(|at| {
            let at = at - normal * f64::from(lift);
            at.to_array().map(|part| part as f32)
        }))
    }

    fn vertex(&mut self, place: [f32; 3]) -> Result<u32, Refusal> {
        let next = counted(self.model.vertices.len(), "vertices")?;
        let index = *self.vertices.entry(bits(place)).or_insert(next);
        if index == next {
            self.model.vertices.push(Vec3::from(place));
        }
        Ok(index)
    }

    fn normal(&mut self, wanted: [f32; 3]) -> Result<u32, Refusal> {
        let next = counted(self.model.normals.len(), "normals")?;
        let index = *self.normals.entry(bits(wanted)).or_insert(next);
        if index == next {
            self.model.normals.push(Vec3::from(wanted));
        }
        Ok(index)
    }

    /// Gives it the normals of the edit, or the normal of its plane, if its polygons store normals.
    fn set_normals(
        &mut self,
        polygon: &mut Polygon,
        triangle: PrimitiveTriangle<'_>,
        places: &[[f32; 3]; 3],
        corners: &[Option<CornerSource>],
    ) -> Result<(), Refusal> {
        if !polygon.flags().contains(PolygonFlags::NORMALS) {
            polygon.record.normal_indices_ptr = 0;
            return Ok(());
        }
        let [a, b, c] = places.map(|at| DVec3::from_array(at.map(f64::from)));
        let flat = (b - a).cross(c - a).normalize_or_zero();
        let flat = flat.to_array().map(|part| part as f32);
        let normals = &triangle.primitive.normals;
        for (step, source) in corners.iter().enumerate() {
            let edited = normals.get(triangle.first + step).copied().and_then(unit);
            let wanted = edited.unwrap_or(flat);
            let known = source.and_then(|source| {
                let model = self.origin.model;
                let polygon = model.polygons.get(source.polygon)?;
                let index = *polygon.normal_indices.get(source.corner)?;
                let stored = unit(model.normals.get(index as usize)?.to_array())?;
                is_near(&stored, &wanted, self.normal_slack).then_some(index)
            });
            let index = match known {
                Some(known) => known,
                None => self.normal(wanted)?,
            };
            polygon.normal_indices.push(index);
        }
        if polygon.record.normal_indices_ptr == 0 {
            polygon.record.normal_indices_ptr = SOME_ADDRESS;
        }
        Ok(())
    }

    /// Gives it the colors of the edit, or surrounding colors where the edit has none.
    fn set_colors(
        &self,
        polygon: &mut Polygon,
        triangle: PrimitiveTriangle<'_>,
        before: &Polygon,
        corners: &[Option<CornerSource>],
    ) -> Result<(), Refusal> {
        let colors = &triangle.primitive.colors;
        if !self.origin.tree.version().since(ZipperGame::MechWarrior3) {
            let corners = colors.get(triangle.corners());
            let is_white = |color: &[f32; 3]| color.iter().all(|part| *part > 0.997);
            return match corners.unwrap_or_default().iter().all(is_white) {
                true => Ok(()),
                false => Err(refusal!(
                    "its polygons have no colors at their corners in this game"
                )),
            };
        }
        let model = self.origin.model;
        for (step, source) in corners.iter().enumerate() {
            let edited = colors.get(triangle.first + step);
            let known = source.and_then(|source| {
                let polygon = model.polygons.get(source.polygon)?;
                polygon.colors.get(source.corner).copied()
            });
            let vertex = polygon.vertex_indices.get(step).copied();
            let around = || beside(before, vertex).unwrap_or(Vec3::from([255.0; 3]));
            polygon.colors.push(match (edited, known) {
                (Some(edited), known) => {
                    changed_color(known.unwrap_or(Vec3::from([255.0; 3])), *edited)
                }
                (None, Some(known)) => known,
                (None, None) => around(),
            });
        }
        Ok(())
    }
}

/// The color of a polygon at a vertex, or its mean color.
fn beside(polygon: &Polygon, vertex: Option<u32>) -> Option<Vec3> {
    let place = vertex.and_then(|vertex| {
        let mut indices = polygon.vertex_indices.iter();
        indices.position(|&index| index == vertex)
    });
    if let Some(color) = place.and_then(|place| polygon.colors.get(place)) {
        return Some(*color);
    }
    let count = polygon.colors.len();
    let sum = polygon.colors.iter().fold([0.0_f32; 3], |sum, color| {
        let [red, green, blue] = sum;
        let [r, g, b] = color.to_array();
        [red + r, green + g, blue + b]
    });
    (count > 0).then(|| Vec3::from(sum.map(|part| part / count as f32)))
}

fn set_uvs(
    polygon: &mut Polygon,
    triangle: PrimitiveTriangle<'_>,
    template: &TriangleTemplate,
) -> Result<(), Refusal> {
    for set in 0..template.layers {
        let corners = triangle.primitive.uvs.get(set);
        let corners = corners.and_then(|set| set.get(triangle.corners()));
        let corners = corners.ok_or_else(|| {
            refusal!(
                "new triangles of the material {} have no texture coordinates for its layer {set}; unwrap them (Blender: U in Edit Mode), or convert with the texture if it was not found",
                template.name
            )
        })?;
        polygon.uvs.extend(corners.iter().copied().map(Vec2::from));
    }
    Ok(())
}

/// Assigns a new layer polygon to the polygon below it.
///
/// # Errors
/// None of them has the same corners.
pub(super) fn add_overlay<'p>(
    mut below: impl Iterator<Item = &'p mut Made>,
    over: &Made,
    name: &str,
) -> Result<(), Refusal> {
    let none = || {
        refusal!(
            "a new triangle of the layer {name} covers no other new triangle: a layer needs a triangle with the same corners below it"
        )
    };
    let turn_of = |made: &Made| {
        let fits = made.polygon.materials.len() == over.layer;
        let mut turns = 0..3_usize;
        turns.find(|turn| {
            let pairs =
                (0..3).map(|step| (made.points.get(step), over.points.get((step + turn) % 3)));
            fits && pairs
                .into_iter()
                .all(|pair| matches!(pair, (Some(a), Some(b)) if is_near(a, b, 1e-4)))
        })
    };
    let found = below.find_map(|made| turn_of(made).map(|turn| (made, turn)));
    let (made, turn) = found.ok_or_else(none)?;
    let polygon = &mut made.polygon;
    let materials = over.polygon.materials.iter().copied();
    polygon.materials.extend(materials);
    if polygon.uvs.is_empty() && over.polygon.uvs.is_empty() {
        return Ok(());
    }
    // A layer without a picture shows nothing of its texture coordinates, and has some where another has.
    let below = over.layer.saturating_mul(3);
    let mut uvs: Vec<Vec2> = polygon.uvs.iter().copied().collect();
    uvs.resize(below, Vec2::default());
    let own = (0..3).map(|step| over.polygon.uvs.get((step + turn) % 3));
    uvs.extend(own.map(|uv| uv.copied().unwrap_or_default()));
    polygon.uvs = uvs.into();
    if polygon.record.uvs_ptr == 0 {
        polygon.record.uvs_ptr = SOME_ADDRESS;
    }
    Ok(())
}
