//! `relicast inspect`: what a file is and what is in it.

use std::borrow::Cow;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::exit::Exit;
use super::inspect_facts::{or_rather, wave_lines, world_lines};
use super::lines::{failure, part_line, print, print_line, usage};
use super::{inspect_anim, inspect_cabinet, inspect_disc, inspect_everquest, inspect_resources};
use crate::config::Config;
use crate::convert::{self, OpenContext, SourceItem, is_loose};
use crate::formats::codec::{Blob, Decoded, Deviation, FormatError};
use crate::formats::decoded_file::{self, DecodedFile, MemberArchive};
use crate::formats::everquest::pfs;
use crate::formats::kind::{
    ArchiveContext, Kind, skip_reason, sniff, sniff_member, sniff_pfs_member,
};
use crate::formats::riff::avi::{Avi, StreamFormat};
use crate::formats::zipper::archive;
use crate::formats::zipper::rof::{self, Rof};
use crate::formats::zipper::texture::package;
use crate::limits;
use crate::source::bytes::FileBytes;
use crate::source::install::evidence;
use crate::source::known::{self, FileVerdict, Reading};
use crate::source::location::Location;
use crate::source::names::fold;
use crate::source::tree::{SourceFile, Tree};

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only the archive member, image, animation definition or script of this name, or the file of this
    /// path in a disc image or cabinet (letter case is ignored; the first of several).
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    member: Option<String>,
    /// The full typed decode as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `inspect`.
pub fn run(arguments: &Arguments) -> Exit {
    limits::guarded(|| inspect(arguments)).unwrap_or_else(|exceeded| {
        failure(
            &arguments.file.display().to_string(),
            &FormatError::from(exceeded),
        )
    })
}

fn inspect(arguments: &Arguments) -> Exit {
    let tree = match Tree::list(std::slice::from_ref(&arguments.file), None) {
        Ok(tree) => tree,
        Err(error) => return usage(format_args!("cannot read {error}")),
    };
    if arguments.file.is_dir() {
        return usage(format_args!(
            "{} is a folder; inspect takes one file",
            arguments.file.display()
        ));
    }
    let disc = tree
        .files
        .iter()
        .find(|file| file.location.disc().is_some())
        .or_else(|| {
            tree.files
                .iter()
                .find(|file| is_given(file, &arguments.file))
        });
    let file = match (disc, &arguments.member) {
        (Some(disc), Some(member)) => match find_on_disc(&tree, member) {
            Some(file) => file,
            None => {
                let names = tree.files.iter().map(|file| &*file.path);
                let rather = or_rather(member, names);
                return usage(format_args!("{} holds no file {member}{rather}", disc.path));
            }
        },
        (Some(file), None) => {
            return match file.location.disc() {
                Some(disc) => inspect_disc::inspect(&file.path, disc, arguments.json),
                None => match file.location.container() {
                    Some(cabinet) => inspect_cabinet::inspect(&file.path, cabinet, arguments.json),
                    None => Exit::Success,
                },
            };
        }
        (None, _) => match &*tree.files {
            [file] => file,
            _ => return usage(format_args!("{}: not one file", arguments.file.display())),
        },
    };
    let bytes = match file.location.open() {
        Ok(bytes) => bytes,
        Err(error) => return usage(format_args!("cannot read {}: {error}", file.path)),
    };
    let outcome = tell(arguments, file, disc.is_some(), &bytes);
    match bytes.check() {
        Ok(()) => outcome,
        Err(fault) => failure(&file.path, &format_args!("cannot read: {fault}")),
    }
}

