//! Hashes of files that are too large for memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Hash and size of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hashed {
    /// BLAKE3 of its bytes.
    pub blake3: String,
    /// Size in bytes.
    pub size: u64,
}

/// Hashes a file without loading it into memory.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn hash_file(path: &Path) -> io::Result<Hashed> {
    hash_reader(File::open(path)?)
}

/// BLAKE3 and length of the bytes of a reader.
///
/// # Errors
/// The reader fails.
pub(crate) fn hash_reader(reader: impl Read) -> io::Result<Hashed> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(reader)?;
    Ok(Hashed {
        blake3: hasher.finalize().to_hex().to_string(),
        size: hasher.count(),
    })
}
