//! The inputs of commands that look at all files and write none.

use std::path::PathBuf;

use super::exit::Exit;
use super::lines::usage;
use crate::source::tree::Tree;

/// The files of the inputs; an input that cannot be read, or inputs without files, end the command.
///
/// # Errors
/// How the command ends, after a line that says why.
pub(super) fn files_of(inputs: &[PathBuf]) -> Result<Tree, Exit> {
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
