//! An ffmpeg that is missing, crashes, hangs, or is stopped.

use relicast_testing::{skip, test};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{convert, files, json};
use crate::video::support::{folder, settings};

/// First lines of every fake ffmpeg.
const VERSION: &str = "#!/bin/sh\n\
    case \"$*\" in *-version*) echo 'ffmpeg version fake-1 Copyright'; exit 0;; esac\n";

/// A video, a sound, settings that lead to a fake ffmpeg, and room for outputs.
struct Scene {
    input: TempDir,
    out: TempDir,
    tools: TempDir,
}

impl Scene {
    fn new(script: &str) -> Self {
        let scene = Self {
            input: folder(&["a.avi", "b.avi"]),
            out: tempfile::tempdir().unwrap(),
            tools: tempfile::tempdir().unwrap(),
        };
        let wave = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0data\x02\0\0\0\x80\x81";
        fs::write(scene.input.path().join("c.wav"), wave).unwrap();
        let program = scene.program();
        fs::write(&program, format!("{VERSION}{script}")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        scene
    }

    fn program(&self) -> PathBuf {
        self.tools.path().join("ffmpeg")
    }

    fn config(&self) -> String {
        let text = format!(
            "[video]\nffmpeg = {:?}\nstall_seconds = 1\n",
            self.program()
        );
        settings(self.tools.path(), &text)
    }

    fn run(&self) -> assert_cmd::assert::Assert {
        let config = self.config();
        convert(self.input.path(), self.out.path(), &["--config", &config]).assert()
    }

    fn part(&self, name: &str) -> Value {
        let report = json(&self.out.path().join("report.json"));
        let sources = report["sources"].as_array().unwrap();
        let source = sources
            .iter()
            .find(|source| source["path"] == name)
            .unwrap();
        source["parts"][0].clone()
    }

    /// The sound was converted, and nothing else is in the output folder.
    fn only_the_sound_is_there(&self) {
        let expected = ["manifest.json", "report.json", "sounds/c.wav"];
        assert_eq!(files(self.out.path()), expected);
    }
}

/// Waits until a condition is true.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Leaves a beginning of each output under its temporary name.
const BEGIN: &str = "for word in \"$@\"; do case \"$word\" in *.relicast-part)\
    echo begun > \"${word#file:}\";; esac; done\n";

#[test]
fn a_crash_fails_one_file_with_the_last_words() {
    let script = format!(
        "{BEGIN}echo '[info] working' >&2\necho '[avi @ 0x55] [error] chunk 7 is broken' >&2\n\
         echo '[info] video:0kB' >&2\nexit 69\n"
    );
    let scene = Scene::new(&script);
    scene.run().code(2);
    for name in ["a.avi", "b.avi"] {
        let part = scene.part(name);
        assert_eq!(part["status"], "failed");
        let reason = part["reason"]["text"].as_str().unwrap();
        assert!(reason.contains("avi: chunk 7 is broken"), "{reason}");
        assert!(reason.contains("69"), "{reason}");
    }
    scene.only_the_sound_is_there();
}

#[test]
fn a_standstill_is_ended() {
    // Lines without progress are no progress.
    let script = format!("{BEGIN}while true; do echo '[info] still here' >&2; sleep 0.1; done\n");
    let scene = Scene::new(&script);
    let start = Instant::now();
    scene.run().code(2);
    assert!(start.elapsed() < Duration::from_secs(30));
    let reason = scene.part("a.avi")["reason"].to_string();
    assert!(reason.contains("no progress for 1 s"), "{reason}");
    assert!(reason.contains("still here"), "{reason}");
    scene.only_the_sound_is_there();
}

#[test]
fn success_without_frames_is_a_failure() {
    let scene = Scene::new(&format!("{BEGIN}exit 0\n"));
    scene.run().code(2);
    let reason = scene.part("a.avi")["reason"].to_string();
    assert!(reason.contains("no frame could be decoded"), "{reason}");
    scene.only_the_sound_is_there();
}

#[test]
fn without_ffmpeg_videos_are_skipped_and_made_up_for_later() {
    let scene = Scene::new("exit 1\n");
    let run = || {
        convert(scene.input.path(), scene.out.path(), &[])
            .env("PATH", "/missing")
            .assert()
            .code(0)
    };
    let said = String::from_utf8(run().get_output().stdout.clone()).unwrap();
    assert!(
        said.contains("2 skipped: no ffmpeg: ffmpeg was not found"),
        "{said}"
    );
    assert_eq!(scene.part("a.avi")["status"], "skipped");
    assert_eq!(scene.part("a.avi")["reason"]["code"], "no_ffmpeg");
    scene.only_the_sound_is_there();
    // The next run looks again.
    let again = String::from_utf8(run().get_output().stdout.clone()).unwrap();
    assert!(!again.contains("nothing to do"), "{again}");
    let program = scene.program();
    fs::remove_file(&program).unwrap();
    scene.run().code(0);
    let reason = scene.part("a.avi")["reason"].to_string();
    assert!(
        reason.contains("video.ffmpeg") && reason.contains("not found"),
        "{reason}"
    );
}

#[test]
fn a_flood_is_no_progress() {
    for flood in [
        // Lines other than of frames, one frame again and again, and no line at all.
        "yes",
        "yes '0,          5,          5,        1,    57600, ba44'",
        "cat /dev/zero",
        "yes >&2",
        "cat /dev/zero >&2",
    ] {
        let scene = Scene::new(&format!("{BEGIN}{flood}\n"));
        let start = Instant::now();
        scene.run().code(2);
        assert!(start.elapsed() < Duration::from_secs(60), "{flood}");
        let reason = scene.part("a.avi")["reason"].to_string();
        assert!(reason.contains("no progress for 1 s"), "{flood}: {reason}");
        scene.only_the_sound_is_there();
    }
}

#[test]
fn what_ffmpeg_leaves_running_ends_with_it() {
    if !Path::new("/proc/self").exists() {
        skip("no /proc");
    }
    let scene = Scene::new("");
    let log = scene.tools.path().join("ids");
    // It holds both pipes, and would for minutes.
    let script = format!(
        "{VERSION}{BEGIN}sleep 600 &\necho $! >> '{}'\nexit 3\n",
        log.display()
    );
    fs::write(scene.program(), script).unwrap();
    scene.run().code(2);
    let ids = fs::read_to_string(&log).unwrap();
    assert_eq!(ids.lines().count(), 2);
    for id in ids.lines() {
        wait_for("what was left running ends", || !lives(id));
    }
}

/// A run of the scene; its output is discarded.
fn start(scene: &Scene) -> std::process::Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
    command.arg("convert").arg(scene.input.path());
    command.arg("--out").arg(scene.out.path());
    command.args(["--config", &scene.config(), "--jobs", "2"]);
    command.stderr(Stdio::null()).stdout(Stdio::null());
    command.spawn().unwrap()
}

