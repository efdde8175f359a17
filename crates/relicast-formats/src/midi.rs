//! Standard MIDI Files of one track: writer for players and editors, and reader.
//!
//! ```
//! use relicast_formats::midi::{Midi, MidiEvent, TrackEvent, decode, encode};
//!
//! let note = |tick, status| TrackEvent {
//!     tick,
//!     event: MidiEvent::Channel { status, data: [60, 64] },
//! };
//! let song = Midi { division: 60, events: vec![note(0, 0x90), note(30, 0x80)], end: 60 };
//! let bytes = encode(&song)?;
//! assert!(bytes.starts_with(b"MThd"));
//! assert_eq!(decode(&bytes)?.value, song);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::midi_bytes::{Cursor, LARGEST_QUANTITY, data_length, put_quantity, put_run};
use relicast_codec::{Decoded, Deviations, FormatError, Result};
use relicast_limits as limits;

/// A song in one track.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Midi {
    /// Ticks per quarter note.
    pub division: u16,
    /// Its events, in order.
    pub events: Vec<TrackEvent>,
    /// Tick at which the track ends.
    pub end: u32,
}

/// An event with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackEvent {
    /// Ticks since the start.
    pub tick: u32,
    /// Event.
    pub event: MidiEvent,
}

/// MIDI events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MidiEvent {
    /// A channel message: status with the channel in its lower half, and one or two bytes.
    Channel {
        /// Status.
        status: u8,
        /// Data; the second byte is 0 if the status has only one.
        data: [u8; 2],
    },
    /// A meta event.
    Meta {
        /// Its type.
        kind: u8,
        /// Its data.
        data: Vec<u8>,
    },
    /// A system exclusive message, F0 or F7.
    Exclusive {
        /// Status.
        status: u8,
        /// Its data.
        data: Vec<u8>,
    },
}

/// Types of meta events.
pub mod meta {
    /// Any text.
    pub const TEXT: u8 = 0x01;
    /// Name of the track.
    pub const NAME: u8 = 0x03;
    /// A marker.
    pub const MARKER: u8 = 0x06;
    /// Port of the following events.
    pub const PORT: u8 = 0x21;
    /// End of the track.
    pub const END: u8 = 0x2F;
    /// Microseconds per quarter note.
    pub const TEMPO: u8 = 0x51;
}

/// Appends the time since `clock`. Empty texts divide times that are too long for one event.
fn put_delay(out: &mut Vec<u8>, clock: u32, tick: u32) -> Result<()> {
    let mut ticks = tick.checked_sub(clock).ok_or_else(|| {
        FormatError::unencodable("tick", out.len(), format_args!("at least {clock}"), tick)
    })?;
    while ticks > LARGEST_QUANTITY {
        put_quantity(out, LARGEST_QUANTITY as usize)?;
        out.extend([0xFF, meta::TEXT, 0]);
        ticks -= LARGEST_QUANTITY;
    }
    put_quantity(out, ticks as usize)
}

/// Encodes a song as a file of type 0.
///
/// # Errors
/// Ticks decrease, or the track is too large for the format.
pub fn encode(song: &Midi) -> Result<Vec<u8>> {
    let mut track = Vec::new();
    let mut clock = 0;
    for TrackEvent { tick, event } in &song.events {
        put_delay(&mut track, clock, *tick)?;
        clock = *tick;
        match event {
            MidiEvent::Channel { status, data } => {
                track.push(*status);
                track.extend(data.iter().take(data_length(*status)));
            }
            MidiEvent::Meta { kind, data } => {
                track.extend([0xFF, *kind]);
                put_run(&mut track, data)?;
            }
            MidiEvent::Exclusive { status, data } => {
                track.push(*status);
                put_run(&mut track, data)?;
            }
        }
    }
    put_delay(&mut track, clock, song.end)?;
    track.extend([0xFF, meta::END, 0]);
    let length = u32::try_from(track.len())
        .map_err(|_| FormatError::unencodable("track", 0, "at most 4 GiB", track.len()))?;
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    file.extend(song.division.to_be_bytes());
    file.extend(b"MTrk");
    file.extend(length.to_be_bytes());
    file.append(&mut track);
    Ok(file)
}

