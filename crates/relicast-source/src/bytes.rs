//! Bytes of one source file. Small files are read at once. Large files are read when their bytes are asked for, or
//! passed on in windows when no caller needs them as a whole.
//!
//! ```
//! use relicast_source::bytes::FileBytes;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("notes.txt");
//! std::fs::write(&path, b"a line")?;
//! let bytes = FileBytes::open_path(&path)?;
//! assert_eq!(&*bytes, b"a line");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{File, FileType};
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use relicast_limits as limits;

/// Bytes of a file. As a slice, all of them are in memory from then on; [`check`](Self::check) returns an error if
/// they could not be read.
#[derive(Debug)]
pub enum FileBytes {
    /// Bytes in memory.
    Owned(Vec<u8>),
    /// Bytes in memory that count towards [`MOST_HELD`].
    Held(Held),
    /// A large file, read when its bytes are asked for.
    Large(LargeFile),
}

/// Part of a file that is read by offset.
#[derive(Debug)]
pub struct LargeFile {
    file: File,
    offset: u64,
    length: usize,
    /// All bytes, or the reason why they cannot be read.
    whole: OnceLock<Result<Vec<u8>, (io::ErrorKind, String)>>,
}

impl LargeFile {
    /// All bytes; empty if they cannot be read.
    fn whole(&self) -> &[u8] {
        let read = || {
            check_size(self.length as u64)
                .and_then(|()| read_part(&self.file, self.offset, self.length))
                .map_err(|fault| (fault.kind(), fault.to_string()))
        };
        let whole = self.whole.get_or_init(|| limits::uncounted(read));
        whole.as_deref().unwrap_or_default()
    }
}

/// Largest number of bytes of files in memory at once, for all threads together. Further files go to temporary
/// files.
pub const MOST_HELD: u64 = 24 << 20;

/// Number of bytes of files in memory.
static HELD: AtomicU64 = AtomicU64::new(0);

/// Bytes in memory with their share of [`MOST_HELD`], which is released when they are dropped.
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
    /// Reserves memory for `length` bytes, unless other files hold too much.
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
    /// There are more of them than were reserved.
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
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// It cannot be opened or read, or is no regular file.
    pub fn open_path(path: &Path) -> io::Result<Self> {
        Self::read(open_regular(path)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Self::part(file, 0, length)
    }

    /// Reads `length` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// The file is shorter, or cannot be read.
    pub fn read_part(file: File, offset: u64, length: u64) -> io::Result<Self> {
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > file.metadata().map_or(0, |data| data.len())) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::part(file, offset, length)
    }

    /// Reads `length` bytes, which the file had a moment ago.
    fn part(file: File, offset: u64, length: u64) -> io::Result<Self> {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        if length <= READ_AT_ONCE {
            return read_part(&file, offset, length).map(Self::Owned);
        }
        Ok(Self::Large(LargeFile {
            file,
            offset,
            length,
            whole: OnceLock::new(),
        }))
    }

    /// Number of bytes, whether they are in memory or not.
    pub fn size(&self) -> u64 {
        match self {
            Self::Large(large) => large.length as u64,
            Self::Owned(_) | Self::Held(_) => self.len() as u64,
        }
    }

    /// The first and last bytes of a large file that is not in memory, up to a window each; `None` if it is in memory.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn ends(&self) -> io::Result<Option<[Vec<u8>; 2]>> {
        let Self::Large(large) = self else {
            return Ok(None);
        };
        if large.whole.get().is_some() {
            return Ok(None);
        }
        let last = large.length.saturating_sub(WINDOW) as u64;
        let read = |offset| {
            let length = large.length.min(WINDOW);
            read_part(&large.file, large.offset.saturating_add(offset), length)
        };
        Ok(Some([read(0)?, read(last)?]))
    }

    /// Fills `buffer` from byte `offset` on.
    ///
    /// # Errors
    /// The file has fewer bytes, or they cannot be read.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let end = start.saturating_add(buffer.len());
        match self {
            Self::Large(large) if large.whole.get().is_none() && end <= large.length => {
                let place = large.offset.saturating_add(offset);
                fill(&large.file, place, buffer, start, large.length)
            }
            _ => {
                let part = self.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(part);
                self.check()
            }
        }
    }

    /// Checks that the bytes that were asked for are complete. Otherwise everything made from them is invalid.
    ///
    /// # Errors
    /// They could not be read; the text gives the offset of the failure, or the limit that they exceed.
    pub fn check(&self) -> io::Result<()> {
        match self {
            Self::Large(LargeFile { whole, .. }) => match whole.get() {
                Some(Err((kind, text))) => Err(io::Error::new(*kind, text.clone())),
                _ => Ok(()),
            },
            Self::Owned(_) | Self::Held(_) => Ok(()),
        }
    }
}

