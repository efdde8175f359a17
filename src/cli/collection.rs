//! `relicast collection`: builds one index over the output folders of many discs.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::progress::with_bar;
use crate::collection::disc::Disc;
use crate::collection::index::Index;
use crate::collection::{Options, collect, write};
use crate::pipeline::report::Status;
use relicast_codec::quantity::{bytes, counted, thousands};

/// Arguments of `collection`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders, or folders that contain them, as `convert --layout source` makes them. They are only
    /// read.
    #[arg(required = true, value_name = "OUT")]
    outs: Vec<PathBuf>,
    /// Folder for `index.html` and `collection.json`; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Name of the collection.
    #[arg(long, value_name = "NAME", default_value = "Collection")]
    name: String,
    /// Path of a disc's gallery page: relative to its output folder, or with {name} for the name of the folder.
    /// Linked if the page exists.
    #[arg(long, value_name = "PATTERN", default_value = "gallery/index.html")]
    gallery: String,
    /// Path of a disc's `prove --json` result, in the same notation. Default: {name}.prove.json next to the
    /// output folder.
    #[arg(long, value_name = "PATTERN")]
    proofs: Option<String>,
    /// Print errors only.
    #[arg(short, long)]
    quiet: bool,
}

/// Runs `collection`.
pub fn run(arguments: &Arguments) -> Exit {
    let options = Options {
        name: arguments.name.clone(),
        gallery: arguments.gallery.clone(),
        proofs: arguments.proofs.clone(),
    };
    let collected = with_bar(arguments.quiet, |bar| {
        collect(&arguments.outs, &arguments.to, &options, bar)
    });
    let written = collected.and_then(|index| write(&index, &arguments.to).map(|()| index));
    let index = match written {
        Ok(index) => index,
        Err(error) => return usage(error),
    };
    if !arguments.quiet {
        print(&index, arguments);
    }
    match index.is_good() {
        true => Exit::Success,
        false => Exit::Failures,
    }
}

fn print(index: &Index, arguments: &Arguments) {
    for disc in &index.discs {
        print_line(&line(disc));
    }
    let totals = &index.totals;
    print_line(&format!(
        "{}, {} completely converted, {} proved; {}, {}; {} without duplicates",
        counted(totals.discs, "disc", "discs"),
        thousands(totals.whole),
        thousands(totals.proved),
        counted(totals.outputs, "output", "outputs"),
        bytes(totals.output_bytes),
        bytes(totals.content_bytes)
    ));
    print_line(&format!(
        "index in {}",
        arguments.to.join(crate::collection::PAGE_NAME).display()
    ));
}

fn line(disc: &Disc) -> String {
    let mut line = format!("{:<13}  {}", disc.state.label(), disc.name);
    if disc.title != disc.name {
        line.push_str(&format!(" ({})", disc.title));
    }
    if disc.outputs > 0 {
        line.push_str(&format!(
            ": {} converted, {} skipped, {} failed, {} lost, {}, {} only here",
            disc.converted(),
            disc.count(Status::Skipped),
            disc.count(Status::Failed),
            disc.lost(),
            disc.proved.label(),
            disc.unique.count
        ));
    }
    if let Some(reason) = &disc.reason {
        line.push_str(&format!("; {reason}"));
    }
    line
}
