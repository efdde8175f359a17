//! An opened disc image: its sheet, its files, its tracks and the trees of its data tracks.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

use super::compressed::{self, Coding};
use super::cue::{self, CueSheet, FileFormat, TrackMode};
use super::data::{DataTrack, Health};
use super::image::{ImageFile, find};
use super::iso9660::{self, Entry, Volume};
use super::layout::{self, Layout};
use super::place::FileNumber;
use super::sector::{self, USER};
use super::sums::TrackSums;
use relicast_codec::{Deviations, FormatError};

/// Kind of file that an image was opened by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscKind {
    /// A sheet.
    Cue,
    /// An image of user data.
    Cooked,
    /// An image of whole sectors, without a sheet.
    Raw,
}

/// A data track and its tree.
#[derive(Debug)]
pub struct Session {
    /// The track.
    pub track: Arc<DataTrack>,
    /// Its tree, or the error.
    pub volume: Result<Volume, FormatError>,
}

/// A disc image.
#[derive(Debug)]
pub struct Disc {
    /// Name of the file that it was opened by.
    pub name: String,
    /// Kind of file that it was opened by.
    pub kind: DiscKind,
    /// Bytes of the sheet; empty without a sheet.
    pub sheet_bytes: Vec<u8>,
    /// The sheet.
    pub sheet: Option<CueSheet>,
    /// The files of the image.
    pub files: Arc<Vec<ImageFile>>,
    /// The tracks.
    pub layout: Layout,
    /// The data tracks.
    pub sessions: Vec<Session>,
    /// Deviations of the sheet.
    pub deviations: Deviations,
    /// Reason why nothing of it can be read.
    pub problem: Option<FormatError>,
    /// Newest time of change of its files, nanoseconds since 1970.
    pub modified: u64,
    pub(super) sums: Vec<OnceLock<io::Result<TrackSums>>>,
    pub(super) health: OnceLock<Vec<Health>>,
}

/// Detects a disc image: a sheet by its name, anything else by its content.
pub fn looks_like_image(path: &Path) -> Option<DiscKind> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    match &*extension {
        "cue" => Some(DiscKind::Cue),
        "iso" | "bin" | "img" | "raw" | "mdf" | "dat" => {
            by_content(path).or_else(|| (extension == "iso").then_some(DiscKind::Cooked))
        }
        _ => None,
    }
}

fn by_content(path: &Path) -> Option<DiscKind> {
    let file = ImageFile::sectors("", path).ok()?;
    if file.length < 17 * USER as u64 {
        return None;
    }
    let mut start = [0; 16];
    file.read_at(0, &mut start).ok()?;
    if sector::starts_with_sync(&start) {
        return Some(DiscKind::Raw);
    }
    let mut descriptor = [0; 6];
    file.read_at(16 * USER as u64, &mut descriptor).ok()?;
    (descriptor.get(1..) == Some(b"CD001")).then_some(DiscKind::Cooked)
}

impl Disc {
    /// Opens an image. Faults of its parts are stored with the parts.
    ///
    /// # Errors
    /// The file itself cannot be read.
    pub fn open(path: &Path, kind: DiscKind) -> io::Result<Self> {
        match kind {
            DiscKind::Cue => Self::open_sheet(path),
            DiscKind::Cooked | DiscKind::Raw => Self::open_single(path, kind),
        }
    }

    fn open_single(path: &Path, kind: DiscKind) -> io::Result<Self> {
        let name = name_of(path);
        let file = ImageFile::sectors(&name, path)?;
        let mode = match kind {
            DiscKind::Raw => {
                let mut start = [0; 16];
                file.read_at(0, &mut start)?;
                match sector::mode_of(&start) {
                    Some(2) => TrackMode::Mode2Raw,
                    _ => TrackMode::Mode1Raw,
                }
            }
            _ => TrackMode::Mode1Cooked,
        };
        let layout = layout::of_single(mode, &file);
        Ok(Self::assemble(
            name,
            kind,
            Vec::new(),
            None,
            vec![file],
            layout,
        ))
    }

    fn open_sheet(path: &Path) -> io::Result<Self> {
        let name = name_of(path);
        let size = fs::metadata(path)?.len();
        let too_large = size > cue::LARGEST as u64;
        let bytes = if too_large {
            Vec::new()
        } else {
            fs::read(path)?
        };
        let parsed = if too_large {
            let expected = format!("at most {} bytes", cue::LARGEST);
            Err(FormatError::malformed("sheet", 0, expected, size))
        } else {
            cue::parse(&bytes)
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(match parsed {
            Ok(parsed) => {
                let files = parsed.value.files.iter();
                let files: Vec<ImageFile> = files.map(|file| image_file(folder, file)).collect();
                let layout = layout::of_sheet(&parsed.value, &files);
                let sheet = Some(parsed.value);
                let mut disc = Self::assemble(name, DiscKind::Cue, bytes, sheet, files, layout);
                disc.deviations = parsed.deviations;
                disc.modified = disc.modified.max(modified(path));
                disc
            }
            Err(problem) => {
                let none = Layout::default();
                let mut disc = Self::assemble(name, DiscKind::Cue, bytes, None, Vec::new(), none);
                disc.problem = Some(problem);
                disc.modified = modified(path);
                disc
            }
        })
    }

    fn assemble(
        name: String,
        kind: DiscKind,
        sheet_bytes: Vec<u8>,
        sheet: Option<CueSheet>,
        files: Vec<ImageFile>,
        mut layout: Layout,
    ) -> Self {
        let files = Arc::new(files);
        let mut sessions = Vec::new();
        let mut later = Vec::new();
        for (number, track) in layout.tracks.iter().enumerate() {
            if track.problem.is_none()
                && let Some(mut track) = DataTrack::new(number, track, &files)
            {
                // Sheets without sessions do not count the sectors between two of them.
                let earliest = track.start.saturating_add(layout::BETWEEN_SESSIONS);
                if let Some(address) = track.stored_address().filter(|own| *own >= earliest) {
                    let field = format!(
                        "TRACK {:02}",
                        layout.tracks.get(number).map_or(0, |track| track.number)
                    );
                    let expected =
                        format!("its first sector at {}, as the sheet counts", track.start);
                    let found = format!("{address}, as the sector says: a later session");
                    later.push((field, expected, found));
                    track.start = address;
                }
                let volume = iso9660::read(&track);
                sessions.push(Session {
                    track: Arc::new(track),
                    volume,
                });
            }
        }
        for (field, expected, found) in later {
            layout.deviations.push(field, 0, expected, found);
        }
        let paths = files.iter().filter_map(|file| file.path.as_deref());
        Self {
            modified: paths.map(modified).max().unwrap_or_default(),
            sums: layout.tracks.iter().map(|_| OnceLock::new()).collect(),
            name,
            kind,
            sheet_bytes,
            sheet,
            files,
            layout,
            sessions,
            deviations: Deviations::default(),
            problem: None,
            health: OnceLock::new(),
        }
    }

    /// Calls `visit` with each file of the image on disk.
    pub fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        let files = self.files.iter().filter_map(|file| file.path.as_deref());
        files.for_each(visit);
    }

