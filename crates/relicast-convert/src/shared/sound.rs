//! WAV files to sounds.

use relicast_codec::quantity::counted;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU16;

use relicast_codec::{Decoded, Deviations, FormatError, Result, shown};
use relicast_formats::riff::adpcm::{decode_ima, decode_ms};
use relicast_formats::riff::{Chunk, Format, FormatTag, FourCc, LoopKind, Wave};
use relicast_limits as limits;
use relicast_scene::{Annotation, CuePoint, Loop, LoopDirection, Samples, Sound};

/// Converts a WAV file to a sound; `bytes` are those that the wave was decoded from.
///
/// - Plain samples are borrowed, and ADPCM is decoded to 16 bits.
/// - IEEE numbers and samples of 24 or 32 bits are rounded to 16, which is a deviation.
/// - The sound holds the file as [`Sound::source`] if its samples are plain and its sizes are correct, so that it can
///   be written unchanged.
/// - The deviations are those of the chunks that were read; [`relicast_formats::riff::decode`] has those of the file.
///
/// # Errors
/// There is no format chunk, no data chunk, or no channel; or the coding is not supported. Supported are PCM of 8, 16,
/// 24 or 32 bits, IEEE numbers of 32 or 64 bits, and ADPCM of one or two channels.
pub fn sound<'a>(wave: &'a Wave<'_>, bytes: &'a [u8]) -> Result<Decoded<Sound<'a>>> {
    let format = wave.format()?;
    let data = wave.data()?;
    let mut deviations = Deviations::default();
    let channels = NonZeroU16::new(format.header.channels).ok_or_else(|| {
        let offset = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
        FormatError::malformed("fmt.channels", offset.saturating_add(2), "at least 1", 0)
    })?;
    let samples = match format.coding() {
        FormatTag::Pcm if [24, 32].contains(&format.header.bits) => {
            rounded_samples(wave, &format, data, &mut deviations)?
        }
        FormatTag::Float => rounded_samples(wave, &format, data, &mut deviations)?,
        FormatTag::Pcm => plain_samples(wave, &format, data, &mut deviations)?,
        FormatTag::MsAdpcm | FormatTag::ImaAdpcm => {
            compressed_samples(wave, &format, data, &mut deviations)?
        }
        other => {
            return Err(unsupported(
                wave,
                0,
                "fmt.tag",
                "PCM, IEEE numbers or ADPCM",
                shown(&other).to_string(),
            ));
        }
    };
    let mut sound = Sound::new(channels, format.header.rate, samples);
    let source_plays = format.coding() == FormatTag::Pcm
        && wave.sizes_hold()
        && usize::from(format.header.block_align) == sound.frame_size();
    sound.source = source_plays.then_some(Cow::Borrowed(bytes));
    // A label goes to the first point with its number, so that no file can multiply its texts.
    let mut labels = BTreeMap::new();
    for label in wave.labels() {
        labels.entry(label.cue_id).or_insert(label.text);
    }
    sound.cue_points = wave
        .cue_points(&mut deviations)
        .into_iter()
        .map(|point| CuePoint {
            id: point.id,
            position: point.position,
            sample: point.sample_offset,
            label: labels.remove(&point.id),
        })
        .collect();
    sound.loops = wave
        .sampler(&mut deviations)
        .map(|sampler| sampler.loops)
        .unwrap_or_default()
        .into_iter()
        .map(|stored| Loop {
            start: stored.start,
            end: stored.end,
            count: stored.play_count,
            direction: match stored.kind {
                LoopKind::Forward => LoopDirection::Forward,
                LoopKind::Alternating => LoopDirection::Alternating,
                LoopKind::Backward => LoopDirection::Backward,
                LoopKind::Other(code) => LoopDirection::Other(code),
            },
        })
        .collect();
    sound.annotations = wave
        .chunks
        .iter()
        .filter(|chunk| ![FourCc::FORMAT, FourCc::DATA, FourCc::FACT].contains(&chunk.id))
        .map(|chunk| Annotation {
            id: chunk.id.0,
            payload: Cow::Borrowed(&*chunk.payload),
        })
        .collect();
    Ok(Decoded {
        value: sound,
        deviations,
    })
}