/// Prints what a file, or a member of it, holds.
fn tell(arguments: &Arguments, file: &SourceFile, on_disc: bool, bytes: &FileBytes) -> Exit {
    let kind = sniff(bytes, file.name());
    let member = arguments.member.as_ref().filter(|_| !on_disc);
    if let (Some(member), Kind::Textures) = (member, kind) {
        return inspect_image(&file.path, bytes, member, arguments.json);
    }
    if let (Some(member), Kind::Anim) = (member, kind) {
        return inspect_anim::member(&file.path, file.name(), bytes, member, arguments.json);
    }
    if let Some(member) = member {
        return match find_member(kind, bytes, member) {
            Err(error) => failure(&file.path, &error),
            Ok(None) => {
                let names = member_names(kind, bytes);
                let rather = or_rather(member, names.iter().map(String::as_str));
                usage(format_args!(
                    "{} has no member called {member}{rather}",
                    file.path
                ))
            }
            Ok(Some(found)) => {
                let path = format!("{}: {}", file.path, found.name);
                if arguments.json {
                    print_json(&path, &found, None, Vec::new())
                } else {
                    print_text(&path, &found)
                }
            }
        };
    }
    let game = evidence(file, kind, bytes)
        .map(|evidence| format!("{} ({})", evidence.game, evidence.reason));
    let whole = Found {
        name: file.name().to_owned(),
        kind,
        bytes: Cow::Borrowed(bytes),
        siblings: ArchiveContext::default(),
    };
    let known = editions_of(file);
    if arguments.json {
        return print_json(&file.path, &whole, game, known);
    }
    if let Some(game) = &game {
        print_line(&format!("game:       {game}"));
    }
    for edition in &known {
        print_line(&format!("edition:    {edition}"));
    }
    print_text(&file.path, &whole)
}

/// The editions that are known to have a file.
fn editions_of(file: &SourceFile) -> Vec<String> {
    let survey = known::survey(&[file], Reading::All, &|_| None);
    let files = survey.files.into_iter();
    let known = files.filter(|file| file.verdict == FileVerdict::Known);
    known.flat_map(|file| file.editions).collect()
}

/// One image of a texture package.
fn inspect_image(path: &str, bytes: &[u8], wanted: &str, json: bool) -> Exit {
    let directory = match package::decode_directory(bytes) {
        Ok(directory) => directory.value,
        Err(error) => return failure(path, &error),
    };
    let mut rows = directory.rows.iter();
    let Some(index) = rows.position(|row| row.name.text().eq_ignore_ascii_case(wanted)) else {
        let names: Vec<_> = directory.rows.iter().map(|row| row.name.text()).collect();
        let rather = or_rather(wanted, names.iter().map(|name| &**name));
        return usage(format_args!("{path} has no image called {wanted}{rather}"));
    };
    let Decoded { value, deviations } = match package::decode_image(bytes, &directory, index) {
        Ok(image) => image,
        Err(error) => return failure(path, &error),
    };
    if json {
        return match serde_json::to_string_pretty(&value) {
            Ok(text) => {
                print(&text);
                Exit::Success
            }
            Err(error) => usage(error),
        };
    }
    let header = &value.header;
    print_line(&format!("file:       {path}: {wanted}"));
    print_line("kind:       image");
    print_line(&format!("size:       {} × {}", header.width, header.height));
    print_line(&format!("alpha:      {:?}", value.alpha_kind()));
    print_line(&format!(
        "colours:    {}",
        match header.palette_count {
            0 => "direct, 5:6:5".to_owned(),
            count => format!("palette of {count}"),
        }
    ));
    print_line(&format!("edge mode:  {}", header.stretch));
    for deviation in deviations.described() {
        print_line(&format!("deviation:  {deviation}"));
    }
    Exit::Success
}

/// Whether a cabinet is the file that was given, or the one that it is part of.
fn is_given(file: &SourceFile, given: &Path) -> bool {
    let Some(cabinet) = file.location.container() else {
        return false;
    };
    cabinet
        .volumes
        .iter()
        .any(|volume| volume.on_disk() == Some(given))
}

/// The file of this path on a disc or in a cabinet; letter case is ignored.
fn find_on_disc<'a>(tree: &'a Tree, wanted: &str) -> Option<&'a SourceFile> {
    let wanted = fold(&wanted.replace('\\', "/"));
    let mut files = tree.files.iter();
    files.find(|file| {
        matches!(file.location, Location::DiscFile(..) | Location::Member(..))
            && file.folded() == wanted
    })
}

/// A file, or a member of one.
struct Found<'a> {
    name: String,
    kind: Kind,
    bytes: Cow<'a, [u8]>,
    siblings: ArchiveContext,
}

