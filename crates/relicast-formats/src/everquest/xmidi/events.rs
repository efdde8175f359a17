//! Events of a sequence: the contents of a chunk of events.
//!
//! ```
//! use relicast_formats::everquest::xmidi::events::{decode, encode};
//!
//! // A note of 10 ticks, then the end 128 ticks after its start.
//! let bytes = b"\x90\x3C\x40\x0A\x7F\x01\xFF\x2F\x00";
//! let sequence = decode(bytes)?.value;
//! assert_eq!(sequence.end, 128);
//! assert_eq!(encode(&sequence)?.0, bytes);
//!
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use serde::Serialize;

use crate::midi_bytes::{Cursor, data_length, put_quantity, put_run};
use relicast_codec::{Blob, Decoded, Deviations, FormatError, Result};
use relicast_limits as limits;

/// Ticks in a second. Tempo events do not matter: they are left over from the source of the file.
pub const TICKS_PER_SECOND: u32 = 120;

/// Type of the meta event that ends a sequence.
const END: u8 = 0x2F;

/// A sequence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sequence {
    /// Its events in order, without the end event.
    pub events: Vec<Event>,
    /// Tick of its end.
    pub end: u32,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// Time in ticks.
    pub tick: u32,
    /// Offset of the byte after it in the chunk; ignored when writing.
    pub behind: u32,
    /// Message of the event.
    pub message: Message,
}

/// Kind of event. Channels count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// A note with its length.
    Note {
        /// Channel.
        channel: u8,
        /// Key.
        key: u8,
        /// Velocity of the strike.
        velocity: u8,
        /// Length in ticks.
        duration: u32,
    },
    /// Message that standard MIDI has too: a status byte, and one or two bytes of data.
    Channel {
        /// Status, the channel in its lower half.
        status: u8,
        /// Data; the second byte is 0 if the status has only one.
        data: [u8; 2],
    },
    /// A meta event.
    Meta {
        /// Its type.
        kind: u8,
        /// Its data.
        data: Blob<'static>,
    },
    /// A system exclusive message, F0 or F7.
    Exclusive {
        /// Status.
        status: u8,
        /// Its data.
        data: Blob<'static>,
    },
}

impl Message {
    /// A change of a controller.
    pub fn controller(channel: u8, number: u8, value: u8) -> Self {
        Self::Channel {
            status: 0xB0 | (channel & 0x0F),
            data: [number, value],
        }
    }

    /// Channel, number and value of a change of a controller.
    pub fn as_controller(&self) -> Option<(u8, u8, u8)> {
        match *self {
            Self::Channel {
                status,
                data: [number, value],
            } if status & 0xF0 == 0xB0 => Some((status & 0x0F, number, value)),
            _ => None,
        }
    }
}

/// Reads events in order.
struct Events<'a> {
    cursor: Cursor<'a>,
    deviations: Deviations,
}

impl Events<'_> {
    /// A byte of data: its highest bit is clear.
    fn data(&mut self, field: &'static str) -> Result<u8> {
        let place = self.cursor.place;
        let byte = self.cursor.byte(field)?;
        if byte > 0x7F {
            let found = format_args!("{byte:#04x}");
            self.deviations.push(field, place, "at most 0x7f", found);
        }
        Ok(byte & 0x7F)
    }

    fn message(&mut self, status: u8) -> Result<Message> {
        let start = self.cursor.place.saturating_sub(1);
        let channel = status & 0x0F;
        Ok(match status {
            0x90..=0x9F => Message::Note {
                channel,
                key: self.data("key")?,
                velocity: self.data("velocity")?,
                duration: self.cursor.quantity("duration")?,
            },
            0x80..=0xEF => {
                let first = self.data("data")?;
                let second = match data_length(status) {
                    1 => 0,
                    _ => self.data("data")?,
                };
                Message::Channel {
                    status,
                    data: [first, second],
                }
            }
            0xFF => Message::Meta {
                kind: self.cursor.byte("meta")?,
                data: self.cursor.run("meta")?.to_vec().into(),
            },
            0xF0 | 0xF7 => Message::Exclusive {
                status,
                data: self.cursor.run("exclusive")?.to_vec().into(),
            },
            _ => {
                let found = format_args!("{status:#04x}");
                return Err(FormatError::malformed(
                    "status",
                    start,
                    "a known status byte",
                    found,
                ));
            }
        })
    }
}

