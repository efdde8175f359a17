//! Files that contain their own checksum: the BLAKE3 of their text, with zeros in place of the hash.

use std::fs;
use std::path::Path;

/// Text in front of the hash.
const MARK: &str = "relicast-seal-";

/// Digits of a hash.
const DIGITS: usize = 64;

/// Text that a sealed file must contain exactly once.
pub(super) const OPEN: &str =
    "relicast-seal-0000000000000000000000000000000000000000000000000000000000000000";

/// Seals a text with its hash.
pub(super) fn sealed(text: String) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    // The placeholder of the index comes before all text from other sources.
    text.replacen(OPEN, &format!("{MARK}{hash}"), 1)
}

/// True if the file was sealed and is unchanged since.
pub(super) fn is_whole(path: &Path) -> bool {
    let Ok(text) = fs::read_to_string(path) else {
        return false;
    };
    let Some((before, rest)) = text.split_once(MARK) else {
        return false;
    };
    let Some((hash, behind)) = rest.split_at_checked(DIGITS) else {
        return false;
    };
    let mut hasher = blake3::Hasher::new();
    for piece in [before, OPEN, behind] {
        hasher.update(piece.as_bytes());
    }
    *hasher.finalize().to_hex() == *hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_reported() {
        assert_eq!(OPEN.len(), MARK.len() + DIGITS);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let text = sealed(format!("one {OPEN} two {OPEN}"));
        fs::write(&path, &text).unwrap();
        assert!(is_whole(&path));
        fs::write(&path, text.replace("two", "six")).unwrap();
        assert!(!is_whole(&path));
        fs::write(&path, MARK).unwrap();
        assert!(!is_whole(&path));
    }
}
