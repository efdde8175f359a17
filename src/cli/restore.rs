//! `relicast restore`: restores the originals of an install after packing.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::remark;
use crate::pack::restore;
use relicast_codec::quantity::counted;
use relicast_source::tree::PACK_LIST;

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
    for path in &restored.files {
        print_line(&format!("{path}: {done}"));
    }
    for (path, reason) in &restored.left {
        remark("left", &format!("{path} was left as it is: {reason}"));
    }
    let is_mod = arguments.install.join(PACK_LIST).is_file();
    let install = arguments.install.display();
    print_line(&match (restored.files.len(), restored.left.len()) {
        (0, 0) if is_mod => format!(
            "nothing to restore: pack --to wrote files to {install}, and changed nothing in the install that they are \
             made from"
        ),
        (0, 0) => format!("nothing to restore: {install} has no packed game files"),
        (count, 0) => format!("{} {done}", counted(count, "game file", "game files")),
        (count, left) => format!(
            "{} {done}, {left} left",
            counted(count, "game file", "game files")
        ),
    });
    match restored.left.is_empty() {
        true => Exit::Success,
        false => Exit::Failures,
    }
}
