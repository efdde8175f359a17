//! Tracks: the animation of one bone, or its rest pose.

use std::borrow::Cow;

use serde::Serialize;

use super::reference::FragmentRef;
use relicast_codec::{F32, FormatError, QuatWxyz, Result, Stream, Vec3, owned};

bitflags::bitflags! {
    /// Properties of a track and of its definition.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct TrackFlags: u32 {
        /// Instance: a time per frame is stored.
        const SLEEP = 1 << 0;
        /// Instance: plays backwards.
        const REVERSE = 1 << 1;
        /// Instance: frames are interpolated.
        const INTERPOLATE = 1 << 2;
        /// Definition: frames are packed; set in every file seen.
        const PACKED = 1 << 3;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(TrackFlags: u32);

relicast_codec::record! {
    /// A frame of eight 16-bit numbers.
    pub struct PackedFrame[16]: FixedSize + InPlace {
        /// Quaternion w, x, y, z, of length about 16384.
        rotation: [i16; 4],
        /// Translation in 256ths of a unit.
        translation: [i16; 3],
        /// Uniform scale in 256ths.
        scale: i16,
    }
}

relicast_codec::record! {
    /// A frame of eight floats (by a reference implementation).
    pub struct FloatFrame[32]: FixedSize + InPlace {
        /// Uniform scale.
        scale: F32,
        /// Translation in units.
        translation: Vec3,
        /// Quaternion.
        rotation: QuatWxyz,
    }
}

/// The frames of a track, in one of two forms.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Frames<'a> {
    /// 16-bit numbers.
    Packed(Cow<'a, [PackedFrame]>),
    /// Floats.
    Float(Cow<'a, [FloatFrame]>),
}

impl Default for Frames<'_> {
    fn default() -> Self {
        Self::Packed(Cow::default())
    }
}

impl<'a> Frames<'a> {
    /// Number of frames.
    fn len(&self) -> usize {
        match self {
            Self::Packed(frames) => frames.len(),
            Self::Float(frames) => frames.len(),
        }
    }

    /// The frames after their count, in the form that the flags give.
    fn walk<S: Stream<'a>>(&mut self, stream: &mut S, packed: bool) -> Result<()> {
        if S::READING && !packed {
            *self = Self::Float(Cow::default());
        }
        let offset = stream.position();
        let count = stream.count("frame_count", self.len())?;
        match self {
            Self::Packed(frames) if packed => stream.values("frames", frames, count),
            Self::Float(frames) if !packed => stream.values("frames", frames, count),
            _ => Err(FormatError::unencodable(
                "frames",
                offset,
                "the form that the flags give",
                "the other form",
            )),
        }
    }

    fn into_owned(self) -> Frames<'static> {
        match self {
            Self::Packed(frames) => Frames::Packed(owned(frames)),
            Self::Float(frames) => Frames::Float(owned(frames)),
        }
    }
}

/// Transform of a bone in the space of its parent: scaled, then rotated, then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Translation in units.
    pub translation: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Uniform scale; the children inherit it.
    pub scale: f32,
}

/// A quaternion w, x, y, z of any length as a unit quaternion x, y, z, w; identity if its length is
/// zero.
fn unit([w, x, y, z]: [f32; 4]) -> [f32; 4] {
    let length = (w * w + x * x + y * y + z * z).sqrt();
    if length > 0.0 && length.is_finite() {
        [x / length, y / length, z / length, w / length]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

impl PackedFrame {
    /// The frame in units. A scale of 0 is read as no movement (a guess, never seen).
    pub fn pose(&self) -> Pose {
        let none = self.scale == 0;
        Pose {
            translation: match none {
                true => [0.0; 3],
                false => self.translation.map(|value| f32::from(value) / 256.0),
            },
            rotation: unit(self.rotation.map(f32::from)),
            scale: if none {
                1.0
            } else {
                f32::from(self.scale) / 256.0
            },
        }
    }
}

impl FloatFrame {
    /// The frame in units.
    pub fn pose(&self) -> Pose {
        let QuatWxyz { w, x, y, z } = self.rotation;
        Pose {
            translation: self.translation.to_array(),
            rotation: unit([w, x, y, z].map(F32::get)),
            scale: self.scale.get(),
        }
    }
}

relicast_codec::record! {
    /// Track of one bone (kind 0x12).
    pub struct TrackDefinition<'a>[8..] {
        /// Properties.
        flags: TrackFlags [bind],
        /// The frames; their form must agree with the flags.
        frames: Frames<'a> [by |frames, stream| frames.walk(stream, flags.contains(TrackFlags::PACKED))],
    }
}

impl TrackDefinition<'_> {
    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One frame in units.
    pub fn pose(&self, frame: usize) -> Option<Pose> {
        match &self.frames {
            Frames::Packed(frames) => frames.get(frame).map(PackedFrame::pose),
            Frames::Float(frames) => frames.get(frame).map(FloatFrame::pose),
        }
    }

    /// This track with owned frames, so that it outlives the file.
    pub(super) fn into_owned(self) -> TrackDefinition<'static> {
        TrackDefinition {
            flags: self.flags,
            frames: self.frames.into_owned(),
        }
    }
}

relicast_codec::record! {
    /// Instance of a track (kind 0x13); has the name of its definition except for the suffix.
    pub struct Track[8..] {
        /// The track.
        definition: FragmentRef,
        /// Properties.
        flags: TrackFlags [bind],
        /// Duration of each frame in milliseconds.
        sleep: Option<u32> [if flags.contains(TrackFlags::SLEEP)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_frames_become_units() {
        let frame = PackedFrame {
            rotation: [0, 16384, 0, 0],
            translation: [256, -128, 0],
            scale: 512,
        };
        let pose = frame.pose();
        assert_eq!(pose.rotation, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(pose.translation, [1.0, -0.5, 0.0]);
        assert_eq!(pose.scale, 2.0);
    }

    #[test]
    fn a_rotation_without_direction_is_none() {
        let still = PackedFrame::default().pose();
        assert_eq!(still.rotation, [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(still.scale, 1.0);
        let broken = FloatFrame {
            rotation: QuatWxyz {
                w: F32(f32::NAN),
                ..QuatWxyz::default()
            },
            ..FloatFrame::default()
        };
        assert_eq!(broken.pose().rotation, [0.0, 0.0, 0.0, 1.0]);
    }
}
