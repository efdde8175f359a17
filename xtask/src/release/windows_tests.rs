//! Tests of the Windows program, built for it and run under Wine.

use std::process::Stdio;

use super::builder::Builder;
use super::system::System;
use super::wine;
use crate::Outcome;
use crate::process::{exit_code, workspace};
use crate::tally::Tally;

/// Suites that run by default: the library, and tests by capability that touch files.
pub const SUITES: [&str; 4] = [
    "lib",
    "inputs::hostile_install",
    "convert::outputs",
    "program::cli",
];

/// Builds and runs `suites`.
///
/// # Errors
/// Cargo cannot be run.
pub fn checks(suites: &[String]) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let Some(system) = System::named("x86_64-pc-windows-gnu") else {
        return Ok(tally);
    };
    let tools = Builder::new(system).and_then(|builder| Ok((builder, system.runner()?)));
    let (builder, runner) = match tools {
        Ok(tools) => tools,
        Err(why) => {
            tally.skip("tests of the Windows program", why);
            return Ok(tally);
        }
    };
    for suite in suites {
        if !exists(suite) {
            return Err(format!("there is no suite {suite} in tests/").into());
        }
        let mut command = builder.cargo("test");
        command.args(["--package", "relicast"]);
        match suite.as_str() {
            "lib" => command.arg("--lib"),
            name => match name.split_once("::") {
                Some((program, filter)) => command.args(["--test", program, "--", filter]),
                None => command.args(["--test", name]),
            },
        };
        if let Some(runner) = runner {
            command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", runner);
        }
        wine::settle(&mut command);
        let code = exit_code(command.stdin(Stdio::null()))?;
        tally.check(
            format!("{}: tests of {suite}", system.title),
            code == Some(0),
        );
    }
    Ok(tally)
}

/// Returns whether a suite is the library, or a file or folder of `tests/`: a filter that matches nothing would pass.
fn exists(suite: &str) -> bool {
    let path = workspace().join("tests").join(suite.replace("::", "/"));
    suite == "lib" || path.is_dir() || path.with_extension("rs").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_exist() {
        assert!(SUITES.iter().all(|suite| exists(suite)));
        assert!(!exists("outputs"));
    }
}
