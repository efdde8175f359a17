//! Pictures with the color, opacity and use of alpha of a material in their texels: the games draw pictures without these.

use std::fmt::Write as _;

use crate::pack::edited::Refusal;
use crate::pack::picture::{Pixels, level};
use crate::pack::scene::file::surface::Surface;

/// Changes that a material makes to the texels of its picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Paint {
    /// Factors of linear red, green and blue.
    color: [f32; 3],
    /// Factor of alpha.
    opacity: f32,
    alpha: AlphaUse,
}

/// Use of the alpha of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
enum AlphaUse {
    None,
    /// Opaque from this on, 0 to 1.
    Cut(f32),
    All,
}

impl Paint {
    /// The changes of an edited material that the original one does not make.
    ///
    /// # Errors
    /// It makes the texels brighter.
    pub(super) fn of_edited(old: &Surface, new: &Surface) -> Result<Self, Refusal> {
        let alpha = match (&*new.alpha.mode, new.alpha.cutoff) {
            _ if old.alpha == new.alpha => AlphaUse::All,
            ("OPAQUE", _) => AlphaUse::None,
            ("MASK", cutoff) => AlphaUse::Cut(cutoff.unwrap_or(0.5)),
            _ => AlphaUse::All,
        };
        let ratio = |new: f32, old: f32| if old > 0.0 { new / old } else { 1.0 };
        let [old_red, old_green, old_blue] = old.color;
        let [red, green, blue] = new.color;
        let paint = Self {
            color: [
                ratio(red, old_red),
                ratio(green, old_green),
                ratio(blue, old_blue),
            ],
            opacity: ratio(new.opacity, old.opacity),
            alpha,
        };
        let mut factors = paint.color.iter().chain([&paint.opacity]);
        match factors.any(|factor| *factor > 1.003) {
            false => Ok(paint),
            true => Err(refusal!(
                "objects that have it make its color darker or less opaque, and it is now more than that; paint the picture instead"
            )),
        }
    }

    /// The changes of a new material; `is_opaque`: its alpha is not used.
    pub(super) fn of_new(new: &Surface, is_opaque: bool) -> Self {
        Self {
            color: new.color,
            opacity: new.opacity,
            alpha: match is_opaque {
                true => AlphaUse::None,
                false => AlphaUse::All,
            },
        }
    }

    /// The picture in a PNG with this paint, as a PNG; `None` if its texels stay.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn apply(&self, png: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
        let mut pixels = Pixels::new(png)?;
        let is_changed = pixels.paint(self.color, |alpha| self.alpha(alpha));
        is_changed.then(|| pixels.png()).transpose()
    }

    fn alpha(&self, alpha: u8) -> u8 {
        let shown = f32::from(alpha) / 255.0 * self.opacity;
        match self.alpha {
            AlphaUse::None => u8::MAX,
            AlphaUse::Cut(from) if shown < from => 0,
            AlphaUse::Cut(_) => u8::MAX,
            AlphaUse::All => (shown * 255.0).round() as u8,
        }
    }

    /// The painted values, in words.
    pub(super) fn words(&self) -> String {
        let parts = [
            (self.color != [1.0; 3], "color"),
            (self.opacity < 1.0, "opacity"),
            (self.alpha != AlphaUse::All, "alpha mode"),
        ];
        let parts = parts.iter().filter(|(is_any, _)| *is_any);
        let parts: Vec<&str> = parts.map(|(_, word)| *word).collect();
        parts.join(" and ")
    }

    /// Ending for the name of the new picture. It is no number, which names of materials are given.
    pub(super) fn ending(&self) -> String {
        let white = level(1.0);
        let [red, green, blue] = self.color.map(level);
        let mut ending = match [red, green, blue] == [white; 3] {
            true => String::new(),
            false => format!("_t{red:02x}{green:02x}{blue:02x}"),
        };
        match self.alpha {
            AlphaUse::None => {}
            AlphaUse::Cut(_) => ending.push_str("_c"),
            AlphaUse::All if self.opacity < 1.0 => {
                let _ = write!(ending, "_a{:02x}", (self.opacity * 255.0).round() as u8);
            }
            AlphaUse::All => {}
        }
        match ending.is_empty() {
            true => "_o".to_owned(),
            false => ending,
        }
    }
}
