//! Terrain (`.ter`) and models (`.mod`), versions 1 to 3.
//!
//! ```text
//! header · strings · materials · vertices · triangles · [second texture coordinates] · bones · weights
//! ```

use serde::Serialize;

use super::parts::{
    BONE_SIZE, Bone, Material, Strings, Triangle, Vertex, VertexWeights, WEIGHTS_SIZE, check_mesh,
    trailing, vertices,
};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, FormatError, Result, Stream, Vec2};

/// First bytes of terrain.
pub const TERRAIN: Bytes<4> = Bytes(*b"EQGT");
/// First bytes of a model.
pub const MODEL: Bytes<4> = Bytes(*b"EQGM");

relicast_codec::record! {
    /// Terrain or a model, in file axes.
    pub struct Mesh[24..] {
        /// Offset 0: `EQGT` or `EQGM`.
        magic: Bytes<4>,
        /// Offset 4: 1, 2 or 3.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of materials.
        material_count: u32 [counts materials],
        /// Offset 16: number of vertices.
        vertex_count: u32 [counts vertices],
        /// Offset 20: number of triangles.
        triangle_count: u32 [counts triangles],
        /// Offset 24 of models: number of bones.
        bone_count: u32 [counts by bone_count],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// Surfaces.
        materials: Vec<Material> [records material_count],
        /// Vertices.
        vertices: Vec<Vertex> [by |value, stream| vertices(value, stream, vertex_count, version)],
        /// Triangles.
        triangles: Vec<Triangle> [count triangle_count],
        /// Data after the triangles.
        tail: Tail [by |value, stream| value.visit(stream, version, vertex_count, bone_count)],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

/// Data after the triangles.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tail {
    /// Version 2: a word, 1 (in terrain also 2) if second texture coordinates follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<u32>,
    /// Version 2: second texture coordinates, one for each vertex or none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uvs: Vec<Vec2>,
    /// Bones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<Bone>,
    /// The bones of each vertex; none without bones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<VertexWeights>,
}

/// The number of bones, which only models have.
fn bone_count<'a, S: Stream<'a>>(mesh: &Mesh, stream: &mut S) -> Result<usize> {
    if mesh.magic != TERRAIN {
        return stream.count("bone_count", mesh.tail.bones.len());
    }
    if mesh.tail.bones.is_empty() {
        return Ok(0);
    }
    let found = mesh.tail.bones.len();
    let place = stream.position();
    Err(FormatError::unencodable(
        "bones",
        place,
        "none in terrain",
        found,
    ))
}

impl Tail {
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: u32,
        vertices: usize,
        bones: usize,
    ) -> Result<()> {
        let [mut uvs, mut weights] = [self.uvs.len(), self.weights.len()];
        if S::READING {
            let tagged;
            (tagged, uvs, weights) = layout(stream.remaining(), version, vertices, bones);
            self.tag = tagged.then_some(0);
        }
        if let Some(tag) = &mut self.tag {
            stream.value("tag", tag)?;
        }
        stream.values("uvs", &mut self.uvs, uvs)?;
        stream.values("bones", &mut self.bones, bones)?;
        stream.values("weights", &mut self.weights, weights)
    }
}

/// Layout of the `remaining` bytes after the triangles: true if there is a tag, and the numbers of texture
/// coordinates and weights. It is not known which files have the tag, so a layout that ends exactly is taken, and
/// the rule of the version if none does.
fn layout(remaining: usize, version: u32, vertices: usize, bones: usize) -> (bool, usize, usize) {
    let skeleton = bones.saturating_mul(BONE_SIZE);
    let weighted = if bones > 0 { vertices } else { 0 };
    let skinned = skeleton.saturating_add(weighted.saturating_mul(WEIGHTS_SIZE));
    let uvs = vertices.saturating_mul(8);
    let second = version == 2;
    let forms = [
        (second, if second { vertices } else { 0 }, weighted),
        (true, 0, weighted),
        (false, 0, weighted),
        (true, vertices, weighted),
        (false, 0, 0),
        (true, 0, 0),
        (true, vertices, 0),
    ];
    let length = |(tagged, second, weights): (bool, usize, usize)| {
        let tag = if tagged { 4 } else { 0 };
        let uvs = if second > 0 { uvs } else { 0 };
        let rest = if weights > 0 { skinned } else { skeleton };
        rest.saturating_add(uvs).saturating_add(tag)
    };
    let mut exact = forms.into_iter().filter(|&form| length(form) == remaining);
    // Tools leave four zeros after some files. They are not a tag in versions that normally have none.
    exact.next().unwrap_or(match second {
        true if remaining >= length((true, vertices, weighted)) => (true, vertices, weighted),
        true => (true, 0, weighted),
        false => (false, 0, weighted),
    })
}

