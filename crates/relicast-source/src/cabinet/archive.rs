//! Members of a zip archive.

use std::io::{self, Read};

use ::zip::ZipArchive;

use super::volume::Cursor;
use relicast_formats::installshield::packed::Take;

/// A zip archive.
#[derive(Debug)]
pub struct Archive(pub(super) ZipArchive<Cursor>);

impl Archive {
    /// Passes the bytes of the member at `number` to `take`; `size` bytes are expected.
    ///
    /// # Errors
    /// It is damaged, locked by a password, or packed by an unknown method.
    pub(super) fn unpack(&self, number: usize, size: u64, take: Take<'_>) -> io::Result<()> {
        // Clones share the directory.
        let mut archive = self.0.clone();
        let mut member = archive.by_index(number).map_err(io::Error::other)?;
        let mut buffer = vec![0; 1 << 16];
        let mut given = 0_u64;
        loop {
            let count = match member.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
                Err(fault) => return Err(fault),
            };
            given += count as u64;
            if given > size {
                break;
            }
            take(buffer.get(..count).unwrap_or_default())?;
        }
        match given == size {
            true => Ok(()),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "expected {size} bytes in all, found {}",
                    if given > size { "more" } else { "fewer" }
                ),
            )),
        }
    }
}
