use std::fs;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output_folder::MOST_OPEN;
use super::*;

fn open(root: &Path) -> OutputFolder {
    OutputFolder::open(root, Durability::System).unwrap()
}

fn names(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = walkdir::WalkDir::new(root)
        .min_depth(1)
        .into_iter()
        .map(|entry| entry.unwrap().path().strip_prefix(root).unwrap().to_owned())
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .collect();
    names.sort();
    names
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    out.write("a/b/c.txt", b"old").unwrap();
    out.write("a/b/c.txt", b"new").unwrap();
    assert_eq!(fs::read(root.path().join("a/b/c.txt")).unwrap(), b"new");
    let mut begun = out.begin("a/d.txt").unwrap();
    begun.write_all(b"half").unwrap();
    let name = begun
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    assert!(is_unfinished(&name), "{name}");
    assert!(names(root.path()).contains(&format!("a/{name}")));
    drop(begun);
    assert_eq!(names(root.path()), ["a", "a/b", "a/b/c.txt"]);
}

#[test]
fn a_failed_rename_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("a.txt/inside")).unwrap();
    let out = open(root.path());
    assert!(out.write("a.txt", b"text").is_err());
    assert_eq!(names(root.path()), ["a.txt", "a.txt/inside"]);
}

#[test]
fn what_has_a_name_is_asked_about_before_it_is_replaced() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    let write = |text: &str, asked: io::Result<u32>| {
        out.write_where_free("a/b.txt", text.as_bytes(), || asked)
    };
    let text = || fs::read_to_string(root.path().join("a/b.txt")).unwrap();
    let (asked, written) = write("first", Err(io::ErrorKind::Other.into())).unwrap_or_else(|_| {
        // A system without an atomic check always calls it.
        write("first", Ok(1)).unwrap()
    });
    written.unwrap();
    assert_eq!(
        asked,
        if cfg!(target_os = "linux") {
            None
        } else {
            Some(1)
        }
    );
    assert_eq!(text(), "first");
    assert!(write("second", Err(io::ErrorKind::Other.into())).is_err());
    assert_eq!(text(), "first");
    let (asked, written) = write("third", Ok(7)).unwrap();
    written.unwrap();
    assert_eq!((asked, text().as_str()), (Some(7), "third"));
    assert_eq!(names(root.path()), ["a", "a/b.txt"]);
}

#[test]
fn names_cannot_be_foreseen() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    let paths: Vec<PathBuf> = (0..100)
        .map(|_| out.begin("a.txt").unwrap().path().to_owned())
        .collect();
    let different: std::collections::HashSet<&PathBuf> = paths.iter().collect();
    assert_eq!(different.len(), 100);
    for name in [
        "a.json.relicast-part",
        ".relicast-part",
        ".0123456789abcdeF.relicast-part",
    ] {
        assert!(!is_unfinished(name));
    }
}

#[test]
fn nothing_leads_out_of_the_folder() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("out")).unwrap();
    fs::write(root.path().join("victim"), "mine").unwrap();
    let out = open(&root.path().join("out"));
    for path in [
        "../victim",
        "/victim",
        "a/../../victim",
        "",
        "a//b",
        "./a",
        "a/.",
        "a\0b",
    ] {
        assert!(out.write(path, b"theirs").is_err(), "{path}");
        assert!(out.remove_file(path).is_err(), "{path}");
        assert!(out.read(path).is_err(), "{path}");
    }
    assert_eq!(names(root.path()), ["out", "victim"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let root = tempfile::tempdir().unwrap();
    let (inside, elsewhere) = (root.path().join("out"), root.path().join("elsewhere"));
    fs::create_dir(&inside).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("a.txt"), "mine").unwrap();
    symlink(&elsewhere, inside.join("linked")).unwrap();
    symlink(elsewhere.join("a.txt"), inside.join("b.txt")).unwrap();
    let left = format!(".{}.relicast-part", "0".repeat(16));
    fs::write(elsewhere.join(&left), "theirs").unwrap();
    fs::write(inside.join(&left), "ours").unwrap();
    let out = open(&inside);
    let fault = out.write("linked/new.txt", b"x").unwrap_err().to_string();
    assert!(fault.contains("linked is a link"), "{fault}");
    assert!(out.remove_file("linked/a.txt").is_err());
    assert!(out.read("linked/a.txt").is_err() && out.read("b.txt").is_err());
    // A link is not deleted; a new output replaces it and its target is unchanged.
    assert!(out.remove_file("b.txt").is_err());
    out.write("b.txt", b"new").unwrap();
    assert_eq!(fs::read_to_string(elsewhere.join("a.txt")).unwrap(), "mine");
    delete_unfinished(&inside);
    out.drop_empty_folders("linked/a.txt");
    assert_eq!(names(&elsewhere), [&*left, "a.txt"]);
    assert_eq!(names(&inside), ["b.txt", "linked"]);
}

