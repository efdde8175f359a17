//! `relicast restore`: restores the originals of an install after packing.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use crate::pack::restore;
use relicast_codec::quantity::counted;

/// Arguments of `restore`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Install to restore.
    #[arg(value_name = "INSTALL")]
    install: PathBuf,
    /// Show what would change and write nothing.
    #[arg(long)]
    check: bool,
}

/// Runs `restore`.
pub fn run(arguments: &Arguments) -> Exit {
    if !arguments.install.is_dir() {
        let install = arguments.install.display();
        return usage(format_args!(
            "{install} is not a folder; give the install of the game"
        ));
    }
    let restored = match restore(&arguments.install, arguments.check) {
        Ok(restored) => restored,
        Err(error) => return usage(error),
    };
    let done = match arguments.check {
        true => "would be restored",
        false => "restored",
    };
    for path in &restored {
        print_line(&format!("{path}: {done}"));
    }
    let install = arguments.install.display();
    print_line(&match restored.len() {
        0 => format!("nothing to restore: {install} has no packed game files"),
        count => format!("{} {done}", counted(count, "game file", "game files")),
    });
    Exit::Success
}
