//! ISO 9660 file systems. Names come from Joliet, else from Rock Ridge, else from the plain records.
//!
//! The tree is read from any source of sectors of 2048 bytes. Discs may be hostile: a directory that was seen
//! before is not entered again, extents beyond the end are detected, names never leave their folder, and memory
//! is bounded. Records of `.` and `..` are skipped, because MechWarrior 3 discs damage one of them on
//! purpose.
//!
//! Source: ECMA-119 and the Joliet specification. UDF is not read.
//!
//! ```
//! use std::io;
//!
//! use relicast_source::disc::iso9660::read;
//! use relicast_source::disc::record::Sectors;
//! use relicast_source::disc::write::{NewFile, iso9660};
//!
//! /// An image in memory.
//! struct Image(Vec<u8>);
//!
//! impl Sectors for Image {
//!     fn end(&self) -> u64 {
//!         self.0.len() as u64 / 2048
//!     }
//!     fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()> {
//!         let start = sector as usize * 2048;
//!         let bytes = self.0.get(start..start + buffer.len());
//!         buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
//!         Ok(())
//!     }
//! }
//!
//! let image = Image(iso9660("GAME", &[NewFile { path: "DATA/A.ZBD", bytes: &[1; 3000] }]));
//! let volume = read(&image)?;
//! assert_eq!((volume.name.as_str(), volume.entries[0].path.as_str()), ("GAME", "DATA/A.ZBD"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;
use std::fmt::{self, Display};

use serde::Serialize;

use super::record::{
    Extent, FLAG_ASSOCIATED, FLAG_FOLDER, FLAG_MORE, Record, Sectors, record, word,
};
use super::rock_ridge::RockRidge;
use super::sector::USER;
use relicast_codec::{Deviations, FormatError, Result};

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path with forward slashes; unsafe names are changed.
    pub path: String,
    /// Extents of its bytes.
    pub extents: Vec<Extent>,
    /// Size in bytes.
    pub size: u64,
    /// Reason why it cannot be read.
    pub problem: Option<String>,
}

/// A folder that could not be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFault {
    /// Its path.
    pub path: String,
    /// Reason.
    pub problem: String,
}

/// Naming scheme of a file system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// 8.3 names of ISO 9660.
    #[default]
    Iso9660,
    /// Names of Joliet.
    Joliet,
    /// Names of Rock Ridge.
    RockRidge,
}

impl Display for Names {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Iso9660 => "iso9660",
            Self::Joliet => "joliet",
            Self::RockRidge => "rock-ridge",
        })
    }
}

relicast_codec::json_form!(Names = {"type": "string"});

impl Serialize for Names {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A file system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Volume {
    /// Name of the volume.
    pub name: String,
    /// Naming scheme.
    pub names: Names,
    /// Number of sectors according to the file system.
    pub sectors: u64,
    /// The files, in the order of their folders.
    pub entries: Vec<Entry>,
    /// Folders that could not be listed.
    pub faults: Vec<TreeFault>,
    /// Deviations: names that were made safe, and contradictory numbers.
    pub deviations: Deviations,
}

/// First sector of the descriptors.
const DESCRIPTORS: u64 = 16;

/// Maximum number of descriptors that are read; discs have about three.
const MAX_DESCRIPTORS: u64 = 64;

/// Maximum size of the records of a folder, in bytes; bounds the memory.
const MAX_FOLDER_BYTES: u64 = 16 << 20;

/// Maximum size of the records of all folders together, in bytes; bounds the time.
const MAX_ALL_FOLDERS_BYTES: u64 = 64 << 20;

/// Maximum number of files and folders; bounds the memory.
const MAX_ENTRIES: usize = 1 << 18;

/// Maximum depth of a folder; the standard allows 8, writers of Joliet more.
const MAX_DEPTH: usize = 64;

/// The name of a volume or file in a descriptor, without trailing spaces and NULs.
fn text(bytes: &[u8], joliet: bool) -> String {
    let text = if joliet {
        let units = bytes.as_chunks().0.iter();
        let units: Vec<u16> = units.map(|&pair| u16::from_be_bytes(pair)).collect();
        String::from_utf16_lossy(&units)
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
        }
    };
    text.trim_end_matches([' ', '\0']).to_owned()
}

/// A folder whose records are to be read.
struct Folder {
    path: String,
    depth: usize,
    sector: u64,
    bytes: u64,
}

