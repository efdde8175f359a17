//! Small values of the format: ranges, colors, table indices, names with their padding.

use std::borrow::Cow;
use std::fmt::{self, Debug};

use serde::{Serialize, Serializer};

use relicast_codec::{Blob, Bytes, F32, FixedSize, PaddedText, Result, Stream, Vec3, latin1};

/// True for the value that a field nearly always has; such fields are left out of documents.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads `length` bytes into `blob`, or writes the bytes of `blob`.
pub(super) fn raw_bytes<'a, S: Stream<'a>>(
    stream: &mut S,
    field: &'static str,
    blob: &mut Blob<'static>,
    length: usize,
) -> Result<()> {
    if S::READING {
        let mut bytes = Cow::Borrowed(&[][..]);
        stream.bytes(field, &mut bytes, length)?;
        *blob = Blob::from(bytes.into_owned());
        Ok(())
    } else {
        stream.bytes(field, &mut Cow::Owned(blob.to_vec()), length)
    }
}

relicast_codec::record! {
    /// Two bounds, 8 bytes: smallest and largest, or near and far. Some files hold them reversed.
    pub struct Range[8]: FixedSize {
        /// Smallest, or near.
        min: F32,
        /// Largest, or far.
        max: F32,
    }
}

relicast_codec::record! {
    /// A color, 12 bytes; components are 0 to 1 unless noted.
    pub struct Color[12]: FixedSize {
        /// Red.
        r: F32,
        /// Green.
        g: F32,
        /// Blue.
        b: F32,
    }
}

relicast_codec::record! {
    /// A linear ramp of a number from one value to another, 12 bytes.
    pub struct FloatRamp[12]: FixedSize {
        /// Value at the start.
        from: F32,
        /// Value at the end.
        to: F32,
        /// Change per second: `(to - from) / run_time`, up to the last bit.
        delta: F32,
    }
}

relicast_codec::record! {
    /// A linear ramp of a vector from one value to another, 36 bytes.
    pub struct VectorRamp[36]: FixedSize {
        /// Value at the start.
        from: Vec3,
        /// Value at the end.
        to: Vec3,
        /// Change per second: `(to - from) / run_time`, up to the last bit.
        delta: Vec3,
    }
}

/// Change per second of a linear ramp, as the packer computes it: in 32 bits; 0 for a ramp without duration.
pub fn rate(from: F32, to: F32, run_time: F32) -> F32 {
    match from.0 == to.0 || run_time.0 == 0.0 {
        true => F32(0.0),
        false => F32((to.0 - from.0) / run_time.0),
    }
}

macro_rules! switch {
    ($(#[$meta:meta])* $name:ident: $int:ty) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq)]
        pub struct $name(pub $int);

        impl $name {
            /// True unless the value is 0.
            pub fn is_set(self) -> bool {
                self.0 != 0
            }
        }

        impl Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                Debug::fmt(&self.0, formatter)
            }
        }

        relicast_codec::json_form!($name = {"description": "true or false; other stored numbers are preserved", "type": ["boolean", "integer"]});

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                match self.0 {
                    0 => serializer.serialize_bool(false),
                    1 => serializer.serialize_bool(true),
                    other => other.serialize(serializer),
                }
            }
        }

        impl FixedSize for $name {
            const SIZE: usize = <$int as FixedSize>::SIZE;
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                <$int>::load(bytes).map(Self)
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                self.0.store(out);
            }
        }
    };
}

switch!(
    /// A truth value of 4 bytes; values other than 0 and 1 are preserved.
    Bool32: u32
);
switch!(
    /// A truth value of 2 bytes; values other than 0 and 1 are preserved.
    Bool16: u16
);

macro_rules! index {
    ($(#[$meta:meta])* $name:ident: $int:ty) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub $int);

        impl $name {
            /// The position in the table; `None` for negative values. In tables with a reserved
            /// entry, position 0 is that entry and means "none".
            pub fn position(self) -> Option<usize> {
                usize::try_from(self.0).ok()
            }
        }

        impl FixedSize for $name {
            const SIZE: usize = <$int as FixedSize>::SIZE;
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                <$int>::load(bytes).map(Self)
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                self.0.store(out);
            }
        }
    };
}

index!(
    /// A reference to a node: see [`NodeIndex::target`]. 4 bytes.
    NodeIndex: i32
);
index!(
    /// A [`NodeIndex`] of 2 bytes.
    ShortNodeIndex: i16
);
index!(
    /// Index into the definition's lights, from 1. 4 bytes.
    LightIndex: i32
);
index!(
    /// Index into the definition's puffers, from 1. 4 bytes.
    PufferIndex: i32
);
index!(
    /// Index into the definition's dynamic sounds, from 1. 4 bytes.
    DynamicSoundIndex: i32
);
index!(
    /// Index into the definition's static sounds, from 1; 0 is none. 2 bytes.
    StaticSoundIndex: i16
);
index!(
    /// Index into the definition's effects, from 1. 2 bytes.
    EffectIndex: i16
);
index!(
    /// Index into the definition's animation references, from 0; -1 is none. 2 bytes.
    AnimationRefIndex: i16
);

/// Target of a node index of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeTarget {
    /// 0 or -1: no node.
    None,
    /// The entry of the definition's node table.
    Entry(usize),
    /// -200: the node handed to the animation when it was started.
    Input,
    /// -100: the node that the definition's root name is bound to.
    Root,
    /// Another negative value, of unknown meaning.
    Other(i32),
}

