//! Sounds: samples, positions in them, and their source file.
//!
//! ```
//! use std::num::NonZeroU16;
//! use relicast_scene::{Samples, Sound};
//!
//! let stereo = NonZeroU16::new(2).unwrap();
//! let sound = Sound::new(stereo, 44_100, Samples::U8((&[128; 8]).into()));
//! assert_eq!((sound.frame_size(), sound.frames()), (2, 4));
//! ```

use std::borrow::Cow;
use std::num::NonZeroU16;

/// Interleaved samples, in whole frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Samples<'a> {
    /// One byte per sample, unsigned; silence is 128.
    U8(Cow<'a, [u8]>),
    /// Two bytes per sample, signed, least significant byte first.
    I16Le(Cow<'a, [u8]>),
}

impl Samples<'_> {
    /// Bits of a sample.
    pub fn bits(&self) -> u16 {
        match self {
            Self::U8(_) => 8,
            Self::I16Le(_) => 16,
        }
    }

    /// The samples as bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::U8(bytes) | Self::I16Le(bytes) => bytes,
        }
    }

    /// The samples as signed numbers of [`Samples::bits`] bits, interleaved.
    pub fn signed(&self) -> Box<dyn Iterator<Item = i32> + '_> {
        match self {
            Self::U8(bytes) => Box::new(bytes.iter().map(|&byte| i32::from(byte) - 128)),
            Self::I16Le(bytes) => Box::new(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&pair| i32::from(i16::from_le_bytes(pair))),
            ),
        }
    }
}

/// A position in a sound, often the time of a subtitle or an effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CuePoint {
    /// Number of the point in its file.
    pub id: u32,
    /// Frame in play order. It may be after the end.
    pub position: u32,
    /// Frame as counted in the samples; the same as `position` unless the file is odd.
    pub sample: u32,
    /// Text of the point.
    pub label: Option<String>,
}

/// Direction in which a loop plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoopDirection {
    /// From start to end.
    #[default]
    Forward,
    /// Forth and back.
    Alternating,
    /// From end to start.
    Backward,
    /// A number without a known meaning.
    Other(u32),
}

/// A section of a sound that repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loop {
    /// First frame.
    pub start: u32,
    /// Last frame, which is also played.
    pub end: u32,
    /// Number of repetitions, 0 for endless.
    pub count: u32,
    /// Direction.
    pub direction: LoopDirection,
}

/// A chunk of the source's RIFF file other than format and samples, stored for WAV writers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// Four characters that name the chunk.
    pub id: [u8; 4],
    /// The bytes of the chunk.
    pub payload: Cow<'a, [u8]>,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound<'a> {
    /// Samples per frame. Two are left and right.
    pub channels: NonZeroU16,
    /// Frames per second.
    pub rate: u32,
    /// The samples.
    pub samples: Samples<'a>,
    /// Marked positions in source order.
    pub cue_points: Vec<CuePoint>,
    /// Loops in source order.
    pub loops: Vec<Loop>,
    /// Chunks of the source with the above positions, and chunks of unknown meaning.
    pub annotations: Vec<Annotation<'a>>,
    /// The source file, when it is a WAV with exactly these samples that any player can read.
    pub source: Option<Cow<'a, [u8]>>,
}

impl<'a> Sound<'a> {
    /// Creates a sound of samples only. Bytes after the last whole frame are cut off.
    pub fn new(channels: NonZeroU16, rate: u32, samples: Samples<'a>) -> Self {
        let frame = usize::from(channels.get()) * usize::from(samples.bits() / 8);
        let whole = |bytes: Cow<'a, [u8]>| {
            let length = bytes.len() / frame * frame;
            match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(..length).unwrap_or_default()),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(length);
                    Cow::Owned(bytes)
                }
            }
        };
        Self {
            channels,
            rate,
            samples: match samples {
                Samples::U8(bytes) => Samples::U8(whole(bytes)),
                Samples::I16Le(bytes) => Samples::I16Le(whole(bytes)),
            },
            cue_points: Vec::new(),
            loops: Vec::new(),
            annotations: Vec::new(),
            source: None,
        }
    }

    /// Bytes of a frame.
    pub fn frame_size(&self) -> usize {
        usize::from(self.channels.get()) * usize::from(self.samples.bits() / 8)
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.samples.bytes().len() / self.frame_size()
    }
}
