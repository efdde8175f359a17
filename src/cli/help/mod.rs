//! What the program tells about itself: help, manual, completions, schemas, formats.
//!
//! - `examples` — command lines of the help and of the manual; `groups` — groups of the commands.
//! - `wrong_arguments` — errors in the arguments.
//! - [`man`], `completions`, `schema`, [`formats`] — the commands of these names.

pub(in crate::cli) mod completions;
pub(in crate::cli) mod examples;
pub mod formats;
pub(in crate::cli) mod groups;
pub mod man;
pub(in crate::cli) mod schema;
pub(in crate::cli) mod wrong_arguments;
