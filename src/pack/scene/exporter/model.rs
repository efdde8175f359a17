//! Programs that write glTF files, and what each of them changes in an unedited file. Measured by reading and writing
//! unedited scenes of all games with these versions (`cargo xtask engine rounds`).

use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::SceneMesh;

/// A program that writes glTF files.
#[derive(Debug)]
pub(super) struct Exporter {
    /// Name in messages.
    pub name: &'static str,
    /// Beginning of `asset.generator`.
    pub generator: &'static str,
    /// False if its changes cannot be separated from edits.
    pub is_supported: bool,
    /// Frames a second of its clips, unless the file has another distance of keys; `None`: it keeps the keys.
    pub frames: Option<f64>,
    /// True if it interpolates the numbers of rotations, instead of angles.
    pub is_linear_in_rotations: bool,
    /// True if its files lack extras that they should have: of primitives, animations, or of everything.
    pub drops_extras: bool,
    /// True if it gives a material to primitives without one.
    pub adds_materials: bool,
    /// True if it stores normals by the faces around them, and makes some anew.
    pub remakes_normals: bool,
    /// True if the aspect ratio of its cameras is that of the pictures that it renders.
    pub has_one_aspect: bool,
    /// Largest difference of numbers of materials, relative to the larger of 1 and the number.
    pub value: f64,
    /// Largest difference of vertex positions, relative to the larger of 1 and the number. Programs that change the rest
    /// pose of a skin compute them in single precision.
    pub position: f32,
    /// Largest difference of translations of nodes, relative to the larger of 1 and the number.
    pub translation: f32,
    /// Largest difference of parts of rotations and scales.
    pub rotation: f32,
    /// Largest difference of texture coordinates.
    pub uv: f32,
    /// Largest difference of parts of normals.
    pub normal: f32,
    /// Largest difference of linear colors.
    pub color: f32,
}

impl Exporter {
    /// Largest differences in an unedited file. Vertices of a skin, `skinned`, are moved by matrices of all its bones, so
    /// that each number has the rounding of the largest one.
    pub(super) fn tolerance(&self, skinned: Option<&SceneMesh>) -> Tolerance {
        let parts = skinned.into_iter().flat_map(|mesh| &mesh.primitives);
        let numbers = parts.flat_map(|part| part.positions.as_flattened());
        let extent = numbers.fold(1.0_f32, |extent, number| extent.max(number.abs()));
        Tolerance {
            place: self.translation,
            position: self.position,
            extent,
            turn: self.rotation,
            uv: self.uv,
            normal: self.normal,
            color: self.color,
        }
    }
}

/// A program that changes no number.
const EXACT: Exporter = Exporter {
    name: "",
    generator: "",
    is_supported: true,
    frames: None,
    is_linear_in_rotations: false,
    drops_extras: false,
    adds_materials: false,
    remakes_normals: false,
    has_one_aspect: false,
    value: 0.0,
    position: 0.0,
    translation: 0.0,
    rotation: 0.0,
    uv: 0.0,
    normal: 0.0,
    color: 0.0,
};

/// A program of which nothing is known.
const UNKNOWN: Exporter = Exporter {
    name: "the program that wrote the scene",
    generator: "",
    is_supported: true,
    frames: Some(30.0),
    is_linear_in_rotations: false,
    drops_extras: true,
    adds_materials: true,
    remakes_normals: false,
    has_one_aspect: false,
    value: 2e-4,
    position: 4e-6,
    translation: 3e-4,
    rotation: 1e-4,
    uv: 2e-5,
    normal: 0.02,
    color: 0.006,
};

/// Programs with known changes. The last one stands for all others.
static EXPORTERS: [Exporter; 5] = [
    // 4.2 to 5.0. Materials: a second material where surfaces with and without vertex colors share one; the roughness
    // of unlit ones. Meshes: sorted by name; no faces with repeated vertices; normals of fans whose faces cancel out.
    // Skins: an armature object as a node; no scale of bones at rest, so other positions of vertices. Clips: a key a
    // frame, up to the last whole frame; all properties of all bones. No variants, cameras or lights by default. Cameras: the aspect ratio
    // of rendered pictures.
    Exporter {
        name: "Blender",
        generator: "Khronos glTF Blender I/O",
        frames: Some(24.0),
        is_linear_in_rotations: true,
        adds_materials: false,
        remakes_normals: true,
        has_one_aspect: true,
        uv: 2e-6,
        color: 0.003,
        ..UNKNOWN
    },
    // 4.6: materials and pictures have new names and numbers (`brick2`), pictures are repeated and never clamped, the
    // emission is encoded twice, positions have 16 bits in some meshes, and their triangles begin at other corners.
    Exporter {
        name: "Godot",
        generator: "Godot Engine",
        is_supported: false,
        ..UNKNOWN
    },
    // 4.x: other order of lists, merged accessors.
    Exporter {
        name: "glTF Transform",
        generator: "glTF-Transform",
        ..EXACT
    },
    // 1.16: writes what it has read.
    Exporter {
        name: "pygltflib",
        generator: "pygltflib",
        ..EXACT
    },
    UNKNOWN,
];

/// The program with this `asset.generator`; `None` for files that relicast wrote.
pub(super) fn of(generator: &str) -> Option<&'static Exporter> {
    if generator.starts_with("relicast ") {
        return None;
    }
    EXPORTERS
        .iter()
        .find(|exporter| generator.starts_with(exporter.generator))
}
