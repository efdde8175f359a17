//! The run as a user sees it: what is redone and what is not, the same bytes for any number of
//! threads, interrupted runs, partial runs, reports.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use common::{convert, files, json, relicast};
use relicast::formats::codec::{Blob, F32, PaddedText};
use relicast::formats::riff::{self, Format, Wave};
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::reader::{Value, binary};
use relicast::formats::zipper::texture::colour::Rgb565;
use relicast::formats::zipper::texture::package::{
    self, Directory, Header, Image, ImageFlags, ImageHeader, Package,
};
use serde_json::Value as Json;
use tempfile::TempDir;

fn entry(name: &str, data: Vec<u8>) -> Entry<'static> {
    Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: data.into(),
        ..Entry::default()
    }
}

fn sounds(first: u8) -> Vec<u8> {
    let wave = |sample: u8| {
        let samples = Blob::from(vec![sample; 64]);
        let wave = Wave::new(&Format::pcm(1, 11_025, 8), Vec::new(), samples).unwrap();
        riff::encode(&wave).unwrap()
    };
    let archive = Archive {
        entries: vec![
            entry("beep.wav", wave(first)),
            entry("beep.wav", wave(2)),
            entry("..\\..\\escape.wav", wave(3)),
            entry("CON.wav", wave(4)),
        ],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

fn readers() -> Vec<u8> {
    let value = Value::List(vec![Value::List(vec![
        Value::text("KEY"),
        Value::Int(-2),
        Value::Float(F32(0.5)),
    ])]);
    let archive = Archive {
        entries: vec![entry("a.zrd", binary::encode(&value).unwrap())],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

fn textures() -> Vec<u8> {
    let direct = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | ImageFlags::ALPHA,
            width: 2,
            height: 2,
            ..ImageHeader::default()
        },
        texels: vec![0, 0, 0xE0, 0x07, 0x00, 0xF8, 0x1F, 0x00].into(),
        ..Image::default()
    };
    let indexed = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | ImageFlags::OPAQUE,
            width: 2,
            height: 1,
            palette_count: 2,
            ..ImageHeader::default()
        },
        texels: vec![1, 0].into(),
        palette: vec![Rgb565(0), Rgb565(0xFFFF)],
        ..Image::default()
    };
    let row = |name: &str| package::Row {
        name: PaddedText::new(name).unwrap(),
        start: 0,
        palette_index: -1,
    };
    let package = Package {
        directory: Directory {
            header: Header {
                version: 1,
                ..Header::default()
            },
            rows: vec![row("leaf"), row("sign")],
            palettes: Vec::new(),
        },
        images: vec![direct, indexed],
        ..Package::default()
    };
    package::encode(&package).unwrap()
}

fn scripts() -> Vec<u8> {
    let interp = Interp {
        scripts: vec![Script {
            row: interp::Row {
                path: PaddedText::new("data\\c1.gs").unwrap(),
                ..interp::Row::default()
            },
            lines: vec![Line::from_tokens(["set", "A"])],
        }],
        ..Interp::default()
    };
    interp::encode(&interp).unwrap()
}

/// A small install, and room for outputs beside it.
struct Install {
    folder: TempDir,
}

