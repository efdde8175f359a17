//! The bytes of one source file. This is the only module with `unsafe` code.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use super::tree::Location;

/// The bytes of a file: mapped, or owned when there is nothing to map.
#[derive(Debug)]
pub enum FileBytes {
    /// A read-only mapping.
    Mapped(Mmap),
    /// Bytes in memory.
    Owned(Vec<u8>),
}

impl FileBytes {
    /// The bytes at a place: a file, or what lies in a disc image. Those of a disc itself are its sheet.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn open(location: &Location) -> io::Result<Self> {
        match location {
            Location::File(path) | Location::ImagePart(path, _) => Self::open_path(path),
            Location::Disc(disc) => Ok(Self::Owned(disc.sheet_bytes.clone())),
            Location::DiscFile(disc, number) => disc.read_file(*number),
        }
    }

    /// Maps the file at `path`.
    ///
    /// # Errors
    /// The file cannot be opened or mapped.
    pub fn open_path(path: &Path) -> io::Result<Self> {
        Self::map(&File::open(path)?)
    }

    /// Maps a file.
    ///
    /// # Errors
    /// The file cannot be mapped.
    pub fn map(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Self::map_part(file, 0, length)
    }

    /// Maps `length` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// The file is shorter, or cannot be mapped.
    pub fn map_part(file: &File, offset: u64, length: u64) -> io::Result<Self> {
        if length == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > file.metadata().map_or(0, |data| data.len())) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::try_from(length).map_err(io::Error::other)?;
        let mut options = MmapOptions::new();
        options.offset(offset).len(length);
        // SAFETY: the mapping is read-only and private to this process. Its one hazard is another
        // program that changes or cuts the file meanwhile: inputs are archival files which this
        // program never writes (outputs go to temporary names in another folder and are renamed),
        // and the README tells users to leave inputs alone during a run; the other files that are
        // mapped are nameless temporary ones. Bytes are only ever parsed as data, so changed bytes
        // give other values but break no invariant of a type.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let map = unsafe { options.map(file)? };
        Ok(Self::Mapped(map))
    }
}

/// Bytes that are hashed before their memory is given back.
const WINDOW: usize = 8 << 20;

impl FileBytes {
    /// BLAKE3 of the bytes. Of a large mapped file few pages stay in memory.
    pub fn blake3(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for (number, window) in self.chunks(WINDOW).enumerate() {
            hasher.update(window);
            if self.len() > WINDOW {
                self.release(number * WINDOW, window.len());
            }
        }
        hasher.finalize()
    }

    /// Lets the system take the memory of mapped bytes back until they are looked at again.
    #[cfg(unix)]
    fn release(&self, start: usize, length: usize) {
        if let Self::Mapped(map) = self {
            // SAFETY: the mapping is of a file and never written through, so pages that the system drops
            // are read again from the file when they are needed.
            #[expect(unsafe_code, reason = "the safety comment above")]
            let advised = unsafe {
                map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, length)
            };
            // Advice that is not taken costs memory and nothing else.
            advised.ok();
        }
    }

    #[cfg(not(unix))]
    fn release(&self, _start: usize, _length: usize) {}
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
