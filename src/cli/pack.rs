//! `relicast pack`: edited outputs back into game files.

use std::path::PathBuf;

use globset::{Glob, GlobSet, GlobSetBuilder};

use super::exit::Exit;
use super::lines::{print_line, usage};
use super::log::remark;
use crate::pack::{Packed, Request, pack};

/// Arguments of `pack`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder in which outputs were edited.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The install that it was made from; it is only read.
    #[arg(long, value_name = "INSTALL")]
    from: PathBuf,
    /// Folder that the game files that change are written to; made when it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Only edited outputs whose path matches; may be repeated.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Tell what would happen and write nothing.
    #[arg(long)]
    check: bool,
}

/// Runs `pack`.
pub fn run(arguments: &Arguments) -> Exit {
    let only = match globs(&arguments.only) {
        Ok(only) => only,
        Err(error) => return usage(error),
    };
    let request = Request {
        only,
        check: arguments.check,
        ..Request::new(&arguments.out, &arguments.from, &arguments.to)
    };
    match pack(&request) {
        Ok(packed) => print(&packed, arguments),
        Err(error) => usage(error),
    }
}

fn globs(patterns: &[String]) -> Result<Option<GlobSet>, globset::Error> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern)?);
    }
    set.build().map(Some)
}

fn print(packed: &Packed, arguments: &Arguments) -> Exit {
    for edit in &packed.edits {
        let member = edit.member.as_deref().map(|member| format!("/{member}"));
        let into = format!("{}{}", edit.source, member.unwrap_or_default());
        let rounding = edit.rounding.as_deref().unwrap_or("as edited");
        print_line(&format!("{} -> {into}: {rounding}", edit.output));
    }
    for path in &packed.missing {
        remark(
            "missing",
            &format!("{path} is gone; what it was made from stays in the game"),
        );
    }
    for path in &packed.removed {
        print_line(&format!("deleted {path}: nothing of it is edited any more"));
    }
    if !packed.refused.is_empty() {
        for (path, reason) in &packed.refused {
            remark("refused", &format!("{path} cannot go back: {reason}"));
        }
        remark(
            "nothing_written",
            "nothing was written; choose the others with --only to pack these",
        );
        return Exit::Failures;
    }
    let done = match arguments.check {
        true => "would be written to",
        false => "written to",
    };
    for (path, size) in &packed.files {
        print_line(&format!("{path}: {size} bytes"));
    }
    print_line(&format!(
        "{} edits in {} game files, {done} {}",
        packed.edits.len(),
        packed.files.len(),
        arguments.to.display()
    ));
    Exit::Success
}
