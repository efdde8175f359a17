//! Names of nodes and textures, with the bytes left over from earlier names.

use std::fmt::{self, Debug};

use serde::{Serialize, Serializer};

use relicast_codec::{Bytes, FixedSize, latin1};

/// Text of a name with all its bytes, for names whose bytes do not follow from the text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Odd<const N: usize> {
    text: String,
    raw: Bytes<N>,
}

/// Name of a node, 36 bytes. The build tool filled the buffer with a default name and wrote text and NUL over it.
/// The bytes after the NUL are therefore the tail of that default, or, in a few nodes, of another name.
///
/// Serializes as the text, or with its raw bytes when other bytes follow the NUL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NodeName(pub [u8; 36]);

impl NodeName {
    const BUFFER: [u8; 36] = *b"Default_node_name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

    /// The name as the build tool stores `text`; `None` when it does not fit with its NUL.
    pub fn new(text: &str) -> Option<Self> {
        Self::over_default(text.as_bytes())
    }

    fn over_default(text: &[u8]) -> Option<Self> {
        let mut bytes = Self::BUFFER;
        let end = text.len();
        bytes.get_mut(..end)?.copy_from_slice(text);
        *bytes.get_mut(end)? = 0;
        Some(Self(bytes))
    }

    /// The bytes before the first NUL.
    pub fn text_bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The text before the first NUL.
    pub fn text(&self) -> String {
        latin1(self.text_bytes())
    }

    /// True for the name of a slot that was never used: nothing but zeros.
    pub fn is_blank(&self) -> bool {
        self.0 == [0; 36]
    }

    /// True when the text determines all bytes.
    pub fn is_regular(&self) -> bool {
        self.text_bytes().is_ascii() && Self::over_default(self.text_bytes()) == Some(*self)
    }
}

impl Default for NodeName {
    fn default() -> Self {
        Self([0; 36])
    }
}

impl Debug for NodeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.text())
    }
}

relicast_codec::json_form_of!(NodeName => relicast_codec::TextOrRaw);

impl Serialize for NodeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_regular() {
            serializer.serialize_str(&self.text())
        } else {
            let (text, raw) = (self.text(), Bytes(self.0));
            Odd { text, raw }.serialize(serializer)
        }
    }
}

impl FixedSize for NodeName {
    const SIZE: usize = 36;

    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        FixedSize::load(bytes).map(|Bytes(bytes)| Self(bytes))
    }

    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        Bytes(self.0).store(out);
    }
}

/// File name of a texture, 20 bytes: stem, NUL, suffix, padding. The build tool replaced the period before the
/// suffix by the first NUL; a few suffixes begin with another period. A name that fills the field may be truncated.
///
/// Names are not unique (Crimson Skies), so textures are referred to by index.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct TextureName(pub [u8; 20]);

impl TextureName {
    /// The field for a stem and its suffix (without period; may be empty). A suffix that does not fit is truncated,
    /// as the build tool does; `None` when the stem does not fit with its NUL.
    pub fn new(stem: &str, suffix: &str) -> Option<Self> {
        let mut bytes = [0; 20];
        let end = stem.len();
        if end >= bytes.len() {
            return None;
        }
        bytes.get_mut(..end)?.copy_from_slice(stem.as_bytes());
        let room = bytes.iter_mut().skip(end.saturating_add(1));
        for (place, &byte) in room.zip(suffix.as_bytes()) {
            *place = byte;
        }
        Some(Self(bytes))
    }

    /// The text before the first NUL: the name of the image in texture packages, in any letter case.
    pub fn stem(&self) -> String {
        latin1(self.parts().0)
    }

    /// The text between the first NUL and the next, such as `tif`; often empty.
    pub fn suffix(&self) -> String {
        latin1(self.parts().1)
    }

    /// The file name to show: stem, and after a period the suffix if there is one.
    pub fn display(&self) -> String {
        match self.parts() {
            (stem, []) => latin1(stem),
            (stem, suffix) => format!("{}.{}", latin1(stem), latin1(suffix)),
        }
    }

    /// True when the stem fills the field, so that it may be the start of a longer name. Match such a stem by prefix.
    pub fn may_be_cut(&self) -> bool {
        self.parts().0.len() >= 19
    }

    /// Fault of the field: no NUL, bytes outside ASCII, or bytes after the suffix.
    pub fn fault(&self) -> Option<&'static str> {
        let (stem, suffix) = self.parts();
        let used = stem.len().saturating_add(1).saturating_add(suffix.len());
        if stem.len() == self.0.len() {
            Some("no NUL in the field")
        } else if !self.0.is_ascii() {
            Some("bytes outside ASCII")
        } else if self.0.iter().skip(used).any(|&byte| byte != 0) {
            Some("bytes after the suffix")
        } else {
            None
        }
    }

    fn parts(&self) -> (&[u8], &[u8]) {
        let mut parts = self.0.split(|&byte| byte == 0);
        let stem = parts.next().unwrap_or_default();
        (stem, parts.next().unwrap_or_default())
    }
}

impl Debug for TextureName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.display())
    }
}

relicast_codec::json_form_of!(TextureName => relicast_codec::TextOrRaw);

impl Serialize for TextureName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.display();
        if self.fault().is_none() {
            serializer.serialize_str(&text)
        } else {
            let raw = Bytes(self.0);
            Odd { text, raw }.serialize(serializer)
        }
    }
}

impl FixedSize for TextureName {
    const SIZE: usize = 20;

    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        FixedSize::load(bytes).map(|Bytes(bytes)| Self(bytes))
    }

    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        Bytes(self.0).store(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_names_overwrite_the_default_name() {
        let name = NodeName::new("hip").unwrap();
        assert!(name.0.starts_with(b"hip\0ult_node_name\0"));
        assert!(name.is_regular());
        assert_eq!(name.text(), "hip");
        let mut odd = name;
        odd.0[5] = b'8';
        assert!(!odd.is_regular());
        assert!(!NodeName::default().is_regular());
        assert!(NodeName::new(&"x".repeat(36)).is_none());
        assert!(NodeName::new(&"x".repeat(35)).unwrap().is_regular());
    }

    #[test]
    fn texture_names_take_all_documented_shapes() {
        let plain = TextureName::new("lava", "tif").unwrap();
        assert_eq!(&plain.0[..9], b"lava\0tif\0");
        assert_eq!(plain.display(), "lava.tif");
        let bare = TextureName::new("lava", "").unwrap();
        assert_eq!((bare.display(), bare.fault()), ("lava".to_owned(), None));
        let cut = TextureName::new("seventeen_letters", "tif").unwrap();
        assert_eq!(
            (cut.display(), cut.fault()),
            ("seventeen_letters.ti".to_owned(), None)
        );
        let full = TextureName::new("nineteen_letters_xy", "tif").unwrap();
        assert_eq!(full.display(), "nineteen_letters_xy");
        assert!(full.may_be_cut() && !cut.may_be_cut());
        let period = TextureName::new("wing", ".tif").unwrap();
        assert_eq!(
            (period.stem(), period.suffix()),
            ("wing".to_owned(), ".tif".to_owned())
        );
        assert_eq!(TextureName([b'x'; 20]).fault(), Some("no NUL in the field"));
        assert!(TextureName::new(&"x".repeat(20), "").is_none());
    }
}
