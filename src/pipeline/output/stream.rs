//! Streamed files: hashed while they are written, renamed when complete.

use std::io::{self, BufWriter, Write};

use super::folder::OutputFolder;
use relicast_emit::EmitError;

/// Size of the write buffer; most streamed files are sounds of some ten KiB.
const BUFFER: usize = 64 << 10;

/// Writer that hashes the bytes it passes on.
struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
    size: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Hashed first: unreadable source bytes must fail here and not in a system call.
        self.hasher.update(bytes);
        self.out.write_all(bytes)?;
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Streams a file into an output folder, or only hashes it without a target. Returns size and hash of the
/// bytes. On failure the file is deleted.
///
/// # Errors
/// `make` fails, or the file cannot be written.
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
    // A failed write is not repeated.
    drop(out.into_parts());
    written.map(|()| (size, hasher.finalize()))
}
