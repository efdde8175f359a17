//! IMA ADPCM in Microsoft's blocks.
//!
//! ```text
//! block: a channel: first sample, i16; step index, u8; 0, u8
//!        nibbles, low half of a byte first; of stereo, four bytes per channel in turn
//! ```
//!
//! A nibble is a sign and three bits that select fractions of the step; it adapts the step's index.
//! The fractions are shifted separately and then added, as common decoders do.

use crate::riff::{Format, FormatTag};
use relicast_codec::{Decoded, Deviations, FixedSize, Result};

use super::blocks::{Blocks, clamp, frames_of_blocks, nibbles};

/// Size of a block's header for each channel.
const HEADER: usize = 4;
/// Number of consecutive bytes of each channel.
const GROUP: usize = 4;

/// Changes of the step index, by nibble without its sign.
const INDEX_STEPS: [i16; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];

const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66,
    73, 80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449,
    494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272,
    2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493,
    10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];
const LAST_INDEX: u8 = 88;

#[derive(Debug, Clone, Copy, Default)]
struct Predictor {
    sample: i16,
    index: u8,
}

impl Predictor {
    fn step(self) -> i32 {
        let step = STEPS.get(usize::from(self.index)).copied();
        step.unwrap_or_default()
    }

    fn next(&mut self, nibble: u8) -> i16 {
        let step = self.step();
        let mut difference = step >> 3;
        for (bit, shift) in [(4, 0), (2, 1), (1, 2)] {
            if nibble & bit != 0 {
                difference += step >> shift;
            }
        }
        if nibble & 8 != 0 {
            difference = -difference;
        }
        self.sample = clamp(i64::from(self.sample) + i64::from(difference));
        let change = INDEX_STEPS.get(usize::from(nibble & 7)).copied();
        let index = i16::from(self.index) + change.unwrap_or_default();
        let index = index.clamp(0, i16::from(LAST_INDEX));
        self.index = u8::try_from(index).unwrap_or_default();
        self.sample
    }

    /// The nibble that leads closest to `sample` from below.
    fn nibble(self, sample: i16) -> u8 {
        let difference = i32::from(sample) - i32::from(self.sample);
        let sign = if difference < 0 { 8 } else { 0 };
        let (mut rest, step) = (difference.abs(), self.step());
        let mut nibble = sign;
        for (bit, shift) in [(4, 0), (2, 1), (1, 2)] {
            if rest >= step >> shift {
                nibble |= bit;
                rest -= step >> shift;
            }
        }
        nibble
    }
}

