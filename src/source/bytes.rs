//! The bytes of one source file. This is the only module with `unsafe` code.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file: mapped, or owned when there is nothing to map.
#[derive(Debug)]
pub enum FileBytes {
    /// A read-only mapping.
    Mapped(Mmap),
    /// Bytes in memory.
    Owned(Vec<u8>),
}

impl FileBytes {
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// The file cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: the mapping is read-only and private to this process. Its one hazard is another
        // program that changes or cuts the file meanwhile: inputs are archival files which this
        // program never writes (outputs go to temporary names in another folder and are renamed),
        // and the README tells users to leave inputs alone during a run. Bytes are only ever parsed
        // as data, so changed bytes give other values but break no invariant of a type.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::Mapped(map))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
