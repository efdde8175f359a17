//! Temporary file that stores inflated members until their next use.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tracing::debug;

/// Maximum of stored bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Required free space on the disk, as a multiple of the bytes to store.
#[cfg(unix)]
const FREE: u64 = 4;

/// Bytes in an unnamed temporary file of the system, which is deleted with the run.
#[derive(Debug, Default)]
pub(super) struct Spool {
    /// Created when the first bytes are stored.
    file: Option<File>,
    /// True when nothing more is stored.
    is_full: bool,
    end: u64,
}

/// Start and length of bytes in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    start: u64,
    pub(super) length: usize,
}

impl Spool {
    /// The bytes at a place.
    ///
    /// # Errors
    /// The file cannot be read there.
    pub(super) fn read(&mut self, place: Place) -> io::Result<Vec<u8>> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(place.start))?;
        let mut bytes = vec![0; place.length];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Stores bytes, if there is room.
    pub(super) fn store(&mut self, bytes: &[u8]) -> Option<Place> {
        if self.is_full {
            return None;
        }
        let written = self.write(bytes);
        if let Err(fault) = &written {
            debug!("cannot store inflated members in the temporary file: {fault}");
            self.is_full = true;
        }
        written.ok()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<Place> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let (start, length) = (self.end, bytes.len());
        let end = start.saturating_add(length as u64);
        if end > MAX_BYTES || !has_space(file, length as u64) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        file.seek(SeekFrom::Start(start))?;
        file.write_all(bytes)?;
        self.end = end;
        Ok(Place { start, length })
    }
}

/// Returns true when enough disk space remains for others.
#[cfg(unix)]
fn has_space(file: &File, bytes: u64) -> bool {
    rustix::fs::fstatvfs(file).is_ok_and(|room| {
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        free / FREE >= bytes
    })
}

/// On this system only writing shows it.
#[cfg(not(unix))]
fn has_space(_: &File, _: u64) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were_until_the_file_is_damaged() {
        let mut spool = Spool::default();
        let [first, second] =
            [b"first".as_slice(), b"second"].map(|bytes| (bytes, spool.store(bytes)));
        for (bytes, place) in [second, first] {
            assert_eq!(spool.read(place.unwrap()).unwrap(), bytes);
        }
        spool.file.as_ref().unwrap().set_len(7).unwrap();
        assert_eq!(spool.read(first.1.unwrap()).unwrap(), b"first");
        assert!(spool.read(second.1.unwrap()).is_err());
        spool.end = MAX_BYTES;
        assert!(spool.store(b"more").is_none() && spool.is_full);
    }
}
