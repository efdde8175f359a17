//! S3 texture compression: blocks of 4 × 4 pixels.

/// One of the three block formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockFormat {
    /// 8 bytes: colors, one of them transparent if the first end is not the greater.
    Dxt1,
    /// 16 bytes: four bits of alpha a pixel, then colors.
    Dxt3,
    /// 16 bytes: interpolated alpha, then colors.
    Dxt5,
}

impl BlockFormat {
    /// Bytes of a block.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Dxt1 => 8,
            Self::Dxt3 | Self::Dxt5 => 16,
        }
    }
}

/// Red, green, blue of a 5-6-5 word, the high bits repeated below.
fn color(word: u16) -> [u8; 3] {
    let red = (word >> 11 & 31) as u8;
    let green = (word >> 5 & 63) as u8;
    let blue = (word & 31) as u8;
    [
        red << 3 | red >> 2,
        green << 2 | green >> 4,
        blue << 3 | blue >> 2,
    ]
}

/// The weighted mean of two bytes, rounded to nearest.
fn blend(a: u8, a_weight: u16, b: u8, b_weight: u16) -> u8 {
    let total = a_weight.saturating_add(b_weight).max(1);
    let sum = u16::from(a)
        .saturating_mul(a_weight)
        .saturating_add(u16::from(b).saturating_mul(b_weight));
    u8::try_from(sum.saturating_add(total / 2) / total).unwrap_or(u8::MAX)
}

fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

/// The four colors of a block.
fn colors(first: u16, second: u16, format: BlockFormat) -> [[u8; 4]; 4] {
    let (a, b) = (color(first), color(second));
    let mix = |a_weight, b_weight| {
        let [ar, ag, ab] = a;
        let [br, bg, bb] = b;
        opaque([
            blend(ar, a_weight, br, b_weight),
            blend(ag, a_weight, bg, b_weight),
            blend(ab, a_weight, bb, b_weight),
        ])
    };
    if first > second || format != BlockFormat::Dxt1 {
        [opaque(a), opaque(b), mix(2, 1), mix(1, 2)]
    } else {
        [opaque(a), opaque(b), mix(1, 1), [0; 4]]
    }
}

/// The eight alphas of a DXT5 block.
fn alphas(first: u8, second: u8) -> [u8; 8] {
    let mix = |a_weight, b_weight| blend(first, a_weight, second, b_weight);
    if first > second {
        [
            first,
            second,
            mix(6, 1),
            mix(5, 2),
            mix(4, 3),
            mix(3, 4),
            mix(2, 5),
            mix(1, 6),
        ]
    } else {
        [
            first,
            second,
            mix(4, 1),
            mix(3, 2),
            mix(2, 3),
            mix(1, 4),
            0,
            255,
        ]
    }
}

/// Number made of little-endian bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Pixels of one block, row by row. Missing bytes count as 0.
pub(super) fn decode_block(block: &[u8], format: BlockFormat) -> [[u8; 4]; 16] {
    let (alpha, color_part) = match format {
        BlockFormat::Dxt1 => (&[][..], block),
        _ => block.split_at_checked(8).unwrap_or_default(),
    };
    let part = word(color_part.get(..8).unwrap_or(color_part));
    let palette = colors((part & 0xFFFF) as u16, (part >> 16 & 0xFFFF) as u16, format);
    let choices = part >> 32;
    let alpha_bits = word(alpha);
    let ramp = alphas((alpha_bits & 0xFF) as u8, (alpha_bits >> 8 & 0xFF) as u8);
    let mut pixels = [[0; 4]; 16];
    for (index, pixel) in (0_u32..).zip(&mut pixels) {
        let choice = (choices >> index.saturating_mul(2) & 3) as usize;
        let [r, g, b, a] = palette.get(choice).copied().unwrap_or_default();
        let a = match format {
            BlockFormat::Dxt1 => a,
            BlockFormat::Dxt3 => ((alpha_bits >> index.saturating_mul(4) & 15) as u8) * 17,
            BlockFormat::Dxt5 => {
                let shift = index.saturating_mul(3).saturating_add(16);
                let choice = (alpha_bits >> shift & 7) as usize;
                ramp.get(choice).copied().unwrap_or_default()
            }
        };
        *pixel = [r, g, b, a];
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_ends_determines_whether_a_color_is_clear() {
        let red = 0xF800_u16.to_le_bytes();
        let blue = 0x001F_u16.to_le_bytes();
        let choices = [0b11_10_01_00, 0, 0, 0];
        let block = [red, blue].concat();
        let pixels = decode_block(&[&block[..], &choices].concat(), BlockFormat::Dxt1);
        assert_eq!(
            pixels[..4],
            [
                [255, 0, 0, 255],
                [0, 0, 255, 255],
                [170, 0, 85, 255],
                [85, 0, 170, 255]
            ]
        );
        let block = [blue, red].concat();
        let pixels = decode_block(&[&block[..], &choices].concat(), BlockFormat::Dxt1);
        assert_eq!(pixels[2..4], [[128, 0, 128, 255], [0, 0, 0, 0]]);
    }

    #[test]
    fn alpha_is_stored_or_interpolated() {
        let colors = [0xFF, 0xFF, 0, 0, 0, 0, 0, 0];
        let stored = [0x10, 0xF2, 0, 0, 0, 0, 0, 0];
        let pixels = decode_block(&[stored, colors].concat(), BlockFormat::Dxt3);
        let alphas: Vec<u8> = pixels[..4].iter().map(|pixel| pixel[3]).collect();
        assert_eq!(alphas, [0, 17, 34, 255]);
        assert_eq!(pixels[0][..3], [255; 3]);

        // Choices 0, 1, 2 and 7 of a falling ramp, then the same of a rising one.
        let choices = [0b10_001_000, 0b0000_1110, 0, 0, 0, 0];
        for (ends, expected) in [([255, 3], [255, 3, 219, 39]), ([0, 250], [0, 250, 50, 255])] {
            let alpha = [&ends[..], &choices].concat();
            let pixels = decode_block(&[&alpha[..], &colors].concat(), BlockFormat::Dxt5);
            let alphas: Vec<u8> = pixels[..4].iter().map(|pixel| pixel[3]).collect();
            assert_eq!(alphas, expected);
        }
    }
}
