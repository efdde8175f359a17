//! `relicast collection`: one index over the output folders of many discs.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::progress::with_bar;
use crate::collection::disc::Disc;
use crate::collection::index::Index;
use crate::collection::{Options, collect, write};
use crate::pipeline::report::Status;
use crate::pipeline::report::quantity::{bytes, count, counted};

/// Arguments of `collection`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders, or folders of such, as `convert --layout source` makes them. They are only read.
    #[arg(required = true, value_name = "OUT")]
    outs: Vec<PathBuf>,
    /// Folder that `index.html` and `collection.json` are written to; made when it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// What the collection is called.
    #[arg(long, value_name = "NAME", default_value = "Collection")]
    name: String,
    /// Where the page of a disc's gallery lies: a path in its folder, or one with {name} for the name of the
    /// folder. Linked when it is there.
    #[arg(long, value_name = "PATTERN", default_value = "gallery/index.html")]
    gallery: String,
    /// Where the result of `prove --json` lies, said in the same way; {name}.prove.json beside the folder
    /// without this.
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
        "{}, {} converted whole, {} proved; {}, {}; {} with each content once",
        counted(totals.discs, "disc"),
        count(totals.whole),
        count(totals.proved),
        counted(totals.outputs, "output"),
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