    /// The files of all trees with their numbers and paths. The trees of further tracks are in a folder named
    /// after their track.
    pub fn entries(&self) -> impl Iterator<Item = (FileNumber, String, &Entry)> {
        let trees = self.sessions.iter().filter_map(|session| {
            let volume = session.volume.as_ref().ok()?;
            Some((session, volume))
        });
        trees
            .enumerate()
            .flat_map(|(place, (session, volume))| {
                let number = self.layout.tracks.get(session.track.number);
                let number = number.map_or(0, |track| track.number);
                volume.entries.iter().map(move |entry| {
                    let path = match place {
                        0 => entry.path.clone(),
                        _ => format!("track{number:02}/{}", entry.path),
                    };
                    (path, entry)
                })
            })
            .enumerate()
            .map(|(number, (path, entry))| (FileNumber(number), path, entry))
    }

    /// The data track and the record of a file.
    pub fn file(&self, number: FileNumber) -> Option<(usize, &Session, &Entry)> {
        let mut rest = number.0;
        for (place, session) in self.sessions.iter().enumerate() {
            let Ok(volume) = &session.volume else {
                continue;
            };
            match volume.entries.get(rest) {
                Some(entry) => return Some((place, session, entry)),
                None => rest -= volume.entries.len(),
            }
        }
        None
    }

    /// BLAKE3 over the sheet and all files of the image; `None` when one of them cannot be read.
    pub fn blake3(&self) -> Option<String> {
        if let ([file], true) = (&**self.files, self.sheet_bytes.is_empty()) {
            return file.blake3().map(str::to_owned);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(self.sheet_bytes.len() as u64).to_le_bytes());
        hasher.update(&self.sheet_bytes);
        for file in &**self.files {
            let hash = match &file.problem {
                None => file.blake3()?,
                Some(problem) => problem,
            };
            hasher.update(&(hash.len() as u64).to_le_bytes());
            hasher.update(hash.as_bytes());
        }
        Some(hasher.finalize().to_hex().to_string())
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn modified(path: &Path) -> u64 {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|age| u64::try_from(age.as_nanos()).ok())
        .unwrap_or(0)
}

/// Finds the compressed file that replaces the one that a sheet names.
fn stand_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut names = compressed::ENDINGS
        .iter()
        .flat_map(|ending| [format!("{name}.{ending}"), format!("{stem}.{ending}")]);
    names.find_map(|name| find(folder, &name))
}

/// Detects the compression of a file by its first bytes.
fn coding(path: &Path, has_sectors: bool) -> Option<Coding> {
    let mut start = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(16).read_to_end(&mut start).ok()?;
    compressed::coding_of(&start, has_sectors)
}

/// Opens the file that a line of a sheet names, or states why it cannot be used.
fn image_file(folder: &Path, line: &cue::CueFile) -> ImageFile {
    let found: Option<PathBuf> = find(folder, &line.name).or_else(|| stand_in(folder, &line.name));
    let Some(path) = found else {
        return ImageFile::absent(&line.name, "no such file next to the sheet".to_owned());
    };
    let has_sectors = matches!(line.format, FileFormat::Binary | FileFormat::Motorola);
    let opened = match (coding(&path, has_sectors), &line.format) {
        (Some(Coding::Flac), _) => ImageFile::flac(&line.name, &path),
        (Some(Coding::Lossy(form)), _) => ImageFile::lossy(&line.name, &path, form),
        (Some(Coding::Packed(packing)), _) => ImageFile::packed(&line.name, &path, packing),
        (None, FileFormat::Binary | FileFormat::Motorola) => ImageFile::sectors(&line.name, &path),
        (None, FileFormat::Wave) => ImageFile::wave(&line.name, &path),
        (None, FileFormat::Other(word)) => {
            let problem = format!("files of type {word} are not supported");
            return ImageFile::absent(&line.name, problem);
        }
    };
    match opened {
        Ok(mut file) => {
            file.big_endian = line.format == FileFormat::Motorola;
            file
        }
        Err(error) => ImageFile::absent(&line.name, error.to_string()),
    }
}
