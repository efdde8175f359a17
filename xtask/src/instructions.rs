//! `cargo xtask instructions`: the number of instructions of the conversion of each sample, compared with
//! recorded counts.
//!
//! Counts do not depend on the load of a machine: two runs of one program differ by a few thousand of
//! hundreds of millions. They depend on the compiler, so the recorded counts name theirs, and with another
//! one the check is skipped. The program of the tests is counted, unoptimized: this shows work that is done
//! twice or in another way, not the effect of the optimizer, which `cargo xtask bench` measures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::demo::{folder, samples};
use crate::process::{build_quickly, remove_folder, shown, workspace};
use crate::tally::Tally;
use crate::tools::VALGRIND;
use relicast_samples::GAMES;

/// A larger share above the recorded count is a regression.
const TOLERANCE: f64 = 0.1;

/// Videos are made by another program, which may be missing.
const SETTINGS: &str = "[video]\nenabled = false\n";

/// Counts the instructions of converting each sample, and compares them with golden/instructions/.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write the counts instead of comparing with them.
    #[arg(long)]
    bless: bool,
}

/// Counts by sample, with the compiler that they hold for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    /// Output of `rustc --version`.
    compiler: String,
    /// Instructions by name of the sample.
    instructions: BTreeMap<String, u64>,
}

/// Runs the command.
///
/// # Errors
/// The program does not build or run, or a sample takes too many instructions.
pub fn run(arguments: &Arguments) -> Outcome {
    let program = build_quickly()?;
    if arguments.bless {
        VALGRIND.ensure()?;
        let counts = Counts {
            compiler: compiler()?,
            instructions: count(&program)?,
        };
        let path = path();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(&counts)?;
        fs::write(&path, text + "\n")?;
        println!("{} written", path.display());
        return Ok(());
    }
    let tally = checks(&program)?;
    println!("instructions: {tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("some samples take more instructions than before; see above".into()),
    }
}

/// Compares the counts of a program with the recorded ones: one check a sample.
///
/// # Errors
/// The program does not run, or a file cannot be written.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let what = "instructions of the samples";
    let Ok(text) = fs::read_to_string(path()) else {
        let place = path();
        tally.skip(what, format!("no {}", place.display()));
        return Ok(tally);
    };
    let before: Counts = serde_json::from_str(&text)?;
    let compiler = compiler()?;
    if compiler != before.compiler {
        let why = format!(
            "the compiler is {compiler}, but the counts are for {}",
            before.compiler
        );
        tally.skip(what, why);
        return Ok(tally);
    }
    if let Err(why) = VALGRIND.ensure() {
        tally.skip(what, why);
        return Ok(tally);
    }
    let now = count(program)?;
    for (name, ratio) in compare(&before.instructions, &now) {
        let text = ratio.map_or("no count of before".to_owned(), |ratio| {
            format!("{ratio:.3} times the instructions of before")
        });
        println!("  {name}: {text}");
        let passed = ratio.is_some_and(|ratio| ratio <= 1.0 + TOLERANCE);
        let hint = "`cargo xtask instructions --bless` takes the new counts";
        tally.check(format!("{name}: {text}; {hint}"), passed);
    }
    Ok(tally)
}

/// The recorded counts, for this kind of machine.
fn path() -> PathBuf {
    let machine = format!("{}-{}.json", std::env::consts::ARCH, std::env::consts::OS);
    workspace()
        .join("golden")
        .join("instructions")
        .join(machine)
}

/// Each sample with its count relative to the recorded one.
fn compare(
    before: &BTreeMap<String, u64>,
    now: &BTreeMap<String, u64>,
) -> Vec<(String, Option<f64>)> {
    let ratio = |(name, &count): (&String, &u64)| {
        let old = before.get(name).filter(|&&old| old > 0);
        (name.clone(), old.map(|&old| count as f64 / old as f64))
    };
    now.iter().map(ratio).collect()
}

fn compiler() -> Outcome<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Instructions of the conversion of the sample of each game.
fn count(program: &Path) -> Outcome<BTreeMap<String, u64>> {
    let root = folder().with_file_name("instructions");
    remove_folder(&root)?;
    fs::create_dir_all(&root)?;
    let settings = root.join("settings.toml");
    fs::write(&settings, SETTINGS)?;
    let games = GAMES.map(relicast_samples::folder);
    let mut counts = BTreeMap::new();
    for sample in samples()
        .iter()
        .filter(|sample| games.contains(&sample.name))
    {
        sample.write()?;
        let mut command = Command::new(VALGRIND.program);
        command.args(["--tool=cachegrind", "--cache-sim=no"]);
        command.arg("--cachegrind-out-file=/dev/null").arg(program);
        command.arg("convert").arg(sample.input());
        command.arg("--out").arg(root.join(sample.name));
        command.args(["--quiet", "--jobs", "1", "--config"]);
        command.arg(&settings);
        let output = command.stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(format!("`{}` failed:\n{text}", shown(&command)).into());
        }
        let number = instructions(&text).ok_or("valgrind printed no count")?;
        counts.insert(sample.name.to_owned(), number);
    }
    remove_folder(&root)?;
    Ok(counts)
}

/// The count in the output of cachegrind, as in `I   refs: 363,069,423`.
fn instructions(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains("refs:"))?;
    let (_, number) = line.rsplit_once(':')?;
    number.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found() {
        let text = "==1== Cachegrind\n==1== \n==1== I   refs:      363,069,423\n";
        assert_eq!(instructions(text), Some(363_069_423));
        assert_eq!(instructions("==1== nothing"), None);
    }

    #[test]
    fn a_sample_without_a_count_of_before_is_reported() {
        let counts = |list: &[(&str, u64)]| -> BTreeMap<String, u64> {
            let owned = list.iter().map(|&(name, count)| (name.to_owned(), count));
            owned.collect()
        };
        let compared = compare(
            &counts(&[("eq", 200), ("old", 1)]),
            &counts(&[("eq", 230), ("new", 5)]),
        );
        let expected = vec![("eq".to_owned(), Some(1.15)), ("new".to_owned(), None)];
        assert_eq!(compared, expected);
    }
}
