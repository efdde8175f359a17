//! Names of files as they are compared.

/// Letter case folded away.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}
