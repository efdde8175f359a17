//! `relicast config`: prints the configuration, or validates a file.

use std::path::PathBuf;

use super::{Exit, print, usage};
use crate::config::{Config, DEFAULT};

/// Arguments of `config`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print the commented default (also what happens without any option).
    #[arg(long, conflicts_with = "check")]
    default: bool,
    /// Validate this file and print the settings that it leads to.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Runs `config`.
pub fn run(arguments: &Arguments) -> Exit {
    let Some(path) = &arguments.check else {
        print(DEFAULT.trim_end());
        return Exit::Success;
    };
    let config = match Config::load(path) {
        Ok(config) => config,
        Err(error) => return usage(error),
    };
    match config.to_toml() {
        Ok(text) => {
            print(text.trim_end());
            Exit::Success
        }
        Err(error) => usage(error),
    }
}
