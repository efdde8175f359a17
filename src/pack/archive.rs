//! Members replaced in their archives. Members that were not edited keep their bytes, order, comments and times.

use super::edited::{Content, Edited, Refusal, Refusals, refuse_all};
use super::unit::Unit;
use super::{content, picture, proof};
use crate::formats::decoded_file::{DecodedFile, decode};
use crate::formats::everquest::pfs;
use crate::formats::kind::{ArchiveContext, Kind, sniff_member, sniff_pfs_entry};
use crate::formats::zipper::archive::Archive;
use crate::formats::zipper::texture::package::{self, Package};
use crate::scene::Encoding;

/// Puts edits into the game file `original`, which is called `name`. The roundings are in the order of the edits.
///
/// # Errors
/// What cannot go back, and why.
pub(super) fn replace(
    kind: Kind,
    name: &str,
    original: &[u8],
    edits: &[Edited<'_>],
) -> Result<Content, Refusals> {
    let all = |reason: &dyn std::fmt::Display| refuse_all(edits, reason);
    if !matches!(kind, Kind::Archive | Kind::Textures | Kind::Pfs | Kind::Rof) {
        let edits: Vec<&Edited<'_>> = edits.iter().collect();
        return content::encode(&Unit {
            kind,
            name,
            original,
            edits: &edits,
        });
    }
    let tables: Vec<_> = edits
        .iter()
        .filter(|edit| edit.output.member.is_none())
        .collect();
    if !tables.is_empty() {
        let reason = "it tells what an archive holds; edit the members";
        return Err(refuse_all(tables, reason));
    }
    let context = ArchiveContext::default();
    let decoded = match decode(kind, name, original, &context) {
        Some(Ok(decoded)) => decoded.value,
        Some(Err(error)) => return Err(all(&error)),
        None => {
            return Err(all(&format_args!(
                "nothing writes files of the kind {}",
                kind.label()
            )));
        }
    };
    let replaced = match decoded {
        DecodedFile::Textures(package) => pictures(package, edits)?,
        DecodedFile::Archive(archive) => members(archive, edits)?,
        DecodedFile::Pfs(archive) => compressed_members(archive, edits)?,
        _ => {
            return Err(all(&format_args!(
                "there is no way back into a file of the kind {}",
                kind.label()
            )));
        }
    };
    // What was not edited is as it was, and what was can be read.
    proof::others(kind, name, original, &replaced.bytes, edits).map_err(|refusal| all(&refusal))?;
    Ok(replaced)
}

/// The member that an output was made from: where it starts, and its name.
type Place<'m> = (u64, Option<&'m str>);

/// What the edits of each member became, in the order of the edits, or all that cannot go back.
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
        let found = (first.output.range.start, first.output.member.as_deref());
        match replace(found, &own) {
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
    match refusals.is_empty() {
        true => Ok(roundings),
        false => Err(refusals),
    }
}

fn lost((start, name): Place<'_>) -> Refusal {
    Refusal::new(format_args!(
        "the game file has no member {} at byte {start}",
        name.unwrap_or_default()
    ))
}

fn pictures(mut package: Package<'_>, edits: &[Edited<'_>]) -> Result<Content, Refusals> {
    let roundings = each(edits, |place, edits| {
        let mut rows = package.directory.rows.iter();
        let row = rows.position(|row| u64::from(row.start) == place.0);
        let found = row.and_then(|row| Some((row, package.images.get_mut(row)?)));
        let Some((row, image)) = found else {
            return Err(refuse_all(edits.iter().copied(), lost(place)));
        };
        let unit = Unit {
            kind: Kind::Textures,
            name: place.1.unwrap_or_default(),
            original: &[],
            edits,
        };
        let edit = unit.only(&[Encoding::Png])?;
        let (new, rounding) = picture::package::encode(image, &package.directory, row, edit)
            .map_err(|refusal| unit.refuse(refusal))?;
        *image = new;
        Ok(vec![rounding])
    })?;
    let bytes = package::encode(&package).map_err(|error| refuse_all(edits, error))?;
    Ok(Content { bytes, roundings })
}

/// Refuses archives whose members cannot be moved.
fn can_be_moved(is_scattered: bool, edits: &[Edited<'_>]) -> Result<(), Refusals> {
    let reason = "the members of its archive do not lie back to back";
    match is_scattered {
        true => Err(refuse_all(edits, reason)),
        false => Ok(()),
    }
}

fn members(mut archive: Archive<'_>, edits: &[Edited<'_>]) -> Result<Content, Refusals> {
    can_be_moved(archive.scattered.is_some(), edits)?;
    let siblings = ArchiveContext::of(&archive);
    let had_checksum = archive.checksum != 0 && archive.checksum == archive.computed_checksum();
    let roundings = each(edits, |place, edits| {
        let mut entries = archive.entries.iter_mut();
        let entry =
            entries.find(|entry| entry.offset as u64 == place.0 && Some(&*entry.name()) == place.1);
        let Some(entry) = entry else {
            return Err(refuse_all(edits.iter().copied(), lost(place)));
        };
        let name = entry.name();
        let content = content::encode(&Unit {
            kind: sniff_member(&entry.data, &name, &siblings),
            name: &name,
            original: &entry.data,
            edits,
        })?;
        entry.data = content.bytes.into();
        Ok(content.roundings)
    })?;
    if had_checksum {
        archive.checksum = archive.computed_checksum();
    }
    let bytes = crate::formats::zipper::archive::encode(&archive);
    let bytes = bytes.map_err(|error| refuse_all(edits, error))?;
    Ok(Content { bytes, roundings })
}

fn compressed_members(
    mut archive: pfs::Archive<'_>,
    edits: &[Edited<'_>],
) -> Result<Content, Refusals> {
    can_be_moved(archive.scattered.is_some(), edits)?;
    let roundings = each(edits, |place, edits| {
        let refuse = |reason: &dyn std::fmt::Display| refuse_all(edits.iter().copied(), reason);
        let mut entries = archive.entries.iter_mut();
        let entry = entries.find(|entry| {
            u64::from(entry.row.offset) == place.0 && Some(&*entry.label()) == place.1
        });
        let Some(entry) = entry else {
            return Err(refuse(&lost(place)));
        };
        let original = entry.extract().map_err(|error| refuse(&error))?.value;
        let name = entry.label();
        let content = content::encode(&Unit {
            kind: sniff_pfs_entry(entry),
            name: &name,
            original: &original,
            edits,
        })?;
        // What means the same keeps its blocks, which another deflater would write in another way.
        if content.bytes != *original {
            entry
                .replace(&content.bytes)
                .map_err(|error| refuse(&error))?;
        }
        Ok(content.roundings)
    })?;
    let bytes = pfs::encode(&archive).map_err(|error| refuse_all(edits, error))?;
    Ok(Content { bytes, roundings })
}
