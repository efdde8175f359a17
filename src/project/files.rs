//! Writing of project files: a repeated run gives the same files as a fresh one, and files changed by the user
//! are preserved.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{ProjectError, access};
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::written_list::{Listed, PROJECT, WrittenList};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::CONVERTER;

/// Files of a project by path below the output folder, and notes on what is missing.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Contents of the files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Missing features and their reasons.
    pub notes: Vec<String>,
    /// Number of levels, missions and models that can be opened.
    pub scenes: usize,
}

/// Result of writing a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of levels, missions and models that can be opened.
    pub scenes: usize,
    /// Number of files.
    pub files: usize,
    /// Files that were up to date.
    pub unchanged: usize,
    /// Stale files that were deleted.
    pub removed: usize,
    /// Files changed by the user: they are preserved, and new versions are written next to them.
    pub kept: Vec<String>,
    /// Missing features and their reasons.
    pub notes: Vec<String>,
}

/// Path for the new version of a file that the user changed.
fn new_version_path(path: &str) -> String {
    let (folder, name) = path
        .rsplit_once('/')
        .map_or(("", path), |(folder, name)| (folder, name));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let separator = if folder.is_empty() { "" } else { "/" };
    match ending {
        "" => format!("{folder}{separator}{stem}.relicast-new"),
        ending => format!("{folder}{separator}{stem}.relicast-new.{ending}"),
    }
}

/// Identifying line of a Unity `.meta` file. The editor completes the rest.
fn identity(meta: &[u8]) -> String {
    let text = String::from_utf8_lossy(meta);
    let line = text.lines().find(|line| line.starts_with("guid:"));
    line.unwrap_or_default().to_owned()
}

fn has_line(bytes: &[u8], line: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    !line.is_empty() && text.lines().any(|other| other == line)
}

/// Action for a planned file.
enum Fate {
    /// It is up to date.
    Stays,
    /// It is written with these bytes.
    Written(String, Vec<u8>),
    /// The user changed it, and our version has not changed.
    Theirs,
}

/// Folder of a project, with the list of files written earlier.
struct ProjectFolder<'a> {
    root: &'a Path,
    target: OutputFolder,
    list_path: PathBuf,
    list: WrittenList,
}

impl ProjectFolder<'_> {
    /// Compares a planned file with the existing file and the list.
    fn fate(&self, path: &str, bytes: Vec<u8>) -> Result<Fate, ProjectError> {
        let place = self.root.join(path);
        let old = match fs::read(&place) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                return Ok(Fate::Written(path.to_owned(), bytes));
            }
            old => old.map_err(access(&place))?,
        };
        if old == bytes || path.ends_with(".meta") && has_line(&old, &identity(&bytes)) {
            return Ok(Fate::Stays);
        }
        if path.ends_with(".import") {
            let [old, ours] = [&old, &bytes].map(|bytes| String::from_utf8_lossy(bytes));
            let merged = merge_import(&old, &ours);
            return Ok(merged.map_or(Fate::Stays, |merged| {
                Fate::Written(path.to_owned(), merged.into_bytes())
            }));
        }
        let listed = self.list.files.get(path);
        let is_ours = listed == Some(&Listed::new(&old)) || self.is_unfinished(path);
        Ok(if is_ours {
            Fate::Written(path.to_owned(), bytes)
        } else if listed == Some(&Listed::new(&bytes)) {
            Fate::Theirs
        } else {
            Fate::Written(new_version_path(path), bytes)
        })
    }

    fn is_unfinished(&self, path: &str) -> bool {
        self.list.unfinished.iter().any(|other| other == path)
    }

    /// Writes the list.
    fn save(&self, list: &WrittenList) -> Result<(), ProjectError> {
        let bytes = serde_json::to_vec_pretty(list).map_err(io::Error::from);
        let written = bytes.and_then(|mut bytes| {
            bytes.push(b'\n');
            self.target.write_durably(PROJECT, &bytes)
        });
        written.map_err(access(&self.list_path))
    }

    /// Deletes a stale file, unless the user changed it.
    fn remove(&self, path: &str, written: &mut Written) -> Result<(), ProjectError> {
        let place = self.root.join(path);
        if fs::symlink_metadata(&place).is_err() {
            return Ok(());
        }
        if self.list.is_as_written(self.root, path) || self.is_unfinished(path) {
            self.target.remove_file(path).map_err(access(&place))?;
            self.target.drop_empty_folders(path);
            written.removed += 1;
        } else {
            written.kept.push(path.to_owned());
        }
        Ok(())
    }
}

