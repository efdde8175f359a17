//! BagIt 1.0 (RFC 8493): tag files of a bag, and checking a bag.
//!
//! ```
//! use relicast::package::bagit::{escape, unescape};
//!
//! assert_eq!(escape("100%\n"), "100%25%0A");
//! assert_eq!(unescape("100%25%0A"), "100%\n");
//! ```

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use walkdir::WalkDir;

use super::digest::{self, Digests};
use super::facts::Payload;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::manifest::CONVERTER;

/// The file that makes a folder a bag.
pub const DECLARATION: &str = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";

/// Folder of the payload, with a slash at the end.
pub const PAYLOAD: &str = "data/";

/// An algorithm of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Sha256,
    Sha512,
}

impl Algorithm {
    pub(super) const ALL: [Self; 2] = [Self::Sha256, Self::Sha512];

    /// Its name in the file names of manifests.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    fn of(self, digests: &Digests) -> &str {
        match self {
            Self::Sha256 => &digests.sha256,
            Self::Sha512 => &digests.sha512,
        }
    }
}

/// A path in the notation of manifests: only CR, LF and the percent sign are encoded.
pub fn escape(path: &str) -> Cow<'_, str> {
    if !path.contains(['%', '\r', '\n']) {
        return Cow::Borrowed(path);
    }
    let path = path.replace('%', "%25");
    Cow::Owned(path.replace('\r', "%0D").replace('\n', "%0A"))
}

/// The path that a manifest names.
pub fn unescape(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut text = String::with_capacity(path.len());
    let mut pieces = path.split('%');
    text.extend(pieces.next());
    for piece in pieces {
        let codes = [
            ("25", '%'),
            ("0D", '\r'),
            ("0d", '\r'),
            ("0A", '\n'),
            ("0a", '\n'),
        ];
        let decoded = codes.iter().find_map(|&(code, character)| {
            let rest = piece.strip_prefix(code)?;
            Some((character, rest))
        });
        let (character, rest) = decoded.unwrap_or(('%', piece));
        text.push(character);
        text.push_str(rest);
    }
    Cow::Owned(text)
}

/// The manifest of these files, whose paths begin with `prefix`.
pub(super) fn manifest(files: &[Payload], prefix: &str, algorithm: Algorithm) -> String {
    let lines = files.iter().map(|file| {
        let path = format!("{prefix}{}", file.path);
        format!("{}  {}\n", algorithm.of(&file.digests), escape(&path))
    });
    lines.collect()
}

/// The text of `bag-info.txt`.
pub(super) fn info(payload: &[Payload], date: Option<Timestamp>) -> String {
    let bytes: u64 = payload.iter().map(|file| file.digests.size).sum();
    let date = date.map(|date| format!("Bagging-Date: {}\n", day(date)));
    format!(
        "Bag-Software-Agent: relicast {CONVERTER}\n{}Payload-Oxum: {bytes}.{}\n",
        date.unwrap_or_default(),
        payload.len()
    )
}

/// The day of a time, in UTC.
pub(super) fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// Result of checking a bag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedBag {
    /// Number of files whose hashes are all correct.
    pub equal: usize,
    /// Faults, sorted.
    pub faults: Vec<String>,
}

/// True if a folder is a bag.
pub fn is_bag(folder: &Path) -> bool {
    folder.join("bagit.txt").is_file()
}

/// Reads a bag and compares every file with every manifest: payload, tag files and the count of bytes.
///
/// # Errors
/// The folder cannot be listed, or its declaration cannot be read.
pub fn check(bag: &Path, observer: &dyn Observer) -> io::Result<CheckedBag> {
    let mut faults = Vec::new();
    let declaration = fs::read_to_string(bag.join("bagit.txt"))?;
    if declaration.replace("\r\n", "\n").trim_end() != DECLARATION.trim_end() {
        faults.push("bagit.txt: expected a declaration of version 1.0 in UTF-8".to_owned());
    }
    let files = files_below(bag)?;
    let is_payload = |path: &&String| path.starts_with(PAYLOAD);
    let payload: BTreeSet<&String> = files.iter().filter(is_payload).collect();
    let mut expected: BTreeMap<String, Vec<(Algorithm, String)>> = BTreeMap::new();
    let mut manifests = 0;
    for algorithm in Algorithm::ALL {
        for (kind, is_tag) in [("manifest", false), ("tagmanifest", true)] {
            let name = format!("{kind}-{}.txt", algorithm.name());
            let Ok(text) = fs::read_to_string(bag.join(&name)) else {
                continue;
            };
            let listed = lines(&name, &text, is_tag, &mut faults);
            if !is_tag {
                manifests += 1;
                let unlisted = payload.iter().filter(|path| !listed.contains_key(**path));
                faults.extend(unlisted.map(|path| format!("extra      {path}: not in {name}")));
            }
            for (path, sum) in listed {
                expected.entry(path).or_default().push((algorithm, sum));
            }
        }
    }
    if manifests == 0 {
        faults.push("no manifest of SHA-256 or SHA-512".to_owned());
    }
    let mut equal = 0;
    let mut bytes = 0;
    let stage = Stage::start(
        observer,
        "verify",
        expected.len() as u64,
        expected.len() as u64,
    );
    for (path, sums) in &expected {
        match stage.item(path, 1, || compare(bag, path, sums, &files)) {
            Ok(size) => {
                equal += 1;
                bytes += if path.starts_with(PAYLOAD) { size } else { 0 };
            }
            Err(fault) => faults.push(fault),
        }
    }
    stage.finish();
    if faults.is_empty()
        && let Some(fault) = wrong_count(bag, bytes, payload.len())
    {
        faults.push(fault);
    }
    faults.sort();
    faults.dedup();
    Ok(CheckedBag { equal, faults })
}