fn signal(run: &std::process::Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &run.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_takes_ffmpeg_with_it() {
    let scene = Scene::new("");
    let log = scene.tools.path().join("ids");
    // Progress without end, so that nothing but the kill ends it.
    let script = format!("{VERSION}echo $$ >> '{}'\nexec sleep 600\n", log.display());
    fs::write(scene.program(), script).unwrap();
    let patient = scene.config().replace("settings.toml", "patient.toml");
    let text = fs::read_to_string(scene.config()).unwrap();
    fs::write(
        &patient,
        text.replace("stall_seconds = 1", "stall_seconds = 600"),
    )
    .unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
    command.arg("convert").arg(scene.input.path());
    command.arg("--out").arg(scene.out.path());
    command.args(["--config", &patient, "--jobs", "2"]);
    command.stderr(Stdio::null()).stdout(Stdio::null());
    let mut run = command.spawn().unwrap();
    let ids = || fs::read_to_string(&log).unwrap_or_default();
    wait_for("ffmpeg starts", || ids().lines().count() >= 1);
    signal(&run, "-KILL");
    run.wait().unwrap();
    for id in ids().lines() {
        wait_for("ffmpeg ends", || !lives(id));
    }
}

#[test]
fn an_interrupt_does_not_wait_for_a_version() {
    let scene = Scene::new("");
    let log = scene.tools.path().join("asked");
    let script = format!("#!/bin/sh\necho asked > '{}'\nsleep 600\n", log.display());
    fs::write(scene.program(), script).unwrap();
    let mut run = start(&scene);
    wait_for("the version is asked for", || log.exists());
    let start = Instant::now();
    signal(&run, "-INT");
    assert_eq!(run.wait().unwrap().code(), Some(130));
    // Under a second by itself; the rest is for a machine that is busy.
    assert!(
        start.elapsed() < Duration::from_secs(8),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(scene.part("a.avi")["reason"]["code"], "cancelled");
}

/// True if a process exists.
fn lives(id: &str) -> bool {
    Path::new("/proc").join(id.trim()).join("cmdline").exists()
        && fs::read(Path::new("/proc").join(id.trim()).join("cmdline"))
            .is_ok_and(|it| !it.is_empty())
}

#[test]
fn an_interrupt_ends_ffmpeg_and_leaves_nothing_half_done() {
    if !Path::new("/proc/self").exists() {
        skip("no /proc");
    }
    let scene = Scene::new("");
    let log = scene.tools.path().join("ids");
    // A child of the script must end as well.
    let script = format!(
        "{VERSION}{BEGIN}sleep 600 &\necho $$ $! >> '{}'\nwait\n",
        log.display()
    );
    fs::write(scene.program(), script).unwrap();
    let text = format!(
        "[video]\nffmpeg = {:?}\nstall_seconds = 600\n",
        scene.program()
    );
    let config = settings(scene.tools.path(), &text);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
    command
        .arg("convert")
        .arg(scene.input.path())
        .arg("--out")
        .arg(scene.out.path());
    command.args(["--config", &config, "--jobs", "2"]);
    let mut run = command
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ids = || fs::read_to_string(&log).unwrap_or_default();
    wait_for("ffmpeg starts", || ids().lines().count() >= 1);
    wait_for("the sound is converted", || {
        scene.out.path().join("sounds/c.wav").is_file()
    });
    let interrupted = Command::new("kill")
        .args(["-INT", &run.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    for id in ids().split_whitespace() {
        wait_for("ffmpeg ends", || !lives(id));
    }
    scene.only_the_sound_is_there();
    assert_eq!(scene.part("a.avi")["reason"]["code"], "cancelled");
}