impl Install {
    fn new() -> Self {
        let install = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        install.write("ZBD/interp.zbd", &scripts());
        install.write("ZBD/reader.zbd", &readers());
        install.write("ZBD/soundsH.zbd", &sounds(1));
        install.write("ZBD/C1/rtexture.zbd", &textures());
        install.write("Mech3.exe", b"MZ program");
        install.write("readme.txt", b"hello");
        install
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.input().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn statuses(out: &Path) -> Vec<(String, String)> {
    let report = json(&out.join("report.json"));
    let mut found = Vec::new();
    for source in report["sources"].as_array().unwrap() {
        let path = source["path"].as_str().unwrap();
        let parts = source["parts"].as_array().cloned().unwrap_or_default();
        for part in &parts {
            let member = part["member"].as_str().unwrap_or("");
            let status = part["status"].as_str().unwrap().to_owned();
            found.push((format!("{path}:{member}"), status));
        }
        if parts.is_empty() {
            found.push((
                path.to_owned(),
                source["status"].as_str().unwrap().to_owned(),
            ));
        }
    }
    found
}

fn with_status(out: &Path, status: &str) -> Vec<String> {
    statuses(out)
        .into_iter()
        .filter(|(_, found)| found == status)
        .map(|(name, _)| name)
        .collect()
}

fn contents(out: &Path) -> Vec<(String, Vec<u8>)> {
    files(out)
        .into_iter()
        .filter(|path| path != "report.json")
        .map(|path| {
            let bytes = fs::read(out.join(&path)).unwrap();
            (path, bytes)
        })
        .collect()
}

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
fn the_manifest_tells_where_every_output_came_from() {
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
fn a_second_run_converts_nothing_and_says_so() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    let report = fs::read(out.join("report.json")).unwrap();
    let second = convert(&install.input(), &out, &[]).assert().success();
    let said = String::from_utf8_lossy(&second.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    assert_eq!(contents(&out), before);
    assert_eq!(fs::read(out.join("report.json")).unwrap(), report);
}

#[test]
fn a_changed_source_redoes_exactly_its_own_outputs() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    install.write("ZBD/soundsH.zbd", &sounds(9));
    convert(&install.input(), &out, &[]).assert().success();
    let redone: Vec<String> = statuses(&out)
        .into_iter()
        .filter(|(_, status)| status == "converted" || status == "copied")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(redone.len(), 5, "{redone:?}");
    assert!(
        redone
            .iter()
            .all(|name| name.starts_with("ZBD/soundsH.zbd:"))
    );
    assert!(with_status(&out, "unchanged").contains(&"ZBD/interp.zbd:".to_owned()));
}

#[test]
fn a_touched_source_with_the_same_bytes_is_not_redone() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let file = fs::File::options()
        .append(true)
        .open(install.input().join("ZBD/interp.zbd"))
        .unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60))
        .unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(with_status(&out, "converted").is_empty());
    convert(&install.input(), &out, &[])
        .assert()
        .success()
        .stdout(predicate("nothing to do"));
}

fn predicate(text: &'static str) -> impl predicates::Predicate<[u8]> {
    use predicates::prelude::PredicateStrExt;
    predicates::str::contains(text).from_utf8()
}

#[test]
fn a_changed_setting_redoes_exactly_what_it_touches() {
    let install = Install::new();
    let out = install.out("out");
    let config = install.out("pipeline.toml");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(&config, "[textures]\npalette = \"expand\"\n").unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    let redone = with_status(&out, "converted");
    assert_eq!(
        redone,
        ["ZBD/C1/rtexture.zbd:leaf", "ZBD/C1/rtexture.zbd:sign"]
    );
    assert!(with_status(&out, "copied").is_empty());
}

#[test]
fn lost_and_altered_outputs_are_made_again() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    fs::remove_file(out.join("textures/zbd/c1/rtexture/leaf.png")).unwrap();
    let altered = out.join("sounds/zbd/soundsh/beep.wav");
    let mut bytes = fs::read(&altered).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    // Later than the manifest, whatever the resolution of the file system's clock.
    fs::write(&altered, bytes).unwrap();
    let file = fs::File::options().append(true).open(&altered).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5))
        .unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(contents(&out), before);
    assert_eq!(with_status(&out, "converted"), ["ZBD/C1/rtexture.zbd:leaf"]);
    assert_eq!(with_status(&out, "copied"), ["ZBD/soundsH.zbd:beep.wav"]);
}

#[test]
fn outputs_of_a_source_that_is_gone_are_deleted() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(out.join("mine.txt"), "not an output").unwrap();
    fs::remove_file(install.input().join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(!out.join("textures").exists());
    assert!(out.join("mine.txt").exists());
    let report = json(&out.join("report.json"));
    assert_eq!(report["removed"].as_array().unwrap().len(), 3);
}

