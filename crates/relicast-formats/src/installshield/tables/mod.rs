//! Tables of a set: folders, files, groups, components and setup types, read from a header file or from the
//! start of a first volume.
//!
//! Structures are at offsets. Each is stored with its offset, and so are all bytes that no offset leads to,
//! so that the tables can be written byte for byte.
//!
//! ```
//! use relicast_formats::installshield::tables;
//!
//! // A volume that is none is refused with the place of the fault.
//! let error = tables::decode(b"not a cabinet at all").unwrap_err();
//! assert!(error.to_string().contains("ISc("));
//! ```

mod write;

use serde::Serialize;

use super::file::{File, FileDescriptor, INVALID};
use super::header::{Header, Version};
use super::records::{
    Component5, Component6, Descriptor, FileDescriptor5, FileDescriptor6, Group5, Group6,
    ListEntry, SetupType, Slots, Variable,
};
use super::walker::{MOST_ENTRIES, Placed, Text, Walker};
use relicast_codec::{Blob, Bytes, Decoded, Deviations, FixedSize, FormatError, Reader, Result};
use relicast_limits as limits;

/// Smallest distance between descriptors that leaves room for an MD5.
const WITH_MD5: usize = FileDescriptor5::SIZE + 16;

/// A file group.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum GroupDescriptor {
    V5(Placed<Group5>),
    V6(Placed<Group6>),
}

/// A file group: a range of files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Group {
    /// Its name.
    pub name: Text,
    /// Index of its first file.
    pub first: u32,
    /// Index of its last file.
    pub last: u32,
    /// Its target folder, from version 6 on.
    pub target: Option<Text>,
    descriptor: GroupDescriptor,
}

/// A component descriptor.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum ComponentDescriptor {
    V5(Box<Placed<Component5>>),
    V6(Box<Placed<Component6>>),
}

/// A component, which users can select during the installation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Component {
    /// Its name, after the names of the components above and backslashes.
    pub name: Text,
    /// Its target folder, up to version 5.
    pub target: Option<Text>,
    /// Names of its file groups.
    pub groups: Vec<Text>,
    /// Names of the components that it depends on.
    pub depends: Vec<Text>,
    /// Names of the components below it.
    pub below: Vec<Text>,
    descriptor: ComponentDescriptor,
}

/// A setup type: a selection of components.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setup {
    /// Its name.
    pub name: Text,
    /// Names of its components.
    pub components: Vec<Text>,
    descriptor: Placed<SetupType>,
}

/// The tables of a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tables<'a> {
    /// The header.
    pub header: Header<'a>,
    /// The descriptor.
    pub descriptor: Placed<Descriptor>,
    /// Identifiers of languages, those of Windows.
    pub languages: Vec<u32>,
    /// Folders, with backslashes between levels.
    pub folders: Vec<Text>,
    /// Files, with placeholders.
    pub files: Vec<File>,
    /// File groups, by the index of their first file.
    pub groups: Vec<Group>,
    /// Components, by name.
    pub components: Vec<Component>,
    /// Setup types.
    pub setup_types: Vec<Setup>,
    #[serde(skip)]
    words: Vec<Placed<u32>>,
    #[serde(skip)]
    entries: Vec<Placed<ListEntry>>,
    #[serde(skip)]
    variables: Vec<Placed<Variable>>,
    #[serde(skip)]
    variable_slots: Option<Placed<Slots>>,
    /// Bytes that no offset leads to, and texts.
    #[serde(skip)]
    rest: Vec<Placed<Blob<'a>>>,
    #[serde(skip)]
    length: usize,
}

