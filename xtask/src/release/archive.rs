//! Archives of a release: the program with what belongs to it, packed the same way each time.
//!
//! Entries are sorted by name, have no owner, and have the time of the commit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use clap_complete::Shell;
use flate2::Compression;
use flate2::write::GzEncoder;
use relicast::cli::command;
use relicast::cli::help::man;
use relicast_samples::disc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::system::{Packing, System};
use crate::Outcome;
use crate::process::workspace;

/// The version of a release.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files of the project that are in every archive.
const FILES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "SECURITY.md",
    "pipeline.toml",
];

/// A file of an archive.
#[derive(Debug)]
struct Row {
    /// Its path in the archive, separated by `/`.
    path: String,
    bytes: Vec<u8>,
    is_program: bool,
}

/// The folder in the archive for a system, and its file's name without the extension.
pub fn name(system: &System) -> String {
    format!("relicast-{VERSION}-{}", system.triple)
}

/// The name of the archive for a system.
pub fn file_name(system: &System) -> String {
    let ending = match system.packing {
        Packing::TarGz => "tar.gz",
        Packing::Zip => "zip",
    };
    format!("{}.{ending}", name(system))
}

/// The name of the archive with the sample disc.
pub fn sample_name() -> String {
    format!("relicast-{VERSION}-sample-disc.zip")
}

/// Packs a program with its manual, completions, documents and `papers`, and returns the path of the archive.
///
/// # Errors
/// A file cannot be read or written.
pub fn pack(
    system: &System,
    program: &Path,
    papers: &[PathBuf],
    folder: &Path,
) -> Outcome<PathBuf> {
    let mut rows = vec![Row {
        path: system.program().to_owned(),
        bytes: fs::read(program)?,
        is_program: true,
    }];
    for name in FILES {
        rows.push(row(name.to_owned(), fs::read(workspace().join(name))?));
    }
    for entry in fs::read_dir(workspace().join("docs"))? {
        let entry = entry?;
        let name = format!("docs/{}", entry.file_name().to_string_lossy());
        rows.push(row(name, fs::read(entry.path())?));
    }
    for paper in papers {
        let name = paper.file_name().unwrap_or_default().to_string_lossy();
        rows.push(row(name.into_owned(), fs::read(paper)?));
    }
    for (name, page) in man::pages(command())? {
        rows.push(row(format!("man/{name}"), page.into_bytes()));
    }
    for &shell in Shell::value_variants() {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), "relicast", &mut text);
        rows.push(row(format!("completions/relicast.{shell}"), text));
    }
    let inside = name(system);
    for row in &mut rows {
        row.path = format!("{inside}/{}", row.path);
    }
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let path = folder.join(file_name(system));
    let packed = match system.packing {
        Packing::TarGz => tar_gz(&rows)?,
        Packing::Zip => zip(&rows)?,
    };
    fs::write(&path, packed)?;
    Ok(path)
}

/// Packs the sample disc, with which new users can try the program.
///
/// # Errors
/// A file cannot be written.
pub fn pack_sample(folder: &Path) -> Outcome<PathBuf> {
    let files = disc::files()?.into_iter();
    let mut rows: Vec<_> = files
        .map(|file| row(format!("sample-disc/{}", file.path), file.bytes))
        .collect();
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let path = folder.join(sample_name());
    fs::write(&path, zip(&rows)?)?;
    Ok(path)
}

fn row(path: String, bytes: Vec<u8>) -> Row {
    Row {
        path,
        bytes,
        is_program: false,
    }
}

fn tar_gz(rows: &[Row]) -> Outcome<Vec<u8>> {
    let time = time_of_commit();
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for row in rows {
        let mut header = tar::Header::new_gnu();
        header.set_size(row.bytes.len() as u64);
        header.set_mode(if row.is_program { 0o755 } else { 0o644 });
        header.set_mtime(time);
        archive.append_data(&mut header, &row.path, &*row.bytes)?;
    }
    Ok(archive.into_inner()?.finish()?)
}

fn zip(rows: &[Row]) -> Outcome<Vec<u8>> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for row in rows {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(if row.is_program { 0o755 } else { 0o644 });
        archive.start_file(&row.path, options)?;
        archive.write_all(&row.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Seconds since 1970 of the current commit, or of `SOURCE_DATE_EPOCH`; zero if neither is known.
pub fn time_of_commit() -> u64 {
    if let Some(given) = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|text| text.parse().ok())
    {
        return given;
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"])
        .current_dir(workspace());
    let said = git.output().ok();
    let said = said.and_then(|said| String::from_utf8(said.stdout).ok());
    said.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_the_same_each_time_and_hold_every_row() {
        let rows = [
            row("a/b.txt".to_owned(), b"text".to_vec()),
            Row {
                path: "a/program".to_owned(),
                bytes: vec![7; 100_000],
                is_program: true,
            },
        ];
        let packed = tar_gz(&rows).unwrap();
        assert_eq!(packed, tar_gz(&rows).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*packed));
        let mut modes = Vec::new();
        for entry in archive.entries().unwrap() {
            modes.push(entry.unwrap().header().mode().unwrap());
        }
        assert_eq!(modes, [0o644, 0o755]);

        let packed = zip(&rows).unwrap();
        assert_eq!(packed, zip(&rows).unwrap());
        let archive = zip::ZipArchive::new(std::io::Cursor::new(packed)).unwrap();
        let names = archive.file_names();
        let names: Vec<_> = names.map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, ["a/b.txt", "a/program"]);
    }
}
