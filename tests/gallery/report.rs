//! The report as one page.

use std::fs;

use predicates::str::contains;

use crate::{SAMPLES, relicast};

#[test]
fn one_small_page_tells_what_became_of_everything() {
    let path = SAMPLES.place("report.html");
    let write = |arguments: &[&str]| {
        let mut report = relicast();
        report
            .arg("report")
            .arg(SAMPLES.out())
            .arg("--html")
            .arg(&path)
            .args(arguments);
        report.assert()
    };
    write(&[]).success();
    let page = fs::read_to_string(&path).unwrap();
    assert!(
        page.len() < 200_000,
        "{} bytes are too many for a mail",
        page.len()
    );
    for text in [
        "MechWarrior 3",
        "EverQuest",
        "textures",
        "program code, not game data",
        "Discs",
        "Deviations",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(
        !page.contains("<script") && !page.contains("://"),
        "it needs nothing from elsewhere"
    );
    // What is there stays, unless it may go.
    fs::write(&path, "mine").unwrap();
    write(&[]).code(1).stderr(contains("--force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    write(&["--force"]).success();
    assert_eq!(fs::read_to_string(&path).unwrap(), page);
}

#[test]
fn a_folder_without_outputs_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = relicast();
    report
        .arg("report")
        .arg(folder.path())
        .arg("--html")
        .arg(folder.path().join("r.html"));
    report.assert().code(1).stderr(contains("manifest.json"));
    assert!(!folder.path().join("r.html").exists());
}