/// The primary descriptor of a file system and that of Joliet, if there are any.
fn descriptors(sectors: &dyn Sectors) -> (Option<[u8; USER]>, Option<[u8; USER]>) {
    let mut primary = None;
    let mut joliet = None;
    let mut buffer = [0; USER];
    for number in 0..MAX_DESCRIPTORS {
        let sector = sectors.first().saturating_add(DESCRIPTORS + number);
        if sectors.read(sector, &mut buffer).is_err() || buffer.get(1..6) != Some(b"CD001") {
            break;
        }
        match buffer.first() {
            Some(1) if primary.is_none() => primary = Some(buffer),
            Some(2) if joliet.is_none() && is_joliet(&buffer) => joliet = Some(buffer),
            Some(255) => break,
            _ => {}
        }
    }
    (primary, joliet)
}

/// Reads the file system of a track.
///
/// # Errors
/// There is no primary descriptor, its logical block size is not 2048 bytes, or no root folder can be read.
pub fn read(sectors: &dyn Sectors) -> Result<Volume> {
    let (primary, joliet) = descriptors(sectors);
    let offset = usize::try_from(DESCRIPTORS).unwrap_or_default() * USER;
    let Some(primary) = primary else {
        let expected = "a descriptor of an ISO 9660 file system";
        return Err(FormatError::malformed("volume", offset, expected, "none"));
    };
    let block = u16::from_le_bytes([primary[128], primary[129]]);
    if usize::from(block) != USER {
        return Err(FormatError::unsupported(
            "volume.block_size",
            offset,
            USER,
            block,
        ));
    }
    let usable = |descriptor: &[u8; USER]| {
        let root = record(&descriptor[156..190])?;
        let last = root
            .extent
            .sector
            .checked_add(root.extent.bytes.div_ceil(USER as u64))?;
        (root.extent.bytes > 0 && last <= sectors.end()).then_some(root.extent)
    };
    let chosen = joliet
        .as_ref()
        .and_then(|found| Some((found, usable(found)?, true)));
    let chosen = chosen.or_else(|| Some((&primary, usable(&primary)?, false)));
    let Some((descriptor, root, is_joliet)) = chosen else {
        let expected = "a root folder inside the image";
        return Err(FormatError::malformed(
            "volume.root",
            offset,
            expected,
            "none",
        ));
    };
    let volume = Volume {
        name: text(&descriptor[40..72], is_joliet),
        names: if is_joliet {
            Names::Joliet
        } else {
            Names::Iso9660
        },
        sectors: u64::from(word(&primary, 80)),
        ..Volume::default()
    };
    let mut walk = TreeWalk {
        sectors,
        volume,
        seen: HashSet::new(),
        folder_bytes: 0,
        rock_ridge: None,
        relocated: Vec::new(),
    };
    if joliet.is_some() && !is_joliet {
        let expected = "a root folder inside the image";
        walk.volume.deviations.push(
            "joliet.root",
            offset,
            expected,
            "none (names without Joliet are used)",
        );
    }
    walk.run(Folder {
        path: String::new(),
        depth: 0,
        sector: root.sector,
        bytes: root.bytes,
    });
    Ok(walk.volume)
}

fn is_joliet(descriptor: &[u8; USER]) -> bool {
    matches!(&descriptor[88..91], b"%/@" | b"%/C" | b"%/E")
}

struct TreeWalk<'a> {
    sectors: &'a dyn Sectors,
    volume: Volume,
    seen: HashSet<u64>,
    folder_bytes: u64,
    rock_ridge: Option<RockRidge>,
    /// Relocated folders (Rock Ridge's RE), which a child link (CL) adds elsewhere in the tree.
    relocated: Vec<Folder>,
}

