//! Files that are made piece by piece: hashed on their way, and seen under their name when they are
//! finished.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::output::unfinished;
use crate::emit::EmitError;

/// Takes bytes on their way to a file, and hashes them.
struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
    size: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(bytes.get(..count).unwrap_or_default());
        self.size += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes a file by way of a neighbour; size and hash of what was written.
/// Without a path nothing is kept.
///
/// # Errors
/// What `make` says, or the file cannot be written.
pub(super) fn stream(
    path: Option<&Path>,
    make: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
) -> Result<(u64, blake3::Hash), EmitError> {
    let scratch = path.map(unfinished);
    let out: Box<dyn Write> = match &scratch {
        Some(scratch) => Box::new(fs::File::create(scratch)?),
        None => Box::new(io::sink()),
    };
    let mut hashing = Hashing {
        out: BufWriter::with_capacity(1 << 18, out),
        hasher: blake3::Hasher::new(),
        size: 0,
    };
    let made = make(&mut hashing).and_then(|()| Ok(hashing.flush()?));
    let (size, hash) = (hashing.size, hashing.hasher.finalize());
    drop(hashing);
    if let (Some(path), Some(scratch)) = (path, scratch) {
        let moved = made.and_then(|()| Ok(fs::rename(&scratch, path)?));
        if let Err(error) = moved {
            fs::remove_file(&scratch).ok();
            return Err(error);
        }
    } else {
        made?;
    }
    Ok((size, hash))
}
