//! Frames of a FLAC stream (RFC 9639, section 9). Each depends only on its samples and its number, so frames can be
//! encoded independently.

use crc::{CRC_8_SMBUS, CRC_16_UMTS, Crc, Table};

use super::bits::BitWriter;
use super::predict::{self, Linear, Spectrum};
use super::rice::Partitions;

/// Samples of a channel in a frame; the last frame has the rest.
pub(crate) const BLOCK: usize = 4096;

/// Checksum of a frame's header (section 9.1.8).
static HEADER: Crc<u8> = Crc::<u8>::new(&CRC_8_SMBUS);

/// Checksum of a whole frame (section 9.3).
static WHOLE: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_UMTS);

/// Properties shared by all frames of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// 1 to 655,350 Hz.
    pub(crate) rate: u32,
    /// 1 to 8.
    pub(crate) channels: u8,
    /// Bits of a sample: 8 or 16.
    pub(crate) depth: u8,
}

/// Encoder of frames, with shared scratch memory.
#[derive(Debug)]
pub(crate) struct FrameEncoder {
    format: Format,
    window: Vec<f32>,
    seen: Vec<f32>,
    /// The channels, then middle and side of two.
    parts: Vec<Part>,
}

/// A channel, or the middle or side of two channels, with its cheapest coding.
#[derive(Debug, Default)]
struct Part {
    /// Samples, without the low bits that are 0 in all of them.
    samples: Vec<i32>,
    /// Number of these bits.
    wasted: u32,
    /// Bits of a sample without the wasted ones.
    depth: u32,
    residual: Vec<i32>,
    spare: Vec<i32>,
    way: SubframeCoding,
    /// Approximate size of the subframe, in bits.
    bits: u64,
}

/// Coding of the samples of a subframe.
#[derive(Debug, Default)]
enum SubframeCoding {
    #[default]
    Constant,
    Verbatim,
    Fixed(usize, Partitions),
    Linear(Linear, Partitions),
}

impl FrameEncoder {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            window: Vec::new(),
            seen: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Appends the frame of this number to `out`. `samples` are interleaved, at most [`BLOCK`] of each channel.
    pub(crate) fn encode(&mut self, number: u64, samples: &[i32], out: &mut Vec<u8>) {
        let start = out.len();
        let count = usize::from(self.format.channels);
        let length = samples.len() / count.max(1);
        if self.window.len() != length {
            self.window = predict::window(length);
        }
        self.fill(samples, count);
        let depth = u32::from(self.format.depth);
        for (index, part) in self.parts.iter_mut().enumerate() {
            let is_side = count == 2 && index == 3;
            part.choose(depth + u32::from(is_side), &self.window, &mut self.seen);
        }
        let (code, chosen) = self.best();
        header(self.format, number, length, code, out);
        let mut bits = BitWriter::new(out);
        for part in chosen.iter().filter_map(|&index| self.parts.get(index)) {
            part.write(&mut bits);
        }
        bits.finish();
        let sum = WHOLE.checksum(&out[start..]);
        out.extend_from_slice(&sum.to_be_bytes());
    }

    /// Loads the samples of all parts.
    fn fill(&mut self, samples: &[i32], count: usize) {
        self.parts
            .resize_with(if count == 2 { 4 } else { count }, Part::default);
        for (index, part) in self.parts.iter_mut().take(count).enumerate() {
            part.samples.clear();
            let own = samples.iter().skip(index).step_by(count);
            part.samples.extend(own);
        }
        if let [left, right, middle, side] = self.parts.as_mut_slice()
            && count == 2
        {
            let pairs = || left.samples.iter().zip(&right.samples);
            middle.samples.clear();
            middle
                .samples
                .extend(pairs().map(|(left, right)| (left + right) >> 1));
            side.samples.clear();
            side.samples
                .extend(pairs().map(|(left, right)| left - right));
        }
    }

