//! Results of a run: outputs, manifest, report, exit code.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, files, json, relicast};
use crate::install::{Install, contents, riff_of_nothing, statuses};
use relicast::formats::codec::{Blob, PaddedText};
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};

#[test]
fn every_file_and_member_is_accounted_for_once() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let mut statuses = statuses(&out);
    statuses.sort();
    let fates: Vec<(&str, &str)> = statuses
        .iter()
        .map(|(name, status)| (&**name, &**status))
        .collect();
    assert_eq!(
        fates,
        [
            ("Mech3.exe", "skipped"),
            ("ZBD/C1/rtexture.zbd:", "converted"),
            ("ZBD/C1/rtexture.zbd:leaf", "converted"),
            ("ZBD/C1/rtexture.zbd:sign", "converted"),
            ("ZBD/interp.zbd:", "converted"),
            ("ZBD/reader.zbd:", "converted"),
            ("ZBD/reader.zbd:a.zrd", "converted"),
            ("ZBD/soundsH.zbd:", "converted"),
            ("ZBD/soundsH.zbd:..\\..\\escape.wav", "copied"),
            ("ZBD/soundsH.zbd:CON.wav", "copied"),
            ("ZBD/soundsH.zbd:beep.wav", "copied"),
            ("ZBD/soundsH.zbd:beep.wav", "copied"),
            ("readme.txt:", "copied"),
        ]
    );
    let report = json(&out.join("report.json"));
    assert_eq!(report["totals"]["files"], 6);
    assert_eq!(report["games"][0]["game"], "mw");
}

#[test]
fn names_from_files_never_leave_the_output_folder() {
    let install = Install::new();
    let out = install.out("deep/out");
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(
        files(&out)
            .into_iter()
            .filter(|path| path.starts_with("sounds/"))
            .collect::<Vec<_>>(),
        [
            "sounds/zbd/soundsh.json",
            "sounds/zbd/soundsh/.._.._escape.wav",
            "sounds/zbd/soundsh/_con.wav",
            "sounds/zbd/soundsh/beep-1.wav",
            "sounds/zbd/soundsh/beep.wav",
        ]
    );
    let outside: Vec<String> = files(install.folder.path())
        .into_iter()
        .filter(|path| !path.starts_with("install/") && !path.starts_with("deep/out/"))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn the_manifest_shows_where_every_output_came_from() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let manifest = json(&out.join("manifest.json"));
    let listed: Vec<&str> = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["path"].as_str().unwrap())
        .collect();
    let mut present = files(&out);
    present.retain(|path| path != "manifest.json" && path != "report.json");
    assert_eq!(listed, present);
    for output in manifest["outputs"].as_array().unwrap() {
        let bytes = fs::read(out.join(output["path"].as_str().unwrap())).unwrap();
        assert_eq!(output["size"], bytes.len());
        assert_eq!(output["blake3"], blake3::hash(&bytes).to_hex().as_str());
        if output["kind"] == "sounds" && !output["member"].is_null() {
            let source = fs::read(install.input().join(output["source"].as_str().unwrap()));
            let bound = |name: &str| output["range"][name].as_u64().unwrap() as usize;
            assert_eq!(source.unwrap()[bound("start")..bound("end")], bytes);
        }
    }
}

#[test]
fn any_number_of_threads_and_any_folder_give_the_same_bytes() {
    let install = Install::new();
    let (one, many) = (install.out("one"), install.out("a/b/many"));
    convert(&install.input(), &one, &["--jobs", "1"])
        .assert()
        .success();
    convert(&install.input(), &many, &["--jobs", "7"])
        .assert()
        .success();
    assert_eq!(contents(&one), contents(&many));
}

#[test]
fn stages_can_be_switched_off() {
    let install = Install::new();
    let out = install.out("out");
    let config = install.out("pipeline.toml");
    fs::write(&config, "[stages]\nemit = false\n").unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    assert!(!out.exists());
}

#[test]
fn raw_decodes_are_written_on_request() {
    let install = Install::new();
    let out = install.out("out");
    let config = install.out("pipeline.toml");
    fs::write(&config, "[raw]\nenabled = true\n").unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    let raw = json(&out.join("textures/zbd/c1/rtexture/sign.raw.json"));
    assert_eq!(raw["header"]["palette_count"], 2);
    let raw = json(&out.join("sounds/zbd/soundsh/beep.raw.json"));
    assert_eq!(raw["chunks"].as_array().unwrap().len(), 2);
    assert!(out.join("config/zbd/interp.raw.json").exists());
}

#[test]
fn strict_turns_deviations_into_failures() {
    let install = Install::new();
    let archive = Archive {
        entries: vec![Entry {
            row: Row {
                name: PaddedText([b'x'; 64]),
                ..Row::default()
            },
            data: Blob::from(riff_of_nothing()),
            ..Entry::default()
        }],
        ..Archive::default()
    };
    install.write("ZBD/odd.zbd", &archive::encode(&archive).unwrap());
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let report = json(&out.join("report.json"));
    assert_eq!(report["totals"]["deviations"], 1);
    convert(&install.input(), &out, &["--strict"])
        .assert()
        .code(2);
}

#[test]
fn golden_hashes_show_what_kind_of_content_differs() {
    let install = Install::new();
    let out = install.out("out");
    let golden = install.out("golden/g.json");
    convert(&install.input(), &out, &[]).assert().success();
    let verify = |bless: bool| {
        let mut command = relicast();
        command.arg("verify").arg(&out).arg("--golden").arg(&golden);
        if bless {
            command.arg("--bless");
        }
        command.assert()
    };
    verify(false).code(1);
    verify(true).success();
    verify(false).success();
    let sound = out.join("sounds/zbd/soundsh/beep.wav");
    let mut bytes = fs::read(&sound).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&sound, bytes).unwrap();
    let script = out.join("config/zbd/interp.json");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text.replace("set A", "set B")).unwrap();
    let picture = out.join("textures/zbd/c1/rtexture/sign.png");
    image::RgbImage::from_pixel(2, 1, image::Rgb([9, 9, 9]))
        .save(&picture)
        .unwrap();
    fs::remove_file(out.join("textures/zbd/c1/rtexture/leaf.png")).unwrap();
    fs::write(out.join("extra.txt"), "x").unwrap();
    let said = verify(false).code(2);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    for line in [
        "added      extra.txt",
        "missing    textures/zbd/c1/rtexture/leaf.png",
        "different  sounds/zbd/soundsh/beep.wav: samples",
        "different  config/zbd/interp.json: $[0].lines[0]",
        "different  textures/zbd/c1/rtexture/sign.png: color",
        "1 added, 1 missing, 3 different",
    ] {
        assert!(said.contains(line), "{line}\nnot in\n{said}");
    }
    let config = install.out("pipeline.toml");
    fs::write(
        &config,
        format!("[run]\ngolden = {:?}\n", golden.to_str().unwrap()),
    )
    .unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    fs::remove_file(out.join("extra.txt")).unwrap();
    convert(
        &install.input(),
        &out,
        &["--force", "--config", arguments[1]],
    )
    .assert()
    .success();
}
