//! `--only`, `--game` and `prove` when there is nothing for them.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, files, relicast};
use crate::install::Install;

fn said(run: assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn a_selection_that_matches_nothing_is_reported() {
    let install = Install::new();
    let out = install.out("out");
    let mut run = convert(&install.input(), &out, &["--only", "**/nothing.zbd/x*"]);
    let said = said(run.assert().code(1));
    assert!(said.contains("**/nothing.zbd/x*"), "{said}");
    assert!(!out.exists());
    convert(&install.input(), &out, &["--only", "*.exe"])
        .assert()
        .success();
}

#[test]
fn a_forced_game_that_no_file_supports_is_reported() {
    let install = Install::new();
    let out = install.out("out");
    let mut run = convert(&install.input(), &out, &["--game", "eq"]);
    let said = said(run.assert().code(1));
    assert!(
        said.contains("EverQuest") && said.contains(".s3d"),
        "{said}"
    );
    assert!(!out.exists());
    convert(&install.input(), &out, &["--game", "cs"])
        .assert()
        .success();
}

#[test]
fn an_empty_folder_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = relicast().arg("prove").arg(folder.path()).assert().code(1);
    let said = said(run);
    assert!(said.contains("nothing to prove"), "{said}");
}

#[test]
fn a_selected_world_brings_its_textures_unless_configured_otherwise() {
    let install = crate::outputs::games::Sample::new("pm");
    let only = ["--only", "**/c1/gamez.zbd"];
    let (with, without) = (install.out("with"), install.out("without"));
    convert(&install.input(), &with, &only).assert().success();
    let pictures = |out: &std::path::Path| {
        let mut all = files(out);
        all.retain(|path| path.ends_with(".png"));
        all.len()
    };
    assert!(pictures(&with) > 0);
    assert!(files(&with).iter().any(|path| path.ends_with(".gltf")));
    for path in files(&with).iter().filter(|path| path.ends_with(".gltf")) {
        let scene = crate::common::json(&with.join(path));
        for image in scene["images"].as_array().into_iter().flatten() {
            let uri = image["uri"].as_str().unwrap();
            let picture = with.join(path).parent().unwrap().join(uri);
            assert!(picture.exists(), "{path}: {uri}");
        }
    }
    let no_needs = [&only[..], &["--no-needs"]].concat();
    convert(&install.input(), &without, &no_needs)
        .assert()
        .success();
    assert_eq!(pictures(&without), 0);
    let excluded = install.out("pipeline.toml");
    fs::write(
        &excluded,
        "[run]\nexclude = [\"*texture*.zbd\", \"*tex*.zbd\"]\n",
    )
    .unwrap();
    let arguments = [&only[..], &["--config", excluded.to_str().unwrap()]].concat();
    let third = install.out("third");
    convert(&install.input(), &third, &arguments)
        .assert()
        .success();
    assert!(pictures(&third) < pictures(&with));
}