/// Decodes the contents of a chunk of events. Offsets count from its start.
///
/// # Errors
/// An event is truncated or unknown, a quantity has more than four bytes, or the clock overflows.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Sequence>> {
    let mut events = Events {
        cursor: Cursor::new(bytes),
        deviations: Deviations::default(),
    };
    let mut sequence = Sequence::default();
    loop {
        let start = events.cursor.place;
        if start >= bytes.len() {
            events
                .deviations
                .push("end", start, "an event that ends the sequence", "none");
            break;
        }
        let status = events.cursor.byte("status")?;
        if status < 0x80 {
            let next = sequence.end.checked_add(u32::from(status));
            sequence.end = next.ok_or_else(|| {
                FormatError::malformed("delay", start, "at most 2^32 - 1 ticks", "more")
            })?;
            continue;
        }
        limits::check();
        let message = events.message(status)?;
        if matches!(message, Message::Meta { kind: END, .. }) {
            break;
        }
        let event = Event {
            tick: sequence.end,
            behind: u32::try_from(events.cursor.place).unwrap_or(u32::MAX),
            message,
        };
        limits::push(&mut sequence.events, event);
    }
    let rest = bytes.len().saturating_sub(events.cursor.place);
    if rest > 1 {
        let found = counted(rest, "more byte", "more bytes");
        events
            .deviations
            .push("end", events.cursor.place, "at most one byte", found);
    }
    Ok(Decoded {
        value: sequence,
        deviations: events.deviations,
    })
}

fn put_delay(out: &mut Vec<u8>, mut ticks: u32) {
    while ticks > 0 {
        out.push(ticks.min(0x7F) as u8);
        ticks = ticks.saturating_sub(0x7F);
    }
}

/// Encodes a sequence, and returns for each event the offset of the byte after it.
///
/// # Errors
/// Ticks decrease, or a length has more than 28 bits.
pub fn encode(sequence: &Sequence) -> Result<(Vec<u8>, Vec<u32>)> {
    let mut out = Vec::new();
    let mut behind = Vec::with_capacity(sequence.events.len());
    let mut clock = 0;
    let delay = |out: &mut Vec<u8>, clock: u32, tick: u32| {
        let ticks = tick.checked_sub(clock).ok_or_else(|| {
            FormatError::unencodable("tick", out.len(), format_args!("at least {clock}"), tick)
        })?;
        put_delay(out, ticks);
        Ok::<u32, FormatError>(tick)
    };
    for event in &sequence.events {
        clock = delay(&mut out, clock, event.tick)?;
        match &event.message {
            &Message::Note {
                channel,
                key,
                velocity,
                duration,
            } => {
                out.extend([0x90 | (channel & 0x0F), key & 0x7F, velocity & 0x7F]);
                put_quantity(&mut out, duration as usize)?;
            }
            Message::Channel { status, data } => {
                out.push(*status);
                out.extend(data.iter().take(data_length(*status)));
            }
            Message::Meta { kind, data } => {
                out.extend([0xFF, *kind]);
                put_run(&mut out, data)?;
            }
            Message::Exclusive { status, data } => {
                out.push(*status);
                put_run(&mut out, data)?;
            }
        }
        behind.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
    }
    delay(&mut out, clock, sequence.end)?;
    out.extend([0xFF, END, 0]);
    Ok((out, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_and_one_is_before_the_end() {
        let bytes = b"\x7F\x7F\x02\xC0\x05\x7F\xFF\x2F\x00";
        let sequence = decode(bytes).unwrap();
        assert!(sequence.deviations.is_empty());
        let sequence = sequence.value;
        assert_eq!((sequence.events[0].tick, sequence.end), (256, 383));
        assert_eq!(encode(&sequence).unwrap(), (bytes.to_vec(), vec![5]));
        // A byte may be left over.
        let mut more = bytes.to_vec();
        more.push(0);
        assert!(decode(&more).unwrap().deviations.is_empty());
        more.push(0);
        assert_eq!(decode(&more).unwrap().deviations.total(), 1);
        assert_eq!(decode(&bytes[..5]).unwrap().deviations.total(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in [
            &b"\x90\x3C\x40\xFF\xFF\xFF\xFF\x01"[..],
            b"\x90\x3C",
            b"\xFF\x06\x04abc",
            b"\xF4",
            b"\xF0\x05\x01",
        ] {
            let fault = decode(bad).unwrap_err();
            assert!(fault.offset() <= bad.len() as u64, "{fault}");
        }
        assert_eq!(decode(b"\xC0\x90\xFF\x2F\0").unwrap().deviations.total(), 1);
    }
}