impl Walker<'_> {
    fn group(&mut self, entry: ListEntry) -> Result<Group> {
        let at = self.place(entry.descriptor);
        let (name, first, last, target, descriptor) = if self.version.is_newer() {
            let group = self.at::<Group6>("group", at)?;
            let Group6 {
                name,
                first,
                last,
                target,
                ..
            } = group.value;
            (name, first, last, Some(target), GroupDescriptor::V6(group))
        } else {
            let group = self.at::<Group5>("group", at)?;
            let Group5 {
                name, first, last, ..
            } = group.value;
            (name, first, last, None, GroupDescriptor::V5(group))
        };
        Ok(Group {
            name: self.text("group.name", name),
            first,
            last,
            target: target.map(|target| self.text("group.target", target)),
            descriptor,
        })
    }

    fn component(&mut self, entry: ListEntry) -> Result<Component> {
        let at = self.place(entry.descriptor);
        let (name, target, lists, descriptor) = if self.version.is_newer() {
            let found = self.at::<Component6>("component", at)?;
            let value = found.value;
            let lists = [
                (value.group_count, value.groups),
                (value.depends_count, value.depends),
                (value.below_count, value.below),
            ];
            (
                value.name,
                None,
                lists,
                ComponentDescriptor::V6(Box::new(found)),
            )
        } else {
            let found = self.at::<Component5>("component", at)?;
            let value = found.value;
            let lists = [
                (value.group_count, value.groups),
                (value.depends_count, value.depends),
                (value.below_count, value.below),
            ];
            let target = Some(value.target);
            (
                value.name,
                target,
                lists,
                ComponentDescriptor::V5(Box::new(found)),
            )
        };
        let [groups, depends, below] = lists;
        let mut list = |field, (count, offset)| self.texts(field, offset, usize::from(count));
        let groups = list("component.groups", groups);
        let depends = list("component.depends", depends);
        let below = list("component.below", below);
        Ok(Component {
            name: self.text("component.name", name),
            target: target.map(|target| self.text("component.target", target)),
            groups,
            depends,
            below,
            descriptor,
        })
    }

    fn setup_types(&mut self, offset: u32) -> Result<Vec<Setup>> {
        if offset == 0 {
            return Ok(Vec::new());
        }
        let head = self.words("setup types", self.place(offset), 2)?;
        let (count, list) = match &*head {
            [count, list] => ((*count as usize).min(MOST_ENTRIES), *list),
            _ => return Ok(Vec::new()),
        };
        let places = self.words("setup types", self.place(list), count)?;
        let mut types = Vec::new();
        for place in places {
            let descriptor = self.at::<SetupType>("setup type", self.place(place))?;
            let value = descriptor.value;
            let count = value.component_count as usize;
            types.push(Setup {
                name: self.text("setup type.name", value.name),
                components: self.texts("setup type.components", value.components, count),
                descriptor,
            });
            limits::check();
        }
        Ok(types)
    }
}

/// Number of bytes of a file up to the end of its tables, computed from its first 0x400 bytes. `None` when
/// it has no tables.
pub fn extent(start: &[u8]) -> Result<Option<u64>> {
    let header = Header::decode(start)?;
    if header.common.descriptor_size == 0 {
        return Ok(None);
    }
    let at = header.common.descriptor_offset as usize;
    let behind = start.get(at..).unwrap_or_default();
    let descriptor = Descriptor::load(behind)
        .ok_or_else(|| FormatError::truncated("descriptor", at, Descriptor::SIZE, behind.len()))?;
    let table = at as u64 + u64::from(descriptor.table) + u64::from(descriptor.table_size);
    let rest = at as u64 + u64::from(header.common.descriptor_size);
    let data = header.facts().data_offset;
    // In a volume the data starts after the tables; wrong sizes do not make the tables reach into it.
    Ok(Some(table.max(rest).max(data)))
}

