//! Tells the program what it is built from. In a release, `RELICAST_VERSION` is the version of the
//! package, a plus sign and the commit, `-modified` behind it when files of the program differ from that
//! commit; `unknown` stands for a commit that nobody tells: outside git, from an archive of sources.
//! A development build names a digest of the sources instead, so that a commit does not rebuild it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the program is built from.
const PARTS: [&str; 5] = [
    "src",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
    "pipeline.toml",
];

/// Digits of a commit that are told.
const DIGITS: usize = 12;

fn main() {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let source = match env::var("PROFILE").as_deref() {
        Ok("release") => by_git()
            .or_else(by_package)
            .unwrap_or_else(|| "unknown".to_owned()),
        _ => format!("development-{:016x}", by_sources()),
    };
    println!("cargo::rustc-env=RELICAST_VERSION={version}+{source}");
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
    }
}

/// A digest (FNV-1a, 64 bits) of the names and bytes of all files of the program.
fn by_sources() -> u64 {
    let mut paths: Vec<PathBuf> = PARTS.iter().map(PathBuf::from).collect();
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => paths.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let mut digest = 0xCBF2_9CE4_8422_2325_u64;
    for path in files {
        let bytes = fs::read(&path).unwrap_or_default();
        for byte in path.to_string_lossy().bytes().chain([0]).chain(bytes) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    digest
}

/// What git says in the folder of the package.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The commit of the repository that the package is a part of.
fn by_git() -> Option<String> {
    // Sources that were unpacked inside a repository of something else are not of its commit.
    git(&["ls-files", "--error-unmatch", "Cargo.toml", "build.rs"])?;
    let commit = git(&["rev-parse", "HEAD"])?;
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"])?;
    for name in ["HEAD", "packed-refs", &branch] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let mut arguments = vec!["status", "--porcelain", "--"];
    arguments.extend(PARTS);
    let modified = !git(&arguments)?.is_empty();
    let commit = commit.get(..DIGITS)?;
    Some(match modified {
        true => format!("{commit}-modified"),
        false => commit.to_owned(),
    })
}

/// The commit that `cargo package` wrote down.
fn by_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let digits = rest.split('"').nth(1)?.get(..DIGITS)?;
    let is_commit = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| digits.to_owned())
}