/// The first member of this name of an archive.
fn find_member<'a>(
    kind: Kind,
    bytes: &'a [u8],
    wanted: &str,
) -> Result<Option<Found<'a>>, FormatError> {
    if kind == Kind::Pfs {
        let archive = pfs::decode(bytes)?.value;
        let Some(entry) = archive.member(wanted) else {
            return Ok(None);
        };
        let bytes = entry.extract()?.value;
        return Ok(Some(Found {
            name: entry.label(),
            kind: sniff_pfs_member(&bytes, wanted),
            bytes: Cow::Owned(bytes),
            siblings: ArchiveContext::default(),
        }));
    }
    if kind == Kind::Rof {
        let archive = rof::decode(bytes)?.value;
        let Some(index) = inspect_resources::index_of(&archive, wanted) else {
            return Ok(None);
        };
        let Some(entry) = archive.entries.get(index) else {
            return Ok(None);
        };
        let bytes = entry.extract()?.value.into_owned();
        return Ok(Some(Found {
            name: archive.path(index).join("/"),
            kind: sniff(&bytes, &entry.name),
            bytes: Cow::Owned(bytes),
            siblings: ArchiveContext::default(),
        }));
    }
    if kind != Kind::Archive {
        return Ok(None);
    }
    let archive = archive::decode(bytes)?.value;
    let siblings = ArchiveContext::of(&archive);
    let same = |name: &str| name.eq_ignore_ascii_case(wanted);
    for entry in &archive.entries {
        let name = entry.name();
        if same(&name) {
            if let Some(fault) = &entry.fault {
                return Err(fault.clone());
            }
            let end = entry.offset.saturating_add(entry.data.len());
            let bytes = bytes.get(entry.offset..end).unwrap_or_default();
            return Ok(Some(Found {
                kind: sniff_member(bytes, &name, &siblings),
                name,
                bytes: Cow::Borrowed(bytes),
                siblings,
            }));
        }
    }
    Ok(None)
}

/// The names of the members of an archive.
fn member_names(kind: Kind, bytes: &[u8]) -> Vec<String> {
    match kind {
        Kind::Pfs => pfs::decode(bytes).map_or_else(
            |_| Vec::new(),
            |archive| {
                archive
                    .value
                    .entries
                    .iter()
                    .map(|entry| entry.label())
                    .collect()
            },
        ),
        Kind::Rof => inspect_resources::names(bytes),
        Kind::Archive => archive::decode(bytes).map_or_else(
            |_| Vec::new(),
            |archive| {
                archive
                    .value
                    .entries
                    .iter()
                    .map(|entry| entry.name())
                    .collect()
            },
        ),
        _ => Vec::new(),
    }
}

fn print_text(path: &str, found: &Found<'_>) -> Exit {
    let (kind, name, bytes) = (found.kind, &*found.name, &*found.bytes);
    print_line(&format!("file:       {path}"));
    print_line(&format!("kind:       {}", kind.label()));
    print_line(&format!("size:       {} bytes", bytes.len()));
    print_line(&format!("blake3:     {}", blake3::hash(bytes).to_hex()));
    let extension = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    if is_loose(kind, extension.as_deref(), &Config::default()) {
        print_line("converted:  copied as it is");
        return Exit::Success;
    }
    if let Some(reason) = skip_reason(kind, extension.as_deref()) {
        print_line(&format!("converted:  no, {reason}"));
        return Exit::Success;
    }
    let opened = match convert::open(OpenContext::new(kind, name, bytes)) {
        Ok(opened) => opened,
        Err(error) => return failure(path, &error),
    };
    for deviation in opened.deviations().described() {
        print_line(&format!("deviation:  {deviation}"));
    }
    let parts = opened.parts(&Config::default());
    let decoded = decoded_file::decode(kind, name, bytes, &found.siblings);
    match &decoded {
        Some(Ok(decoded)) => part_lines(&parts, &decoded.value),
        _ => all_lines(&parts),
    }
    match decoded {
        Some(Err(error)) => failure(path, &error),
        Some(Ok(decoded)) => {
            match &decoded.value {
                DecodedFile::Avi(avi) => avi_lines(avi),
                DecodedFile::Anim(container) => inspect_anim::container_lines(container),
                DecodedFile::Wave(wave) => wave_lines(wave),
                DecodedFile::GameZ(world) => world_lines(world),
                _ => {}
            }
            let known = opened.deviations().described();
            let more = decoded.deviations.described().iter();
            for deviation in more.filter(|deviation| !known.contains(deviation)) {
                print_line(&format!("deviation:  {deviation}"));
            }
            Exit::Success
        }
        None => Exit::Success,
    }
}

/// Lines for the items of a file.
fn part_lines(parts: &[SourceItem], value: &DecodedFile<'_>) {
    match value {
        DecodedFile::Pfs(archive) => inspect_everquest::archive_lines(archive, parts),
        DecodedFile::Wld(scene) => {
            inspect_everquest::scene_lines(scene);
            inspect_everquest::model_lines(parts.get(1..).unwrap_or_default());
        }
        _ => all_lines(parts),
    }
}

