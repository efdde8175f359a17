//! Inputs and outputs without bounds: deep paths, links that leave the input, pipes in place of documents,
//! files beyond the size limit, containers in containers.

use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use relicast_testing::test;
use serde_json::Value;
use zip::write::SimpleFileOptions;

use crate::common::{convert, files, json, relicast};
use crate::faults::writing::large_wave;
use crate::install::{Install, predicate, riff_of_nothing};

const PATIENCE: Duration = Duration::from_secs(60);

/// A zip archive of these members.
fn zipped(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn sources(out: &Path) -> Vec<Value> {
    let report = json(&out.join("report.json"));
    report["sources"].as_array().unwrap().clone()
}

/// Status and reason of the source whose path ends with `name`.
fn fate(out: &Path, name: &str) -> (String, String) {
    let sources = sources(out);
    let mut found = sources
        .iter()
        .filter(|source| source["path"].as_str().unwrap().ends_with(name));
    let source = found.next().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (text(&source["status"]), text(&source["reason"]["text"]))
}

#[test]
fn a_member_below_thousands_of_folders_fails_alone_in_every_run() {
    let install = Install::new();
    let deep = format!("{}deep.wav", "d/".repeat(8000));
    let bytes = zipped(&[
        (deep, riff_of_nothing()),
        ("whole.wav".to_owned(), riff_of_nothing()),
    ]);
    install.write("patch.zip", &bytes);
    let out = install.out("out");
    for _ in 0..2 {
        convert(&install.input(), &out, &[])
            .timeout(PATIENCE)
            .assert()
            .code(2);
        let (status, reason) = fate(&out, "deep.wav");
        assert_eq!(status, "failed");
        assert!(reason.contains("at most 256 folders"), "{reason}");
        assert!(out.join("sounds/patch/whole.wav").is_file());
    }
}

#[test]
fn links_that_leave_the_input_are_followed_only_when_asked() {
    let install = Install::new();
    let elsewhere = install.out("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("theirs.wav"), riff_of_nothing()).unwrap();
    let input = install.input();
    install.write("own/mine.wav", &riff_of_nothing());
    symlink(&elsewhere, input.join("away")).unwrap();
    symlink(elsewhere.join("theirs.wav"), input.join("file.wav")).unwrap();
    symlink("/proc", input.join("endless")).unwrap();
    symlink("own", input.join("inside")).unwrap();
    symlink("own", input.join("inside-again")).unwrap();
    let out = install.out("out");
    convert(&input, &out, &[])
        .timeout(PATIENCE)
        .assert()
        .success();
    for name in ["away", "file.wav", "endless"] {
        let (status, reason) = fate(&out, name);
        assert_eq!(status, "skipped", "{name}");
        assert!(reason.contains("source.follow_links = true"), "{reason}");
    }
    assert!(!out.join("sounds/away/theirs.wav").exists());
    assert!(out.join("sounds/inside/mine.wav").is_file());
    assert!(fate(&out, "inside-again").1.contains("another link"));
    fs::remove_file(input.join("endless")).unwrap();
    let config = install.out("follow.toml");
    fs::write(&config, "[source]\nfollow_links = true\n").unwrap();
    convert(&input, &out, &["--config", config.to_str().unwrap()])
        .timeout(PATIENCE)
        .assert()
        .success();
    assert!(out.join("sounds/away/theirs.wav").is_file());
    assert!(out.join("sounds/file.wav").is_file());
}

#[test]
fn a_pipe_in_place_of_a_document_keeps_no_command_waiting() {
    let install = Install::new();
    for name in ["manifest.json", "report.json", ".relicast/journal.jsonl"] {
        let out = install.out(&name.replace(['/', '.'], "-"));
        convert(&install.input(), &out, &[]).assert().success();
        let place = out.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&place);
        assert!(
            Command::new("mkfifo")
                .arg(&place)
                .status()
                .unwrap()
                .success()
        );
        let (out, input) = (out.to_str().unwrap(), install.input());
        let to = install.out("to");
        let (input, to) = (input.to_str().unwrap(), to.to_str().unwrap());
        for arguments in [
            vec!["verify", out],
            vec!["report", out],
            vec!["gallery", out, "--to", to],
            vec!["package", out, "--bagit", "--to", to],
            vec!["collection", out, "--to", to],
            vec!["pack", out, "--from", input, "--to", to, "--check"],
            vec!["convert", input, "--out", out],
        ] {
            let mut run = relicast();
            let ended = run.args(&arguments).timeout(PATIENCE).output().unwrap();
            assert!(ended.status.code().is_some(), "{name}: {arguments:?}");
        }
    }
}

#[test]
fn a_file_beyond_the_allowed_size_is_a_failure_and_no_signal() {
    let install = Install::new();
    install.write("big.wav", &large_wave());
    let out = install.out("out");
    let status = Command::new("sh")
        .args(["-c", "ulimit -f 1024; exec \"$@\"", "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("relicast"))
        .arg("convert")
        .arg(install.input())
        .arg("--out")
        .arg(&out)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(out.join("report.json").is_file());
}

#[test]
fn a_full_standard_output_is_reported_by_all_that_print_documents() {
    let install = Install::new();
    install.write("a.wav", &riff_of_nothing());
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let path = install.input().join("a.wav");
    for more in [&["--json"][..], &[]] {
        let ended = Command::new(assert_cmd::cargo::cargo_bin!("relicast"))
            .arg("inspect")
            .arg(&path)
            .args(more)
            .stdout(full())
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(1), "{more:?}");
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(
            message.contains("cannot write to standard output"),
            "{message}"
        );
    }
}

#[test]
fn folders_that_are_not_there_are_errors() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let missing = install.out("missing");
    let missing = missing.to_str().unwrap();
    for arguments in [
        &["restore", missing][..],
        &["doctor", missing],
        &[
            "pack",
            out.to_str().unwrap(),
            "--from",
            missing,
            "--in-place",
            "--check",
        ],
    ] {
        relicast()
            .args(arguments)
            .assert()
            .code(1)
            .stderr(predicate("missing"));
    }
    assert!(!Path::new(missing).exists());
}

#[test]
fn archives_within_archives_have_a_limit_and_leave_their_neighbors_alone() {
    let install = Install::new();
    let inner = zipped(&[("a.wav".to_owned(), riff_of_nothing())]);
    let members: Vec<_> = (0..20)
        .map(|number| (format!("{number}.zip"), inner.clone()))
        .collect();
    install.write("many.zip", &zipped(&members));
    install.write("own.wav", &riff_of_nothing());
    let config = install.out("limits.toml");
    fs::write(&config, "[limits]\ncontainers = 12\n").unwrap();
    let out = install.out("out");
    convert(
        &install.input(),
        &out,
        &["--config", config.to_str().unwrap()],
    )
    .assert()
    .code(2);
    let failed: Vec<_> = sources(&out)
        .into_iter()
        .filter(|source| source["status"] == "failed")
        .collect();
    assert_eq!(failed.len(), 8);
    for source in failed {
        let reason = source["reason"]["text"].as_str().unwrap();
        assert!(reason.contains("limits.containers"), "{reason}");
    }
    assert!(out.join("sounds/own.wav").is_file());
}

#[test]
fn an_archive_that_meets_a_limit_is_something_to_convert() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("game");
    fs::create_dir(&input).unwrap();
    let members: Vec<_> = (0..40)
        .map(|number| (format!("{number}.wav"), vec![0; 1 << 16]))
        .collect();
    fs::write(input.join("patch.zip"), zipped(&members)).unwrap();
    let config = folder.path().join("limits.toml");
    fs::write(&config, "[limits]\nunpacked_mib = 1\nexpansion = 1000000\n").unwrap();
    convert(
        &input,
        &folder.path().join("out"),
        &["--config", config.to_str().unwrap()],
    )
    .assert()
    .code(2)
    .stderr(predicate("limits.unpacked_mib"));
}

