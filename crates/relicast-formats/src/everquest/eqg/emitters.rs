//! Definitions of particle emitters (`.edd`): a header of 8 bytes and records of 416.
//!
//! ```
//! use relicast_formats::everquest::eqg::emitters::{Definition, Definitions, MAGIC, decode, encode};
//! use relicast_codec::PaddedText;
//!
//! let definitions = Definitions {
//!     magic: MAGIC,
//!     version: PaddedText(*b"110\0"),
//!     definitions: vec![Definition { burst: 12, ..Definition::default() }],
//!     ..Definitions::default()
//! };
//! let bytes = encode(&definitions)?;
//! assert_eq!(bytes.len(), 8 + 416);
//! assert_eq!(decode(&bytes)?.value.definitions[0].burst, 12);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::trailing;
use relicast_codec::{
    self as codec, self, Blob, Bytes, Decoded, F32, FixedSize, PaddedText, Result, Stream,
};

/// First bytes of definitions.
pub const MAGIC: Bytes<4> = Bytes(*b"EDD\0");

relicast_codec::record! {
    /// A particle emitter, 416 bytes.
    pub struct Definition[416]: FixedSize {
        /// Offset 0: name. Bytes after the NUL are arbitrary.
        name: PaddedText<64>,
        /// Offset 64: picture; `nul` for none.
        texture: PaddedText<32>,
        /// Offset 96: nonzero if it turns with the bone.
        follows_rotation: u32,
        /// Offset 100: nonzero if particles do not hide each other.
        no_depth_write: u32,
        /// Offset 104: nonzero if particles are added to the background.
        additive: u32,
        /// Offset 108: nonzero if sizes scale with the actor.
        scale_with_actor: u32,
        /// Offset 112: orientation of particles towards the viewer.
        billboard: u32,
        /// Offset 116: nonzero if particles move with their attachment.
        follows: u32,
        /// Offset 120: seconds; −5000 is practically unlimited.
        duration: F32,
        /// Offset 124: lifetime of a particle in seconds.
        life: F32,
        /// Offset 128: particles at the start.
        burst: i32,
        /// Offset 132: particles per pulse.
        per_pulse: i32,
        /// Offset 136: pulses per second.
        rate: F32,
        /// Offset 140: seconds before the start.
        delay: F32,
        /// Offset 144: share of the life in which it fades in.
        fade_in: F32,
        /// Offset 148: share of the life in which it fades out.
        fade_out: F32,
        /// Offset 152: share of the life in which it grows.
        grow: F32,
        /// Offset 156: share of the life in which it shrinks.
        shrink: F32,
        /// Offset 160: view distance.
        distance: F32,
        /// Offset 164: opacity.
        alpha: F32,
        /// Offset 168: shape: 0 point, 1 ring, 2 sphere, 3 cylinder, 4 disk, 5 surface of a sphere, 6 box, 7 cone,
        /// 8 torus, 9 random ring.
        shape: u32,
        /// Offset 172: lengths of the shape.
        dimensions: [F32; 3],
        /// Offset 184: offset.
        offset: [F32; 3],
        /// Offset 196: angles, 512 a turn.
        tilt: [F32; 2],
        /// Offset 204: minimum width of a particle.
        width_min: F32,
        /// Offset 208: value added to the depth.
        depth_offset: F32,
        /// Offset 212: red, green and blue at the start. Sources differ whether these are floats.
        start_color: [i32; 3],
        /// Offset 224: red, green and blue at the end.
        end_color: [i32; 3],
        /// Offset 236: velocity along z: minimum, maximum, acceleration.
        axial: [F32; 3],
        /// Offset 248: velocity along x.
        transverse_x: [F32; 3],
        /// Offset 260: velocity along y.
        transverse_y: [F32; 3],
        /// Offset 272: velocity outwards.
        radial: [F32; 3],
        /// Offset 284: velocity around.
        orbital: [F32; 3],
        /// Offset 296: downward acceleration.
        gravity: F32,
        /// Offset 300: acceleration along x.
        drift: F32,
        /// Offset 304: pictures in the texture.
        frames: u32,
        /// Offset 308: pictures a second.
        frame_rate: F32,
        /// Offset 312: minimum spin.
        spin_min: F32,
        /// Offset 316: meaning unknown.
        unk316: Bytes<8>,
        /// Offset 324: maximum number of particles.
        capacity: i32,
        /// Offset 328: meaning unknown.
        unk328: Bytes<32>,
        /// Offset 360: meaning unknown.
        unk360: Bytes<4>,
        /// Offset 364: size.
        size: [F32; 2],
        /// Offset 372: nonzero if particles start with a random rotation.
        random_rotation: u32,
        /// Offset 376: nonzero if particles point in the direction of flight.
        along_velocity: u32,
        /// Offset 380: minimum height of a particle.
        height_min: F32,
        /// Offset 384: maximum height of a particle.
        height_max: F32,
        /// Offset 388: maximum width of a particle.
        width_max: F32,
        /// Offset 392: maximum spin.
        spin_max: F32,
        /// Offset 396: nonzero if width and height share one number.
        linked_size: u32,
        /// Offset 400: share of the life in which the height shrinks.
        height_shrink: F32,
        /// Offset 404: share of the life in which the width shrinks.
        width_shrink: F32,
        /// Offset 408: nonzero for two crossed planes.
        crossed: u32,
        /// Offset 412: nonzero if the emitter scales with the actor.
        emitter_scales: u32,
    }
}

relicast_codec::record! {
    /// Definitions; other files refer to them by their indices, the first of which is 0 and named `None`.
    pub struct Definitions[8..] {
        /// Offset 0: `EDD` and a NUL.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: version as text.
        version: PaddedText<4> [always PaddedText(*b"110\0")],
        /// The definitions, to the end of the file.
        definitions: Vec<Definition> [by |value, stream| definitions(value, stream)],
        /// Bytes after the last whole record, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

fn definitions<'a, S: Stream<'a>>(list: &mut Vec<Definition>, stream: &mut S) -> Result<()> {
    let count = match S::READING {
        true => stream
            .remaining()
            .checked_div(<Definition as FixedSize>::SIZE)
            .unwrap_or_default(),
        false => list.len(),
    };
    stream.values("definitions", list, count)
}

/// Decodes definitions.
///
/// # Errors
/// Not definitions.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Definitions>> {
    codec::decode(bytes)
}

/// Encodes definitions.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(definitions: &Definitions) -> Result<Vec<u8>> {
    codec::encode(definitions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_behind_the_records_is_kept() {
        let mut bytes = b"EDD\x00110\0".to_vec();
        bytes.extend((0..420_u32).map(|byte| byte as u8));
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.value.definitions.len(), 1);
        assert_eq!(decoded.value.trailing.len(), 4);
        assert_eq!(decoded.deviations.total(), 1);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }
}
