//! Display names, and which texts can be one.

use serde::Serialize;

/// Display name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(in crate::gallery) struct Name {
    /// The name.
    pub text: String,
    /// Its language, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Document that contains it; none for common knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// Maximum length of a name in characters; longer texts are sentences.
const MAX_LENGTH: usize = 60;

/// Returns whether a text can be a name.
pub(super) fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.chars().count() <= MAX_LENGTH
        && !text.contains(['\n', '\r', '%'])
        && text.chars().any(char::is_alphanumeric)
}
