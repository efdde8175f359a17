//! Files that commands write to a given path: existing files of others are never replaced.

use std::fs;
use std::path::Path;

use predicates::str::contains;
use relicast_testing::test;

use crate::common::{convert, relicast};

/// An install with its outputs.
fn converted() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let [install, out] = ["install", "out"].map(|name| folder.path().join(name));
    fs::create_dir(&install).unwrap();
    fs::write(install.join("detail.zrd"), "( DETAIL 3 )").unwrap();
    convert(&install, &out, &[]).assert().success();
    (folder, [install, out])
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_page_of_differences_replaces_no_file() {
    let (folder, [install, out]) = converted();
    let game_file = install.join("detail.zrd");
    let diff = |page: &Path, more: &[&str]| {
        let mut command = relicast();
        command.arg("diff").arg(&out).arg(&install);
        command.arg("--html").arg(page).args(more).assert()
    };
    diff(&game_file, &[])
        .code(1)
        .stderr(contains("exists; use --force"));
    assert_eq!(text(&game_file), "( DETAIL 3 )");
    let page = folder.path().join("page.html");
    diff(&page, &[]).success();
    assert!(text(&page).starts_with("<!DOCTYPE html>"));
    diff(&page, &[]).code(1);
    fs::write(&page, "mine").unwrap();
    diff(&page, &["--force"]).success();
    assert!(text(&page).starts_with("<!DOCTYPE html>"));
    diff(&install, &["--force"])
        .code(1)
        .stderr(contains("exists"));
}

#[test]
fn blessing_replaces_golden_files_alone() {
    let (folder, [install, out]) = converted();
    let bless = |golden: &Path| {
        let mut command = relicast();
        command.arg("verify").arg(&out).arg("--golden").arg(golden);
        command.arg("--bless").assert()
    };
    for other in [install.join("detail.zrd"), out.join("manifest.json")] {
        let before = fs::read(&other).unwrap();
        bless(&other)
            .code(1)
            .stderr(contains("is not a golden file"));
        assert_eq!(fs::read(&other).unwrap(), before);
    }
    let golden = folder.path().join("golden.json");
    bless(&golden).success();
    bless(&golden).success();
    fs::write(&golden, "").unwrap();
    bless(&golden).code(1);
    assert_eq!(text(&golden), "");
}

#[test]
fn pages_and_schemas_that_were_edited_stay() {
    let folder = tempfile::tempdir().unwrap();
    for (command, edited) in [("man", "relicast-pack.1"), ("schema", "motion.schema.json")] {
        let to = folder.path().join(command);
        let write = |more: &[&str]| {
            let mut run = relicast();
            run.arg(command).arg("--to").arg(&to).args(more).assert()
        };
        write(&[]).success();
        let page = to.join(edited);
        let before = text(&page);
        // What is the same is ours.
        write(&[]).success();
        let others = fs::read_dir(&to).unwrap().count();
        fs::write(&page, "mine").unwrap();
        write(&[])
            .code(1)
            .stderr(contains(edited))
            .stderr(contains("--force"));
        assert_eq!(text(&page), "mine");
        write(&["--force"]).success();
        assert_eq!(text(&page), before);
        assert_eq!(fs::read_dir(&to).unwrap().count(), others);
    }
}
