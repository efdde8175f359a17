//! `relicast inspect`: prints the kind and the contents of a file.

mod anim;
mod cabinet;
mod disc;
mod everquest;
pub(in crate::cli) mod facts;
pub(in crate::cli) mod json;
mod member;
mod resources;
mod small;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{failure, fate, item_line, print, print_line, usage};
use crate::config::ConvertOptions;
use facts::{or_rather, wave_lines, world_lines};
use json::print_json;
use member::{Found, find_member, member_names};
use relicast_codec::{Decoded, FormatError, shown};
use relicast_convert::{self as convert, OpenContext, SourceItem, is_loose};
use relicast_formats::census::Counts;
use relicast_formats::decoded_file::{self, DecodedFile};
use relicast_formats::kind::{ArchiveContext, Kind, skip_reason, sniff};
use relicast_formats::known_names;
use relicast_formats::riff::avi::{Avi, StreamFormat};
use relicast_formats::transfer::{self, LINE_ENDS_LOST};
use relicast_formats::zipper::texture::package;
use relicast_limits as limits;
use relicast_source::bytes::FileBytes;
use relicast_source::install::evidence;
use relicast_source::known::{self, FileVerdict, Reading};
use relicast_source::location::Location;
use relicast_source::names::fold;
use relicast_source::tree::{SourceFile, Tree};

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// File to inspect.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only the archive member, image, animation definition or script with this name, or the file with
    /// this path in a disc image or cabinet. Letter case is ignored; the first match is shown.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    member: Option<String>,
    /// Print the full typed decode as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `inspect`.
pub fn run(arguments: &Arguments) -> Exit {
    limits::with_budget(|| inspect(arguments)).unwrap_or_else(|exceeded| {
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
            "{} is a folder; inspect expects a single file",
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
                return usage(format_args!(
                    "{} contains no file {member}{rather}",
                    disc.path
                ));
            }
        },
        (Some(file), None) => {
            return match file.location.disc() {
                Some(disc) => disc::inspect(&file.path, disc, arguments.json),
                None => match file.location.container() {
                    Some(cabinet) => cabinet::inspect(&file.path, cabinet, arguments.json),
                    None => Exit::Success,
                },
            };
        }
        (None, _) => match &*tree.files {
            [file] => file,
            _ => {
                return usage(format_args!(
                    "{}: expected a single file",
                    arguments.file.display()
                ));
            }
        },
    };
    let mut file = file.clone();
    let bytes = match file.location.open() {
        Ok(bytes) => file.examine(bytes),
        Err(error) => return usage(format_args!("cannot read {}: {error}", file.path)),
    };
    let file = &file;
    if let Some(damage) = file.damage.filter(|_| !arguments.json) {
        print_line(&format!("damage:     {damage}"));
    }
    let mut outcome = print_file(arguments, file, disc.is_some(), &bytes);
    if file.damage.is_none() && has_lost_line_ends(file.name(), &bytes) {
        outcome = failure(&file.path, &format_args!("the file {LINE_ENDS_LOST}"));
    }
    match bytes.check() {
        Ok(()) => outcome,
        Err(fault) => failure(&file.path, &format_args!("cannot read: {fault}")),
    }
}

/// Returns whether a file cannot be read and looks damaged by a copy in text mode.
fn has_lost_line_ends(name: &str, bytes: &[u8]) -> bool {
    let kind = sniff(bytes, name);
    let decoded = decoded_file::decode(kind, name, bytes, &ArchiveContext::default());
    matches!(decoded, Some(Err(_))) && transfer::is_beyond_repair(kind, bytes)
}

/// Prints the contents of a file or of one of its members.
fn print_file(arguments: &Arguments, file: &SourceFile, on_disc: bool, bytes: &FileBytes) -> Exit {
    let kind = sniff(bytes, file.name());
    let member = arguments.member.as_ref().filter(|_| !on_disc);
    if let (Some(member), Kind::Textures) = (member, kind) {
        return inspect_image(&file.path, bytes, member, arguments.json);
    }
    if let (Some(member), Kind::Anim) = (member, kind) {
        return anim::member(&file.path, file.name(), bytes, member, arguments.json);
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
                    print_text(&path, &found, None)
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
    print_text(&file.path, &whole, file.location.on_disk())
}

/// Known editions that contain a file.
fn editions_of(file: &SourceFile) -> Vec<String> {
    let survey = known::survey(&[file], Reading::All, &|_| None);
    let files = survey.files.into_iter();
    let known = files.filter(|file| file.verdict == FileVerdict::Known);
    known.flat_map(|file| file.editions).collect()
}

/// Prints one image of a texture package.
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
    print_line(&format!("alpha:      {}", shown(&value.alpha_kind())));
    print_line(&format!(
        "colors:     {}",
        match header.palette_count {
            0 => "direct, 5:6:5".to_owned(),
            count => format!("palette of {count}"),
        }
    ));
    print_line(&format!("edge mode:  {}", header.stretch));
    deviation_lines(deviations.described().iter());
    note_lines(&deviations.usual_notes());
    Exit::Success
}

/// Returns whether a cabinet is the given file, or the set that the given file belongs to.
fn is_given(file: &SourceFile, given: &Path) -> bool {
    let Some(cabinet) = file.location.container() else {
        return false;
    };
    cabinet
        .volumes
        .iter()
        .any(|volume| volume.on_disk() == Some(given))
}

/// File with this path on a disc or in a cabinet; letter case is ignored.
fn find_on_disc<'a>(tree: &'a Tree, wanted: &str) -> Option<&'a SourceFile> {
    let wanted = fold(&wanted.replace('\\', "/"));
    let mut files = tree.files.iter();
    files.find(|file| {
        matches!(file.location, Location::DiscFile(..) | Location::Member(..))
            && file.folded() == wanted
    })
}

