//! `relicast report`: writes the report of a run as a page for people.

use std::path::PathBuf;

use super::output_folder;
use super::own_files;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use crate::gallery::report_page;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder of a run.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Page to write: one file without scripts, small enough to mail.
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
}

/// Runs `report`.
pub fn run(arguments: &Arguments) -> Exit {
    if let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    if let Err(error) = own_files::check_place(&arguments.html, arguments.force) {
        return usage(error);
    }
    let page = match report_page(&arguments.out) {
        Ok(page) => page,
        Err(error) => return usage(error),
    };
    let (path, length) = (&arguments.html, page.len());
    match own_files::write(&[(path.clone(), page.into_bytes())], arguments.force) {
        Ok(()) => {
            print_line(&format!("{length} bytes in {}", path.display()));
            Exit::Success
        }
        Err(error) => usage(error),
    }
}
