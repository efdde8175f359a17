//! Command line: arguments as typed, one file per subcommand. The work is done in the layers below.
//!
//! - `terminal` — output for people: lines, log, progress, exit codes.
//! - [`help`] — help, manual, completions, schemas, formats.
//! - `inspect` — `relicast inspect`, one file for each kind of thing.
//! - `program` — arguments and dispatch of the subcommands; the other files are the subcommands and shared
//!   helpers.
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