/// Passes `size` bytes to `take` in windows; `read` fills a buffer from an offset on.
fn pass_by_place<E: From<io::Error>>(
    size: u64,
    read: impl Fn(u64, &mut [u8]) -> io::Result<()>,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = vec![0; usize::try_from(size).map_or(WINDOW, |size| size.min(WINDOW))];
    let mut offset = 0;
    while offset < size {
        let left = usize::try_from(size - offset).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let (part, _) = buffer.split_at_mut(count);
        read(offset, part)?;
        take(part)?;
        offset += count as u64;
    }
    Ok(())
}

/// BLAKE3 of `size` bytes as hexadecimal digits; `read` fills a buffer from an offset on.
///
/// # Errors
/// They cannot be read.
pub(super) fn blake3_by_place(
    size: u64,
    read: impl Fn(u64, &mut [u8]) -> io::Result<()>,
) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    pass_by_place(size, read, |window| -> io::Result<()> {
        hasher.update(window);
        Ok(())
    })?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Largest file that is read as a whole when it is opened.
const READ_AT_ONCE: usize = 4 << 20;

/// Returns the name of an entry that is neither a file nor a folder. Such entries have no bytes of their own:
/// some wait for another program, some never end.
pub fn special(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
    }
    match kind.is_file() {
        true => None,
        false if kind.is_dir() => Some("a folder"),
        false => Some("an unknown type of file"),
    }
}

/// Opens a regular file. Other entries, such as pipes, could block the caller.
///
/// # Errors
/// It cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    match special(file.metadata()?.file_type()) {
        None => Ok(file),
        Some(what) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{what}, not a file"),
        )),
    }
}

/// The bytes of a document or an edited output at `path`: a regular file that is no larger than the memory of a run.
///
/// # Errors
/// It cannot be opened or read, is not a regular file, or is larger.
pub fn read_document(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let file = open_regular(path.as_ref())?;
    let length = file.metadata()?.len();
    check_size(length)?;
    read_part(&file, 0, usize::try_from(length).map_err(io::Error::other)?)
}

/// Checks that bytes that are needed at once fit the memory limit of a run.
fn check_size(length: u64) -> io::Result<()> {
    let most = limits::current().memory_mib;
    if length <= u64::from(most) << 20 {
        return Ok(());
    }
    let found = length.div_ceil(1 << 20);
    let text = format!("expected at most {most} MiB (limits.memory_mib), found {found} MiB");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
}

/// Reads by offset: others may read from the same file at the same time.
fn read_part(file: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(io::Error::other)?;
    bytes.resize(length, 0);
    fill(file, offset, &mut bytes, 0, length)?;
    Ok(bytes)
}

/// Fills `buffer` from byte `offset` of a file on. The buffer is the part at byte `start` of `length` bytes.
fn fill(
    file: &File,
    offset: u64,
    buffer: &mut [u8],
    start: usize,
    length: usize,
) -> io::Result<()> {
    let mut place = 0;
    while let Some(rest) = buffer.get_mut(place..).filter(|rest| !rest.is_empty()) {
        let at = start.saturating_add(place);
        match read_at(file, offset.saturating_add(place as u64), rest) {
            Ok(0) => {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("byte {at} of {length}: the file became shorter while it was read"),
                ));
            }
            Ok(count) => place += count,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => {
                let text = format!("byte {at} of {length}: {fault}");
                return Err(io::Error::new(fault.kind(), text));
            }
        }
    }
    Ok(())
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Window in which a large file is passed on, in bytes.
const WINDOW: usize = 1 << 20;

