//! `cargo xtask layers`: the walls of the house, read from the imports of `src/`.
//!
//! - [`source`]: the modules of a tree, what each defines, re-exports and imports.
//! - [`graph`]: which file takes something from which, re-exports looked through.
//! - [`rules`]: what a layer may import, and circles between files.

mod graph;
mod rules;
mod source;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;

use crate::Outcome;
use crate::process::workspace;
use graph::Graph;
use rules::{LAYERS, violations};
use source::Tree;

/// Check that src/ imports downwards only and without circles.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The source folder to read instead of src/.
    #[arg(long)]
    root: Option<PathBuf>,
    /// Print how many imports each layer takes from each other one.
    #[arg(long)]
    table: bool,
}

/// Reads the imports and fails on an upward arrow or a circle, with the way of each.
///
/// # Errors
/// A file cannot be read or parsed, or a rule is broken.
pub fn run(arguments: &Arguments) -> Outcome {
    let root = arguments.root.clone();
    let root = root.unwrap_or_else(|| workspace().join("src"));
    let tree = Tree::read(&root)?;
    let graph = Graph::new(&tree);
    if arguments.table {
        print!("{}", rules::table(&graph));
    }
    let found = violations(&graph, LAYERS);
    for violation in &found {
        eprintln!("{violation}");
    }
    let (files, arrows) = (graph.len(), graph.arrows());
    match found.len() {
        0 => {
            println!("layers: {files} files, {arrows} imports, no upward arrow, no circle");
            Ok(())
        }
        count => Err(format!("{count} violations of the layers; see above").into()),
    }
}
