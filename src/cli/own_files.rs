//! Files that commands write to a place the user names. Foreign files there are preserved.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::pipeline::output::atomic::write_atomically;

/// Checks that files may be written: each path is free, or holds the same bytes. With `force`, a regular file
/// may be replaced.
///
/// # Errors
/// Another file exists, or one cannot be read; the text names it.
pub(super) fn check(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<(), String> {
    for (path, bytes) in files {
        let is_free = is_free(path, bytes, force);
        match is_free.map_err(|fault| format!("cannot read {}: {fault}", path.display()))? {
            true => {}
            false => return Err(taken(path)),
        }
    }
    Ok(())
}

/// Writes files as [`check`] allows. If one is in the way, none is written.
///
/// # Errors
/// As [`check`], or a file cannot be written.
pub(super) fn write(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<(), String> {
    check(files, force)?;
    for (path, bytes) in files {
        let written = match force {
            true => write_atomically(path, bytes),
            false => write_new(path, bytes),
        };
        match written {
            Ok(()) => {}
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => return Err(taken(path)),
            Err(fault) => return Err(format!("cannot write {}: {fault}", path.display())),
        }
    }
    Ok(())
}

/// Checks that a file may later be written to `path`.
///
/// # Errors
/// A file exists; with `force`, something that is not a regular file.
pub(super) fn check_place(path: &Path, force: bool) -> Result<(), String> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(metadata) if force && metadata.is_file() => Ok(()),
        Ok(_) => Err(taken(path)),
    }
}

fn taken(path: &Path) -> String {
    format!("{} exists; use --force to replace a file", path.display())
}

fn is_free(path: &Path, bytes: &[u8], force: bool) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(fault) => Err(fault),
        Ok(metadata) if !metadata.is_file() => Ok(false),
        Ok(_) if force => Ok(true),
        Ok(metadata) => Ok(metadata.len() == bytes.len() as u64 && fs::read(path)? == bytes),
    }
}

/// Writes a new file. An existing one with the same bytes is accepted.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = fs::File::options().write(true).create_new(true).open(path);
    match file {
        Ok(mut file) => file.write_all(bytes).inspect_err(|_| {
            // A partly written file is removed.
            fs::remove_file(path).ok();
        }),
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
            match is_free(path, bytes, false)? {
                true => Ok(()),
                false => Err(fault),
            }
        }
        Err(fault) => Err(fault),
    }
}
