//! The command line: arguments as typed, one file a subcommand. Everything that works lives below.

pub mod config;
mod console;
pub mod convert;
mod exit;
pub mod formats;
pub mod identify;
pub mod inspect;
mod inspect_anim;
mod inspect_cabinet;
mod inspect_disc;
mod inspect_everquest;
mod inspect_facts;
mod inspect_resources;
mod lines;
mod log;
mod program;
mod progress;
pub mod prove;
pub mod verify;

pub use exit::Exit;
pub use program::{Arguments, Command, command, run};
