//! Plain files and manifests that are far larger than any of a game: their memory is counted before it is
//! allocated.

use relicast_testing::test;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use super::run;

/// Size of each file: four times the memory of an item with [`SETTINGS`].
const SIZE: u64 = 128 << 20;

const SETTINGS: &str = "[limits]\nmemory_mib = 64\n";

/// Memory of the program: less than any whole file.
const ALLOWED: u64 = 96 << 20;

/// Memory of a command that reads a manifest which it refuses.
const ALLOWED_DOCUMENT: u64 = 400 << 20;

#[test]
fn plain_files_are_counted_before_their_bytes_are_taken() {
    let scratch = tempfile::tempdir().unwrap();
    let place = |name: &str| scratch.path().join(name);
    fs::create_dir(place("game")).unwrap();
    fs::write(place("limits.toml"), SETTINGS).unwrap();
    let files: [(&str, &[u8]); 10] = [
        ("a.wav", b""),
        ("a.avi", b""),
        ("a.s3d", b""),
        ("a.eqg", b""),
        ("a.zbd", b""),
        ("a.wld", b""),
        ("b.wld", b"\x02\x3d\x50\x54"),
        ("a.emt", b""),
        ("a_sndbnk.eff", b""),
        ("eqstr_en.txt", b""),
    ];
    for (name, start) in files {
        let mut file = File::create(place("game").join(name)).unwrap();
        file.write_all(start).unwrap();
        file.set_len(SIZE).unwrap();
    }
    let [game, out, settings] = ["game", "out", "limits.toml"].map(place);
    let [game, out, settings] = [&game, &out, &settings].map(|path| path.to_str().unwrap());
    let ended = run(&[
        "convert", game, "--out", out, "--config", settings, "--jobs", "2",
    ]);
    assert_eq!(ended.code, Some(2), "{}", ended.printed);
    assert!(ended.allocated < ALLOWED, "{} MiB", ended.allocated >> 20);
    for (name, _) in files {
        let mut lines = ended.printed.lines();
        assert!(
            lines.any(|line| line.contains(&format!("{name}:"))),
            "{name}: {}",
            ended.printed
        );
    }
}

/// Begins the manifest of an output folder.
fn begun(out: &Path) -> BufWriter<File> {
    fs::create_dir(out).unwrap();
    let mut file = BufWriter::new(File::create(out.join("manifest.json")).unwrap());
    let start =
        r#"{"converter": "x", "config_digest": "", "complete": true, "sources": [], "outputs": ["#;
    file.write_all(start.as_bytes()).unwrap();
    file
}

#[test]
fn manifests_of_more_rows_than_any_install_has_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    let mut file = begun(&out);
    let row = r#"{"path":"","blake3":"","size":0,"kind":"worlds","source":"","range":{"start":0,"end":0},"converter":"","config_digest":"","key":""}"#;
    for _ in 0..600_000 {
        writeln!(file, "{row},").unwrap();
    }
    writeln!(file, "{row}]}}").unwrap();
    drop(file);
    let ended = run(&["verify", out.to_str().unwrap()]);
    assert_eq!(ended.code, Some(1), "{}", ended.printed);
    for part in [
        "manifest.json",
        "384 MiB",
        "limits.memory_mib",
        "a new folder",
    ] {
        assert!(ended.printed.contains(part), "{part}: {}", ended.printed);
    }
    assert!(ended.peak < ALLOWED_DOCUMENT, "{} MiB", ended.peak >> 20);
}

#[test]
fn manifests_of_hundreds_of_megabytes_are_refused_by_all_who_read_them() {
    let scratch = tempfile::tempdir().unwrap();
    let place = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let out = place("out");
    let file = begun(Path::new(&out)).into_inner().unwrap();
    file.set_len(300 << 20).unwrap();
    fs::create_dir(place("game")).unwrap();
    fs::write(place("game/detail.zrd"), "( DETAIL 3 )").unwrap();
    let (game, to) = (place("game"), place("to"));
    for arguments in [
        &["verify", &out][..],
        &["report", &out, "--html", &to],
        &["pack", &out, "--from", &game, "--to", &to],
        &["gallery", &out, "--to", &to],
        &["package", &out, "--bagit", "--to", &to],
        &["diff", &out, &game],
        &["serve", &out, "--port", "0"],
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(1), "{arguments:?}: {}", ended.printed);
        for part in ["manifest.json", "256 MiB", "limits.memory_mib", "300 MiB"] {
            assert!(
                ended.printed.contains(part),
                "{arguments:?}, {part}: {}",
                ended.printed
            );
        }
        assert!(ended.peak < ALLOWED_DOCUMENT, "{} MiB", ended.peak >> 20);
    }
}
