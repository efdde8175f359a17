//! Writer of ISO 9660 file systems with Joliet names: the counterpart of [`iso9660`](super::iso9660), for
//! sample discs and tests.
//!
//! Sectors 16 to 18 hold the descriptors, then come the path tables and folders of both trees, then the
//! files. Times are those of one fixed day, so that the same files give the same bytes.
//!
//! ```
//! use relicast_source::disc::write::{NewFile, iso9660};
//!
//! let image = iso9660("GAME", &[NewFile { path: "README.TXT", bytes: b"Hello" }]);
//! assert_eq!(image.len() % 2048, 0);
//! assert_eq!(&image[16 * 2048 + 1..][..5], b"CD001");
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::sector::{USER, encode_mode_1, encode_mode_2};

/// A file for an image.
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    /// Path with forward slashes.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Noon of a day in 1999, in the form of records.
const RECORD_TIME: [u8; 7] = [99, 7, 1, 12, 0, 0, 0];

/// The time stamp in the form of descriptors.
const DESCRIPTOR_TIME: &[u8; 16] = b"1999070112000000";

/// A folder of the image.
#[derive(Default)]
struct Folder {
    name: String,
    parent: usize,
    folders: Vec<usize>,
    files: Vec<usize>,
}

/// Names of one tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Plain,
    Joliet,
}

struct Tree<'a> {
    files: &'a [NewFile<'a>],
    folders: Vec<Folder>,
}

impl<'a> Tree<'a> {
    /// Folders in order of depth, and of their parents, as path tables need them.
    fn new(files: &'a [NewFile<'a>]) -> Self {
        let mut paths: BTreeSet<(usize, &str)> = BTreeSet::new();
        for file in files {
            for (end, _) in file.path.match_indices('/') {
                let (path, _) = file.path.split_at(end);
                paths.insert((path.matches('/').count(), path));
            }
        }
        let mut folders = vec![Folder::default()];
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::from([("", 0)]);
        for (_, path) in paths {
            let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
            let parent = numbers.get(above).copied().unwrap_or(0);
            let number = folders.len();
            folders.push(Folder {
                name: name.to_owned(),
                parent,
                ..Folder::default()
            });
            if let Some(parent) = folders.get_mut(parent) {
                parent.folders.push(number);
            }
            numbers.insert(path, number);
        }
        for (number, file) in files.iter().enumerate() {
            let above = file.path.rsplit_once('/').map_or("", |(above, _)| above);
            let folder = numbers.get(above).copied().unwrap_or(0);
            if let Some(folder) = folders.get_mut(folder) {
                folder.files.push(number);
            }
        }
        Self { files, folders }
    }

    /// Identifiers of the entries of a folder: true for a folder, and its number.
    fn identifiers(&self, folder: &Folder, names: Names) -> Vec<(Vec<u8>, bool, usize)> {
        let mut taken = BTreeSet::new();
        let mut all = Vec::new();
        let mut add = |name: &str, is_folder: bool, number: usize| {
            let identifier = match names {
                Names::Plain => plain(name, is_folder, &mut taken),
                Names::Joliet => {
                    let version = if is_folder { "" } else { ";1" };
                    let units = name.encode_utf16().chain(version.encode_utf16());
                    units.flat_map(u16::to_be_bytes).collect()
                }
            };
            all.push((identifier, is_folder, number));
        };
        for &number in &folder.folders {
            let name = self.folders.get(number).map_or("", |folder| &folder.name);
            add(name, true, number);
        }
        for &number in &folder.files {
            let path = self.files.get(number).map_or("", |file| file.path);
            add(path.rsplit('/').next().unwrap_or(path), false, number);
        }
        all.sort();
        all
    }
}

