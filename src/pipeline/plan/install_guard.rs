//! Detects game installs in folders that files are to be written to.

use std::fs;
use std::path::{Path, PathBuf};

use crate::pipeline::report::manifest;
use relicast_formats::asset::Game;
use relicast_formats::kind::sniff;
use relicast_source::bytes::{FileBytes, open_regular};
use relicast_source::own_output::is_output_folder;

/// Depth of the search below the folder.
const DEPTH: usize = 2;

/// Most files that are checked.
const MAX_FILES: usize = 4000;

/// Number of game files directly in a folder that identify it as an install. A single loose file, such as a
/// download in a home folder, does not.
const SHOWS_INSTALL: usize = 3;

/// Bytes of a file that are read: a folder may hold thousands of unrelated files.
const FIRST_BYTES: u64 = 64 << 10;

/// Folders of an install that hold its game files; their parent is the install.
const GAME_FOLDERS: [&str; 2] = ["zbd", "gosdata"];

/// First game file that shows that `folder` is or belongs to an install: in it, below it, or in a parent
/// folder. `None` otherwise. Outputs of relicast are not an install.
pub fn game_file_of(folder: &Path) -> Option<PathBuf> {
    game_file_in(folder).or_else(|| game_file_around(folder))
}

/// Game file of the install that contains `folder`, which need not exist.
pub fn game_file_around(folder: &Path) -> Option<PathBuf> {
    let whole = resolved(folder)?;
    whole.ancestors().skip(1).find_map(|around| {
        if is_output_folder(around) {
            return None;
        }
        install_file_in(around).or_else(|| {
            let inner = fs::read_dir(around).ok()?.take(MAX_FILES).flatten();
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

/// Absolute path, with links resolved as far as it exists.
fn resolved(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let found = whole.ancestors().find_map(|part| {
        let rest = whole.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    Some(found.unwrap_or(whole))
}

/// First of several game files directly in `folder`.
fn install_file_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.take(MAX_FILES).flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut of_a_game = paths
        .into_iter()
        .filter(|path| is_of_a_game(path).unwrap_or(false));
    let first = of_a_game.next()?;
    let others = SHOWS_INSTALL.saturating_sub(2);
    of_a_game.nth(others).map(|_| first)
}

/// First game file in `folder` or below it.
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
        .take(MAX_FILES);
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
    // Sounds and videos are common; containers belong to a game.
    let is_of_some_game = kind.may_be_of(Game::Rc).is_some();
    Some(size > 0 && kind.is_game_data() && is_of_some_game)
}
