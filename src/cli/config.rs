//! `relicast config`: prints the default configuration, or validates a file.

use std::path::PathBuf;

use super::terminal::exit::Exit;
use super::terminal::lines::{print, usage};
use crate::config::{Config, DEFAULT, Engine, commented};

/// Arguments of `config`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print the commented default (also without any option).
    #[arg(long, conflicts_with_all = ["check", "config"])]
    default: bool,
    /// Print the settings that this file results in, with the comments of the default.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    config: Option<PathBuf>,
    /// Print the settings with the defaults for this target.
    #[arg(long, value_name = "NAME", conflicts_with = "default")]
    target: Option<Engine>,
    /// Validate this file and print the settings that it results in, without comments.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Runs `config`.
pub fn run(arguments: &Arguments) -> Exit {
    let path = arguments.check.as_ref().or(arguments.config.as_ref());
    let config = match path.map(|path| Config::load_for(path, arguments.target)) {
        None if arguments.target.is_none() => {
            print(DEFAULT.trim_end());
            return Exit::Success;
        }
        None => Config::of_target(arguments.target),
        Some(Ok(config)) => config,
        Some(Err(error)) => return usage(error),
    };
    let text = match arguments.check {
        Some(_) => config.to_toml(),
        None => commented(&config),
    };
    match text {
        Ok(text) => {
            print(text.trim_end());
            Exit::Success
        }
        Err(error) => usage(error),
    }
}
