//! Differences between two outputs, by sort of content.
//!
//! ```
//! use relicast::golden::diff::change::{Change, Contents};
//!
//! let one = |_: &str| Some(br#"{"a": 1}"#.to_vec());
//! let other = |_: &str| Some(br#"{"a": 2}"#.to_vec());
//! let change = Change::between(&Contents::new("x.json", &one), &Contents::new("x.json", &other));
//! assert_eq!(change.to_string(), "1 value: $.a: 1 -> 2");
//! ```

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

pub use super::document::{DocumentChange, ValueChange};
use super::geometry::SceneBytes;
pub use super::geometry::SceneChange;
pub use super::picture::PictureChange;
pub use super::sound::SoundChange;
use super::{document, geometry, picture, sound};

/// Difference between two outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "sort", rename_all = "lowercase")]
pub enum Change {
    /// Pixels.
    Picture(PictureChange),
    /// Samples.
    Sound(SoundChange),
    /// Values of a document.
    Document(DocumentChange),
    /// Vertices and values of a scene.
    Scene(SceneChange),
    /// Bytes: of files of other sorts, or with the same content.
    Bytes {
        /// Offset of the first byte that differs.
        first: u64,
        /// Number of differing bytes, including those that only one of them has.
        different: u64,
        /// True if the decoded content is the same.
        same_content: bool,
    },
    /// The bytes were not available: an unreadable file, or more than fits in memory.
    Unread,
}

/// An output of a side, and its companion files.
pub struct Contents<'a> {
    path: &'a str,
    read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

impl fmt::Debug for Contents<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Contents").field(&self.path).finish()
    }
}

impl<'a> Contents<'a> {
    /// The output at `path`; `read` returns the bytes of any output.
    pub fn new(path: &'a str, read: &'a dyn Fn(&str) -> Option<Vec<u8>>) -> Self {
        Self { path, read }
    }

    fn ending(&self) -> &str {
        let name = self.path.rsplit_once('.');
        name.map_or("", |(_, ending)| ending)
    }

    /// The bytes of a file that this one refers to, by its path from the folder of this one.
    fn beside(&self, relative: &str) -> Option<Vec<u8>> {
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        let relative = decoded(relative)?;
        for part in relative.split('/') {
            match part {
                "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        (self.read)(&parts.join("/"))
    }
}

/// A relative URL reference with its percent encoding resolved.
fn decoded(address: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let text = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(text, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

impl Change {
    /// Compares two outputs with different bytes.
    pub fn between(before: &Contents<'_>, after: &Contents<'_>) -> Self {
        let (Some(one), Some(other)) = ((before.read)(before.path), (after.read)(after.path))
        else {
            return Self::Unread;
        };
        let compared = match (before.ending(), after.ending()) {
            ("png", "png") => picture::compare(&one, &other).map(Self::Picture),
            ("wav", "wav") | ("flac", "flac") | ("wav", "flac") | ("flac", "wav") => {
                sound::compare(&one, &other).map(Self::Sound)
            }
            ("json", "json") => document::compare(&one, &other).map(Self::Document),
            ("gltf" | "glb", "gltf" | "glb") => geometry::compare(
                SceneBytes {
                    bytes: &one,
                    beside: &|uri| before.beside(uri),
                },
                SceneBytes {
                    bytes: &other,
                    beside: &|uri| after.beside(uri),
                },
            )
            .map(Self::Scene),
            _ => None,
        };
        let same_content = compared.as_ref().is_some_and(Self::is_nothing);
        match compared {
            Some(compared) if !same_content => compared,
            _ => Self::bytes(&one, &other, same_content),
        }
    }

    /// True if the content is the same.
    fn is_nothing(&self) -> bool {
        match self {
            Self::Picture(change) => change.is_nothing(),
            Self::Sound(change) => change.is_nothing(),
            Self::Document(change) => change.total == 0,
            Self::Scene(change) => change.is_nothing(),
            Self::Bytes { .. } | Self::Unread => false,
        }
    }

    fn bytes(one: &[u8], other: &[u8], same_content: bool) -> Self {
        let differ = || one.iter().zip(other).map(|(one, other)| one != other);
        let common = one.len().min(other.len());
        let first = differ().position(|differs| differs).unwrap_or(common);
        let different = differ().filter(|&differs| differs).count();
        let longer = one.len().abs_diff(other.len());
        Self::Bytes {
            first: first as u64,
            different: different.saturating_add(longer) as u64,
            same_content,
        }
    }
}

impl Display for Change {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(change) => change.fmt(formatter),
            Self::Sound(change) => change.fmt(formatter),
            Self::Document(change) => change.fmt(formatter),
            Self::Scene(change) => change.fmt(formatter),
            Self::Bytes {
                first,
                different,
                same_content,
            } => {
                let content = if *same_content {
                    ", the content is the same"
                } else {
                    ""
                };
                write!(
                    formatter,
                    "{different} bytes, the first at {first}{content}"
                )
            }
            Self::Unread => write!(formatter, "not read: the bytes are not available"),
        }
    }
}
