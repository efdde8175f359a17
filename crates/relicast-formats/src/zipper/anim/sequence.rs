//! Sequences: named lists of events of a definition.

use relicast_codec::quantity::counted;
use serde::Serialize;

use super::event::{Event, tile, visit_events};
use super::values::{is_default, raw_bytes};
use super::version::{Peek, Versioned};
use crate::zipper::ZipperGame;
use relicast_codec::{Blob, F32, FormatError, PaddedText, Result, Writer};

relicast_codec::open_enum! {
    /// State of a sequence.
    pub enum SequenceState: u8 {
        /// Starts with the animation.
        Initial = 0,
        /// Waits for a call.
        OnCall = 3,
    }
}

relicast_codec::record! {
    /// Header of a sequence.
    pub struct SequenceHead[64, 64, 64, 64] in ZipperGame {
        /// Offset 0: name.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Offset 32: state at the start.
        state: SequenceState,
        /// Offset 33: state after a reset.
        reset_state: SequenceState,
        /// Offset 34: padding.
        #[serde(skip_serializing_if = "is_default")]
        pad34: u16 [always 0],
        /// Offset 36: run-time state: sequence clock, event clock, accumulated loop time.
        #[serde(skip_serializing_if = "is_default")]
        clocks: [F32; 3] [always [F32(0.0); 3]],
        /// Offset 48: run-time state.
        #[serde(skip_serializing_if = "is_default")]
        loop_counter: u32 [always 0],
        /// Offset 52: run-time state.
        #[serde(skip_serializing_if = "is_default")]
        current_event: u32 [always 0],
        /// Offset 56: stale pointer.
        ptr: u32,
        /// Offset 60: bytes of the events; recomputed when writing.
        #[serde(skip)]
        size: u32,
    }
}

/// A sequence with its events, which run strictly in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sequence {
    /// Name and states.
    pub head: SequenceHead,
    /// The events in order.
    pub events: Vec<Event>,
    /// Bytes after the last whole event, preserved.
    #[serde(skip_serializing_if = "is_default")]
    pub rest: Blob<'static>,
}

impl Sequence {
    /// Minimum size of a sequence in bytes: the header.
    pub const SMALLEST: usize = SequenceHead::size(ZipperGame::Recoil);
    /// Name of the block that restores the initial state.
    pub const RESET: &'static str = "RESET_SEQUENCE";
    /// Name of the block that runs on damage.
    pub const DAMAGE: &'static str = "DAMAGE_SEQUENCE";

    /// Bytes of the events.
    fn data_length(&self, version: ZipperGame) -> usize {
        self.events.iter().fold(self.rest.len(), |sum, event| {
            sum.saturating_add(event.length(version))
        })
    }

    /// Bytes of header and events in a file of `version`.
    pub fn length(&self, version: ZipperGame) -> usize {
        self.data_length(version).saturating_add(Self::SMALLEST)
    }

    /// Recomputes the size for writing.
    fn prepare(&mut self, position: usize, version: ZipperGame) -> Result<()> {
        let length = self.data_length(version);
        self.head.size = u32::try_from(length).map_err(|_| {
            FormatError::unencodable("size", position, "a sequence of at most 4 GiB", "more")
        })?;
        Ok(())
    }

    /// The 64 bytes of the header.
    pub(super) fn header_bytes(&mut self, version: ZipperGame) -> Result<Vec<u8>> {
        self.prepare(0, version)?;
        let mut writer = Writer::with_capacity(Self::SMALLEST);
        self.head.visit(&mut writer, version)?;
        Ok(writer.into_bytes())
    }

    pub(super) fn visit<'a, S: Peek<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        if !S::READING {
            self.prepare(stream.position(), version)?;
        }
        self.head.visit(stream, version)?;
        let position = stream.position();
        let (count, left) = if S::READING {
            let length = self.head.size as usize;
            let data = stream.peek(length).ok_or_else(|| {
                FormatError::truncated("events", position, length, stream.remaining())
            })?;
            tile(data)
        } else {
            (self.events.len(), self.rest.len())
        };
        visit_events(stream, &mut self.events, count, version)?;
        if left > 0 {
            let position = stream.position();
            stream.deviate(
                "events",
                position,
                "events up to the stated size",
                format_args!(
                    "{}; preserved as raw bytes",
                    counted(left, "other byte", "other bytes")
                ),
            );
        }
        raw_bytes(stream, "rest", &mut self.rest, left)
    }
}
