//! WAV files.
//!
//! A sound that came from a WAV with plain samples is written as the bytes of its source, with all
//! chunks. Any other sound is written as plain PCM: format, then the chunks that annotate the
//! sound, then the samples. Annotations are copied unchanged, except for cue points whose positions are
//! after the end while the offsets of their samples are not. Cue points and loops of a sound
//! without such chunks are written as `cue `, `LIST` and `smpl`.
//!
//! ```
//! use std::num::NonZeroU16;
//! use relicast_emit::wav::encode_wav;
//! use relicast_scene::{Samples, Sound};
//!
//! let sound = Sound::new(NonZeroU16::MIN, 22_050, Samples::U8((&[128, 140, 128, 116]).into()));
//! let file = encode_wav(&sound)?;
//! assert!(file.starts_with(b"RIFF"));
//! # Ok::<(), relicast_emit::wav::WavError>(())
//! ```

use std::borrow::Cow;

use relicast_limits as limits;
use relicast_scene::{LoopDirection, Sound};

/// Reason why a sound cannot be written as WAV.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WavError {
    /// The size field has 32 bits.
    #[error("a sound of {0} bytes exceeds the limit of WAV files, 4 GiB")]
    TooLarge(usize),
    /// The size of a frame has 16 bits.
    #[error("a frame of {0} bytes exceeds the limit of WAV files, 64 KiB")]
    TooManyChannels(usize),
}

/// Encodes a WAV file.
///
/// # Errors
/// The sound is larger than 4 GiB, or its frames are larger than 64 KiB.
pub fn encode_wav<'a>(sound: &'a Sound<'_>) -> Result<Cow<'a, [u8]>, WavError> {
    match &sound.source {
        Some(source) => Ok(Cow::Borrowed(source)),
        None => build(sound, |_| true).map(Cow::Owned),
    }
}

/// Encodes a WAV file with correct sizes, chunks in the order that readers expect, and a sampler chunk only for loops.
///
/// # Errors
/// The sound is larger than 4 GiB, or its frames are larger than 64 KiB.
pub fn clean_wav(sound: &Sound<'_>) -> Result<Vec<u8>, WavError> {
    build(sound, |id| id != *b"smpl" || !sound.loops.is_empty())
}

fn build(sound: &Sound<'_>, is_kept: impl Fn([u8; 4]) -> bool) -> Result<Vec<u8>, WavError> {
    let samples = sound.samples.bytes();
    let frame = u16::try_from(sound.frame_size())
        .map_err(|_| WavError::TooManyChannels(sound.frame_size()))?;
    word(samples.len())?;
    let annotations = sound.annotations.iter().map(|kept| kept.payload.len());
    let size = annotations.fold(samples.len(), usize::saturating_add);
    limits::reserve(size.saturating_add(64));
    let mut file = Vec::with_capacity(samples.len().saturating_add(64));
    file.extend(*b"RIFF\0\0\0\0WAVE");
    chunk(&mut file, *b"fmt ", &format(sound, frame))?;
    for annotation in sound.annotations.iter().filter(|kept| is_kept(kept.id)) {
        match annotation.id == *b"cue " {
            true => chunk(
                &mut file,
                annotation.id,
                &placed(&annotation.payload, sound),
            )?,
            false => chunk(&mut file, annotation.id, &annotation.payload)?,
        }
    }
    let has = |id| sound.annotations.iter().any(|kept| kept.id == id);
    if !sound.cue_points.is_empty() && !has(*b"cue ") {
        chunk(&mut file, *b"cue ", &cue(sound))?;
        if let Some(labels) = labels(sound)? {
            chunk(&mut file, *b"LIST", &labels)?;
        }
    }
    if !sound.loops.is_empty() && !has(*b"smpl") {
        chunk(&mut file, *b"smpl", &sampler(sound))?;
    }
    chunk(&mut file, *b"data", samples)?;
    let size = word(file.len().saturating_sub(8))?;
    if let Some(place) = file.get_mut(4..8) {
        place.copy_from_slice(&size.to_le_bytes());
    }
    Ok(file)
}

fn word(size: usize) -> Result<u32, WavError> {
    u32::try_from(size).map_err(|_| WavError::TooLarge(size))
}

fn chunk(file: &mut Vec<u8>, id: [u8; 4], payload: &[u8]) -> Result<(), WavError> {
    file.extend(id);
    file.extend(word(payload.len())?.to_le_bytes());
    file.extend(payload);
    if payload.len() % 2 == 1 {
        file.push(0);
    }
    Ok(())
}

fn format(sound: &Sound<'_>, frame: u16) -> Vec<u8> {
    let mut payload = Vec::with_capacity(16);
    payload.extend(1_u16.to_le_bytes());
    payload.extend(sound.channels.get().to_le_bytes());
    payload.extend(sound.rate.to_le_bytes());
    payload.extend(sound.rate.saturating_mul(u32::from(frame)).to_le_bytes());
    payload.extend(frame.to_le_bytes());
    payload.extend(sound.samples.bits().to_le_bytes());
    payload
}

