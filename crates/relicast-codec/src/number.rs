//! Fixed-size values as stored in a file: numbers, raw bytes, padded text, tags.

use std::fmt::{self, Debug, Display};

use bytemuck::{Pod, Zeroable};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::layout::{Encoding, Layout, Segment};

/// A value of fixed size with one little-endian form, read and written by [`Stream`](super::Stream).
pub trait FixedSize: Copy + Default + PartialEq + Debug {
    /// Size in bytes.
    const SIZE: usize;
    /// Reads the value from exactly [`FixedSize::SIZE`] bytes; `None` when there are fewer.
    fn load(bytes: &[u8]) -> Option<Self>;
    /// Appends the value to `out`.
    fn store(self, out: &mut Vec<u8>);
    /// Describes the stored fields of the value; by default one opaque value.
    fn describe_layout(layout: &mut Layout<'_>) {
        layout.leaf(Self::SIZE, Encoding::Opaque);
    }
}

/// A value with the same bytes in memory and in the file, on little-endian machines: lists of it are read without
/// copying.
pub trait InPlace: FixedSize + Pod {}

macro_rules! plain_integers {
    ($($name:ty),*) => {$(
        impl FixedSize for $name {
            const SIZE: usize = size_of::<$name>();
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                bytes.first_chunk().map(|chunk| Self::from_le_bytes(*chunk))
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn describe_layout(layout: &mut Layout<'_>) {
                layout.leaf(Self::SIZE, Encoding::Integer);
            }
        }

        impl InPlace for $name {}
    )*};
}

plain_integers!(u8, i8, u16, i16, u32, i32, u64, i64);

/// A 32-bit float, compared and preserved bit by bit (signs of zero and NaN payloads survive).
///
/// Serializes as a number, or, where JSON has none, as `"inf"`, `"-inf"` or `"nan:7fc00000"` with
/// the bits in hexadecimal.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct F32(pub f32);

impl F32 {
    /// The number.
    #[inline]
    pub fn get(self) -> f32 {
        self.0
    }

    /// Parses the text form that [`F32::non_finite_text`] returns.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "inf" => Some(Self(f32::INFINITY)),
            "-inf" => Some(Self(f32::NEG_INFINITY)),
            _ => {
                let bits = text.strip_prefix("nan:")?;
                let number = f32::from_bits(u32::from_str_radix(bits, 16).ok()?);
                number.is_nan().then_some(Self(number))
            }
        }
    }

    /// Text form of a value that JSON has no number for; `None` for finite values.
    pub fn non_finite_text(self) -> Option<String> {
        if self.0.is_nan() {
            Some(format!("nan:{:08x}", self.0.to_bits()))
        } else if self.0.is_infinite() {
            Some(if self.0 > 0.0 { "inf" } else { "-inf" }.to_owned())
        } else {
            None
        }
    }
}

impl From<f32> for F32 {
    fn from(value: f32) -> Self {
        Self(value)
    }
}

impl PartialEq for F32 {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for F32 {}

impl Debug for F32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.non_finite_text() {
            Some(text) => formatter.write_str(&text),
            None => write!(formatter, "{:?}", self.0),
        }
    }
}

impl Display for F32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, formatter)
    }
}

crate::json_form!(F32 = {
    "description": "A 32-bit number; infinity and NaN are strings, because JSON has no numbers for them",
    "anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(-?inf|nan:[0-9a-f]{8})$"}]
});

