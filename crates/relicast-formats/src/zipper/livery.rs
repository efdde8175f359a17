//! Liveries of Crimson Skies (`*.bm`): the planes of a painted skin, and their blending.
//!
//! ```text
//! u16 height, u16 width
//! base picture, red, green and blue per texel
//! weights of the three paints, one plane each
//! overlay, red, green, blue and alpha per texel
//! ```
//!
//! Rows are stored from bottom to top.
//!
//! ```
//! use relicast_formats::zipper::livery::{Livery, Rule, decode, encode};
//!
//! let bytes = [1, 0, 1, 0, 200, 100, 50, 255, 0, 0, 0, 0, 0, 0];
//! let livery = decode(&bytes)?.value;
//! let red = livery.painted(Rule::WeightsWhite, [[255, 0, 0], [0; 3], [0; 3]]);
//! assert_eq!(red, [200, 0, 0]);
//! assert_eq!(encode(&livery)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use relicast_codec::{
    Blob, Decoded, FormatError, Result, Stream, Walk, decode as decode_walk, encode as encode_walk,
};

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The three paints of a livery.
pub type Paints = [Rgb; 3];

/// Bytes per texel in all planes together.
const PER_TEXEL: u64 = 10;

/// Blending of paints where weights do not sum to 255.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Base times the weighted sum of the paints; unpainted texels are black.
    Weights,
    /// Each paint in turn multiplies the base; unpainted texels show the base.
    Multiply,
    /// As `Weights`, with the missing weight as white.
    #[default]
    WeightsWhite,
}

/// A decoded livery. Planes are as stored, the bottom row first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Livery<'a> {
    /// Rows.
    pub height: u16,
    /// Texels in a row.
    pub width: u16,
    /// Shading: red, green and blue per texel.
    pub base: Blob<'a>,
    /// Amount of each paint in each texel.
    pub weights: [Blob<'a>; 3],
    /// Overlay on the paint: red, green, blue and straight alpha per texel.
    pub overlay: Blob<'a>,
    /// Bytes after the planes; none in any file seen.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

impl<'a> Walk<'a> for Livery<'a> {
    const SMALLEST: usize = 4;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        stream.value("height", &mut self.height)?;
        stream.value("width", &mut self.width)?;
        let texels = self.texel_count();
        if S::READING {
            if texels == 0 {
                return Err(FormatError::malformed(
                    "height",
                    offset,
                    "at least one texel",
                    format_args!("{} rows of {}", self.height, self.width),
                ));
            }
            let needed = (texels as u64).saturating_mul(PER_TEXEL);
            if needed > stream.remaining() as u64 {
                let remaining = stream.remaining();
                return Err(FormatError::truncated(
                    "base",
                    stream.position(),
                    needed,
                    remaining,
                ));
            }
        }
        let of = |channels: usize| texels.saturating_mul(channels);
        stream.bytes("base", &mut self.base.0, of(3))?;
        for plane in &mut self.weights {
            stream.bytes("weights", &mut plane.0, texels)?;
        }
        stream.bytes("overlay", &mut self.overlay.0, of(4))?;
        stream.trailing(&mut self.trailing.0)
    }
}

/// Rows in the opposite order.
fn flipped(plane: &[u8], row: usize) -> Vec<u8> {
    plane.rchunks_exact(row.max(1)).flatten().copied().collect()
}

