//! The samples of an edited Ogg Vorbis file.

use std::io::Cursor;

use vorbis_rs::VorbisDecoder;

use crate::golden::diff::sound::make_room;
use crate::pack::edited::Refusal;

/// Note for a sound that was packed from an Ogg Vorbis file.
pub(super) const LOSS: &str = "Ogg Vorbis is lossy: unedited samples changed too";

/// True if an edit is an Ogg file.
pub(super) fn is_ogg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"OggS")
}

/// Decodes an Ogg Vorbis file: channels, rate, and samples from -1 to 1 with the channels interleaved.
///
/// # Errors
/// It is not such a file, or is too long.
pub(super) fn decode(bytes: &[u8]) -> Result<(u16, u32, Vec<f32>), Refusal> {
    let damaged = |error| refusal!("not a readable Ogg Vorbis file: {error}");
    let mut decoder = VorbisDecoder::<Cursor<&[u8]>>::new(Cursor::new(bytes)).map_err(damaged)?;
    let channels = usize::from(decoder.channels().get());
    let rate = decoder.sampling_frequency().get();
    let mut samples = Vec::new();
    while let Some(block) = decoder.decode_audio_block().map_err(damaged)? {
        let lanes = block.samples();
        let frames = lanes.first().map_or(0, |lane| lane.len());
        if lanes.len() != channels {
            refuse!("its streams differ in channels; export it again");
        }
        if make_room(&mut samples, frames.saturating_mul(channels)).is_none() {
            refuse!("it is too long; shorten it");
        }
        for frame in 0..frames {
            let frame = lanes.iter().filter_map(|lane| lane.get(frame));
            // The coding itself may be a little louder than full scale.
            samples.extend(frame.map(|sample| sample.clamp(-1.0, 1.0)));
        }
    }
    Ok((u16::try_from(channels).unwrap_or_default(), rate, samples))
}
