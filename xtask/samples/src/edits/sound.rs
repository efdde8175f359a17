//! Edits of sounds: changed, removed and added samples.

use std::num::NonZeroU16;

use relicast::emit::encode_flac;
use relicast::formats::riff::{self, Chunk, FormatTag, FourCc};
use relicast::scene::{Samples, Sound};

use super::What;
use crate::Outcome;
use crate::random::Random;

/// Largest number of added frames.
const MAX_COUNT: u64 = 700;

/// Changes samples or the length of a sound; `None` when its samples are compressed.
///
/// # Errors
/// It is not a WAV.
pub(super) fn wav(bytes: &[u8], random: &mut Random) -> Outcome<Option<(Vec<u8>, What)>> {
    let mut wave = riff::decode(bytes)?.value;
    let format = wave.format()?;
    if format.coding() != FormatTag::Pcm {
        return Ok(None);
    }
    let frame = usize::from(format.header.block_align.max(1));
    let mut samples = wave.data()?.payload.to_vec();
    change(&mut samples, frame, random);
    let frames = samples.len() / frame;
    for chunk in &mut wave.chunks {
        if chunk.id == FourCc::DATA {
            *chunk = Chunk::new(FourCc::DATA, samples.clone()).ok_or("too many samples")?;
        }
    }
    let length: usize = wave.chunks.iter().map(Chunk::stored_length).sum();
    wave.riff_size = u32::try_from(length + 4)?;
    Ok(Some((riff::encode(&wave)?, What::Frames(frames))))
}

/// Changes some samples, and removes or adds some; at least one frame is left.
fn change(samples: &mut Vec<u8>, frame: usize, random: &mut Random) {
    let frames = samples.len() / frame;
    let below =
        |random: &mut Random, end: usize| usize::try_from(random.below(end as u64)).unwrap_or(0);
    match random.below(3) {
        0 if frames > 1 => {
            let start = below(random, samples.len());
            let count = 1 + below(random, 200);
            for sample in samples.iter_mut().skip(start).take(count) {
                *sample = random.bits() as u8;
            }
        }
        1 if frames > 1 => samples.truncate((1 + below(random, frames - 1)) * frame),
        _ => {
            let more = (1 + below(random, MAX_COUNT as usize)) * frame;
            samples.extend((0..more).map(|_| random.bits() as u8));
        }
    }
}

/// Noise in the format of the FLAC.
///
/// # Errors
/// It is not a FLAC, or of an unsupported form.
pub(super) fn flac(bytes: &[u8], random: &mut Random) -> Outcome<Option<(Vec<u8>, What)>> {
    // STREAMINFO: 20 bits of the rate, 3 of the channels less one, 5 of the bits less one, after ten bytes.
    let Some(&[a, b, c, d]) = bytes.get(18..22).and_then(|facts| facts.first_chunk()) else {
        return Ok(None);
    };
    let facts = u32::from_be_bytes([a, b, c, d]);
    let (rate, channels) = (facts >> 12, (facts >> 9 & 7) + 1);
    let bits = (facts >> 4 & 31) + 1;
    let channels = NonZeroU16::new(u16::try_from(channels)?).ok_or("no channels")?;
    let frames = 1 + usize::try_from(random.below(MAX_COUNT))?;
    let count = frames * usize::from(channels.get()) * usize::try_from(bits / 8)?;
    let noise: Vec<u8> = (0..count).map(|_| random.bits() as u8).collect();
    let samples = match bits {
        8 => Samples::U8(noise.into()),
        16 => Samples::I16Le(noise.into()),
        _ => return Ok(None),
    };
    let sound = Sound::new(channels, rate, samples);
    Ok(Some((encode_flac(&sound, &[])?, What::Frames(frames))))
}
