//! The samples of an edited Ogg Vorbis file.

use std::io::Cursor;

use vorbis_rs::VorbisDecoder;

use super::edited::Refusal;
use crate::golden::diff::sound::DecodedSound;

/// Most samples that are read.
const MAX_SAMPLES: usize = 1 << 27;

/// Note for a sound that was packed from an Ogg Vorbis file.
pub(super) const LOSS: &str = "Ogg Vorbis is lossy: unedited samples changed too";

/// True if an edit is an Ogg file.
pub(super) fn is_ogg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"OggS")
}

/// Decodes the samples of an Ogg Vorbis file, with the bit depth of the game's file.
///
/// # Errors
/// It is not such a file, or is too long.
pub(super) fn decode(bytes: &[u8], bits: u32) -> Result<DecodedSound, Refusal> {
    let damaged = |error| refusal!("not a readable Ogg Vorbis file: {error}");
    let mut decoder = VorbisDecoder::<Cursor<&[u8]>>::new(Cursor::new(bytes)).map_err(damaged)?;
    let channels = usize::from(decoder.channels().get());
    let rate = decoder.sampling_frequency().get();
    let mut samples = Vec::new();
    while let Some(block) = decoder.decode_audio_block().map_err(damaged)? {
        let lanes = block.samples();
        let frames = lanes.first().map_or(0, |lane| lane.len());
        let room = MAX_SAMPLES.saturating_sub(samples.len());
        if lanes.len() != channels || frames.saturating_mul(channels) > room {
            refuse!("its streams differ in channels, or it is too long");
        }
        for frame in 0..frames {
            let frame = lanes.iter().filter_map(|lane| lane.get(frame));
            samples.extend(frame.map(|&sample| rounded(sample, bits)));
        }
    }
    let channels = u32::try_from(channels).unwrap_or_default();
    Ok(DecodedSound {
        format: (channels, rate, bits),
        samples,
    })
}

/// Converts a sample of -1 to 1 to a number of this bit depth.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the sample is within the numbers of its bits"
)]
fn rounded(sample: f32, bits: u32) -> i32 {
    let most = if bits == 8 { 128.0 } else { 32_768.0 };
    libm::roundf(sample * most).clamp(-most, most - 1.0) as i32
}
