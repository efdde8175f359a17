//! `relicast census`: counts the contents of an input and compares them with published counts.

use std::path::PathBuf;

use super::identify;
use super::inputs::files_of;
use super::inspect::json::print_document;
use super::terminal::exit::Exit;
use super::terminal::lines::print_line;
use super::terminal::progress::with_bar;
use crate::pipeline::census::published::Comparison;
use crate::pipeline::census::taken::Census;
use relicast_codec::quantity::thousands;
use relicast_formats::census::Counts;

/// Arguments of `census`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images, cabinets or files to count.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Print one JSON object with the counts of every file instead of a table of sums.
    #[arg(long)]
    json: bool,
}

/// Runs `census`.
pub fn run(arguments: &Arguments) -> Exit {
    let tree = match files_of(&arguments.inputs) {
        Ok(tree) => tree,
        Err(ended) => return ended,
    };
    let census = with_bar(false, |bar| {
        Census::take(&tree.files, &identify::detect(&tree), bar)
    });
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

/// Prints the comparison with published numbers, then the counts.
fn print(census: &Census) {
    census.editions.iter().for_each(print_comparison);
    if census.editions.is_empty() {
        print_line("no known edition with published counts was found, so nothing was compared");
    }
    for problem in &census.unreadable {
        print_line(&format!("unreadable: {problem}"));
    }
    for file in &census.files {
        if !file.missing_textures.is_empty() {
            let names = file.missing_textures.join(", ");
            print_line(&format!("missing textures: {}: {names}", file.path));
        }
    }
    for (game, counts) in &census.totals {
        let game = match &**game {
            "none" => "files of no known game",
            game => game,
        };
        print_line("");
        print_line(&format!(
            "{game}: totals of all files; an indented row is part of the row above"
        ));
        let mut rows: Vec<(&String, &u64)> = counts.rows.iter().collect();
        rows.sort_by_key(|(row, _)| order_of(row));
        for (row, number) in rows {
            print_line(&format!(
                "{:>12} {}",
                thousands(*number),
                row_name(row, counts)
            ));
        }
    }
}

/// Sort key of a row; names with a number sort by the number.
fn order_of(row: &str) -> (&str, Option<u64>, &str) {
    let (whole, part) = row.split_once('.').unwrap_or((row, ""));
    (whole, part.parse().ok(), part)
}

/// Name of a row for people. A row that is part of another is indented.
fn row_name(row: &str, counts: &Counts) -> String {
    let words = |text: &str| text.replace('_', " ");
    match row.split_once('.') {
        Some((whole, part)) if counts.rows.contains_key(whole) => {
            let is_number = part.starts_with(|first: char| first.is_ascii_digit());
            let of_type = if is_number { "type " } else { "" };
            format!("    {of_type}{}", words(part))
        }
        Some((whole, part)) => format!("{}: {}", words(whole), words(part)),
        None => words(row),
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
    let result = match differences.len() {
        0 => "all counts match the published ones".to_owned(),
        1 => "1 count differs from the published one".to_owned(),
        count => format!("{count} counts differ from the published ones"),
    };
    print_line(&format!("{edition}: {result}"));
    if *published_files > 0 {
        let [files, published_files, by_hash] =
            [files, published_files, by_hash].map(|number| thousands(*number as u64));
        print_line(&format!(
            "  compared: {files} of {published_files} published files, {by_hash} of them identified by hash"
        ));
    }
    for kind in whole_kinds {
        print_line(&format!("  matches: {kind}"));
    }
    for one in differences {
        let row = one.row.replace('_', " ");
        let (what, published, found) = (&one.what, thousands(one.published), thousands(one.found));
        print_line(&format!(
            "  differs: {what}: {found} {row}, published {published}"
        ));
    }
}
