//! Differences between two sounds.

use relicast_codec::quantity::thousands;
use std::fmt::{self, Display, Formatter};
use std::io::Cursor;

use flac_codec::decode::FlacSampleReader;
use flac_codec::metadata::Metadata;
use relicast_limits as limits;
use serde::Serialize;

/// Most samples of a sound that are read; longer ones are compared by their bytes.
pub(crate) const MAX_SAMPLES: usize = 1 << 27;

/// Samples read at a time.
const PIECE: usize = 1 << 14;

/// Difference between two sounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SoundChange {
    /// Channels, sample rate and bit depth of the first.
    pub format_before: (u32, u32, u32),
    /// Of the second.
    pub format_after: (u32, u32, u32),
    /// Samples of the first, all channels.
    pub samples_before: u64,
    /// Samples of the second.
    pub samples_after: u64,
    /// Samples that differ, including those that only one of them has; `None` if the formats differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Largest difference of two samples.
    pub largest: u64,
}

impl SoundChange {
    /// True if all samples are the same.
    pub(super) fn is_nothing(&self) -> bool {
        self.samples == Some(0)
    }
}

impl Display for SoundChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let (before, after) = (self.samples_before, self.samples_after);
        match self.samples {
            Some(samples) => {
                let [samples, of] = [samples, before.max(after)].map(thousands);
                write!(
                    formatter,
                    "{samples} of {of} samples, by at most {}",
                    self.largest
                )?;
                if before != after {
                    write!(formatter, " (length {before} -> {after})")?;
                }
                Ok(())
            }
            None => {
                let (channels, rate, bits) = self.format_before;
                let (to_channels, to_rate, to_bits) = self.format_after;
                write!(
                    formatter,
                    "{channels} channels, {rate} Hz, {bits} bits -> \
                     {to_channels} channels, {to_rate} Hz, {to_bits} bits"
                )
            }
        }
    }
}

/// A decoded sound.
pub(crate) struct DecodedSound {
    /// Channels, sample rate and bit depth.
    pub(crate) format: (u32, u32, u32),
    /// Its samples, channels interleaved.
    pub(crate) samples: Vec<i32>,
}

/// The samples of a WAV or FLAC file; `None` if it cannot be decoded.
pub(crate) fn decode_sound(bytes: &[u8]) -> Option<DecodedSound> {
    match bytes.starts_with(b"fLaC") {
        true => decode_flac(bytes),
        false => decode_wav(bytes),
    }
}

fn decode_wav(bytes: &[u8]) -> Option<DecodedSound> {
    let reader = hound::WavReader::new(bytes).ok()?;
    let spec = reader.spec();
    if spec.sample_format != hound::SampleFormat::Int || reader.len() as usize > MAX_SAMPLES {
        return None;
    }
    limits::try_reserve((reader.len() as usize).saturating_mul(size_of::<i32>())).ok()?;
    let samples: Result<Vec<i32>, hound::Error> = reader.into_samples::<i32>().collect();
    Some(DecodedSound {
        format: (
            spec.channels.into(),
            spec.sample_rate,
            spec.bits_per_sample.into(),
        ),
        samples: samples.ok()?,
    })
}

fn decode_flac(bytes: &[u8]) -> Option<DecodedSound> {
    let mut reader = FlacSampleReader::new(Cursor::new(bytes)).ok()?;
    let format = (
        reader.channel_count().into(),
        reader.sample_rate(),
        reader.bits_per_sample(),
    );
    let mut samples = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        let count = reader.read(&mut piece).ok()?;
        let read = piece.get(..count).unwrap_or_default();
        if read.is_empty() {
            return Some(DecodedSound { format, samples });
        }
        make_room(&mut samples, read.len())?;
        samples.extend_from_slice(read);
    }
}

/// Makes room for more samples of a sound that is being decoded. `None` if it is longer than the sounds that are read,
/// or needs more memory than an item may.
pub(crate) fn make_room<T>(samples: &mut Vec<T>, more: usize) -> Option<()> {
    let length = samples.len().saturating_add(more);
    if length > MAX_SAMPLES {
        return None;
    }
    if length > samples.capacity() {
        let capacity = length.max(samples.capacity().saturating_mul(2));
        limits::try_reserve(capacity.saturating_mul(size_of::<T>())).ok()?;
        samples.reserve_exact(capacity.saturating_sub(samples.len()));
    }
    Some(())
}

/// Compares two sounds, each WAV or FLAC; `None` when one of them cannot be decoded.
pub(super) fn compare(before: &[u8], after: &[u8]) -> Option<SoundChange> {
    let (before, after) = (decode_sound(before)?, decode_sound(after)?);
    let mut change = SoundChange {
        format_before: before.format,
        format_after: after.format,
        samples_before: before.samples.len() as u64,
        samples_after: after.samples.len() as u64,
        samples: None,
        largest: 0,
    };
    if before.format != after.format {
        return Some(change);
    }
    let common = before.samples.iter().zip(&after.samples);
    let differences = common.map(|(one, other)| u64::from(one.abs_diff(*other)));
    let mut different = change.samples_before.abs_diff(change.samples_after);
    for difference in differences {
        different += u64::from(difference > 0);
        change.largest = change.largest.max(difference);
    }
    change.samples = Some(different);
    Some(change)
}
