//! Help, manual, completions, schemas and formats.
//!
//! - `examples` — command lines for help and manual; `groups` — groups of the commands.
//! - `wrong_arguments` — errors in the arguments.
//! - [`man`], `completions`, `schema`, [`formats`] — the commands with these names.

pub(in crate::cli) mod completions;
pub(in crate::cli) mod examples;
pub mod formats;
pub(in crate::cli) mod groups;
pub mod man;
pub(in crate::cli) mod schema;
pub(in crate::cli) mod wrong_arguments;