impl NodeIndex {
    /// Target of the index.
    pub fn target(self) -> NodeTarget {
        match self.0 {
            0 | -1 => NodeTarget::None,
            -100 => NodeTarget::Root,
            -200 => NodeTarget::Input,
            other => usize::try_from(other).map_or(NodeTarget::Other(other), NodeTarget::Entry),
        }
    }
}

impl From<ShortNodeIndex> for NodeIndex {
    fn from(index: ShortNodeIndex) -> Self {
        Self(i32::from(index.0))
    }
}

impl ShortNodeIndex {
    /// Target of the index.
    pub fn target(self) -> NodeTarget {
        NodeIndex::from(self).target()
    }
}

/// A node's name in a buffer of 32 bytes. The packer filled it with `Default_node_name` before it wrote the name
/// and its NUL, so that the rest of the default follows short names. All bytes are preserved.
///
/// Serializes as the text, or, when the padding is another one, as an object
/// `{"text": …, "raw": hexadecimal digits}`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeName(pub PaddedText<32>);

impl NodeName {
    const DEFAULT: &[u8; 32] = b"Default_node_name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

    /// The buffer that the packer would write for `text`; `None` when it does not fit with its NUL.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = *Self::DEFAULT;
        let end = text.len().checked_add(1)?;
        let buffer = bytes.get_mut(..end)?;
        let (last, name) = buffer.split_last_mut()?;
        name.copy_from_slice(text.as_bytes());
        *last = 0;
        Some(Self(PaddedText(bytes)))
    }

    /// The text before the first NUL.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// True when the buffer is empty throughout, or padded as the packer pads it.
    fn is_regular(&self) -> bool {
        let end = self.0.text_bytes().len();
        let regular = || {
            let rest = self.0.0.iter().zip(Self::DEFAULT).skip(end);
            end < 32
                && self.0.text_bytes().is_ascii()
                && rest.skip(1).all(|(found, default)| found == default)
        };
        if end == 0 {
            is_default(&self.0)
        } else {
            regular()
        }
    }
}

impl Debug for NodeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.text(), formatter)
    }
}

relicast_codec::json_form_of!(NodeName => relicast_codec::TextOrRaw);

impl Serialize for NodeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Irregular {
            text: String,
            raw: Bytes<32>,
        }
        if self.is_regular() {
            return serializer.serialize_str(&self.text());
        }
        Irregular {
            text: self.text(),
            raw: Bytes(self.0.0),
        }
        .serialize(serializer)
    }
}

impl FixedSize for NodeName {
    const SIZE: usize = 32;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        PaddedText::load(bytes).map(Self)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

/// Text of a stated length, its NUL included. Serializes as the text, or, when it does not end in
/// its only NUL, as an object `{"text": …, "raw": hexadecimal digits}`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct CountedText(pub Vec<u8>);

impl CountedText {
    /// `text` with its NUL.
    pub fn new(text: &str) -> Self {
        Self(text.bytes().chain([0]).collect())
    }

    fn text_bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The text before the first NUL; bytes above 0x7F are taken as Latin-1.
    pub fn text(&self) -> String {
        latin1(self.text_bytes())
    }
}

impl Debug for CountedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.text(), formatter)
    }
}

relicast_codec::json_form_of!(CountedText => relicast_codec::TextOrRaw);

impl Serialize for CountedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Irregular {
            text: String,
            raw: String,
        }
        if self.text_bytes().is_ascii()
            && self.text_bytes().len().checked_add(1) == Some(self.0.len())
        {
            return serializer.serialize_str(&self.text());
        }
        Irregular {
            text: self.text(),
            raw: self.0.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_shows_behind_short_names_only() {
        let short = NodeName::new("arm1").unwrap();
        assert_eq!(
            short.0.0,
            *b"arm1\0lt_node_name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        );
        let long = NodeName::new("a_name_of_twenty_xyz").unwrap();
        assert!(long.0.fault().is_none());
        assert_eq!(NodeName::new(&"x".repeat(32)), None);
        for name in [short, long, NodeName::default()] {
            assert_eq!(
                serde_json::to_value(name).unwrap(),
                serde_json::Value::from(name.text())
            );
        }
    }

    #[test]
    fn other_padding_is_shown_in_full() {
        let zeros = NodeName(PaddedText::new("arm1").unwrap());
        let shown = serde_json::to_value(zeros).unwrap();
        assert_eq!(shown["text"], "arm1");
        assert_eq!(shown["raw"].as_str().unwrap().len(), 64);
        let mut leftover = NodeName::new("abort_test").unwrap();
        leftover.0.0[13] = 0;
        assert!(serde_json::to_value(leftover).unwrap().is_object());
    }

    #[test]
    fn special_indices_have_their_own_targets() {
        assert_eq!(NodeIndex(0).target(), NodeTarget::None);
        assert_eq!(ShortNodeIndex(-100).target(), NodeTarget::Root);
        assert_eq!(ShortNodeIndex(-200).target(), NodeTarget::Input);
        assert_eq!(NodeIndex(7).target(), NodeTarget::Entry(7));
        assert_eq!(NodeIndex(-5).target(), NodeTarget::Other(-5));
    }

    #[test]
    fn truth_values_serialize_as_such() {
        assert_eq!(serde_json::to_string(&Bool32(1)).unwrap(), "true");
        assert_eq!(serde_json::to_string(&Bool16(7)).unwrap(), "7");
    }
}