#[test]
fn nothing_is_written_into_an_install() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = files(&install.input());
    for command in [&["package", "--bagit"][..], &["gallery"], &["collection"]] {
        relicast()
            .args(command)
            .arg(&out)
            .arg("--to")
            .arg(install.input())
            .assert()
            .code(1)
            .stderr(predicate("inside a game install"));
        assert_eq!(files(&install.input()), before, "{command:?}");
    }
}

#[test]
fn a_package_that_was_killed_is_swept_by_the_next_one() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let to = install.out("to");
    for (name, lock) in [
        (".aBcDeF.relicast-part", "relicast-package.lock"),
        (".theirs.relicast-part", "notes.txt"),
    ] {
        fs::create_dir_all(to.join(name).join("package/sounds")).unwrap();
        fs::write(to.join(name).join(lock), "").unwrap();
    }
    relicast()
        .args(["package", "--bagit"])
        .arg(&out)
        .arg("--to")
        .arg(&to)
        .assert()
        .success();
    assert!(!to.join(".aBcDeF.relicast-part").exists());
    assert!(to.join(".theirs.relicast-part/notes.txt").is_file());
    assert!(to.join("out/data/manifest.json").is_file());
}

#[test]
fn outputs_have_paths_that_other_programs_can_open() {
    let install = Install::new();
    let members = [
        (
            format!("{}far.wav", format!("{}/", "n".repeat(150)).repeat(27)),
            riff_of_nothing(),
        ),
        ("near.wav".to_owned(), riff_of_nothing()),
    ];
    install.write("patch.zip", &zipped(&members));
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().code(2);
    assert!(out.join("sounds/patch/near.wav").is_file());
    let far = files(&out)
        .into_iter()
        .filter(|path| path.ends_with("far.wav"));
    assert_eq!(far.count(), 0);
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("at most 4095 bytes"));
    // The rerun comes to the same.
    convert(&install.input(), &out, &[]).assert().code(2);
}

