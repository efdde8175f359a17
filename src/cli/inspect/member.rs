//! Finds the archive member that `relicast inspect --member` names.

use std::borrow::Cow;

use super::resources;
use relicast_codec::FormatError;
use relicast_formats::everquest::pfs;
use relicast_formats::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_member};
use relicast_formats::zipper::archive;
use relicast_formats::zipper::rof;

/// File, or member of one.
pub(super) struct Found<'a> {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) siblings: ArchiveContext,
}

/// First member of an archive with this name.
pub(super) fn find_member<'a>(
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
        let Some(index) = resources::index_of(&archive, wanted) else {
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
    let siblings = ArchiveContext::new(&archive);
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

/// Names of the members of an archive.
pub(super) fn member_names(kind: Kind, bytes: &[u8]) -> Vec<String> {
    match kind {
        Kind::Pfs => {
            let archive = pfs::decode(bytes).map(|archive| archive.value);
            let entries = archive.iter().flat_map(|archive| &archive.entries);
            entries.map(|entry| entry.label()).collect()
        }
        Kind::Rof => resources::names(bytes),
        Kind::Archive => {
            let archive = archive::decode(bytes).map(|archive| archive.value);
            let entries = archive.iter().flat_map(|archive| &archive.entries);
            entries.map(|entry| entry.name()).collect()
        }
        _ => Vec::new(),
    }
}
