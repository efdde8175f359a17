//! `cargo xtask godot`: checks that the Godot engine imports our glTF files correctly.
//!
//! - [`project`]: a project with copies of the files, imported and walked by the engine.
//! - [`compare`]: compares what the engine found with the JSON of the files.

mod compare;
mod project;

use std::path::PathBuf;

use clap::Args;

pub use project::check;

use crate::Outcome;
use crate::validate::collect;

/// Import glTF files with the Godot engine and compare the result with the files.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Files, or folders that are searched for .gltf and .glb files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// Result of the comparison.
#[derive(Debug, Default)]
pub struct Findings {
    /// Number of scenes given to the engine.
    pub scenes: usize,
    /// Number of nodes compared.
    pub nodes: usize,
    /// Number of surfaces compared.
    pub surfaces: usize,
    /// Number of animations compared.
    pub animations: usize,
    /// Names of nodes that the engine treats as hints to its importer.
    pub hints: usize,
    /// Differences between engine and file.
    pub differences: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// There is nothing to import, the engine is missing and cannot be installed, or its result differs from the
/// files.
pub fn run_godot(arguments: &Arguments) -> Outcome {
    let mut files = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err("no .gltf or .glb file found".into());
    }
    let findings = check(&files)?;
    for difference in &findings.differences {
        println!("{difference}");
    }
    println!("{findings}");
    match findings.differences.len() {
        0 => Ok(()),
        count => Err(format!("{count} differences").into()),
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} scenes, {} nodes ({} named like hints to the importer), {} surfaces, \
             {} animations compared, {} differences",
            self.scenes,
            self.nodes,
            self.hints,
            self.surfaces,
            self.animations,
            self.differences.len()
        )
    }
}
