//! Manifests that anyone may have edited.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, json};
use crate::install::Install;

/// Edits the manifest of `out`.
fn rewrite(out: &std::path::Path, change: impl Fn(&mut serde_json::Value)) {
    let path = out.join("manifest.json");
    let mut manifest = json(&path);
    change(&mut manifest);
    fs::write(path, manifest.to_string()).unwrap();
}

#[test]
fn paths_that_lead_out_of_the_folder_are_left_alone() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let victim = install.out("victim.txt");
    let inside = out.join("mine.txt");
    for path in [&victim, &inside] {
        fs::write(path, "keep me").unwrap();
    }
    let hash = blake3::hash(b"keep me").to_hex().to_string();
    let absolute = victim.to_str().unwrap().to_owned();
    rewrite(&out, |manifest| {
        let outputs = manifest["outputs"].as_array_mut().unwrap();
        let template = outputs[0].clone();
        for path in [
            "../victim.txt",
            &absolute,
            "textures/../../victim.txt",
            "report.json",
            "c:victim.txt",
            "a\\..\\..\\victim.txt",
        ] {
            let mut output = template.clone();
            output["path"] = path.into();
            output["blake3"] = hash.clone().into();
            output["size"] = 7.into();
            output["source"] = "gone".into();
            outputs.push(output);
        }
    });
    fs::write(install.input().join("readme.txt"), "changed").unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "keep me");
    assert_eq!(fs::read_to_string(&inside).unwrap(), "keep me");
    assert!(out.join("report.json").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_to_delete() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let elsewhere = install.out("elsewhere");
    fs::rename(out.join("textures"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("textures")).unwrap();
    fs::remove_file(install.input().join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(elsewhere.join("zbd/c1/rtexture/leaf.png").exists());
}

#[test]
fn an_output_is_made_where_the_plan_says_not_where_the_manifest_says() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let (leaf, evil) = ("textures/zbd/c1/rtexture/leaf.png", "textures/evil.png");
    fs::rename(out.join(leaf), out.join(evil)).unwrap();
    rewrite(&out, |manifest| {
        let outputs = manifest["outputs"].as_array_mut().unwrap();
        let output = outputs
            .iter_mut()
            .find(|output| output["path"] == leaf)
            .unwrap();
        output["path"] = evil.into();
    });
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    fs::write(out.join("report.json"), report.replace(leaf, evil)).unwrap();
    fs::write(install.input().join("readme.txt"), "changed").unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(out.join(leaf).exists());
    // Nothing is deleted that only a changed manifest claims.
    assert!(out.join(evil).exists());
}
