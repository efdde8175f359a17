//! `cargo xtask docs`: man pages and shell completions.

use std::fs;

use clap::ValueEnum;
use clap_complete::Shell;

use crate::Outcome;
use crate::process::target;

/// Writes man pages and completions below target/docs.
///
/// # Errors
/// A file cannot be written.
pub fn run() -> Outcome {
    let folder = target().join("docs");
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(relicast::cli::command(), &pages)?;
    for &shell in Shell::value_variants() {
        let mut command = relicast::cli::command();
        clap_complete::generate_to(shell, &mut command, "relicast", &completions)?;
    }
    for folder in [pages, completions] {
        let count = fs::read_dir(&folder)?.count();
        println!("{count} files in {}", folder.display());
    }
    Ok(())
}
