//! Detection of game installs in folders that other things are to be written to.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest;
use crate::asset::Game;
use crate::formats::kind::sniff;
use crate::source::bytes::FileBytes;

/// Folders below the first that are looked through.
const DEPTH: usize = 2;

/// Files that are looked at.
const MOST_FILES: usize = 4000;

/// The first file of a game in `folder` or a folder below it; `None` when it holds no install. What relicast converted is no
/// install.
pub fn game_file_in(folder: &Path) -> Option<PathBuf> {
    let walk = walkdir::WalkDir::new(folder)
        .max_depth(DEPTH)
        .sort_by_file_name()
        .into_iter();
    let is_converted = |entry: &walkdir::DirEntry| {
        entry.file_type().is_dir() && entry.path().join(manifest::FILE_NAME).exists()
    };
    let files = walk
        .filter_entry(|entry| !is_converted(entry))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .take(MOST_FILES);
    let mut paths = files.map(walkdir::DirEntry::into_path);
    paths.find(|path| is_of_a_game(path).unwrap_or(false))
}

fn is_of_a_game(path: &Path) -> Option<bool> {
    let name = path.file_name()?.to_string_lossy();
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let bytes = FileBytes::open_path(path).ok()?;
    let kind = sniff(&bytes, &name);
    // Sounds and videos lie anywhere; containers are of a game.
    let is_of_some_game = kind.may_be_of(Game::Rc).is_some();
    Some(!bytes.is_empty() && kind.is_game_data() && is_of_some_game)
}
