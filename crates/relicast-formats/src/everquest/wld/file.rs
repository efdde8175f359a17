//! The container: header, names, fragments, trailer.

use relicast_codec::quantity::counted;
use std::borrow::Cow;

use serde::Serialize;

use super::body::{Body, RawBody};
use super::kind::FragmentKind;
use super::mesh::TextureCoordinates;
use super::name::Name;
use super::reference::FragmentRef;
use super::strings::StringTable;
use relicast_codec::{
    Blob, Decoded, Deviations, FormatError, Reader, Result, Stream, Walk, Writer, shown,
};
use relicast_limits as limits;

/// First word of a file.
pub const SIGNATURE: u32 = 0x5450_3D02;

/// End of every file.
const TRAILER: [u8; 4] = [0xFF; 4];

relicast_codec::open_enum! {
    /// Version of the file, as stored. Some writers set bit 0 as well (a guess).
    pub enum Version: u32 {
        /// The first games; the form that could be checked on retail data.
        Old = 0x0001_5500,
        /// From Luclin on: texture coordinates are floats, bitmaps have layers.
        New = 0x1000_C800,
        /// The old form with bit 0 set.
        OldMarked = 0x0001_5501,
        /// The new form with bit 0 set.
        NewMarked = 0x1000_C801,
    }
}

impl Version {
    /// True if texture coordinates are floats.
    pub const fn is_new(self) -> bool {
        matches!(self, Self::New | Self::NewMarked)
    }
}

relicast_codec::record! {
    /// Start of the file, 28 bytes.
    pub struct Header[28] {
        /// Offset 0: the signature.
        magic: u32 [must SIGNATURE],
        /// Offset 4: the version.
        version: Version,
        /// Offset 8: number of fragments; derived when writing.
        fragment_count: u32,
        /// Offset 12: number of regions.
        region_count: u32,
        /// Offset 16: size of the largest fragment in bytes, without its head.
        largest_fragment: u32,
        /// Offset 20: bytes of the block of names, a multiple of 4; derived when writing.
        string_bytes: u32,
        /// Offset 24: number of names, without the empty one.
        string_count: u32,
    }
}

/// One fragment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fragment<'a> {
    /// The name; `None` if the kind has none (or the body is too short for one).
    pub name: Option<Name>,
    /// Content of the fragment.
    pub body: Body<'a>,
    /// The bytes after the body, if they are not the zeros that fill its last word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd_padding: Option<Box<Blob<'a>>>,
}

impl<'a> Fragment<'a> {
    /// A fragment of the given name (which kinds without a name ignore) and body.
    pub fn new(name: Name, body: Body<'a>) -> Self {
        Self {
            name: body.kind().has_name().then_some(name),
            body,
            odd_padding: None,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> FragmentKind {
        self.body.kind()
    }

    /// Its name, empty when it has none.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or("", Name::as_str)
    }
}

/// A decoded file. Order, duplicates and odd bytes are those of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wld<'a> {
    /// The header as stored. Writers derive some of its fields; see there.
    pub header: Header,
    /// The names.
    pub strings: StringTable,
    /// The fragments; a reference to number n names the one at index n - 1.
    pub fragments: Vec<Fragment<'a>>,
    /// The bytes after the last fragment: four times 0xFF in every file seen.
    pub trailer: Blob<'a>,
}