/// Time of each cue point of a WAV file, in seconds from its start, in the order of the file: by the sample that
/// it names, at the rate of the file. Empty for a file without cue points, or without a rate.
pub(crate) fn cue_times(wave: &Wave<'_>) -> Vec<f64> {
    let rate = wave.format().map_or(0, |format| format.header.rate);
    if rate == 0 {
        return Vec::new();
    }
    let points = wave.cue_points(&mut Deviations::default()).into_iter();
    let times = points.map(|point| f64::from(point.sample_offset) / f64::from(rate));
    times.collect()
}

fn unsupported(
    wave: &Wave<'_>,
    offset: usize,
    field: &str,
    expected: &str,
    found: String,
) -> FormatError {
    let start = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
    FormatError::unsupported(field, start.saturating_add(offset), expected, found)
}

fn plain_samples<'a>(
    wave: &Wave<'_>,
    format: &Format<'_>,
    data: &'a Chunk<'_>,
    deviations: &mut Deviations,
) -> Result<Samples<'a>> {
    let bytes = Cow::Borrowed(&*data.payload);
    let samples = match format.header.bits {
        8 => Samples::U8(bytes),
        16 => Samples::I16Le(bytes),
        other => {
            let found = format!("{other} bits");
            return Err(unsupported(
                wave,
                14,
                "fmt.bits",
                "8, 16, 24 or 32 bits",
                found,
            ));
        }
    };
    let frame = u32::from(format.header.channels).saturating_mul(u32::from(samples.bits() / 8));
    if u32::from(format.header.block_align) != frame {
        let start = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
        deviations.push(
            "fmt.block_align",
            start.saturating_add(12),
            format_args!("{frame}, the size of a frame"),
            format.header.block_align,
        );
    }
    let rest = data.payload.len() % usize::try_from(frame).unwrap_or(usize::MAX).max(1);
    if rest > 0 {
        deviations.push(
            "data",
            data.offset.saturating_add(data.payload.len() - rest),
            "whole frames",
            counted(rest, "more byte", "more bytes"),
        );
    }
    Ok(samples)
}

/// A stored sample as a number from -1 to 1, when it has no more than that many bits.
fn number_of(bytes: &[u8], is_float: bool) -> Option<f64> {
    Some(match (is_float, bytes) {
        (true, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (true, _) => f64::from_le_bytes(bytes.try_into().ok()?),
        (false, &[a, b, c]) => f64::from(i32::from_le_bytes([0, a, b, c])) / 2_147_483_648.0,
        (false, _) => f64::from(i32::from_le_bytes(bytes.try_into().ok()?)) / 2_147_483_648.0,
    })
}

/// Samples that are finer than 16 bits, rounded to 16. Samples beyond full scale are clipped, as players do.
fn rounded_samples(
    wave: &Wave<'_>,
    format: &Format<'_>,
    data: &Chunk<'_>,
    deviations: &mut Deviations,
) -> Result<Samples<'static>> {
    let start = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
    let bits = format.header.bits;
    let is_float = format.coding() == FormatTag::Float;
    if is_float && ![32, 64].contains(&bits) {
        let found = format!("{bits} bits");
        return Err(unsupported(wave, 14, "fmt.bits", "32 or 64 bits", found));
    }
    let size = usize::from(bits / 8);
    let room = data.payload.len() / size.max(1) * 2;
    limits::try_reserve(room).map_err(FormatError::from)?;
    let mut rounded = Vec::with_capacity(room);
    let mut loud = 0_u64;
    for sample in data.payload.chunks_exact(size.max(1)) {
        let number = number_of(sample, is_float).unwrap_or_default() * 32_768.0;
        let kept = number.round_ties_even().clamp(-32_768.0, 32_767.0);
        loud += u64::from(number.is_nan() || (is_float && number.abs() > 32_768.0));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the number is within the range"
        )]
        rounded.extend((kept as i16).to_le_bytes());
    }
    let what = if is_float {
        "IEEE numbers"
    } else {
        "whole numbers"
    };
    let found = format_args!("{what} of {bits} bits, rounded to 16");
    deviations.push("fmt.bits", start.saturating_add(14), "8 or 16 bits", found);
    if loud > 0 {
        let found = format_args!("{loud} beyond it, which were clipped");
        deviations.push("data", data.offset, "samples within full scale", found);
    }
    Ok(Samples::I16Le(Cow::Owned(rounded)))
}

