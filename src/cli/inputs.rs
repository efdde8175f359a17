//! Inputs of commands that read all files and write none.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::usage;
use crate::pipeline::plan::inputs::check_kind;
use relicast_source::tree::Tree;

/// Files of the inputs. An input that cannot be read, or inputs without files, end the command.
///
/// # Errors
/// Exit code of the command, after the error was printed.
pub(super) fn files_of(inputs: &[PathBuf]) -> Result<Tree, Exit> {
    expect_installs(inputs)?;
    let tree = Tree::list(inputs, None)
        .map_err(|error| usage(format_args!("cannot read input {error}")))?;
    if tree.files.is_empty() {
        let inputs: Vec<String> = (inputs.iter())
            .map(|input| input.display().to_string())
            .collect();
        return Err(usage(format_args!("no files in {}", inputs.join(", "))));
    }
    Ok(tree)
}

/// Ends the command with advice when an input is an output folder of this program, or an archive that other
/// programs unpack.
///
/// # Errors
/// Exit code of the command, after the error was printed.
pub(super) fn expect_installs(inputs: &[PathBuf]) -> Result<(), Exit> {
    let mut inputs = inputs.iter();
    inputs
        .try_for_each(|input| check_kind(input))
        .map_err(usage)
}
