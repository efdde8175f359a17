//! `relicast man`: shows or writes the manual.
//!
//! ```
//! let pages = relicast::cli::help::man::pages(relicast::cli::command())?;
//! assert!(pages.iter().any(|(name, text)| name == "relicast-convert.1" && text.contains("EXAMPLES")));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap_mangen::Man;

use super::examples;
use crate::cli::inspect::facts::or_rather;
use crate::cli::own_files;
use crate::cli::terminal::exit::{EXIT_CODES, Exit};
use crate::cli::terminal::lines::{print, print_line, usage};
use crate::cli::terminal::pager;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Subcommand whose page is shown. Default: the page of the program.
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    command: Option<String>,
    /// Write the pages of the program and of every subcommand into this folder instead.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Replace existing pages that differ.
    #[arg(long, requires = "to")]
    force: bool,
}

/// Runs `man` for `command`, the whole command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> Exit {
    let pages = match pages(command.clone()) {
        Ok(pages) => pages,
        Err(error) => return usage(error),
    };
    let Some(folder) = &arguments.to else {
        let name = match &arguments.command {
            Some(name) => format!("relicast-{name}.1"),
            None => "relicast.1".to_owned(),
        };
        return match pages.iter().find(|(page, _)| *page == name) {
            Some((name, text)) if io::stdout().is_terminal() => {
                let help = help_of(command, arguments.command.as_deref());
                pager::show(name, text, &help);
                Exit::Success
            }
            Some((_, text)) => {
                print(text.trim_end());
                Exit::Success
            }
            None => {
                let written = arguments.command.as_deref().unwrap_or_default();
                let known = command.get_subcommands().map(clap::Command::get_name);
                let rather = or_rather(written, known);
                usage(format_args!("unknown command {written}{rather}"))
            }
        };
    };
    if let Err(error) = fs::create_dir_all(folder) {
        return usage(format_args!(
            "cannot write to {}: {error}",
            folder.display()
        ));
    }
    let pages = pages.into_iter();
    let pages: Vec<_> = pages
        .map(|(name, text)| (folder.join(name), text.into_bytes()))
        .collect();
    match own_files::write(&pages, arguments.force) {
        Ok(()) => {
            print_line(&format!("{} pages in {}", pages.len(), folder.display()));
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

/// Help of the program or of a subcommand as plain text, for machines without `man`.
fn help_of(mut command: clap::Command, name: Option<&str>) -> String {
    command.build();
    let subcommand = name.and_then(|name| command.find_subcommand_mut(name));
    let help = subcommand.map(|command| command.render_long_help());
    let help = help.unwrap_or_else(|| command.render_long_help());
    help.to_string()
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

/// Text of a page; `name` is that of the subcommand.
fn page(command: clap::Command, name: &str) -> io::Result<String> {
    let has_options = command.get_arguments().next().is_some();
    let has_subcommands = command.get_subcommands().next().is_some();
    // The help of a command ends with its examples; the program's help continues after them.
    let extra = (name == "relicast").then_some(EXIT_CODES);
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
    if let Some(extra) = extra {
        writeln!(page, ".SH EXIT STATUS\n{}", roff(extra))?;
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Escapes a text for roff: no formatter commands, and dashes that can be copied.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
