//! Builders of models: faces are added one at a time.

use relicast::formats::codec::{F32, Vec2, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    ByGame, Facade, Model, ModelFlags, ModelRecord, ModelType, PerCorner, PointLight,
    PointLightRecord, Polygon, PolygonFlags, PolygonRecord, ZoneSet,
};

use super::{ADDRESS, is_late};

/// Builder of a face. Corners are counter-clockwise seen from the front.
#[derive(Debug, Clone, Default)]
pub struct Face {
    /// Indices of vertices.
    pub corners: Vec<u32>,
    /// Index of the normal of each corner; no normals when empty.
    pub normals: Vec<u32>,
    /// The material, then overlays, which Recoil does not have.
    pub materials: Vec<i32>,
    /// Texture coordinates of each corner for all layers; none when empty.
    pub uvs: Vec<[f32; 2]>,
    /// Baked light of the corners, repeated when there are fewer.
    pub colors: Vec<[f32; 3]>,
    /// Flags besides the one for normals.
    pub flags: PolygonFlags,
    /// Priority among faces in one plane.
    pub priority: i32,
    /// Zones.
    pub zones: Vec<i8>,
}

/// Corners of a texture, counter-clockwise from the bottom left.
pub const WHOLE: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];

impl Face {
    /// A face of one material without texture coordinates and normals.
    pub fn plain(corners: &[u32], material: i32) -> Self {
        Self {
            corners: corners.to_vec(),
            materials: vec![material],
            zones: vec![-1],
            ..Self::default()
        }
    }

    /// A face of four corners that shows a whole texture.
    pub fn quad(corners: [u32; 4], material: i32) -> Self {
        Self::plain(&corners, material).uvs(&WHOLE)
    }

    /// Sets texture coordinates.
    pub fn uvs(mut self, uvs: &[[f32; 2]]) -> Self {
        self.uvs = uvs.to_vec();
        self
    }

    /// Gives all corners one normal.
    pub fn normal(mut self, normal: u32) -> Self {
        self.normals = vec![normal; self.corners.len()];
        self
    }

    /// Sets flags.
    pub fn flags(mut self, flags: PolygonFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Adds overlays.
    pub fn over(mut self, materials: &[i32]) -> Self {
        self.materials.extend(materials);
        self
    }

    /// Sets its priority.
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }

    /// Sets its zones.
    pub fn zones(mut self, zones: &[i8]) -> Self {
        self.zones = zones.to_vec();
        self
    }

    /// Sets its baked light.
    pub fn lit(mut self, colors: &[[f32; 3]]) -> Self {
        self.colors = colors.to_vec();
        self
    }

    fn polygon(self, version: ZipperGame) -> Polygon {
        let late = is_late(version);
        let count = self.corners.len();
        let mut flags = self.flags;
        flags.set(PolygonFlags::NORMALS, !self.normals.is_empty());
        let materials = match late {
            true => self.materials,
            false => self.materials.into_iter().take(1).collect(),
        };
        // Overlays shrink the picture to a quarter, so that they differ from the base.
        let layers = (0..materials.len()).map(|layer| if layer == 0 { 1.0 } else { 4.0 });
        let uvs: Vec<Vec2> = layers
            .flat_map(|scale| {
                let uvs = self.uvs.iter();
                uvs.map(move |&[u, v]| Vec2::from([u * scale, v * scale]))
            })
            .collect();
        let white = [[255.0; 3]];
        let colors = if self.colors.is_empty() {
            &white[..]
        } else {
            &self.colors
        };
        let colors = colors.iter().cycle().copied().map(Vec3::from);
        let mut record = PolygonRecord {
            priority: self.priority,
            vertex_indices_ptr: ADDRESS,
            normal_indices_ptr: if self.normals.is_empty() { 0 } else { ADDRESS },
            materials_ptr: if late { ADDRESS } else { 0 },
            uvs_ptr: if uvs.is_empty() { 0 } else { ADDRESS },
            vertex_colors_ptr: ADDRESS,
            matl_refs_ptr: ADDRESS,
            zone_set: ZoneSet::new(&self.zones),
            ..PolygonRecord::default()
        };
        record.corners.flags = ByGame::from(flags);
        Polygon {
            record,
            vertex_indices: self.corners.into(),
            normal_indices: self.normals.into(),
            materials: materials.into(),
            uvs: uvs.into(),
            colors: match version {
                ZipperGame::Recoil => PerCorner::new(),
                _ => colors.take(count).collect(),
            },
        }
    }
}

/// Builder of a model.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub vertices: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub morphs: Vec<[f32; 3]>,
    pub faces: Vec<Face>,
    pub flags: ModelFlags,
    pub facade: Option<Facade>,
    pub scroll: [f32; 2],
    pub points: Vec<Vec<[f32; 3]>>,
    /// Number of nodes that use it.
    pub users: u32,
    /// True if each vertex is drawn as a dot, and no face is filled.
    pub as_points: bool,
}

/// The faces of a box whose corners are numbered in binary, x being the lowest bit: left, right,
/// bottom, top, back, front.
const BOX: [[u32; 4]; 6] = [
    [0, 4, 6, 2],
    [5, 1, 3, 7],
    [0, 1, 5, 4],
    [6, 7, 3, 2],
    [1, 0, 2, 3],
    [4, 5, 7, 6],
];

