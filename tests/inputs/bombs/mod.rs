//! Small files that unfold to far more than they are. The program is run on each of them: it must end in
//! time, within 512 MB, with a failure that names what did not fit, and do everything else.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

mod large;
use crate::watching;
use relicast_testing::test;
mod zipper;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use relicast::formats::everquest::pfs;
use tempfile::TempDir;
use watching::watch;

/// Most memory of a run.
const ALLOWED: u64 = 512 << 20;

/// Longest run, generous for a machine with other work.
const MAX_DURATION: Duration = Duration::from_secs(120);

/// End of a run.
struct Ended {
    code: Option<i32>,
    peak: u64,
    allocated: u64,
    printed: String,
}

/// Runs the program without its output, and watches its memory.
fn run(arguments: &[&str]) -> Ended {
    let mut printed = tempfile::tempfile().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
    command.args(arguments).stdin(Stdio::null());
    command
        .stdout(Stdio::null())
        .stderr(printed.try_clone().unwrap());
    let ended = watch(command.spawn().unwrap(), 2 * ALLOWED, MAX_DURATION);
    let mut text = String::new();
    std::io::Seek::rewind(&mut printed).unwrap();
    std::io::Read::read_to_string(&mut printed, &mut text).unwrap();
    let megabytes = ended.peak >> 20;
    eprintln!("{arguments:?}: {megabytes} MiB");
    Ended {
        code: ended.status.code(),
        peak: ended.peak,
        allocated: ended.allocated,
        printed: text,
    }
}

/// Folder with one file, and room next to it.
struct Bomb {
    folder: TempDir,
    input: PathBuf,
}

impl Bomb {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join(name);
        fs::write(&input, bytes).unwrap();
        Self { folder, input }
    }

    fn input(&self) -> &str {
        self.input.to_str().unwrap()
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// Converts it: the run fails, within bounds, and prints `printed` for `part`.
    fn converts_to_failure(&self, part: &str, printed: &str) {
        let out = self.out();
        let ended = run(&[
            "convert",
            self.input(),
            "--out",
            out.to_str().unwrap(),
            "--quiet",
        ]);
        assert_eq!(ended.code, Some(2), "{part}: {}", ended.printed);
        assert!(ended.peak < ALLOWED, "{part}: {} MiB", ended.peak >> 20);
        let line = ended
            .printed
            .lines()
            .find(|line| line.contains(part) && line.contains(printed));
        assert!(line.is_some(), "{part}: {}", ended.printed);
    }

    /// Converts it: with any result, it stays within bounds.
    fn stays_within_bounds(&self, command: &[&str], codes: &[i32]) {
        let mut arguments = command.to_vec();
        arguments.insert(1, self.input());
        let ended = run(&arguments);
        assert!(
            codes.iter().any(|code| ended.code == Some(*code)),
            "{:?}",
            ended.code
        );
        assert!(
            ended.peak < ALLOWED,
            "{command:?}: {} MiB",
            ended.peak >> 20
        );
    }
}

/// `count` times the same byte as one zlib stream.
fn deflated(byte: u8, count: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(9));
    let piece = vec![byte; 1 << 20];
    let mut left = count;
    while left > 0 {
        let now = left.min(piece.len());
        encoder.write_all(&piece[..now]).unwrap();
        left -= now;
    }
    encoder.finish().unwrap()
}

fn block(deflated: &[u8], inflated: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(u32::try_from(deflated.len()).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(inflated).unwrap().to_le_bytes());
    bytes.extend(deflated);
    bytes
}

/// An archive of one member next to a good one: `head`, then blocks of one byte each, to `size` bytes.
fn archive(name: &str, head: &[u8], byte: u8, size: usize, block_size: usize) -> Vec<u8> {
    let mut packed = pfs::pack(&[(name, b"x"), ("sound.bmp", &bitmap())], None, 6).unwrap();
    let mut blocks = Vec::new();
    if !head.is_empty() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(9));
        encoder.write_all(head).unwrap();
        blocks.extend(block(&encoder.finish().unwrap(), head.len()));
    }
    let rest = size - head.len();
    let whole = block(&deflated(byte, block_size), block_size);
    for _ in 0..rest / block_size {
        blocks.extend_from_slice(&whole);
    }
    let left = rest % block_size;
    if left > 0 {
        blocks.extend(block(&deflated(byte, left), left));
    }
    let entry = packed
        .entries
        .iter_mut()
        .find(|entry| entry.name.as_deref() == Some(name));
    let entry = entry.unwrap();
    entry.row.size = u32::try_from(size).unwrap();
    // Behind everything else, the directory included.
    entry.row.offset = u32::MAX;
    entry.blocks = blocks.into();
    pfs::encode(&packed).unwrap()
}

