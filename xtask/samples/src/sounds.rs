//! Sound archives of the samples.

use relicast::formats::codec::Blob;
use relicast::formats::riff;

use crate::Outcome;
use crate::pack::Pack;
use crate::random::Random;
use crate::tone::{self, Coding, Tone};

const CHORD: &[u32] = &[262, 330, 392, 523];
const FALL: &[u32] = &[880, 660, 440];
const BLIP: &[u32] = &[1320, 1760];

const fn tone(
    coding: Coding,
    channels: u16,
    rate: u32,
    notes: &'static [u32],
    note_length: u32,
) -> Tone {
    Tone {
        coding,
        channels,
        rate,
        notes,
        note_length,
    }
}

/// A sound archive of plain samples at `rate`, 16-bit if `words`; the names and cue points are
/// the same in every tier.
pub(super) fn pcm_sounds(mut pack: Pack, rate: u32, words: bool, scale: u32) -> Outcome<Vec<u8>> {
    let coding = if words { Coding::Pcm16 } else { Coding::Pcm8 };
    let briefing = tone(coding, 1, rate, CHORD, 150);
    let third = briefing.frames() as u32 / 3;
    // Archives of low quality were resampled without moving their cue points.
    let factor = if words { 1 } else { 2 };
    pack.add(
        "m1_briefing.wav",
        briefing.file(vec![
            tone::cues(&[0, third, third * 2], factor)?,
            tone::labels(&["dawn", "ridge", "convoy"])?,
        ])?,
    )?;
    pack.add(
        "engine_loop.wav",
        tone(coding, 1, rate, &[110], 200).file(vec![tone::sampler(rate, 64, 1023)?])?,
    )?;
    pack.add(
        "Fanfare.WAV",
        tone(coding, 2, rate, CHORD, 90).file(vec![tone::title("Sample fanfare")?])?,
    )?;
    pack.add("blip.wav", tone(coding, 1, rate, BLIP, 33).file(vec![])?)?;
    // The same name again with other content, a name that Windows reserves, one with blanks.
    pack.add("blip.wav", tone(coding, 1, rate, FALL, 33).file(vec![])?)?;
    pack.add("aux.wav", tone(coding, 1, rate, &[220], 40).file(vec![])?)?;
    pack.add(
        "two words & more.wav",
        tone(coding, 1, rate, &[247], 40).file(vec![])?,
    )?;
    for number in 1..=4 * scale {
        let mut wave = tone(coding, 1, rate, &[], 0).wave(vec![])?;
        let frames = rate as usize / 8;
        let samples = tone::burst(&mut Random::new(u64::from(number)), frames);
        let bytes = match words {
            true => tone::words(&samples),
            false => samples.iter().map(|&s| ((s >> 8) + 128) as u8).collect(),
        };
        wave = riff::Wave::new(&wave.format()?, vec![], Blob::from(bytes)).ok_or("too long")?;
        pack.add(&format!("blast{number:02}.wav"), riff::encode(&wave)?)?;
    }
    pack.finish()
}

/// The last sound of a patch: a loose file whose header promises more data than it has.
pub(super) fn patch_notice() -> Outcome<Vec<u8>> {
    let mut wave = tone(Coding::Pcm8, 1, 22_050, FALL, 80).wave(vec![])?;
    wave.riff_size += 4;
    Ok(riff::encode(&wave)?)
}

/// A loose sound of a later patch, with a cue point.
pub(super) fn tip() -> Outcome<Vec<u8>> {
    tone(Coding::Pcm16, 2, 44_100, CHORD, 60).file(vec![tone::cues(&[441], 1)?])
}

/// Crimson Skies' sounds: both codings of ADPCM, mono and stereo, and some plain ones.
pub(super) fn adpcm_sounds(high: bool, scale: u32) -> Outcome<Vec<u8>> {
    let rate = if high { 22_050 } else { 11_025 };
    let mono = match high {
        true => Coding::Ms(512),
        false => Coding::Ima(256),
    };
    let mut pack = Pack::new(if high { "soundsh" } else { "soundsl" });
    let briefing = tone(mono, 1, rate, CHORD, 150);
    let half = briefing.frames() as u32 / 2;
    let factor = if high { 1 } else { 4 };
    pack.add(
        "m01_briefing.wav",
        briefing.file(vec![tone::cues(&[0, half], factor)?])?,
    )?;
    pack.add(
        "propeller.wav",
        tone(Coding::Ms(256), 1, 11_025, &[98, 104], 120).file(vec![])?,
    )?;
    pack.add(
        "blip.wav",
        tone(Coding::Pcm8, 1, 11_025, BLIP, 33).file(vec![])?,
    )?;
    if high {
        pack.add(
            "radio.wav",
            tone(Coding::Ms(1024), 2, 22_050, CHORD, 120).file(vec![])?,
        )?;
        pack.add(
            "bell.wav",
            tone(Coding::Ms(1024), 1, 44_100, FALL, 70).file(vec![])?,
        )?;
        pack.add(
            "Odd Rate.wav",
            tone(Coding::Ms(512), 2, 9710, FALL, 100).file(vec![])?,
        )?;
        pack.add(
            "title.wav",
            tone(Coding::Pcm16, 2, 22_050, CHORD, 80).file(vec![])?,
        )?;
    }
    for number in 1..=2 * scale {
        let name = format!("gun_{number:02}.wav");
        pack.add(
            &name,
            tone(mono, 1, rate, FALL, 20 + number % 40).file(vec![])?,
        )?;
    }
    pack.finish()
}
