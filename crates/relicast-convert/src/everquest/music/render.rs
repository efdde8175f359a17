//! A song played with a sound font.

use std::num::NonZeroU16;
use std::sync::Arc;

use rustysynth::{SoundFont, Synthesizer, SynthesizerSettings};

use crate::ConvertError;
use relicast_codec::FormatError;
use relicast_formats::everquest::xmidi::events::TICKS_PER_SECOND;
use relicast_formats::midi::MidiEvent;
use relicast_limits as limits;
use relicast_scene::{Loop, LoopDirection, Samples, Sound};

use super::song::Song;

/// Frames in a second.
const RATE: u32 = 44_100;

/// Voices at once.
const VOICES: usize = 256;

/// Frames rendered at a time.
const BLOCK: usize = 4096;

/// Maximum ring-out of the last notes, in seconds.
const TAIL: u32 = 5;

/// Loudness below which nothing can be heard.
const SILENCE: f32 = 1.0 / 32768.0;

const STEREO: NonZeroU16 = NonZeroU16::MIN.saturating_add(1);

/// The frame at a tick.
fn frame(tick: u32) -> u64 {
    let frames = u64::from(tick) * u64::from(RATE);
    (frames + u64::from(TICKS_PER_SECOND) / 2) / u64::from(TICKS_PER_SECOND)
}

/// Rendered samples of 16 bits.
struct Output {
    bytes: Vec<u8>,
    left: Vec<f32>,
    right: Vec<f32>,
    frames: u64,
}

impl Output {
    /// Appends frames; returns true if any can be heard.
    fn render(&mut self, synthesizer: &mut Synthesizer, frames: u64) -> bool {
        let mut heard = false;
        let mut rest = frames;
        while rest > 0 {
            limits::check();
            let length = usize::try_from(rest).unwrap_or(BLOCK).min(BLOCK);
            let (Some(left), Some(right)) =
                (self.left.get_mut(..length), self.right.get_mut(..length))
            else {
                break;
            };
            synthesizer.render(left, right);
            for (left, right) in left.iter().zip(right.iter()) {
                for value in [*left, *right] {
                    heard |= value.abs() >= SILENCE;
                    self.bytes.extend(sample(value).to_le_bytes());
                }
            }
            rest -= length as u64;
        }
        self.frames += frames;
        heard
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is within the range, and a cast turns NaN into 0"
)]
fn sample(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

/// Cuts a silent tail that is longer than `seconds`, which stay; returns the number of seconds that were cut. Loops are
/// never cut.
pub(super) fn trim(sound: &mut Sound<'_>, seconds: f32) -> f64 {
    let Samples::I16Le(bytes) = &mut sound.samples else {
        return 0.0;
    };
    let frame = 2 * usize::from(STEREO.get());
    let frames = bytes.len() / frame;
    let silent = bytes.iter().rev().take_while(|&&byte| byte == 0).count() / frame;
    let looped = sound.loops.iter().map(|stretch| stretch.end as usize + 1);
    let heard = frames.saturating_sub(silent).max(looped.max().unwrap_or(0));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast clamps values that are out of range"
    )]
    let spared = (f64::from(seconds.max(0.0)) * f64::from(RATE)).round() as usize;
    let kept = heard.saturating_add(spared).min(frames);
    bytes.to_mut().truncate(kept * frame);
    let cut = u32::try_from(frames - kept).unwrap_or(u32::MAX);
    f64::from(cut) / f64::from(RATE)
}

/// Plays a song to its end, including the ring-out of its last notes.
///
/// # Errors
/// It is longer than the settings allow.
pub(super) fn render(song: &Song, font: &Arc<SoundFont>) -> Result<Sound<'static>, ConvertError> {
    #[expect(clippy::cast_precision_loss, reason = "a limit need not be exact")]
    let seconds = song.facts.ticks as f32 / TICKS_PER_SECOND as f32;
    limits::check_seconds(seconds).map_err(FormatError::from)?;
    let end = frame(song.midi.end);
    let most = end + u64::from(TAIL * RATE);
    let size = usize::try_from(most.saturating_mul(4)).unwrap_or(usize::MAX);
    limits::try_reserve(size).map_err(FormatError::from)?;
    let mut settings = SynthesizerSettings::new(RATE.cast_signed());
    settings.maximum_polyphony = VOICES;
    let mut synthesizer =
        Synthesizer::new(font, &settings).map_err(|fault| ConvertError::Emit(fault.to_string()))?;
    let mut output = Output {
        bytes: Vec::with_capacity(size),
        left: vec![0.0; BLOCK],
        right: vec![0.0; BLOCK],
        frames: 0,
    };
    for event in &song.midi.events {
        let now = frame(event.tick);
        let more = now.saturating_sub(output.frames);
        output.render(&mut synthesizer, more);
        if let MidiEvent::Channel { status, data } = event.event {
            let [first, second] = data.map(i32::from);
            let (channel, command) = (i32::from(status & 0x0F), i32::from(status & 0xF0));
            synthesizer.process_midi_message(channel, command, first, second);
        }
    }
    let more = end.saturating_sub(output.frames);
    output.render(&mut synthesizer, more);
    while output.frames < most && output.render(&mut synthesizer, BLOCK as u64) {}
    let mut sound = Sound::new(STEREO, RATE, Samples::I16Le(output.bytes.into()));
    let place = |tick| u32::try_from(frame(tick)).unwrap_or(u32::MAX);
    let loops = song.facts.loops.iter();
    let loops = loops.filter(|stretch| stretch.end > stretch.start);
    let loops = loops.map(|stretch| Loop {
        start: place(stretch.start),
        end: place(stretch.end).saturating_sub(1),
        count: stretch.count.map_or(0, u32::from),
        direction: LoopDirection::Forward,
    });
    sound.loops = loops.collect();
    Ok(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of sound and then silence.
    fn song(silent: u32) -> Sound<'static> {
        let frames = |value: i16, count: u32| {
            let frame = [value, -value].map(i16::to_le_bytes).concat();
            frame.repeat(count as usize)
        };
        let bytes = [frames(900, RATE), frames(0, silent)].concat();
        Sound::new(STEREO, RATE, Samples::I16Le(bytes.into()))
    }

    #[test]
    fn silent_tail_is_cut_to_the_set_time() {
        let mut long = song(10 * RATE);
        assert!((trim(&mut long, 2.0) - 8.0).abs() < 1e-9);
        assert_eq!(long.frames(), 3 * RATE as usize);
        let mut short = song(RATE);
        assert!(trim(&mut short, 2.0) < 1e-9);
        assert_eq!(short, song(RATE));
    }

    #[test]
    fn loops_are_never_cut() {
        let mut sound = song(10 * RATE);
        sound.loops = vec![Loop {
            end: 5 * RATE - 1,
            ..Loop::default()
        }];
        assert!((trim(&mut sound, 1.0) - 5.0).abs() < 1e-9);
        assert_eq!(sound.frames(), 6 * RATE as usize);
    }
}
