//! `relicast man`: the manual.
//!
//! ```
//! let pages = relicast::cli::man::pages(relicast::cli::command())?;
//! assert!(pages.iter().any(|(name, text)| name == "relicast-convert.1" && text.contains("EXAMPLES")));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap_mangen::Man;

use super::examples;
use super::exit::Exit;
use super::lines::{print, print_line, usage};
use crate::pipeline::atomic::write_atomically;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The subcommand whose page is printed; that of the program without this.
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    command: Option<String>,
    /// Write the pages of the program and of every subcommand into this folder instead.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Runs `man` for `command`, the whole command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> Exit {
    let pages = match pages(command) {
        Ok(pages) => pages,
        Err(error) => return usage(error),
    };
    let Some(folder) = &arguments.to else {
        let name = match &arguments.command {
            Some(name) => format!("relicast-{name}.1"),
            None => "relicast.1".to_owned(),
        };
        return match pages.iter().find(|(page, _)| *page == name) {
            Some((_, text)) => {
                print(text.trim_end());
                Exit::Success
            }
            None => usage(format_args!("there is no page {name}")),
        };
    };
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut pages = pages.iter();
        pages.try_for_each(|(name, text)| write_atomically(&folder.join(name), text.as_bytes()))
    });
    match written {
        Ok(()) => {
            print_line(&format!("{} pages in {}", pages.len(), folder.display()));
            Exit::Success
        }
        Err(error) => usage(format_args!(
            "cannot write to {}: {error}",
            folder.display()
        )),
    }
}

/// File names and texts of all pages of a command line, the program's first.
///
/// # Errors
/// A page cannot be formatted.
pub fn pages(command: clap::Command) -> io::Result<Vec<(String, String)>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let mut pages = vec![("relicast.1".to_owned(), page(command.clone(), "relicast")?)];
    for name in names {
        let Some(subcommand) = command.find_subcommand(&name) else {
            continue;
        };
        let text = page(subcommand.clone(), &name)?;
        pages.push((format!("relicast-{name}.1"), text));
    }
    Ok(pages)
}

/// The text of a page; `name` is that of the subcommand.
fn page(command: clap::Command, name: &str) -> io::Result<String> {
    let has_options = command.get_arguments().next().is_some();
    let has_subcommands = command.get_subcommands().next().is_some();
    let has_extra = command.get_after_help().is_some();
    let man = Man::new(command).manual("relicast").source("relicast");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if has_options {
        man.render_options_section(&mut page)?;
    }
    if has_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    let examples = examples::of(name);
    if !examples.is_empty() {
        writeln!(page, ".SH EXAMPLES")?;
    }
    for (what, line) in examples {
        writeln!(
            page,
            ".TP\n{}\n.nf\nrelicast {}\n.fi",
            roff(what),
            roff(line)
        )?;
    }
    if has_extra {
        man.render_extra_section(&mut page)?;
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Text in which nothing is a command of the formatter, and dashes can be copied.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
