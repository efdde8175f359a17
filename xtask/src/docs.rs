//! `cargo xtask docs`: man pages, shell completions, and the table of formats in docs/formats.md.

use std::fs;

use clap::ValueEnum;
use clap_complete::Shell;
use relicast::cli::command;
use relicast::cli::help::{formats, man};

use crate::Outcome;
use crate::process::{target, workspace};

/// Write man pages and shell completions to target/docs, and the table of formats to docs/formats.md.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write nothing; fail when the table in docs/formats.md is not that of the program.
    #[arg(long)]
    check: bool,
}

/// Brings the table of formats in docs/formats.md up to date, or compares it.
fn formats_page(check: bool) -> Outcome {
    let path = workspace().join("docs/formats.md");
    let stored = fs::read_to_string(&path)?.replace("\r\n", "\n");
    let Some(current) = formats::with_table(&stored) else {
        return Err(format!(
            "{} lacks the lines around the table of formats",
            path.display()
        )
        .into());
    };
    if current == stored {
        println!("the table of formats in docs/formats.md is that of the program");
        return Ok(());
    }
    if check {
        return Err(
            "the table of formats in docs/formats.md is old: run `cargo xtask docs`".into(),
        );
    }
    fs::write(&path, current)?;
    println!("wrote the table of formats to docs/formats.md");
    Ok(())
}

/// Writes man pages and completions below target/docs, and the table to README.md.
///
/// # Errors
/// A file cannot be written, or the table differs when it is only checked.
pub fn run(arguments: &Arguments) -> Outcome {
    formats_page(arguments.check)?;
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

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::CommandFactory;

    use crate::process::workspace;

    #[test]
    fn commands_of_ours_that_documents_name_exist() {
        let mut known = crate::Command::command();
        known.build();
        let mut paths = vec![
            workspace().join("README.md"),
            workspace().join("CONTRIBUTING.md"),
        ];
        for entry in fs::read_dir(workspace().join("docs")).unwrap() {
            paths.push(entry.unwrap().path());
        }
        let mut count = 0;
        for path in paths
            .iter()
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        {
            let text = fs::read_to_string(path).unwrap();
            for line in text.split("cargo xtask ").skip(1) {
                let line = line.split(['`', '\n', '#', ')']).next().unwrap_or_default();
                let mut words = line.split_whitespace();
                let Some(name) = words.next().filter(|name| !name.starts_with(['-', '<'])) else {
                    continue;
                };
                let name = name.trim_end_matches(['.', ',', ':', ';']);
                let Some(mut at) = known.find_subcommand(name) else {
                    panic!("{}: no `cargo xtask {name}`", path.display());
                };
                count += 1;
                for word in words {
                    if let Some(deeper) = at.find_subcommand(word) {
                        at = deeper;
                    }
                    let Some(option) = word.trim_start_matches('[').strip_prefix("--") else {
                        continue;
                    };
                    let option = option.trim_end_matches([']', ',', '.', '|']);
                    let is_known = at.get_arguments().any(|one| one.get_long() == Some(option));
                    assert!(
                        is_known,
                        "{}: `cargo xtask {line}`: no --{option}",
                        path.display()
                    );
                }
            }
        }
        assert!(count > 20, "{count} commands found");
    }
}
