//! Lines of a text with their line endings, so that the text can be restored.
//!
//! ```
//! use relicast_formats::everquest::sound::bank;
//!
//! // The text does not include its line ending, and the file is restored unchanged.
//! let bytes = b"EMIT\r\nwind\n";
//! let bank = bank::decode(bytes)?.value;
//! assert_eq!(bank::encode(&bank)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use crate::everquest::plain;
use relicast_limits as limits;

/// A line of a text file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The text without its line ending.
    pub text: String,
    /// Line ending: a line feed, mostly after a carriage return; nothing on a last line.
    #[serde(skip)]
    pub end: &'static str,
}

/// Splits a text of Windows-1252 bytes into lines.
pub(in crate::everquest) fn split(bytes: &[u8]) -> impl Iterator<Item = Line> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(|line| {
        limits::check();
        let (text, end) = if let Some(text) = line.strip_suffix(b"\r\n") {
            (text, "\r\n")
        } else if let Some(text) = line.strip_suffix(b"\n") {
            (text, "\n")
        } else {
            (line, "")
        };
        Line {
            text: plain::text(text),
            end,
        }
    })
}

/// Joins lines; `None` if Windows-1252 cannot encode one.
pub(in crate::everquest) fn join<'l>(lines: impl Iterator<Item = &'l Line>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        bytes.extend(plain::text_bytes(&line.text)?);
        bytes.extend_from_slice(line.end.as_bytes());
    }
    Some(bytes)
}