#[test]
fn a_partial_run_keeps_the_rest() {
    let install = Install::new();
    let out = install.out("out");
    let only = ["--only", "**/soundsH.zbd/CON.wav"];
    convert(&install.input(), &out, &only).assert().success();
    assert_eq!(
        files(&out),
        [
            "manifest.json",
            "report.json",
            "sounds/zbd/soundsh/_con.wav"
        ]
    );
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(with_status(&out, "unchanged"), ["ZBD/soundsH.zbd:CON.wav"]);
    let whole = contents(&out);
    convert(&install.input(), &out, &["--only", "*.txt"])
        .assert()
        .success();
    assert_eq!(contents(&out), whole);
    convert(&install.input(), &out, &[]).assert().success();
    assert!(with_status(&out, "converted").is_empty());
    assert!(with_status(&out, "copied").is_empty());
}

#[test]
fn a_killed_run_goes_on_from_its_journal() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let whole = contents(&out);
    // What a killed process leaves: outputs and journal, neither manifest nor report.
    let manifest = json(&out.join("manifest.json"));
    let finished: Vec<&Json> = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|output| output["path"].as_str().unwrap().ends_with("leaf.png"))
        .collect();
    let line = serde_json::json!({
        "key": finished[0]["key"],
        "outputs": finished,
        "report": {"member": "leaf", "asset": "textures", "status": "converted",
                   "outputs": [finished[0]["path"]]},
    });
    fs::create_dir_all(out.join(".relicast")).unwrap();
    let journal = format!("{line}\n{{\"key\": \"cut sh");
    fs::write(out.join(".relicast/journal.jsonl"), journal).unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    fs::remove_file(out.join("report.json")).unwrap();
    let half = out.join("textures/zbd/c1/rtexture/sign.png.relicast-part");
    fs::write(half, "half").unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(with_status(&out, "unchanged"), ["ZBD/C1/rtexture.zbd:leaf"]);
    assert!(!out.join(".relicast").exists());
    assert_eq!(contents(&out), whole);
}

#[test]
fn force_redoes_everything() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    convert(&install.input(), &out, &["--force"])
        .assert()
        .success();
    assert!(with_status(&out, "unchanged").is_empty());
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

fn riff_of_nothing() -> Vec<u8> {
    let wave = Wave::new(
        &Format::pcm(1, 11_025, 8),
        Vec::new(),
        Blob::from(vec![128]),
    )
    .unwrap();
    riff::encode(&wave).unwrap()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_can_go_on() {
    use std::process::{Command, Stdio};

    let install = Install::new();
    for number in 0..400 {
        install.write(&format!("ZBD/more/rtexture{number}.zbd"), &textures());
    }
    let out = install.out("out");
    let program = assert_cmd::cargo::cargo_bin!("relicast");
    let mut child = Command::new(program)
        .arg("convert")
        .arg(install.input())
        .args(["-q", "--jobs", "1", "--out"])
        .arg(&out)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !out.join(".relicast").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    let status = child.wait().unwrap();
    assert!(
        matches!(status.code(), Some(0 | 130)),
        "a run that was over before the signal ends with 0: {status}"
    );
    let manifest = json(&out.join("manifest.json"));
    assert_eq!(manifest["complete"], status.code() == Some(0));
    for output in manifest["outputs"].as_array().unwrap() {
        let bytes = fs::read(out.join(output["path"].as_str().unwrap())).unwrap();
        assert_eq!(output["blake3"], blake3::hash(&bytes).to_hex().as_str());
    }
    let done = manifest["outputs"].as_array().unwrap().len();
    convert(&install.input(), &out, &["-q"]).assert().success();
    let fresh = install.out("fresh");
    convert(&install.input(), &fresh, &["-q"])
        .assert()
        .success();
    assert_eq!(contents(&out), contents(&fresh));
    if status.code() == Some(130) {
        let reused = with_status(&out, "unchanged").len();
        assert_eq!(reused, done, "what was finished is not done again");
    }
}

#[test]
fn golden_hashes_tell_what_kind_of_content_differs() {
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
        "different  textures/zbd/c1/rtexture/sign.png: colour",
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
