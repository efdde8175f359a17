//! A sequence as a Standard MIDI File. Loops, jumps and calls of the game become markers, and are listed separately in
//! [`Facts`]; controllers that mean something else to MIDI are skipped.

use serde::Serialize;

use relicast_formats::everquest::xmidi::events::{Message, Sequence, TICKS_PER_SECOND};
use relicast_formats::midi::{Midi, MidiEvent, TrackEvent, meta};

/// Ticks of a quarter; with the tempo below a tick is 1/120 s, as in the sequence.
const DIVISION: u16 = 60;

/// Half a second, in microseconds.
const TEMPO: [u8; 3] = [0x07, 0xA1, 0x20];

/// Velocity of the end of a note.
const RELEASE: u8 = 64;

/// Controllers of the Miles Sound System, which mean nothing or something else elsewhere.
const OWN: std::ops::RangeInclusive<u8> = 105..=120;

/// A song.
#[derive(Debug, Clone, Default)]
pub(super) struct Song {
    /// The file.
    pub(super) midi: Midi,
    /// Counts of events, and of those that MIDI cannot express.
    pub(super) facts: Facts,
}

/// Facts about a song.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Facts {
    /// End of the song, in ticks of 1/120 s.
    pub(super) ticks: u32,
    /// The same in seconds.
    pub(super) seconds: f64,
    /// Number of notes.
    pub(super) notes: usize,
    /// Stretches that repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) loops: Vec<Stretch>,
    /// Places that the game may jump to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) branches: Vec<Mark>,
    /// Places at which the game is called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) callbacks: Vec<Mark>,
    /// Marks with a text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) markers: Vec<TextMark>,
    /// Number of tempo events, which have no effect in such a file and are skipped.
    pub(super) tempos_left_out: usize,
    /// Number of other skipped events: ports, and controllers of the Miles Sound System.
    pub(super) others_left_out: usize,
}

/// A stretch that repeats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Stretch {
    /// First tick.
    pub(super) start: u32,
    /// Tick at which it jumps to its start.
    pub(super) end: u32,
    start_seconds: f64,
    end_seconds: f64,
    /// Number of repeats; none: until the game ends the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<u8>,
}

/// A place with a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Mark {
    tick: u32,
    seconds: f64,
    value: u8,
}

/// A place with a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TextMark {
    tick: u32,
    seconds: f64,
    text: String,
}

fn seconds(tick: u32) -> f64 {
    f64::from(tick) / f64::from(TICKS_PER_SECOND)
}

impl Stretch {
    fn new(start: u32, end: u32, count: Option<u8>) -> Self {
        Self {
            start,
            end,
            start_seconds: seconds(start),
            end_seconds: seconds(end),
            count,
        }
    }
}

/// Order of events at the same tick: the ends of earlier notes come first, the ends of notes
/// without length last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Release,
    Event,
    Empty,
}

/// Builder of a song.
#[derive(Default)]
struct Maker {
    events: Vec<(u32, Turn, MidiEvent)>,
    facts: Facts,
    /// Target of the last jump back to 0.
    start: u32,
    /// Open loops of the other kind: their starts, and the number of repeats.
    open: Vec<(u32, u8)>,
}

impl Maker {
    fn put(&mut self, tick: u32, event: MidiEvent) {
        self.events.push((tick, Turn::Event, event));
    }

    fn text(&mut self, tick: u32, kind: u8, text: String) {
        let data = text.into_bytes();
        self.put(tick, MidiEvent::Meta { kind, data });
    }

    fn note(&mut self, tick: u32, channel: u8, key: u8, velocity: u8, duration: u32) {
        self.facts.notes += 1;
        let message = |status: u8, velocity| MidiEvent::Channel {
            status: status | channel,
            data: [key, velocity],
        };
        self.put(tick, message(0x90, velocity));
        let turn = match duration {
            0 => Turn::Empty,
            _ => Turn::Release,
        };
        let end = tick.saturating_add(duration);
        self.events.push((end, turn, message(0x80, RELEASE)));
    }

