//! The block of names.

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

use super::encoded_text::obscure;
use super::name::Name;
use crate::everquest::plain;
use relicast_codec::{FormatError, Result};

/// Maximum length of a resolved name, in bytes; names of the games have less than forty.
const MAX_NAME_LENGTH: usize = 256;

/// The names of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct StringTable {
    /// The strings with their NULs; the first is empty.
    strings: Strings,
    /// Bytes after the last NUL, as stored, if they are not the zeros that fill the last word.
    odd_padding: Option<Vec<u8>>,
}

/// Strings with their NULs.
#[derive(Debug, Clone, PartialEq)]
enum Strings {
    /// All of them are ASCII, as in nearly every file, so they need no conversion.
    Ascii(String),
    /// Some are not ASCII.
    Other(Vec<u8>),
}

impl Strings {
    fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => Self::Ascii(text),
            Ok(text) => Self::Other(text.into_bytes()),
            Err(error) => Self::Other(error.into_bytes()),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Ascii(text) => text.as_bytes(),
            Self::Other(bytes) => bytes,
        }
    }

    /// Appends a string and its NUL.
    fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Ascii(text) if bytes.is_ascii() => {
                text.extend(bytes.iter().copied().map(char::from));
                text.push('\0');
            }
            Self::Ascii(text) => {
                let mut all = std::mem::take(text).into_bytes();
                all.extend_from_slice(bytes);
                all.push(0);
                *self = Self::Other(all);
            }
            Self::Other(all) => {
                all.extend_from_slice(bytes);
                all.push(0);
            }
        }
    }
}

impl Default for StringTable {
    fn default() -> Self {
        Self {
            strings: Strings::Ascii("\0".to_owned()),
            odd_padding: None,
        }
    }
}

fn padding(length: usize) -> usize {
    length.next_multiple_of(4).saturating_sub(length)
}

impl StringTable {
    /// The table stored in `block`.
    pub(super) fn from_block(block: &[u8]) -> Self {
        let mut strings = obscure(block);
        let end = strings.iter().rposition(|&byte| byte == 0);
        strings.truncate(end.map_or(0, |end| end.saturating_add(1)));
        let rest = block.get(strings.len()..).unwrap_or_default();
        let usual = rest.len() == padding(strings.len()) && rest.iter().all(|&byte| byte == 0);
        Self {
            odd_padding: (!usual).then(|| rest.to_vec()),
            strings: Strings::new(strings),
        }
    }

    /// The block as it is stored.
    pub(super) fn to_block(&self) -> Vec<u8> {
        let mut block = obscure(self.strings.bytes());
        match &self.odd_padding {
            Some(rest) => block.extend_from_slice(rest),
            None => block.resize(block.len().next_multiple_of(4), 0),
        }
        block
    }

    /// True if the block ends in the zeros that fill its last word.
    pub(super) fn is_padded(&self) -> bool {
        self.odd_padding.is_none()
    }

    /// Number of strings.
    pub fn count(&self) -> usize {
        self.strings
            .bytes()
            .iter()
            .filter(|&&byte| byte == 0)
            .count()
    }

    /// The string at `offset`; `None` if there is none, or none that ends soon. Nearly all are ASCII and short, and
    /// need no memory of their own.
    pub fn get(&self, offset: usize) -> Option<SmolStr> {
        let rest = self.strings.bytes().get(offset..)?;
        let near = rest.get(..MAX_NAME_LENGTH).unwrap_or(rest);
        let length = near.iter().position(|&byte| byte == 0)?;
        let end = offset.checked_add(length)?;
        match &self.strings {
            Strings::Ascii(text) => text.get(offset..end).map(SmolStr::from),
            Strings::Other(bytes) => bytes
                .get(offset..end)
                .map(|stored| plain::text(stored).into()),
        }
    }

    /// Looks up the text of `name`; false if its reference names no string.
    pub(super) fn resolve(&self, name: &mut Name) -> bool {
        if name.reference >= 0 {
            return true;
        }
        let offset = usize::try_from(name.reference.unsigned_abs()).ok();
        name.text = offset.and_then(|offset| self.get(offset));
        name.text.is_some()
    }

    /// Adds a string and returns the name that refers to it. The empty string is not stored again.
    ///
    /// # Errors
    /// Windows-1252 cannot encode it, it is too long or holds a NUL, or the table is full.
    pub fn add(&mut self, text: &str) -> Result<Name> {
        if text.is_empty() {
            return Ok(Name::default());
        }
        let offset = self.strings.bytes().len();
        let bytes = plain::text_bytes(text)
            .filter(|bytes| bytes.len() < MAX_NAME_LENGTH && !bytes.contains(&0));
        let reference = i32::try_from(offset).ok().and_then(i32::checked_neg);
        let (Some(bytes), Some(reference)) = (bytes, reference) else {
            let expected = "a short name in Windows-1252";
            return Err(FormatError::unencodable("strings", offset, expected, text));
        };
        self.strings.push(&bytes);
        self.odd_padding = None;
        Ok(Name {
            reference,
            text: Some(text.into()),
        })
    }
}

relicast_codec::json_form_of!(StringTable => Vec<String>);

impl Serialize for StringTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let strings = self.strings.bytes();
        let strings = strings.strip_suffix(&[0]).unwrap_or(strings);
        serializer.collect_seq(strings.split(|&byte| byte == 0).map(plain::text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_the_negated_reference() {
        let mut table = StringTable::default();
        let first = table.add("AB_DMSPRITEDEF").unwrap();
        let second = table.add("É").unwrap();
        assert_eq!((first.reference, second.reference), (-1, -16));
        let block = table.to_block();
        assert_eq!(block.len(), 20);
        assert_eq!(block[..3], [0x95, 0x3A ^ b'A', 0xC5 ^ b'B']);
        assert_eq!(block[18..], [0, 0]);
        let read = StringTable::from_block(&block);
        assert_eq!(read, table);
        assert_eq!(read.get(1).as_deref(), Some("AB_DMSPRITEDEF"));
        assert_eq!(read.get(16).as_deref(), Some("É"));
        assert_eq!(read.get(0).as_deref(), Some(""));
        assert_eq!(read.get(18), None);
        assert_eq!(read.count(), 3);
    }

    #[test]
    fn names_of_any_length_and_case_are_resolved() {
        // The bytes of the last one are also valid UTF-8, of another text.
        for text in ["A", "A_NAME_OF_MORE_THAN_TWENTY_THREE_LETTERS", "ÉÉ", "AÃ©"] {
            let mut table = StringTable::default();
            let added = table.add(text).unwrap();
            let mut read = Name {
                reference: added.reference,
                text: None,
            };
            assert!(table.resolve(&mut read));
            assert_eq!((read.as_str(), &read), (text, &added));
        }
    }

    #[test]
    fn odd_blocks_survive() {
        for block in [
            &b""[..],
            b"\x95",
            b"abcdefg",
            b"\x95\x3a\xc5\x2a\0",
            b"\0\0\0\0",
        ] {
            assert_eq!(StringTable::from_block(block).to_block(), block);
        }
    }

    #[test]
    fn a_name_without_an_end_nearby_is_not_resolved() {
        let mut long = vec![b'a'; 100_000];
        long.push(0);
        let table = StringTable::from_block(&obscure(&long));
        assert_eq!(table.get(0), None);
        assert_eq!(table.get(99_999).as_deref(), Some("a"));
        assert!(StringTable::default().add(&"a".repeat(300)).is_err());
        assert!(StringTable::default().add("a\0b").is_err());
    }
}
