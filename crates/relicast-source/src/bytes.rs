//! The bytes of one source file: read where it is small, mapped where it is large and the system lets
//! [faults](FileBytes::check) be told.
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
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(unix)]
use super::mapped::Mapped;
use relicast_limits as limits;

/// The bytes of a file: mapped, or owned.
#[derive(Debug)]
pub enum FileBytes {
    /// A read-only mapping.
    #[cfg(unix)]
    Mapped(Mapped),
    /// Bytes in memory.
    Owned(Vec<u8>),
    /// Bytes in memory that count towards [`MOST_HELD`].
    Held(Held),
}

/// Bytes of files that are held in memory at once because they cannot be mapped, for all threads
/// together. What goes beyond is gathered in temporary files.
pub const MOST_HELD: u64 = 24 << 20;

/// Number of bytes of files in memory.
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
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// It cannot be opened or read, or is no regular file.
    pub fn open_path(path: &Path) -> io::Result<Self> {
        Self::map(&open_regular(path)?)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// It cannot be read or mapped.
    pub fn map(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Self::part(file, 0, length)
    }

    /// `length` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// The file is shorter, or cannot be read or mapped.
    pub fn map_part(file: &File, offset: u64, length: u64) -> io::Result<Self> {
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > file.metadata().map_or(0, |data| data.len())) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::part(file, offset, length)
    }

    /// `length` bytes, which the file had a moment ago.
    fn part(file: &File, offset: u64, length: u64) -> io::Result<Self> {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        #[cfg(unix)]
        if length > MOST_READ {
            return Ok(Self::Mapped(Mapped::new(file, offset, length)?));
        }
        read_part(file, offset, length).map(Self::Owned)
    }

    /// Whether it takes no memory but for what was read of it a moment ago.
    pub fn is_mapped(&self) -> bool {
        #[cfg(unix)]
        let is_mapped = matches!(self, Self::Mapped(_));
        #[cfg(not(unix))]
        let is_mapped = false;
        is_mapped
    }

    /// Checks that all bytes that were read so far are those of the file. Everything made from them is
    /// invalid otherwise.
    ///
    /// # Errors
    /// Some could not be read; the text says from where on.
    pub fn check(&self) -> io::Result<()> {
        #[cfg(unix)]
        if let Self::Mapped(map) = self
            && let Some(place) = map.fault()
        {
            return Err(io::Error::other(format!(
                "byte {place} of {} cannot be read: the disk fails there, or the file was cut while it \
                 was read",
                map.len()
            )));
        }
        Ok(())
    }
}

/// BLAKE3 of `size` bytes that `read` fills a buffer with from a place on, as hexadecimal digits.
///
/// # Errors
/// They cannot be read.
pub(super) fn blake3_by_place(
    size: u64,
    read: impl Fn(u64, &mut [u8]) -> io::Result<()>,
) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; WINDOW];
    let mut offset = 0;
    while offset < size {
        let left = usize::try_from(size - offset).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let (part, _) = buffer.split_at_mut(count);
        read(offset, part)?;
        hasher.update(part);
        offset += count as u64;
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Files up to this size are read: up to here that is faster than mapping them.
#[cfg(unix)]
const MOST_READ: usize = 128 << 10;

/// What is neither a file nor a folder, in words. Such things have no bytes of their own: some wait for
/// another program, some never end.
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
        false => Some("something else"),
    }
}

/// Opens what is to be a regular file; nothing else keeps anybody waiting.
///
/// # Errors
/// It cannot be opened, or is no regular file.
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
/// It cannot be opened or read, is no regular file, or is larger.
pub fn read_document(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let file = open_regular(path.as_ref())?;
    let most = limits::current().memory_mib;
    let length = file.metadata()?.len();
    if length > u64::from(most) << 20 {
        let found = length.div_ceil(1 << 20);
        let text = format!("expected at most {most} MiB (limits.memory_mib), found {found} MiB");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    read_part(&file, 0, usize::try_from(length).map_err(io::Error::other)?)
}

/// Reads by place: others may read from the same file at the same time.
fn read_part(file: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(io::Error::other)?;
    bytes.resize(length, 0);
    let mut place = 0;
    while let Some(rest) = bytes.get_mut(place..).filter(|rest| !rest.is_empty()) {
        match read_at(file, offset.saturating_add(place as u64), rest) {
            Ok(0) => {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("byte {place} of {length}: the file was cut while it was read"),
                ));
            }
            Ok(count) => place += count,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => {
                let text = format!("byte {place} of {length}: {fault}");
                return Err(io::Error::new(fault.kind(), text));
            }
        }
    }
    Ok(bytes)
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Bytes that are passed before their memory is given back.
const WINDOW: usize = 1 << 20;

