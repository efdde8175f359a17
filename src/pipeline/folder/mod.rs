//! The output folder. All that is written to it or deleted from it goes through here: below the folder
//! itself no link is ever followed, files appear under their names only when they are whole, and what
//! was not finished goes.
//!
//! - `unix` — folders as open handles, so that nobody can put a link in the way of a path in between.
//! - `portable` — folders as paths that are looked at before they are used.

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
pub(in crate::pipeline::folder) use portable::Handle;
#[cfg(unix)]
pub(in crate::pipeline::folder) use unix::Handle;

pub use leftovers::delete_unfinished;
pub use output_folder::OutputFolder;
pub use unfinished::{Durability, Unfinished, is_unfinished};
