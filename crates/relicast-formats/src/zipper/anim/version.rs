//! Differences between the animations of the games as a whole, and structures whose layout depends on the game.

use crate::zipper::ZipperGame;
use relicast_codec::{Field, Reader, Result, Stream, Writer, sizes};

impl ZipperGame {
    /// The version word of its animations.
    pub const fn animation_version(self) -> u32 {
        match self {
            Self::Recoil => 28,
            Self::MechWarrior3 => 39,
            Self::PiratesMoon => 50,
            Self::CrimsonSkies => 53,
        }
    }

    /// The game whose animations have this version word.
    pub fn from_animation_version(version: u32) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|game| game.animation_version() == version)
    }

    /// True when scripts are in a pool at the end of the file, false when they are in the events.
    pub const fn has_script_pool(self) -> bool {
        self.since(Self::PiratesMoon)
    }

    /// True when each definition has a reset block, whose first 64 bytes its fixed part repeats.
    pub const fn embeds_reset_state(self) -> bool {
        self.until(Self::MechWarrior3)
    }
}

/// A structure whose layout depends on the version; declared once for both directions.
pub trait Versioned: Default {
    /// Bytes that this value takes in a file of `version`.
    fn length(&self, version: ZipperGame) -> usize;

    /// Returns true if `payload` is exactly one such structure, so that reading it cannot fail.
    fn fits(payload: &[u8], version: ZipperGame) -> bool;

    /// Visits every field in file order.
    ///
    /// # Errors
    /// The bytes break a hard rule.
    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()>;
}

/// A structure of one size for each version.
impl<T: Field<ZipperGame> + Default> Versioned for T {
    fn length(&self, version: ZipperGame) -> usize {
        sizes::at(T::SIZES, version as usize)
    }

    fn fits(payload: &[u8], version: ZipperGame) -> bool {
        payload.len() == sizes::at(T::SIZES, version as usize)
    }

    #[inline]
    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()> {
        Field::visit(self, "", stream, version)
    }
}

/// A [`Stream`] that can look ahead.
pub trait Peek<'a>: Stream<'a> {
    /// The next `length` bytes, without moving; `None` when fewer remain, and always when writing.
    fn peek(&self, length: usize) -> Option<&'a [u8]>;
}

impl<'a> Peek<'a> for Reader<'a> {
    #[inline]
    fn peek(&self, length: usize) -> Option<&'a [u8]> {
        self.whole().get(self.position()..)?.get(..length)
    }
}

impl<'a> Peek<'a> for Writer {
    #[inline]
    fn peek(&self, _length: usize) -> Option<&'a [u8]> {
        None
    }
}
