//! Text obscured by a fixed key: the block of strings, and single fields.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::everquest::plain;
use relicast_codec::{Result, Stream};

const KEY: [u8; 8] = [0x95, 0x3A, 0xC5, 0x2A, 0x95, 0x7A, 0x95, 0x6A];

/// Obscures bytes, or restores them: exclusive or with a key of eight bytes that starts
/// with the first of them.
pub fn obscure(bytes: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for part in changed.chunks_mut(KEY.len()) {
        for (byte, key) in part.iter_mut().zip(KEY) {
            *byte ^= key;
        }
    }
    changed
}

/// Obscured text in a fragment. All its bytes are preserved; serializes as the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodedText {
    /// The plain bytes, NULs included.
    pub bytes: Vec<u8>,
}

impl EncodedText {
    /// The text and one NUL; `None` if Windows-1252 cannot encode it.
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

    /// The text after a `u16` length.
    pub(super) fn walk16<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
    ) -> Result<()> {
        let length = stream.count16(field, self.bytes.len())?;
        self.walk_bytes(stream, field, length)
    }

    /// The text after a `u32` length.
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

relicast_codec::json_form_of!(EncodedText => String);

impl Serialize for EncodedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}
