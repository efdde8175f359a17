//! `ZONE_sndbnk.eff`: names of sounds, in sections. A text with one name per line.
//!
//! ```
//! use relicast_formats::everquest::sound::bank::{Section, decode, encode};
//!
//! let bytes = b"EMIT\r\nwind\r\n";
//! let bank = decode(bytes)?.value;
//! assert_eq!(bank.names(Section::Emit).collect::<Vec<_>>(), ["wind"]);
//! assert_eq!(encode(&bank)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use super::eff::{SoundId, SoundSource, client_sound};
use super::lines::{self, Line};
use relicast_codec::{Decoded, Deviations, FormatError, Result};

/// Section of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// Sounds from 1 on.
    Emit,
    /// Sounds from 162 on.
    Loop,
    /// Sounds at random.
    Rand,
}

/// The bank: its lines as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SoundBank {
    /// All lines, those with the names of sections included.
    pub lines: Vec<Line>,
}

fn heading(text: &str) -> Option<Section> {
    let text = text.trim();
    [
        ("EMIT", Section::Emit),
        ("LOOP", Section::Loop),
        ("RAND", Section::Rand),
    ]
    .into_iter()
    .find_map(|(word, section)| text.eq_ignore_ascii_case(word).then_some(section))
}

impl SoundBank {
    /// The names of a section, without extension.
    pub fn names(&self, section: Section) -> impl Iterator<Item = &str> {
        let mut current = None;
        self.lines.iter().filter_map(move |line| {
            let text = line.text.trim();
            if let Some(next) = heading(text) {
                current = Some(next);
                return None;
            }
            (current == Some(section) && !text.is_empty()).then_some(text)
        })
    }

    /// Name of the sound with a number, without extension; `None` for music files, for numbers beyond
    /// the lists, and for the client's own sounds with an unknown name.
    pub fn sound(&self, id: SoundId) -> Option<&str> {
        let (section, place) = match id.source() {
            SoundSource::Emit(place) => (Section::Emit, place),
            SoundSource::Loop(place) => (Section::Loop, place),
            SoundSource::Client(number) => return client_sound(number),
            SoundSource::None | SoundSource::MusicFile(_) => return None,
        };
        self.names(section).nth((place as usize).checked_sub(1)?)
    }
}

/// Decodes a bank.
///
/// A name before the first section is a deviation.
///
/// # Errors
/// There are lines, but none is the name of a section.
pub fn decode(bytes: &[u8]) -> Result<Decoded<SoundBank>> {
    let mut deviations = Deviations::default();
    let bank = SoundBank {
        lines: lines::split(bytes).collect(),
    };
    let first = bank.lines.iter().find(|line| !line.text.trim().is_empty());
    if let Some(line) = first.filter(|line| heading(&line.text).is_none()) {
        let expected = "the name of a section: EMIT, LOOP or RAND";
        let found: String = line.text.chars().take(60).collect();
        if !bank.lines.iter().any(|line| heading(&line.text).is_some()) {
            return Err(FormatError::malformed("lines", 0, expected, found));
        }
        deviations.push("lines", 0, expected, found);
    }
    Ok(Decoded {
        value: bank,
        deviations,
    })
}

/// Encodes a bank.
///
/// # Errors
/// A character is not in Windows-1252.
pub fn encode(bank: &SoundBank) -> Result<Vec<u8>> {
    lines::join(bank.lines.iter()).ok_or_else(|| {
        FormatError::unencodable("lines", 0, "text in Windows-1252", "another character")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_find_their_names() {
        let text = b"EMIT\r\nfirst\r\nsecond\r\n\r\nLOOP\nthird\n\x80";
        let bank = decode(text).unwrap();
        assert!(bank.deviations.is_empty());
        let bank = bank.value;
        let name = |number| bank.sound(SoundId(number));
        assert_eq!(name(2), Some("second"));
        assert_eq!(name(3), None);
        assert_eq!(name(162), Some("third"));
        assert_eq!(name(163), Some("€"));
        assert_eq!(name(39), Some("death_me"));
        assert_eq!(name(-1), None);
        assert_eq!(bank.names(Section::Rand).count(), 0);
        assert_eq!(encode(&bank).unwrap(), text);
    }

    #[test]
    fn a_name_outside_the_sections_is_reported() {
        assert_eq!(decode(b"lost\nEMIT\n").unwrap().deviations.total(), 1);
        assert!(decode(b"").unwrap().deviations.is_empty());
        assert_eq!(decode(b"\r\nlost\n").unwrap_err().field(), "lines");
    }
}
