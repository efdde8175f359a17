//! Sounds: notes with a decay, in every coding that the games use. All arithmetic is on integers.

use relicast::formats::codec::{self, FixedSize};
use relicast::formats::riff::adpcm::{encode_ima, encode_ms};
use relicast::formats::riff::{
    self, Chunk, CuePoint, Format, FourCc, LoopKind, SampleLoop, SamplerHeader, Wave,
};

use crate::Outcome;
use crate::random::Random;

/// A coding of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Unsigned bytes.
    Pcm8,
    /// Signed 16-bit words.
    Pcm16,
    /// Microsoft ADPCM in blocks of so many bytes.
    Ms(u16),
    /// IMA ADPCM in blocks of so many bytes.
    Ima(u16),
}

/// Properties of a sound.
#[derive(Debug, Clone, Copy)]
pub struct Tone {
    /// Coding of the samples.
    pub coding: Coding,
    /// Samples per frame.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Notes as frequencies in Hz, played in sequence.
    pub notes: &'static [u32],
    /// Length of a note in thousandths of a second.
    pub note_length: u32,
}

impl Tone {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.notes.len() * self.note_frames()
    }

    fn note_frames(&self) -> usize {
        (u64::from(self.rate) * u64::from(self.note_length) / 1000) as usize
    }

    /// Interleaved samples. The right channel plays the same notes an octave lower.
    pub fn samples(&self) -> Vec<i16> {
        let frames = self.note_frames();
        let mut samples = Vec::with_capacity(self.frames() * usize::from(self.channels));
        for &note in self.notes {
            for frame in 0..frames {
                let left = (frames - frame) as i32;
                for channel in 0..u32::from(self.channels) {
                    let turns = u64::from(note >> channel) * frame as u64 * 65_536;
                    let phase = (turns / u64::from(self.rate)) as u32 & 0xFFFF;
                    // At most a quarter of the full scale, decreasing to 0.
                    let attack = (frame as i32).min(64);
                    let level = i64::from(left) * 8192 * i64::from(attack) / 64;
                    let sample = i64::from(wave(phase)) * level / (frames as i64 * 32_768);
                    samples.push(sample as i16);
                }
            }
        }
        samples
    }

    /// The format chunk.
    pub fn format(&self) -> Format<'static> {
        match self.coding {
            Coding::Pcm8 => Format::pcm(self.channels, self.rate, 8),
            Coding::Pcm16 => Format::pcm(self.channels, self.rate, 16),
            Coding::Ms(block) => Format::ms_adpcm(self.channels, self.rate, block),
            Coding::Ima(block) => Format::ima_adpcm(self.channels, self.rate, block),
        }
    }

    /// The whole file, with `chunks` between format and samples.
    pub fn file(&self, chunks: Vec<Chunk<'static>>) -> Outcome<Vec<u8>> {
        Ok(riff::encode(&self.wave(chunks)?)?)
    }

    /// The file before it is written.
    pub fn wave(&self, chunks: Vec<Chunk<'static>>) -> Outcome<Wave<'static>> {
        let samples = self.samples();
        let format = self.format();
        let data = match self.coding {
            Coding::Pcm8 => samples
                .iter()
                .map(|&sample| ((sample >> 8) + 128) as u8)
                .collect(),
            Coding::Pcm16 => words(&samples),
            Coding::Ms(_) => encode_ms(&format, &samples)?,
            Coding::Ima(_) => encode_ima(&format, &samples)?,
        };
        Wave::new(&format, chunks, data.into()).ok_or_else(|| "sound too long".into())
    }
}

/// Encodes samples as stored in a file.
pub fn words(samples: &[i16]) -> Vec<u8> {
    samples
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect()
}

/// A period of a sine-like wave from two parabolas: phase in units of 2^-16, value to ±32767.
fn wave(phase: u32) -> i32 {
    let half = (phase & 0x7FFF) as i32;
    let bow = (half * (32_768 - half) / 8192).min(32_767);
    if phase < 0x8000 { bow } else { -bow }
}

/// Noise that decays, for effects: `frames` samples of one channel.
pub fn burst(random: &mut Random, frames: usize) -> Vec<i16> {
    let mut last = 0_i64;
    (0..frames)
        .map(|frame| {
            let noise = i64::from(random.bits() as i16);
            last += (noise - last) / 4;
            (last * (frames - frame) as i64 / frames as i64) as i16
        })
        .collect()
}

fn chunk(id: FourCc, payload: Vec<u8>) -> Outcome<Chunk<'static>> {
    Chunk::new(id, payload).ok_or_else(|| "chunk too long".into())
}

/// A cue chunk with points at `places`; stored and block positions differ by `factor`, as in archives
/// of low quality.
pub fn cues(places: &[u32], factor: u32) -> Outcome<Chunk<'static>> {
    let mut payload = (places.len() as u32).to_le_bytes().to_vec();
    for (id, &place) in (1..).zip(places) {
        payload.extend(codec::encode(&CuePoint {
            id,
            position: place,
            chunk: FourCc::DATA,
            chunk_start: 0,
            block_start: 0,
            sample_offset: place / factor.max(1),
        })?);
    }
    chunk(FourCc::CUE, payload)
}

/// A sampler chunk with one loop.
pub fn sampler(rate: u32, start: u32, end: u32) -> Outcome<Chunk<'static>> {
    let mut payload = codec::encode(&SamplerHeader {
        sample_period: 1_000_000_000 / rate.max(1),
        midi_unity_note: 60,
        loop_count: 1,
        ..SamplerHeader::default()
    })?;
    payload.extend(codec::encode(&SampleLoop {
        cue_id: 1,
        kind: LoopKind::Forward,
        start,
        end,
        ..SampleLoop::default()
    })?);
    chunk(FourCc::SAMPLER, payload)
}

fn put(out: &mut Vec<u8>, id: [u8; 4], payload: &[u8]) {
    out.extend(id);
    (payload.len() as u32).store(out);
    out.extend(payload);
    if payload.len() % 2 == 1 {
        out.push(0);
    }
}

/// A list chunk with labels of cue points 1, 2, ….
pub fn labels(texts: &[&str]) -> Outcome<Chunk<'static>> {
    let mut payload = b"adtl".to_vec();
    for (id, text) in (1_u32..).zip(texts) {
        let mut label = id.to_le_bytes().to_vec();
        label.extend(text.bytes().chain([0]));
        put(&mut payload, *b"labl", &label);
    }
    chunk(FourCc::LIST, payload)
}

/// A list chunk with the title of the sound.
pub fn title(text: &str) -> Outcome<Chunk<'static>> {
    let mut payload = b"INFO".to_vec();
    let mut name = text.as_bytes().to_vec();
    name.push(0);
    put(&mut payload, *b"INAM", &name);
    chunk(FourCc::LIST, payload)
}