impl FileBytes {
    /// BLAKE3 of the bytes. A large file is read in windows.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn blake3(&self) -> io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        self.pass(|window| -> io::Result<()> {
            hasher.update(window);
            Ok(())
        })?;
        Ok(hasher.finalize())
    }

    /// Passes the bytes to `take` in order: a large file in windows, unless it is in memory already.
    ///
    /// # Errors
    /// `take` fails, or the bytes cannot be read.
    pub fn pass<E: From<io::Error>>(
        &self,
        take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.check()?;
        match self {
            Self::Large(large) if large.whole.get().is_none() => {
                let read = |offset: u64, window: &mut [u8]| {
                    let start = usize::try_from(offset).map_err(io::Error::other)?;
                    let offset = large.offset.saturating_add(offset);
                    fill(&large.file, offset, window, start, large.length)
                };
                pass_by_place(large.length as u64, read, take)
            }
            _ => self.chunks(WINDOW).try_for_each(take),
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Held(held) => &held.bytes,
            Self::Large(large) => large.whole(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// More than is read at once.
    const LARGE: usize = READ_AT_ONCE + WINDOW + 5000;

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn a_file_that_is_cut_before_it_is_read_is_a_fault_and_no_end() {
        let file = file_of(&vec![7; LARGE]);
        let [cut, hashed] = [(); 2].map(|()| FileBytes::read(file.try_clone().unwrap()).unwrap());
        let whole = FileBytes::read(file.try_clone().unwrap()).unwrap();
        assert_eq!(whole.last(), Some(&7));
        file.set_len(20_000).unwrap();
        assert_eq!(cut.size(), LARGE as u64);
        assert!(cut.check().is_ok(), "nothing was asked for");
        assert!(cut.is_empty());
        for fault in [cut.check(), hashed.blake3().map(|_| ())] {
            let fault = fault.unwrap_err().to_string();
            assert!(
                fault.contains(&format!("byte 20000 of {LARGE}: ")),
                "{fault}"
            );
        }
        // Bytes that were read before are not affected.
        assert!(whole.check().is_ok() && whole.len() == LARGE);
        assert_eq!(FileBytes::read(file).unwrap().len(), 20_000);
    }

    #[test]
    fn a_file_beyond_the_memory_of_a_run_is_passed_and_hashed_but_never_held() {
        let file = tempfile::tempfile().unwrap();
        let size = (u64::from(limits::current().memory_mib) << 20) + 1;
        file.set_len(size).unwrap();
        let bytes = FileBytes::read(file).unwrap();
        let mut count = 0;
        let passed = bytes.pass(|window| -> io::Result<()> {
            assert!(window.len() <= WINDOW);
            count += window.len() as u64;
            Ok(())
        });
        assert!(passed.is_ok() && count == size);
        assert!(bytes.is_empty());
        let fault = bytes.check().unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::FileTooLarge);
        assert!(fault.to_string().contains("limits.memory_mib"), "{fault}");
    }

    #[test]
    fn a_part_behind_the_end_is_no_part() {
        let file = file_of(b"abcdef");
        let part = |offset, length| FileBytes::read_part(file.try_clone().unwrap(), offset, length);
        assert_eq!(&*part(2, 3).unwrap(), b"cde");
        assert!(part(2, 5).is_err());
        let cut = read_part(&file, 2, 5).unwrap_err().to_string();
        assert!(cut.contains("byte 4 of 5"), "{cut}");
    }

    #[test]
    fn what_is_held_is_bounded_and_given_back() {
        assert!(Held::reserve(MOST_HELD + 1).is_none());
        let mut held = Held::reserve(4).unwrap();
        held.add(b"abc").unwrap();
        assert!(held.add(b"de").is_err());
        assert_eq!(&*FileBytes::Held(held), b"abc");
        // Other tests hold bytes too, but only for a short time.
        let all = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            Held::reserve(MOST_HELD)
        });
        assert!(all.is_some() && Held::reserve(1).is_none());
    }

    #[test]
    fn a_large_file_is_passed_in_order_whether_it_is_in_memory_or_not() {
        let bytes: Vec<u8> = (0..LARGE).map(|place| (place / 7) as u8).collect();
        let part = 100..LARGE as u64;
        let file =
            FileBytes::read_part(file_of(&bytes), part.start, part.end - part.start).unwrap();
        let passed = || {
            let mut passed = Vec::new();
            let take = |window: &[u8]| -> io::Result<()> {
                passed.extend_from_slice(window);
                Ok(())
            };
            file.pass(take).unwrap();
            passed
        };
        let [first, last] = file.ends().unwrap().unwrap();
        assert!(first == bytes[100..100 + WINDOW] && last == bytes[LARGE - WINDOW..]);
        assert!(passed() == bytes[100..]);
        assert_eq!(file.blake3().unwrap(), blake3::hash(&bytes[100..]));
        assert!(*file == bytes[100..] && file.ends().unwrap().is_none());
        assert!(passed() == bytes[100..]);
    }
}