impl Shape {
    /// A model with sunlight and fog.
    pub fn new(vertices: &[[f32; 3]]) -> Self {
        Self {
            vertices: vertices.to_vec(),
            flags: ModelFlags::LIGHTING | ModelFlags::FOG,
            users: 1,
            ..Self::default()
        }
    }

    /// A box between two corners with a normal for each side; front and back have the material `front`.
    pub fn brick(low: [f32; 3], high: [f32; 3], sides: i32, front: i32) -> Self {
        let corner = |bits: usize| {
            std::array::from_fn(|axis| if bits >> axis & 1 == 1 { high } else { low }[axis])
        };
        let corners: Vec<[f32; 3]> = (0..8).map(corner).collect();
        let mut shape = Self::new(&corners);
        for (side, face) in (0_u32..).zip(BOX) {
            let mut normal = [0.0; 3];
            normal[side as usize / 2] = if side % 2 == 0 { -1.0 } else { 1.0 };
            shape.normals.push(normal);
            let material = if side < 4 { sides } else { front };
            shape.faces.push(Face::quad(face, material).normal(side));
        }
        shape
    }

    /// One upright square without normals, with its origin in the middle of its bottom edge.
    pub fn card(width: f32, height: f32, material: i32) -> Self {
        let half = width / 2.0;
        Self::new(&[
            [-half, 0.0, 0.0],
            [half, 0.0, 0.0],
            [half, height, 0.0],
            [-half, height, 0.0],
        ])
        .with(Face::quad([0, 1, 2, 3], material))
    }

    /// Adds a face.
    pub fn with(mut self, face: Face) -> Self {
        self.faces.push(face);
        self
    }

    /// Smallest and largest corner.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        let points = self.vertices.iter().chain(self.points.iter().flatten());
        let mut points = points.copied();
        let first = points.next().unwrap_or_default();
        points.fold([first; 2], |[low, high], point| {
            [
                std::array::from_fn(|axis| low[axis].min(point[axis])),
                std::array::from_fn(|axis| high[axis].max(point[axis])),
            ]
        })
    }

    /// Returns the model. `cycled` is true for animated materials; a mechlib stores no addresses of polygons.
    pub fn model(self, version: ZipperGame, mechlib: bool, cycled: impl Fn(i32) -> bool) -> Model {
        let [low, high] = self.bounds();
        let half: [f32; 3] = std::array::from_fn(|axis| (high[axis] - low[axis]) / 2.0);
        let square: f32 = half.iter().map(|length| length * length).sum();
        let announce = |full: bool| if full { ADDRESS } else { 0 };
        let mut flags = self.flags;
        let mut record = ModelRecord {
            parent_count: self.users,
            tex_scroll_u: F32(self.scroll[0]),
            tex_scroll_v: F32(self.scroll[1]),
            polygons_ptr: announce(!self.faces.is_empty()),
            vertices_ptr: announce(!self.vertices.is_empty()),
            normals_ptr: announce(!self.normals.is_empty()),
            lights_ptr: announce(!self.points.is_empty()),
            morphs_ptr: announce(!self.morphs.is_empty()),
            bbox_mid: Vec3::from(std::array::from_fn(|axis| low[axis] + half[axis])),
            bbox_diag: F32(square.sqrt()),
            ..ModelRecord::default()
        };
        flags.set(ModelFlags::TEXTURE_SCROLL, self.scroll != [0.0; 2]);
        if let Some(facade) = self.facade {
            record.model_type = ModelType::Facade;
            if version == ZipperGame::Recoil {
                flags.set(ModelFlags::FACADE_SPHERICAL, facade == Facade::SphericalY);
            } else {
                record.facade_mode = facade;
                let about_center = version == ZipperGame::CrimsonSkies;
                flags.set(ModelFlags::FACADE_CENTROID, about_center);
            }
        } else if self.faces.is_empty() || self.as_points {
            record.model_type = ModelType::Points;
        } else {
            let is_ordinary = version == ZipperGame::PiratesMoon;
            flags.set(ModelFlags::HARDWARE_RENDER, is_ordinary);
        }
        record.flags = ByGame::from(flags);
        let triples = |list: Vec<[f32; 3]>| list.into_iter().map(Vec3::from).collect();
        let faces = self.faces.into_iter().map(|face| face.polygon(version));
        let mut model = Model {
            record,
            vertices: triples(self.vertices),
            normals: triples(self.normals),
            morphs: triples(self.morphs),
            lights: (0_i32..)
                .zip(self.points)
                .map(|(number, places)| points(number, triples(places)))
                .collect(),
            polygons: faces.collect(),
            ..Model::default()
        };
        if is_late(version) {
            model.material_references = model.expected_references(version, mechlib, cycled);
            model.record.material_refs_ptr = announce(!model.material_references.is_empty());
        }
        model
    }
}

/// A group of point sprites.
fn points(number: i32, vertices: Vec<Vec3>) -> PointLight {
    PointLight {
        record: PointLightRecord {
            is_chaser: number % 2,
            behavior: number % 3,
            interval_or_scale: F32(1.5),
            color: Vec3::from([255.0, 240.0, 128.0]),
            flags: 30,
            vertices_ptr: ADDRESS,
            fade_from: F32(200.0),
            fade_to: F32(350.0),
            largest_size: F32(12.0),
            flare_full: F32(400.0),
            ..PointLightRecord::default()
        },
        vertices,
    }
}
