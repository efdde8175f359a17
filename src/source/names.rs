//! Names of files as they are compared.
//!
//! ```
//! assert_eq!(relicast::source::names::fold("GameZ.ZBD"), "gamez.zbd");
//! ```

/// Letter case folded away.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}