/// Returns a name of eight and three characters that is unique in its folder.
fn plain(name: &str, is_folder: bool, taken: &mut BTreeSet<String>) -> Vec<u8> {
    let fit = |text: &str, length: usize| -> String {
        let letters = text.chars().map(|letter| letter.to_ascii_uppercase());
        let letters = letters.map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        });
        letters.take(length).collect()
    };
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !is_folder => (stem, fit(extension, 3)),
        _ => (name, String::new()),
    };
    let mut number = 0_u32;
    loop {
        let mut short = match number {
            0 => fit(stem, 8),
            number => format!("{}{number:03}", fit(stem, 5)),
        };
        if !is_folder {
            short = format!("{short}.{extension};1");
        }
        number += 1;
        if taken.insert(short.clone()) {
            return short.into_bytes();
        }
    }
}

fn both_32(out: &mut Vec<u8>, value: usize) {
    let value = u32::try_from(value).unwrap_or(u32::MAX);
    out.extend(value.to_le_bytes());
    out.extend(value.to_be_bytes());
}

fn both_16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
    out.extend(value.to_be_bytes());
}

fn record(identifier: &[u8], sector: usize, bytes: usize, is_folder: bool) -> Vec<u8> {
    let length = 33 + identifier.len() + usize::from(identifier.len().is_multiple_of(2));
    let mut record = vec![u8::try_from(length).unwrap_or(u8::MAX), 0];
    both_32(&mut record, sector);
    both_32(&mut record, bytes);
    record.extend(RECORD_TIME);
    record.extend([if is_folder { 2 } else { 0 }, 0, 0]);
    both_16(&mut record, 1);
    record.push(u8::try_from(identifier.len()).unwrap_or(u8::MAX));
    record.extend(identifier);
    record.resize(length, 0);
    record
}

/// Packs records into sectors; none crosses a border.
fn in_sectors(records: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for record in records {
        let left = USER - out.len() % USER;
        if record.len() > left {
            out.resize(out.len() + left, 0);
        }
        out.extend(record);
    }
    out.resize(out.len().next_multiple_of(USER), 0);
    out
}

/// The records of a folder. `places` returns sector and size of folders and files.
fn folder_bytes(
    tree: &Tree<'_>,
    number: usize,
    names: Names,
    folders: &[(usize, usize)],
    files: &[(usize, usize)],
) -> Vec<u8> {
    let place =
        |places: &[(usize, usize)], number: usize| places.get(number).copied().unwrap_or_default();
    let Some(folder) = tree.folders.get(number) else {
        return Vec::new();
    };
    let (own, above) = (place(folders, number), place(folders, folder.parent));
    let dots = [(vec![0], own), (vec![1], above)]
        .into_iter()
        .map(|(name, (sector, bytes))| record(&name, sector, bytes, true));
    let rest = tree.identifiers(folder, names).into_iter();
    let rest = rest.map(|(name, is_folder, number)| {
        let places = if is_folder { folders } else { files };
        let (sector, bytes) = place(places, number);
        record(&name, sector, bytes, is_folder)
    });
    in_sectors(dots.chain(rest))
}

fn path_table(tree: &Tree<'_>, names: Names, folders: &[(usize, usize)], big: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, folder) in tree.folders.iter().enumerate() {
        let identifier = match (number, names) {
            (0, _) => vec![0],
            (_, Names::Plain) => {
                let above = tree.folders.get(folder.parent);
                let mut all = above.map_or(Vec::new(), |above| tree.identifiers(above, names));
                all.retain(|(_, is_folder, own)| *is_folder && *own == number);
                all.pop().map_or(Vec::new(), |(name, ..)| name)
            }
            (_, Names::Joliet) => folder
                .name
                .encode_utf16()
                .flat_map(u16::to_be_bytes)
                .collect(),
        };
        let sector = folders.get(number).map_or(0, |place| place.0);
        let sector = u32::try_from(sector).unwrap_or(u32::MAX);
        let parent = u16::try_from(folder.parent + 1).unwrap_or(u16::MAX);
        out.extend([u8::try_from(identifier.len()).unwrap_or(u8::MAX), 0]);
        if big {
            out.extend(sector.to_be_bytes());
            out.extend(parent.to_be_bytes());
        } else {
            out.extend(sector.to_le_bytes());
            out.extend(parent.to_le_bytes());
        }
        out.extend(&identifier);
        if !identifier.len().is_multiple_of(2) {
            out.push(0);
        }
    }
    out
}

