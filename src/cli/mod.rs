//! The command line: arguments as typed, one file a subcommand. Everything that works lives below.
//!
//! - `terminal` — what a person sees: lines, log, progress, exit codes.
//! - [`help`] — what the program tells about itself.
//! - `inspect` — `relicast inspect`, a file for each kind of thing.
//! - `program` — the arguments, and what is done for each subcommand; the other files are these, and what several share.
//!
//! ```
//! use relicast::cli::command;
//!
//! let names: Vec<String> = command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
//! assert!(names.contains(&"convert".to_owned()) && names.contains(&"verify".to_owned()));
//! ```

mod apply;
mod census;
mod collection;
mod config;
mod convert;
mod diff;
mod doctor;
mod gallery;
pub mod help;
mod identify;
mod inputs;
mod inspect;
mod layout;
mod merge;
mod missing;
mod output_folder;
mod own_files;
mod pack;
mod package;
mod plan;
mod program;
mod project;
mod prove;
mod report;
mod restore;
mod serve;
mod store;
mod summary;
mod terminal;
mod verify;

pub use program::{Arguments, Command, command, run};
pub use terminal::exit::Exit;
