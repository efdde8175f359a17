//! `relicast report`: what a run did, as a page for people.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::lines::{print_line, usage};
use crate::gallery::report_page;
use crate::pipeline::atomic::write_atomically;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of a run.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The page to write: one file without scripts, small enough for a mail.
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
}

/// Runs `report`.
pub fn run(arguments: &Arguments) -> Exit {
    let page = match report_page(&arguments.out) {
        Ok(page) => page,
        Err(error) => return usage(error),
    };
    let path = &arguments.html;
    let written = match arguments.force {
        true => write_atomically(path, page.as_bytes()),
        false => write_new(path, page.as_bytes()),
    };
    match written {
        Ok(()) => {
            print_line(&format!("{} bytes in {}", page.len(), path.display()));
            Exit::Success
        }
        Err(fault) if fault.kind() == std::io::ErrorKind::AlreadyExists => usage(format_args!(
            "{} exists; --force replaces it",
            path.display()
        )),
        Err(fault) => usage(format_args!("cannot write {}: {fault}", path.display())),
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}
