//! `relicast census`: how much of what an input holds, and whether that is as published.

use std::path::PathBuf;

use super::exit::Exit;
use super::identify;
use super::inputs::files_of;
use super::inspect_json::print_document;
use super::lines::print_line;
use crate::pipeline::census::published::Comparison;
use crate::pipeline::census::taken::Census;

/// Arguments of `census`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images, cabinets or files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// One JSON object with the counts of every file instead of lines with sums.
    #[arg(long)]
    json: bool,
}

/// Runs `census`.
pub fn run(arguments: &Arguments) -> Exit {
    let tree = match files_of(&arguments.inputs) {
        Ok(tree) => tree,
        Err(ended) => return ended,
    };
    let census = Census::take(&tree.files, &identify::detect(&tree));
    if arguments.json {
        if let failed @ (Exit::Usage | Exit::Internal) = print_document(&census) {
            return failed;
        }
    } else {
        print(&census);
    }
    let differs = census
        .editions
        .iter()
        .any(|one| !one.differences.is_empty());
    match differs || !census.unreadable.is_empty() {
        true => Exit::Failures,
        false => Exit::Success,
    }
}

fn print(census: &Census) {
    for (game, counts) in &census.totals {
        print_line(&format!("{game}:"));
        for (row, number) in &counts.rows {
            print_line(&format!("  {number:>10} {}", row.replace('_', " ")));
        }
    }
    for file in &census.files {
        if !file.missing_textures.is_empty() {
            let names = file.missing_textures.join(", ");
            print_line(&format!("missing textures: {}: {names}", file.path));
        }
    }
    census.editions.iter().for_each(print_comparison);
    for problem in &census.unreadable {
        print_line(&format!("unreadable: {problem}"));
    }
}

fn print_comparison(comparison: &Comparison) {
    let Comparison {
        edition,
        files,
        published_files,
        by_hash,
        whole_kinds,
        differences,
    } = comparison;
    print_line(&format!(
        "{edition}: {files} of {published_files} published files, {by_hash} by their hash"
    ));
    for kind in whole_kinds {
        print_line(&format!("  as published: {kind}"));
    }
    for one in differences {
        let row = one.row.replace('_', " ");
        let (what, published, found) = (&one.what, one.published, one.found);
        print_line(&format!(
            "  differs: {what}: {found} {row}, published {published}"
        ));
    }
    if differences.is_empty() {
        print_line("  every number is as published");
    }
}