/// Decodes IMA ADPCM to interleaved samples.
///
/// A step index past the table is replaced by the last one. A short last block yields the frames that it
/// holds for all channels. Both are deviations, with offsets from the start of `data`.
///
/// # Errors
/// The format has another coding, other than one or two channels, or blocks that are too small for
/// their header.
pub fn decode_ima(format: &Format<'_>, data: &[u8]) -> Result<Decoded<Vec<i16>>> {
    let mut deviations = Deviations::default();
    let blocks = Blocks::new(format, FormatTag::ImaAdpcm, HEADER, &mut deviations)?;
    let rest = blocks.size.saturating_sub(blocks.header) % (2 * GROUP);
    if blocks.channels == 2 && rest != 0 {
        deviations.push(
            "fmt.block_align",
            12,
            "whole groups of four bytes per channel",
            format_args!("bytes left over: {rest}"),
        );
    }
    let mut samples = Vec::with_capacity(blocks.capacity(data.len()));
    for (offset, header, body) in blocks.split(data, &mut deviations) {
        let mut predictors = [Predictor::default(); 2];
        let predictors = predictors.get_mut(..blocks.channels).unwrap_or_default();
        for (channel, (predictor, header)) in predictors
            .iter_mut()
            .zip(header.chunks_exact(HEADER))
            .enumerate()
        {
            let &[low, high, index, zero] = header else {
                continue;
            };
            let position = offset.saturating_add(channel.saturating_mul(HEADER));
            if index > LAST_INDEX {
                let expected = format!("at most {LAST_INDEX}");
                deviations.push("index", position.saturating_add(2), expected, index);
            }
            if zero != 0 {
                deviations.push("reserved", position.saturating_add(3), 0, zero);
            }
            *predictor = Predictor {
                sample: i16::from_le_bytes([low, high]),
                index: index.min(LAST_INDEX),
            };
        }
        samples.extend(predictors.iter().map(|predictor| predictor.sample));
        match predictors {
            [mono] => {
                for &byte in body {
                    let (low, high) = nibbles(byte);
                    samples.push(mono.next(low));
                    samples.push(mono.next(high));
                }
            }
            [left, right] => {
                for group in body.chunks_exact(2 * GROUP) {
                    let (lefts, rights) = group.split_at_checked(GROUP).unwrap_or_default();
                    for (&of_left, &of_right) in lefts.iter().zip(rights) {
                        let (left_low, left_high) = nibbles(of_left);
                        let (right_low, right_high) = nibbles(of_right);
                        samples.push(left.next(left_low));
                        samples.push(right.next(right_low));
                        samples.push(left.next(left_high));
                        samples.push(right.next(right_high));
                    }
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

/// Encodes interleaved samples in whole blocks of `format`; the last is padded with its last frame.
///
/// # Errors
/// Like [`decode_ima`].
pub fn encode_ima(format: &Format<'_>, samples: &[i16]) -> Result<Vec<u8>> {
    let blocks = Blocks::new(
        format,
        FormatTag::ImaAdpcm,
        HEADER,
        &mut Deviations::default(),
    )?;
    // Stereo blocks hold groups of four bytes per channel; a remainder that is too small for one stays empty.
    let body = blocks.size.saturating_sub(blocks.header);
    let whole = match blocks.channels {
        2 => body / (2 * GROUP) * (2 * GROUP),
        _ => body,
    };
    let frames = (whole.saturating_mul(2) / blocks.channels.max(1)).saturating_add(1);
    let mut out = Vec::new();
    let mut predictors = vec![Predictor::default(); blocks.channels];
    for block in frames_of_blocks(samples, blocks.channels, frames) {
        let coded: Vec<Vec<u8>> = predictors
            .iter_mut()
            .enumerate()
            .map(|(channel, predictor)| {
                let mut own = block.iter().skip(channel).step_by(blocks.channels).copied();
                predictor.sample = own.next().unwrap_or_default();
                predictor.sample.store(&mut out);
                [predictor.index, 0].store(&mut out);
                let nibbles: Vec<u8> = own
                    .map(|sample| {
                        let nibble = predictor.nibble(sample);
                        predictor.next(nibble);
                        nibble
                    })
                    .collect();
                nibbles
                    .chunks(2)
                    .map(|pair| match *pair {
                        [low, high] => high << 4 | low,
                        [low] => low,
                        _ => 0,
                    })
                    .collect()
            })
            .collect();
        match &*coded {
            [left, right] => {
                for (left, right) in left.chunks(GROUP).zip(right.chunks(GROUP)) {
                    out.extend(left);
                    out.extend(right);
                }
            }
            _ => coded.iter().for_each(|bytes| out.extend(bytes)),
        }
        out.extend(std::iter::repeat_n(0, body.saturating_sub(whole)));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handmade_block_decodes_as_calculated() {
        let format = Format::ima_adpcm(1, 11025, 5);
        // Step 7 (index 0): nibble 4 adds 7 + 0, index 2; step 9: nibble 9 takes 1 + 2.
        let samples = decode_ima(&format, &[100, 0, 0, 0, 0x94]).unwrap();
        assert_eq!(samples.value, [100, 107, 104]);
        assert!(samples.deviations.is_empty());
    }

    #[test]
    fn stereo_groups_are_interleaved() {
        let format = Format::ima_adpcm(2, 22050, 16);
        let mut block = vec![10, 0, 0, 0, 20, 0, 0, 0];
        block.extend([0x44, 0, 0, 0]);
        block.extend([0xCC, 0, 0, 0]);
        let samples = decode_ima(&format, &block).unwrap().value;
        assert_eq!(samples.len(), 2 * 9);
        assert_eq!(samples[..4], [10, 20, 17, 13]);
        let mono: Vec<i16> = samples.iter().step_by(2).copied().collect();
        let alone = [10, 0, 0, 0, 0x44, 0, 0, 0];
        let alone = decode_ima(&Format::ima_adpcm(1, 22050, 8), &alone).unwrap();
        assert_eq!(mono, alone.value);
    }

    #[test]
    fn index_past_the_table_is_a_deviation() {
        let format = Format::ima_adpcm(1, 11025, 5);
        let last = decode_ima(&format, &[0, 0, 88, 0, 0x80]).unwrap();
        let clamped = decode_ima(&format, &[0, 0, 255, 0, 0x80]).unwrap();
        assert_eq!(clamped.value, last.value);
        assert_eq!(clamped.deviations.total(), 1);
    }
}
