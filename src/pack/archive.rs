//! Members replaced in their archives. Members that were not edited keep their bytes, order, comments and times.

use super::edited::{Content, Edited, Refusal};
use super::{content, picture, proof};
use crate::formats::decoded_file::{DecodedFile, decode};
use crate::formats::everquest::pfs;
use crate::formats::kind::{ArchiveContext, Kind, sniff_member, sniff_pfs_entry};
use crate::formats::zipper::archive::Archive;
use crate::formats::zipper::texture::package::Package;

/// A game file with edits in it.
#[derive(Debug)]
pub(super) struct Replaced {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How it differs from each edit.
    pub roundings: Vec<Option<String>>,
}

/// Edits that cannot go back, by output.
pub(super) type Refusals = Vec<(String, Refusal)>;

/// Puts edits into the game file `original`, which is called `name`.
///
/// # Errors
/// What cannot go back, and why.
pub(super) fn replace(
    kind: Kind,
    name: &str,
    original: &[u8],
    edits: &[Edited<'_>],
) -> Result<Replaced, Refusals> {
    let all = |reason: &dyn std::fmt::Display| -> Refusals {
        let refuse = |edit: &Edited<'_>| (edit.output.path.clone(), Refusal::new(reason));
        edits.iter().map(refuse).collect()
    };
    let whole: Vec<&Edited<'_>> = edits
        .iter()
        .filter(|edit| edit.output.member.is_none())
        .collect();
    if let ([edit], 1) = (&*whole, edits.len()) {
        let Content { bytes, rounding } = content::encode(kind, name, original, edit)
            .map_err(|refusal| vec![(edit.output.path.clone(), refusal)])?;
        return Ok(Replaced {
            bytes,
            roundings: vec![rounding],
        });
    }
    if let Some(table) = whole.first() {
        let reason = Refusal::new("it tells what an archive holds; edit the members");
        return Err(vec![(table.output.path.clone(), reason)]);
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

/// What each edit became, or all that cannot go back.
fn each(
    edits: &[Edited<'_>],
    mut replace: impl FnMut(&Edited<'_>) -> Result<Option<String>, Refusal>,
) -> Result<Vec<Option<String>>, Refusals> {
    let mut roundings = Vec::new();
    let mut refusals = Refusals::new();
    for edit in edits {
        match replace(edit) {
            Ok(rounding) => roundings.push(rounding),
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    match refusals.is_empty() {
        true => Ok(roundings),
        false => Err(refusals),
    }
}

fn lost(edit: &Edited<'_>) -> Refusal {
    Refusal::new(format_args!(
        "the game file has no member {} at byte {}",
        edit.output.member.as_deref().unwrap_or_default(),
        edit.output.range.start
    ))
}

fn encoded(
    bytes: crate::formats::codec::Result<Vec<u8>>,
    edits: &[Edited<'_>],
) -> Result<Vec<u8>, Refusals> {
    bytes.map_err(|error| {
        let refuse = |edit: &Edited<'_>| (edit.output.path.clone(), Refusal::new(&error));
        edits.iter().map(refuse).collect()
    })
}

fn pictures(mut package: Package<'_>, edits: &[Edited<'_>]) -> Result<Replaced, Refusals> {
    let roundings = each(edits, |edit| {
        let start = edit.output.range.start;
        let mut rows = package.directory.rows.iter();
        let row = rows
            .position(|row| u64::from(row.start) == start)
            .ok_or_else(|| lost(edit))?;
        let (image, rounding) = {
            let image = package.images.get(row).ok_or_else(|| lost(edit))?;
            picture::encode(image, &package.directory, row, edit)?
        };
        *package.images.get_mut(row).ok_or_else(|| lost(edit))? = image;
        Ok(rounding)
    })?;
    let bytes = crate::formats::zipper::texture::package::encode(&package);
    let bytes = encoded(bytes, edits)?;
    Ok(Replaced { bytes, roundings })
}

fn members(mut archive: Archive<'_>, edits: &[Edited<'_>]) -> Result<Replaced, Refusals> {
    if archive.scattered.is_some() {
        return Err(edits
            .iter()
            .map(|edit| {
                let reason = Refusal::new("the members of its archive do not lie back to back");
                (edit.output.path.clone(), reason)
            })
            .collect());
    }
    let had_checksum = archive.checksum != 0 && archive.checksum == archive.computed_checksum();
    let roundings = each(edits, |edit| {
        let start = edit.output.range.start;
        let mut entries = archive.entries.iter_mut();
        let entry = entries.find(|entry| {
            entry.offset as u64 == start && Some(&*entry.name()) == edit.output.member.as_deref()
        });
        let entry = entry.ok_or_else(|| lost(edit))?;
        let name = entry.name();
        let kind = sniff_member(&entry.data, &name, &ArchiveContext::default());
        let content = content::encode(kind, &name, &entry.data, edit)?;
        entry.data = content.bytes.into();
        Ok(content.rounding)
    })?;
    if had_checksum {
        archive.checksum = archive.computed_checksum();
    }
    let bytes = encoded(crate::formats::zipper::archive::encode(&archive), edits)?;
    Ok(Replaced { bytes, roundings })
}

fn compressed_members(
    mut archive: pfs::Archive<'_>,
    edits: &[Edited<'_>],
) -> Result<Replaced, Refusals> {
    if archive.scattered.is_some() {
        return Err(edits
            .iter()
            .map(|edit| {
                let reason = Refusal::new("the members of its archive do not lie back to back");
                (edit.output.path.clone(), reason)
            })
            .collect());
    }
    let roundings = each(edits, |edit| {
        let start = edit.output.range.start;
        let mut entries = archive.entries.iter_mut();
        let entry = entries.find(|entry| {
            u64::from(entry.row.offset) == start
                && Some(&*entry.label()) == edit.output.member.as_deref()
        });
        let entry = entry.ok_or_else(|| lost(edit))?;
        let original = entry.extract().map_err(Refusal::new)?.value;
        let kind = sniff_pfs_entry(entry);
        let name = entry.label();
        let content = content::encode(kind, &name, &original, edit)?;
        entry.replace(&content.bytes).map_err(Refusal::new)?;
        Ok(content.rounding)
    })?;
    let bytes = encoded(pfs::encode(&archive), edits)?;
    Ok(Replaced { bytes, roundings })
}
