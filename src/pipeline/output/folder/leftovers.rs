//! Files left behind by a killed run.

use std::path::Path;

use tracing::warn;
use walkdir::WalkDir;

use super::output_folder::OutputFolder;
use super::unfinished::{Durability, is_unfinished};

/// Deletes unfinished files of a killed run below `out`: regular files with such a name. Links are not
/// followed.
pub fn delete_unfinished(out: &Path) {
    delete_down_to(out, usize::MAX);
}

/// Deletes unfinished files directly in `out`.
pub fn delete_unfinished_directly_in(out: &Path) {
    delete_down_to(out, 1);
}

fn delete_down_to(out: &Path, depth: usize) {
    let folder = match OutputFolder::open(out, Durability::System) {
        Ok(folder) => folder,
        Err(fault) => return warn!("cannot open {}: {fault}", out.display()),
    };
    // Links below the folder are reported as links and not followed.
    let entries = WalkDir::new(out)
        .max_depth(depth)
        .into_iter()
        .filter_map(Result::ok);
    for entry in entries.filter(|entry| entry.file_type().is_file()) {
        if !entry.file_name().to_str().is_some_and(is_unfinished) {
            continue;
        }
        let relative = entry.path().strip_prefix(out).unwrap_or(entry.path());
        let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
        // Our own folders have UTF-8 names.
        let Some(path) = parts.map(|parts| parts.join("/")) else {
            continue;
        };
        if let Err(fault) = folder.remove_file(&path) {
            warn!("cannot delete {}: {fault}", entry.path().display());
        }
    }
}
