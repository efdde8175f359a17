//! Creatures of several pieces (`.mds`), versions 1 to 3.
//!
//! ```
//! use relicast_formats::everquest::eqg::creature::{Creature, MAGIC, Piece, decode, encode};
//!
//! let mut creature = Creature { magic: MAGIC, version: 1, ..Creature::default() };
//! let name = creature.strings.add("HEAD01");
//! creature.pieces.push(Piece { name, ..Piece::default() });
//! let bytes = encode(&creature)?;
//! let decoded = decode(&bytes)?.value;
//! assert_eq!(decoded.strings.text(decoded.pieces[0].name), "HEAD01");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{
    Bone, Material, MeshVersion, Strings, Triangle, Vertex, VertexWeights, check_mesh, trailing,
    vertices,
};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, Reader, Result, Stream, Walk};

/// First bytes of a creature.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGS");

relicast_codec::record! {
    /// A creature, in file axes. Its pieces share bones and materials.
    pub struct Creature[24..] {
        /// Offset 0: `EQGS`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: 1, 2 or 3, the form of the vertices.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of materials.
        material_count: u32 [counts materials],
        /// Offset 16: number of bones.
        bone_count: u32 [counts bones],
        /// Offset 20: number of pieces.
        piece_count: u32 [counts pieces],
        /// True if numbers of weights without weights are expected when it is read; not stored.
        #[serde(skip)]
        hollow: bool [bind] [by |value, stream| unstored(value, stream)],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// Surfaces.
        materials: Vec<Material> [records material_count],
        /// Bones.
        bones: Vec<Bone> [count bone_count],
        /// Pieces: the body, heads and the like.
        pieces: Vec<Piece> [by |value, stream| pieces(value, stream, piece_count, version, hollow)],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

/// A piece of a creature.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// 1 for the body, 0 for a part such as a head.
    pub main: u32,
    /// Name.
    pub name: u32,
    /// Stored number of weights. Some files have no weights although this is not 0.
    pub weight_count: u32,
    /// Vertices.
    pub vertices: Vec<Vertex>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// The bones of each vertex.
    pub weights: Vec<VertexWeights>,
}

/// A field that no file has.
fn unstored<'a, S: Stream<'a>>(_value: &mut bool, _stream: &mut S) -> Result<()> {
    Ok(())
}

fn pieces<'a, S: Stream<'a>>(
    list: &mut Vec<Piece>,
    stream: &mut S,
    count: usize,
    version: u32,
    hollow: bool,
) -> Result<()> {
    MeshVersion::new(version)?;
    stream.list("pieces", list, count, 20, |stream, piece| {
        piece.visit(stream, version, hollow)
    })
}

impl Piece {
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: u32,
        hollow: bool,
    ) -> Result<()> {
        stream.value("main", &mut self.main)?;
        stream.value("name", &mut self.name)?;
        let vertex_count = stream.count("vertex_count", self.vertices.len())?;
        let triangle_count = stream.count("triangle_count", self.triangles.len())?;
        stream.value("weight_count", &mut self.weight_count)?;
        vertices(&mut self.vertices, stream, vertex_count, version)?;
        stream.values("triangles", &mut self.triangles, triangle_count)?;
        let stored = match (S::READING, hollow) {
            (true, true) => 0,
            (true, false) => self.weight_count as usize,
            (false, _) => self.weights.len(),
        };
        stream.values("weights", &mut self.weights, stored)
    }
}

fn read(bytes: &[u8], hollow: bool) -> Result<Decoded<Creature>> {
    let mut reader = Reader::new(bytes);
    let mut creature = Creature {
        hollow,
        ..Creature::default()
    };
    creature.walk(&mut reader)?;
    creature.hollow = false;
    Ok(reader.finish(creature))
}

/// Decodes a creature. Some files give a number of weights without weights; the layout that ends exactly is taken.
///
/// # Errors
/// Not a creature, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Creature>> {
    let ends = |read: &Result<Decoded<Creature>>| {
        let read = read.as_ref().ok();
        read.is_some_and(|decoded| decoded.value.trailing.is_empty())
    };
    let mut first = read(bytes, false);
    if !ends(&first) {
        let second = read(bytes, true);
        if ends(&second) {
            first = second;
        }
    }
    let mut decoded = first?;
    let creature = &decoded.value;
    let deviations = &mut decoded.deviations;
    for material in &creature.materials {
        material.check(&creature.strings, deviations);
    }
    for bone in &creature.bones {
        creature.strings.check(deviations, "bones.name", bone.name);
    }
    for piece in &creature.pieces {
        creature
            .strings
            .check(deviations, "pieces.name", piece.name);
        if piece.weight_count as usize != piece.vertices.len() {
            let expected = format_args!("{}, one for each vertex", piece.vertices.len());
            deviations.push("pieces.weight_count", 0, expected, piece.weight_count);
        } else if piece.weights.len() != piece.vertices.len() {
            let expected = format_args!("{} weights", piece.vertices.len());
            deviations.push("pieces.weights", 0, expected, piece.weights.len());
        }
        check_mesh(
            piece.vertices.len(),
            &piece.triangles,
            creature.materials.len(),
            &piece.weights,
            creature.bones.len(),
            deviations,
        );
    }
    Ok(decoded)
}

/// Encodes a creature.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(creature: &Creature) -> Result<Vec<u8>> {
    codec::encode(creature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_are_not_stored_are_detected_by_the_end() {
        for stored in [0, 3] {
            let piece = Piece {
                main: 1,
                weight_count: 3,
                vertices: vec![Vertex::default(); 3],
                weights: vec![VertexWeights::default(); stored],
                ..Piece::default()
            };
            let mut creature = Creature {
                magic: MAGIC,
                version: 1,
                bones: vec![Bone::default()],
                pieces: vec![piece.clone(), piece],
                ..Creature::default()
            };
            creature.strings.add("body");
            let bytes = encode(&creature).unwrap();
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, creature);
            assert_eq!(encode(&decoded.value).unwrap(), bytes);
        }
    }
}
