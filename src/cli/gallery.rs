//! `relicast gallery`: writes the gallery of an output folder as static files.

use std::path::{Path, PathBuf};

use super::output_folder;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::remark;
use super::terminal::progress::with_bar;
use super::terminal::wording::size;
use crate::config::Embed;
use crate::gallery::{self, GalleryError, Options};
use relicast_codec::quantity::{counted, thousands};

/// Arguments of `gallery`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder of a run.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Folder for the gallery, with copies of the outputs. Default: `gallery` in the output folder, which shows
    /// the outputs in place.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Outputs to embed for pages that are opened as files, without a server: none (lists, pictures and movies
    /// still work), models (also sounds and documents) or all.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    embed: Embed,
}

/// Runs `gallery`.
pub fn run(arguments: Arguments) -> Exit {
    if let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    let options = Options {
        to: arguments.to,
        embed: arguments.embed,
        by_run: false,
    };
    write(&arguments.out, &options, false)
}

/// Removes the gallery of an earlier run when the settings disable it, and lists the files that remain.
pub(super) fn remove(out: &Path, quiet: bool) -> Exit {
    match gallery::remove(out) {
        Ok((removed, kept)) => {
            for path in kept {
                print_line(&format!("left       {path}: changed since it was written"));
            }
            if removed > 0 && !quiet {
                print_line(&format!(
                    "removed the gallery of an earlier run ({}), because gallery.enabled is false",
                    counted(removed, "file", "files")
                ));
            }
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

/// Writes a gallery and reports the files.
pub(super) fn write(out: &Path, options: &Options, quiet: bool) -> Exit {
    let written = match with_bar(quiet, |bar| gallery::write(out, options, bar)) {
        Ok(written) => written,
        Err(error @ GalleryError::Foreign { .. }) => {
            remark("refused", &format!("error: {error}"));
            return Exit::Failures;
        }
        Err(error) => return usage(error),
    };
    for path in &written.kept {
        print_line(&format!("left       {path}: changed since it was written"));
    }
    for path in &written.missing {
        print_line(&format!(
            "missing    {path}: the output was deleted or is too large"
        ));
    }
    if !quiet {
        print_line(&format!(
            "{} in {}: {}, {}, {} of them unchanged, {} removed",
            counted(written.assets, "asset", "assets"),
            written.folder.join("index.html").display(),
            counted(written.files, "file", "files"),
            size(written.bytes),
            thousands(written.unchanged as u64),
            thousands(written.removed as u64)
        ));
    }
    match written.missing.is_empty() {
        true => Exit::Success,
        false => Exit::Failures,
    }
}
