//! Ogg Vorbis files: lossy sounds and recordings, for engines without another small format.
//!
//! The tags are those of [FLAC files](super::flac). The stream's serial number is constant, so that a machine writes
//! the same bytes every time; the C library of another machine may round differently.

use std::io::Write;
use std::num::{NonZeroU8, NonZeroU32};

use vorbis_rs::{
    VorbisBitrateManagementStrategy, VorbisEncoder, VorbisEncoderBuilder, VorbisError,
};

use super::flac::tags_of;
use relicast_scene::recording::{FRAME, RATE, Recording};
use relicast_scene::{Samples, Sound};

/// Frames that are passed to the encoder at once.
const BLOCK: usize = 4096;

/// Quality of -0.1 to 1: about 160 kbit a second for stereo of 44,100 Hz.
const QUALITY: f32 = 0.5;

/// Serial number of the stream.
const SERIAL: i32 = 1;

/// Reason why a sound cannot be written as Ogg Vorbis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OggError {
    /// A rate of 0.
    #[error("the sample rate is 0")]
    Rate,
    /// The number of channels has 8 bits.
    #[error("{0} channels exceed the limit of Vorbis, 255")]
    TooManyChannels(u16),
    /// Samples cannot be read.
    #[error("{0}")]
    Samples(#[from] std::io::Error),
    /// The encoder refused.
    #[error("{0}")]
    Encoder(#[from] VorbisError),
}

fn start<'w>(
    rate: u32,
    channels: u16,
    tags: &[(String, String)],
    out: &'w mut dyn Write,
) -> Result<VorbisEncoder<&'w mut dyn Write>, OggError> {
    let rate = NonZeroU32::new(rate).ok_or(OggError::Rate)?;
    let count = u8::try_from(channels).ok().and_then(NonZeroU8::new);
    let count = count.ok_or(OggError::TooManyChannels(channels))?;
    let mut builder = VorbisEncoderBuilder::new_with_serial(rate, count, out, SERIAL);
    builder.bitrate_management_strategy(VorbisBitrateManagementStrategy::QualityVbr {
        target_quality: QUALITY,
    });
    for (name, value) in tags {
        builder.comment_tag(name.as_str(), value.as_str())?;
    }
    Ok(builder.build()?)
}

/// Passes frames of 16-bit samples to the encoder, deinterleaved.
fn encode(
    encoder: &mut VorbisEncoder<&mut dyn Write>,
    samples: &[i16],
    channels: usize,
) -> Result<(), OggError> {
    for block in samples.chunks(BLOCK * channels) {
        let lane = |channel| -> Vec<f32> {
            let lane = block.iter().skip(channel).step_by(channels);
            lane.map(|&sample| f32::from(sample) / 32_768.0).collect()
        };
        let lanes: Vec<Vec<f32>> = (0..channels).map(lane).collect();
        encoder.encode_audio_block(&lanes)?;
    }
    Ok(())
}

/// Encodes an Ogg Vorbis file with these tags (name and value).
///
/// # Errors
/// The encoder does not support the rate or the number of channels.
pub fn encode_ogg(sound: &Sound<'_>, tags: &[(String, String)]) -> Result<Vec<u8>, OggError> {
    let mut file = Vec::new();
    let channels = sound.channels.get();
    let mut encoder = start(sound.rate, channels, &tags_of(sound, tags), &mut file)?;
    let samples: Vec<i16> = match &sound.samples {
        Samples::U8(bytes) => bytes
            .iter()
            .map(|&byte| (i16::from(byte) - 128) << 8)
            .collect(),
        Samples::I16Le(bytes) => words(bytes),
    };
    encode(&mut encoder, &samples, usize::from(channels))?;
    encoder.finish()?;
    Ok(file)
}

fn words(bytes: &[u8]) -> Vec<i16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
}

