//! `cargo xtask layers`: the boundaries between the modules of `src/`, and circles between files there and in
//! `crates/`, read from the imports. The compiler enforces the boundaries between crates.
//!
//! - [`source`]: the modules of a tree, what each defines, re-exports and imports.
//! - [`graph`]: the imports between files, with re-exports resolved.
//! - [`rules`]: the allowed imports of a layer, and circles between files.

mod graph;
mod rules;
mod source;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::Outcome;
use crate::process::workspace;
use graph::Graph;
use rules::{LAYERS, circles, violations};
use source::Tree;

/// Check that src/ imports downwards only, and that no files of src/ and crates/ import each other in a circle.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A source folder to read instead of src/ and crates/.
    #[arg(long)]
    root: Option<PathBuf>,
    /// Print the number of imports of each layer from each other one.
    #[arg(long)]
    table: bool,
}

/// Reads the imports and fails on an upward import or a circle, with the path of each.
///
/// # Errors
/// A file cannot be read or parsed, or a rule is broken.
pub fn run(arguments: &Arguments) -> Outcome {
    let own = workspace().join("src");
    let root = arguments.root.as_ref().unwrap_or(&own);
    let graph = Graph::new(&Tree::read(root)?);
    if arguments.table {
        print!("{}", rules::table(&graph));
    }
    let mut found = violations(&graph, LAYERS);
    let (mut files, mut arrows) = (graph.len(), graph.arrows());
    if arguments.root.is_none() {
        for folder in fs::read_dir(workspace().join("crates"))? {
            let graph = Graph::new(&Tree::read(&folder?.path().join("src"))?);
            found.extend(circles(&graph));
            files += graph.len();
            arrows += graph.arrows();
        }
    }
    for violation in &found {
        eprintln!("{violation}");
    }
    match found.len() {
        0 => {
            println!("layers: {files} files, {arrows} imports, no upward arrow, no circle");
            Ok(())
        }
        count => Err(format!("{count} violations of the layers; see above").into()),
    }
}