/// Writes the files of a plan and deletes stale ones.
pub(super) fn write(converted: &Converted, plan: Plan) -> Result<Written, ProjectError> {
    let root = &*converted.root;
    let list_path = root.join(PROJECT);
    let list = WrittenList::load(root, PROJECT).map_err(access(&list_path))?;
    let mut written = Written {
        scenes: plan.scenes,
        notes: plan.notes,
        ..Written::default()
    };
    if plan.files.is_empty() && list.converter.is_empty() {
        return Ok(written);
    }
    let folder = ProjectFolder {
        root,
        target: OutputFolder::open(root, Durability::System).map_err(access(root))?,
        list_path,
        list,
    };
    let mut files = BTreeMap::new();
    let mut work = Vec::new();
    for (path, bytes) in plan.files {
        let listed = Listed::new(&bytes);
        match folder.fate(&path, bytes)? {
            Fate::Stays => written.unchanged += 1,
            Fate::Theirs => {
                written.unchanged += 1;
                written.kept.push(path.clone());
            }
            Fate::Written(to, bytes) if to == path => work.push((to, bytes)),
            Fate::Written(to, bytes) => {
                written.kept.push(path.clone());
                files.insert(to.clone(), Listed::new(&bytes));
                if !fs::read(root.join(&to)).is_ok_and(|old| old == bytes) {
                    work.push((to, bytes));
                }
            }
        }
        files.insert(path, listed);
    }
    let list = &folder.list;
    let gone = list.files.keys().chain(&list.unfinished);
    let gone: Vec<&String> = gone.filter(|path| !files.contains_key(*path)).collect();
    let last = WrittenList {
        converter: CONVERTER.to_owned(),
        unfinished: Vec::new(),
        by_run: false,
        files,
    };
    if !work.is_empty() || !gone.is_empty() {
        // Until the end, these paths count as ours: they were free or held our files.
        let unfinished = work.iter().map(|(path, _)| path.clone()).collect();
        folder.save(&WrittenList {
            unfinished,
            files: list.files.clone(),
            ..last.clone()
        })?;
    }
    for (path, bytes) in &work {
        let done = folder.target.write(path, bytes);
        done.map_err(access(&root.join(path)))?;
    }
    for path in gone {
        folder.remove(path, &mut written)?;
    }
    written.files = last.files.len();
    written.kept.sort();
    written.kept.dedup();
    if last.files.is_empty() {
        let removed = folder.target.remove_file(PROJECT);
        removed.map_err(access(&folder.list_path))?;
    } else if last != *list {
        folder.save(&last)?;
    }
    Ok(written)
}

/// Import file that the engine completed, with our settings added: importer, and the keys below `[params]`.
/// `None` if it has them already.
fn merge_import(old: &str, ours: &str) -> Option<String> {
    let settings = |text: &str, section: &str| -> Vec<(String, String)> {
        let mut inside = false;
        let mut found = Vec::new();
        for line in text.lines() {
            if line.starts_with('[') {
                inside = line.trim() == format!("[{section}]");
            } else if let (true, Some((key, value))) = (inside, line.split_once('=')) {
                found.push((key.to_owned(), value.to_owned()));
            }
        }
        found
    };
    let importer = settings(ours, "remap");
    let params = settings(ours, "params");
    let agrees = |section: &str, wanted: &[(String, String)]| {
        let present = settings(old, section);
        wanted.iter().all(|setting| present.contains(setting))
    };
    if agrees("remap", &importer) && agrees("params", &params) {
        return None;
    }
    // Another importer ignores the old parameters.
    if !agrees("remap", &importer) {
        return Some(ours.to_owned());
    }
    let mut text = String::new();
    let mut section = "";
    let mut left = params;
    for line in old.lines() {
        if line.starts_with('[') {
            section = line.trim();
        }
        let key = line.split_once('=').map(|(key, _)| key);
        let ours = left
            .iter()
            .position(|(name, _)| section == "[params]" && key == Some(&**name));
        match ours.map(|place| left.remove(place)) {
            Some((key, value)) => text.push_str(&format!("{key}={value}\n")),
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    if !left.is_empty() && !old.contains("[params]") {
        text.push_str("\n[params]\n\n");
    }
    for (key, value) in left {
        text.push_str(&format!("{key}={value}\n"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_versions_are_written_next_to_the_old() {
        assert_eq!(
            new_version_path("worlds/a.b/c.tscn"),
            "worlds/a.b/c.relicast-new.tscn"
        );
        assert_eq!(
            new_version_path("project.godot"),
            "project.relicast-new.godot"
        );
        assert_eq!(new_version_path("a/.gdignore"), "a/.relicast-new.gdignore");
        assert_eq!(new_version_path("LICENSE"), "LICENSE.relicast-new");
    }

    #[test]
    fn what_the_engine_added_stays() {
        let ours = "[remap]\n\nimporter=\"wav\"\n\n[params]\n\nedit/loop_mode=2\n";
        let engine = "[remap]\n\nimporter=\"wav\"\nuid=\"uid://x\"\n\n[deps]\n\nfiles=[]\n\n[params]\n\ncompress/mode=0\nedit/loop_mode=1\n";
        let merged = merge_import(engine, ours).unwrap();
        assert_eq!(merged, engine.replace("loop_mode=1", "loop_mode=2"));
        assert_eq!(merge_import(&merged, ours), None);
        let keep = "[remap]\n\nimporter=\"keep\"\n";
        assert_eq!(merge_import(engine, keep).as_deref(), Some(keep));
    }
}