impl<'a> Wld<'a> {
    /// A file of the given parts, with a header that describes them.
    ///
    /// # Errors
    /// A fragment that cannot be encoded, or too many of them.
    pub fn new(
        version: Version,
        strings: StringTable,
        fragments: Vec<Fragment<'a>>,
    ) -> Result<Self> {
        let number = |field: &'static str, count: usize| {
            u32::try_from(count)
                .map_err(|_| FormatError::unencodable(field, 0, "at most 2^32 - 1", count))
        };
        let largest = largest(&fragments, version)?;
        let regions = fragments
            .iter()
            .filter(|fragment| fragment.kind() == FragmentKind::Region);
        let header = Header {
            magic: SIGNATURE,
            version,
            fragment_count: number("fragment_count", fragments.len())?,
            region_count: number("region_count", regions.count())?,
            largest_fragment: number("largest_fragment", largest)?,
            string_bytes: number("string_bytes", strings.to_block().len())?,
            string_count: number("string_count", strings.count().saturating_sub(1))?,
        };
        Ok(Self {
            header,
            strings,
            fragments,
            trailer: Blob::borrowed(&TRAILER),
        })
    }

    /// Size of the largest fragment, without its head.
    ///
    /// # Errors
    /// A fragment cannot be encoded.
    pub fn largest_fragment(&self) -> Result<u32> {
        let largest = largest(&self.fragments, self.header.version)?;
        u32::try_from(largest).map_err(|_| {
            FormatError::unencodable("largest_fragment", 16, "at most 2^32 - 1", largest)
        })
    }

    /// This value with owned bytes, so that it outlives the file.
    pub fn into_owned(self) -> Wld<'static> {
        let fragments = self.fragments.into_iter();
        Wld {
            header: self.header,
            strings: self.strings,
            fragments: fragments
                .map(|fragment| {
                    limits::check();
                    Fragment {
                        name: fragment.name,
                        body: fragment.body.into_owned(),
                        odd_padding: fragment.odd_padding.map(|rest| Box::new(rest.into_owned())),
                    }
                })
                .collect(),
            trailer: self.trailer.into_owned(),
        }
    }

    /// The fragment that a reference names.
    pub fn get(&self, reference: FragmentRef) -> Option<&Fragment<'a>> {
        self.fragments.get(reference.index()?)
    }

    /// Index of the first fragment with this kind and name, in any letter case. Searches the list; callers
    /// with many names should build a map.
    pub fn find(&self, kind: FragmentKind, name: &str) -> Option<usize> {
        self.fragments.iter().position(|fragment| {
            fragment.kind() == kind && fragment.name().eq_ignore_ascii_case(name)
        })
    }
}

/// Decodes a file. A fragment whose body cannot be read is stored raw, with its fault.
///
/// # Errors
/// Wrong signature, unknown version, or sizes that run past the end of the file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Wld<'_>>> {
    decode_except(bytes, &[])
}

/// Decodes a file, and leaves bodies of some kinds raw, without a fault, to save time for callers that need few
/// kinds.
///
/// # Errors
/// As [`decode`].
pub fn decode_except<'a>(bytes: &'a [u8], left: &[FragmentKind]) -> Result<Decoded<Wld<'a>>> {
    let mut reader = Reader::new(bytes);
    let mut header = Header::default();
    reader.nested("header", &mut header)?;
    if let Version::Other(version) = header.version {
        return Err(FormatError::unsupported(
            "header.version",
            4,
            "0x15500 or 0x1000c800",
            format_args!("{version:#x}"),
        ));
    }
    let mut deviations = Deviations::default();
    let offset = reader.position();
    let block = reader.take("strings", header.string_bytes as usize)?;
    let strings = StringTable::from_block(block);
    if !strings.is_padded() {
        deviations.push_usual(
            "strings",
            offset,
            "zeros up to a multiple of 4",
            "other bytes",
        );
    }

    let mut fragments = Vec::new();
    let mut spans = Vec::new();
    reader.list(
        "fragments",
        &mut fragments,
        header.fragment_count as usize,
        8,
        |reader, fragment| {
            let (mut size, mut kind) = (0_u32, FragmentKind::default());
            reader.value("size", &mut size)?;
            reader.value("type", &mut kind)?;
            let offset = reader.position();
            let body = reader.take("body", size as usize)?;
            let mut found = Deviations::default();
            let form = Form {
                kind,
                version: header.version,
                is_left: left.contains(&kind),
            };
            decode_fragment(fragment, body, form, &strings, &mut found);
            if !found.is_spotless() {
                let place = format!("fragments[{}]", spans.len());
                deviations.absorb(&place, offset, found);
            }
            spans.push((offset, body.len()));
            Ok(())
        },
    )?;
    check_padding(&fragments, &spans, &mut deviations);
    check_header(&header, &strings, &fragments, &spans, &mut deviations);
    check_references(&fragments, &spans, &mut deviations);

    let offset = reader.position();
    let trailer = reader.take("trailer", reader.remaining())?;
    if trailer != TRAILER {
        let found = counted(trailer.len(), "byte", "bytes");
        deviations.push("trailer", offset, "four bytes of 0xFF", found);
    }
    let value = Wld {
        header,
        strings,
        fragments,
        trailer: Blob::borrowed(trailer),
    };
    Ok(Decoded { value, deviations })
}

/// The bytes in place of the zeros that fill the last word of `length` bytes; `None` if they are those zeros.
fn odd_padding(length: usize, rest: &[u8]) -> Option<Box<Blob<'_>>> {
    (!is_padding(length, rest)).then(|| Box::new(Blob::borrowed(rest)))
}

/// True if `rest` is the zeros that fill the last word of `length` bytes.
fn is_padding(length: usize, rest: &[u8]) -> bool {
    let usual = length.next_multiple_of(4).saturating_sub(length);
    rest.len() == usual && rest.iter().all(|&byte| byte == 0)
}

