//! Files of a disc image. They are read by offset and never as a whole, because an image is larger than the
//! memory that a run may use.
//!
//! ```
//! use relicast_source::disc::image::ImageFile;
//!
//! let file = tempfile::NamedTempFile::new()?;
//! std::fs::write(file.path(), [5; 4704])?;
//! let image = ImageFile::sectors("track.bin", file.path())?;
//! let mut sector = [0; 2352];
//! image.read_at(2352, &mut sector)?;
//! assert_eq!(sector, [5; 2352]);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::compressed::{self, Packing};
use crate::bytes::blake3_by_place;
use crate::names::fold;
use relicast_formats::riff::{self, FormatTag};

/// A file of an image.
#[derive(Debug)]
pub struct ImageFile {
    /// Its name in the sheet.
    pub name: String,
    /// Path of the file; `None` when it was not found.
    pub path: Option<PathBuf>,
    /// First byte of the sectors or samples in it.
    pub start: u64,
    /// Bytes of the sectors or samples.
    pub length: u64,
    /// True if samples have their most significant byte first.
    pub big_endian: bool,
    /// Reason why nothing can be read from it.
    pub problem: Option<String>,
    /// Size of the file in bytes.
    pub size: u64,
    /// Lossy compression of the file, if any: such a file is copied and not read.
    pub lossy: Option<&'static str>,
    /// True if it is compressed in an unsupported format; it is listed as a file of its own.
    pub is_packed: bool,
    /// Decoded samples of a FLAC file, created when needed.
    decoded: Option<OnceLock<Result<File, String>>>,
    file: Option<File>,
    hash: OnceLock<Option<String>>,
}

