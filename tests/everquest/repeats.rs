//! Pictures that several archives have alike, as most of an install are: each comes out as it would if no other archive were
//! there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::moor::{ADDITIVE, SOLID, Sheet, install};
use relicast_samples::minimal::everquest::bitmaps;

const MASKED: u32 = 0x8000_0013;

/// An archive with a picture, and a scene that shows it by a render method.
fn archive(picture: &str, bytes: &[u8], method: u32) -> Vec<(String, Vec<u8>)> {
    let mut sheet = Sheet::default();
    let material = sheet.material("LEAF", method, &[picture]);
    sheet.model("BUSH", material);
    vec![
        (picture.to_owned(), bytes.to_vec()),
        ("scene.wld".to_owned(), sheet.finish()),
    ]
}

/// Converts archives, and hands over all files.
fn converted(archives: &[(&str, Vec<(String, Vec<u8>)>)]) -> BTreeMap<String, Vec<u8>> {
    let listed: Vec<(&str, Vec<(&str, Vec<u8>)>)> = archives
        .iter()
        .map(|(name, members)| {
            let members = members.iter();
            let members = members.map(|(name, bytes)| (name.as_str(), bytes.clone()));
            (*name, members.collect())
        })
        .collect();
    let listed: Vec<(&str, &[(&str, Vec<u8>)])> = listed
        .iter()
        .map(|(name, members)| (*name, members.as_slice()))
        .collect();
    let mut files = BTreeMap::new();
    install(&listed, "", false, |out: &Path| {
        for path in common::files(out) {
            let bytes = fs::read(out.join(&path)).unwrap();
            files.insert(path, bytes);
        }
    });
    files
}

#[test]
fn each_picture_is_what_it_would_be_alone() {
    let pictures = bitmaps();
    let (leaf, other) = (&pictures[0], &pictures[1]);
    let odd = [leaf.as_slice(), b"more"].concat();
    // The order in which a run takes them: by size, and these are nearly alike.
    let archives = [
        ("a.s3d", archive("leaf.bmp", leaf, MASKED)),
        ("b.s3d", archive("leaf.bmp", leaf, SOLID)),
        ("c.s3d", archive("bush.bmp", leaf, MASKED)),
        ("d.s3d", archive("leaf.bmp", leaf, MASKED)),
        ("e.s3d", archive("leaf.bmp", leaf, ADDITIVE)),
        ("f.s3d", archive("leaf.bmp", leaf, SOLID)),
        ("g.s3d", archive("leaf.bmp", other, SOLID)),
        ("h.s3d", archive("leaf.bmp", other, SOLID)),
        ("i.s3d", archive("odd.bmp", &odd, SOLID)),
        ("j.s3d", archive("odd.bmp", &odd, SOLID)),
    ];
    let mut together = converted(&archives);
    let report: Value = serde_json::from_slice(&together["report.json"]).unwrap();
    let odd_ones = report["sources"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|source| {
            let parts = source["parts"].as_array().unwrap();
            parts
                .iter()
                .any(|part| part["member"] == "odd.bmp" && part["deviations"]["total"] == 1)
        });
    assert_eq!(odd_ones.count(), 2, "{report:#}");
    let mut alone = BTreeMap::new();
    for archive in &archives {
        alone.extend(converted(std::slice::from_ref(archive)));
    }
    // Files on a run as a whole.
    for files in [&mut together, &mut alone] {
        files.retain(|path, _| path.contains('/'));
    }
    let paths = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&together), paths(&alone));
    for (path, bytes) in &together {
        assert!(*bytes == alone[path], "{path}");
    }
    let pngs = together.keys().filter(|path| path.ends_with(".png"));
    assert!(pngs.count() >= 8, "{:?}", paths(&together));
    assert_ne!(
        together["textures/a/leaf.png"],
        together["textures/b/leaf.png"]
    );
    assert_eq!(
        together["textures/a/leaf.png"],
        together["textures/d/leaf.png"]
    );
}