impl TreeWalk<'_> {
    fn run(&mut self, root: Folder) {
        self.enter(vec![root]);
        // Relocated folders (RE) without a child link (CL) stay where they were found.
        let mut lost = std::mem::take(&mut self.relocated);
        lost.retain(|folder| !self.seen.contains(&folder.sector));
        self.enter(lost);
    }

    fn enter(&mut self, mut waiting: Vec<Folder>) {
        while let Some(folder) = waiting.pop() {
            let first = waiting.len();
            if let Err(problem) = self.folder(&folder, &mut waiting) {
                self.volume.faults.push(TreeFault {
                    path: folder.path,
                    problem,
                });
            }
            // Reversed, so that `pop` returns the folders in the order of their records.
            if let Some(new) = waiting.get_mut(first..) {
                new.reverse();
            }
        }
    }

    fn folder(
        &mut self,
        folder: &Folder,
        waiting: &mut Vec<Folder>,
    ) -> std::result::Result<(), String> {
        if folder.depth > MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} folders"));
        }
        if !self.seen.insert(folder.sector) {
            return Err(format!(
                "the folder at sector {} was already read under another path (a loop or a shared extent)",
                folder.sector
            ));
        }
        let extent = Extent {
            sector: folder.sector,
            bytes: folder.bytes,
        };
        if let Some(problem) = self.outside("records", extent) {
            return Err(problem);
        }
        let count = folder.bytes.div_ceil(USER as u64);
        self.folder_bytes = self.folder_bytes.saturating_add(folder.bytes);
        if folder.bytes > MAX_FOLDER_BYTES {
            return Err(format!(
                "its records of {} bytes exceed the limit of {MAX_FOLDER_BYTES} bytes",
                folder.bytes
            ));
        }
        if self.folder_bytes > MAX_ALL_FOLDERS_BYTES {
            return Err(format!(
                "the records of all folders together exceed the limit of {MAX_ALL_FOLDERS_BYTES} bytes"
            ));
        }
        let length = usize::try_from(count).unwrap_or_default() * USER;
        let mut bytes = vec![0; length];
        self.sectors
            .read(folder.sector, &mut bytes)
            .map_err(|error| format!("cannot be read: {error}"))?;
        if folder.depth == 0 && self.volume.names == Names::Iso9660 {
            let own = bytes.get(..usize::from(bytes.first().copied().unwrap_or_default()));
            self.rock_ridge = own.and_then(|own| RockRidge::of_root(&record(own)?));
            if self.rock_ridge.is_some() {
                self.volume.names = Names::RockRidge;
            }
        }
        let mut unfinished: Option<(String, Vec<Extent>)> = None;
        for (number, sector) in bytes.chunks(USER).enumerate() {
            let start = usize::try_from(folder.sector).unwrap_or_default() + number;
            let mut rest = sector;
            // Zeros fill the rest of a sector: records never cross its end.
            while let Some(length @ 1..) = rest.first().copied() {
                let offset = start * USER + (sector.len() - rest.len());
                let length = usize::from(length);
                let Some(record) = rest.get(..length).and_then(record) else {
                    self.volume.deviations.push(
                        "record",
                        offset,
                        "a record inside its sector",
                        format_args!("{length} bytes"),
                    );
                    break;
                };
                if !matches!(record.name, [0 | 1]) {
                    self.entry(folder, &record, offset, &mut unfinished, waiting)?;
                }
                rest = rest.get(length..).unwrap_or_default();
            }
        }
        if let Some((path, extents)) = unfinished {
            let problem = "the record of its last extent is missing".to_owned();
            self.add(path, extents, Some(problem));
        }
        Ok(())
    }

    fn entry(
        &mut self,
        folder: &Folder,
        record: &Record<'_>,
        offset: usize,
        unfinished: &mut Option<(String, Vec<Extent>)>,
        waiting: &mut Vec<Folder>,
    ) -> std::result::Result<(), String> {
        if self.volume.entries.len() + waiting.len() + self.relocated.len() >= MAX_ENTRIES {
            return Err(format!(
                "the limit of {MAX_ENTRIES} files and folders is reached; the rest of this folder is not listed"
            ));
        }
        let is_folder = record.flags & FLAG_FOLDER != 0;
        let fields = self
            .rock_ridge
            .map(|ridge| ridge.fields(record, self.sectors));
        let fields = fields.unwrap_or_default();
        let name = match &*fields.name {
            [] => self.name(record.name, is_folder, offset),
            name => {
                let name = text(name, false);
                self.safe(&name, &name, offset)
            }
        };
        let path = match &*folder.path {
            "" => name,
            above => format!("{above}/{name}"),
        };
        if !record.agrees {
            let expected =
                "equal little-endian and big-endian numbers (the little-endian ones are used)";
            self.volume
                .deviations
                .push(path.clone(), offset, expected, "different values");
        }
        let folder_at = |extent: Extent| Folder {
            path: path.clone(),
            depth: folder.depth + 1,
            sector: extent.sector,
            bytes: extent.bytes,
        };
        if let Some(sector) = fields.child_link {
            let extent = self.own_extent(sector);
            waiting.push(folder_at(extent));
            return Ok(());
        }
        if is_folder && fields.is_relocated {
            self.relocated.push(folder_at(record.extent));
            return Ok(());
        }
        if is_folder {
            waiting.push(folder_at(record.extent));
            return Ok(());
        }
        if fields.is_link {
            let expected = "a file or folder";
            let found = "a symbolic link (skipped)";
            self.volume.deviations.push(path, offset, expected, found);
            return Ok(());
        }
        if record.flags & FLAG_ASSOCIATED != 0 {
            let expected = "a file or folder";
            let found = "an associated file (skipped)";
            self.volume.deviations.push(path, offset, expected, found);
            return Ok(());
        }
        if record.interleaved {
            self.add(
                path,
                Vec::new(),
                Some("interleaved files are not supported".to_owned()),
            );
            return Ok(());
        }
        let mut extents = self.parts_before(&path, unfinished.take());
        extents.push(record.extent);
        match record.flags & FLAG_MORE {
            0 => self.add(path, extents, None),
            _ => *unfinished = Some((path, extents)),
        }
        Ok(())
    }

    /// Returns a problem if an extent is not within the sectors of the image.
    fn outside(&self, what: &str, extent: Extent) -> Option<String> {
        let sectors = self.sectors.first()..self.sectors.end();
        let start = extent.sector;
        let end = start.saturating_add(extent.bytes.div_ceil(USER as u64));
        (start < sectors.start || end > sectors.end).then(|| {
            format!("its {what} are at sectors {start}..{end}, but the image has sectors {sectors:?} (ends exclusive)")
        })
    }

    /// Returns the earlier extents of a file. A record with another path ends an unfinished file.
    fn parts_before(
        &mut self,
        path: &str,
        unfinished: Option<(String, Vec<Extent>)>,
    ) -> Vec<Extent> {
        match unfinished {
            Some((before, extents)) if before == path => extents,
            Some((before, extents)) => {
                let problem = "the record of its last extent is missing".to_owned();
                self.add(before, extents, Some(problem));
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn add(&mut self, path: String, mut extents: Vec<Extent>, problem: Option<String>) {
        extents.retain(|extent| extent.bytes > 0);
        let size = extents
            .iter()
            .fold(0_u64, |sum, extent| sum.saturating_add(extent.bytes));
        let problem = problem.or_else(|| {
            let mut extents = extents.iter();
            extents.find_map(|&extent| self.outside("bytes", extent))
        });
        let room = self.sectors.end().saturating_sub(self.sectors.first());
        let room = room.saturating_mul(USER as u64);
        let problem = problem.or_else(|| {
            (size > room).then(|| {
                let pieces = extents.len();
                format!("its {pieces} extents have {size} bytes, but the image has {room} bytes")
            })
        });
        self.volume.entries.push(Entry {
            path,
            extents,
            size,
            problem,
        });
    }

    /// The extent of the folder at `sector` from its own record.
    fn own_extent(&self, sector: u64) -> Extent {
        let mut bytes = [0; USER];
        let read = self.sectors.read(sector, &mut bytes).ok();
        let own = read.and_then(|()| record(&bytes));
        Extent {
            sector,
            bytes: own.map_or(USER as u64, |own| own.extent.bytes),
        }
    }

    /// Cleans a name: removes the version (`;1`) and a trailing dot.
    fn name(&mut self, stored: &[u8], is_folder: bool, offset: usize) -> String {
        let stored = text(stored, self.volume.names == Names::Joliet);
        let name = match stored.rsplit_once(';') {
            Some((name, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &stored,
        };
        let name = match name.strip_suffix('.') {
            Some(stem) if !is_folder && !matches!(stem, "" | ".") => stem,
            _ => name,
        };
        self.safe(name, &stored, offset)
    }

    /// Replaces separators, control characters, and the names `.` and `..` with underscores, so that no name leads to
    /// another folder.
    fn safe(&mut self, name: &str, stored: &str, offset: usize) -> String {
        let safe: String = name
            .chars()
            .map(|letter| match letter {
                '/' | '\\' => '_',
                letter if letter.is_control() => '_',
                letter => letter,
            })
            .collect();
        let safe = match &*safe {
            "" => "_".to_owned(),
            "." | ".." => "_".repeat(safe.len()),
            _ => safe,
        };
        if safe != name {
            self.volume.deviations.push(
                "name",
                offset,
                "a plain file name",
                format_args!("{stored:?}, read as {safe:?}"),
            );
        }
        safe
    }
}

#[cfg(test)]
mod tests;
