//! The command line: arguments as typed, one file a subcommand. Everything that works lives below.
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
mod completions;
mod config;
mod console;
mod convert;
mod diff;
mod doctor;
mod examples;
mod exit;
pub mod formats;
mod gallery;
mod groups;
mod identify;
mod inputs;
mod inspect;
mod inspect_anim;
mod inspect_cabinet;
mod inspect_disc;
mod inspect_everquest;
mod inspect_facts;
mod inspect_json;
mod inspect_member;
mod inspect_resources;
mod inspect_small;
mod layout;
mod lines;
mod log;
pub mod man;
mod merge;
mod missing;
mod output_folder;
mod own_files;
mod pack;
mod package;
mod pager;
mod plan;
mod program;
mod progress;
mod project;
mod prove;
mod report;
mod restore;
mod schema;
mod serve;
mod store;
mod summary;
mod verify;
mod wording;
mod wrapped;
mod wrong_arguments;

pub use exit::Exit;
pub use program::{Arguments, Command, command, run};
