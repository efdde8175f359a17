//! Flag words whose bits differ by game, unified into one set of names.

use bitflags::Flags;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::zipper::ZipperGame;
use relicast_codec::{Field, FormatError, Result, Sizes, Stream, shown};

/// Names of flags with the bit of each in the stored word of every game.
pub trait GameFlags: Flags<Bits = u32> + Copy + 'static {
    /// Each flag of `version` and its stored bit.
    fn bits_in(version: ZipperGame) -> &'static [(Self, u32)];

    /// Splits a stored word into names and the bits without one.
    fn split(word: u32, version: ZipperGame) -> ByGame<Self> {
        let mut known = Self::empty();
        let mut unknown = word;
        for &(flag, bit) in Self::bits_in(version) {
            if word & bit != 0 {
                known.insert(flag);
                unknown &= !bit;
            }
        }
        ByGame { known, unknown }
    }
}

/// A flag word: the known flags under their unified names, and the bits that have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByGame<F> {
    /// Flags with a name.
    pub known: F,
    /// Bits without a name, at their place in the stored word.
    pub unknown: u32,
}

impl<F: GameFlags> ByGame<F> {
    /// Returns true if all of `flags` are set.
    pub fn contains(&self, flags: F) -> bool {
        self.known.contains(flags)
    }

    /// The stored word; `None` when the game has no bit for one of the flags.
    pub fn word(self, version: ZipperGame) -> Option<u32> {
        let mut left = self.known;
        let mut word = self.unknown;
        for &(flag, bit) in F::bits_in(version) {
            if left.contains(flag) {
                left.remove(flag);
                word |= bit;
            }
        }
        left.is_empty().then_some(word)
    }

    pub(super) fn encoded(self, name: &'static str, at: usize, version: ZipperGame) -> Result<u32> {
        self.word(version).ok_or_else(|| {
            FormatError::unencodable(
                name,
                at,
                format_args!("flags of {}", shown(&version)),
                format_args!("{:#x}", self.known.bits()),
            )
        })
    }
}

impl<F: GameFlags> From<F> for ByGame<F> {
    fn from(known: F) -> Self {
        Self { known, unknown: 0 }
    }
}

impl<F: GameFlags> Default for ByGame<F> {
    fn default() -> Self {
        Self::from(F::empty())
    }
}

impl<F: GameFlags> Field<ZipperGame> for ByGame<F> {
    const SIZES: Sizes = [4; 4];

    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        let at = stream.position();
        let mut word = match S::READING {
            true => 0,
            false => self.encoded(name, at, version)?,
        };
        stream.value(name, &mut word)?;
        if S::READING {
            *self = F::split(word, version);
            if self.unknown != 0 {
                stream.deviate(name, at, "known flags", format_args!("{word:#x}"));
            }
        }
        Ok(())
    }
}

relicast_codec::json_form!(@[F: GameFlags] ByGame<F> = {
    "type": "object",
    "required": ["known", "unknown"],
    "properties": {
        "known": {"description": "Names of the flags that are set", "type": "array", "items": {"type": "string"}},
        "unknown": {"description": "Bits without a known name", "type": "integer", "minimum": 0}
    }
});

impl<F: GameFlags> Serialize for ByGame<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let names: Vec<String> = self
            .known
            .iter_names()
            .map(|(name, _)| name.to_ascii_lowercase())
            .collect();
        let mut fields = serializer.serialize_struct("Flags", 2)?;
        fields.serialize_field("known", &names)?;
        fields.serialize_field("unknown", &self.unknown)?;
        fields.end()
    }
}
