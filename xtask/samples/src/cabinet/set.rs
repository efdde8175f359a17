//! InstallShield sets: versions 5 and 6, with and without a header file, in one volume or several.

use std::collections::HashMap;
use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compress, Compression, FlushCompress};
use relicast::formats::codec::{Bytes, FixedSize};
use relicast::formats::installshield::file::{COMPRESSED, INVALID, OBFUSCATED};
use relicast::formats::installshield::header::Version;
use relicast::formats::installshield::packed::{CHUNK, obscure};
use relicast::formats::installshield::records::{
    Component5, Component6, Descriptor, FileDescriptor5, FileDescriptor6, Group5, Group6,
    ListEntry, SetupType, Slots, Variable, slot_of,
};

use super::layout::{self, Stored};
use crate::{Outcome, SampleFile};

/// InstallShield 5.0.
pub const VERSION_5_0: u32 = 0x0100_0004;
/// InstallShield 5.5.
pub const VERSION_5_5: u32 = 0x0100_5201;
/// InstallShield 6.
pub const VERSION_6: u32 = 0x0100_600C;

/// A file of a set.
#[derive(Debug, Clone)]
pub struct NewMember {
    /// Its path below the target of its group, with `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// True if it is not compressed.
    pub stored: bool,
}

/// A file group, which is a component of its own.
#[derive(Debug, Clone)]
pub struct NewGroup {
    /// Its name.
    pub name: String,
    /// Name of the component, after those above and backslashes.
    pub component: String,
    /// Folder that it is installed to.
    pub target: String,
    /// Its files; an empty group gets a placeholder.
    pub files: Vec<NewMember>,
}

/// A set to be written.
#[derive(Debug, Clone)]
pub struct NewSet {
    /// Name before the number.
    pub base: String,
    /// Version word.
    pub version: u32,
    /// True if the tables are in a header file.
    pub header_file: bool,
    /// Largest size of a volume.
    pub volume_size: Option<usize>,
    /// True if stored bytes are obfuscated.
    pub obfuscated: bool,
    /// True if descriptors of version 5 have an MD5.
    pub md5: bool,
    /// True if files are one deflate stream each, as in the first sets.
    pub streams: bool,
    /// True if files are stored separately, next to the cabinet.
    pub beside: bool,
    /// Its groups.
    pub groups: Vec<NewGroup>,
}

impl NewSet {
    /// A set of InstallShield 5.5 in one volume.
    pub fn new(groups: Vec<NewGroup>) -> Self {
        Self {
            base: "data".to_owned(),
            version: VERSION_5_5,
            header_file: true,
            volume_size: None,
            obfuscated: false,
            md5: false,
            streams: false,
            beside: false,
            groups,
        }
    }
}

/// Bytes of a section that is allocated in sequence, and its texts.
#[derive(Default)]
struct Area {
    bytes: Vec<u8>,
    texts: HashMap<String, usize>,
    /// Offsets of fields that hold the offset of a text.
    wanted: Vec<(usize, String)>,
}

impl Area {
    fn put<T: FixedSize>(&mut self, value: T) -> u32 {
        let place = self.bytes.len();
        value.store(&mut self.bytes);
        offset(place)
    }

    fn set<T: FixedSize>(&mut self, place: u32, value: T) {
        let mut stored = Vec::new();
        value.store(&mut stored);
        let place = place as usize;
        self.bytes[place..place + stored.len()].copy_from_slice(&stored);
    }

    /// Sets the field at `place` to the offset of a text.
    fn text(&mut self, place: u32, text: &str) {
        self.wanted.push((place as usize, text.to_owned()));
    }

    /// Adds a list of offsets of texts.
    fn list(&mut self, texts: &[&str]) -> u32 {
        let start = offset(self.bytes.len());
        for text in texts {
            let place = self.put(0_u32);
            self.text(place, text);
        }
        start
    }

    /// Writes the texts after everything else; returns the offset of the first.
    fn finish(&mut self) -> u32 {
        let start = self.bytes.len();
        self.bytes.push(0);
        self.texts.insert(String::new(), start);
        for (place, text) in std::mem::take(&mut self.wanted) {
            let at = match self.texts.get(&text) {
                Some(at) => *at,
                None => {
                    let at = self.bytes.len();
                    // The texts of samples are ASCII.
                    self.bytes.extend(text.bytes());
                    self.bytes.push(0);
                    self.texts.insert(text, at);
                    at
                }
            };
            self.set(offset(place), offset(at));
        }
        offset(start)
    }
}

fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// A file with its index in the set.
struct Entry<'s> {
    member: Option<&'s NewMember>,
    folder: usize,
    name: &'s str,
    stored: Stored,
    flags: u16,
}

/// Packs the bytes of a file, with the offsets at which they may be divided.
fn pack(bytes: &[u8], streams: bool) -> Outcome<Stored> {
    let mut stored = Stored::default();
    let mut deflate = Compress::new(Compression::default(), false);
    for chunk in bytes.chunks(CHUNK) {
        if streams {
            let mut out = Vec::with_capacity(2 * CHUNK + 1024);
            deflate.compress_vec(chunk, &mut out, FlushCompress::Full)?;
            stored.bytes.extend(out);
        } else {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(chunk)?;
            let chunk = encoder.finish()?;
            stored
                .bytes
                .extend(u16::try_from(chunk.len())?.to_le_bytes());
            stored.bytes.extend(chunk);
        }
        stored.cuts.push(stored.bytes.len());
    }
    Ok(stored)
}

/// The files of a set.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files(set: &NewSet) -> Outcome<Vec<SampleFile>> {
    let mut folders = vec![String::new()];
    let mut entries = Vec::new();
    let mut ranges = Vec::new();
    for group in &set.groups {
        let first = entries.len();
        for member in &group.files {
            let (folder, name) = member.path.rsplit_once('/').unwrap_or(("", &member.path));
            entries.push(entry(set, &mut folders, (member, folder, name))?);
        }
        if group.files.is_empty() {
            entries.push(Entry {
                member: None,
                folder: 0,
                name: "",
                stored: Stored::default(),
                flags: INVALID,
            });
        }
        ranges.push((first, entries.len() - 1));
    }
    let newer = Version(set.version).is_newer();
    let mut area = descriptor(set, &ranges, newer)?;
    let table_at = area.bytes.len();
    // Sizes do not depend on offsets, so the first table only measures the size.
    let size = table(set, &entries, &folders, newer, &[]).len();
    let tables = table_at + size;
    let start = if set.header_file {
        0x200
    } else {
        0x200 + tables + 8
    };
    let stored: Vec<Stored> = entries.iter().map(|entry| entry.stored.clone()).collect();
    let stored = if set.beside {
        vec![Stored::default(); stored.len()]
    } else {
        stored
    };
    let mut arranged = layout::arrange(&stored, start, set.volume_size, newer);
    if set.beside {
        // Files next to the cabinet have its end as their offset.
        arranged
            .places
            .iter_mut()
            .for_each(|place| place.offset = start);
    }
    let table = table(set, &entries, &folders, newer, &arranged.places);
    finish_descriptor(&mut area, (entries.len(), folders.len()), size, newer);
    area.bytes.extend(table);
    let mut files = layout::files(set, &area.bytes, &arranged, newer)?;
    if set.beside {
        files.extend(entries.iter().filter_map(beside));
    }
    Ok(files)
}

/// The separate file of a member: the stored bytes at the start of as many bytes as the member has.
fn beside(entry: &Entry<'_>) -> Option<SampleFile> {
    let member = entry.member?;
    let mut bytes = entry.stored.bytes.clone();
    bytes.resize(member.bytes.len(), 0xCC);
    Some(SampleFile {
        path: member.path.clone(),
        bytes,
    })
}

fn entry<'s>(
    set: &NewSet,
    folders: &mut Vec<String>,
    (member, folder, name): (&'s NewMember, &str, &'s str),
) -> Outcome<Entry<'s>> {
    // Each level has an entry of its own.
    let mut path = String::new();
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        if !path.is_empty() {
            path.push('\\');
        }
        path.push_str(part);
        if !folders.contains(&path) {
            folders.push(path.clone());
        }
    }
    let folder = folders
        .iter()
        .position(|own| *own == path)
        .unwrap_or_default();
    let mut stored = match member.stored {
        true => Stored {
            bytes: member.bytes.clone(),
            cuts: vec![member.bytes.len()],
        },
        false => pack(&member.bytes, set.streams)?,
    };
    if set.obfuscated {
        obscure(&mut stored.bytes, 0);
    }
    let mut flags = if member.stored { 0 } else { COMPRESSED };
    if set.obfuscated {
        flags |= OBFUSCATED;
    }
    Ok(Entry {
        member: Some(member),
        folder,
        name,
        stored,
        flags,
    })
}