fn compressed_samples(
    wave: &Wave<'_>,
    format: &Format<'_>,
    data: &Chunk<'_>,
    deviations: &mut Deviations,
) -> Result<Samples<'static>> {
    let start = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
    // The decoders only refuse formats, at offsets in their chunk.
    let decoded = match format.coding() {
        FormatTag::MsAdpcm => decode_ms(format, &data.payload),
        _ => decode_ima(format, &data.payload),
    }
    .map_err(|error| error.shifted(start))?;
    deviations.absorb_from(decoded.deviations, |field| {
        if field.starts_with("fmt.") {
            (None, start)
        } else {
            (Some("data"), data.offset)
        }
    });
    let mut samples = decoded.value;
    let channels = usize::from(format.header.channels);
    let frames = samples.len() / channels.max(1);
    let block = usize::try_from(format.samples_per_block()).unwrap_or(usize::MAX);
    // The fact chunk states the end of the sound within the last block. Another value is wrong.
    if let Some(stated) = wave.fact_frames() {
        let stated = usize::try_from(stated).unwrap_or(usize::MAX);
        if stated <= frames && frames - stated < block {
            samples.truncate(stated.saturating_mul(channels));
        } else {
            let offset = wave.chunk(FourCc::FACT).map_or(0, |chunk| chunk.offset);
            deviations.push(
                "fact.frames",
                offset,
                format_args!("an end in the last block of {frames} frames"),
                stated,
            );
        }
    }
    let bytes = samples.into_iter().flat_map(i16::to_le_bytes).collect();
    Ok(Samples::I16Le(Cow::Owned(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Blob;

    fn rounded(tag: FormatTag, bits: u16, data: Vec<u8>) -> (Vec<i32>, u64) {
        let mut format = Format::pcm(1, 8000, bits);
        format.header.tag = tag;
        let wave = Wave::new(&format, vec![], Blob::from(data)).unwrap();
        let bytes = relicast_formats::riff::encode(&wave).unwrap();
        let sound = sound(&wave, &bytes).unwrap();
        assert!(sound.value.source.is_none());
        (
            sound.value.samples.signed().collect(),
            sound.deviations.total(),
        )
    }

    #[test]
    fn ieee_numbers_are_rounded_to_sixteen_bits_and_the_loss_is_reported() {
        let numbers = [0.0_f32, 0.5, -1.0, 1.0 / 32_768.0, 1.0, 1.5, f32::NAN];
        let data = numbers.iter().flat_map(|number| number.to_le_bytes());
        let (samples, deviations) = rounded(FormatTag::Float, 32, data.collect());
        assert_eq!(samples, [0, 16_384, -32_768, 1, 32_767, 32_767, 0]);
        assert_eq!(deviations, 2, "the rounding, and what is beyond full scale");
        let data = [0.25_f64, -0.5]
            .iter()
            .flat_map(|number| number.to_le_bytes());
        let (samples, deviations) = rounded(FormatTag::Float, 64, data.collect());
        assert_eq!((samples, deviations), (vec![8192, -16_384], 1));
    }

    #[test]
    fn whole_numbers_of_more_bits_are_rounded_too() {
        let data = vec![0, 0, 0x40, 0, 0, 0x80, 0xFF, 0xFF, 0x7F];
        assert_eq!(
            rounded(FormatTag::Pcm, 24, data).0,
            [16_384, -32_768, 32_767]
        );
        let data = (-0x4000_0000_i32).to_le_bytes().to_vec();
        assert_eq!(rounded(FormatTag::Pcm, 32, data).0, [-16_384]);
    }

    #[test]
    fn cue_points_come_at_the_sample_that_they_name() {
        let point = |id: u32, position: u32, sample: u32| {
            let words = [id, position, u32::from_le_bytes(*b"data"), 0, 0, sample];
            words.map(u32::to_le_bytes).concat()
        };
        let cue = [
            2_u32.to_le_bytes().to_vec(),
            point(1, 0, 0),
            point(2, 16_000, 4000),
        ]
        .concat();
        let chunks = vec![Chunk::new(FourCc::CUE, cue).unwrap()];
        let data = Blob::from(vec![0; 16_000]);
        let wave = Wave::new(&Format::pcm(1, 8000, 16), chunks, data).unwrap();
        assert_eq!(cue_times(&wave), [0.0, 0.5]);
        let silent = Wave::new(&Format::pcm(1, 0, 16), vec![], Blob::from(vec![])).unwrap();
        assert!(cue_times(&silent).is_empty());
    }
}
