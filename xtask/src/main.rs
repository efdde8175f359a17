//! Developer commands of relicast: `cargo xtask <COMMAND>`.

mod sample;

use clap::Parser;

/// What a command returns; errors are shown to the person who ran it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about, version)]
enum Command {
    Sample(sample::Arguments),
}

fn main() -> std::process::ExitCode {
    let outcome = match Command::parse() {
        Command::Sample(arguments) => sample::run(&arguments),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