impl FileBytes {
    /// BLAKE3 of the bytes. Of a large mapped file few pages stay in memory.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn blake3(&self) -> io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        self.pass(self, |window| -> io::Result<()> {
            hasher.update(window);
            Ok(())
        })?;
        Ok(hasher.finalize())
    }

    /// Passes `part` of the bytes to `take` piece by piece, and releases the memory of each piece of a large
    /// file.
    ///
    /// # Errors
    /// `take` fails, or the bytes cannot be read.
    pub fn pass<E: From<io::Error>>(
        &self,
        part: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        part.chunks(WINDOW).try_for_each(|window| {
            #[cfg(unix)]
            if let Self::Mapped(_) = self {
                Mapped::touch(window);
                self.check()?;
            }
            take(window)?;
            self.release(window);
            Ok(())
        })
    }

    /// Lets the system take the memory of `part` back until it is looked at again, when it is part of
    /// a large mapped file.
    #[cfg_attr(
        not(unix),
        expect(clippy::unused_self, reason = "nothing is mapped there")
    )]
    pub fn release(&self, part: &[u8]) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            map.release(part);
        }
        #[cfg(not(unix))]
        let _ = part;
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(unix)]
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
            Self::Held(held) => &held.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than is read, and more than stays in memory.
    const LARGE: usize = (4 << 20) + 5000;

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_cut_while_it_is_read_is_a_fault_and_no_end() {
        use std::io::Write;
        for length in [LARGE, 3 << 16] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&vec![7; length]).unwrap();
            let (cut, whole) = (FileBytes::map(&file), FileBytes::map(&file).unwrap());
            let cut = cut.unwrap();
            assert_eq!(whole.last(), Some(&7));
            file.set_len(20_000).unwrap();
            assert_eq!(cut[12_000], 7);
            assert!(cut.check().is_ok(), "nothing was looked at that is gone");
            assert!(cut[30_000..].iter().all(|byte| *byte == 0));
            let fault = cut.check().unwrap_err().to_string();
            assert!(fault.contains(&format!("of {length}")), "{fault}");
            let place: usize = fault.split(' ').nth(1).unwrap().parse().unwrap();
            // Pages are 4 to 64 KB.
            assert!(place > 12_000 && place <= 32_768, "{fault}");
            assert!(cut.blake3().is_err());
            cut.release(&cut);
            assert!(cut.check().is_err());
            // The other mapping of the file is another's.
            assert!(whole.check().is_ok());
            assert!(whole.blake3().is_err());
            drop((cut, whole));
            let again = FileBytes::map(&file).unwrap();
            assert!(again.check().is_ok() && again.len() == 20_000);
        }
    }

    /// Many threads meet the same fault, while others map and unmap.
    #[cfg(unix)]
    #[test]
    fn faults_of_many_threads_are_told_of_the_right_file() {
        let bad = tempfile::tempfile().unwrap();
        bad.set_len(1 << 24).unwrap();
        let good = tempfile::tempfile().unwrap();
        good.set_len(1 << 18).unwrap();
        for _ in 0..20 {
            bad.set_len(1 << 24).unwrap();
            let cut = FileBytes::map(&bad).unwrap();
            bad.set_len(1 << 12).unwrap();
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (cut, good) = (&cut, &good);
                    scope.spawn(move || match thread {
                        0 => {
                            for _ in 0..50 {
                                let mapped = FileBytes::map(good).unwrap();
                                mapped.blake3().unwrap();
                            }
                        }
                        thread => {
                            let from = (1 << 20) * (5 - thread);
                            assert_eq!(
                                cut[from..].iter().map(|byte| u64::from(*byte)).sum::<u64>(),
                                0
                            );
                        }
                    });
                }
            });
            assert!(cut.check().is_err());
        }
    }

    /// Kilobytes of a mapping that are in memory.
    #[cfg(target_os = "linux")]
    fn resident(bytes: &[u8]) -> u64 {
        let start = format!("{:x}-", bytes.as_ptr().addr());
        let told = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = told.lines().skip_while(|line| !line.starts_with(&start));
        let line = lines.find_map(|line| line.strip_prefix("Rss:")).unwrap();
        line.trim_end_matches("kB").trim().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn small_parts_that_were_passed_leave_memory_together() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; 2 * LARGE]).unwrap();
        let map = FileBytes::map(&file).unwrap();
        assert!(map.iter().all(|byte| *byte == 7));
        let all = resident(&map);
        assert!(all > 8 << 10, "{all}");
        let mut parts = map.chunks(64 << 10);
        for part in parts.by_ref().take(15) {
            map.release(part);
        }
        assert_eq!(resident(&map), all);
        map.release(parts.next().unwrap());
        assert_eq!(resident(&map), 0);
        assert!(map.iter().all(|byte| *byte == 7));
        map.release(&map[..2 << 20]);
        let rest = resident(&map);
        assert!(0 < rest && rest <= all - (2 << 10), "{rest} of {all}");
    }

    #[test]
    fn a_part_behind_the_end_is_no_part() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abcdef").unwrap();
        assert_eq!(&*FileBytes::map_part(&file, 2, 3).unwrap(), b"cde");
        assert!(FileBytes::map_part(&file, 2, 5).is_err());
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
        let bytes: Vec<u8> = (0..LARGE).map(|place| (place / 7) as u8).collect();
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
        assert_eq!(mapped.blake3().unwrap(), blake3::hash(&bytes));
        assert!(mapped.check().is_ok());
        // Bytes from elsewhere are nobody's to give back.
        mapped.release(&bytes);
        mapped.release(b"");
        assert!(*mapped == *bytes);
    }
}