impl Serialize for F32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.non_finite_text() {
            Some(text) => serializer.serialize_str(&text),
            None => serializer.serialize_f32(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for F32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

/// Parses a number, or the text form of one that JSON does not have.
struct NumberVisitor;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "numbers that are too large or too fine are rounded, as everywhere"
)]
impl Visitor<'_> for NumberVisitor {
    type Value = F32;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, \"inf\", \"-inf\" or \"nan:7fc00000\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<F32, E> {
        Ok(F32(number as f32))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<F32, E> {
        Ok(F32(number as f64 as f32))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<F32, E> {
        Ok(F32(number as f64 as f32))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<F32, E> {
        F32::from_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl FixedSize for F32 {
    const SIZE: usize = 4;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        u32::load(bytes).map(|bits| Self(f32::from_bits(bits)))
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.to_bits().store(out);
    }
    fn describe_layout(layout: &mut Layout<'_>) {
        layout.leaf(Self::SIZE, Encoding::Float);
    }
}

impl InPlace for F32 {}

macro_rules! plain_composite {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[repr(C)]
        pub struct $name {
            $(#[allow(missing_docs, reason = "component names speak for themselves")] pub $field: $type,)*
        }

        impl FixedSize for $name {
            const SIZE: usize = 0 $(+ <$type as FixedSize>::SIZE)*;
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                let rest = bytes;
                $(let ($field, rest) = rest.split_at_checked(<$type as FixedSize>::SIZE)?;)*
                let _ = rest;
                Some(Self { $($field: <$type as FixedSize>::load($field)?,)* })
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                $(self.$field.store(out);)*
            }
            fn describe_layout(layout: &mut Layout<'_>) {
                $(layout.part(Segment::Name(stringify!($field)), <$type as FixedSize>::describe_layout);)*
            }
        }

        impl InPlace for $name {}
    };
}

plain_composite!(
    /// Two floats, 8 bytes.
    Vec2 { x: F32, y: F32 }
);
plain_composite!(
    /// Three floats, 12 bytes, in the space of the file it comes from.
    Vec3 { x: F32, y: F32, z: F32 }
);
plain_composite!(
    /// A quaternion stored scalar first (w, x, y, z), 16 bytes.
    QuatWxyz { w: F32, x: F32, y: F32, z: F32 }
);
plain_composite!(
    /// An axis-aligned box: smallest corner, then largest corner, 24 bytes.
    Box3 { min: Vec3, max: Vec3 }
);

impl Vec3 {
    /// The components as plain numbers.
    pub fn to_array(self) -> [f32; 3] {
        [self.x.0, self.y.0, self.z.0]
    }
}

impl From<[f32; 3]> for Vec3 {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self {
            x: F32(x),
            y: F32(y),
            z: F32(z),
        }
    }
}

impl Vec2 {
    /// The components as plain numbers.
    pub fn to_array(self) -> [f32; 2] {
        [self.x.0, self.y.0]
    }
}

impl From<[f32; 2]> for Vec2 {
    fn from([x, y]: [f32; 2]) -> Self {
        Self {
            x: F32(x),
            y: F32(y),
        }
    }
}

/// `N` bytes of unknown meaning, stored verbatim and serialized as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Bytes<const N: usize>(pub [u8; N]);

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Debug for Bytes<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(formatter, "{byte:02x}")?;
        }
        Ok(())
    }
}

crate::json_form!(@[const N: usize] Bytes<N> = {"type": "string", "pattern": format!("^[0-9a-f]{{{}}}$", 2 * N)});

impl<const N: usize> Serialize for Bytes<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:?}"))
    }
}

impl<const N: usize> FixedSize for Bytes<N> {
    const SIZE: usize = N;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        bytes.first_chunk().map(|chunk| Self(*chunk))
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl<const N: usize> InPlace for Bytes<N> {}

impl<T: FixedSize, const N: usize> FixedSize for [T; N]
where
    [T; N]: Default,
{
    const SIZE: usize = T::SIZE * N;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        let mut values = [T::default(); N];
        let mut rest = bytes;
        for value in &mut values {
            let (head, tail) = rest.split_at_checked(T::SIZE)?;
            *value = T::load(head)?;
            rest = tail;
        }
        Some(values)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        for value in self {
            value.store(out);
        }
    }
    fn describe_layout(layout: &mut Layout<'_>) {
        for index in 0..N {
            layout.part(Segment::Index(index), T::describe_layout);
        }
    }
}

impl<T: InPlace, const N: usize> InPlace for [T; N] where [T; N]: Default + Pod {}