fn words(words: impl IntoIterator<Item = u32>) -> impl Iterator<Item = u8> {
    words.into_iter().flat_map(u32::to_le_bytes)
}

/// Converts a length that fits, because a list of that many structures is in memory and was in a file.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Returns a chunk of cue points with positions in the sound. Sounds that were resampled without their cue points
/// have positions after the end, while the offsets of the samples are right; then the offsets are written as both.
fn placed<'p>(payload: &'p [u8], sound: &Sound<'_>) -> Cow<'p, [u8]> {
    const POINT: usize = 24;
    const SAMPLE: std::ops::Range<usize> = 20..24;
    let frames = sound.samples.bytes().len().checked_div(sound.frame_size());
    let frames = frames.unwrap_or_default();
    let is_inside = |sample: u32| usize::try_from(sample).is_ok_and(|sample| sample < frames);
    let points = &sound.cue_points;
    let is_moved = points.iter().any(|point| !is_inside(point.position))
        && points.iter().all(|point| is_inside(point.sample));
    if !is_moved {
        return Cow::Borrowed(payload);
    }
    let mut payload = payload.to_vec();
    let points = payload.get_mut(4..).unwrap_or_default();
    for point in points.chunks_exact_mut(POINT) {
        let sample: Vec<u8> = point.get(SAMPLE).unwrap_or_default().to_vec();
        if let Some(position) = point.get_mut(4..8) {
            position.copy_from_slice(&sample);
        }
    }
    Cow::Owned(payload)
}

fn cue(sound: &Sound<'_>) -> Vec<u8> {
    let mut payload: Vec<u8> = words([count(sound.cue_points.len())]).collect();
    for point in &sound.cue_points {
        payload.extend(words([point.id, point.position]));
        payload.extend(b"data");
        payload.extend(words([0, 0, point.sample]));
    }
    payload
}

/// The list of labels, if any point has one. Characters beyond Latin-1 become question marks.
fn labels(sound: &Sound<'_>) -> Result<Option<Vec<u8>>, WavError> {
    let mut list = b"adtl".to_vec();
    for point in &sound.cue_points {
        if let Some(label) = &point.label {
            let mut payload: Vec<u8> = words([point.id]).collect();
            let latin1 = |character| u8::try_from(u32::from(character)).unwrap_or(b'?');
            payload.extend(label.chars().map(latin1));
            payload.push(0);
            chunk(&mut list, *b"labl", &payload)?;
        }
    }
    Ok((list.len() > 4).then_some(list))
}

fn sampler(sound: &Sound<'_>) -> Vec<u8> {
    let period = 1_000_000_000_u32.checked_div(sound.rate).unwrap_or(0);
    let header = [0, 0, period, 60, 0, 0, 0, count(sound.loops.len()), 0];
    let mut payload: Vec<u8> = words(header).collect();
    for (index, stretch) in sound.loops.iter().enumerate() {
        let direction = match stretch.direction {
            LoopDirection::Forward => 0,
            LoopDirection::Alternating => 1,
            LoopDirection::Backward => 2,
            LoopDirection::Other(code) => code,
        };
        payload.extend(words([
            count(index),
            direction,
            stretch.start,
            stretch.end,
            0,
            stretch.count,
        ]));
    }
    payload
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use relicast_scene::{Annotation, Loop, Samples};

    #[test]
    fn a_clean_file_has_true_sizes_and_a_sampler_chunk_for_loops_alone() {
        let samples = Samples::U8((&[128, 140, 128]).into());
        let mut sound = Sound::new(NonZeroU16::MIN, 22_050, samples);
        sound.source = Some(b"RIFF\xff\0\0\0WAVE".into());
        for (id, payload) in [(*b"LIST", b"INFO"), (*b"smpl", b"none")] {
            let payload = payload[..].into();
            sound.annotations.push(Annotation { id, payload });
        }
        assert_eq!(&encode_wav(&sound).unwrap()[..5], b"RIFF\xff");
        let file = clean_wav(&sound).unwrap();
        assert_eq!(file[4..8], (file.len() as u32 - 8).to_le_bytes());
        let ids = |file: &[u8]| {
            let ids = [b"fmt ", b"LIST", b"smpl", b"data"];
            ids.map(|id| file.windows(4).any(|window| window == id))
        };
        assert_eq!(ids(&file), [true, true, false, true]);
        sound.loops.push(Loop {
            start: 0,
            end: 2,
            count: 0,
            direction: LoopDirection::Forward,
        });
        assert_eq!(ids(&clean_wav(&sound).unwrap()), [true; 4]);
    }
}
