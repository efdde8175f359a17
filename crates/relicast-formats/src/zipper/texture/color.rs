//! 16-bit colors: red in bits 15 to 11, green in 10 to 5, blue in 4 to 0.
//!
//! A channel widens to `floor(v * 255 / max + 0.5)`, which is the rule of the reference and has an exact inverse.
//! Replicating bits would differ for some values.
//!
//! ```
//! use relicast_formats::zipper::texture::color::Rgb565;
//!
//! assert_eq!(Rgb565(0xF800).to_rgb8(), [255, 0, 0]);
//! assert_eq!(Rgb565::from_rgb8([0, 0, 255]), Rgb565(0x001F));
//! ```

use serde::{Serialize, Serializer};

use relicast_codec::FixedSize;

const fn widen(value: u16, maximum: u32) -> u8 {
    let rounded = (value as u32 * 510 + maximum) / (2 * maximum);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "value is at most maximum, so the quotient is at most 255"
    )]
    {
        rounded as u8
    }
}

const fn narrow(value: u8, maximum: u32) -> u16 {
    let rounded = (value as u32 * 2 * maximum + 255) / 510;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the quotient is at most maximum, which is 31 or 63"
    )]
    {
        rounded as u16
    }
}

/// A 5:6:5 color word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rgb565(pub u16);

impl Rgb565 {
    /// The word that is transparent with simple alpha.
    pub const KEY: Self = Self(0);

    /// Red, green, blue, 0 to 255 each.
    pub const fn to_rgb8(self) -> [u8; 3] {
        [
            widen(self.0 >> 11, 31),
            widen((self.0 >> 5) & 63, 63),
            widen(self.0 & 31, 31),
        ]
    }

    /// The nearest word; exact for every color that [`Rgb565::to_rgb8`] makes.
    pub const fn from_rgb8([red, green, blue]: [u8; 3]) -> Self {
        Self((narrow(red, 31) << 11) | (narrow(green, 63) << 5) | narrow(blue, 31))
    }
}

impl FixedSize for Rgb565 {
    const SIZE: usize = 2;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        u16::load(bytes).map(Self)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

relicast_codec::json_form_of!(Rgb565 => u16);

impl Serialize for Rgb565 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_exact_rounding_and_inverts() {
        for word in 0..=u16::MAX {
            let color = Rgb565(word);
            let [red, green, blue] = color.to_rgb8();
            let exact = |value: u16, maximum: f64| (f64::from(value) * 255.0 / maximum + 0.5) as u8;
            assert_eq!(red, exact(word >> 11, 31.0));
            assert_eq!(green, exact((word >> 5) & 63, 63.0));
            assert_eq!(blue, exact(word & 31, 31.0));
            assert_eq!(Rgb565::from_rgb8([red, green, blue]), color);
        }
    }
}
