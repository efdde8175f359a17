//! `cargo xtask validate`: the Khronos glTF validator over files and folders.
//!
//! The validator is a package of npm; see [`npm`].

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

use crate::Outcome;
use crate::npm;
use crate::process::workspace;

/// Maximum number of messages printed for a code.
const SHOWN: u64 = 3;

/// Remarks that are no fault of a file, with reasons.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "IMAGE_NPOT_DIMENSIONS",
        "pictures keep the size that the games store; none is resampled",
    ),
    (
        "INCOMPLETE_EXTENSION_SUPPORT",
        "settings asked for KHR_animation_pointer, which the validator knows in part",
    ),
    (
        "NODE_EMPTY",
        "a node that shows nothing and has no child is a marker of the game: a point to fire from, an \
         attachment",
    ),
    (
        "UNSUPPORTED_EXTENSION",
        "settings asked for an extension that the validator does not know",
    ),
    (
        "UNUSED_OBJECT",
        "scenes.embed_cycles keeps pictures that surfaces show later; a second set of texture coordinates \
         is for shaders (scenes.layers)",
    ),
];

/// Validate glTF files; errors and warnings fail.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Files, or folders that are searched for .gltf and .glb files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// Messages of the validator, by severity (`error`, `warning`, `info`, `hint`) and code.
#[derive(Debug, Default)]
pub struct Findings {
    /// Number of files it read.
    pub files: u64,
    counts: BTreeMap<(u8, String), Count>,
}

/// The messages of one code.
#[derive(Debug, Default)]
struct Count {
    severity: String,
    total: u64,
    examples: Vec<String>,
}

impl Findings {
    /// Number of errors and warnings.
    pub fn failures(&self) -> u64 {
        let grave = self.counts.iter().filter(|((rank, _), _)| *rank < 2);
        grave.map(|(_, count)| count.total).sum()
    }

    /// Codes of remarks without an explanation in [`EXPLAINED`].
    pub fn unexplained(&self) -> Vec<&str> {
        let known = |code: &str| EXPLAINED.iter().any(|(known, _)| *known == code);
        let remarks = self.counts.keys().filter(|(rank, _)| *rank >= 2);
        let codes = remarks.map(|(_, code)| code.as_str());
        codes.filter(|code| !known(code)).collect()
    }

    fn take(&mut self, line: &str) -> Outcome {
        let report: Value = serde_json::from_str(line)?;
        let text =
            |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_owned();
        self.files += 1;
        for message in report["messages"].as_array().into_iter().flatten() {
            let severity = text(message, "severity");
            let rank = match severity.as_str() {
                "error" => 0,
                "warning" => 1,
                "info" => 2,
                _ => 3,
            };
            let count = self
                .counts
                .entry((rank, text(message, "code")))
                .or_default();
            count.severity = severity;
            count.total += 1;
            if count.total <= SHOWN {
                count.examples.push(format!(
                    "{} {}: {}",
                    text(&report, "file"),
                    text(message, "pointer"),
                    text(message, "message")
                ));
            }
        }
        Ok(())
    }

    /// Prints the counts by code, most severe first, with a few examples each.
    pub fn print(&self) {
        for ((_, code), count) in &self.counts {
            println!("{} {code}: {}", count.severity, count.total);
            if let Some((_, why)) = EXPLAINED.iter().find(|(known, _)| known == code) {
                println!("  ({why})");
            }
            for example in &count.examples {
                println!("  {example}");
            }
        }
        println!(
            "{} files validated, {} errors and warnings",
            self.files,
            self.failures()
        );
    }
}

/// Runs the command.
///
/// # Errors
/// There is nothing to validate, no node or npm, or the validator found errors or warnings.
pub fn run_validate(arguments: &Arguments) -> Outcome {
    let mut files = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err("no .gltf or .glb file found".into());
    }
    let findings = validate(&files)?;
    findings.print();
    match findings.failures() {
        0 => Ok(()),
        count => Err(format!("{count} errors and warnings").into()),
    }
}

/// Adds a file, or every glTF file below a folder in the order of names.
///
/// # Errors
/// The path cannot be read.
pub fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    if !fs::metadata(path).map_err(cannot_read)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(cannot_read)? {
        entries.push(entry?.path());
    }
    entries.sort();
    for entry in entries {
        let extension = entry.extension().and_then(|extension| extension.to_str());
        if entry.is_dir() || matches!(extension, Some("gltf" | "glb")) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// Validates files, installing the validator first if need be.
///
/// # Errors
/// node or npm is missing, or the validator cannot be installed or run.
pub fn validate(files: &[PathBuf]) -> Outcome<Findings> {
    let modules = npm::ensure("validator")?;
    let mut command = Command::new("node");
    command
        .arg(workspace().join("xtask/validator/validate.cjs"))
        .arg(&modules);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped
        .spawn()
        .map_err(|error| format!("cannot run node: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        for file in files {
            writeln!(input, "{}", std::path::absolute(file)?.display())?;
        }
    }
    let output = child.wait_with_output()?;
    let mut findings = Findings::default();
    for line in String::from_utf8(output.stdout)?.lines() {
        findings.take(line)?;
    }
    if !output.status.success() || findings.files != files.len() as u64 {
        return Err("the validator did not run to its end".into());
    }
    Ok(findings)
}
