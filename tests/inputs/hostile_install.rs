//! Installs with damaged files among good ones: the program names the fault and its place, converts the rest,
//! and writes only into its output folder.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;
use relicast_testing::test;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use common::{convert, json};
use relicast::formats::codec::{Blob, PaddedText};
use relicast::formats::riff::{self, Format, Wave};
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::messages::write::{Flavor, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, ImageHeader, Package};
use serde_json::Value;
use tempfile::TempDir;

/// The reader `(7)`.
const READER: [u8; 16] = [4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];

/// An input folder, and room for an output folder next to it.
struct Install {
    folder: TempDir,
}

impl Install {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join("in").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        fs::create_dir_all(folder.path().join("in")).unwrap();
        Self { folder }
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn convert(&self, arguments: &[&str]) -> Assert {
        convert(&self.input(), &self.out(), arguments).assert()
    }

    fn report(&self) -> Value {
        json(&self.out().join("report.json"))
    }

    /// Returns the report's entry of a source, or of its member of this name.
    fn fate(&self, path: &str, member: Option<&str>) -> Value {
        let report = self.report();
        let sources = report["sources"].as_array().unwrap();
        let source = sources.iter().find(|source| source["path"] == path);
        let source = source.unwrap_or_else(|| panic!("no {path} in the report"));
        match member {
            None => source.clone(),
            Some(member) => {
                let mut parts = source["parts"].as_array().unwrap().iter();
                let part = parts.find(|part| part["member"] == member);
                part.unwrap_or_else(|| panic!("no {member} in {path}"))
                    .clone()
            }
        }
    }
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeSet<String> {
    fn visit(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(root, &path, found);
            } else {
                let relative = path.strip_prefix(root).unwrap();
                found.insert(relative.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let mut found = BTreeSet::new();
    visit(folder, folder, &mut found);
    found
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

fn pack(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let entries = members.iter().map(|(name, data)| {
        let mut field = [0; 64];
        field[..name.len()].copy_from_slice(name);
        Entry {
            row: Row {
                name: PaddedText(field),
                ..Row::default()
            },
            data: Blob::borrowed(data),
            ..Entry::default()
        }
    });
    let archive = Archive {
        entries: entries.collect(),
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

fn scripts() -> Vec<u8> {
    let file = Interp {
        scripts: vec![Script {
            lines: vec![Line::from_tokens(["run", "c1"])],
            ..Script::default()
        }],
        ..Interp::default()
    };
    interp::encode(&file).unwrap()
}

fn wav() -> Vec<u8> {
    let wave = Wave::new(&Format::pcm(1, 22050, 8), vec![], vec![128; 32].into()).unwrap();
    riff::encode(&wave).unwrap()
}

fn textures(names: &[&str]) -> Vec<u8> {
    let image = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | ImageFlags::OPAQUE,
            width: 2,
            height: 1,
            ..ImageHeader::default()
        },
        texels: Blob::borrowed(&[1, 2, 3, 4]),
        ..Image::default()
    };
    let rows = names.iter().map(|name| package::Row {
        name: PaddedText::new(name).unwrap(),
        start: 0,
        palette_index: -1,
    });
    let file = Package {
        directory: package::Directory {
            header: package::Header {
                version: 1,
                ..package::Header::default()
            },
            rows: rows.collect(),
            palettes: vec![],
        },
        images: vec![image; names.len()],
        ..Package::default()
    };
    package::encode(&file).unwrap()
}

fn messages() -> Vec<u8> {
    let image = MessageImage {
        flavor: Flavor::MessageTable,
        lead: Lead::Short,
        export_name: Some("ZLocGetID".to_owned()),
        language: Language {
            language_id: 1033,
            code_page: 1252,
            entries: vec![Message {
                key: Some("MSG_A".to_owned()),
                id: 1,
                value: Some("text".to_owned()),
                raw: None,
            }],
        },
    };
    write(&image).unwrap()
}

#[test]
fn damaged_files_are_reported_and_the_rest_is_converted() {
    let good_sounds = pack(&[(b"a.wav", &wav()), (b"b.wav", &wav())]);
    let bad_readers = pack(&[
        (b"good.zrd", &READER),
        (
            b"bad.zrd",
            &[4, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0],
        ),
        (b"last.zrd", &READER),
    ]);
    let mut bad_textures = textures(&["one", "two", "three"]);
    // The second image claims more texels than the file has.
    let second = 24 + 3 * 40 + 20;
    bad_textures[second + 4..second + 8].fill(0xFF);
    let cut = scripts();
    let cut = &cut[..cut.len() - 6];
    let mut bad_dll = messages();
    bad_dll[0x40] = b'X';
    let install = Install::new(&[
        ("zbd/soundsh.zbd", &good_sounds),
        ("zbd/readerc1.zbd", &bad_readers),
        ("zbd/rtexture.zbd", &bad_textures),
        ("zbd/interp.zbd", cut),
        ("zbd/soundsl.zbd", &good_sounds[..good_sounds.len() - 3]),
        ("mech3msg.dll", &bad_dll),
        ("good.dll", &messages()),
        ("cut.wav", &wav()[..40]),
        ("liar.wav", b"RIFF\xFF\xFF\xFF\x7FWAVEfmt \xFF\xFF\xFF\x7F"),
    ]);
    let run = install.convert(&["-q"]).code(2);
    let stderr = stderr(&run);
    // File, member, field and offset, what was expected and what was found.
    let faults: [(&str, Option<&str>, &[&str]); 7] = [
        (
            "zbd/readerc1.zbd",
            Some("bad.zrd"),
            &["value[0].kind at byte 8", "expected 1 (integer)", "found 9"],
        ),
        (
            "zbd/rtexture.zbd",
            Some("two"),
            &["texels at byte 180", "bytes", "left"],
        ),
        (
            "zbd/interp.zbd",
            None,
            &[
                "scripts[0].lines[0].text at byte 148",
                "expected 7 bytes",
                "left",
            ],
        ),
        (
            "zbd/soundsl.zbd",
            None,
            &["footer at byte", "found neither"],
        ),
        ("mech3msg.dll", None, &["pe headers at byte 64"]),
        (
            "cut.wav",
            None,
            &["chunks at byte 12", "expected a chunk data"],
        ),
        ("liar.wav", None, &["fmt", "bytes"]),
    ];
    for (path, member, words) in faults {
        let mut fate = install.fate(path, member);
        if member.is_none() && fate["reason"].is_null() {
            fate = fate["parts"][0].clone();
        }
        assert_eq!(fate["status"], "failed", "{path}: {fate}");
        let reason = fate["reason"]["text"].as_str().unwrap();
        let line = stderr
            .lines()
            .find(|line| line.contains(path) && line.contains(reason))
            .unwrap_or_else(|| panic!("{path}: {reason} is not in {stderr}"));
        assert!(member.is_none_or(|member| line.contains(member)), "{line}");
        for word in words {
            assert!(reason.contains(word), "{path}: {word} is not in {reason}");
        }
    }
    assert_eq!(stderr.lines().count(), faults.len(), "{stderr}");
    for (path, member) in [
        ("zbd/soundsh.zbd", Some("a.wav")),
        ("zbd/soundsh.zbd", Some("b.wav")),
        ("zbd/readerc1.zbd", Some("good.zrd")),
        ("zbd/readerc1.zbd", Some("last.zrd")),
        ("zbd/rtexture.zbd", Some("one")),
        ("zbd/rtexture.zbd", Some("three")),
        ("good.dll", None),
    ] {
        let mut fate = install.fate(path, member);
        if member.is_none() {
            fate = fate["parts"][0].clone();
        }
        let status = fate["status"].as_str().unwrap();
        assert!(["converted", "copied"].contains(&status), "{path}: {fate}");
        for output in fate["outputs"].as_array().unwrap() {
            assert!(install.out().join(output.as_str().unwrap()).is_file());
        }
    }
    // Nothing of the damaged parts is left, and the manifest lists exactly what is there.
    let manifest = json(&install.out().join("manifest.json"));
    let mut listed: BTreeSet<String> = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["path"].as_str().unwrap().to_owned())
        .collect();
    listed.extend(["manifest.json", "report.json"].map(str::to_owned));
    assert_eq!(files(&install.out()), listed);
    assert!(
        !listed
            .iter()
            .any(|path| path.contains("bad") || path.contains("two"))
    );
    // A second run does not forget what is wrong.
    install.convert(&["-q"]).code(2);
}

#[test]
fn nothing_is_written_outside_the_output_folder() {
    let names: Vec<Vec<u8>> = vec![
        b"..\\..\\evil.zrd".to_vec(),
        b"../../evil.zrd".to_vec(),
        b"../../../../../../../../evil.zrd".to_vec(),
        b"C:\\evil.zrd".to_vec(),
        b"\\\\server\\share\\evil.zrd".to_vec(),
        b"/evil.zrd".to_vec(),
        b"..".to_vec(),
        b".".to_vec(),
        b"".to_vec(),
        b"nul.zrd".to_vec(),
        b"a\x1b[2J\r\n\x07.zrd".to_vec(),
        b"evil.zrd:stream".to_vec(),
        b"trailing. . ".to_vec(),
        vec![b'n'; 64],
        vec![0xFF; 64],
    ];
    let members: Vec<(&[u8], &[u8])> = names.iter().map(|name| (&**name, &READER[..])).collect();
    let images: Vec<&str> = vec!["..\\..\\evil", "../evil", "/evil", "con", "..", ""];
    let install = Install::new(&[
        ("zbd/reader.zbd", &pack(&members)),
        ("zbd/texture.zbd", &textures(&images)),
    ]);
    let before = files(&install.input());
    install.convert(&["-q"]).code(0);
    assert_eq!(files(&install.input()), before);
    let top: BTreeSet<String> = fs::read_dir(install.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(top, BTreeSet::from(["in", "out"].map(str::to_owned)));
    let outputs = files(&install.out());
    let pictures = outputs.iter().filter(|path| path.ends_with(".png"));
    assert_eq!(pictures.count(), images.len());
    let mut folded = BTreeSet::new();
    for path in &outputs {
        assert!(folded.insert(path.to_lowercase()), "{path} twice");
        for part in path.split('/') {
            assert!(!part.contains(['\\', ':', '*', '?', '"', '<', '>', '|']));
            assert!(!part.chars().any(char::is_control), "{part:?}");
            assert!(part != ".." && part != "." && !part.is_empty());
            assert!(!part.ends_with(['.', ' ']), "{part:?}");
            let stem = part.split('.').next().unwrap();
            assert!(!["con", "nul"].contains(&stem), "{part:?}");
        }
    }
}

#[test]
fn empty_and_foreign_folders_are_usage_errors() {
    for files in [
        &[][..],
        &[("readme.txt", &b"text"[..]), ("a/setup.exe", b"MZ")],
    ] {
        let install = Install::new(files);
        let run = install.convert(&[]).code(1);
        let said = stderr(&run);
        for word in ["zbd", "wav", "nothing to convert", "folder of the game"] {
            assert!(said.to_lowercase().contains(word), "{said}");
        }
        assert!(!install.out().exists());
    }
    let install = Install::new(&[]);
    convert(&install.input().join("missing"), &install.out(), &[])
        .assert()
        .code(1);
    assert!(!install.out().exists());
}

#[test]
fn every_truncation_of_a_file_is_reported_and_none_stops_the_run() {
    let whole = pack(&[(b"a.zrd", &READER), (b"b.wav", &wav())]);
    let cuts: Vec<(String, &[u8])> = (1..whole.len())
        .step_by(7)
        .map(|length| (format!("cut{length:03}.zbd"), &whole[..length]))
        .collect();
    let mut files: Vec<(&str, &[u8])> = cuts.iter().map(|(name, cut)| (&**name, *cut)).collect();
    files.push(("whole.zbd", &whole));
    let install = Install::new(&files);
    install.convert(&["-q"]).code(2);
    for (name, _) in &cuts {
        assert_eq!(install.fate(name, None)["status"], "failed", "{name}");
    }
    for member in ["a.zrd", "b.wav"] {
        let status = install.fate("whole.zbd", Some(member))["status"].clone();
        assert!(status == "converted" || status == "copied", "{status}");
    }
}

#[test]
fn strict_runs_fail_on_what_others_keep() {
    let mut odd = scripts();
    odd.extend(b"behind");
    let install = Install::new(&[("interp.zbd", &odd)]);
    install.convert(&["-q"]).code(0);
    let fate = install.fate("interp.zbd", None);
    let first = fate["parts"][0]["deviations"]["first"][0].as_str().unwrap();
    assert!(first.contains("trailing at byte"), "{first}");
    install.convert(&["-q", "--strict"]).code(2);
}

/// Peak memory of the program in bytes, where the system reports it.
#[cfg(target_os = "linux")]
fn peak_memory(install: &Install) -> u64 {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin!("relicast");
    let mut child = Command::new(program)
        .args(["convert", "-q", "--jobs", "2"])
        .arg(install.input())
        .arg("--out")
        .arg(install.out())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let started = Instant::now();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_in_proportion_to_the_input() {
    // Rows of a table that all claim one large member, and the same for images; wrong counts.
    let large = vec![b'x'; 1 << 20];
    let mut members: Vec<(&[u8], &[u8])> = vec![(b"large.zrd", &large)];
    members.extend((0..2000).map(|_| (&b"row.zrd"[..], &b""[..])));
    let mut shared = pack(&members);
    for row in shared[large.len()..].chunks_exact_mut(Row::SIZE) {
        row[..4].fill(0);
        row[4..8].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    }
    let names = vec!["t"; 2000];
    let mut images = textures(&names);
    let first = 24 + 2000 * 40;
    images[first + 4..first + 8].copy_from_slice(&[0x00, 0x20, 2, 0]);
    for row in 0..2000 {
        let place = 24 + row * 40 + 32;
        images[place..place + 4].copy_from_slice(&u32::try_from(first).unwrap().to_le_bytes());
    }
    let mut counts = scripts();
    counts[8..12].fill(0x7F);
    let install = Install::new(&[
        ("readers.zbd", &shared),
        ("texture.zbd", &images),
        ("interp.zbd", &counts),
    ]);
    let peak = peak_memory(&install);
    assert!(peak > 0 && peak < 256 << 20, "{peak} bytes");
    let written: u64 = files(&install.out())
        .iter()
        .filter(|path| !path.ends_with("manifest.json") && !path.ends_with("report.json"))
        .map(|path| fs::metadata(install.out().join(path)).unwrap().len())
        .sum();
    let read = (shared.len() + images.len() + counts.len()) as u64;
    assert!(written < 4 * read, "{written} bytes written of {read}");
}
