//! Folders of files: read, copied, merged.

use std::fs;
use std::path::Path;

use crate::common::files;

/// Copies all files of a folder.
pub fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let place = to.join(&path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(from.join(&path), place).unwrap();
    }
}

/// The files of all folders; those of later folders replace those of earlier ones.
pub fn overlay(folders: &[&Path], to: &Path) {
    for folder in folders {
        if folder.exists() {
            copy(folder, to);
        }
    }
    fs::remove_file(to.join("relicast-pack.json")).ok();
    fs::remove_dir_all(to.join(".relicast-edits")).ok();
}
