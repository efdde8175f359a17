//! `relicast diff`: compares two output folders, installs, disc images or files.

use std::path::PathBuf;

use super::inspect::json::print_document;
use super::own_files;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use crate::golden::diff::result::{Compared, Diff, Named};
use crate::golden::diff::{diff, diff_page};
use relicast_codec::quantity::{counted, thousands};

/// Arguments of `diff`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder, install, disc image or file to compare.
    #[arg(value_name = "A")]
    before: PathBuf,
    /// Output folder, install, disc image or file to compare it with. Installs are decoded with the default
    /// settings; nothing is written.
    #[arg(value_name = "B")]
    after: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Also write the comparison as one HTML file, with pictures that differ side by side.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace an existing HTML file.
    #[arg(long, requires = "html")]
    force: bool,
    /// Print only the counts.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

/// Runs `diff`.
pub fn run(arguments: &Arguments) -> Exit {
    let (before, after) = (&arguments.before, &arguments.after);
    if let Some(file) = &arguments.html
        && let Err(error) = own_files::check_place(file, arguments.force)
    {
        return usage(error);
    }
    let compared = match &arguments.html {
        None => diff(before, after).map(|diff| (diff, None)),
        Some(file) => diff_page(before, after).map(|(diff, page)| (diff, Some((file, page)))),
    };
    let (diff, page) = match compared {
        Ok(compared) => compared,
        Err(error) => return usage(error),
    };
    if let Some((file, page)) = page
        && let Err(error) = own_files::write(&[(file.clone(), page.into_bytes())], arguments.force)
    {
        return usage(error);
    }
    if arguments.json {
        if let failed @ (Exit::Usage | Exit::Internal) = print_document(&diff) {
            return failed;
        }
    } else {
        print(&diff, arguments.quiet);
    }
    match diff.is_same() {
        true => Exit::Success,
        false => Exit::Failures,
    }
}

fn print(diff: &Diff, quiet: bool) {
    if !quiet {
        for changed in &diff.changed {
            let (before, after) = (name(&changed.before), name(&changed.after));
            let place = match changed.before.path == changed.after.path {
                true => after,
                false => format!("{before} -> {after}"),
            };
            print_line(&format!("changed  {place}: {}", changed.change));
        }
        for moved in &diff.moved {
            let (before, after) = (name(&moved.before), name(&moved.after));
            print_line(&format!("moved    {before} -> {after}"));
        }
        for (word, only) in [("only A", &diff.only_before), ("only B", &diff.only_after)] {
            for one in only {
                print_line(&format!("{word}   {}", name(one)));
            }
        }
    }
    for (word, side) in [("A", &diff.before), ("B", &diff.after)] {
        print_side(word, side, quiet);
    }
    print_line(&format!(
        "{} the same, {} moved, {} changed, {} only in A, {} only in B",
        thousands(diff.same as u64),
        thousands(diff.moved.len() as u64),
        thousands(diff.changed.len() as u64),
        thousands(diff.only_before.len() as u64),
        thousands(diff.only_after.len() as u64)
    ));
}

fn print_side(word: &str, side: &Compared, quiet: bool) {
    if !quiet {
        for path in &side.missing {
            print_line(&format!("missing in {word}: {path}"));
        }
    }
    if !side.missing.is_empty() {
        let count = side.missing.len();
        print_line(&format!(
            "{} in the manifest of {word}",
            counted(count, "missing output", "missing outputs")
        ));
    }
    if side.failed > 0 {
        print_line(&format!(
            "{} of {word} could not be decoded",
            counted(side.failed, "item", "items")
        ));
    }
}

/// Path of an output, followed by its stored name.
fn name(named: &Named) -> String {
    match &named.member {
        Some(member) => format!("{} ({member})", named.path),
        None => named.path.clone(),
    }
}
