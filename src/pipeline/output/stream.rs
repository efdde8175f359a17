//! Files that are made piece by piece: hashed on their way, and seen under their name when they are
//! finished.

use std::io::{self, BufWriter, Write};

use super::folder::OutputFolder;
use relicast_emit::EmitError;

/// Bytes that wait for the system: most files that are made piece by piece are sounds of some ten kilobytes.
const BUFFER: usize = 64 << 10;

/// Takes bytes on their way to a file, and hashes them.
struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
    size: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Hashed first: bytes of a file that cannot be read are to be met here and not by the system.
        self.hasher.update(bytes);
        self.out.write_all(bytes)?;
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file into an output folder, or nowhere without a target. Returns size and hash of the bytes. A
/// file that fails is deleted.
///
/// # Errors
/// What `make` says, or the file cannot be written.
pub(super) fn stream(
    target: Option<(&OutputFolder, &str)>,
    make: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
) -> Result<(u64, blake3::Hash), EmitError> {
    let mut file = target
        .map(|(folder, path)| folder.begin(path))
        .transpose()?;
    let (size, hash) = match &mut file {
        Some(file) => fill(file, make)?,
        None => fill(io::sink(), make)?,
    };
    if let Some(file) = file {
        file.finish()?;
    }
    Ok((size, hash))
}

fn fill(
    out: impl Write,
    make: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
) -> Result<(u64, blake3::Hash), EmitError> {
    let mut hashing = Hashing {
        out: BufWriter::with_capacity(BUFFER, out),
        hasher: blake3::Hasher::new(),
        size: 0,
    };
    let written = make(&mut hashing).and_then(|()| Ok(hashing.flush()?));
    let Hashing { out, hasher, size } = hashing;
    // What could not be written is not to be tried again.
    drop(out.into_parts());
    written.map(|()| (size, hasher.finalize()))
}