/// Fragments that end in other bytes than zeros up to a multiple of 4: one deviation with their number, at
/// the first of them. Real files have many.
fn check_padding(
    fragments: &[Fragment<'_>],
    spans: &[(usize, usize)],
    deviations: &mut Deviations,
) {
    let odd = fragments.iter().zip(spans).enumerate();
    let mut odd = odd.filter_map(|(index, (fragment, &(offset, length)))| {
        let rest = fragment.odd_padding.as_ref()?.len();
        Some((
            index,
            offset.saturating_add(length).saturating_sub(rest),
            rest,
        ))
    });
    let Some((index, offset, rest)) = odd.next() else {
        return;
    };
    let field = format!("fragments[{index}].end");
    let expected = "zeros up to a multiple of 4";
    match odd.count() {
        0 => deviations.push_usual(
            field,
            offset,
            expected,
            counted(rest, "other byte", "other bytes"),
        ),
        more => {
            let found = format_args!(
                "{}, also in {}",
                counted(rest, "other byte", "other bytes"),
                counted(more, "more fragment", "more fragments")
            );
            deviations.push_usual(field, offset, expected, found);
        }
    }
}

/// Form by which the bytes of a fragment are read.
#[derive(Debug, Clone, Copy)]
struct Form {
    kind: FragmentKind,
    version: Version,
    /// True if the body stays raw.
    is_left: bool,
}

/// Decodes a fragment into a blank one, in place.
fn decode_fragment<'a>(
    fragment: &mut Fragment<'a>,
    bytes: &'a [u8],
    form: Form,
    strings: &StringTable,
    deviations: &mut Deviations,
) {
    let mut reader = Reader::new(bytes);
    if form.kind.has_name() && bytes.len() >= 4 {
        let mut read = Name::default();
        if read.walk(&mut reader, "name").is_ok() {
            check_name(&mut read, strings, "name", deviations);
            fragment.name = Some(read);
        }
    }
    let start = reader.position();
    let content = bytes.get(start..).unwrap_or_default();
    let consumed = decode_body(&mut fragment.body, content, form, start, deviations);
    fragment.body.names(&mut |field, name| {
        check_name(name, strings, field, deviations);
    });
    let end = start.saturating_add(consumed);
    fragment.odd_padding = odd_padding(end, bytes.get(end..).unwrap_or_default());
}

fn check_name(
    name: &mut Name,
    strings: &StringTable,
    field: &'static str,
    deviations: &mut Deviations,
) {
    if !strings.resolve(name) {
        deviations.push(field, 0, "a name in the block of strings", name.reference);
    }
}

/// Decodes a body and returns the number of bytes it took. Some kinds have two forms that differ only in
/// size; the second is tried if the first does not fit.
fn decode_body<'a>(
    body: &mut Body<'a>,
    bytes: &'a [u8],
    form: Form,
    start: usize,
    deviations: &mut Deviations,
) -> usize {
    let Form { kind, version, .. } = form;
    let Some(blank) = Body::blank(kind).filter(|_| !form.is_left) else {
        *body = raw(kind, bytes, None);
        return bytes.len();
    };
    *body = blank;
    if let (Body::Mesh(mesh), true) = (&mut *body, version.is_new()) {
        mesh.texture_coordinates = TextureCoordinates::Float(Cow::default());
    }
    let alternative = body.alternative();
    let attempt = |body: &mut Body<'a>| {
        let mut reader = Reader::new(bytes);
        let result = body.walk(&mut reader);
        let position = reader.position();
        result.map(|()| (position, reader.into_deviations()))
    };
    let fits = |attempt: &Result<(usize, Deviations)>| {
        let position = attempt.as_ref().ok().map(|(position, _)| *position);
        let rest = |position: usize| bytes.get(position..).unwrap_or_default();
        position.is_some_and(|position| is_padding(position, rest(position)))
    };
    let mut decoded = attempt(body);
    if let Some(mut alternative) = alternative
        && !fits(&decoded)
    {
        let second = attempt(&mut alternative);
        if fits(&second) {
            (*body, decoded) = (alternative, second);
        }
    }
    match decoded {
        Ok((length, found)) => {
            deviations.absorb("body", start, found);
            length
        }
        Err(error) => {
            let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
            deviations.push(
                format!("body.{}", error.field()),
                start.saturating_add(offset),
                error.expected(),
                error.found(),
            );
            *body = raw(kind, bytes, Some(error));
            bytes.len()
        }
    }
}

fn raw(kind: FragmentKind, bytes: &[u8], fault: Option<FormatError>) -> Body<'_> {
    Body::Raw(RawBody {
        kind,
        bytes: Blob::borrowed(bytes),
        fault,
    })
}

