//! `cargo xtask docs`: man pages, shell completions, the table of formats in docs/formats.md, the JSON Schemas that the
//! program embeds, and from these the tables of extras in docs/outputs.md and their types in the gallery.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum;
use clap_complete::Shell;
use relicast::cli::command;
use relicast::cli::help::{formats, man};

use crate::Outcome;
use crate::extras::{families, typescript, with_tables};
use crate::process::{cargo, run as run_program, target, workspace};

/// Write man pages and shell completions to target/docs, the table of formats to docs/formats.md, the JSON Schemas that
/// the program embeds to crates/relicast-convert, and the keys of extras to docs/outputs.md and gallery/src.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write nothing; fail if a table or a schema differs from the code.
    #[arg(long)]
    check: bool,
}

/// Updates the table of formats in docs/formats.md, or compares it.
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

/// Updates the JSON Schemas that the program embeds, or compares them. They are written by a build that knows
/// the forms of documents, which the program's does not.
fn schemas(check: bool) -> Outcome {
    let home = workspace().join("crates/relicast-convert");
    let (folder, list) = (home.join("schemas"), home.join("src/documents/embedded.rs"));
    let scratch = tempfile::tempdir()?;
    let (new_folder, new_list) = (scratch.path().join("schemas"), scratch.path().join("list"));
    // Together with the program's package, so that the other crates built for it are used again.
    let build = "build --quiet --package relicast-convert --package relicast --features relicast-convert/schema \
                 --bin relicast-schemas";
    run_program(cargo().args(build.split_whitespace()))?;
    let program = target().join("debug/relicast-schemas");
    run_program(Command::new(program).arg(&new_folder).arg(&new_list))?;
    let current = files_of(&new_folder)?;
    let is_current = files_of(&folder)? == current && fs::read(&list)? == fs::read(&new_list)?;
    match (is_current, check) {
        (true, _) => println!("the schemas match the code"),
        (false, true) => return Err("the schemas are old: run `cargo xtask docs`".into()),
        (false, false) => {
            fs::remove_dir_all(&folder)?;
            fs::create_dir(&folder)?;
            for (name, text) in &current {
                fs::write(folder.join(name), text)?;
            }
            fs::copy(&new_list, &list)?;
            println!("wrote {} schemas to {}", current.len(), folder.display());
        }
    }
    Ok(())
}

/// Updates the files made from the schemas of extras, or compares them: tables in docs/outputs.md, types of
/// the gallery.
fn extras(check: bool) -> Outcome {
    let families = families(&workspace().join("crates/relicast-convert/schemas"))?;
    let page = workspace().join("docs/outputs.md");
    let tables = with_tables(&fs::read_to_string(&page)?.replace("\r\n", "\n"), &families)?;
    let types = workspace().join("gallery/src/three/extras.ts");
    for (path, current) in [(page, tables), (types, typescript(&families))] {
        let stored = fs::read_to_string(&path).unwrap_or_default();
        let shown = path.display();
        if stored.replace("\r\n", "\n") == current {
            println!("{shown} has the keys of the schemas of extras");
        } else if check {
            return Err(format!("{shown} has old keys of extras: run `cargo xtask docs`").into());
        } else {
            fs::write(&path, current)?;
            println!("wrote the keys of extras to {shown}");
        }
    }
    Ok(())
}

/// Texts of the files in a folder, by name.
fn files_of(folder: &Path) -> Outcome<BTreeMap<String, String>> {
    let entries = fs::read_dir(folder)?;
    let files = entries.map(|entry| {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?.replace("\r\n", "\n");
        Ok((entry.file_name().to_string_lossy().into_owned(), text))
    });
    files.collect()
}

/// Writes man pages and completions below target/docs, the tables to docs/formats.md and docs/outputs.md, the schemas,
/// and the types of the gallery.
///
/// # Errors
/// A file cannot be written, or a compared table or schema differs.
pub fn run(arguments: &Arguments) -> Outcome {
    formats_page(arguments.check)?;
    schemas(arguments.check)?;
    extras(arguments.check)?;
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
