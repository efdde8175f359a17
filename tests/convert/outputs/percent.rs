//! Percent signs in the names of files and members, which programs for BagIt packages read in different ways.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::formats::everquest::pfs::{self, Footer};
use relicast_samples::disc;

use crate::common::{convert, files, relicast};
use crate::install::{contents, textures_named};

/// Writes a file, and the folders above it.
fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// An archive of the sample install with a percent sign in the names of its members.
fn with_percent_signs(archive: &[u8]) -> Vec<u8> {
    let archive = pfs::decode(archive).unwrap().value;
    let members: Vec<(String, Vec<u8>)> = archive
        .entries
        .iter()
        .map(|entry| {
            let bytes = entry.extract().unwrap().value;
            (entry.label().replace('.', "%20a%."), bytes)
        })
        .collect();
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    pfs::encode(&pfs::pack(&members, Some(Footer::new(0)), 6).unwrap()).unwrap()
}

/// Inputs whose folders, files and members have percent signs in their names.
fn inputs(root: &Path) -> [PathBuf; 2] {
    let [everquest, mech] = ["100% eq", "%41 mech"].map(|name| root.join(name));
    for file in relicast_samples::files(Game::Eq, 1).unwrap() {
        let path = everquest.join(&file.path);
        let is_archive = [".s3d", ".pfs"].iter().any(|end| file.path.ends_with(end));
        if is_archive {
            let renamed = everquest.join(file.path.replace('.', "%."));
            write(&renamed, &with_percent_signs(&file.bytes));
        }
        write(&path, &file.bytes);
    }
    write(&everquest.join("docs %/read%25me.txt"), b"text");
    write(
        &mech.join("zbd/c%1/rtexture.zbd"),
        &textures_named(&["50%", "gr%61ss"]),
    );
    for file in disc::files().unwrap() {
        let path = file.path.replace(disc::SHEET, "Sample%20Disc.cue");
        write(&mech.join(path), &file.bytes);
    }
    [everquest, mech]
}

#[test]
fn no_output_has_a_percent_sign_in_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let [everquest, mech] = inputs(root);
    let out = root.join("out");
    let mut run = convert(&everquest, &out, &["-q"]);
    run.arg(&mech).assert().success();
    let found = files(&out);
    assert!(found.len() > 200, "{}", found.len());
    // What had the sign in its name is there, under another one.
    for part in ["50_", "gr_61ss", "read_25me.txt", "_20a_"] {
        assert!(found.iter().any(|path| path.contains(part)), "{part}");
    }
    let with_sign: Vec<&String> = found.iter().filter(|path| path.contains('%')).collect();
    assert!(with_sign.is_empty(), "{with_sign:?}");

    let to = root.join("to");
    let mut package = relicast();
    package.arg("package").arg(&out).arg("--to").arg(&to);
    package.args(["--bagit", "--ro-crate"]).assert().success();
    let bag = to.join("out");
    let lists = files(&bag).into_iter();
    let lists = lists.filter(|path| path.contains("manifest-"));
    let mut count = 0;
    for list in lists {
        let text = fs::read_to_string(bag.join(&list)).unwrap();
        assert!(!text.contains('%'), "{list}");
        count += 1;
    }
    assert!(count >= 2, "{count} lists");
    relicast().arg("verify").arg(&bag).assert().success();

    // A second run finds everything done.
    let before = contents(&out);
    let mut run = convert(&everquest, &out, &["-q"]);
    run.arg(&mech).assert().success();
    assert_eq!(contents(&out), before);
}