    /// Returns the channel assignment and its parts with the fewest bits: two independent channels, one channel and the
    /// difference, or middle and side.
    fn best(&self) -> (u8, Vec<usize>) {
        const PAIRS: [(u8, [usize; 2]); 4] = [(1, [0, 1]), (8, [0, 3]), (9, [3, 1]), (10, [2, 3])];
        if self.format.channels != 2 {
            return (self.format.channels - 1, (0..self.parts.len()).collect());
        }
        let bits = |index: usize| self.parts.get(index).map_or(0, |part| part.bits);
        let cost = |pair: &&(u8, [usize; 2])| pair.1.iter().map(|&index| bits(index)).sum::<u64>();
        let (code, pair) = PAIRS.iter().min_by_key(cost).unwrap_or(&PAIRS[0]);
        (*code, pair.to_vec())
    }
}

impl Part {
    /// Finds the cheapest coding of the samples.
    fn choose(&mut self, depth: u32, window: &[f32], seen: &mut Vec<f32>) {
        let used = self.samples.iter().fold(0, |used, sample| used | sample);
        self.wasted = if used == 0 { 0 } else { used.trailing_zeros() };
        self.depth = depth - self.wasted;
        if self.wasted > 0 {
            for sample in &mut self.samples {
                *sample >>= self.wasted;
            }
        }
        let samples = self.samples.as_slice();
        let first = samples.first().copied().unwrap_or(0);
        if samples.iter().all(|&sample| sample == first) {
            (self.way, self.bits) = (SubframeCoding::Constant, u64::from(self.depth));
            return;
        }
        let verbatim = samples.len() as u64 * u64::from(self.depth);
        (self.way, self.bits) = (SubframeCoding::Verbatim, verbatim);
        let warm_up = |order: usize| order as u64 * u64::from(self.depth);
        let spectrum = Spectrum::new(samples, window, seen);
        let order = spectrum.best_order(samples.len(), self.depth);
        if let Some(linear) = spectrum.linear(order, samples.len()) {
            linear.residual(samples, &mut self.residual);
            let cut = Partitions::new(&self.residual, order);
            let fields = order as u64 * u64::from(linear.precision) + 9;
            let bits = cut.bits.saturating_add(warm_up(order) + fields);
            if bits < self.bits {
                (self.way, self.bits) = (SubframeCoding::Linear(linear, cut), bits);
            }
        }
        let (order, left) = predict::fixed_order(samples);
        // This is a lower bound of a residual's size, so most orders can be skipped.
        if least_bits(left, samples.len()) + warm_up(order) < self.bits {
            predict::fixed_residual(samples, order, &mut self.spare);
            let cut = Partitions::new(&self.spare, order);
            let bits = cut.bits.saturating_add(warm_up(order));
            if bits < self.bits {
                std::mem::swap(&mut self.residual, &mut self.spare);
                (self.way, self.bits) = (SubframeCoding::Fixed(order, cut), bits);
            }
        }
    }

    /// Writes the subframe.
    fn write(&self, bits: &mut BitWriter<'_>) {
        let code = match &self.way {
            SubframeCoding::Constant => 0,
            SubframeCoding::Verbatim => 1,
            SubframeCoding::Fixed(order, _) => 0b00_1000 | *order as u32,
            SubframeCoding::Linear(linear, _) => 0b10_0000 | (linear.order as u32 - 1),
        };
        bits.put(code << 1 | u32::from(self.wasted > 0), 8);
        if self.wasted > 0 {
            bits.put_unary(self.wasted - 1);
        }
        let stored = match &self.way {
            SubframeCoding::Constant => 1,
            SubframeCoding::Verbatim => self.samples.len(),
            SubframeCoding::Fixed(order, _) => *order,
            SubframeCoding::Linear(linear, _) => linear.order,
        };
        for &sample in self.samples.iter().take(stored) {
            bits.put_signed(sample, self.depth);
        }
        match &self.way {
            SubframeCoding::Constant | SubframeCoding::Verbatim => {}
            SubframeCoding::Fixed(order, cut) => cut.write(&self.residual, *order, bits),
            SubframeCoding::Linear(linear, cut) => {
                put_linear(linear, bits);
                cut.write(&self.residual, linear.order, bits);
            }
        }
    }
}
/// Lower bound of the bits of the Rice code for so many numbers with this sum of magnitudes.
fn least_bits(sum: u64, count: usize) -> u64 {
    let count = count as u64;
    let mean = sum.checked_div(count).unwrap_or(0);
    count * u64::from(mean.checked_ilog2().unwrap_or(0))
}

