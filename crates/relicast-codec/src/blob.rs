//! Bytes that a decoded value borrows from its file.

use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::ops::Deref;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// A run of bytes, borrowed from the file where possible. Serializes as base64.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Blob<'a>(pub Cow<'a, [u8]>);

impl<'a> Blob<'a> {
    /// Borrows `bytes`.
    pub fn borrowed(bytes: &'a [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }

    /// Copies the bytes, so that nothing is borrowed from the file.
    pub fn into_owned(self) -> Blob<'static> {
        Blob(Cow::Owned(self.0.into_owned()))
    }

    /// True if there are no bytes; documents omit such a field when it is empty by rule.
    pub fn is_blank(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<u8>> for Blob<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Cow::Owned(bytes))
    }
}

impl Deref for Blob<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Debug for Blob<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.0.len())
    }
}

crate::json_form!(@['a] Blob<'a> = {"type": "string", "contentEncoding": "base64"});

impl Serialize for Blob<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(&self.0, &STANDARD))
    }
}
