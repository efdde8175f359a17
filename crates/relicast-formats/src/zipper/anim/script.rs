//! SI scripts: frames that move one node.
//!
//! In Recoil and MechWarrior 3 the frames are in the event that plays them, in Pirate's Moon and Crimson Skies in a
//! pool at the end of the file:
//!
//! ```text
//! one 28-byte header per script
//! for each script: script name, object name, frames
//! frame: flags, start time, end time; then a block for each of translate, rotate, scale
//! ```

use serde::Serialize;

use super::values::{Bool32, CountedText, is_default, raw_bytes};
use super::version::{Peek, Versioned};
use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, Blob, F32, FixedSize, FormatError, QuatWxyz, Vec3};

bitflags::bitflags! {
    /// Channels of a frame. A frame without channels is valid.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct FrameFlags: u32 {
        /// A translation follows.
        const TRANSLATE = 1;
        /// A rotation follows.
        const ROTATE = 2;
        /// A scale follows.
        const SCALE = 4;
    }
}
relicast_codec::plain_flags!(FrameFlags: u32);

relicast_codec::record! {
    /// A translation or scale during a frame, in the parent's space.
    ///
    /// `base + delta * dt`, or, in scripts with splines, per axis the polynomial
    /// `c0 + c1 dt + c2 dt² + c3 dt³`, with `dt` in seconds from the frame's start.
    pub struct VectorChannel[28, 76, 76, 76] in ZipperGame {
        /// Value at the start of the frame.
        base: Vec3,
        /// Usually 0, sometimes stale memory.
        unk12: u32,
        /// Change per second.
        delta: Vec3,
        /// Coefficients c0 to c3; not in Recoil, stale memory in scripts without splines.
        #[serde(skip_serializing_if = "is_default")]
        spline_x: [F32; 4] [since MechWarrior3],
        /// As `spline_x`.
        #[serde(skip_serializing_if = "is_default")]
        spline_y: [F32; 4] [since MechWarrior3],
        /// As `spline_x`.
        #[serde(skip_serializing_if = "is_default")]
        spline_z: [F32; 4] [since MechWarrior3],
    }
}

relicast_codec::record! {
    /// A rotation during a frame: `exp(h) * base`, where `h` is half the rotation vector in radians,
    /// `delta * dt` or the polynomials, and the product acts in the parent's space.
    pub struct RotationChannel[28, 76, 76, 76] in ZipperGame {
        /// Rotation at the start of the frame, scalar first.
        base: QuatWxyz,
        /// Half-angle radians per second about each axis.
        delta: Vec3,
        /// Coefficients c0 to c3 of the half-angle vector; not in Recoil, stale memory in scripts
        /// without splines.
        #[serde(skip_serializing_if = "is_default")]
        spline_x: [F32; 4] [since MechWarrior3],
        /// As `spline_x`.
        #[serde(skip_serializing_if = "is_default")]
        spline_y: [F32; 4] [since MechWarrior3],
        /// As `spline_x`.
        #[serde(skip_serializing_if = "is_default")]
        spline_z: [F32; 4] [since MechWarrior3],
    }
}

/// One frame. An absent channel holds its previous value.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frame {
    /// Offset 4: seconds from the start of the event.
    pub start_time: F32,
    /// Offset 8: seconds from the start of the event; before `start_time` in three scripts of Recoil and 456 of
    /// MechWarrior 3 (counted by zStudio), which are played anyway.
    pub end_time: F32,
    /// The translation, if the frame has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translate: Option<Box<VectorChannel>>,
    /// The rotation, if the frame has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Box<RotationChannel>>,
    /// The scale, if the frame has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Box<VectorChannel>>,
}

impl Frame {
    /// Minimum size of a frame in bytes: the header.
    pub const SMALLEST: usize = 12;

    fn flags(&self) -> FrameFlags {
        let mut flags = FrameFlags::empty();
        flags.set(FrameFlags::TRANSLATE, self.translate.is_some());
        flags.set(FrameFlags::ROTATE, self.rotate.is_some());
        flags.set(FrameFlags::SCALE, self.scale.is_some());
        flags
    }