/// A picture of one white pixel.
fn bitmap() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for word in [
        58_u32,
        0,
        54,
        40,
        1,
        1,
        24 << 16 | 1,
        0,
        0,
        0,
        0,
        0,
        0,
        0x00FF_FFFF,
    ] {
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

fn surface(side: u32) -> Vec<u8> {
    let mut bytes = b"DDS ".to_vec();
    let mut words = [0_u32; 31];
    words[0] = 124;
    words[2] = side;
    words[3] = side;
    words[18] = 32;
    words[19] = 4;
    words[20] = u32::from_le_bytes(*b"DXT1");
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Header of a scene with `count` fragments and no names.
fn scene(count: u32) -> Vec<u8> {
    let words = [0x5450_3D02, 0x0001_5500, count, 0, 0, 0, 0];
    words
        .iter()
        .flat_map(|word: &u32| word.to_le_bytes())
        .collect()
}

fn is_converted(out: &Path) -> bool {
    out.join("textures")
        .join("bomb")
        .join("sound.png")
        .is_file()
}

#[test]
fn a_member_beyond_its_limits_fails_alone_and_before_it_is_inflated() {
    let bytes = archive("bomb_sounds.eff", b"", 0, 255 << 20, 255 << 20);
    assert!(bytes.len() < 300_000);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb_sounds.eff", "limits.part_mib");
    assert!(is_converted(&bomb.out()));
    bomb.stays_within_bounds(&["inspect", "--json"], &[0]);
    bomb.stays_within_bounds(&["inspect"], &[0]);
    bomb.stays_within_bounds(&["prove"], &[2]);
    let bytes = archive("bomb.emt", b"", b'\n', 16 << 20, 16 << 20);
    assert!(bytes.len() < 20_000);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb.emt", "limits.expansion");
    assert!(is_converted(&bomb.out()));
    // A picture of 16,384 × 16,384 pixels.
    let bytes = archive("bomb.dds", &surface(1 << 14), 0, 128 + (128 << 20), 1 << 20);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb.dds", "limits.part_mib");
}

#[test]
fn members_within_the_limits_of_their_size_are_held_to_memory() {
    let bytes = archive("bomb_sounds.eff", b"", 0, 60 << 20, 8192);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb_sounds.eff", "limits.memory_mib");
    assert!(is_converted(&bomb.out()));
    let bytes = archive("bomb.emt", b"", b'\n', 16 << 20, 8192);
    Bomb::new("bomb.s3d", &bytes).converts_to_failure("bomb.emt", "limits.memory_mib");
    let bytes = archive("bomb.dds", &surface(1 << 13), 0, 128 + (32 << 20), 8192);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb.dds", "limits.memory_mib");
    assert!(is_converted(&bomb.out()));
}

#[test]
fn lists_outside_of_archives_are_held_to_memory() {
    let bomb = Bomb::new("bomb.emt", &vec![b'\n'; 16 << 20]);
    bomb.converts_to_failure("bomb.emt", "limits.memory_mib");
    // Twenty million bytes of words; the first names the game.
    let mut text = b"(a ".to_vec();
    text.extend(b"a ".repeat(10_000_000));
    text.push(b')');
    let bomb = Bomb::new("bomb.zrd", &text);
    bomb.converts_to_failure("bomb.zrd", "limits.memory_mib");
}

#[test]
fn scenes_of_very_many_fragments_are_held_to_memory() {
    let count = 20_000_000_u32;
    let bytes = archive("bomb.wld", &scene(count), 0, 28 + 8 * count as usize, 8192);
    Bomb::new("bomb.s3d", &bytes).converts_to_failure("bomb.wld", "limits.part_mib");
    let count = 7_000_000_u32;
    let bytes = archive("bomb.wld", &scene(count), 0, 28 + 8 * count as usize, 8192);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    bomb.converts_to_failure("bomb.wld", "limits.memory_mib");
    assert!(is_converted(&bomb.out()));
}

#[test]
fn a_scene_of_a_million_empty_meshes_is_held_to_memory_and_time() {
    let count = 1_000_000_u32;
    let mut bytes = scene(count);
    let fragment = [&96_u32.to_le_bytes(), &0x36_u32.to_le_bytes(), &[0; 96][..]].concat();
    bytes.extend(fragment.repeat(count as usize));
    bytes.extend([0xFF; 4]);
    let bomb = Bomb::new("bomb.wld", &bytes);
    drop(bytes);
    bomb.converts_to_failure("bomb.wld", "limits.memory_mib");
}

#[test]
fn settings_of_limits_are_heard() {
    let bytes = archive("bomb_sounds.eff", b"", 0, 84 * 90_000, 8192);
    let bomb = Bomb::new("bomb.s3d", &bytes);
    let settings = bomb.folder.path().join("settings.toml");
    let out = bomb.out();
    let convert = |limits: &str| {
        fs::write(&settings, format!("[limits]\n{limits}\n")).unwrap();
        let out = out.to_str().unwrap();
        let settings = settings.to_str().unwrap();
        run(&[
            "convert",
            bomb.input(),
            "--out",
            out,
            "-q",
            "--config",
            settings,
        ])
    };
    let ended = convert("part_mib = 2");
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.printed.contains("limits.part_mib"),
        "{}",
        ended.printed
    );
    let ended = convert("expansion = 10");
    assert!(
        ended.printed.contains("limits.expansion"),
        "{}",
        ended.printed
    );
    let ended = convert("memory_mib = 64");
    assert!(
        ended.printed.contains("limits.memory_mib"),
        "{}",
        ended.printed
    );
    assert_eq!(convert("").code, Some(0));
}

#[test]
fn bombs_side_by_side_share_one_budget() {
    let bomb = Bomb::new("a.s3d", &archive("a_sounds.eff", b"", 0, 60 << 20, 8192));
    let beside = [
        ("b.s3d", archive("b.emt", b"", b'\n', 16 << 20, 8192)),
        (
            "c.s3d",
            archive("c.dds", &surface(1 << 13), 0, 128 + (32 << 20), 8192),
        ),
    ];
    let input = bomb.folder.path().join("install");
    fs::create_dir(&input).unwrap();
    fs::rename(&bomb.input, input.join("a.s3d")).unwrap();
    for (name, bytes) in beside {
        fs::write(input.join(name), bytes).unwrap();
    }
    let out = bomb.out();
    let ended = run(&[
        "convert",
        input.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--quiet",
        "--jobs",
        "4",
    ]);
    assert_eq!(ended.code, Some(2), "{}", ended.printed);
    assert!(ended.peak < ALLOWED, "{} MiB", ended.peak >> 20);
    for part in ["a_sounds.eff", "b.emt", "c.dds"] {
        let mut lines = ended.printed.lines();
        let is_printed =
            lines.any(|line| line.contains(part) && line.contains("limits.memory_mib"));
        assert!(is_printed, "{part}: {}", ended.printed);
    }
}

#[test]
fn large_files_around_the_outputs_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("install"), folder.path().join("out"));
    fs::create_dir(&input).unwrap();
    let wave = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x22\x56\0\0\x02\0\x10\0data\x02\0\0\0\0\0";
    fs::write(input.join("step.wav"), wave).unwrap();
    for number in 0..3 {
        let film = fs::File::create(folder.path().join(format!("holiday-{number}.mov")));
        film.unwrap().set_len(400 << 20).unwrap();
    }
    let ended = run(&[
        "convert",
        input.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--quiet",
    ]);
    assert_eq!(ended.code, Some(0), "{}", ended.printed);
    assert!(ended.allocated < 100 << 20, "{} MiB", ended.allocated >> 20);
}
