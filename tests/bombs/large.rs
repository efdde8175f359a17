//! Plain files that are far larger than any of a game: their size is counted before their bytes are taken.

use std::fs::{self, File};
use std::io::Write;

use super::run;

/// Size of each file: four times what a part may take with [`SETTINGS`].
const SIZE: u64 = 128 << 20;

const SETTINGS: &str = "[limits]\nmemory_mib = 64\n";

/// Memory of the program: no file as a whole has room in it.
const ALLOWED: u64 = 96 << 20;

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
    assert_eq!(ended.code, Some(2), "{}", ended.told);
    assert!(ended.allocated < ALLOWED, "{} MiB", ended.allocated >> 20);
    for (name, _) in files {
        let mut lines = ended.told.lines();
        assert!(
            lines.any(|line| line.contains(&format!("{name}:"))),
            "{name}: {}",
            ended.told
        );
    }
}