    /// Bytes of a frame with the channels of `flags`; `None` for unknown flags.
    fn length_with(flags: FrameFlags, version: ZipperGame) -> Option<usize> {
        let channels = FrameFlags::all()
            .contains(flags)
            .then(|| flags.bits().count_ones() as usize)?;
        channels
            .checked_mul(VectorChannel::size(version))?
            .checked_add(Self::SMALLEST)
    }

    /// Bytes of the frame in a file of `version`.
    pub fn length(&self, version: ZipperGame) -> usize {
        Self::length_with(self.flags(), version).unwrap_or_default()
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> codec::Result<()> {
        let mut flags = self.flags();
        stream.value("flags", &mut flags)?;
        stream.value("start_time", &mut self.start_time)?;
        stream.value("end_time", &mut self.end_time)?;
        let channels = [FrameFlags::TRANSLATE, FrameFlags::ROTATE, FrameFlags::SCALE];
        let [translate, rotate, scale] = channels.map(|channel| flags.contains(channel));
        channel(stream, "translate", &mut self.translate, translate, version)?;
        channel(stream, "rotate", &mut self.rotate, rotate, version)?;
        channel(stream, "scale", &mut self.scale, scale, version)
    }
}

fn channel<'a, T: Versioned, S: Peek<'a>>(
    stream: &mut S,
    field: &'static str,
    channel: &mut Option<Box<T>>,
    present: bool,
    version: ZipperGame,
) -> codec::Result<()> {
    if present {
        let channel = channel.get_or_insert_default();
        channel
            .visit(stream, version)
            .map_err(|error| error.inside(field))?;
    }
    Ok(())
}

/// Returns true if `data` is exactly `count` frames.
pub(super) fn frames_fit(data: &[u8], count: usize, version: ZipperGame) -> bool {
    let mut rest = data;
    for _ in 0..count {
        let tail = u32::load(rest)
            .map(FrameFlags::from_bits_retain)
            .and_then(|flags| Frame::length_with(flags, version))
            .and_then(|length| rest.get(length..));
        match tail {
            Some(tail) => rest = tail,
            None => return false,
        }
    }
    rest.is_empty()
}

/// Visits `count` frames.
pub(super) fn visit_frames<'a, S: Peek<'a>>(
    stream: &mut S,
    frames: &mut Vec<Frame>,
    count: usize,
    version: ZipperGame,
) -> codec::Result<()> {
    stream.list("frames", frames, count, Frame::SMALLEST, |stream, frame| {
        frame.visit(stream, version)
    })
}

/// Bytes of `frames` in a file of `version`.
pub(super) fn frames_length(frames: &[Frame], version: ZipperGame) -> usize {
    frames.iter().fold(0, |sum: usize, frame| {
        sum.saturating_add(frame.length(version))
    })
}

relicast_codec::record! {
    /// Header of a script in the pool, 28 bytes.
    pub struct ScriptHeader[28, 28, 28, 28] in ZipperGame {
        /// Stale pointer.
        script_name_ptr: u32,
        /// Stale pointer.
        object_name_ptr: u32,
        /// Bytes of the script name with its NUL; recomputed when writing.
        #[serde(skip)]
        script_name_length: u8,
        /// Bytes of the object name with its NUL; recomputed when writing.
        #[serde(skip)]
        object_name_length: u8,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad10: u16 [always 0],
        /// The frames' splines are valid. Never in Pirate's Moon, nearly always in Crimson Skies.
        spline_interpolation: Bool32,
        /// Number of frames; recomputed when writing.
        #[serde(skip)]
        frame_count: u32,
        /// Bytes of the frames; recomputed when writing.
        #[serde(skip)]
        data_length: u32,
        /// Stale pointer.
        data_ptr: u32,
    }
}

/// Frame data that its header does not describe, preserved.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrokenFrames {
    /// The stated number of frames.
    pub count: u32,
    /// The bytes.
    pub data: Blob<'static>,
}

/// One script of the pool.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SiScript {
    /// The header's pointers and the spline switch.
    pub header: ScriptHeader,
    /// Path of the source file (`.zan`).
    pub script_name: CountedText,
    /// The node that the script was made for.
    pub object_name: CountedText,
    /// The frames in order of time.
    pub frames: Vec<Frame>,
    /// The frame data, when it does not consist of the stated number of frames; `frames` is then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<BrokenFrames>,
}