/// Decodes the tables at the start of `bytes`, a header file or the first [`extent`] bytes of a volume.
///
/// # Errors
/// There are none, or their counts do not fit the bytes.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Tables<'_>>> {
    let header = Header::decode(bytes)?;
    let version = header.version();
    if header.common.descriptor_size == 0 {
        let expected = "a descriptor; for a volume it is in the .hdr file";
        return Err(FormatError::malformed(
            "header.descriptor_size",
            16,
            expected,
            0,
        ));
    }
    let base = header.common.descriptor_offset as usize;
    let mut walker = Walker {
        bytes,
        version,
        base,
        words: Vec::new(),
        entries: Vec::new(),
        deviations: Deviations::default(),
        text_left: bytes.len().saturating_mul(16).saturating_add(1 << 20),
    };
    if version.major() > super::header::NEWEST {
        let expected = format!("version 5 to {}", super::header::NEWEST);
        walker.report("header.version", 4, expected, version.major());
    }
    let descriptor = walker.at::<Descriptor>("descriptor", base)?;
    let head = descriptor.value;
    if head.table_size != head.table_size_again {
        let expected = head.table_size;
        let place = base + 0x18;
        let found = head.table_size_again;
        walker.report("descriptor.table_size_again", place, expected, found);
    }
    let languages = usize::from(head.language_count);
    let languages = walker.words("languages", walker.place(head.languages), languages);
    let languages = languages.unwrap_or_default();
    let (folders, files) = files(&mut walker, &head)?;
    let mut groups = Vec::new();
    for entry in walker.entries("groups", &head.group_slots) {
        groups.push(walker.group(entry)?);
    }
    groups.sort_by(|a, b| (a.first, &a.name.text).cmp(&(b.first, &b.name.text)));
    let mut components = Vec::new();
    for entry in walker.entries("components", &head.component_slots) {
        components.push(walker.component(entry)?);
    }
    components.sort_by(|a, b| a.name.text.cmp(&b.name.text));
    let setup_types = match walker.setup_types(head.setup_types) {
        Ok(types) => types,
        Err(error) => {
            let at = walker.place(head.setup_types);
            walker.report("setup types", at, error.expected(), error.found());
            Vec::new()
        }
    };
    let (variable_slots, variables) = variables(&mut walker, head.variables);
    let mut tables = Tables {
        header,
        descriptor,
        languages,
        folders,
        files,
        groups,
        components,
        setup_types,
        words: walker.words,
        entries: walker.entries,
        variables,
        variable_slots,
        rest: Vec::new(),
        length: bytes.len(),
    };
    tables.rest = tables.uncovered(bytes);
    let mut decoded = Reader::new(&[]).finish(tables);
    decoded.deviations = walker.deviations;
    Ok(decoded)
}

fn variables(
    walker: &mut Walker<'_>,
    offset: u32,
) -> (Option<Placed<Slots>>, Vec<Placed<Variable>>) {
    if offset == 0 {
        return (None, Vec::new());
    }
    let at = walker.place(offset).saturating_add(4);
    let Ok(slots) = walker.at::<Slots>("variables", at) else {
        return (None, Vec::new());
    };
    let mut found = Vec::new();
    for entry in walker.entries("variables", &slots.value) {
        let at = walker.place(entry.descriptor);
        if let Ok(variable) = walker.at::<Variable>("variable", at) {
            found.push(variable);
        }
    }
    (Some(slots), found)
}

/// The folders and files of the file table.
fn files(walker: &mut Walker<'_>, head: &Descriptor) -> Result<(Vec<Text>, Vec<File>)> {
    let table = walker.place(head.table);
    let left = walker.bytes.len().saturating_sub(table);
    let is_newer = walker.version.is_newer();
    let folder_count = if is_newer {
        head.folder_count & 0xFFFF
    } else {
        head.folder_count
    } as usize;
    let file_count = head.file_count as usize;
    let entry = if is_newer { FileDescriptor6::SIZE } else { 4 };
    let needed = folder_count
        .checked_mul(4)
        .zip(file_count.checked_mul(entry));
    let needed = needed.and_then(|(folders, files)| folders.checked_add(files));
    if needed.is_none_or(|needed| needed > left) {
        let place = walker.base + 0x1C;
        let expected = format!("folders and files for {left} bytes of table");
        let found = format!("folders: {folder_count}, files: {file_count}");
        return Err(FormatError::malformed(
            "descriptor.counts",
            place,
            expected,
            found,
        ));
    }
    let mut folders = Vec::new();
    for (index, offset) in walker
        .words("folders", table, folder_count)?
        .into_iter()
        .enumerate()
    {
        let at = table.saturating_add(offset as usize);
        folders.push(walker.text_at(at).unwrap_or_else(|| {
            let field = format!("folders[{index}]");
            walker.report(field, at, "a text that ends with NUL", "no NUL");
            Text::default()
        }));
        limits::check();
    }
    let files = if is_newer {
        newer_files(
            walker,
            table.saturating_add(head.files as usize),
            table,
            file_count,
        )?
    } else {
        first_files(walker, table + 4 * folder_count, table, file_count)?
    };
    Ok((folders, files))
}