#[test]
fn folders_that_went_are_made_again_and_empty_ones_go() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    out.write("a/b/c.txt", b"1").unwrap();
    fs::remove_dir_all(root.path().join("a")).unwrap();
    out.write("a/b/c.txt", b"2").unwrap();
    out.write("a/d.txt", b"3").unwrap();
    out.remove_file("a/b/c.txt").unwrap();
    out.drop_empty_folders("a/b/c.txt");
    assert_eq!(names(root.path()), ["a", "a/d.txt"]);
    let missing = out.remove_file("a/b/c.txt").unwrap_err();
    assert_eq!(missing.kind(), io::ErrorKind::NotFound);
}

#[test]
fn what_is_to_be_on_the_disk_is_put_there() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    out.write("a.txt", b"1").unwrap();
    assert_eq!(out.synced(), 0);
    out.write_durably("b.txt", b"1").unwrap();
    assert_eq!(out.synced(), 2, "the file and its name");
    let out = OutputFolder::open(root.path(), Durability::Disk).unwrap();
    out.write("c/d.txt", b"1").unwrap();
    assert!(out.synced() >= 1);
}

/// More folders than the cache holds.
#[test]
fn many_folders_are_no_trouble() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    for number in 0..MOST_OPEN * 3 {
        out.write(&format!("a/{number}/b.txt"), b"1").unwrap();
    }
    assert!(out.opened().len() <= MOST_OPEN);
}

#[test]
fn folders_by_path_are_looked_at_before_they_are_used() {
    let root = tempfile::tempdir().unwrap();
    let base = portable::Handle::open(root.path()).unwrap();
    let folder = base.child("a", true).unwrap();
    drop(folder.create_new("b").unwrap());
    assert!(folder.create_new("b").is_err());
    assert!(!folder.rename_to_free("b", "c").unwrap(), "no atomic check");
    assert!(!folder.exchange("b", "b").unwrap(), "there is no such step");
    assert!(folder.is_free("c").unwrap() && !folder.is_free("b").unwrap());
    assert!(folder.is_same("b", &folder.read("b").unwrap()).unwrap());
    folder.rename("b", "c").unwrap();
    assert!(folder.is_file("c").unwrap() && folder.read("c").is_ok());
    assert!(folder.child("c", true).is_err() && folder.child("d", false).is_err());
    assert!(base.remove_folder("a").is_err(), "it is not empty");
    folder.link("c", &base, "linked").unwrap();
    assert!(folder.link("c", &base, "linked").is_err(), "it is taken");
    let file = base.read("linked").unwrap();
    assert!(portable::Handle::clone_file(&file, &file).is_err());
    drop(file);
    base.remove_file("linked").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.path().join("a"), root.path().join("l")).unwrap();
        assert!(base.child("l", true).is_err() && base.remove_folder("l").is_err());
        std::os::unix::fs::symlink(root.path().join("a/c"), root.path().join("m")).unwrap();
        assert!(base.read("m").is_err() && !base.is_file("m").unwrap());
    }
    folder.remove_file("c").unwrap();
    folder.sync().unwrap();
    base.remove_folder("a").unwrap();
}

