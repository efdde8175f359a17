//! glTF files of the demonstration, read back by programs from outside.

use std::path::PathBuf;

use crate::Outcome;
use crate::demo;
use crate::tally::Tally;
use crate::tools::GODOT;
use crate::{godot, npm, validate};

/// Runs the checks over everything the demonstration made; those whose program is missing are
/// skipped.
///
/// # Errors
/// The outputs of the demonstration cannot be read, or a program does not run to its end.
pub fn checks() -> Outcome<Tally> {
    let mut tally = Tally::default();
    let mut files: Vec<PathBuf> = Vec::new();
    validate::collect(&demo::folder().join("out"), &mut files)?;
    let what = format!(
        "the Khronos validator has nothing against {} files",
        files.len()
    );
    match npm::ensure("validator") {
        Ok(_) => {
            let findings = validate::validate(&files)?;
            findings.print();
            tally.check(what, !files.is_empty() && findings.failures() == 0);
        }
        Err(why) => tally.skip(what, why),
    }
    let what = format!("Godot finds in {} files what they hold", files.len());
    match GODOT.ensure() {
        Ok(()) => {
            let findings = godot::check(&files)?;
            for difference in &findings.differences {
                eprintln!("{difference}");
            }
            println!("Godot: {findings}");
            let passed = findings.nodes > 0 && findings.differences.is_empty();
            tally.check(what, passed);
        }
        Err(why) => tally.skip(what, why),
    }
    Ok(tally)
}
