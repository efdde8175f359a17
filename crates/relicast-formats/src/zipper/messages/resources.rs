//! The resource tree of an image: kind, name, language, data.
//!
//! Trees of the games have these three levels. The walk goes no deeper, and visits no more entries, names and data
//! than the file could hold without overlap, so that a cyclic tree ends quickly.

use relicast_codec::quantity::counted;
use std::fmt::{self, Display};

use serde::Serialize;

use super::headers::{ResourceData, ResourceDirectory, ResourceEntry};
use super::image::{Image, Section};
use super::language::Charset;
use relicast_codec::{Blob, Deviations, FaultKind, FormatError, Reader, Result, Stream, Walk};

/// Maximum total length of the names of all resources, as a multiple of the tree's length. All entries below share
/// a kind and a name; this limits the expansion by a hostile tree with one long text.
const MAX_COPIES: usize = 8;

/// Name of a kind, a resource or a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ResourceName {
    /// A number: a kind of the platform (6 string block, 11 message table), a LANGID.
    Number(u32),
    /// A text.
    Text(String),
}

impl ResourceName {
    /// The number, when it is one.
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }

    fn text_length(&self) -> usize {
        match self {
            Self::Number(_) => 0,
            Self::Text(text) => text.len(),
        }
    }
}

impl Display for ResourceName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => Display::fmt(number, formatter),
            Self::Text(text) => write!(formatter, "{text:?}"),
        }
    }
}

/// One resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resource<'a> {
    /// Kind.
    pub kind: ResourceName,
    /// Name among its kind.
    pub name: ResourceName,
    /// Language, a LANGID.
    pub language: ResourceName,
    /// Code page as stored; 0 for message tables.
    pub code_page: u32,
    /// Offset of the first byte in the file; 0 with a fault.
    pub offset: usize,
    /// Bytes as stored in the tree.
    pub size: u32,
    /// The bytes; empty with a fault.
    pub data: Blob<'a>,
    /// Reason that the bytes are not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
    /// Offset in the file of the tree's row with address and size.
    #[serde(skip)]
    pub(super) entry: usize,
}

/// Walks the resource tree of `image` in file order. An image without resources gives none.
///
/// # Errors
/// The address of the tree is outside all sections, or its root is truncated.
pub(super) fn walk<'a>(
    image: &Image<'a>,
    deviations: &mut Deviations,
) -> Result<Vec<Resource<'a>>> {
    let Some(address) = image.resources else {
        return Ok(Vec::new());
    };
    let (base, tree) = image.from(address).ok_or_else(|| {
        FormatError::malformed(
            "resources",
            0,
            "an address in a section that the file holds",
            format_args!("{address:#x}"),
        )
    })?;
    if !image
        .sections
        .iter()
        .any(|section| section.address == address)
    {
        deviations.push("resources", base, "the start of a section", address);
    }
    // Sections may overlap in the file, so their common size is the end of the last one. The address of an empty
    // section can have any value.
    let end = |section: &Section<'_>| section.offset.saturating_add(section.data.len());
    let filled = image
        .sections
        .iter()
        .filter(|section| !section.data.is_empty());
    let file_size = filled.map(end).max().unwrap_or_default();
    let mut walker = Walker {
        image,
        tree,
        base,
        entries_left: tree.len() / ResourceEntry::SIZE,
        names_left: tree.len(),
        copies_left: tree.len().saturating_mul(MAX_COPIES),
        data_left: file_size,
        resources: Vec::new(),
        deviations,
    };
    walker.directory(0, &[])?;
    Ok(walker.resources)
}

struct Walker<'w, 'a> {
    image: &'w Image<'a>,
    tree: &'a [u8],
    /// File offset of the tree.
    base: usize,
    entries_left: usize,
    names_left: usize,
    /// Remaining bytes of texts that resources may repeat from their parent directories.
    copies_left: usize,
    data_left: usize,
    resources: Vec<Resource<'a>>,
    deviations: &'w mut Deviations,
}

