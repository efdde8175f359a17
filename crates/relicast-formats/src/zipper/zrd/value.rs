//! The value of a reader: a number, a text, or a list of values.

use std::borrow::Cow;
use std::fmt::{self, Debug};

use serde::{Serialize, Serializer};

use relicast_codec::{F32, latin1};

/// Maximum nesting depth of lists, including the outermost. The formats set no limit; this one prevents stack
/// overflow in every walk over a value, including serialization and drop. Decoders and encoders return an error for
/// deeper values.
pub const DEEPEST: usize = 256;

/// A text of bytes. ASCII in every tested file of the games.
///
/// Serializes as a string; bytes above 0x7F appear as Latin-1, so that the bytes can be restored.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, [u8]>);

impl<'a> Text<'a> {
    /// Borrows `bytes`.
    pub fn borrowed(bytes: &'a [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }

    /// The stored bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text; bytes above 0x7F are read as Latin-1.
    pub fn shown(&self) -> Cow<'_, str> {
        match str::from_utf8(&self.0) {
            Ok(text) if text.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(latin1(&self.0)),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::borrowed(text.as_bytes())
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl Debug for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.shown(), formatter)
    }
}

relicast_codec::json_form_of!(@['a] Text<'a> => String);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.shown())
    }
}

/// One value of a reader. Serializes as the plain JSON value of its kind.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Value<'a> {
    /// A whole number.
    Int(i32),
    /// A floating-point number.
    Float(F32),
    /// A text.
    Text(Text<'a>),
    /// Values in order. The games look a key up and take the value after it; keys may repeat.
    List(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    /// A text value.
    pub fn text(text: &'a str) -> Self {
        Self::Text(Text::from(text))
    }

    /// The items, when the value is a list.
    pub fn as_list(&self) -> Option<&[Value<'a>]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, when the value is one.
    pub fn as_text(&self) -> Option<&Text<'a>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value after the first text of this list that equals `key`, as the games look keys up. Letter case
    /// matters; nested lists are not searched.
    pub fn after(&self, key: &str) -> Option<&Value<'a>> {
        let items = self.as_list()?;
        let at = items
            .iter()
            .position(|item| item.as_text().is_some_and(|text| text == key))?;
        items.get(at.checked_add(1)?)
    }
}

impl Default for Value<'_> {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => Debug::fmt(value, formatter),
            Self::Float(value) => Debug::fmt(value, formatter),
            Self::Text(value) => Debug::fmt(value, formatter),
            Self::List(items) => formatter.debug_list().entries(items).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_kinds_apart() {
        let value = Value::List(vec![
            Value::Int(1),
            Value::Float(F32(1.0)),
            Value::Float(F32(-0.0)),
            Value::Float(F32(f32::INFINITY)),
            Value::Text(Text::borrowed(b"caf\xE9")),
            Value::List(vec![]),
        ]);
        assert_eq!(
            serde_json::to_string(&value).unwrap(),
            r#"[1,1.0,-0.0,"inf","café",[]]"#
        );
    }

    #[test]
    fn a_key_leads_to_the_value_after_it() {
        let value = Value::List(vec![
            Value::text("A"),
            Value::Int(1),
            Value::text("A"),
            Value::Int(2),
            Value::text("LAST"),
        ]);
        assert_eq!(value.after("A"), Some(&Value::Int(1)));
        assert_eq!(value.after("LAST"), None);
        assert_eq!(value.after("B"), None);
    }
}

/// Values for the property tests of both forms.
#[cfg(test)]
pub(super) mod tests_support {
    use proptest::prelude::*;

    use super::*;

    /// Any value; without `all_bits` only values of the text form: finite floats, and texts of ASCII without NUL
    /// and quotes.
    pub(crate) fn any_value(all_bits: bool) -> impl Strategy<Value = Value<'static>> {
        let float = any::<u32>().prop_map(move |bits| match f32::from_bits(bits) {
            value if all_bits || value.is_finite() => Value::Float(F32(value)),
            value => Value::Float(F32(f32::from_bits(value.to_bits() & 0x807F_FFFF))),
        });
        let text = match all_bits {
            true => proptest::collection::vec(any::<u8>(), 0..20).boxed(),
            false => "[A-Za-z0-9_.+;() \t\r\n-]{0,12}"
                .prop_map(String::into_bytes)
                .boxed(),
        };
        let leaf = prop_oneof![
            any::<i32>().prop_map(Value::Int),
            float,
            text.prop_map(|bytes| Value::Text(Text(Cow::Owned(bytes)))),
        ];
        leaf.prop_recursive(6, 48, 6, |inner| {
            proptest::collection::vec(inner, 0..6).prop_map(Value::List)
        })
    }
}
