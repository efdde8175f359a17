//! Hashes of files that are read once.
//!
//! ```
//! use relicast::package::digest::copy;
//!
//! let mut copied = Vec::new();
//! let digests = copy(&b"abc"[..], &mut copied)?;
//! assert_eq!((copied.as_slice(), digests.size), (&b"abc"[..], 3));
//! assert!(digests.sha256.starts_with("ba7816bf8f01cfea"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt::Write as _;
use std::io::{self, Read, Write};

use ring::digest::{Context, SHA256, SHA512};

/// Hashes of the same bytes, hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digests {
    /// BLAKE3, as manifests have it.
    pub blake3: String,
    /// SHA-256.
    pub sha256: String,
    /// SHA-512.
    pub sha512: String,
    /// Number of bytes.
    pub size: u64,
}

/// Bytes that are read at once.
const PIECE: usize = 1 << 17;

/// Hashes bytes incrementally.
pub(super) struct Hasher {
    blake3: blake3::Hasher,
    sha256: Context,
    sha512: Context,
}

impl Default for Hasher {
    fn default() -> Self {
        Self {
            blake3: blake3::Hasher::new(),
            sha256: Context::new(&SHA256),
            sha512: Context::new(&SHA512),
        }
    }
}

impl Hasher {
    /// Hashes the next bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.blake3.update(bytes);
        self.sha256.update(bytes);
        self.sha512.update(bytes);
    }

    /// The hashes of all bytes.
    pub(super) fn finish(self) -> Digests {
        Digests {
            blake3: self.blake3.finalize().to_hex().to_string(),
            sha256: hexadecimal(self.sha256.finish().as_ref()),
            sha512: hexadecimal(self.sha512.finish().as_ref()),
            size: self.blake3.count(),
        }
    }
}

/// Copies all bytes and hashes them.
///
/// # Errors
/// They cannot be read or written.
pub fn copy(mut reader: impl Read, writer: &mut dyn Write) -> io::Result<Digests> {
    let mut hasher = Hasher::default();
    let mut piece = vec![0; PIECE];
    loop {
        let length = match reader.read(&mut piece) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(length) => length,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
            Err(fault) => return Err(fault),
        };
        let bytes = piece.get(..length).unwrap_or_default();
        hasher.update(bytes);
        writer.write_all(bytes)?;
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A line of `sha256sum`, which marks escaped names.
pub fn sum_line(sha256: &str, path: &str) -> String {
    match path.contains(['\\', '\n', '\r']) {
        false => format!("{sha256}  {path}\n"),
        true => {
            let path = path.replace('\\', "\\\\");
            let path = path.replace('\n', "\\n").replace('\r', "\\r");
            format!("\\{sha256}  {path}\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_escaped_as_sha256sum_has_it() {
        assert_eq!(sum_line("00", "a/b c"), "00  a/b c\n");
        assert_eq!(sum_line("00", "a\nb\\"), "\\00  a\\nb\\\\\n");
    }
}
