//! Particles on points of a model (`.prt`), versions 3 to 5. The records of version 3 are stored as
//! bytes: their layout is unknown.
//!
//! ```
//! use relicast_formats::everquest::eqg::particles::{MAGIC, Particle, Particles, decode, encode};
//!
//! let particles = Particles {
//!     magic: MAGIC,
//!     count: 1,
//!     version: 4,
//!     particles: vec![Particle { emitter: 7, ..Particle::default() }],
//!     ..Particles::default()
//! };
//! let bytes = encode(&particles)?;
//! assert_eq!(bytes.len(), 12 + 104);
//! assert_eq!(decode(&bytes)?.value.particles[0].emitter, 7);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{trailing, unknown_version};
use relicast_codec::{
    self as codec, self, Blob, Bytes, Decoded, Field, FormatError, PaddedText, Result, Stream,
};

/// First bytes of particles.
pub const MAGIC: Bytes<4> = Bytes(*b"PTCL");

/// Version of a file of particles whose records are known, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParticlesVersion {
    /// 4.
    Four,
    /// 5.
    Five,
}

relicast_codec::record! {
    /// An emitter on a point.
    pub struct Particle[104, 108, 108, 108] in ParticlesVersion {
        /// Offset 0: record of `ActorEmittersNew.edd`.
        emitter: u32,
        /// Offset 4, version 5: the emitter for the cold.
        cold_emitter: u32 [since Five],
        /// Offset 4, version 5: 8: the point that it is attached to. Bytes after the NUL are arbitrary.
        point: PaddedText<64>,
        /// Offset 68: kind of particle.
        kind: i32,
        /// Offset 72: number of the animation that it belongs to.
        animation: i32,
        /// Offset 76: variation of the animation.
        animation_variation: i32,
        /// Offset 80: random animation.
        random_animation: i32,
        /// Offset 84: start time.
        start_time: i32,
        /// Offset 88: duration.
        life_span: i32,
        /// Offset 92: nonzero if on the ground.
        ground: i32,
        /// Offset 96: the material that it belongs to, −1 for any.
        material: i32,
        /// Offset 100: nonzero if it plays now and then.
        sporadic: i32,
    }
}

relicast_codec::record! {
    /// The particles of a model.
    pub struct Particles[12..] {
        /// Offset 0: `PTCL`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: number of records.
        count: u32 [bind],
        /// Offset 8: 3, 4 or 5.
        version: u32 [bind],
        /// The records.
        particles: Vec<Particle> [by |value, stream| particles(value, stream, count, version)],
        /// The records of version 3.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        unk12: Blob<'static> [by |value, stream| raw(value, stream, version)],
        /// Bytes after the last field, by rule none; some files have four zeros.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

fn particles<'a, S: Stream<'a>>(
    list: &mut Vec<Particle>,
    stream: &mut S,
    count: u32,
    version: u32,
) -> Result<()> {
    let version = match version {
        3 if list.is_empty() => return Ok(()),
        4 => ParticlesVersion::Four,
        5 => ParticlesVersion::Five,
        other if S::READING => return Err(unknown_version("3, 4 or 5", other)),
        other => {
            let place = stream.position();
            return Err(FormatError::unencodable("version", place, "4 or 5", other));
        }
    };
    let size = Particle::size(version);
    stream.list(
        "particles",
        list,
        count as usize,
        size,
        |stream, particle| particle.visit("particle", stream, version),
    )
}

fn raw<'a, S: Stream<'a>>(bytes: &mut Blob<'static>, stream: &mut S, version: u32) -> Result<()> {
    let mut list = bytes.to_vec();
    let length = match S::READING {
        true if version == 3 => stream.remaining(),
        true => 0,
        false => list.len(),
    };
    stream.values("unk12", &mut list, length)?;
    *bytes = Blob::from(list);
    Ok(())
}

/// Decodes particles.
///
/// # Errors
/// Not particles, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Particles>> {
    codec::decode(bytes)
}

/// Encodes particles.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(particles: &Particles) -> Result<Vec<u8>> {
    codec::encode(particles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_3_is_kept_as_bytes() {
        let bytes = [&b"PTCL"[..], &[1, 0, 0, 0, 3, 0, 0, 0], b"anything"].concat();
        let decoded = decode(&bytes).unwrap();
        assert_eq!(&*decoded.value.unk12, b"anything");
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }
}
