//! Music: songs, and a font to play them with.

use relicast::formats::codec::Blob;
use relicast::formats::everquest::xmidi::events::{Event, Message, Sequence};
use relicast::formats::everquest::xmidi::{self, Xmidi};
use relicast::formats::sound_font::{Font, Preset, Sample, Zone, generator};

use crate::Outcome;

fn event(tick: u32, message: Message) -> Event {
    Event {
        tick,
        behind: 0,
        message,
    }
}

fn note(channel: u8, key: u8, velocity: u8, duration: u32) -> Message {
    Message::Note {
        channel,
        key,
        velocity,
        duration,
    }
}

fn program(channel: u8, number: u8) -> Message {
    Message::Channel {
        status: 0xC0 | channel,
        data: [number, 0],
    }
}

fn meta(kind: u8, data: &[u8]) -> Message {
    Message::Meta {
        kind,
        data: Blob::from(data.to_vec()),
    }
}

/// A song of two notes that loops, with data that a MIDI file must not have.
pub fn round() -> Sequence {
    let controller = Message::controller;
    Sequence {
        events: vec![
            event(0, meta(0x51, &[0x07, 0xA1, 0x20])),
            event(0, program(0, 48)),
            event(0, controller(0, 7, 100)),
            event(0, controller(0, 120, 0)),
            event(128, note(0, 60, 64, 128)),
            event(144, note(0, 64, 80, 5)),
            event(400, controller(0, 108, 0)),
        ],
        end: 400,
    }
}

/// A song with drums, several tempos, a note without length, a callback, and a loop back to the start.
pub fn march() -> Sequence {
    let controller = Message::controller;
    Sequence {
        events: vec![
            event(0, meta(0x21, &[0])),
            event(0, meta(0x51, &[0x0B, 0x71, 0xB0])),
            event(0, program(2, 9)),
            event(0, controller(2, 106, 12)),
            event(0, note(9, 36, 100, 10)),
            event(0, note(2, 67, 90, 60)),
            event(60, meta(0x06, b"Theme1")),
            event(60, note(2, 67, 90, 0)),
            event(60, note(9, 38, 100, 10)),
            event(90, meta(0x51, &[0x07, 0xA1, 0x20])),
            event(90, controller(9, 108, 2)),
            event(120, note(9, 36, 100, 10)),
            event(180, controller(2, 108, 0)),
        ],
        end: 200,
    }
}

/// The songs of the zone.
pub fn songs() -> Outcome<Vec<u8>> {
    Ok(xmidi::encode(&Xmidi::new(&[round(), march()])?)?)
}

/// A font with a hum and a click.
pub fn font() -> Outcome<Vec<u8>> {
    let hum = (0..64).map(|frame: i16| match frame {
        0..32 => frame * 900 - 14_400,
        _ => (63 - frame) * 900 - 14_400,
    });
    let click = (0..400).map(|frame: i16| match frame % 8 {
        0..4 => (400 - frame) * 40,
        _ => (frame - 400) * 40,
    });
    let sample = |name: &str, key, repeat, data| Sample {
        name: name.to_owned(),
        rate: 22_050,
        key,
        repeat,
        data,
    };
    let preset = |name: &str, bank, zone| Preset {
        name: name.to_owned(),
        bank,
        program: 0,
        zones: vec![zone],
    };
    let held = Zone {
        settings: vec![(generator::LOOPS, 1), (generator::RELEASE, -3000)],
        ..Zone::new(0)
    };
    let font = Font {
        name: "Sample".to_owned(),
        samples: vec![
            sample("hum", 64, Some((0, 64)), hum.collect()),
            sample("click", 36, None, click.collect()),
        ],
        presets: vec![preset("Hum", 0, held), preset("Click", 128, Zone::new(1))],
    };
    Ok(font.encode()?)
}
