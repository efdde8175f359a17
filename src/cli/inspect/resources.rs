//! `relicast inspect` of the files of a resource archive.

use relicast_formats::zipper::rof::{self, Rof};

/// First file of a resource archive with this path, or else with this name.
pub(super) fn index_of(archive: &Rof<'_>, wanted: &str) -> Option<usize> {
    let files = || {
        let entries = archive.entries.iter().enumerate();
        entries.filter(|(_, entry)| !entry.is_folder())
    };
    let wanted = wanted.replace('\\', "/");
    let by_path = files().find(|(index, _)| {
        let path = archive.path(*index).join("/");
        path.eq_ignore_ascii_case(&wanted)
    });
    let mut named = files().filter(|(_, entry)| entry.name.eq_ignore_ascii_case(&wanted));
    by_path.or_else(|| named.next()).map(|(index, _)| index)
}

/// Paths of all files and folders; empty for a damaged archive.
pub(super) fn names(bytes: &[u8]) -> Vec<String> {
    let Ok(decoded) = rof::decode(bytes) else {
        return Vec::new();
    };
    let archive = decoded.value;
    let entries = 0..archive.entries.len();
    entries.map(|index| archive.path(index).join("/")).collect()
}