impl SiScript {
    /// Recomputes counts and lengths for writing.
    fn prepare(&mut self, position: usize, version: ZipperGame) -> codec::Result<()> {
        let too_large = |field| {
            FormatError::unencodable(field, position, "a length that fits its field", "more")
        };
        let header = &mut self.header;
        header.script_name_length =
            u8::try_from(self.script_name.0.len()).map_err(|_| too_large("script_name"))?;
        header.object_name_length =
            u8::try_from(self.object_name.0.len()).map_err(|_| too_large("object_name"))?;
        let (count, length) = match &self.broken {
            Some(broken) => (broken.count as usize, broken.data.len()),
            None => (self.frames.len(), frames_length(&self.frames, version)),
        };
        header.frame_count = u32::try_from(count).map_err(|_| too_large("frame_count"))?;
        header.data_length = u32::try_from(length).map_err(|_| too_large("data_length"))?;
        Ok(())
    }

    fn visit_data<'a, S: Peek<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        let script_name_length = usize::from(self.header.script_name_length);
        let object_name_length = usize::from(self.header.object_name_length);
        stream.values("script_name", &mut self.script_name.0, script_name_length)?;
        stream.values("object_name", &mut self.object_name.0, object_name_length)?;
        let count = self.header.frame_count as usize;
        let length = self.header.data_length as usize;
        let position = stream.position();
        if S::READING {
            let data = stream.peek(length).ok_or_else(|| {
                FormatError::truncated("data", position, length, stream.remaining())
            })?;
            if !frames_fit(data, count, version) {
                stream.deviate(
                    "frames",
                    position,
                    format_args!("{count} frames in {length} bytes"),
                    "other bytes; preserved as raw bytes",
                );
                self.broken = Some(BrokenFrames {
                    count: self.header.frame_count,
                    data: Blob::default(),
                });
            }
        }
        match &mut self.broken {
            Some(broken) => raw_bytes(stream, "data", &mut broken.data, length),
            None => visit_frames(stream, &mut self.frames, count, version),
        }
    }
}

/// Visits the pool: all headers, then names and frames of each script.
pub(super) fn visit_pool<'a, S: Peek<'a>>(
    stream: &mut S,
    scripts: &mut Vec<SiScript>,
    count: usize,
    version: ZipperGame,
) -> codec::Result<()> {
    let smallest = ScriptHeader::size(version);
    stream.list("scripts", scripts, count, smallest, |stream, script| {
        if !S::READING {
            script.prepare(stream.position(), version)?;
        }
        script.header.visit(stream, version)
    })?;
    for (index, script) in scripts.iter_mut().enumerate() {
        script
            .visit_data(stream, version)
            .map_err(|error| error.within("scripts", index))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Reader;

    fn frame(flags: u32, blocks: usize) -> Vec<u8> {
        let mut bytes = flags.to_le_bytes().to_vec();
        bytes.extend(vec![0; 8 + blocks]);
        bytes
    }

    #[test]
    fn frames_must_fill_the_data_exactly() {
        let data: Vec<u8> = [frame(0, 0), frame(7, 228), frame(2, 76)].concat();
        assert!(frames_fit(&data, 3, ZipperGame::CrimsonSkies));
        assert!(!frames_fit(&data, 2, ZipperGame::CrimsonSkies));
        assert!(!frames_fit(&data, 4, ZipperGame::CrimsonSkies));
        assert!(!frames_fit(&data, 3, ZipperGame::Recoil));
        assert!(!frames_fit(&frame(8, 0), 1, ZipperGame::CrimsonSkies));
        assert!(!frames_fit(&[], usize::MAX, ZipperGame::Recoil));
    }

    #[test]
    fn recoil_blocks_stop_after_the_delta() {
        let data = frame(5, 56);
        let mut frames = Vec::new();
        visit_frames(&mut Reader::new(&data), &mut frames, 1, ZipperGame::Recoil).unwrap();
        assert!(frames[0].translate.is_some() && frames[0].scale.is_some());
        assert!(frames[0].rotate.is_none());
        assert_eq!(frames_length(&frames, ZipperGame::Recoil), data.len());
        assert_eq!(
            frames_length(&frames, ZipperGame::MechWarrior3),
            12 + 2 * 76
        );
    }
}
