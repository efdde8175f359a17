//! Geometry.

use std::sync::Arc;

use glam::DMat4;

use super::{Extras, MaterialId, NodeId, VariantId};

/// Geometry that nodes show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name, need not be unique.
    pub name: String,
    /// Primitives, one material each.
    pub primitives: Vec<Primitive>,
    /// Morph targets; every primitive has as many deltas.
    pub morph_targets: Vec<MorphTarget>,
    /// Extras.
    pub extras: Extras,
}

impl Mesh {
    /// The materials of all primitives, in all variants, with repetitions.
    pub fn surfaces(&self) -> impl Iterator<Item = MaterialId> {
        self.primitives.iter().flat_map(|part| {
            let variants = part.variants.iter().map(|variant| variant.material);
            part.material.into_iter().chain(variants)
        })
    }
}

/// A morph target.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Name, need not be unique.
    pub name: String,
    /// Default weight of the morph target.
    pub weight: f32,
}

/// Triangles, lines or points of one material. Lists of vertex attributes are as long as `positions`; an empty list
/// means that the attribute is absent. Lists can be shared by meshes, because placements of a model differ only in
/// their light.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Primitive {
    /// Positions of the vertices.
    pub positions: Arc<Vec<[f32; 3]>>,
    /// Unit normals.
    pub normals: Arc<Vec<[f32; 3]>>,
    /// Direction in which U of the first texture coordinates grows, and 1 or −1: the side of normal ×
    /// tangent that is up in the picture.
    pub tangents: Vec<[f32; 4]>,
    /// Sets of texture coordinates.
    pub uvs: Arc<Vec<Vec<[f32; 2]>>>,
    /// Linear red, green, blue and alpha, 65535 = 1.
    pub colors: Vec<[u16; 4]>,
    /// Up to four joints of the skin that move the vertex.
    pub joints: Vec<[u16; 4]>,
    /// Weights of those joints; they sum to 1. An unused joint is 0 with weight 0.
    pub weights: Vec<[f32; 4]>,
    /// Displacement of each vertex, for each morph target of the mesh.
    pub morphs: Vec<Vec<[f32; 3]>>,
    /// Vertices of its shapes, see [`Topology`].
    pub indices: Arc<Vec<u32>>,
    /// Topology of the vertices.
    pub topology: Topology,
    /// Its material; the default one is white and fully rough.
    pub material: Option<MaterialId>,
    /// Its materials in the variants of the scene.
    pub variants: Vec<VariantMaterial>,
    /// Writes texture coordinates that no texture uses.
    pub keep_unused_uvs: bool,
    /// True if it does not stop movement. Not written; converters use it to set
    /// [`NameHint::Solid`](super::NameHint::Solid).
    pub is_passable: bool,
    /// Extras.
    pub extras: Extras,
}

/// Topology of the vertices of a primitive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Three vertices a triangle, counter-clockwise seen from the front.
    #[default]
    Triangles,
    /// Two vertices a line.
    Lines,
    /// A dot at each vertex.
    Points,
}

impl Topology {
    /// Number of vertices per shape.
    pub fn corners(self) -> usize {
        match self {
            Self::Triangles => 3,
            Self::Lines => 2,
            Self::Points => 1,
        }
    }
}

/// The material of a primitive in one of the scene's variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantMaterial {
    /// The variant.
    pub variant: VariantId,
    /// The material.
    pub material: MaterialId,
}

/// Binds vertices to moving nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Name, need not be unique.
    pub name: String,
    /// The nodes that move vertices, each with the matrix from mesh space to the space of the
    /// node at rest.
    pub joints: Vec<(NodeId, DMat4)>,
    /// Node above all joints.
    pub skeleton: Option<NodeId>,
    /// Extras.
    pub extras: Extras,
}
