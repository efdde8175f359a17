//! Microsoft ADPCM.
//!
//! ```text
//! block: predictor index, u8 a channel
//!        step, i16 a channel
//!        second sample, i16 a channel
//!        first sample, i16 a channel
//!        nibbles, high half of a byte first; of stereo, high is left and low is right
//! ```
//!
//! A sample is predicted from the two previous samples, with the weights that the index selects. A signed
//! nibble times the step is added, and the nibble adapts the step. The division of the prediction by
//! 256 rounds toward zero, as common decoders do.

use crate::riff::{Format, FormatTag, STANDARD_COEFFICIENTS};
use relicast_codec::{Decoded, Deviations, FixedSize, Result};

use super::blocks::{Blocks, clamp, frames_of_blocks, nibbles};

/// Size of a block's header for each channel.
const HEADER: usize = 7;

/// Factor of the step for each nibble, in units of 1/256.
const ADAPTATION: [i64; 16] = [
    230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230,
];

/// Smallest step.
const SMALLEST_STEP: i64 = 16;
/// Largest step; files of real encoders stay far below.
const MAX_STEP: i64 = i32::MAX as i64 / 768;

#[derive(Debug, Clone, Copy, Default)]
struct Predictor {
    weights: [i64; 2],
    step: i64,
    last: i64,
    before: i64,
}

impl Predictor {
    fn new(weights: [i16; 2], step: i16, last: i16, before: i16) -> Self {
        Self {
            weights: weights.map(i64::from),
            step: i64::from(step),
            last: i64::from(last),
            before: i64::from(before),
        }
    }

    /// The next sample before correction. The terms are 16 bits wide, so nothing overflows.
    fn predict(&self) -> i64 {
        let [first, second] = self.weights;
        (self.last * first + self.before * second) / 256
    }

    fn next(&mut self, nibble: u8) -> i16 {
        let signed = i64::from(nibble) - if nibble >= 8 { 16 } else { 0 };
        let sample = clamp(self.predict() + signed * self.step);
        let factor = ADAPTATION.get(usize::from(nibble)).copied();
        self.step = ((factor.unwrap_or_default() * self.step) >> 8).clamp(SMALLEST_STEP, MAX_STEP);
        self.before = self.last;
        self.last = i64::from(sample);
        sample
    }

    /// The nibble that leads closest to `sample`.
    fn nibble(&self, sample: i16) -> u8 {
        let difference = i64::from(sample) - self.predict();
        let step = self.step.max(1);
        let half = if difference < 0 { -step / 2 } else { step / 2 };
        let signed = ((difference + half) / step).clamp(-8, 7);
        u8::try_from(signed & 0x0F).unwrap_or_default()
    }
}

/// Decodes Microsoft ADPCM to interleaved samples.
///
/// Weights come from the format's extension if it has them. A predictor index without weights
/// is replaced by the last one. A short last block yields the frames it holds. Both are deviations, with
/// offsets from the start of `data`.
///
/// # Errors
/// The format has another coding, other than one or two channels, or blocks that are too small for
/// their header.
pub fn decode_ms(format: &Format<'_>, data: &[u8]) -> Result<Decoded<Vec<i16>>> {
    let mut deviations = Deviations::default();
    let blocks = Blocks::new(format, FormatTag::MsAdpcm, HEADER, &mut deviations)?;
    let weights = format.ms_coefficients().unwrap_or_else(|| {
        deviations.push("fmt.coefficients", 20, "a table of weights", "none");
        STANDARD_COEFFICIENTS.to_vec()
    });
    let mut samples = Vec::with_capacity(blocks.capacity(data.len()));
    for (offset, header, body) in blocks.split(data, &mut deviations) {
        let mut predictors = [Predictor::default(); 2];
        let predictors = predictors.get_mut(..blocks.channels).unwrap_or_default();
        let (indices, words) = header.split_at_checked(blocks.channels).unwrap_or_default();
        let word = |row: usize, channel: usize| {
            let at =
                (row.saturating_mul(blocks.channels).saturating_add(channel)).saturating_mul(2);
            words.get(at..).and_then(i16::load).unwrap_or_default()
        };
        for (channel, (predictor, &index)) in predictors.iter_mut().zip(indices).enumerate() {
            let weights = weights.get(usize::from(index)).or_else(|| {
                deviations.push(
                    "predictor",
                    offset.saturating_add(channel),
                    format_args!("below {}", weights.len()),
                    index,
                );
                weights.last()
            });
            *predictor = Predictor::new(
                weights.copied().unwrap_or_default(),
                word(0, channel),
                word(1, channel),
                word(2, channel),
            );
        }
        samples.extend(predictors.iter().map(|predictor| clamp(predictor.before)));
        samples.extend(predictors.iter().map(|predictor| clamp(predictor.last)));
        match predictors {
            [mono] => {
                for &byte in body {
                    let (low, high) = nibbles(byte);
                    samples.push(mono.next(high));
                    samples.push(mono.next(low));
                }
            }
            [left, right] => {
                for &byte in body {
                    let (low, high) = nibbles(byte);
                    samples.push(left.next(high));
                    samples.push(right.next(low));
                }
            }
            _ => {}
        }
    }
    Ok(Decoded {
        value: samples,
        deviations,
    })
}

