//! Names of files in the form in which they are compared.
//!
//! ```
//! assert_eq!(relicast_source::names::fold("GameZ.ZBD"), "gamez.zbd");
//! ```

use std::path::{Path, PathBuf};

/// Folds letter case.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// Resolves links and dots of a path, as far as it exists.
pub fn whole(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for present in absolute.ancestors() {
        if let Ok(real) = present.canonicalize() {
            let rest = absolute.strip_prefix(present).unwrap_or(Path::new(""));
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    absolute
}
