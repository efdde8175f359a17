//! `cargo xtask docs`: man pages, shell completions, and the table of formats in README.md.

use std::fs;

use clap::ValueEnum;
use clap_complete::Shell;
use relicast::cli::{command, formats, man};

use crate::Outcome;
use crate::process::{target, workspace};

/// Write man pages and shell completions to target/docs, and the table of formats to README.md.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write nothing; fail when the table in README.md is not that of the program.
    #[arg(long)]
    check: bool,
}

/// Brings the table of formats in README.md up to date, or compares it.
fn readme(check: bool) -> Outcome {
    let path = workspace().join("README.md");
    let stored = fs::read_to_string(&path)?.replace("\r\n", "\n");
    let Some(current) = formats::with_table(&stored) else {
        return Err(format!(
            "{} lacks the lines around the table of formats",
            path.display()
        )
        .into());
    };
    if current == stored {
        println!("the table of formats in README.md is that of the program");
        return Ok(());
    }
    if check {
        return Err("the table of formats in README.md is old: run `cargo xtask docs`".into());
    }
    fs::write(&path, current)?;
    println!("wrote the table of formats to README.md");
    Ok(())
}

/// Writes man pages and completions below target/docs, and the table to README.md.
///
/// # Errors
/// A file cannot be written, or the table differs when it is only checked.
pub fn run(arguments: &Arguments) -> Outcome {
    readme(arguments.check)?;
    if arguments.check {
        return Ok(());
    }
    let folder = target().join("docs");
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    for (name, page) in man::pages(command())? {
        fs::write(pages.join(name), page)?;
    }
    for &shell in Shell::value_variants() {
        let mut command = command();
        clap_complete::generate_to(shell, &mut command, "relicast", &completions)?;
    }
    for folder in [pages, completions] {
        let count = fs::read_dir(&folder)?.count();
        println!("{count} files in {}", folder.display());
    }
    Ok(())
}