/// Writes a recording as it is read.
///
/// # Errors
/// Its samples cannot be read, or `out` cannot be written.
pub(super) fn write_recording(
    recording: &Recording<'_>,
    out: &mut dyn Write,
) -> Result<(), OggError> {
    let mut encoder = start(RATE, 2, &recording.tags, out)?;
    let mut buffer = vec![0; BLOCK * FRAME];
    let frames = recording.samples.frames();
    let mut frame = 0;
    while frame < frames {
        let count = usize::try_from(frames - frame).map_or(BLOCK, |left| left.min(BLOCK));
        let part = buffer.get_mut(..count * FRAME).unwrap_or_default();
        recording.samples.read(frame, part)?;
        encode(&mut encoder, &words(part), 2)?;
        frame += count as u64;
    }
    encoder.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::num::NonZeroU16;

    use vorbis_rs::VorbisDecoder;

    use super::*;
    use relicast_scene::{Loop, LoopDirection};

    /// A low hum.
    fn hum(rate: u32, channels: u16, frames: usize) -> Sound<'static> {
        let samples = (0..frames * usize::from(channels)).flat_map(|index| {
            let at = (index / usize::from(channels)) as f32 / rate as f32;
            ((libm::sinf(at * 440.0 * std::f32::consts::TAU) * 12_000.0) as i16).to_le_bytes()
        });
        let samples: Vec<u8> = samples.collect();
        let channels = NonZeroU16::new(channels).unwrap();
        Sound::new(channels, rate, Samples::I16Le(samples.into()))
    }

    fn decoded(file: &[u8]) -> (u32, Vec<Vec<f32>>) {
        let mut decoder = VorbisDecoder::<Cursor<&[u8]>>::new(Cursor::new(file)).unwrap();
        let rate = decoder.sampling_frequency().get();
        let mut lanes = vec![Vec::new(); usize::from(decoder.channels().get())];
        while let Some(block) = decoder.decode_audio_block().unwrap() {
            for (lane, samples) in lanes.iter_mut().zip(block.samples()) {
                lane.extend_from_slice(samples);
            }
        }
        (rate, lanes)
    }

    #[test]
    fn a_sound_keeps_its_length_rate_and_shape() {
        for (rate, channels) in [
            (44_100, 2),
            (22_050, 1),
            (11_025, 1),
            (8_000, 1),
            (5_512, 1),
        ] {
            let sound = hum(rate, channels, 20_000);
            let file = encode_ogg(&sound, &[]).unwrap();
            assert_eq!(file, encode_ogg(&sound, &[]).unwrap());
            let (found, lanes) = decoded(&file);
            assert_eq!((found, lanes.len()), (rate, usize::from(channels)));
            assert_eq!(lanes[0].len(), 20_000, "{rate}");
            let expected = words(sound.samples.bytes());
            let expected = expected.iter().step_by(usize::from(channels));
            let pairs = expected.zip(&lanes[0]);
            let error: f32 = pairs
                .map(|(expected, found)| (f32::from(*expected) / 32_768.0 - found).powi(2))
                .sum();
            let error = libm::sqrtf(error / 20_000.0);
            assert!(error < 0.05, "{rate}: {error}");
        }
    }

    #[test]
    fn loops_are_tags_and_bytes_of_8_bits_are_centered() {
        let mut sound = Sound::new(NonZeroU16::MIN, 22_050, Samples::U8((&[128; 512]).into()));
        sound.loops.push(Loop {
            start: 10,
            end: 509,
            count: 0,
            direction: LoopDirection::Forward,
        });
        let file = encode_ogg(&sound, &[("TITLE".to_owned(), "Hum".to_owned())]).unwrap();
        let text = String::from_utf8_lossy(&file);
        for tag in ["TITLE=Hum", "LOOPSTART=10", "LOOPLENGTH=500"] {
            assert!(text.contains(tag), "{tag}");
        }
        let (_, lanes) = decoded(&file);
        assert!(lanes[0].iter().all(|sample| sample.abs() < 1e-3));
        assert!(decoded(&encode_ogg(&hum(22_050, 1, 0), &[]).unwrap()).1[0].is_empty());
    }
}
