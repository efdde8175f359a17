//! The bytes of one source file. This is the only module with `unsafe` code.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{Mmap, MmapOptions};

use super::tree::Location;

/// The bytes of a file: mapped, or owned when there is nothing to map.
#[derive(Debug)]
pub enum FileBytes {
    /// A read-only mapping.
    Mapped(Mmap),
    /// Bytes in memory.
    Owned(Vec<u8>),
    /// Bytes in memory that count towards [`MOST_HELD`].
    Held(Held),
}

/// Bytes of files that are held in memory at once because they cannot be mapped, for all threads
/// together. What goes beyond is gathered in temporary files.
pub const MOST_HELD: u64 = 24 << 20;

/// How many bytes are held.
static HELD: AtomicU64 = AtomicU64::new(0);

/// Bytes in memory with their share of [`MOST_HELD`], given back when they go.
#[derive(Debug)]
pub struct Held {
    bytes: Vec<u8>,
    share: Share,
}

/// A share of [`MOST_HELD`].
#[derive(Debug)]
struct Share(u64);

impl Drop for Share {
    fn drop(&mut self) {
        HELD.fetch_sub(self.0, Ordering::Relaxed);
    }
}

impl Held {
    /// Room for `length` bytes, unless others hold too many.
    pub fn reserve(length: u64) -> Option<Self> {
        let free = |held: u64| held.checked_add(length).filter(|sum| *sum <= MOST_HELD);
        let taken = HELD.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free);
        let share = taken.ok().map(|_| Share(length))?;
        Some(Self {
            bytes: Vec::with_capacity(usize::try_from(length).ok()?),
            share,
        })
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// There are more of them than room was made for.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let sum = self.bytes.len().saturating_add(bytes.len()) as u64;
        if sum > self.share.0 {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
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

/// Bytes that are passed before their memory is given back.
const WINDOW: usize = 1 << 20;

/// Files up to this size stay in memory when they were passed: they are small beside what becomes of them.
const SMALL: usize = 4 << 20;

impl FileBytes {
    /// BLAKE3 of the bytes. Of a large mapped file few pages stay in memory.
    pub fn blake3(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let hashed = self.pass(self, |window| -> io::Result<()> {
            hasher.update(window);
            Ok(())
        });
        debug_assert!(hashed.is_ok(), "hashing cannot fail");
        hasher.finalize()
    }

    /// Hands `part` of the bytes to `take` piece by piece, and gives the memory of each back behind it
    /// when the file is large.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn pass<E>(
        &self,
        part: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        part.chunks(WINDOW).try_for_each(|window| {
            take(window)?;
            self.release(window);
            Ok(())
        })
    }

    /// Lets the system take the memory of `part` back until it is looked at again, when it is part of
    /// a large mapped file.
    #[cfg(unix)]
    pub fn release(&self, part: &[u8]) {
        let Self::Mapped(map) = self else {
            return;
        };
        let start = part.as_ptr().addr().checked_sub(map.as_ptr().addr());
        let Some(start) = start.filter(|start| *start < map.len()) else {
            return;
        };
        if map.len() > SMALL {
            let length = part.len().min(map.len() - start);
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

    /// Lets the system take the memory of `part` back: this system looks after it on its own.
    #[cfg(not(unix))]
    pub fn release(&self, _part: &[u8]) {}
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
            Self::Held(held) => &held.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_bounded_and_given_back() {
        assert!(Held::reserve(MOST_HELD + 1).is_none());
        let mut held = Held::reserve(4).unwrap();
        held.add(b"abc").unwrap();
        assert!(held.add(b"de").is_err());
        assert_eq!(&*FileBytes::Held(held), b"abc");
        // Other tests hold bytes too, but never for long.
        let all = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            Held::reserve(MOST_HELD)
        });
        assert!(all.is_some() && Held::reserve(1).is_none());
    }

    #[test]
    fn a_large_file_is_passed_in_order_and_stays_readable() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..SMALL + 5000).map(|place| (place / 7) as u8).collect();
        file.write_all(&bytes).unwrap();
        let mapped = FileBytes::map(&file).unwrap();
        let mut passed = Vec::new();
        let part = &mapped[100..];
        mapped
            .pass(part, |window| -> io::Result<()> {
                passed.extend_from_slice(window);
                Ok(())
            })
            .unwrap();
        assert!(passed == bytes[100..] && *mapped == *bytes);
        assert_eq!(mapped.blake3(), blake3::hash(&bytes));
        // Bytes from elsewhere are nobody's to give back.
        mapped.release(&bytes);
        mapped.release(b"");
        assert!(*mapped == *bytes);
    }
}