    /// A controller of the Miles Sound System.
    fn own_controller(&mut self, tick: u32, channel: u8, number: u8, value: u8) {
        let mark = Mark {
            tick,
            seconds: seconds(tick),
            value,
        };
        let set = |number, value| MidiEvent::Channel {
            status: 0xB0 | channel,
            data: [number, value],
        };
        match number {
            106 => {
                for (number, value) in [(101, 0), (100, 0), (6, value)] {
                    self.put(tick, set(number, value));
                }
            }
            114 => self.put(tick, set(0, value)),
            108 if value == 0 => {
                let stretch = Stretch::new(self.start, tick, None);
                self.facts.loops.push(stretch);
                self.text(tick, meta::MARKER, "loopEnd".to_owned());
            }
            108 => {
                self.facts.callbacks.push(mark);
                self.text(tick, meta::MARKER, format!("callback {value}"));
            }
            119 => {
                self.facts.callbacks.push(mark);
                self.text(tick, meta::TEXT, format!("callback {value}"));
            }
            120 if value == 0 => {
                self.start = tick;
                self.text(tick, meta::MARKER, "loopStart".to_owned());
            }
            120 => {
                self.facts.branches.push(mark);
                self.text(tick, meta::MARKER, format!("branch {value}"));
            }
            116 => {
                self.open.push((tick, value));
                let text = match value {
                    0 => "loopStart".to_owned(),
                    count => format!("loopStart {count}"),
                };
                self.text(tick, meta::MARKER, text);
            }
            117 if value >= 64 => {
                if let Some((start, count)) = self.open.pop() {
                    let count = (count > 0).then_some(count);
                    self.facts.loops.push(Stretch::new(start, tick, count));
                }
                self.text(tick, meta::MARKER, "loopEnd".to_owned());
            }
            117 => self.text(tick, meta::MARKER, "loopBreak".to_owned()),
            _ => self.facts.others_left_out += 1,
        }
    }

    fn message(&mut self, tick: u32, message: &Message) {
        match message {
            &Message::Note {
                channel,
                key,
                velocity,
                duration,
            } => self.note(tick, channel, key, velocity, duration),
            &Message::Channel { status, data } => match message.as_controller() {
                Some((channel, number, value)) if OWN.contains(&number) => {
                    self.own_controller(tick, channel, number, value);
                }
                _ => self.put(tick, MidiEvent::Channel { status, data }),
            },
            Message::Meta { kind, data } => match *kind {
                meta::TEMPO => self.facts.tempos_left_out += 1,
                meta::PORT | meta::END => self.facts.others_left_out += 1,
                kind => {
                    if kind == meta::MARKER {
                        self.facts.markers.push(TextMark {
                            tick,
                            seconds: seconds(tick),
                            text: encoding_rs::WINDOWS_1252.decode(data).0.into_owned(),
                        });
                    }
                    let data = data.to_vec();
                    self.put(tick, MidiEvent::Meta { kind, data });
                }
            },
            Message::Exclusive { status, data } => {
                let (status, data) = (*status, data.to_vec());
                self.put(tick, MidiEvent::Exclusive { status, data });
            }
        }
    }
}

impl Song {
    /// A sequence as a song; `name` becomes the name of the track.
    pub(super) fn new(sequence: &Sequence, name: &str) -> Self {
        let mut maker = Maker::default();
        maker.text(0, meta::NAME, name.to_owned());
        let data = TEMPO.to_vec();
        let kind = meta::TEMPO;
        maker.put(0, MidiEvent::Meta { kind, data });
        for event in &sequence.events {
            maker.message(event.tick, &event.message);
        }
        let Maker {
            mut events,
            mut facts,
            ..
        } = maker;
        // Events of the same order keep the order of the file.
        events.sort_by_key(|&(tick, turn, _)| (tick, turn));
        let last = events.last().map_or(0, |&(tick, ..)| tick);
        let end = sequence.end.max(last);
        facts.ticks = end;
        facts.seconds = seconds(end);
        let events = events.into_iter();
        let events = events.map(|(tick, _, event)| TrackEvent { tick, event });
        Self {
            midi: Midi {
                division: DIVISION,
                events: events.collect(),
                end,
            },
            facts,
        }
    }
}