/// Fails unless bytes start as a file of one of both kinds.
fn check_magic(bytes: &[u8]) -> Result<()> {
    let is = |magic: Bytes<4>| bytes.starts_with(&magic.0);
    if is(TERRAIN) || is(MODEL) {
        return Ok(());
    }
    let found = bytes.get(..4).unwrap_or(bytes).escape_ascii();
    Err(FormatError::malformed("magic", 0, "EQGT or EQGM", found))
}

/// Decodes terrain or a model.
///
/// # Errors
/// Neither, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Mesh>> {
    check_magic(bytes)?;
    let mut decoded = codec::decode::<Mesh>(bytes)?;
    let mesh = &decoded.value;
    let deviations = &mut decoded.deviations;
    for material in &mesh.materials {
        material.check(&mesh.strings, deviations);
    }
    for bone in &mesh.tail.bones {
        mesh.strings.check(deviations, "bones.name", bone.name);
    }
    check_mesh(
        mesh.vertices.len(),
        &mesh.triangles,
        mesh.materials.len(),
        &mesh.tail.weights,
        mesh.tail.bones.len(),
        deviations,
    );
    Ok(decoded)
}

/// Encodes terrain or a model.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(mesh: &Mesh) -> Result<Vec<u8>> {
    codec::encode(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(version: u32, bones: usize, tail: Tail) -> Mesh {
        let mut mesh = Mesh {
            magic: MODEL,
            version,
            vertices: vec![Vertex::default(); 3],
            triangles: vec![Triangle::default()],
            tail,
            ..Mesh::default()
        };
        let name = mesh.strings.add("leaf");
        mesh.materials = vec![Material {
            name,
            shader: name,
            ..Material::default()
        }];
        mesh.tail.bones = vec![Bone::default(); bones];
        if bones > 0 {
            mesh.tail.weights = vec![VertexWeights::default(); 3];
        }
        mesh
    }

    #[test]
    fn every_form_of_the_tail_is_detected_by_where_it_ends() {
        let tail = |tag, uvs| Tail {
            tag,
            uvs: vec![Vec2::default(); uvs],
            ..Tail::default()
        };
        for (version, bones, tail) in [
            (1, 0, tail(None, 0)),
            (1, 2, tail(None, 0)),
            (1, 0, tail(Some(0), 0)),
            (2, 0, tail(Some(0), 0)),
            (2, 0, tail(Some(1), 3)),
            (2, 0, tail(None, 0)),
            (2, 2, tail(Some(0), 0)),
            (2, 2, tail(Some(1), 3)),
            (2, 2, tail(None, 0)),
            (3, 0, tail(None, 0)),
            (3, 2, tail(None, 0)),
        ] {
            let mesh = model(version, bones, tail);
            let bytes = encode(&mesh).unwrap();
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, mesh);
            assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        }
    }

    #[test]
    fn unknown_versions_are_reported() {
        let mut bytes = encode(&model(3, 0, Tail::default())).unwrap();
        bytes[4] = 9;
        let fault = decode(&bytes).unwrap_err();
        assert_eq!(fault.kind(), relicast_codec::FaultKind::Unsupported);
        assert_eq!(fault.found(), "9");
    }

    #[test]
    fn references_without_a_target_are_deviations() {
        let mut mesh = model(1, 1, Tail::default());
        mesh.triangles[0].vertices = [0, 1, 9];
        mesh.triangles[0].material = 5;
        mesh.materials[0].name = 99;
        mesh.tail.weights[0].count = 7;
        let decoded = decode(&encode(&mesh).unwrap()).unwrap();
        assert_eq!(decoded.deviations.total(), 4);
    }
}