#[test]
fn a_file_made_from_another_is_a_link_to_it_and_leaves_nothing_over_itself() {
    let root = tempfile::tempdir().unwrap();
    let (one, other) = (root.path().join("one"), root.path().join("other"));
    for folder in [&one, &other] {
        fs::create_dir(folder).unwrap();
    }
    let from = OutputFolder::open(&one, Durability::System).unwrap();
    let to = OutputFolder::open(&other, Durability::System).unwrap();
    from.write("a/b", b"bytes").unwrap();
    // The second time it is a link to the same file.
    for _ in 0..2 {
        let (file, _) = to.begin_as("c/d", &from, "a/b").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(other.join("c/d")).unwrap(), b"bytes");
        assert_eq!(fs::read_dir(other.join("c")).unwrap().count(), 1);
    }
    assert!(to.begin_as("../d", &from, "a/b").is_err());
    assert!(to.begin_as("d", &from, "a/none").is_err());
    assert!(to.begin_as("d", &from, "a").is_err(), "it is a folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(one.join("a/b"), one.join("l")).unwrap();
        assert!(
            to.begin_as("d", &from, "l").is_err(),
            "links are not followed"
        );
    }
    assert!(!other.join("d").exists());
}

/// Simulates another program that replaces our file between two checks.
fn known_at_first<'t>(
    place: &'t Path,
    other: &'t str,
    calls: &'t std::cell::Cell<u32>,
) -> impl Fn(&fs::File) -> io::Result<bool> + 't {
    move |file| {
        calls.set(calls.get() + 1);
        let is_ours = io::read_to_string(file)? == "ours";
        if calls.get() == 1 {
            let beside = place.with_extension("theirs");
            fs::write(&beside, other)?;
            fs::rename(beside, place)?;
        }
        Ok(is_ours)
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_replaced_in_the_moment_of_the_rename_keeps_its_place() {
    let root = tempfile::tempdir().unwrap();
    let place = root.path().join("a/b.txt");
    let out = open(root.path());
    for other in ["theirs", "ours"] {
        out.write("a/b.txt", b"ours").unwrap();
        let calls = std::cell::Cell::new(0);
        let is_known = known_at_first(&place, other, &calls);
        let written = out.write_over("a/b.txt", b"new", is_known).unwrap();
        assert_eq!(calls.get(), 2);
        // An equal file may be replaced, even one of another program.
        assert_eq!(written, other == "ours");
        let left = fs::read_to_string(&place).unwrap();
        assert_eq!(left, if written { "new" } else { "theirs" });
        assert_eq!(names(root.path()), ["a", "a/b.txt"]);
    }
}

#[test]
fn an_unknown_file_is_not_replaced() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    out.write("a.txt", b"theirs").unwrap();
    assert!(!out.write_over("a.txt", b"new", |_| Ok(false)).unwrap());
    let fault = out.write_over("a.txt", b"new", |_| Err(io::ErrorKind::Other.into()));
    assert!(fault.is_err());
    assert_eq!(fs::read(root.path().join("a.txt")).unwrap(), b"theirs");
    assert!(out.write_over("a.txt", b"new", |_| Ok(true)).unwrap());
    assert!(out.write_over("b.txt", b"first", |_| Ok(false)).unwrap());
    assert_eq!(fs::read(root.path().join("a.txt")).unwrap(), b"new");
    assert_eq!(names(root.path()), ["a.txt", "b.txt"]);
}

#[test]
fn a_file_that_is_replaced_in_the_moment_of_its_deletion_stays() {
    let root = tempfile::tempdir().unwrap();
    let place = root.path().join("a.txt");
    let out = open(root.path());
    out.write("a.txt", b"ours").unwrap();
    let calls = std::cell::Cell::new(0);
    let removed = out.remove_known("a.txt", known_at_first(&place, "theirs", &calls));
    assert!(!removed.unwrap());
    assert_eq!(fs::read(&place).unwrap(), b"theirs");
    assert!(!out.remove_known("a.txt", |_| Ok(false)).unwrap());
    assert_eq!(names(root.path()), ["a.txt"]);
    assert!(out.remove_known("a.txt", |_| Ok(true)).unwrap());
    assert!(names(root.path()).is_empty());
}

#[test]
fn a_name_that_is_taken_is_not_given_to_another_file() {
    let root = tempfile::tempdir().unwrap();
    let out = open(root.path());
    out.write("a/one", b"one").unwrap();
    out.write("a/two", b"two").unwrap();
    assert!(!out.rename_to_free("a/one", "two").unwrap());
    assert!(out.rename_to_free("a/one", "three").unwrap());
    assert!(out.rename_to_free("a/none", "four").is_err());
    assert_eq!(names(root.path()), ["a", "a/three", "a/two"]);
    assert_eq!(fs::read(root.path().join("a/two")).unwrap(), b"two");
}
