//! `inspect` for EverQuest's archives and scenes.

use std::collections::BTreeMap;

use crate::cli::terminal::lines::fate;
use crate::cli::terminal::lines::print_line;
use relicast_codec::shown;
use relicast_convert::SourceItem;
use relicast_formats::everquest::pfs::Archive;
use relicast_formats::everquest::wld::{Body, FragmentKind, Wld};

/// Prints the members of an archive and the models in its scenes. The first item of an archive is the archive
/// itself, then come its members in order, then the models.
pub(super) fn archive_lines(archive: &Archive<'_>, items: &[SourceItem]) {
    print_line(&format!("members:    {}", archive.entries.len()));
    let (_, items) = items.split_at_checked(1).unwrap_or_default();
    for (entry, item) in archive.entries.iter().zip(items) {
        let (row, stored) = (&entry.row, entry.blocks.len());
        print_line(&format!(
            "  {}: {}, {} bytes, deflated to {stored} at {}{}",
            entry.label(),
            item.kind.label(),
            row.size,
            row.offset,
            fate(item)
        ));
    }
    let models = items.get(archive.entries.len()..).unwrap_or_default();
    model_lines(models);
}

/// Prints models that are files of their own.
pub(super) fn model_lines(models: &[SourceItem]) {
    if models.is_empty() {
        return;
    }
    print_line(&format!("models:     {}", models.len()));
    for item in models {
        let name = item.member.as_deref().unwrap_or_default();
        print_line(&format!("  {name}{}", fate(item)));
    }
}

/// Prints version and fragments of a scene.
pub(super) fn scene_lines(scene: &Wld<'_>) {
    let version = if scene.header.version.is_new() {
        "new"
    } else {
        "old"
    };
    let code = scene.header.version.code();
    print_line(&format!("version:    {code:#x} ({version})"));
    print_line(&format!("fragments:  {}", scene.fragments.len()));
    let mut kinds: BTreeMap<u32, (FragmentKind, usize, usize)> = BTreeMap::new();
    for fragment in &scene.fragments {
        let kind = fragment.kind();
        let (_, count, raw) = kinds.entry(kind.code()).or_insert((kind, 0, 0));
        *count = count.saturating_add(1);
        *raw = raw.saturating_add(usize::from(matches!(fragment.body, Body::Raw(_))));
    }
    for (code, (kind, count, raw)) in kinds {
        let raw = match raw {
            0 => String::new(),
            raw => format!(", {raw} of them as raw bytes"),
        };
        print_line(&format!("  {code:02x} {}: {count}{raw}", shown(kind)));
    }
}