/// The files of version 5, which offsets lead to.
fn first_files(
    walker: &mut Walker<'_>,
    list: usize,
    table: usize,
    count: usize,
) -> Result<Vec<File>> {
    let offsets = walker.words("files", list, count)?;
    let mut sorted: Vec<u32> = offsets.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let gaps = sorted.windows(2).filter_map(|pair| match pair {
        [a, b] => Some((b - a) as usize),
        _ => None,
    });
    let mut distance = gaps.min();
    if let (None, [only]) = (distance, &*sorted) {
        // Behind the only descriptor come the texts, including its name.
        let at = table.saturating_add(*only as usize);
        let name = FileDescriptor5::load(walker.bytes.get(at..).unwrap_or_default());
        distance = name.and_then(|file| (file.name as usize).checked_sub(*only as usize));
    }
    let with_md5 = distance.is_some_and(|distance| distance >= WITH_MD5);
    let mut files = Vec::with_capacity(offsets.len());
    for (index, offset) in offsets.into_iter().enumerate() {
        let at = table.saturating_add(offset as usize);
        let file = walker
            .at::<FileDescriptor5>("file", at)
            .map_err(|error| error.within("files", index))?;
        let md5 = match with_md5 {
            true => walker
                .at::<Bytes<16>>("md5", at + FileDescriptor5::SIZE)
                .ok(),
            false => None,
        };
        let name = (file.value.flags & INVALID == 0)
            .then(|| walker.text_at(table.saturating_add(file.value.name as usize)))
            .flatten();
        let md5 = md5.map(|md5| md5.value);
        files.push(File {
            descriptor: FileDescriptor::V5(file, md5),
            name,
        });
        limits::check();
    }
    Ok(files)
}

/// The files of version 6 and newer, stored consecutively.
fn newer_files(
    walker: &mut Walker<'_>,
    start: usize,
    table: usize,
    count: usize,
) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for index in 0..count {
        let at = start.saturating_add(index.saturating_mul(FileDescriptor6::SIZE));
        let file = walker
            .at::<FileDescriptor6>("file", at)
            .map_err(|error| error.within("files", index))?;
        let name = (file.value.flags & INVALID == 0)
            .then(|| walker.text_at(table.saturating_add(file.value.name as usize)))
            .flatten();
        files.push(File {
            descriptor: FileDescriptor::V6(file),
            name,
        });
        limits::check();
    }
    Ok(files)
}

impl Tables<'_> {
    /// The version of the set.
    pub fn version(&self) -> Version {
        self.header.version()
    }

    /// Groups that the file at `index` is in.
    pub fn groups_of(&self, index: usize) -> impl Iterator<Item = &Group> {
        self.groups
            .iter()
            .filter(move |group| (group.first as usize..=group.last as usize).contains(&index))
    }

    /// The target folder of a group: its own, or that of the first component that names it.
    pub fn target_of<'t>(&'t self, group: &'t Group) -> Option<&'t str> {
        if let Some(target) = group
            .target
            .as_ref()
            .filter(|target| !target.text.is_empty())
        {
            return Some(&target.text);
        }
        let names = |exact: bool| {
            self.components.iter().find(|component| {
                component.groups.iter().any(|name| match exact {
                    true => name.text == group.name.text,
                    false => name.text.to_lowercase() == group.name.text.to_lowercase(),
                })
            })
        };
        let component = names(true).or_else(|| names(false))?;
        component.target.as_ref().map(|target| &*target.text)
    }
}