fn all_lines(parts: &[SourceItem]) {
    let members = parts.iter().filter(|part| part.member.is_some()).count();
    if members > 0 {
        print_line(&format!("members:    {members}"));
    }
    for part in parts {
        print_line(&format!("  {}", part_line(part)));
    }
}

/// What the headers of a video tell.
fn avi_lines(avi: &Avi<'_>) {
    for stream in &avi.streams {
        let header = &stream.header;
        let line = match &stream.format {
            StreamFormat::Video(bitmap) => format!(
                "pictures:   {}, {} × {}, {}/{} a second, {} of {}",
                bitmap.compression,
                bitmap.width,
                bitmap.height,
                header.rate,
                header.scale,
                stream.chunks,
                header.length
            ),
            StreamFormat::Audio(format) => format!(
                "sound:      {:?}, {} Hz, {} channels, {} bits, {} bytes",
                format.coding(),
                format.header.rate,
                format.header.channels,
                format.header.bits,
                stream.bytes
            ),
            StreamFormat::Other(_) => format!("stream:     {}", header.kind),
        };
        print_line(&line);
        if let Some(name) = &stream.name {
            print_line(&format!("  name:     {name}"));
        }
    }
    if let Some(duration) = avi.duration() {
        print_line(&format!("duration:   {duration:.2} s"));
    }
    for tag in &avi.tags {
        print_line(&format!("{}:       {}", tag.id, tag.text));
    }
}

#[derive(Serialize)]
struct Decode<'a> {
    path: &'a str,
    kind: Kind,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// Editions that are known to have this file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    editions: Vec<String>,
    deviations: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    first_deviations: &'a [Deviation],
    value: &'a DecodedFile<'a>,
    #[serde(skip_serializing_if = "Members::is_empty")]
    members: Members<'a>,
}

fn print_json(path: &str, found: &Found<'_>, game: Option<String>, editions: Vec<String>) -> Exit {
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
        members: Members(&value),
        value: &value,
    };
    print_document(&decode)
}

/// Writes a document to standard output as it is made: it may be many times the size of its file. A reader
/// that went away (`| head`) ends the program quietly.
fn print_document(document: &impl Serialize) -> Exit {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut out, document)
        .and_then(|()| out.write_all(b"\n").map_err(serde_json::Error::io))
        .and_then(|()| out.flush().map_err(serde_json::Error::io));
    match written {
        Err(error) if !error.is_io() => usage(error),
        _ => Exit::Success,
    }
}

/// The typed decode of each member of an archive, made one at a time; none for other values.
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
                let siblings = ArchiveContext::of(archive);
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

/// A member as JSON: its typed value, else its bytes, else the error.
fn member<S: Serializer>(
    serializer: S,
    (name, kind): (&str, Kind),
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
        member(serializer, (&name, kind), decoded, &entry.data)
    }
}

/// A file of a resource archive.
struct ResourceMember<'a>(&'a Rof<'a>, usize);

impl Serialize for ResourceMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(archive, index) = *self;
        let name = archive.path(index).join("/");
        let extracted = archive.entries.get(index).map(rof::Entry::extract);
        let bytes = match extracted.transpose() {
            Err(error) => return member(serializer, (&name, Kind::Unknown), Some(Err(error)), &[]),
            Ok(extracted) => extracted
                .map(|extracted| extracted.value)
                .unwrap_or_default(),
        };
        let own = name.rsplit_once('/').map_or(&*name, |(_, own)| own);
        let kind = sniff(&bytes, own);
        let decoded = decoded_file::decode(kind, &name, &bytes, &ArchiveContext::default());
        member(serializer, (&name, kind), decoded, &bytes)
    }
}

/// A member that is inflated for the occasion.
struct EverQuestMember<'a>(&'a pfs::Entry<'a>);

impl Serialize for EverQuestMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0.label();
        let bytes = match self.0.extract() {
            Err(error) => return member(serializer, (&name, Kind::Unknown), Some(Err(error)), &[]),
            Ok(extracted) => extracted.value,
        };
        let kind = sniff_pfs_member(&bytes, &name);
        let decoded = decoded_file::decode(kind, &name, &bytes, &ArchiveContext::default());
        member(serializer, (&name, kind), decoded, &bytes)
    }
}
