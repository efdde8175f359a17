//! Files that need no conversion.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, files, json};
use crate::video::support::settings;

#[test]
fn what_can_be_used_is_copied_and_the_rest_is_reported() {
    let input = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(input.path().join(name), bytes).unwrap();
    write("Font.TTF", b"a font");
    write("force_eff.ifr", b"RIFF\x04\0\0\0FORC");
    write("ReadMe.txt", b"read me");
    write("readme.TXT.bak", b"no known format");
    write("setup.inf", b"[installer]");
    write("a.wav", b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0data\x02\0\0\0\x80\x81");
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &[]).assert().code(0);
    assert_eq!(
        files(&out.path().join("loose")),
        ["font.ttf", "force_eff.ifr", "readme.txt"]
    );
    assert_eq!(
        fs::read(out.path().join("loose/font.ttf")).unwrap(),
        b"a font"
    );
    let report = json(&out.path().join("report.json"));
    let status = |name: &str| {
        let sources = report["sources"].as_array().unwrap();
        let source = sources
            .iter()
            .find(|source| source["path"] == name)
            .unwrap();
        source["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status("Font.TTF"), "copied");
    assert_eq!(status("a.wav"), "copied");
    assert_eq!(status("setup.inf"), "skipped");
    assert_eq!(status("readme.TXT.bak"), "skipped");

    let own = settings(out.path(), "[loose]\ncopy = [\".BAK\", \"inf\"]\n");
    let other = tempfile::tempdir().unwrap();
    convert(input.path(), other.path(), &["--config", &own])
        .assert()
        .code(0);
    assert_eq!(
        files(&other.path().join("loose")),
        ["readme.txt.bak", "setup.inf"]
    );
}

#[test]
fn a_folder_of_texts_is_no_install() {
    let input = tempfile::tempdir().unwrap();
    fs::write(input.path().join("notes.txt"), b"nothing of a game").unwrap();
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &[]).assert().code(1);
}
