//! Seal of a document: its last line contains the BLAKE3 of everything before it. It detects changes since a
//! run wrote the document, but does not protect against someone who computes a new one.

use std::io::{self, Write};

/// End of a document without a seal.
const END: &[u8] = b"\n}\n";

/// Text before the digits of a seal.
const START: &[u8] = b",\n  \"seal\": \"";

/// Text after the digits.
const AFTER: &[u8] = b"\"\n}\n";

/// Number of digits.
const DIGITS: usize = 64;

/// Writes a document with one member per line, and appends its seal.
#[derive(Debug)]
pub(in crate::pipeline) struct Sealing<W> {
    inner: W,
    hasher: blake3::Hasher,
    /// Bytes that may be the end of the document.
    held: Vec<u8>,
}

impl<W: Write> Sealing<W> {
    /// Writes to `inner`.
    pub(in crate::pipeline) fn new(inner: W) -> Self {
        Self {
            inner,
            hasher: blake3::Hasher::new(),
            held: Vec::new(),
        }
    }

    /// Appends the seal, unless the document cannot have one.
    ///
    /// # Errors
    /// Writing fails.
    pub(in crate::pipeline) fn finish(mut self) -> io::Result<W> {
        if self.held == END {
            let digits = self.hasher.finalize().to_hex();
            for part in [START, digits.as_bytes(), AFTER] {
                self.inner.write_all(part)?;
            }
        } else {
            self.inner.write_all(&self.held)?;
        }
        Ok(self.inner)
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = std::mem::take(&mut self.held);
        let over = (before.len() + bytes.len()).saturating_sub(END.len());
        let (first, kept) = before.split_at(over.min(before.len()));
        let (second, last) = bytes.split_at(over - first.len());
        self.pass(first)?;
        self.pass(second)?;
        self.held = [kept, last].concat();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Checks the seal of a document while its bytes pass.
#[derive(Debug)]
pub(in crate::pipeline) struct Unsealing {
    hasher: blake3::Hasher,
    /// Bytes before the seal's position that have not passed.
    left: u64,
    /// Bytes from that position on.
    tail: Vec<u8>,
}

impl Unsealing {
    /// Creates a checker for a document of this many bytes.
    pub(in crate::pipeline) fn new(length: u64) -> Self {
        let seal = (START.len() + DIGITS + AFTER.len()) as u64;
        Self {
            hasher: blake3::Hasher::new(),
            left: length.saturating_sub(seal),
            tail: Vec::new(),
        }
    }

    /// Takes the next bytes.
    pub(in crate::pipeline) fn update(&mut self, bytes: &[u8]) {
        let before = bytes
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let (content, seal) = bytes.split_at(before);
        self.hasher.update(content);
        self.left -= before as u64;
        self.tail.extend_from_slice(seal);
    }

    /// Returns whether the seal matches the bytes before it; `None` if there is none.
    pub(in crate::pipeline) fn fits(&self) -> Option<bool> {
        let digits = self.tail.strip_prefix(START)?.strip_suffix(AFTER)?;
        (digits.len() == DIGITS).then(|| self.hasher.finalize().to_hex().as_bytes() == digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(document: &str, piece: usize) -> Vec<u8> {
        let mut sealing = Sealing::new(Vec::new());
        for piece in document.as_bytes().chunks(piece) {
            sealing.write_all(piece).unwrap();
        }
        sealing.finish().unwrap()
    }

    fn is_sealed(document: &[u8]) -> Option<bool> {
        let mut unsealing = Unsealing::new(document.len() as u64);
        document.chunks(7).for_each(|piece| unsealing.update(piece));
        unsealing.fits()
    }

    #[test]
    fn a_seal_fits_what_was_written_in_any_pieces_and_nothing_else() {
        let document = "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n";
        let whole = sealed(document, 1000);
        for piece in 1..8 {
            assert_eq!(sealed(document, piece), whole);
        }
        assert_eq!(is_sealed(&whole), Some(true));
        let value: serde_json::Value = serde_json::from_slice(&whole).unwrap();
        assert_eq!(value["b"][0], 2);
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert_ne!(is_sealed(&changed), Some(true), "byte {at}");
        }
        assert_eq!(is_sealed(document.as_bytes()), None);
        assert_eq!(is_sealed(b""), None);
    }

    #[test]
    fn a_document_of_another_layout_stays_as_it_is() {
        for document in ["{}\n", "", "{\"a\": 1}"] {
            assert_eq!(sealed(document, 2), document.as_bytes());
        }
    }
}
