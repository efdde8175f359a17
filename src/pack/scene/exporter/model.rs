//! Programs that write glTF files, and what each of them changes in an unedited file. Measured by reading and writing
//! unedited scenes of all games with these versions (`cargo xtask engine rounds`).

use super::names::short;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::SceneMesh;

/// A program that writes glTF files.
#[derive(Debug)]
pub(super) struct Exporter {
    /// Name in messages.
    pub name: &'static str,
    /// Beginning of `asset.generator`.
    pub generator: &'static str,
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
    /// True if it numbers equal names as `wing2`, has `_` in place of some characters, and names pictures anew.
    pub numbers_names: bool,
    /// True if the numbers of its extras are floating-point ones.
    pub has_only_floats: bool,
    /// True if it leaves out clips in which nothing leaves its place at rest.
    pub leaves_out_still: bool,
    /// True if it writes the pictures of normals and emission anew, and no extension of surfaces but unlit ones.
    pub remakes_surfaces: bool,
    /// True if its textures all repeat.
    pub repeats_textures: bool,
    /// True if it encodes the light of materials twice as sRGB.
    pub encodes_emission: bool,
    /// True if the positions and texture coordinates of a mesh are rounded to parts of their largest number.
    pub rounds_by_size: bool,
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
    /// True if the program may have given this name to what had another one.
    pub(super) fn may_name(&self, new: &str, old: &str) -> bool {
        let is_numbered = || {
            let written = old.replace(['.', ':', '@', '/', '"', '%'], "_");
            let number = new.strip_prefix(&written);
            number.is_some_and(|number| number.bytes().all(|it| it.is_ascii_digit()))
        };
        self.drops_extras && (short(new) == short(old) || (self.numbers_names && is_numbered()))
    }

    /// Largest differences in an unedited file. Vertices of a skin are moved by matrices of all its bones, so that each
    /// number has the rounding of the largest one.
    pub(super) fn tolerance(&self, mesh: &SceneMesh, is_skinned: bool) -> Tolerance {
        let largest = |numbers: &mut dyn Iterator<Item = &f32>| {
            numbers.fold(1.0_f32, |largest, number| largest.max(number.abs()))
        };
        let parts = || mesh.primitives.iter();
        let extent = match is_skinned || self.rounds_by_size {
            true => largest(&mut parts().flat_map(|part| part.positions.as_flattened())),
            false => 1.0,
        };
        let uv_extent = match self.rounds_by_size {
            true => largest(&mut parts().flat_map(|part| part.uvs.iter().flatten().flatten())),
            false => 1.0,
        };
        Tolerance {
            place: self.translation,
            position: self.position,
            extent,
            turn: self.rotation,
            uv: self.uv,
            uv_extent,
            normal: self.normal,
            color: self.color,
        }
    }
}

/// A program that changes no number.
const EXACT: Exporter = Exporter {
    name: "",
    generator: "",
    frames: None,
    is_linear_in_rotations: false,
    drops_extras: false,
    adds_materials: false,
    remakes_normals: false,
    has_one_aspect: false,
    numbers_names: false,
    has_only_floats: false,
    leaves_out_still: false,
    remakes_surfaces: false,
    repeats_textures: false,
    encodes_emission: false,
    rounds_by_size: false,
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
    frames: Some(30.0),
    drops_extras: true,
    adds_materials: true,
    value: 2e-4,
    position: 4e-6,
    translation: 3e-4,
    rotation: 1e-4,
    uv: 2e-5,
    normal: 0.02,
    color: 0.006,
    ..EXACT
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
    // 4.6: pictures have new names and numbers (`brick2`), are repeated and never clamped; normal maps without their blue
    // are stored anew; the emission is encoded twice; a material without a name where there is none; positions and texture coordinates have 16 bits between the least and the largest one of a surface, and its
    // triangles begin at other corners.
    Exporter {
        name: "Godot",
        generator: "Godot Engine",
        numbers_names: true,
        has_only_floats: true,
        leaves_out_still: true,
        remakes_surfaces: true,
        repeats_textures: true,
        encodes_emission: true,
        rounds_by_size: true,
        position: 3.2e-5,
        uv: 3.2e-5,
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