/// A channel of a block, encoded with one choice of weights.
struct Attempt {
    index: u8,
    step: i16,
    nibbles: Vec<u8>,
    error: i64,
}

fn attempt(index: u8, weights: [i16; 2], channel: &[i16]) -> Option<Attempt> {
    let [before, last, rest @ ..] = channel else {
        return None;
    };
    let mut predictor = Predictor::new(weights, 0, *last, *before);
    let first = rest.first().copied().unwrap_or(*last);
    let difference = (i64::from(first) - predictor.predict()).abs();
    predictor.step = (difference / 4).clamp(SMALLEST_STEP, i64::from(i16::MAX));
    let step = clamp(predictor.step);
    let mut error = 0_i64;
    let nibbles = rest
        .iter()
        .map(|&sample| {
            let nibble = predictor.nibble(sample);
            let missed = i64::from(sample) - i64::from(predictor.next(nibble));
            error = error.saturating_add(missed * missed);
            nibble
        })
        .collect();
    Some(Attempt {
        index,
        step,
        nibbles,
        error,
    })
}

/// Encodes interleaved samples in whole blocks of `format`; the last is padded with its last frame.
/// For each block and channel the standard weights with the smallest error are used.
///
/// # Errors
/// Like [`decode_ms`].
pub fn encode_ms(format: &Format<'_>, samples: &[i16]) -> Result<Vec<u8>> {
    let blocks = Blocks::new(
        format,
        FormatTag::MsAdpcm,
        HEADER,
        &mut Deviations::default(),
    )?;
    let body = blocks.size.saturating_sub(blocks.header);
    let frames = (body.saturating_mul(2) / blocks.channels.max(1)).saturating_add(2);
    let mut out = Vec::new();
    for block in frames_of_blocks(samples, blocks.channels, frames) {
        let channels: Vec<Vec<i16>> = (0..blocks.channels)
            .map(|channel| {
                let own = block.iter().skip(channel).step_by(blocks.channels);
                own.copied().collect()
            })
            .collect();
        let best: Vec<Attempt> = channels
            .iter()
            .filter_map(|channel| {
                (0_u8..)
                    .zip(STANDARD_COEFFICIENTS)
                    .filter_map(|(index, weights)| attempt(index, weights, channel))
                    .min_by_key(|attempt| attempt.error)
            })
            .collect();
        out.extend(best.iter().map(|attempt| attempt.index));
        best.iter().for_each(|attempt| attempt.step.store(&mut out));
        for row in [1, 0] {
            let samples = channels.iter().filter_map(|channel| channel.get(row));
            samples.for_each(|sample| sample.store(&mut out));
        }
        match &*best {
            [mono] => out.extend(mono.nibbles.chunks(2).map(|pair| match *pair {
                [high, low] => high << 4 | low,
                [high] => high << 4,
                _ => 0,
            })),
            [left, right] => out.extend(
                left.nibbles
                    .iter()
                    .zip(&right.nibbles)
                    .map(|(high, low)| high << 4 | low),
            ),
            _ => {}
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two samples of the header, then nibbles calculated by hand: weights (512, -256) continue the
    /// line 100, 110 to 120; nibble 1 adds the step of 16.
    #[test]
    fn handmade_block_decodes_as_calculated() {
        let format = Format::ms_adpcm(1, 11025, 8);
        let block = [1, 16, 0, 110, 0, 100, 0, 0x1F];
        let samples = decode_ms(&format, &block).unwrap();
        // 2*110-100 + 16 = 136; then 2*136-110 - 16 = 146.
        assert_eq!(samples.value, [100, 110, 136, 146]);
        assert!(samples.deviations.is_empty());
    }

    #[test]
    fn prediction_rounds_toward_zero() {
        let format = Format::ms_adpcm(1, 11025, 8);
        // Weights (240, 0): -1 * 240 / 256 is 0 toward zero, and -1 by a shift.
        let block = [4, 16, 0, 0xFF, 0xFF, 0, 0, 0x00];
        assert_eq!(decode_ms(&format, &block).unwrap().value, [0, -1, 0, 0]);
    }

    #[test]
    fn unknown_predictor_is_a_deviation() {
        let format = Format::ms_adpcm(1, 11025, 8);
        let mut block = [6, 16, 0, 110, 0, 100, 0, 0x1F];
        let last = decode_ms(&format, &block).unwrap();
        block[0] = 200;
        let clamped = decode_ms(&format, &block).unwrap();
        assert_eq!(clamped.value, last.value);
        assert_eq!(clamped.deviations.total(), 1);
    }

    #[test]
    fn stored_weights_are_used() {
        let mut format = Format::ms_adpcm(1, 11025, 8);
        let mut extension = format.extension.to_vec();
        extension[6..10].copy_from_slice(&[0, 0, 0, 1]);
        format.extension = extension.into();
        // Weights (0, 256) repeat the sample before the last.
        let block = [0, 16, 0, 110, 0, 100, 0, 0x00];
        assert_eq!(
            decode_ms(&format, &block).unwrap().value,
            [100, 110, 100, 110]
        );
    }
}
