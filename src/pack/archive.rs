//! Replaces members in their archives. Members that were not edited keep their bytes, order, comments and times.

use std::borrow::Cow;

use serde_json::Value;

use super::container::Container;
use super::edited::{Content, Edited, Refusal, Refusals, refuse_all, unless_refused};
use super::game_file::GameFile;
use super::membership::{Added, Membership};
use super::unit::Unit;
use super::{content, picture, proof, sound, table, value};
use crate::config::Config;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_codec::Decoded;
use relicast_formats::decoded_file::{DecodedFile, decode};
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_formats::zipper::texture::package::{self, Package};
use relicast_scene::Encoding;

/// Puts edits into the game file `original`, which is called `name`. The roundings are in the order of the edits.
/// Scenes are packed separately; `has_scenes` is true if some were edited.
///
/// # Errors
/// The edits that cannot be packed, each with the reason.
pub(super) fn replace(
    file: GameFile<'_>,
    edits: &[Edited<'_>],
    has_scenes: bool,
    membership: &Membership<'_>,
    settings: &Config,
) -> Result<Content, Refusals> {
    let all = |reason: &dyn std::fmt::Display| {
        let mut refusals = refuse_all(edits, reason);
        refusals.extend(membership.refuse(reason));
        refusals
    };
    let GameFile {
        kind,
        name,
        bytes: original,
    } = file;
    let alone = ArchiveContext::default();
    let has_members = matches!(kind, Kind::Archive | Kind::Pfs | Kind::Textures | Kind::Rof);
    if !has_members && !membership.is_empty() {
        return Err(all(&format_args!(
            "adding or removing members of {} files is not supported",
            kind.label()
        )));
    }
    let (tables, of_members): (Vec<&Edited<'_>>, Vec<&Edited<'_>>) = edits
        .iter()
        .partition(|edit| !has_members || edit.output.member.is_none());
    if !has_members || of_members.is_empty() && membership.is_empty() && !has_scenes {
        // Facts of an archive about its members, and the document of a whole save.
        return content::encode(&Unit {
            kind,
            name,
            original,
            siblings: &alone,
            settings,
            edits: &tables,
        });
    }
    if !tables.is_empty() {
        return table::replace(file, edits, has_scenes, membership, settings, replace);
    }
    let opened = Container::open(kind, name, original).map_err(|refusal| all(&refusal))?;
    let replaced = match opened {
        Some(container) => members(container, edits, membership, settings)?,
        None => match decode(kind, name, original, &alone) {
            Some(Ok(Decoded {
                value: DecodedFile::Textures(package),
                ..
            })) => pictures(package, edits, membership, settings)?,
            Some(Err(error)) => return Err(all(&error)),
            _ => {
                return Err(all(&format_args!(
                    "packing into {} files is not supported",
                    kind.label()
                )));
            }
        },
    };
    // Unedited members must be as before, and edited ones readable.
    proof::others(file, &replaced.bytes, edits, membership).map_err(|refusal| all(&refusal))?;
    Ok(replaced)
}

/// Reports changes that scenes, packed later, make in documents of the game file.
///
/// # Errors
/// They change an edited value.
pub(super) fn settle(
    file: GameFile<'_>,
    after: &[u8],
    edits: &[Edited<'_>],
    settings: &Config,
    roundings: &mut [Option<String>],
) -> Result<(), Refusals> {
    let all = |refusal: Refusal| refuse_all(edits, refusal);
    let containers = (
        Container::open(file.kind, file.name, file.bytes).map_err(all)?,
        Container::open(file.kind, file.name, after).map_err(all)?,
    );
    let mut refusals = Refusals::new();
    for (edit, rounding) in edits.iter().zip(roundings) {
        let of_member = match (&containers, edit.output.member.as_deref()) {
            ((Some(before), Some(after)), Some(member)) => {
                let start = edit.output.range.start;
                Some((member, member_in_both(before, after, start, member)))
            }
            _ => None,
        };
        let (kind, name, original, after) = match of_member {
            None => (file.kind, file.name, file.bytes.into(), after.into()),
            Some((name, Some((kind, original, after)))) => (kind, name, original, after),
            // Removed members are reported already.
            Some((_, None)) => continue,
        };
        let siblings = containers.0.as_ref();
        let siblings = siblings.filter(|_| edit.output.member.is_some());
        let unit = Unit {
            kind,
            name,
            original: &original,
            siblings: &siblings.map(Container::siblings).unwrap_or_default(),
            settings,
            edits: &[edit],
        };
        let rounding = std::slice::from_mut(rounding);
        refusals.extend(value::settle_all(&unit, unit.edits, &after, rounding));
    }
    unless_refused((), refusals)
}

/// The documents before they were edited to `values`; `None` for other outputs, and for documents that their source
/// alone does not give.
pub(super) fn original_documents(
    file: GameFile<'_>,
    edits: &[Edited<'_>],
    values: &[Option<Value>],
    settings: &Config,
) -> Vec<Option<Value>> {
    let container = Container::open(file.kind, file.name, file.bytes);
    let container = container.ok().flatten();
    let original = |edit: &Edited<'_>, value: &Value| {
        let (kind, name, bytes, siblings) = match (&container, edit.output.member.as_deref()) {
            (Some(container), Some(name)) => {
                let place = Some((edit.output.range.start, name.to_owned()));
                let index = (0..container.len()).find(|&at| container.place(at) == place)?;
                let bytes = container.extract(index).ok()?;
                (container.kind(index)?, name, bytes, container.siblings())
            }
            _ => (
                file.kind,
                file.name,
                file.bytes.into(),
                ArchiveContext::default(),
            ),
        };
        let unit = Unit {
            kind,
            name,
            original: &bytes,
            siblings: &siblings,
            settings,
            edits: &[edit],
        };
        value::original(&unit, edit, value)
    };
    let pairs = edits.iter().zip(values);
    pairs
        .map(|(edit, value)| original(edit, value.as_ref()?))
        .collect()
}

/// A member's kind, and its bytes before and after edits.
type Changed<'c> = (Kind, Cow<'c, [u8]>, Cow<'c, [u8]>);

/// A member of an archive before and after edits.
fn member_in_both<'c>(
    before: &'c Container<'_>,
    after: &'c Container<'_>,
    start: u64,
    name: &str,
) -> Option<Changed<'c>> {
    let called = |container: &Container<'_>| {
        let places = (0..container.len()).map(|index| container.place(index));
        let own = places.enumerate().filter_map(|(index, place)| {
            let (start, label) = place?;
            (label == name).then_some((index, start))
        });
        own.collect::<Vec<_>>()
    };
    let (all_before, all_after) = (called(before), called(after));
    let nth = all_before.iter().position(|(_, own)| *own == start)?;
    let (old, new) = (all_before.get(nth)?.0, all_after.get(nth)?.0);
    let bytes = (before.extract(old).ok()?, after.extract(new).ok()?);
    Some((before.kind(old)?, bytes.0, bytes.1))
}

