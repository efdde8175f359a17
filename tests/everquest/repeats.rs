//! Duplicate pictures in several archives, as in most of an install: each comes out as it would if no other
//! archive existed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::moor::{ADDITIVE, Members, SOLID, Sheet, install};
use relicast_samples::minimal::everquest::bitmaps;

const MASKED: u32 = 0x8000_0013;

/// An archive by its name: a picture, and a scene that shows it by a render method.
struct Made {
    name: &'static str,
    members: Vec<(&'static str, Vec<u8>)>,
}

fn made(name: &'static str, picture: &'static str, bytes: &[u8], method: u32) -> Made {
    let mut sheet = Sheet::default();
    let material = sheet.material("LEAF", method, &[picture]);
    sheet.model("BUSH", material);
    let members = vec![(picture, bytes.to_vec()), ("scene.wld", sheet.finish())];
    Made { name, members }
}

/// Converts archives, and hands over all files.
fn converted(archives: &[Made]) -> BTreeMap<String, Vec<u8>> {
    let listed: Vec<(&str, Members<'_>)> = archives
        .iter()
        .map(|archive| (archive.name, archive.members.as_slice()))
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
    // The order in which a run takes them: by size, and these have nearly the same size.
    let archives = [
        made("a.s3d", "leaf.bmp", leaf, MASKED),
        made("b.s3d", "leaf.bmp", leaf, SOLID),
        made("c.s3d", "bush.bmp", leaf, MASKED),
        made("d.s3d", "leaf.bmp", leaf, MASKED),
        made("e.s3d", "leaf.bmp", leaf, ADDITIVE),
        made("f.s3d", "leaf.bmp", leaf, SOLID),
        made("g.s3d", "leaf.bmp", other, SOLID),
        made("h.s3d", "leaf.bmp", other, SOLID),
        made("i.s3d", "odd.bmp", &odd, SOLID),
        made("j.s3d", "odd.bmp", &odd, SOLID),
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