/// The paths and checksums of a manifest.
fn lines(
    name: &str,
    text: &str,
    is_tag: bool,
    faults: &mut Vec<String>,
) -> BTreeMap<String, String> {
    let mut listed = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let parts = line.split_once([' ', '\t']);
        let parts = parts.map(|(sum, path)| (sum, path.trim_start_matches([' ', '\t', '*'])));
        let below = |path: &str| {
            path.split('/').all(|part| !matches!(part, "" | "." | ".."))
                && path.starts_with(PAYLOAD) != is_tag
        };
        match parts.map(|(sum, path)| (sum, unescape(path))) {
            Some((sum, path)) if below(&path) => {
                let sum = sum.to_ascii_lowercase();
                if listed.insert(path.clone().into_owned(), sum).is_some() {
                    faults.push(format!("{name}: line {number}: {path} is listed twice"));
                }
            }
            _ => faults.push(format!(
                "{name}: line {number}: expected a checksum and a path"
            )),
        }
    }
    listed
}

/// Checks a file against its checksums and returns its size.
fn compare(
    bag: &Path,
    path: &str,
    sums: &[(Algorithm, String)],
    files: &BTreeSet<String>,
) -> Result<u64, String> {
    if !files.contains(path) {
        return Err(format!("missing    {path}"));
    }
    let read = File::open(bag.join(path)).and_then(|file| digest::copy(file, &mut io::sink()));
    let digests = read.map_err(|fault| format!("changed    {path}: cannot be read: {fault}"))?;
    match sums
        .iter()
        .find(|(algorithm, sum)| algorithm.of(&digests) != sum)
    {
        None => Ok(digests.size),
        Some((algorithm, _)) => Err(format!("changed    {path}: wrong {}", algorithm.name())),
    }
}

/// Compares the stored count of bytes and files, if any. Returns the fault.
fn wrong_count(bag: &Path, bytes: u64, files: usize) -> Option<String> {
    let info = fs::read_to_string(bag.join("bag-info.txt")).ok()?;
    let declared = info
        .lines()
        .find_map(|line| line.strip_prefix("Payload-Oxum:"))?;
    let found = format!("{bytes}.{files}");
    let declared = declared.trim();
    (declared != found).then(|| format!("bag-info.txt: Payload-Oxum is {declared}, found {found}"))
}

/// The files below a folder, with forward slashes. Links are not followed.
fn files_below(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts = relative.components();
            let parts: Vec<_> = parts
                .map(|part| part.as_os_str().to_string_lossy())
                .collect();
            found.insert(parts.join("/"));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::progress::Unobserved;

    #[test]
    fn only_line_breaks_and_percent_signs_are_encoded() {
        assert_eq!(escape("a b/ü~"), "a b/ü~");
        assert_eq!(escape("%0A\r\n"), "%250A%0D%0A");
        assert_eq!(unescape("%250A%0d%0a"), "%0A\r\n");
    }

    #[test]
    fn manifests_cannot_lead_out_of_the_bag() {
        let mut faults = Vec::new();
        let text = "00  data/../x\n00  /data/x\n00 *data/a\n00  bagit.txt\n00\n";
        let listed = lines("m", text, false, &mut faults);
        assert_eq!(listed.keys().collect::<Vec<_>>(), ["data/a"]);
        assert_eq!(faults.len(), 4);
    }

    #[test]
    fn a_bag_without_manifests_is_none() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_bag(folder.path()));
        fs::write(folder.path().join("bagit.txt"), DECLARATION).unwrap();
        let checked = check(folder.path(), &Unobserved).unwrap();
        assert_eq!(checked.faults, ["no manifest of SHA-256 or SHA-512"]);
    }
}