fn put_linear(linear: &Linear, bits: &mut BitWriter<'_>) {
    bits.put(linear.precision - 1, 4);
    bits.put(linear.shift, 5);
    for &coefficient in linear.coefficients.iter().take(linear.order) {
        bits.put_signed(coefficient, linear.precision);
    }
}

/// Writes the header. Block sizes are constant except for the last, so frames are numbered; the number is coded like a
/// UTF-8 character.
fn header(format: Format, number: u64, length: usize, channels: u8, out: &mut Vec<u8>) {
    let start = out.len();
    let length_code = match length {
        BLOCK => 12,
        0..=256 => 6,
        _ => 7,
    };
    let rates = [
        88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ];
    let known = rates.iter().position(|&rate| rate == format.rate);
    let (rate_code, rate) = match (known, format.rate) {
        (Some(place), _) => (place as u8 + 1, None),
        (None, rate @ 0..=0xFFFF) => (13, Some(rate)),
        (None, rate) if rate % 10 == 0 => (14, Some(rate / 10)),
        _ => (0, None),
    };
    let depth_code = if format.depth == 8 { 1 } else { 4 };
    out.extend_from_slice(&[
        0xFF,
        0xF8,
        length_code << 4 | rate_code,
        channels << 4 | depth_code << 1,
    ]);
    put_number(number, out);
    let last = (length.saturating_sub(1) as u16).to_be_bytes();
    match length_code {
        6 => out.push(last[1]),
        7 => out.extend_from_slice(&last),
        _ => {}
    }
    if let Some(rate) = rate {
        out.extend_from_slice(&(rate as u16).to_be_bytes());
    }
    let sum = HEADER.checksum(&out[start..]);
    out.push(sum);
}

