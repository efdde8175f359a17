//! Names in the block of strings, and obscured text that lies in a fragment itself.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::fields::count16;
use super::reference::FragmentRef;
use super::strings::{StringTable, obscure};
use crate::formats::codec::{Result, Stream};
use crate::formats::everquest::plain;

/// A reference into the block of strings, with its text.
///
/// Serialises as the text; as the number where it is no name or cannot be resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// As stored: minus the offset of the string; 0 for no name. Writers store this number.
    pub reference: i32,
    /// The string, set by [`decode`](super::decode) and [`StringTable::add`].
    pub text: Option<Box<str>>,
}

impl Name {
    /// The text, empty when there is none.
    pub fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The fragment that is meant, where the field may hold a name or a fragment's number.
    pub fn fragment(&self) -> Option<FragmentRef> {
        (self.reference > 0).then_some(FragmentRef(self.reference))
    }

    pub(super) fn walk<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
    ) -> Result<()> {
        stream.value(field, &mut self.reference)
    }

    /// Looks the text up; false when the reference leads to no string.
    pub(super) fn resolve(&mut self, strings: &StringTable) -> bool {
        if self.reference >= 0 {
            return true;
        }
        let offset = usize::try_from(self.reference.unsigned_abs()).ok();
        self.text = offset
            .and_then(|offset| strings.get(offset))
            .map(String::into_boxed_str);
        self.text.is_some()
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match (&self.text, self.reference) {
            (Some(text), _) => serializer.serialize_str(text),
            (None, 0) => serializer.serialize_none(),
            (None, reference) => serializer.serialize_i32(reference),
        }
    }
}

/// Text that lies obscured in a fragment. All its bytes are kept; serialises as the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodedText {
    /// The bytes made plain, NULs included.
    pub bytes: Vec<u8>,
}

impl EncodedText {
    /// The text and one NUL; `None` when Windows-1252 cannot spell it.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = plain::text_bytes(text)?;
        bytes.push(0);
        Some(Self { bytes })
    }

    /// The text before the first NUL.
    pub fn text(&self) -> String {
        let text = self.bytes.split(|&byte| byte == 0).next();
        plain::text(text.unwrap_or_default())
    }

    /// The text behind a `u16` length.
    pub(super) fn walk16<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
    ) -> Result<()> {
        let length = count16(stream, field, self.bytes.len())?;
        self.walk_bytes(stream, field, length)
    }

    /// The text behind a `u32` length.
    pub(super) fn walk32<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
    ) -> Result<()> {
        let length = stream.count(field, self.bytes.len())?;
        self.walk_bytes(stream, field, length)
    }

    fn walk_bytes<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
        length: usize,
    ) -> Result<()> {
        let mut stored = match S::READING {
            true => Cow::default(),
            false => Cow::Owned(obscure(&self.bytes)),
        };
        stream.bytes(field, &mut stored, length)?;
        if S::READING {
            self.bytes = obscure(&stored);
        }
        Ok(())
    }
}

impl Serialize for EncodedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}
