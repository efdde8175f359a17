//! Passes the origin of its sources to the program. In a release, `RELICAST_VERSION` is the version of the
//! package, a plus sign and the commit, then `-modified` if files of the program differ from that commit;
//! `unknown` stands for a commit that cannot be found: outside git, from an archive of sources. A development
//! build names a digest of the sources instead, so that a commit does not rebuild it.
//!
//! `RELICAST_COMMIT` and `RELICAST_DATE` are for people: the whole commit and its day in UTC, or the day of
//! `SOURCE_DATE_EPOCH`. The same sources give the same program at any time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Files and folders that the program is built from.
const PARTS: [&str; 7] = [
    "src",
    "crates",
    "gallery/dist",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
    "pipeline.toml",
];

/// Digits of a commit that are shown.
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
    let is_release = env::var("PROFILE").as_deref() == Ok("release");
    let (commit, date) = match is_release {
        true => (whole_commit(), time_of_commit()),
        false => (Some("a development build".to_owned()), None),
    };
    let date = env::var("SOURCE_DATE_EPOCH").ok().or(date);
    let date = date.and_then(|seconds| day(seconds.trim().parse().ok()?));
    let unknown = || "unknown".to_owned();
    let (commit, date) = (commit.unwrap_or_else(unknown), date.unwrap_or_else(unknown));
    println!("cargo::rustc-env=RELICAST_COMMIT={commit}");
    println!("cargo::rustc-env=RELICAST_DATE={date}");
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
    }
    bundle();
}

/// Writes the list of the gallery's files in the browser, with their bytes, for `src/gallery/bundle.rs`.
fn bundle() {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let dist = Path::new(&root).join("gallery").join("dist");
    let names = fs::read_to_string(dist.join("files.txt")).unwrap_or_default();
    let mut rows = String::from("&[\n");
    for name in names.lines().map(str::trim).filter(|name| !name.is_empty()) {
        let path = dist.join(name);
        rows.push_str(&format!(
            "    ({name:?}, include_bytes!({:?})),\n",
            path.display().to_string()
        ));
    }
    rows.push(']');
    let out = env::var("OUT_DIR").unwrap_or_default();
    if let Err(fault) = fs::write(Path::new(&out).join("gallery_bundle.rs"), rows) {
        println!("cargo::error=cannot write the list of the gallery's files: {fault}");
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

/// Output of git in the folder of the package.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The commit of the repository that the package is a part of.
fn by_git() -> Option<String> {
    if !is_of_repository() {
        return None;
    }
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
    Some(packaged_commit()?.get(..DIGITS)?.to_owned())
}

/// All digits of the commit that `cargo package` wrote down.
fn packaged_commit() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let digits = rest.split('"').nth(1)?;
    let is_commit = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| digits.to_owned())
}

/// All digits of the commit that the program is built from.
fn whole_commit() -> Option<String> {
    match is_of_repository() {
        true => git(&["rev-parse", "HEAD"]),
        false => packaged_commit(),
    }
}

/// When that commit was made, in seconds since 1970.
fn time_of_commit() -> Option<String> {
    let show = || git(&["show", "-s", "--format=%ct", "HEAD"]);
    is_of_repository().then(show).flatten()
}

/// True if the sources are those of the repository around them. Sources that were unpacked inside another
/// repository are not of its commit.
fn is_of_repository() -> bool {
    git(&["ls-files", "--error-unmatch", "Cargo.toml", "build.rs"]).is_some()
}

/// The day of a number of seconds since 1970, as year, month and day (Hinnant's algorithm for civil days).
fn day(seconds: i64) -> Option<String> {
    let days = seconds.div_euclid(86_400).checked_add(719_468)?;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March here, so that the day of February 29 is the last.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}