fn put_number(number: u64, out: &mut Vec<u8>) {
    let bits = u64::BITS - number.leading_zeros();
    let low = |shift: u32| number.checked_shr(shift).unwrap_or(0).to_le_bytes()[0];
    if bits <= 7 {
        out.push(low(0));
        return;
    }
    // Each byte after the first holds six bits, and takes one from the first.
    let more = (1..6).find(|more| bits <= 5 * more + 6).unwrap_or(6);
    let marks = !(0xFF_u8.checked_shr(more + 1).unwrap_or(0));
    out.push(marks | low(6 * more));
    for byte in (0..more).rev() {
        out.push(0x80 | low(6 * byte) & 0x3F);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes frames after a header with an independent decoder.
    fn decoded(format: Format, samples: &[i32]) -> Vec<i32> {
        use flac_codec::metadata::{BlockList, Streaminfo, write_blocks};
        let mut file = Vec::new();
        let blocks = BlockList::new(Streaminfo {
            minimum_block_size: BLOCK as u16,
            maximum_block_size: BLOCK as u16,
            minimum_frame_size: None,
            maximum_frame_size: None,
            sample_rate: format.rate,
            channels: format.channels.try_into().unwrap(),
            bits_per_sample: u32::from(format.depth).try_into().unwrap(),
            total_samples: std::num::NonZeroU64::new(
                samples.len() as u64 / u64::from(format.channels),
            ),
            md5: None,
        });
        write_blocks(&mut file, blocks.blocks()).unwrap();
        let mut encoder = FrameEncoder::new(format);
        let blocks = samples.chunks(BLOCK * usize::from(format.channels));
        for (number, block) in (0..).zip(blocks) {
            encoder.encode(number, block, &mut file);
        }
        let mut reader = claxon::FlacReader::new(&*file).unwrap();
        reader.samples().map(Result::unwrap).collect()
    }

    #[test]
    fn a_foreign_decoder_finds_all_samples_of_any_signal() {
        type Signal<'a> = Box<dyn Fn(usize) -> i32 + 'a>;
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state as i32 >> 16
        };
        let noise: Vec<i32> = (0..20_000).map(|_| random()).collect();
        let signals: [(&str, Signal<'_>); 9] = [
            ("silence", Box::new(|_| 0)),
            ("lowest", Box::new(|_| -32_768)),
            (
                "ends of the range",
                Box::new(|at| {
                    if at / 2 % 2 == at % 2 {
                        32_767
                    } else {
                        -32_768
                    }
                }),
            ),
            (
                "square",
                Box::new(|at| if at / 100 % 2 == 0 { 32_767 } else { -32_768 }),
            ),
            ("noise", Box::new(|at| noise[at])),
            (
                "seldom a click",
                Box::new(|at| if at % 999 == 0 { 32_767 } else { 0 }),
            ),
            ("ramp", Box::new(|at| at as i32 / 2 % 60_000 - 30_000)),
            ("few bits", Box::new(|at| noise[at] >> 10 << 6)),
            (
                "tone",
                Box::new(|at| (libm::sin(at as f64 * 0.01) * 32_000.0) as i32 + (noise[at] >> 12)),
            ),
        ];
        for (name, signal) in &signals {
            for (depth, channels) in [(16, 1), (16, 2), (8, 2), (16, 3), (8, 8)] {
                for frames in [1, 2, 9, 16, 192, 257, 2048] {
                    let range = 0..frames * usize::from(channels);
                    let samples: Vec<i32> = range.map(|at| signal(at) >> (16 - depth)).collect();
                    let format = Format {
                        rate: 11_025,
                        channels,
                        depth,
                    };
                    let back = decoded(format, &samples);
                    assert!(
                        back == samples,
                        "{name}, {channels} of {depth} bits, {frames} frames"
                    );
                }
            }
            let samples: Vec<i32> = (0..2 * (BLOCK + 100)).map(signal).collect();
            let format = Format {
                rate: 44_100,
                channels: 2,
                depth: 16,
            };
            assert!(decoded(format, &samples) == samples, "{name}, two frames");
        }
    }

    #[test]
    fn each_signal_takes_the_way_that_fits() {
        let size = |signal: &dyn Fn(usize) -> i32| {
            let samples: Vec<i32> = (0..BLOCK).map(signal).collect();
            let format = Format {
                rate: 44_100,
                channels: 1,
                depth: 16,
            };
            let mut out = Vec::new();
            FrameEncoder::new(format).encode(0, &samples, &mut out);
            out.len()
        };
        assert!(size(&|_| 77) < 16, "a constant");
        assert!(
            size(&|at| at as i32 * 3 - 5000) < BLOCK / 4,
            "a straight line"
        );
        let tone = |at: usize| (libm::sin(at as f64 * 1.2) * 30_000.0) as i32;
        assert!(
            size(&tone) < BLOCK,
            "{} bytes: no fixed predictor knows a tone",
            size(&tone)
        );
        let noise =
            |at: usize| i32::from((at as u32).wrapping_mul(2_654_435_761).rotate_left(9) as i16);
        assert!(
            size(&noise) < 2 * BLOCK + 16,
            "noise takes no more than it has"
        );
    }

    #[test]
    fn numbers_are_encoded_as_characters_are() {
        for (number, letter) in [
            (0x7F, '\u{7F}'),
            (0x80, '\u{80}'),
            (0x7FF, '\u{7FF}'),
            (0x800, '\u{800}'),
            (0xFFFF, '\u{FFFF}'),
            (0x1_0000, '\u{10000}'),
        ] {
            let mut out = Vec::new();
            put_number(number, &mut out);
            let mut text = [0; 4];
            assert_eq!(out, letter.encode_utf8(&mut text).as_bytes(), "{number}");
        }
        let mut out = Vec::new();
        put_number((1 << 31) - 1, &mut out);
        assert_eq!(out, [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]);
        out.clear();
        put_number(1 << 31, &mut out);
        assert_eq!(out, [0xFE, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80]);
    }
}
