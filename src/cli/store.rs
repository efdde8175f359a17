//! `relicast store`: maintains a store that runs share their outputs in.

use relicast_codec::quantity::counted;
use std::path::PathBuf;

use serde::Serialize;

use super::inspect::json::print_document;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::wording::size;
use crate::pipeline::reuse::store::upkeep::{self, Collected, Stats, Verified};

/// Arguments of `store`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Action to perform.
    #[command(subcommand)]
    action: Action,
}

/// Actions on a store.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Delete contents that no output folder uses. Output files stay complete, linked or not.
    Gc(Gc),
    /// Read every content and compare it with its hash.
    Verify(StoreArguments),
    /// Count the contents of the store and the space it saves.
    Stats(StoreArguments),
}

/// Arguments of `store gc`.
#[derive(Debug, clap::Args)]
struct Gc {
    /// Store to clean.
    #[arg(value_name = "DIR")]
    store: PathBuf,
    /// Output folders, or folders that contain them, whose contents are preserved.
    #[arg(long, required = true, num_args = 1.., value_name = "OUT")]
    keep: Vec<PathBuf>,
    /// Show what would be deleted and delete nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Arguments of `store verify` and `store stats`.
#[derive(Debug, clap::Args)]
struct StoreArguments {
    /// Store to read.
    #[arg(value_name = "DIR")]
    store: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Runs `store`.
pub fn run(arguments: &Arguments) -> Exit {
    match &arguments.action {
        Action::Gc(gc) => match upkeep::collect(&gc.store, &gc.keep, gc.dry_run) {
            Ok(collected) => print_result(gc.json, &collected, |collected| {
                print_collected(collected, gc.dry_run);
            }),
            Err(error) => usage(error),
        },
        Action::Stats(arguments) => match upkeep::stats(&arguments.store) {
            Ok(stats) => print_result(arguments.json, &stats, print_stats),
            Err(error) => usage(error),
        },
        Action::Verify(arguments) => match upkeep::verify(&arguments.store) {
            Ok(verified) => {
                let exit = print_result(arguments.json, &verified, print_verified);
                let is_whole = verified.damaged.is_empty() && verified.damaged_items.is_empty();
                match is_whole || exit != Exit::Success {
                    true => exit,
                    false => Exit::Failures,
                }
            }
            Err(error) => usage(error),
        },
    }
}

fn print_result<T: Serialize>(json: bool, value: &T, print: impl FnOnce(&T)) -> Exit {
    match json {
        true => print_document(value),
        false => {
            print(value);
            Exit::Success
        }
    }
}

fn print_collected(collected: &Collected, dry_run: bool) {
    let word = match dry_run {
        true => "would be deleted",
        false => "deleted",
    };
    print_line(&format!(
        "{} {word}, {}, and {}; {} preserved, {}",
        counted(collected.deleted, "file", "files"),
        size(collected.deleted_bytes),
        counted(collected.deleted_items, "cached item", "cached items"),
        counted(collected.kept, "file", "files"),
        size(collected.kept_bytes)
    ));
}

fn print_stats(stats: &Stats) {
    print_line(&format!(
        "{}, {}; {}",
        counted(stats.objects, "file", "files"),
        size(stats.bytes),
        counted(stats.items, "cached item", "cached items")
    ));
    print_line(&format!(
        "{} to them, saving {}",
        counted(stats.linked, "output is a link", "outputs are links"),
        size(stats.saved)
    ));
    if stats.damaged > 0 {
        print_line(&format!(
            "{} moved aside; `relicast store gc` deletes them",
            counted(stats.damaged, "damaged file was", "damaged files were")
        ));
    }
}

fn print_verified(verified: &Verified) {
    for name in &verified.damaged {
        print_line(&format!("damaged    {name}"));
    }
    for name in &verified.damaged_items {
        print_line(&format!("damaged    item {name}"));
    }
    for path in &verified.foreign {
        print_line(&format!("foreign    {path}"));
    }
    print_line(&format!(
        "{} as written, {} damaged, {} foreign",
        verified.equal,
        verified.damaged.len() + verified.damaged_items.len(),
        verified.foreign.len()
    ));
}