/// Position of one tree.
struct Planned {
    names: Names,
    table_bytes: usize,
    tables: [usize; 2],
    folders: Vec<(usize, usize)>,
}

fn descriptor(volume: &str, sectors: usize, planned: &Planned) -> Vec<u8> {
    let text = |text: &str, length: usize| -> Vec<u8> {
        let mut bytes: Vec<u8> = match planned.names {
            Names::Plain => text.bytes().collect(),
            Names::Joliet => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        while bytes.len() < length {
            match planned.names {
                Names::Plain => bytes.push(b' '),
                Names::Joliet => bytes.extend([0, b' ']),
            }
        }
        bytes.truncate(length);
        bytes
    };
    let mut out = vec![if planned.names == Names::Plain { 1 } else { 2 }];
    out.extend(b"CD001\x01\0");
    out.extend(text("", 32));
    out.extend(text(volume, 32));
    out.extend([0; 8]);
    both_32(&mut out, sectors);
    let mut escapes = [0; 32];
    if planned.names == Names::Joliet {
        escapes[..3].copy_from_slice(b"%/E");
    }
    out.extend(escapes);
    both_16(&mut out, 1);
    both_16(&mut out, 1);
    both_16(&mut out, 2048);
    both_32(&mut out, planned.table_bytes);
    let [little, big] = planned
        .tables
        .map(|place| u32::try_from(place).unwrap_or(u32::MAX));
    out.extend(little.to_le_bytes());
    out.extend([0; 4]);
    out.extend(big.to_be_bytes());
    out.extend([0; 4]);
    let (sector, bytes) = planned.folders.first().copied().unwrap_or_default();
    out.extend(record(&[0], sector, bytes, true));
    for _ in 0..4 {
        out.extend(text("", 128));
    }
    out.extend(text("", 111));
    for _ in 0..2 {
        out.extend(DESCRIPTOR_TIME);
        out.push(0);
    }
    out.extend([b'0'; 16]);
    out.push(0);
    out.extend([b'0'; 16]);
    out.extend([0, 1]);
    out.resize(USER, 0);
    out
}

/// Writes an image of sectors of 2048 bytes.
pub fn iso9660(volume: &str, files: &[NewFile<'_>]) -> Vec<u8> {
    iso9660_at(volume, files, 0)
}

/// Like [`iso9660`], for a track that starts at sector `first` of the disc, as in a second session.
pub fn iso9660_at(volume: &str, files: &[NewFile<'_>], first: usize) -> Vec<u8> {
    let tree = Tree::new(files);
    let mut next = first.saturating_add(19);
    let mut take = |bytes: usize| {
        let place = next;
        next += bytes.div_ceil(USER);
        place
    };
    let unplaced_extents = |count: usize| vec![(0, 0); count];
    let trees = [Names::Plain, Names::Joliet].map(|names| {
        let unplaced = unplaced_extents(tree.folders.len());
        let table_bytes = path_table(&tree, names, &unplaced, false).len();
        let tables = [take(table_bytes), take(table_bytes)];
        let folders = (0..tree.folders.len()).map(|number| {
            let bytes = folder_bytes(
                &tree,
                number,
                names,
                &unplaced,
                &unplaced_extents(files.len()),
            );
            (take(bytes.len()), bytes.len())
        });
        Planned {
            names,
            table_bytes,
            tables,
            folders: folders.collect(),
        }
    });
    let places: Vec<(usize, usize)> = files
        .iter()
        .map(|file| match file.bytes.len() {
            0 => (0, 0),
            bytes => (take(bytes), bytes),
        })
        .collect();
    let mut image = vec![0; 16 * USER];
    let mut put = |bytes: &[u8]| {
        image.extend(bytes);
        image.resize(image.len().next_multiple_of(USER), 0);
    };
    for planned in &trees {
        put(&descriptor(volume, next, planned));
    }
    put(b"\xFFCD001\x01");
    for planned in &trees {
        put(&path_table(&tree, planned.names, &planned.folders, false));
        put(&path_table(&tree, planned.names, &planned.folders, true));
        for number in 0..tree.folders.len() {
            let folders = &planned.folders;
            put(&folder_bytes(
                &tree,
                number,
                planned.names,
                folders,
                &places,
            ));
        }
    }
    for file in files {
        put(file.bytes);
    }
    image
}

/// Whole sectors of `mode` 1 or 2 (form 1) for an image of user data that starts at sector `first`.
pub fn raw_sectors(image: &[u8], mode: u8, first: u64) -> Vec<u8> {
    let sectors = image.as_chunks::<USER>().0.iter();
    (first..)
        .zip(sectors)
        .flat_map(|(sector, data)| match mode {
            2 => encode_mode_2(sector, data),
            _ => encode_mode_1(sector, data),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::iso9660::read;
    use super::super::record::Sectors;
    use super::*;
    use proptest::prelude::*;
    use std::io;

    struct Image(Vec<u8>);

    impl Sectors for Image {
        fn end(&self) -> u64 {
            (self.0.len() / USER) as u64
        }

        fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()> {
            let start = usize::try_from(sector).unwrap().saturating_mul(USER);
            let bytes = self
                .0
                .get(start..)
                .and_then(|rest| rest.get(..buffer.len()));
            buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        }
    }

    fn read_back(image: &Image) -> Vec<(String, Vec<u8>)> {
        let volume = read(image).unwrap();
        assert!(volume.deviations.is_empty() && volume.faults.is_empty());
        let bytes = |entry: &super::super::iso9660::Entry| {
            let mut bytes = Vec::new();
            for extent in &entry.extents {
                let start = usize::try_from(extent.sector).unwrap() * USER;
                let length = usize::try_from(extent.bytes).unwrap();
                bytes.extend(&image.0[start..start + length]);
            }
            bytes
        };
        let entries = volume.entries.iter();
        let mut files: Vec<_> = entries
            .map(|entry| (entry.path.clone(), bytes(entry)))
            .collect();
        files.sort();
        files
    }

    #[test]
    fn names_without_joliet_lose_version_and_dot() {
        let files = [
            NewFile {
                path: "read me first.text",
                bytes: b"one",
            },
            NewFile {
                path: "read me now.text",
                bytes: b"two",
            },
            NewFile {
                path: "data/noend",
                bytes: b"",
            },
        ];
        let mut image = Image(iso9660("V", &files));
        // Without its second descriptor the image has plain names only.
        image.0[17 * USER] = 3;
        let names: Vec<String> = read_back(&image)
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        assert_eq!(names, ["DATA/NOEND", "READ_001.TEX", "READ_ME_.TEX"]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            names in proptest::collection::btree_set("[a-z]{1,3}(/[A-Za-z \u{E4}\u{416}._]{1,20}x){0,3}", 1..60),
            size in 0..5000_usize,
        ) {
            // A path that is also a folder cannot be both.
            let names: Vec<&String> = names
                .iter()
                .filter(|name| !names.iter().any(|other| other.starts_with(&format!("{name}/"))))
                .collect();
            let contents: Vec<Vec<u8>> = (0..names.len())
                .map(|number| vec![number as u8; size * (number % 3)])
                .collect();
            let files: Vec<NewFile<'_>> = names
                .iter()
                .zip(&contents)
                .map(|(path, bytes)| NewFile { path, bytes })
                .collect();
            let image = Image(iso9660("VOLUME", &files));
            let mut expected: Vec<(String, Vec<u8>)> = files
                .iter()
                .map(|file| (file.path.to_owned(), file.bytes.to_vec()))
                .collect();
            expected.sort();
            prop_assert_eq!(read_back(&image), expected);
        }
    }
}