impl Livery<'_> {
    /// Number of texels.
    pub fn texel_count(&self) -> usize {
        usize::from(self.width).saturating_mul(usize::from(self.height))
    }

    fn row(&self, channels: usize) -> usize {
        usize::from(self.width).saturating_mul(channels)
    }

    /// Red, green and blue of the shading, the top row first.
    pub fn base_picture(&self) -> Vec<u8> {
        flipped(&self.base, self.row(3))
    }

    /// Weights of the three paints as red, green and blue, the top row first.
    pub fn mask_picture(&self) -> Vec<u8> {
        let [one, two, three] = &self.weights;
        let texels = one.iter().zip(two.iter()).zip(three.iter());
        let joined: Vec<u8> = texels
            .flat_map(|((&one, &two), &three)| [one, two, three])
            .collect();
        flipped(&joined, self.row(3))
    }

    /// The overlay with its alpha, the top row first.
    pub fn overlay_picture(&self) -> Vec<u8> {
        flipped(&self.overlay, self.row(4))
    }

    /// The skin in these paints: red, green and blue per texel, the top row first.
    pub fn painted(&self, rule: Rule, paints: Paints) -> Vec<u8> {
        let base = self.base.as_chunks::<3>().0.iter();
        let overlay = self.overlay.as_chunks::<4>().0.iter();
        let [one, two, three] = &self.weights;
        let weights = one.iter().zip(two.iter()).zip(three.iter());
        let texels = base.zip(weights).zip(overlay);
        let painted: Vec<u8> = texels
            .flat_map(
                |((base, ((&one, &two), &three)), &[red, green, blue, alpha])| {
                    let under = texel(rule, *base, [one, two, three], paints);
                    let over = [red, green, blue];
                    std::array::from_fn::<u8, 3, _>(|channel| {
                        let (under, over) = (under.get(channel), over.get(channel));
                        blend(
                            under.copied().unwrap_or(0),
                            over.copied().unwrap_or(0),
                            alpha,
                        )
                    })
                },
            )
            .collect();
        flipped(&painted, self.row(3))
    }
}

/// `over` on `under` with straight alpha.
fn blend(under: u8, over: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    let sum = u32::from(under) * (255 - alpha) + u32::from(over) * alpha;
    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
}

/// The division by 255 of picture tools: exact rounding without a division.
fn divided(product: u32) -> u32 {
    let sum = product + 128;
    (sum + (sum >> 8)) >> 8
}

/// A texel before the overlay.
fn texel(rule: Rule, base: Rgb, weights: [u8; 3], paints: Paints) -> Rgb {
    let weights = weights.map(u32::from);
    let mut channel = 0_usize;
    base.map(|base| {
        let paint = paints.map(|paint| u32::from(paint.get(channel).copied().unwrap_or(0)));
        channel += 1;
        let value = match rule {
            Rule::Multiply => multiplied(u32::from(base), weights, paint),
            Rule::Weights => weighted(u32::from(base), weights, paint, 0),
            Rule::WeightsWhite => {
                let missing = 255_u32.saturating_sub(weights.iter().sum());
                weighted(u32::from(base), weights, paint, missing)
            }
        };
        u8::try_from(value).unwrap_or(u8::MAX)
    })
}

/// `base · Σ(weight · paint) / 255²`, rounded; `white` is one more weight, of white.
fn weighted(base: u32, weights: [u32; 3], paint: [u32; 3], white: u32) -> u32 {
    let sum: u32 = weights
        .iter()
        .zip(paint)
        .map(|(weight, paint)| weight * paint)
        .sum();
    let sum = sum + white * 255;
    // Adding half of 255² rounds. An exact tie is impossible, because 255² is odd.
    (base * sum + 255 * 255 / 2) / (255 * 255)
}

/// The base multiplied with a plane of each paint.
fn multiplied(base: u32, weights: [u32; 3], paint: [u32; 3]) -> u32 {
    weights
        .iter()
        .zip(paint)
        .fold(base, |base, (&weight, paint)| {
            let plane = divided(255 * (255 - weight) + paint * weight);
            base * plane / 255
        })
}

/// Decodes a livery.
///
/// # Errors
/// It has no texels, or fewer bytes than its texels need.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Livery<'_>>> {
    decode_walk(bytes)
}

/// Encodes a livery.
///
/// # Errors
/// Its planes do not have the stated size.
pub fn encode(livery: &Livery<'_>) -> Result<Vec<u8>> {
    encode_walk(livery)
}

