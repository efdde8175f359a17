//! A name for people, and which texts can be one.

use serde::Serialize;

/// A name for people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(in crate::gallery) struct Name {
    /// The name.
    pub text: String,
    /// Its language, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The document that has it; none for what is commonly known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// Longest text that is a name and not a sentence, in characters.
const LONGEST: usize = 60;

/// Whether a text can be the name of something.
pub(super) fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.chars().count() <= LONGEST
        && !text.contains(['\n', '\r', '%'])
        && text.chars().any(char::is_alphanumeric)
}
