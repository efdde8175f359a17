//! Output folder. All writes and deletions go through it: links below the folder are never followed, files
//! appear under their names only when complete, and unfinished files are deleted.
//!
//! - `unix` — folders as open handles, so that no other process can replace a folder of a path by a link.
//! - `portable` — folders as paths that are checked before each use.

mod faults;
mod leftovers;
mod output_folder;
#[cfg(any(not(unix), test))]
mod portable;
#[cfg(test)]
mod tests;
mod unfinished;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(in crate::pipeline::output::folder) use portable::Handle;
#[cfg(unix)]
pub(in crate::pipeline::output::folder) use unix::Handle;

pub use leftovers::{delete_unfinished, delete_unfinished_directly_in};
pub use output_folder::{OutputFolder, check_depth};
pub use unfinished::{Durability, Unfinished, Way, is_unfinished};