impl ImageFile {
    /// Opens a file that consists of sectors.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn sectors(name: &str, path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(Self {
            name: name.to_owned(),
            path: Some(path.to_owned()),
            start: 0,
            length: size,
            big_endian: false,
            problem: None,
            size,
            lossy: None,
            is_packed: false,
            decoded: None,
            file: Some(file),
            hash: OnceLock::new(),
        })
    }

    /// Creates an entry for a file that is missing or cannot be used.
    pub fn absent(name: &str, problem: String) -> Self {
        Self {
            name: name.to_owned(),
            path: None,
            start: 0,
            length: 0,
            big_endian: false,
            problem: Some(problem),
            size: 0,
            lossy: None,
            is_packed: false,
            decoded: None,
            file: None,
            hash: OnceLock::new(),
        }
    }

    /// Opens a FLAC file of CD audio and uses its samples. A file without samples records its problem.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn flac(name: &str, path: &Path) -> io::Result<Self> {
        let mut image = Self::sectors(name, path)?;
        match compressed::flac_length(path) {
            Ok(length) => image.length = length,
            Err(problem) => (image.length, image.problem) = (0, Some(problem)),
        }
        image.decoded = Some(OnceLock::new());
        Ok(image)
    }

    /// Opens a lossy file, which is not an image: it is copied.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn lossy(name: &str, path: &Path, form: &'static str) -> io::Result<Self> {
        let mut image = Self::sectors(name, path)?;
        image.length = 0;
        image.lossy = Some(form);
        image.problem = Some(format!("{form}, a lossy format: it is copied unchanged"));
        Ok(image)
    }

    /// Opens a file that is compressed in an unsupported format.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn packed(name: &str, path: &Path, packing: Packing) -> io::Result<Self> {
        let mut image = Self::sectors(name, path)?;
        image.length = 0;
        image.is_packed = true;
        image.problem = Some(compressed::advice(packing, path, name));
        Ok(image)
    }

    /// Opens a WAV file of CD audio and uses its samples. A file without samples records its problem.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn wave(name: &str, path: &Path) -> io::Result<Self> {
        let mut image = Self::sectors(name, path)?;
        match image.find_samples() {
            Ok((start, length)) => (image.start, image.length) = (start, length),
            Err(problem) => (image.length, image.problem) = (0, Some(problem)),
        }
        Ok(image)
    }

    /// Finds offset and size of the samples of a WAV file by its chunks, without reading the samples.
    fn find_samples(&self) -> Result<(u64, u64), String> {
        let mut head = [0; 12];
        self.read_at(0, &mut head)
            .map_err(|error| error.to_string())?;
        if !head.starts_with(b"RIFF") || head.get(8..) != Some(b"WAVE") {
            return Err("it is not a WAV file".to_owned());
        }
        let mut place = 12_u64;
        let mut right = false;
        // Few chunks precede the samples; a file with thousands of chunks is not searched further.
        for _ in 0..4096 {
            let mut header = [0; 8];
            if self.read_at(place, &mut header).is_err() {
                break;
            }
            let [a, b, c, d, sizes @ ..] = header;
            let size = u64::from(u32::from_le_bytes(sizes));
            let body = place.saturating_add(8);
            match &[a, b, c, d] {
                b"fmt " => {
                    // The longest known format, the extensible one, has 40 bytes.
                    let mut format = vec![0; usize::try_from(size.min(40)).unwrap_or(40)];
                    let read = self.read_at(body, &mut format);
                    read.map_err(|error| error.to_string())?;
                    right = is_cd_format(&format);
                }
                b"data" if right => {
                    return Ok((body, size.min(self.size.saturating_sub(body))));
                }
                b"data" => {
                    return Err("its samples are not 44100 Hz, stereo, 16 bits".to_owned());
                }
                _ => {}
            }
            place = body.saturating_add(size).saturating_add(size % 2);
        }
        Err("it has no samples".to_owned())
    }

    /// Fills `buffer` from byte `offset` of the file; for FLAC, from byte `offset` of the samples.
    ///
    /// # Errors
    /// The file is absent or ends earlier.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if let (Some(decoded), Some(path)) = (&self.decoded, &self.path) {
            let decode = || {
                let decoded = compressed::decode_flac(path, self.length);
                decoded.map_err(|error| format!("{}: {error}", self.name))
            };
            return match decoded.get_or_init(decode) {
                Ok(file) => read_exact_at(file, offset, buffer),
                Err(fault) => Err(io::Error::new(io::ErrorKind::InvalidData, fault.clone())),
            };
        }
        self.read_stored(offset, buffer)
    }

    /// Fills `buffer` from byte `offset` of the file as it is stored.
    fn read_stored(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let file = self.file.as_ref().ok_or_else(|| {
            let problem = self.problem.as_deref().unwrap_or("not there");
            io::Error::new(io::ErrorKind::NotFound, format!("{}: {problem}", self.name))
        })?;
        read_exact_at(file, offset, buffer)
    }

    /// BLAKE3 of the whole file, computed at most once; `None` when it cannot be read.
    pub fn blake3(&self) -> Option<&str> {
        let read = |offset, part: &mut [u8]| self.read_stored(offset, part);
        let hash = self
            .hash
            .get_or_init(|| blake3_by_place(self.size, read).ok());
        hash.as_deref()
    }
}

/// True if a format chunk states 44,100 Hz, stereo, 16 bits.
fn is_cd_format(chunk: &[u8]) -> bool {
    riff::Format::decode(chunk).is_ok_and(|format| {
        let header = &format.header;
        format.coding() == FormatTag::Pcm
            && (header.channels, header.rate, header.bits) == (2, 44_100, 16)
    })
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                buffer = buffer.get_mut(count..).unwrap_or_default();
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// Finds the file that a sheet calls `name`, in or below `folder`, in any letter case. For names in
/// other places (drives, roots, parent folders) only the last part counts.
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let parts: Vec<&str> = name
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let inside = parts
        .iter()
        .all(|part| *part != ".." && !part.contains([':', '\0']));
    let whole = inside.then(|| descend(folder, &parts)).flatten();
    whole.or_else(|| {
        let last = parts.last().filter(|part| **part != "..")?;
        descend(folder, &[*last])
    })
}

fn descend(folder: &Path, parts: &[&str]) -> Option<PathBuf> {
    let mut place = folder.to_owned();
    for part in parts {
        let exact = place.join(part);
        place = if exact.exists() {
            exact
        } else {
            let wanted = fold(part);
            let mut candidates: Vec<PathBuf> = std::fs::read_dir(&place)
                .ok()?
                .filter_map(Result::ok)
                .filter(|entry| fold(&entry.file_name().to_string_lossy()) == wanted)
                .map(|entry| entry.path())
                .collect();
            candidates.sort();
            candidates.into_iter().next()?
        };
    }
    place.is_file().then_some(place)
}
