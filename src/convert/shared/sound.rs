//! WAV files to sounds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU16;

use crate::formats::codec::{Decoded, Deviations, FormatError, Result};
use crate::formats::riff::adpcm::{decode_ima, decode_ms};
use crate::formats::riff::{Chunk, Format, FormatTag, FourCc, LoopKind, Wave};
use crate::scene::{Annotation, CuePoint, Loop, LoopDirection, Samples, Sound};

/// Turns a WAV file into a sound; `bytes` are those that the wave was decoded from.
///
/// Plain samples are borrowed, ADPCM is decoded to 16 bits. The sound keeps the file as
/// [`Sound::source`] when its samples are plain and its sizes hold, so that it can be written
/// unchanged. Soft faults of the chunks that were read are in the deviations; those of the file as
/// a whole are with [`crate::formats::riff::decode`].
///
/// # Errors
/// There is no format or data chunk, no channel, or the coding is not PCM of 8 or 16 bits or ADPCM
/// of one or two channels.
pub fn sound<'a>(wave: &'a Wave<'_>, bytes: &'a [u8]) -> Result<Decoded<Sound<'a>>> {
    let format = wave.format()?;
    let data = wave.data()?;
    let mut deviations = Deviations::default();
    let channels = NonZeroU16::new(format.header.channels).ok_or_else(|| {
        let offset = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
        FormatError::malformed("fmt.channels", offset.saturating_add(2), "at least 1", 0)
    })?;
    let samples = match format.coding() {
        FormatTag::Pcm => plain_samples(wave, &format, data, &mut deviations)?,
        FormatTag::MsAdpcm | FormatTag::ImaAdpcm => {
            compressed_samples(wave, &format, data, &mut deviations)?
        }
        other => {
            return Err(unsupported(
                wave,
                0,
                "fmt.tag",
                "PCM or ADPCM",
                format!("{other:?}"),
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

/// When each cue point of a WAV file comes, in seconds from its start, in the order of the file: by the sample that
/// it names, at the rate of the file. Empty for a file without any, or without a rate.
pub(in crate::convert) fn cue_times(wave: &Wave<'_>) -> Vec<f64> {
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
            return Err(unsupported(wave, 14, "fmt.bits", "8 or 16 bits", found));
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
            format_args!("{rest} more bytes"),
        );
    }
    Ok(samples)
}

fn compressed_samples(
    wave: &Wave<'_>,
    format: &Format<'_>,
    data: &Chunk<'_>,
    deviations: &mut Deviations,
) -> Result<Samples<'static>> {
    let start = wave.chunk(FourCc::FORMAT).map_or(0, |chunk| chunk.offset);
    // The decoders refuse formats only, at offsets in their chunk.
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
    // The fact chunk tells where the sound ends within the last block. Another value is a lie.
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
    use crate::formats::codec::Blob;

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