/// Decodes an event. `running` is the status of the previous channel event, which applies to events without a status.
fn decode_event(cursor: &mut Cursor<'_>, running: &mut u8) -> Result<MidiEvent> {
    let place = cursor.place;
    let mut status = cursor.byte("status")?;
    if status < 0x80 {
        cursor.place = place;
        status = *running;
    }
    Ok(match status {
        0x80..=0xEF => {
            *running = status;
            let mut data = [0; 2];
            for byte in data.iter_mut().take(data_length(status)) {
                *byte = cursor.byte("data")?;
            }
            MidiEvent::Channel { status, data }
        }
        0xFF => MidiEvent::Meta {
            kind: cursor.byte("meta")?,
            data: cursor.run("meta")?.to_vec(),
        },
        0xF0 | 0xF7 => MidiEvent::Exclusive {
            status,
            data: cursor.run("exclusive")?.to_vec(),
        },
        _ => {
            let found = format_args!("{status:#04x}");
            return Err(FormatError::malformed(
                "status",
                place,
                "a status of a MIDI event",
                found,
            ));
        }
    })
}

/// Decodes a file of type 0.
///
/// # Errors
/// It has another type, is truncated, or its times overflow.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Midi>> {
    let mut cursor = Cursor::new(bytes);
    let mut deviations = Deviations::default();
    cursor.id("MThd")?;
    let length = cursor.number("size", 4)?;
    let kind = cursor.number("type", 2)?;
    let tracks = cursor.number("tracks", 2)?;
    if kind != 0 || tracks != 1 {
        let found = format_args!("type {kind} with {tracks}");
        return Err(FormatError::unsupported(
            "type",
            8,
            "type 0 with a track",
            found,
        ));
    }
    let division = cursor.take("division", 2)?.first_chunk();
    let division = division.map_or(0, |bytes| u16::from_be_bytes(*bytes));
    cursor.take("header", length.saturating_sub(6))?;
    cursor.id("MTrk")?;
    let length = cursor.number("size", 4)?;
    let end = cursor.place.saturating_add(length);
    let mut song = Midi {
        division,
        ..Midi::default()
    };
    let mut running = 0_u8;
    loop {
        limits::check();
        let place = cursor.place;
        let delay = cursor.quantity("delay")?;
        song.end = song.end.checked_add(delay).ok_or_else(|| {
            FormatError::malformed("delay", place, "at most 2^32 - 1 ticks", "more")
        })?;
        let event = decode_event(&mut cursor, &mut running)?;
        if matches!(event, MidiEvent::Meta { kind, .. } if kind == meta::END) {
            break;
        }
        let tick = song.end;
        limits::push(&mut song.events, TrackEvent { tick, event });
    }
    if cursor.place != end {
        let found = format_args!("{}", cursor.place);
        deviations.push("size", 18, format_args!("an end at {end}"), found);
    }
    Ok(Decoded {
        value: song,
        deviations,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_and_running_status_are_read() {
        let event = |tick, status, data| TrackEvent {
            tick,
            event: MidiEvent::Channel { status, data },
        };
        let song = Midi {
            division: 60,
            events: vec![event(0, 0xC3, [7, 0]), event(1 << 29, 0x93, [1, 2])],
            end: 1 << 29,
        };
        let bytes = encode(&song).unwrap();
        let again = decode(&bytes).unwrap().value;
        assert_eq!(again.end, song.end);
        assert_eq!(again.events.last(), song.events.last());
        let mut running = b"MThd\0\0\0\x06\0\0\0\x01\0\x3CMTrk\0\0\0\x0C".to_vec();
        running.extend(b"\0\x90\x3C\x40\x05\x3C\0\x81\0\xFF\x2F\0");
        let song = decode(&running).unwrap();
        assert!(song.deviations.is_empty());
        assert_eq!(song.value.events[1], event(5, 0x90, [0x3C, 0]));
        assert_eq!(song.value.end, 133);
        for end in 0..running.len() {
            let fault = decode(&running[..end]).unwrap_err();
            assert!(fault.offset() <= end as u64);
        }
    }
}
