//! `relicast inspect --json`: prints the typed decode of a file, and of the members of an archive.

use std::io::{BufWriter, ErrorKind, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::member::Found;
use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{failure, usage};
use relicast_codec::{Blob, Decoded, Deviation, FormatError};
use relicast_formats::decoded_file::{self, DecodedFile, MemberArchive};
use relicast_formats::everquest::pfs;
use relicast_formats::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_member};
use relicast_formats::zipper::archive;
use relicast_formats::zipper::rof::{self, Rof};

#[derive(Serialize)]
struct Decode<'a> {
    path: &'a str,
    kind: Kind,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// Editions that contain this file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    editions: Vec<String>,
    deviations: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    first_deviations: &'a [Deviation],
    /// Known oddities, which also occur in healthy files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    value: &'a DecodedFile<'a>,
    #[serde(skip_serializing_if = "Members::is_empty")]
    members: Members<'a>,
}

/// Prints the typed decode of a file or member.
pub(super) fn print_json(
    path: &str,
    found: &Found<'_>,
    game: Option<String>,
    editions: Vec<String>,
) -> Exit {
    let (kind, bytes) = (found.kind, &*found.bytes);
    let Decoded { value, deviations } =
        match decoded_file::decode(kind, &found.name, bytes, &found.siblings) {
            None => {
                return usage(format_args!(
                    "{path}: {} files have no typed decode",
                    kind.label()
                ));
            }
            Some(Err(error)) => return failure(path, &error),
            Some(Ok(decoded)) => decoded,
        };
    let decode = Decode {
        path,
        kind,
        size: bytes.len(),
        game,
        editions,
        deviations: deviations.total(),
        first_deviations: deviations.described(),
        notes: deviations.usual_notes(),
        members: Members(&value),
        value: &value,
    };
    print_document(&decode)
}

/// Writes a document to standard output while it is generated: it may be many times the size of its file. A
/// closed pipe (`| head`) ends the program quietly.
pub(in crate::cli) fn print_document(document: &impl Serialize) -> Exit {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut out, document)
        .and_then(|()| out.write_all(b"\n").map_err(serde_json::Error::io))
        .and_then(|()| out.flush().map_err(serde_json::Error::io));
    match written {
        // A closed pipe (`| head`) is not an error.
        Err(error) if error.io_error_kind() == Some(ErrorKind::BrokenPipe) => Exit::Success,
        Err(error) => usage(format_args!("cannot write to standard output: {error}")),
        Ok(()) => Exit::Success,
    }
}

/// Typed decode of each member of an archive, made one at a time; empty for other values.
struct Members<'a>(&'a DecodedFile<'a>);

impl Members<'_> {
    fn is_empty(&self) -> bool {
        match self.0.archive() {
            Some(MemberArchive::Zipper(archive)) => archive.entries.is_empty(),
            Some(MemberArchive::EverQuest(archive)) => archive.entries.is_empty(),
            Some(MemberArchive::Resources(archive)) => archive.entries.is_empty(),
            None => true,
        }
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.archive() {
            Some(MemberArchive::Zipper(archive)) => {
                let siblings = ArchiveContext::new(archive);
                let entries = archive.entries.iter();
                serializer.collect_seq(entries.map(|entry| ZipperMember(entry, &siblings)))
            }
            Some(MemberArchive::EverQuest(archive)) => {
                serializer.collect_seq(archive.entries.iter().map(EverQuestMember))
            }
            Some(MemberArchive::Resources(archive)) => {
                let entries = archive.entries.iter().enumerate();
                let files = entries.filter(|(_, entry)| !entry.is_folder());
                serializer.collect_seq(files.map(|(index, _)| ResourceMember(archive, index)))
            }
            None => serializer.collect_seq([(); 0]),
        }
    }
}

/// Member as JSON: its typed value, else its bytes, else the error.
fn member<S: Serializer>(
    serializer: S,
    name: &str,
    kind: Kind,
    decoded: Option<Result<Decoded<DecodedFile<'_>>, FormatError>>,
    bytes: &[u8],
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(3))?;
    map.serialize_entry("name", name)?;
    map.serialize_entry("kind", &kind)?;
    match decoded {
        None => map.serialize_entry("raw", &Blob::borrowed(bytes))?,
        Some(Ok(decoded)) => map.serialize_entry("value", &decoded.value)?,
        Some(Err(error)) => map.serialize_entry("error", &error)?,
    }
    map.end()
}

struct ZipperMember<'a>(&'a archive::Entry<'a>, &'a ArchiveContext);

impl Serialize for ZipperMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(entry, siblings) = *self;
        let name = entry.name();
        let kind = sniff_member(&entry.data, &name, siblings);
        let decoded = match &entry.fault {
            Some(fault) => Some(Err(fault.clone())),
            None => decoded_file::decode(kind, &name, &entry.data, siblings),
        };
        member(serializer, &name, kind, decoded, &entry.data)
    }
}

/// File of a resource archive.
struct ResourceMember<'a>(&'a Rof<'a>, usize);

impl Serialize for ResourceMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(archive, index) = *self;
        let name = archive.path(index).join("/");
        let extracted = archive.entries.get(index).map(rof::Entry::extract);
        let bytes = match extracted.transpose() {
            Err(error) => return member(serializer, &name, Kind::Unknown, Some(Err(error)), &[]),
            Ok(extracted) => extracted
                .map(|extracted| extracted.value)
                .unwrap_or_default(),
        };
        let own = name.rsplit_once('/').map_or(&*name, |(_, own)| own);
        let kind = sniff(&bytes, own);
        let decoded = decoded_file::decode(kind, &name, &bytes, &ArchiveContext::default());
        member(serializer, &name, kind, decoded, &bytes)
    }
}

/// Member of an EverQuest archive, inflated on demand.
struct EverQuestMember<'a>(&'a pfs::Entry<'a>);

impl Serialize for EverQuestMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0.label();
        let bytes = match self.0.extract() {
            Err(error) => return member(serializer, &name, Kind::Unknown, Some(Err(error)), &[]),
            Ok(extracted) => extracted.value,
        };
        let kind = sniff_pfs_member(&bytes, &name);
        let decoded = decoded_file::decode(kind, &name, &bytes, &ArchiveContext::default());
        member(serializer, &name, kind, decoded, &bytes)
    }
}