/// The member that an output was made from: where it starts, and its name.
#[derive(Debug, Clone, Copy)]
struct Place<'m> {
    start: u64,
    name: Option<&'m str>,
}

impl<'m> Place<'m> {
    fn of(output: &'m ManifestOutput) -> Self {
        Self {
            start: output.range.start,
            name: output.member.as_deref(),
        }
    }
}

/// Applies the edits of each member. Returns their roundings in the order of the edits, or all refusals.
fn each(
    edits: &[Edited<'_>],
    mut replace: impl FnMut(Place<'_>, &[&Edited<'_>]) -> Result<Vec<Option<String>>, Refusals>,
) -> Result<Vec<Option<String>>, Refusals> {
    let place = |edit: &Edited<'_>| (edit.output.range.start, edit.output.member.clone());
    let mut order: Vec<usize> = (0..edits.len()).collect();
    order.sort_by_key(|&at| edits.get(at).map(place));
    let mut roundings = vec![None; edits.len()];
    let mut refusals = Refusals::new();
    for group in order.chunk_by(|&a, &b| edits.get(a).map(place) == edits.get(b).map(place)) {
        let own: Vec<&Edited<'_>> = group.iter().filter_map(|&at| edits.get(at)).collect();
        let Some(first) = own.first() else { continue };
        match replace(Place::of(first.output), &own) {
            Ok(own) => {
                for (&at, rounding) in group.iter().zip(own) {
                    if let Some(place) = roundings.get_mut(at) {
                        *place = rounding;
                    }
                }
            }
            Err(own) => refusals.extend(own),
        }
    }
    unless_refused(roundings, refusals)
}

fn lost(Place { start, name }: Place<'_>) -> Refusal {
    refusal!(
        "the game file has no member {} at byte {start}",
        name.unwrap_or_default()
    )
}

