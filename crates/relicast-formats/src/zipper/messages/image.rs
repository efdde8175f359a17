//! The parts of a PE image that messages need: sections, the resource directory, exported names.

use object::LittleEndian as LE;
use object::pe;
use object::read::pe::{DataDirectories, ImageNtHeaders, SectionTable};

use relicast_codec::{FaultKind, FixedSize, FormatError, Result, latin1};

/// Maximum number of sections that the platform loads; more are an error.
const MAX_SECTIONS: usize = 96;
/// Maximum number of exported names that are read; message DLLs export one.
const MAX_EXPORTS: usize = 64;
const MAX_EXPORT_LENGTH: usize = 256;

/// The stored part of a section.
#[derive(Debug, Clone)]
pub(super) struct Section<'a> {
    /// Name without padding.
    pub name: Vec<u8>,
    /// Address relative to the image.
    pub address: u32,
    /// Offset of the first byte in the file.
    pub offset: usize,
    /// The bytes in the file that are also in memory.
    pub data: &'a [u8],
}

impl<'a> Section<'a> {
    /// File offset and bytes from `address` to the end of the section; `None` when it is outside.
    fn from(&self, address: u32) -> Option<(usize, &'a [u8])> {
        let start = address.checked_sub(self.address)? as usize;
        let data = self.data.get(start..).filter(|data| !data.is_empty())?;
        Some((self.offset.saturating_add(start), data))
    }
}

/// A 32-bit PE image.
#[derive(Debug, Clone)]
pub(super) struct Image<'a> {
    /// Preferred address.
    pub base: u32,
    /// Sections in file order.
    pub sections: Vec<Section<'a>>,
    /// Address of the resources relative to the image.
    pub resources: Option<u32>,
    /// Exported names, at most [`MAX_EXPORTS`].
    pub exports: Vec<String>,
}

impl<'a> Image<'a> {
    /// Reads the headers.
    ///
    /// # Errors
    /// The headers are not those of a 32-bit PE image, or are outside the file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let dos = pe::ImageDosHeader::parse(bytes)
            .map_err(|error| FormatError::malformed("dos header", 0, "an MZ header", error))?;
        let start = dos.nt_headers_offset();
        let magic_offset = (start as usize).saturating_add(24);
        let magic = bytes.get(magic_offset..).and_then(u16::load);
        if magic == Some(pe::IMAGE_NT_OPTIONAL_HDR64_MAGIC) {
            return Err(FormatError::unsupported(
                "magic",
                magic_offset,
                "0x010b (32-bit)",
                "0x020b (64-bit)",
            ));
        }
        let fault = |field: &'static str, error: object::read::Error| {
            let offset = (start as usize).min(bytes.len());
            FormatError::malformed(field, offset, "headers of a PE image", error)
        };
        let mut end = u64::from(start);
        let (headers, directories) = pe::ImageNtHeaders32::parse(bytes, &mut end)
            .map_err(|error| fault("pe headers", error))?;
        let table = headers
            .sections(bytes, end)
            .map_err(|error| fault("sections", error))?;
        if table.len() > MAX_SECTIONS {
            return Err(FormatError::new(
                FaultKind::Limit,
                "sections",
                (start as usize).saturating_add(6),
                format_args!("at most {MAX_SECTIONS}"),
                table.len(),
            ));
        }
        Ok(Self {
            base: headers.optional_header().image_base.get(LE),
            sections: table.iter().map(|header| section(bytes, header)).collect(),
            resources: directories
                .get(pe::IMAGE_DIRECTORY_ENTRY_RESOURCE)
                .map(|directory| directory.virtual_address.get(LE)),
            exports: exports(bytes, &directories, &table),
        })
    }

    /// File offset and bytes from `address`, relative to the image, to the end of its section.
    pub fn from(&self, address: u32) -> Option<(usize, &'a [u8])> {
        self.sections
            .iter()
            .find_map(|section| section.from(address))
    }

    /// The first section called `name`.
    pub fn section(&self, name: &[u8]) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.name == name)
    }
}

fn section<'a>(bytes: &'a [u8], header: &pe::ImageSectionHeader) -> Section<'a> {
    let raw = header.size_of_raw_data.get(LE);
    let size = match header.virtual_size.get(LE) {
        0 => raw,
        size => size.min(raw),
    };
    let offset = header.pointer_to_raw_data.get(LE) as usize;
    let rest = bytes.get(offset..).unwrap_or_default();
    Section {
        name: header.raw_name().to_vec(),
        address: header.virtual_address.get(LE),
        offset,
        data: rest.get(..size as usize).unwrap_or(rest),
    }
}

/// Exported names; a damaged export table, which nothing here depends on, gives none.
fn exports(
    bytes: &[u8],
    directories: &DataDirectories<'_>,
    sections: &SectionTable<'_>,
) -> Vec<String> {
    let Ok(Some(table)) = directories.export_table(bytes, sections) else {
        return Vec::new();
    };
    table
        .name_pointers()
        .iter()
        .take(MAX_EXPORTS)
        .filter_map(|pointer| table.name_from_pointer(pointer.get(LE)).ok())
        .filter(|name| name.len() <= MAX_EXPORT_LENGTH)
        .map(latin1)
        .collect()
}
