//! Detection of game installs in folders that other things are to be written to.

use std::fs;
use std::path::{Path, PathBuf};

use crate::pipeline::report::manifest;
use relicast_formats::asset::Game;
use relicast_formats::kind::sniff;
use relicast_source::bytes::{FileBytes, open_regular};
use relicast_source::own_output::is_output_folder;

/// Folders below the first that are looked through.
const DEPTH: usize = 2;

/// Files that are looked at.
const MOST_FILES: usize = 4000;

/// Files of a game directly in a folder that show an install around what is to be written. One loose file, such as a
/// download in a home folder, does not.
const SHOWS_INSTALL: usize = 3;

/// Bytes of a file that are looked at: a folder may hold thousands of files that have nothing to do with a game.
const FIRST_BYTES: u64 = 64 << 10;

/// Folders of an install that hold its game files; the install is the folder around them.
const GAME_FOLDERS: [&str; 2] = ["zbd", "gosdata"];

/// The first file of a game that shows that `folder` is an install or part of one: in it, in a folder below it, or in
/// a folder around it. `None` when it is none. What relicast converted is no install.
pub fn game_file_of(folder: &Path) -> Option<PathBuf> {
    game_file_in(folder).or_else(|| game_file_around(folder))
}

/// A file of the install that `folder`, which need not exist, is in.
pub fn game_file_around(folder: &Path) -> Option<PathBuf> {
    let whole = resolved(folder)?;
    whole.ancestors().skip(1).find_map(|around| {
        if is_output_folder(around) {
            return None;
        }
        install_file_in(around).or_else(|| {
            let inner = fs::read_dir(around).ok()?.take(MOST_FILES).flatten();
            let mut inner = inner.filter(|entry| {
                let name = entry.file_name();
                GAME_FOLDERS
                    .iter()
                    .any(|known| name.eq_ignore_ascii_case(known))
            });
            inner.find_map(|entry| install_file_in(&entry.path()))
        })
    })
}

/// The absolute path; links are followed as far as it exists.
fn resolved(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let found = whole.ancestors().find_map(|part| {
        let rest = whole.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    Some(found.unwrap_or(whole))
}

/// The first of several files of a game directly in `folder`.
fn install_file_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.take(MOST_FILES).flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut of_a_game = paths
        .into_iter()
        .filter(|path| is_of_a_game(path).unwrap_or(false));
    let first = of_a_game.next()?;
    let others = SHOWS_INSTALL.saturating_sub(2);
    of_a_game.nth(others).map(|_| first)
}

/// The first file of a game in `folder` or a folder below it.
fn game_file_in(folder: &Path) -> Option<PathBuf> {
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
    let file = open_regular(path).ok()?;
    let size = file.metadata().ok()?.len();
    let first = FileBytes::read_part(file, 0, size.min(FIRST_BYTES)).ok()?;
    let kind = sniff(&first, &name);
    // Sounds and videos lie anywhere; containers are of a game.
    let is_of_some_game = kind.may_be_of(Game::Rc).is_some();
    Some(size > 0 && kind.is_game_data() && is_of_some_game)
}
