//! A temporary folder in memory for files of tests.
//!
//! Tests make and remove hundreds of thousands of small files. Some file systems (ext4) search all files that
//! were removed in the last minutes whenever one is made, which is a third of the time of the tests of
//! `pack`; in memory this is almost free.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

/// Folder of the file system in memory.
const IN_MEMORY: &str = "/dev/shm";

/// Space that must be free there, and memory: tests of large files write some of this at the same time.
const NEEDED: u64 = 8 << 30;

/// A folder in memory, removed when it is dropped; or nothing, if there is no room or the user chose another.
#[derive(Debug)]
pub struct QuickFolder(Option<PathBuf>);

impl QuickFolder {
    /// Makes one if it is useful.
    #[must_use]
    pub fn new() -> Self {
        let is_chosen = std::env::var_os("TMPDIR").is_some();
        if is_chosen || !has_space(Path::new(IN_MEMORY)) || free_memory() < NEEDED {
            return Self(None);
        }
        let folder = Path::new(IN_MEMORY).join(format!("relicast-tests-{}", process::id()));
        // Never the folder of another user.
        Self(fs::create_dir(&folder).is_ok().then_some(folder))
    }

    /// Makes programs put their temporary files here.
    pub fn set_for(&self, command: &mut Command) {
        if let Some(folder) = &self.0 {
            command.env("TMPDIR", folder);
        }
    }
}

impl Drop for QuickFolder {
    fn drop(&mut self) {
        if let Some(folder) = &self.0
            && let Err(error) = fs::remove_dir_all(folder)
        {
            println!("{} stays: {error}", folder.display());
        }
    }
}

/// True if programs can be run from there and much can be written.
#[cfg(unix)]
fn has_space(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|room| {
        let is_bare = room.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC);
        !is_bare && room.f_bavail.saturating_mul(room.f_frsize) >= NEEDED
    })
}

#[cfg(not(unix))]
fn has_space(_: &Path) -> bool {
    false
}

/// Bytes of memory that programs may still take; zero if the system does not report it.
fn free_memory() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    available(&text).unwrap_or_default()
}

fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim();
    kilobytes.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{QuickFolder, available};
    use std::process::Command;

    #[test]
    fn free_memory_is_read_in_kilobytes() {
        let text = "MemTotal:       24684320 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(available(text), Some(2 << 30));
        assert_eq!(available("MemAvailable: much"), None);
        assert_eq!(available(""), None);
    }

    #[test]
    fn the_folder_goes_with_all_in_it() {
        let own = tempfile::tempdir().unwrap();
        let folder = own.path().join("tests");
        std::fs::create_dir_all(folder.join("in it")).unwrap();
        let quick = QuickFolder(Some(folder.clone()));
        let mut command = Command::new("true");
        quick.set_for(&mut command);
        assert!(
            command
                .get_envs()
                .any(|(name, value)| name == "TMPDIR" && value == Some(folder.as_os_str()))
        );
        drop(quick);
        assert!(!folder.exists());
        let mut command = Command::new("true");
        QuickFolder(None).set_for(&mut command);
        assert_eq!(command.get_envs().count(), 0);
    }
}