/// The file table.
fn table(
    set: &NewSet,
    entries: &[Entry<'_>],
    folders: &[String],
    newer: bool,
    places: &[layout::Place],
) -> Vec<u8> {
    let mut area = Area::default();
    for folder in folders {
        let place = area.put(0_u32);
        area.text(place, folder);
    }
    let none = layout::Place::default();
    if newer {
        for (index, entry) in entries.iter().enumerate() {
            newer_file(
                &mut area,
                index,
                entry,
                places.get(index).unwrap_or(&none),
                entries,
            );
        }
    } else {
        let offsets: Vec<u32> = entries.iter().map(|_| area.put(0_u32)).collect();
        for (index, (entry, offset)) in entries.iter().zip(offsets).enumerate() {
            let place = places.get(index).unwrap_or(&none);
            let at = first_file(&mut area, set, entry, place);
            area.set(offset, at);
        }
    }
    area.finish();
    // Readers of that time read 58 bytes in any case.
    area.bytes.extend([0; 16]);
    area.bytes
}

/// 1999-05-01, noon.
const DATE: u16 = (19 << 9) | (5 << 5) | 1;
const TIME: u16 = 12 << 11;

fn first_file(area: &mut Area, set: &NewSet, entry: &Entry<'_>, place: &layout::Place) -> u32 {
    let bytes = entry.member.map_or(&[][..], |member| &member.bytes);
    let valid = entry.member.is_some();
    let at = area.put(FileDescriptor5 {
        // A stale pointer, as in real placeholders.
        name: if valid { 0 } else { 0xFE19_0174 },
        folder: offset(entry.folder),
        flags: entry.flags | place.flags,
        size: offset(bytes.len()),
        packed: offset(entry.stored.bytes.len()),
        attributes: 0x20,
        date: DATE.into(),
        time: TIME.into(),
        version: [0; 2],
        offset: offset(place.offset),
    });
    if valid {
        area.text(at, entry.name);
    }
    if set.md5 {
        area.put(Bytes(md5::compute(bytes).0));
    }
    at
}

fn newer_file(
    area: &mut Area,
    index: usize,
    entry: &Entry<'_>,
    place: &layout::Place,
    entries: &[Entry<'_>],
) {
    let bytes = entry.member.map_or(&[][..], |member| &member.bytes);
    // It is linked to an earlier equal file.
    let twin = entries.iter().position(|other| {
        other
            .member
            .is_some_and(|other| other.bytes == *bytes && !bytes.is_empty())
    });
    let twin = twin.filter(|twin| *twin < index && entry.member.is_some());
    let at = area.put(FileDescriptor6 {
        flags: entry.flags | place.flags,
        size: bytes.len() as u64,
        packed: entry.stored.bytes.len() as u64,
        offset: place.offset as u64,
        md5: Bytes(md5::compute(bytes).0),
        folder: u16::try_from(entry.folder).unwrap_or_default(),
        attributes: 0x20,
        date: DATE,
        time: TIME,
        unk72: 1,
        previous: twin.map_or(0, offset),
        link: u8::from(twin.is_some()),
        volume: u16::try_from(place.volume).unwrap_or_default(),
        ..FileDescriptor6::default()
    });
    if entry.member.is_some() {
        area.text(at + 58, entry.name);
    }
}

/// The descriptor with its lists, except for values that depend on the table.
fn descriptor(set: &NewSet, ranges: &[(usize, usize)], newer: bool) -> Outcome<Area> {
    let mut area = Area::default();
    area.put(Descriptor::default());
    area.put([0_u32; 2]);
    area.put(9_u32);
    let mut group_slots = Slots::default();
    for (group, (first, last)) in set.groups.iter().zip(ranges) {
        let at = match newer {
            true => {
                let at = area.put(Group6 {
                    first: offset(*first),
                    last: offset(*last),
                    attributes: 5,
                    ..Group6::default()
                });
                area.text(at + 58, &group.target);
                at
            }
            false => area.put(Group5 {
                unk12: 4,
                unk14: 10,
                shared: 1,
                compressed: 1,
                first: offset(*first),
                last: offset(*last),
                first_volume: 1,
                last_volume: 1,
                ..Group5::default()
            }),
        };
        area.text(at, &group.name);
        enter(&mut area, &mut group_slots, &group.name, at);
    }
    let mut component_slots = Slots::default();
    let mut names: Vec<&str> = set.groups.iter().map(|group| &*group.component).collect();
    names.dedup();
    let parents: Vec<&str> = names
        .iter()
        .filter_map(|name| Some(name.rsplit_once('\\')?.0))
        .collect();
    names.extend(parents);
    names.sort_unstable();
    names.dedup();
    let mut first_component = 0;
    for name in names.iter().rev() {
        first_component = component(&mut area, set, (name, &names), newer, first_component)?;
        enter(&mut area, &mut component_slots, name, first_component);
    }
    let setup_types = setup_type(&mut area, &names);
    let variables = area.put(0_u32);
    let slots_at = area.put(Slots::default());
    let mut slots = Slots::default();
    let variable = area.put(Variable {
        kind: 4,
        ..Variable::default()
    });
    area.text(variable, "<TARGETDIR>");
    area.text(variable + 8, "");
    enter(&mut area, &mut slots, "<TARGETDIR>", variable);
    area.set(slots_at, slots);
    let strings = area.finish();
    let head = Descriptor {
        strings,
        first_component,
        language_count: 1,
        languages: 638 + 8,
        group_slots,
        component_slots,
        setup_types,
        variables,
        ..Descriptor::default()
    };
    area.set(0, head);
    Ok(area)
}

/// Adds a name to a hash table, before others of the same slot.
fn enter(area: &mut Area, slots: &mut Slots, name: &str, descriptor: u32) {
    let slot = &mut slots.0[slot_of(name.as_bytes())];
    let at = area.put(ListEntry {
        name: 0,
        descriptor,
        next: *slot,
    });
    area.text(at, name);
    *slot = at;
}

fn component(
    area: &mut Area,
    set: &NewSet,
    (name, names): (&str, &[&str]),
    newer: bool,
    next: u32,
) -> Outcome<u32> {
    let own: Vec<&NewGroup> = set
        .groups
        .iter()
        .filter(|group| group.component == name)
        .collect();
    let groups: Vec<&str> = own.iter().map(|group| &*group.name).collect();
    let below = names.iter().copied();
    let below: Vec<&str> = below
        .filter(|other| {
            other
                .rsplit_once('\\')
                .is_some_and(|(above, _)| above == name)
        })
        .collect();
    let (group_list, below_list) = (area.list(&groups), area.list(&below));
    let (group_count, below_count) = (u16::try_from(groups.len())?, u16::try_from(below.len())?);
    let at = match newer {
        true => area.put(Component6 {
            status: 4,
            group_count,
            groups: group_list,
            below_count,
            below: below_list,
            next,
            ..Component6::default()
        }),
        false => {
            let at = area.put(Component5 {
                unk14: [1, 1],
                unk28: [1, 1, 1, 0],
                group_count,
                groups: group_list,
                below_count,
                below: below_list,
                next,
                ..Component5::default()
            });
            let target = own.first().map_or("<TARGETDIR>", |group| &*group.target);
            area.text(at + 0x1C, target);
            at
        }
    };
    area.text(at, name);
    Ok(at)
}

fn setup_type(area: &mut Area, names: &[&str]) -> u32 {
    let components = area.list(names);
    let at = area.put(SetupType {
        component_count: offset(names.len()),
        components,
        ..SetupType::default()
    });
    area.text(at, "Typical");
    area.text(at + 4, "");
    area.text(at + 8, "Typical");
    let list = area.put(at);
    let head = area.put(1_u32);
    area.put(list);
    head
}

fn finish_descriptor(
    area: &mut Area,
    (files, folders): (usize, usize),
    table_size: usize,
    newer: bool,
) {
    let table = area.bytes.len();
    let head = Descriptor::load(&area.bytes).unwrap_or_default();
    let of_folders = offset(4 * folders);
    area.set(
        0,
        Descriptor {
            table: offset(table),
            table_size: offset(table_size),
            table_size_again: offset(table_size),
            folder_count: offset(folders),
            folders_size: if newer { of_folders } else { 0 },
            file_count: offset(files),
            files: of_folders,
            ..head
        },
    );
}
