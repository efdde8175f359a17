//! Files of a cabinet. They are read by offset and never as a whole, because they may be larger than memory.
//!
//! ```
//! use relicast_source::cabinet::volume::Volume;
//!
//! let volume = Volume::in_memory("disc1/data1.cab", b"ISc(".to_vec());
//! let mut start = [0; 3];
//! volume.read_at(0, &mut start)?;
//! assert_eq!((volume.name(), &start), ("data1.cab", b"ISc"));
//! assert!(volume.read_at(2, &mut start).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt::Debug;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::bytes::blake3_by_place;
use crate::disc::image::ImageFile;
use crate::disc::{Disc, FileNumber};

/// Random access to bytes.
pub trait ReadAt: Debug + Send + Sync {
    /// Fills `buffer` from byte `offset` on.
    ///
    /// # Errors
    /// The data ends earlier, or cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// The file on disk that holds exactly these bytes.
    fn on_disk(&self) -> Option<&Path> {
        None
    }

    /// Calls `visit` with each file on disk that these bytes are read from.
    fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        self.on_disk().into_iter().for_each(visit);
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let part = self.get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A file on disk, opened when it is first read.
#[derive(Debug)]
pub struct DiskFile {
    path: PathBuf,
    file: OnceLock<io::Result<ImageFile>>,
}

impl DiskFile {
    /// The file at `path`.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: OnceLock::new(),
        }
    }
}

impl ReadAt for DiskFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let open = || ImageFile::sectors(&self.path.to_string_lossy(), &self.path);
        match self.file.get_or_init(open) {
            Ok(file) => file.read_at(offset, buffer),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    fn on_disk(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

/// A file in a disc image.
#[derive(Debug)]
pub struct DiscEntry(pub Arc<Disc>, pub FileNumber);

impl ReadAt for DiscEntry {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(self.1, offset, buffer)
    }

    fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        self.0.visit_files(visit);
    }
}

/// A file of a cabinet.
#[derive(Debug)]
pub struct Volume {
    /// Its path among the sources.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of its last change, nanoseconds since 1970; 0 when unknown.
    pub modified: u64,
    /// True for a separate file that holds one member and no part of the cabinet itself.
    pub beside: bool,
    input: Arc<dyn ReadAt>,
    hash: OnceLock<Option<String>>,
}

impl Volume {
    /// A file of `size` bytes, read by `input`.
    pub fn new(path: String, size: u64, modified: u64, input: Arc<dyn ReadAt>) -> Self {
        Self {
            path,
            size,
            modified,
            beside: false,
            input,
            hash: OnceLock::new(),
        }
    }

    /// Creates a file from bytes in memory.
    pub fn in_memory(path: &str, bytes: Vec<u8>) -> Self {
        Self::new(path.to_owned(), bytes.len() as u64, 0, Arc::new(bytes))
    }

    /// Its name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Fills `buffer` from byte `offset` on.
    ///
    /// # Errors
    /// The file ends earlier, or cannot be read.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.size) {
            let text = format!("{} ends at byte {}", self.path, self.size);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        }
        let read = self.input.read_at(offset, buffer);
        read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path)))
    }

    /// Its first bytes, at most `most`.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn start(&self, most: u64) -> io::Result<Vec<u8>> {
        let count = usize::try_from(self.size.min(most)).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).map_err(io::Error::other)?;
        bytes.resize(count, 0);
        self.read_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// The file on disk that it is.
    pub fn on_disk(&self) -> Option<&Path> {
        self.input.on_disk()
    }

    /// Calls `visit` with each file on disk that it is read from.
    pub fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        self.input.visit_files(visit);
    }

    /// BLAKE3 of all its bytes, computed at most once; `None` when they cannot be read.
    pub fn blake3(&self) -> Option<&str> {
        let read = |offset, part: &mut [u8]| self.read_at(offset, part);
        let hash = self
            .hash
            .get_or_init(|| blake3_by_place(self.size, read).ok());
        hash.as_deref()
    }

    /// A reader of its bytes from `base` on.
    pub fn cursor(&self, base: u64) -> Cursor {
        Cursor {
            input: Arc::clone(&self.input),
            base,
            size: self.size.saturating_sub(base),
            place: 0,
        }
    }
}

/// Reader of a volume with seeking.
#[derive(Debug, Clone)]
pub struct Cursor {
    input: Arc<dyn ReadAt>,
    base: u64,
    size: u64,
    place: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.size.saturating_sub(self.place);
        let count = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let part = buffer.get_mut(..count).unwrap_or_default();
        if !part.is_empty() {
            self.input
                .read_at(self.base.saturating_add(self.place), part)?;
        }
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for Cursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}

/// Finds a file of a set: its path below the folder of the set, with `/`; letter case is ignored.
pub type Find<'f> = &'f mut dyn FnMut(&str) -> Option<Volume>;