fn check_header(
    header: &Header,
    strings: &StringTable,
    fragments: &[Fragment<'_>],
    spans: &[(usize, usize)],
    deviations: &mut Deviations,
) {
    let regions = fragments
        .iter()
        .filter(|fragment| fragment.kind() == FragmentKind::Region);
    let largest = spans.iter().map(|&(_, length)| length).max();
    let rules = [
        ("region_count", 12, header.region_count, regions.count()),
        (
            "largest_fragment",
            16,
            header.largest_fragment,
            largest.unwrap_or_default(),
        ),
        (
            "string_count",
            24,
            header.string_count,
            strings.count().saturating_sub(1),
        ),
    ];
    for (field, offset, stored, real) in rules {
        if stored as usize != real {
            deviations.push(format!("header.{field}"), offset, real, stored);
        }
    }
}

/// Reports references to a missing fragment or to one of a wrong kind; code that follows one checks again.
fn check_references(
    fragments: &[Fragment<'_>],
    spans: &[(usize, usize)],
    deviations: &mut Deviations,
) {
    for (index, (fragment, &(offset, _))) in fragments.iter().zip(spans).enumerate() {
        fragment.body.references(&mut |field, reference, targets| {
            let Some(target) = reference.index() else {
                return;
            };
            let kind = fragments.get(target).map(Fragment::kind);
            let right = kind.is_some_and(|kind| targets.is_empty() || targets.contains(&kind));
            if !right {
                deviations.push(
                    format!("fragments[{index}].body.{field}"),
                    offset,
                    format_args!("the number of a fragment of kind {}", shown(targets)),
                    format_args!("{} ({})", reference.0, shown(&kind)),
                );
            }
        });
    }
}

/// Size of the largest of some fragments, without its head.
fn largest(fragments: &[Fragment<'_>], version: Version) -> Result<usize> {
    let mut largest = 0_usize;
    for (index, fragment) in fragments.iter().enumerate() {
        let bytes =
            encode_fragment(fragment, version).map_err(|error| error.within("fragments", index))?;
        largest = largest.max(bytes.len());
    }
    Ok(largest)
}

/// The bytes of a fragment without its head.
fn encode_fragment(fragment: &Fragment<'_>, version: Version) -> Result<Vec<u8>> {
    if let Body::Mesh(mesh) = &fragment.body {
        let floats = matches!(mesh.texture_coordinates, TextureCoordinates::Float(_));
        if floats != version.is_new() && !mesh.texture_coordinates.is_empty() {
            return Err(FormatError::unencodable(
                "texture_coordinates",
                0,
                format_args!("those of version {}", shown(&version)),
                if floats {
                    "floats"
                } else {
                    "fixed-point numbers"
                },
            ));
        }
    }
    let mut writer = Writer::default();
    if let Some(name) = &fragment.name {
        writer.value("name", &mut { name.reference })?;
    }
    fragment.body.clone().walk(&mut writer)?;
    let mut bytes = writer.into_bytes();
    match &fragment.odd_padding {
        Some(rest) => bytes.extend_from_slice(rest),
        None => bytes.resize(bytes.len().next_multiple_of(4), 0),
    }
    Ok(bytes)
}

/// Encodes a file. Number of fragments and size of the block of names follow from the value; the
/// other counts of the header are written as stored.
///
/// # Errors
/// A list that is longer than its count can hold, or an optional field that contradicts the flags.
pub fn encode(wld: &Wld<'_>) -> Result<Vec<u8>> {
    let block = wld.strings.to_block();
    let mut header = wld.header.clone();
    let number = |field: &'static str, count: usize| {
        u32::try_from(count)
            .map_err(|_| FormatError::unencodable(field, 0, "at most 2^32 - 1", count))
    };
    header.fragment_count = number("fragment_count", wld.fragments.len())?;
    header.string_bytes = number("string_bytes", block.len())?;
    let mut writer = Writer::default();
    header.walk(&mut writer)?;
    let length = block.len();
    writer.bytes("strings", &mut block.into(), length)?;
    for (index, fragment) in wld.fragments.iter().enumerate() {
        let body = encode_fragment(fragment, header.version)
            .map_err(|error| error.within("fragments", index))?;
        writer.count("size", body.len())?;
        writer.value("type", &mut fragment.kind())?;
        let length = body.len();
        writer.bytes("body", &mut body.into(), length)?;
    }
    let trailer = &wld.trailer;
    writer.bytes("trailer", &mut trailer.0.clone(), trailer.len())?;
    Ok(writer.into_bytes())
}