/// A text field of `N` bytes: text, a NUL, padding. All `N` bytes are preserved, because the padding of
/// some files holds stale memory.
///
/// Serializes as the text, or, when the padding is not all zero or the NUL is missing, as an object
/// `{"text": …, "raw": hexadecimal digits}`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PaddedText<const N: usize>(pub [u8; N]);

impl<const N: usize> PaddedText<N> {
    /// Creates a field with `text`, padded with zeros; `None` when it does not fit with its NUL.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        let last = N.checked_sub(1)?;
        bytes
            .get_mut(..last)?
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        Some(Self(bytes))
    }

    /// The bytes before the first NUL (all of them when there is none).
    pub fn text_bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The text before the first NUL; bytes above 0x7F are read as Latin-1.
    pub fn text(&self) -> String {
        latin1(self.text_bytes())
    }

    /// Fault of the field: no NUL, bytes outside ASCII, or padding that is not zero.
    pub fn fault(&self) -> Option<&'static str> {
        let text = self.text_bytes();
        if text.len() == N {
            Some("no NUL in the field")
        } else if !text.is_ascii() {
            Some("bytes outside ASCII")
        } else if self.0.iter().skip(text.len()).any(|&byte| byte != 0) {
            Some("padding that is not zero")
        } else {
            None
        }
    }
}

impl<const N: usize> Default for PaddedText<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Debug for PaddedText<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.text())?;
        match self.fault() {
            Some(fault) => write!(formatter, " ({fault})"),
            None => Ok(()),
        }
    }
}

crate::json_form_of!(@[const N: usize] PaddedText<N> => super::TextOrRaw);

impl<const N: usize> Serialize for PaddedText<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.fault().is_none() {
            return serializer.serialize_str(&self.text());
        }
        #[derive(Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Padded<const N: usize> {
            text: String,
            raw: Bytes<N>,
        }
        Padded {
            text: self.text(),
            raw: Bytes(self.0),
        }
        .serialize(serializer)
    }
}

impl<const N: usize> FixedSize for PaddedText<N> {
    const SIZE: usize = N;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        bytes.first_chunk().map(|chunk| Self(*chunk))
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

/// Decodes bytes that are ASCII in every file seen; others are shown as Latin-1, so that different
/// byte strings look different.
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Implements [`FixedSize`] and `Serialize` for a `bitflags` type by its bits, including unknown ones.
#[macro_export]
macro_rules! plain_flags {
    ($name:ty: $bits:ty) => {
        impl $crate::FixedSize for $name {
            const SIZE: usize = size_of::<$bits>();
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                <$bits as $crate::FixedSize>::load(bytes)
                    .map(Self::from_bits_retain)
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                $crate::FixedSize::store(self.bits(), out);
            }
            fn describe_layout(layout: &mut $crate::Layout<'_>) {
                <$bits as $crate::FixedSize>::describe_layout(layout);
            }
        }

        $crate::json_form_of!($name => $bits);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_u64(u64::from(self.bits()))
            }
        }
    };
}

/// Declares an enumeration stored as an integer. Values without a name become `Other`, so
/// every file survives a round trip.
#[macro_export]
macro_rules! open_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $int:ty {
            $($(#[$variant_meta:meta])* $variant:ident = $value:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)*
            /// A value without a known name.
            Other($int),
        }

        impl $name {
            /// The variant of a stored value.
            pub const fn from_code(code: $int) -> Self {
                match code {
                    $($value => Self::$variant,)*
                    other => Self::Other(other),
                }
            }

            /// The stored value.
            pub const fn code(self) -> $int {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Other(other) => other,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::from_code(0)
            }
        }

        impl $crate::FixedSize for $name {
            const SIZE: usize = size_of::<$int>();
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                <$int as $crate::FixedSize>::load(bytes).map(Self::from_code)
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                $crate::FixedSize::store(self.code(), out);
            }
            fn describe_layout(layout: &mut $crate::Layout<'_>) {
                <$int as $crate::FixedSize>::describe_layout(layout);
            }
        }
    };
}
