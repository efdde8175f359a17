//! Members of `motion.zbd` (MechWarrior 3, Pirate's Moon): keyframes of one motion of one 'mech.
//!
//! ```text
//! header, 24 bytes
//! part × part_count: u32 name length, name, u32 flags,
//!                    (frame_count + 1) translations, (frame_count + 1) rotations
//! ```
//!
//! Translations are meters, rotations unit quaternions stored scalar first, both local to the part's
//! parent. One more sample than frames is stored; in every retail file it repeats the first.

use serde::Serialize;

use relicast_codec::{
    Blob, Decoded, F32, FaultKind, FormatError, QuatWxyz, Result, Stream, Vec3, Walk, latin1,
};

use relicast_limits::{self as limits, Exceeded};

relicast_codec::record! {
    /// Start of a motion, 24 bytes.
    pub struct Header[24] {
        /// Offset 0: 4 in both games.
        version: u32 [must 4],
        /// Offset 4: seconds of the whole loop, above 0.
        loop_time: F32,
        /// Offset 8: frames, without the closing sample; above 0.
        frame_count: u32,
        /// Offset 12: number of parts.
        part_count: u32,
        /// Offset 16: -1.0; purpose unknown.
        unk16: F32 [always F32(-1.0)],
        /// Offset 20: 1.0; purpose unknown.
        unk20: F32 [always F32(1.0)],
    }
}

bitflags::bitflags! {
    /// Tracks of a part. Every retail part has both rotation and translation.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PartFlags: u32 {
        /// Scale track; never seen, layout unknown.
        const SCALE = 1 << 1;
        /// Rotation track.
        const ROTATION = 1 << 2;
        /// Translation track.
        const TRANSLATION = 1 << 3;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(PartFlags: u32);

/// The tracks of one part.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part<'a> {
    /// Name of the node that the part moves; ASCII.
    pub name: Blob<'a>,
    /// Tracks present.
    pub flags: PartFlags,
    /// One translation a sample, meters.
    pub translations: Vec<Vec3>,
    /// One rotation a sample, unit quaternions.
    pub rotations: Vec<QuatWxyz>,
}

impl Part<'_> {
    /// The part's name.
    pub fn name(&self) -> String {
        latin1(&self.name)
    }
}

/// One motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Motion<'a> {
    /// Start of the file; `part_count` is recomputed when writing.
    pub header: Header,
    /// The parts in file order.
    pub parts: Vec<Part<'a>>,
    /// Bytes after the last part; none in any game.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

impl<'a> Walk<'a> for Motion<'a> {
    const SMALLEST: usize = Header::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        if !S::READING {
            self.header.part_count = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        }
        let start = stream.position();
        self.header.walk(stream)?;
        if S::READING {
            let loop_time = self.header.loop_time.get();
            limits::check_seconds(loop_time).map_err(|exceeded| {
                let (offset, limit) = (start.saturating_add(4), FaultKind::Limit);
                let Exceeded {
                    expected, found, ..
                } = exceeded;
                FormatError::new(limit, "loop_time", offset, expected, found)
            })?;
            if loop_time.is_nan() || loop_time <= 0.0 {
                stream.deviate("loop_time", start.saturating_add(4), "above 0", loop_time);
            }
            if self.header.frame_count == 0 {
                stream.deviate("frame_count", start.saturating_add(8), "above 0", 0);
            }
        }
        let samples = (self.header.frame_count as usize).saturating_add(1);
        stream.list(
            "parts",
            &mut self.parts,
            self.header.part_count as usize,
            samples.saturating_mul(28).saturating_add(8),
            |stream, part| part.walk(stream, samples),
        )?;
        stream.trailing(&mut self.trailing.0)
    }
}

impl<'a> Part<'a> {
    fn walk<S: Stream<'a>>(&mut self, stream: &mut S, samples: usize) -> Result<()> {
        let length = stream.count("name_length", self.name.len())?;
        stream.bytes("name", &mut self.name.0, length)?;
        let offset = stream.position();
        stream.value("flags", &mut self.flags)?;
        let expected = PartFlags::ROTATION | PartFlags::TRANSLATION;
        if S::READING && self.flags != expected {
            return Err(FormatError::unsupported(
                "flags",
                offset,
                format_args!("{} (rotation and translation)", expected.bits()),
                self.flags.bits(),
            ));
        }
        stream.values("translations", &mut self.translations, samples)?;
        stream.values("rotations", &mut self.rotations, samples)?;
        if S::READING {
            let closed = self.translations.first() == self.translations.last()
                && self.rotations.first() == self.rotations.last();
            if !closed {
                stream.deviate(
                    "samples",
                    offset,
                    "a last sample equal to the first",
                    "another pose",
                );
            }
        }
        Ok(())
    }
}

/// Returns true if `bytes` start like a motion: the version and the two constant words.
pub fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(&[4, 0, 0, 0])
        && bytes.get(16..24) == Some(&[0, 0, 0x80, 0xBF, 0, 0, 0x80, 0x3F])
}

/// Decodes one member of a motion archive.
///
/// # Errors
/// Unknown version or tracks, or samples that do not fit the member.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Motion<'_>>> {
    relicast_codec::decode(bytes)
}

/// Encodes one motion.
///
/// # Errors
/// A part without exactly `frame_count + 1` samples.
pub fn encode(motion: &Motion<'_>) -> Result<Vec<u8>> {
    relicast_codec::encode(motion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_has_the_documented_size_and_head() {
        let motion = Motion {
            header: Header {
                version: 4,
                loop_time: F32(1.0),
                frame_count: 2,
                part_count: 1,
                unk16: F32(-1.0),
                unk20: F32(1.0),
            },
            parts: vec![Part {
                name: Blob::borrowed(b"hip"),
                flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
                translations: vec![Vec3::default(); 3],
                rotations: vec![QuatWxyz::default(); 3],
            }],
            ..Motion::default()
        };
        let bytes = encode(&motion).unwrap();
        assert_eq!(bytes.len(), 119);
        assert_eq!(&bytes[24..31], b"\x03\0\0\0hip");
        assert_eq!(bytes[31], 12);
        assert!(looks_like(&bytes));
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        assert_eq!(decoded.value, motion);
    }

    #[test]
    fn sample_counts_are_checked_before_memory_is_taken() {
        let mut bytes = vec![0_u8; 24];
        bytes[0] = 4;
        bytes[8..16].fill(0x7F);
        let error = decode(&bytes).unwrap_err();
        assert_eq!(error.field(), "parts");
        assert_eq!(error.offset(), 24);
    }
}
