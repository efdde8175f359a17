//! `relicast merge`: joins the output folders of shards.

use std::path::{Path, PathBuf};

use super::project;
use super::summary::{counts, print_failures, print_next, print_store};
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::progress::with_bar;
use super::terminal::wording::size;
use crate::config::{Config, ProjectKind};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::InputNumber;
use crate::pipeline::report::{Report, Status};
use crate::pipeline::shard::merge::merge_into;
use relicast_codec::quantity::counted;

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of all shards of a run, in any order.
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Folder for the merged outputs; created if it does not exist. The shard folders are only read.
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Share the outputs with other runs in this folder, as `convert --store` does.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Print errors only.
    #[arg(short, long)]
    quiet: bool,
}

/// Runs `merge`.
pub fn run(arguments: &Arguments) -> Exit {
    let store = arguments.store.as_deref();
    let report = match with_bar(arguments.quiet, |bar| {
        merge_into(&arguments.shards, &arguments.out, store, bar)
    }) {
        Ok(report) => report,
        Err(error) => return usage(error),
    };
    if !arguments.quiet {
        print(arguments, &report);
    }
    // Shards are parts of a run; a project covers the whole.
    let project = match project_settings(&arguments.out) {
        Some(config) => project::write(&arguments.out, &config, arguments.quiet, false),
        None => Exit::Success,
    };
    match (report.count(Status::Failed), project) {
        (0, project) => project,
        _ => Exit::Failures,
    }
}

/// Settings of the merged run, if they ask for a project.
fn project_settings(out: &Path) -> Option<Config> {
    let converted = Converted::open(out).ok()?;
    let config = converted.manifest.config_of(InputNumber::default()).ok()?;
    (config.project.kind != ProjectKind::None).then_some(config)
}

fn print(arguments: &Arguments, report: &Report) {
    print_line(&counts(report));
    print_failures(report);
    for (paths, fate) in [(&report.removed, "deleted"), (&report.kept, "preserved")] {
        if !paths.is_empty() {
            let outputs = counted(
                paths.len(),
                "output of an earlier run",
                "outputs of an earlier run",
            );
            print_line(&format!("  {outputs} {fate}"));
        }
    }
    for edited in &report.edited {
        let line = match &edited.moved_to {
            Some(to) => format!("  {} was changed; moved to {to}", edited.path),
            None => format!("  {} is stale but was edited; preserved", edited.path),
        };
        print_line(&line);
    }
    if let Some(store) = &report.store {
        print_store(store);
    }
    print_line(&format!(
        "{} merged: {}, {} in {} (see report.json)",
        counted(arguments.shards.len(), "shard", "shards"),
        counted(report.totals.outputs, "output", "outputs"),
        size(report.totals.output_bytes),
        arguments.out.display()
    ));
    if report.totals.outputs > 0 {
        print_next(&arguments.out);
    }
}