/// True if a file has exactly the bytes that its size requires.
pub fn looks_like(bytes: &[u8]) -> bool {
    decode(bytes).is_ok_and(|decoded| decoded.value.trailing.is_empty())
}

impl<'a> Livery<'a> {
    /// A livery from planes with the top row first: shading, weights of the three paints as red, green and
    /// blue, overlay.
    pub fn from_pictures(
        width: u16,
        height: u16,
        base: &[u8],
        mask: &[u8],
        overlay: &[u8],
    ) -> Self {
        let row = |channels: usize| usize::from(width).saturating_mul(channels);
        let mask = flipped(mask, row(3));
        let plane = |channel: usize| -> Cow<'a, [u8]> {
            let weights = mask.as_chunks::<3>().0.iter();
            Cow::Owned(
                weights
                    .filter_map(|texel| texel.get(channel))
                    .copied()
                    .collect(),
            )
        };
        Self {
            height,
            width,
            base: Blob::from(flipped(base, row(3))),
            weights: [Blob(plane(0)), Blob(plane(1)), Blob(plane(2))],
            overlay: Blob::from(flipped(overlay, row(4))),
            trailing: Blob::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAINTS: Paints = [[200, 30, 40], [10, 220, 90], [250, 250, 250]];
    const RULES: [Rule; 3] = [Rule::Weights, Rule::Multiply, Rule::WeightsWhite];

    fn texel_of(base: Rgb, weights: [u8; 3], overlay: [u8; 4]) -> Livery<'static> {
        Livery::from_pictures(1, 1, &base, &weights, &overlay)
    }

    #[test]
    fn one_full_weight_gives_one_result_by_every_rule() {
        let base = [255, 100, 40];
        for (place, paint) in PAINTS.iter().enumerate() {
            let mut weights = [0; 3];
            weights[place] = 255;
            let livery = texel_of(base, weights, [9, 9, 9, 0]);
            for rule in RULES {
                let painted = livery.painted(rule, PAINTS);
                for channel in 0..3 {
                    let exact = f64::from(base[channel]) * f64::from(paint[channel]) / 255.0;
                    assert!(
                        (exact - f64::from(painted[channel])).abs() <= 1.0,
                        "{rule:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_overlay_covers_and_bare_texels_show_the_base() {
        let covered = texel_of([255; 3], [255, 0, 0], [1, 2, 3, 255]);
        let bare = texel_of([7, 8, 9], [0; 3], [255, 255, 255, 0]);
        for rule in RULES {
            assert_eq!(covered.painted(rule, PAINTS), [1, 2, 3]);
        }
        assert_eq!(bare.painted(Rule::Multiply, PAINTS), [7, 8, 9]);
        assert_eq!(bare.painted(Rule::WeightsWhite, PAINTS), [7, 8, 9]);
        assert_eq!(bare.painted(Rule::Weights, PAINTS), [0, 0, 0]);
    }

    #[test]
    fn pictures_give_the_planes_back() {
        let base: Vec<u8> = (0..18).collect();
        let mask: Vec<u8> = (20..38).collect();
        let overlay: Vec<u8> = (40..64).collect();
        let livery = Livery::from_pictures(2, 3, &base, &mask, &overlay);
        assert_eq!(livery.base_picture(), base);
        assert_eq!(livery.mask_picture(), mask);
        assert_eq!(livery.overlay_picture(), overlay);
        let bytes = encode(&livery).unwrap();
        assert_eq!(bytes[..4], [3, 0, 2, 0]);
        assert_eq!(bytes[4..10], base[12..]);
        assert_eq!(decode(&bytes).unwrap().value, livery);
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn sizes_that_cannot_be_are_refused_and_more_bytes_are_kept() {
        assert!(decode(&[0, 0, 4, 0]).is_err());
        assert!(decode(&[255; 68]).is_err());
        let mut bytes = encode(&texel_of([1; 3], [2; 3], [3; 4])).unwrap();
        bytes.extend([7, 7, 7]);
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.total(), 1);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
        assert!(!looks_like(&bytes));
    }
}