#[test]
fn two_plans_of_one_process_have_limits_of_their_own() {
    use relicast::pipeline::progress::Unobserved;
    use relicast::pipeline::request::Request;
    use relicast::pipeline::run::plan_only;

    let install = Install::new();
    install.write(
        "patch.zip",
        &zipped(&[("whole.wav".to_owned(), riff_of_nothing())]),
    );
    let has_member = |unpacked_mib: u32| {
        let mut request = Request {
            inputs: vec![install.input()],
            ..Request::default()
        };
        request.config.limits.unpacked_mib = unpacked_mib;
        let plan = plan_only(&request, &Unobserved).unwrap();
        let mut paths = plan.files.iter().map(|file| &file.source.path);
        paths.any(|path| path.ends_with("whole.wav"))
    };
    for _ in 0..8 {
        let (tight, wide) = rayon::join(|| has_member(0), || has_member(16));
        assert!(!tight && wide);
    }
}

#[test]
fn a_file_beyond_the_memory_of_a_run_fails_by_the_limit_and_names_the_next_step() {
    let install = Install::new();
    install.write("huge.s3d", b"\x0c\0\0\0PFS \0\0\x02\0");
    let huge = fs::File::options()
        .write(true)
        .open(install.input().join("huge.s3d"));
    huge.unwrap().set_len(600 << 20).unwrap();
    let out = install.out("out");
    let run = convert(&install.input(), &out, &[]).assert().code(2);
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(
        said.contains("600 MiB") && said.contains("relicast config"),
        "{said}"
    );
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let huge = sources.iter().find(|source| source["path"] == "huge.s3d");
    assert_eq!(huge.unwrap()["reason"]["code"], "limit");
}

/// A PNG whose header claims 20,000 pixels in width and height.
fn vast_picture() -> Vec<u8> {
    let chunk = |name: &[u8; 4], payload: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(name);
        sum.update(payload);
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[..], name, payload, &sum.sum().to_be_bytes()].concat()
    };
    let side = 20_000_u32.to_be_bytes();
    let header = [&side[..], &side, &[8, 6, 0, 0, 0]].concat();
    let mut texels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(9));
    texels.write_all(&[0; 1000]).unwrap();
    let parts = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &texels.finish().unwrap()),
        chunk(b"IEND", b""),
    ];
    parts.concat()
}

#[test]
fn edited_outputs_are_held_to_the_memory_of_a_run() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let ending = |ending: &str| {
        let mut all = files(&out).into_iter();
        all.find(|path| path.contains('/') && path.ends_with(ending))
            .unwrap()
    };
    let document = format!("[{}1]", "1,".repeat(30_000_000));
    // A small text whose objects take far more than their letters.
    let objects = format!("[{}1]", "{},".repeat(400_000));
    for (path, bytes) in [
        (ending(".png"), vast_picture()),
        (ending(".json"), document.into_bytes()),
        (ending(".json"), objects.into_bytes()),
    ] {
        let place = out.join(&path);
        let before = fs::read(&place).unwrap();
        fs::write(&place, bytes).unwrap();
        let mut run = relicast();
        run.arg("pack").arg(&out).arg("--from").arg(install.input());
        let ended = run
            .args(["--in-place", "--check"])
            .timeout(PATIENCE)
            .output()
            .unwrap();
        let message = [ended.stdout, ended.stderr].concat();
        let message = String::from_utf8_lossy(&message);
        assert!(!ended.status.success(), "{path}: {message}");
        assert!(message.contains("limits.memory_mib"), "{path}: {message}");
        fs::write(&place, before).unwrap();
    }
}