impl<'a> Walker<'_, 'a> {
    fn deviate(&mut self, offset: usize, expected: impl Display, found: impl Display) {
        let offset = self.base.saturating_add(offset);
        self.deviations.push("resources", offset, expected, found);
    }

    fn record<T: Walk<'a>>(&mut self, offset: usize) -> Result<T> {
        let mut reader = Reader::new(self.tree);
        let mut record = T::default();
        reader
            .seek("offset", offset)
            .and_then(|()| record.walk(&mut reader))
            .map_err(|error| error.shifted(self.base).inside("resources"))?;
        let deviations = reader.into_deviations();
        self.deviations.absorb("resources", self.base, deviations);
        Ok(record)
    }

    /// Visits the directory at `offset`, with `path` in the tree.
    fn directory(&mut self, offset: usize, path: &[&ResourceName]) -> Result<()> {
        let head: ResourceDirectory = self.record(offset)?;
        let count = u32::from(head.named).saturating_add(u32::from(head.numbered));
        let mut entry_offset = offset.saturating_add(ResourceDirectory::SIZE);
        for _ in 0..count {
            let Some(left) = self.entries_left.checked_sub(1) else {
                self.deviate(
                    entry_offset,
                    "no more entries than fit into the resources",
                    "a tree that visits entries more than once",
                );
                return Ok(());
            };
            self.entries_left = left;
            let entry: ResourceEntry = match self.record(entry_offset) {
                Ok(entry) => entry,
                Err(error) => {
                    self.deviate(offset, counted(count, "entry", "entries"), error);
                    return Ok(());
                }
            };
            self.entry(entry_offset, &entry, path);
            entry_offset = entry_offset.saturating_add(ResourceEntry::SIZE);
        }
        Ok(())
    }

    fn entry(&mut self, offset: usize, entry: &ResourceEntry, path: &[&ResourceName]) {
        let Some(name) = self.name(offset, entry.name) else {
            return;
        };
        let is_directory = entry.target & ResourceEntry::MARK != 0;
        let target = (entry.target & !ResourceEntry::MARK) as usize;
        match path {
            [kind, resource] if !is_directory => {
                if let Err(error) = self.leaf(target, [kind, resource, &name]) {
                    self.deviate(offset, "a data entry", error);
                }
            }
            [] | [_] if is_directory => {
                let inner: Vec<&ResourceName> = path.iter().copied().chain([&name]).collect();
                if let Err(error) = self.directory(target, &inner) {
                    self.deviate(offset, "a directory", error);
                }
            }
            _ => self.deviate(
                offset.saturating_add(4),
                "three levels: kind, name, language",
                format_args!(
                    "a directory or data at level {}",
                    path.len().saturating_add(1)
                ),
            ),
        }
    }

    /// The name of an entry; `None`, with a deviation, when its text is not available.
    fn name(&mut self, offset: usize, name: u32) -> Option<ResourceName> {
        if name & ResourceEntry::MARK == 0 {
            return Some(ResourceName::Number(name));
        }
        match self.text((name & !ResourceEntry::MARK) as usize) {
            Ok(text) => Some(ResourceName::Text(text)),
            Err(error) => {
                self.deviate(offset, "a name", error);
                None
            }
        }
    }

    fn text(&mut self, offset: usize) -> Result<String> {
        let mut reader = Reader::new(self.tree);
        reader.seek("name", offset)?;
        let mut units = 0_u16;
        reader.value("length", &mut units)?;
        let bytes = reader.take("name", usize::from(units).saturating_mul(2))?;
        self.names_left = self.names_left.checked_sub(bytes.len()).ok_or_else(|| {
            FormatError::malformed("name", offset, "names that do not overlap", "overlaps")
        })?;
        Ok(Charset::Utf16.decode(bytes))
    }

    fn leaf(&mut self, offset: usize, path: [&ResourceName; 3]) -> Result<()> {
        let data: ResourceData = self.record(offset)?;
        let texts = path.iter().map(|name| name.text_length()).sum();
        self.copies_left = self.copies_left.checked_sub(texts).ok_or_else(|| {
            let expected = format_args!("names of at most {MAX_COPIES} times the tree's length");
            FormatError::new(FaultKind::Limit, "name", offset, expected, "more")
        })?;
        let [kind, name, language] = path.map(Clone::clone);
        let stored = self
            .image
            .from(data.address)
            .and_then(|(at, rest)| Some((at, rest.get(..data.size as usize)?)))
            .filter(|(_, bytes)| bytes.len() <= self.data_left);
        self.data_left = self
            .data_left
            .saturating_sub(stored.map_or(0, |(_, bytes)| bytes.len()));
        let fault = stored.is_none().then(|| {
            FormatError::malformed(
                "address",
                self.base.saturating_add(offset),
                "bytes of one section, shared with no other resource",
                format_args!("{} bytes at {:#x}", data.size, data.address),
            )
        });
        if let Some(fault) = &fault {
            self.deviate(offset, fault.expected(), fault.found());
        }
        let (at, bytes) = stored.unwrap_or_default();
        self.resources.push(Resource {
            kind,
            name,
            language,
            code_page: data.code_page,
            offset: at,
            size: data.size,
            data: Blob::borrowed(bytes),
            fault,
            entry: self.base.saturating_add(offset),
        });
        Ok(())
    }
}
