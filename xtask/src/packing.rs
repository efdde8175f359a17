//! Demonstration of packing: the steps of docs/modding.md on the sample that it names, and the differences
//! afterwards.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use relicast::asset::Game;
use relicast_samples as sample;

use crate::Outcome;
use crate::demo;
use crate::process::{exists, exit_code, remove_folder, workspace};
use crate::tally::Tally;

/// Runs every step with a build of the program, and prints how the install with the packed files differs.
///
/// # Errors
/// A file cannot be written or read, or a program cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let title = "five edits are packed into the game";
    if !exists("sh") {
        tally.skip(title, "the steps need a shell, which is not installed");
        return Ok(tally);
    }
    let folder = demo::folder().join("packing");
    remove_folder(&folder)?;
    let files = sample::files(Game::Mw, 1)?;
    sample::write_files(&folder.join("games/mw"), &files)?;
    let tutorial = fs::read_to_string(workspace().join("docs/modding.md"))?;
    let steps = tutorial.split("\n## ").map(|part| {
        let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
        (heading.trim_start_matches("# "), text)
    });
    for (heading, text) in steps {
        for commands in text.split("```sh\n").skip(1) {
            let commands = commands.split("```").next().unwrap_or_default();
            let passed = shell(program, &folder, commands)?;
            tally.check(format!("{title}: {heading}"), passed);
        }
    }
    let together = "cp -r games/mw modded && cp -r mod/. modded/ && rm -r modded/relicast-pack.json \
                    modded/.relicast-edits";
    tally.check(title, shell(program, &folder, together)?);
    println!("differences in the game after five edits:");
    let mut diff = Command::new(program);
    let diff = diff
        .arg("diff")
        .args([folder.join("games/mw"), folder.join("modded")]);
    let differs = exit_code(diff)? != Some(0);
    tally.check("the packed install differs", differs);
    Ok(tally)
}

/// Runs commands in a folder, with the program on the path, and returns true if all succeeded.
fn shell(program: &Path, folder: &Path, commands: &str) -> Outcome<bool> {
    let own = program.parent().map(Path::to_owned);
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(own.into_iter().chain(env::split_paths(&others)))?;
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", commands]).current_dir(folder);
    Ok(exit_code(shell.env("PATH", path))? == Some(0))
}
