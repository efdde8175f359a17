//! Developer commands of relicast: `cargo xtask <COMMAND>`.
//!
//! - [`sample`]: sample installs, made by the library `relicast-samples`.
//! - [`demo`]: the whole program on the samples, compared with golden/.
//! - [`mod@test`], [`foreign`]: all tests, and checks with programs from outside; [`tools`]: their installation.
//! - [`nightly`]: the long checks; [`libraries`]: each library built alone.
//! - [`properties`]: the properties of runs, tried exhaustively.
//! - [`validate`], [`render`], [`godot`]: glTF files before the Khronos validator, a camera and an engine.
//! - [`engine`]: projects of engines, opened by the engine itself.
//! - [`readback`]: the demonstration's glTF files before both programs.
//! - [`package`]: packages before the tools of libraries and archives; [`python`]: what these need.
//! - `collection` (Unix): the workflow for collections on one machine and on a cluster.
//! - [`gallery`]: the gallery's program in the browser, built and tested.
//! - [`benches`]: speed and memory.
//! - [`quick_folder`]: where tests write.
//! - [`known`]: the table of files that editions are known by.
//! - [`layers`]: which file of src/ may import which.
//! - [`release`]: archives for every system, tried on bare ones.
//! - `features` (tests): what the library is built with.
//! - [`words`]: the words of names, comments, messages and documents.
//! - [`fuzz`], [`docs`]: fuzz targets; man pages, shell completions, the table of formats in docs/formats.md.

#![warn(clippy::too_many_lines)]

#[path = "../../benches/mod.rs"]
mod benches;
#[cfg(unix)]
mod collection;
mod demo;
mod docs;
mod engine;
mod extras;
#[cfg(test)]
mod features;
mod foreign;
mod fuzz;
mod gallery;
mod godot;
mod instructions;
mod known;
mod layers;
mod libraries;
mod nightly;
mod npm;
mod package;
mod packing;
mod packing_kinds;
mod process;
mod properties;
mod python;
mod quick_folder;
mod readback;
mod release;
mod render;
mod sample;
mod tally;
mod test;
mod tools;
mod validate;
mod words;

use std::process::ExitCode;

use clap::Parser;

/// Result of a command; errors are shown to the person who ran it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Developer commands of relicast.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum Command {
    Sample(sample::Arguments),
    Demo(demo::Arguments),
    /// Rewrite golden/ from the outputs of the samples.
    Golden,
    Test(test::Arguments),
    Tools(tools::Arguments),
    Nightly(nightly::Arguments),
    Properties(properties::Arguments),
    Bench(benches::Arguments),
    Instructions(instructions::Arguments),
    Docs(docs::Arguments),
    Fuzz(fuzz::Arguments),
    Layers(layers::Arguments),
    KnownFiles(known::Arguments),
    Validate(validate::Arguments),
    /// Check packages of the demonstration's outputs (`cargo xtask demo`) with programs from outside.
    Package,
    #[cfg(unix)]
    Collection(collection::Arguments),
    Render(render::Arguments),
    Godot(godot::Arguments),
    Engine(engine::Arguments),
    Gallery(gallery::Arguments),
    Release(release::Arguments),
    Words(words::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Sample(arguments) => sample::run(&arguments),
        Command::Demo(arguments) => demo::run_demo(&arguments),
        Command::Golden => demo::run_golden(),
        Command::Test(arguments) => test::run(&arguments),
        Command::Tools(arguments) => tools::run(&arguments),
        Command::Nightly(arguments) => nightly::run(&arguments),
        Command::Properties(arguments) => properties::run_properties(&arguments),
        Command::Bench(arguments) => benches::run(&arguments),
        Command::Instructions(arguments) => instructions::run(&arguments),
        Command::Docs(arguments) => docs::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run_fuzz(&arguments),
        Command::Layers(arguments) => layers::run(&arguments),
        Command::KnownFiles(arguments) => known::run(&arguments),
        Command::Validate(arguments) => validate::run_validate(&arguments),
        Command::Package => package::run(),
        #[cfg(unix)]
        Command::Collection(arguments) => collection::run_collection(&arguments),
        Command::Render(arguments) => render::run_render(&arguments),
        Command::Godot(arguments) => godot::run_godot(&arguments),
        Command::Engine(arguments) => engine::run_engine(&arguments),
        Command::Gallery(arguments) => gallery::run(&arguments),
        Command::Release(arguments) => release::run(&arguments),
        Command::Words(arguments) => words::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