fn pictures(
    mut package: Package<'_>,
    edits: &[Edited<'_>],
    membership: &Membership<'_>,
    settings: &Config,
) -> Result<Content, Refusals> {
    let mut roundings = each(edits, |place, edits| {
        let mut rows = package.directory.rows.iter();
        let row = rows.position(|row| u64::from(row.start) == place.start);
        let found = row.and_then(|row| Some((row, package.images.get_mut(row)?)));
        let Some((row, image)) = found else {
            return Err(refuse_all(edits.iter().copied(), lost(place)));
        };
        let unit = Unit {
            kind: Kind::Textures,
            name: place.name.unwrap_or_default(),
            original: &[],
            siblings: &ArchiveContext::default(),
            settings,
            edits,
        };
        let edit = unit.only(&[Encoding::Png])?;
        let (png, has_plane) = (&edit.bytes, edit.has_alpha_plane);
        let directory = &package.directory;
        let (new, rounding) =
            picture::package::encode(image, directory, row, png, has_plane, edit.palettes)
                .map_err(|refusal| unit.refuse(refusal))?;
        *image = new;
        Ok(vec![rounding])
    })?;
    for gone in &membership.removed {
        let start = gone.range.start;
        let mut rows = package.directory.rows.iter();
        let Some(row) = rows.position(|row| u64::from(row.start) == start) else {
            return Err(vec![(gone.path.clone(), lost(Place::of(gone)))]);
        };
        package.directory.rows.remove(row);
        package.images.remove(row);
    }
    for added in &membership.added {
        let made = picture::package::add(&mut package, &added.name, &added.bytes);
        let rounding = made.map_err(|refusal| vec![(added.output.path.clone(), refusal)])?;
        roundings.push(rounding);
    }
    let bytes = package::encode(&package).map_err(|error| refuse_all(edits, error))?;
    Ok(Content { bytes, roundings })
}

fn members(
    mut container: Container<'_>,
    edits: &[Edited<'_>],
    membership: &Membership<'_>,
    settings: &Config,
) -> Result<Content, Refusals> {
    let siblings = container.siblings();
    let places: Vec<_> = (0..container.len()).map(|at| container.place(at)).collect();
    let index_of = |Place { start, name }: Place<'_>| {
        let is_it = |place: &Option<(u64, String)>| {
            let place = place.as_ref();
            place.is_some_and(|(own, label)| *own == start && Some(&**label) == name)
        };
        places.iter().position(is_it)
    };
    // New members are modeled on their neighbors as these were before any of these changes.
    let (added, new_roundings) = additions(&container, membership, &index_of, settings)?;
    let removed = membership.removed.iter().map(|output| {
        let place = Place::of(output);
        index_of(place).ok_or_else(|| vec![(output.path.clone(), lost(place))])
    });
    let removed: Vec<usize> = removed.collect::<Result<_, _>>()?;
    let mut roundings = each(edits, |place, edits| {
        let refuse = |reason| refuse_all(edits.iter().copied(), reason);
        let index = index_of(place);
        let found = index.and_then(|index| Some((index, container.kind(index)?)));
        let (index, kind) = found.ok_or_else(|| refuse(lost(place)))?;
        let original = container.extract(index).map_err(refuse)?;
        let content = content::encode(&Unit {
            kind,
            name: place.name.unwrap_or_default(),
            original: &original,
            siblings: &siblings,
            settings,
            edits,
        })?;
        drop(original);
        container.replace(index, content.bytes).map_err(refuse)?;
        Ok(content.roundings)
    })?;
    container
        .restructure(removed, added)
        .map_err(|refusal| membership.refuse(refusal))?;
    roundings.extend(new_roundings);
    let bytes = container.encode();
    let bytes = bytes.map_err(|error| refuse_all(edits, error))?;
    Ok(Content { bytes, roundings })
}

/// New members: the neighbor of each, its name and its bytes; and their differences from the files.
type Additions = (Vec<(usize, String, Vec<u8>)>, Vec<Option<String>>);

fn additions(
    container: &Container<'_>,
    membership: &Membership<'_>,
    index_of: &dyn Fn(Place<'_>) -> Option<usize>,
    settings: &Config,
) -> Result<Additions, Refusals> {
    let siblings = container.siblings();
    let mut additions = Additions::default();
    let mut refusals = Refusals::new();
    for added in &membership.added {
        let place = Place::of(added.like);
        let refuse = |reason| vec![(added.output.path.clone(), reason)];
        let made = || {
            let like = index_of(place);
            let found = like.and_then(|like| Some((like, container.kind(like)?)));
            let (like, kind) = found.ok_or_else(|| refuse(lost(place)))?;
            let original = container.extract(like).map_err(refuse)?;
            let content = encode_new(added, kind, &original, &siblings, settings)?;
            Ok::<_, Refusals>((like, content))
        };
        match made() {
            Ok((like, content)) => {
                additions.0.push((like, added.name.clone(), content.bytes));
                additions.1.extend(content.roundings);
            }
            Err(own) => refusals.extend(own),
        }
    }
    unless_refused(additions, refusals)
}

/// Makes the bytes of the member as if the member `original` next to it had been edited.
///
/// # Errors
/// The content is invalid, or new members of this kind cannot be created.
fn encode_new(
    new: &Added<'_>,
    kind: Kind,
    original: &[u8],
    siblings: &ArchiveContext,
    settings: &Config,
) -> Result<Content, Refusals> {
    let edit = new.edit();
    let unit = Unit {
        kind,
        name: &new.name,
        original,
        siblings,
        settings,
        edits: &[&edit],
    };
    let is_made = matches!(
        kind,
        Kind::Bitmap
            | Kind::Picture
            | Kind::Dds
            | Kind::BinaryReader
            | Kind::TextReader
            | Kind::Motion
    );
    // Pictures of programs take everything else from their neighbor.
    let is_made = is_made || picture::foreign::format_of(unit.name).is_some();
    if kind == Kind::Wave {
        let made = sound::encode_new(original, &edit.bytes);
        return made.map_err(|refusal| unit.refuse(refusal));
    }
    match is_made || unit.copied()?.is_some() {
        true => content::encode(&unit),
        false => Err(unit.refuse(format_args!(
            "new {} members cannot be created",
            kind.label()
        ))),
    }
}