fn print_text(path: &str, found: &Found<'_>, place: Option<&Path>) -> Exit {
    let (kind, name, bytes) = (found.kind, &*found.name, &*found.bytes);
    print_line(&format!("file:       {path}"));
    print_line(&format!("kind:       {}", kind.label()));
    print_line(&format!("size:       {} bytes", bytes.len()));
    print_line(&format!("blake3:     {}", blake3::hash(bytes).to_hex()));
    let extension = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    if is_loose(kind, extension.as_deref(), &ConvertOptions::default()) {
        print_line("converted:  copied unchanged");
        return Exit::Success;
    }
    if let Some(reason) = skip_reason(kind, extension.as_deref()) {
        print_line(&format!("converted:  no, {reason}"));
        if kind == Kind::Unknown {
            print_line(&format!(
                "            relicast converts {}",
                known_names::list()
            ));
        }
        return Exit::Success;
    }
    let opened = match convert::open(OpenContext::new(kind, name, bytes)) {
        Ok(opened) => opened,
        Err(error) => return failure(path, &error),
    };
    deviation_lines(opened.deviations().described().iter());
    let items = opened.items(&ConvertOptions::default());
    let decoded = decoded_file::decode(kind, name, bytes, &found.siblings);
    match &decoded {
        Some(Ok(decoded)) => item_lines(&items, &decoded.value, found),
        _ => all_lines(&items, None, found),
    }
    match decoded {
        Some(Err(error)) => failure(path, &error),
        Some(Ok(decoded)) => {
            match &decoded.value {
                DecodedFile::Avi(avi) => avi_lines(avi),
                DecodedFile::Anim(container) => anim::container_lines(container),
                DecodedFile::Wave(wave) => wave_lines(wave),
                DecodedFile::GameZ(world) => world_lines(world),
                DecodedFile::Pfs(_) | DecodedFile::Wld(_) => {}
                value => {
                    if value.archive().is_none() && !small::list_lines(value, place) {
                        let counts = Counts::new(kind, name, bytes, &found.siblings);
                        small::count_lines(&counts);
                    }
                }
            }
            let known = opened.deviations().described();
            let more = decoded.deviations.described().iter();
            deviation_lines(more.filter(|deviation| !known.contains(deviation)));
            note_lines(&decoded.deviations.usual_notes());
            Exit::Success
        }
        None => Exit::Success,
    }
}

/// Deviations that are printed for a file; JSON and the report of a run have more.
const DEVIATIONS: usize = 5;

/// Prints the first deviations, and the number of the others.
fn deviation_lines<D: std::fmt::Display>(deviations: impl Iterator<Item = D>) {
    let mut more = 0_usize;
    for (place, deviation) in deviations.enumerate() {
        match place < DEVIATIONS {
            true => print_line(&format!("deviation:  {deviation}")),
            false => more += 1,
        }
    }
    if more > 0 {
        print_line(&format!("deviation:  and {more} more"));
    }
}

/// Prints the first known oddity, and the number of the others.
fn note_lines(notes: &[String]) {
    if let Some((first, more)) = notes.split_first() {
        print_line(&format!("note:       {first}"));
        if !more.is_empty() {
            print_line(&format!("note:       and {} more", more.len()));
        }
    }
}

/// Prints the items of a file.
fn item_lines(items: &[SourceItem], value: &DecodedFile<'_>, found: &Found<'_>) {
    match value {
        DecodedFile::Pfs(archive) => everquest::archive_lines(archive, items),
        DecodedFile::Wld(scene) => {
            everquest::scene_lines(scene);
            everquest::model_lines(items.get(1..).unwrap_or_default());
        }
        // The definitions follow the container itself; the rest is printed by other functions.
        DecodedFile::Anim(container) => all_lines(items, Some(container.definitions.len()), found),
        _ => all_lines(items, None, found),
    }
}

/// Prints all items of a file: stored members first, then what else is made from it. `members` is the number of
/// stored members when offsets do not distinguish them.
fn all_lines(items: &[SourceItem], members: Option<usize>, found: &Found<'_>) {
    let whole = 0..found.bytes.len() as u64;
    let stored_until = members.map(|members| members.saturating_add(1));
    let is_made = |(place, item): &(usize, &SourceItem)| match stored_until {
        Some(end) => *place >= end,
        None => item.member.is_some() && item.range == whole,
    };
    let (made, stored): (Vec<_>, Vec<_>) = items.iter().enumerate().partition(is_made);
    let made = made.into_iter().map(|(_, item)| item);
    let made: Vec<&SourceItem> = made.collect();
    let stored = stored.into_iter().map(|(_, item)| item);
    let stored: Vec<&SourceItem> = stored.collect();
    let members = stored.iter().filter(|item| item.member.is_some()).count();
    if members > 0 {
        print_line(&format!("members:    {members}"));
        for item in stored {
            match &item.member {
                None if item.range == whole => {}
                None => print_line(&format!(
                    "  (member table): {} bytes at {}",
                    item.range.end.saturating_sub(item.range.start),
                    item.range.start
                )),
                Some(_) => print_line(&format!("  {}", item_line(item))),
            }
        }
    }
    if !made.is_empty() {
        print_line(&format!("derived:    {}", made.len()));
        for item in made {
            let name = item.member.as_deref().unwrap_or_default();
            print_line(&format!("  {name}{}", fate(item)));
        }
    }
}

/// Prints the headers of a video.
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
                "sound:      {}, {} Hz, {} channels, {} bits, {} bytes",
                shown(&format.coding()),
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
