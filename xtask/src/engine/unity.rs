//! The scripts of packages for Unity, compiled with Mono's C# compiler against stubs of the parts of Unity
//! that they use (`xtask/engine/unity/`). Nothing of it is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::converted_samples;
use crate::Outcome;
use crate::process::{exists, remove_folder, target, tested_program, workspace};
use crate::tally::Tally;

/// Compiles the package of a sample, or of a folder.
///
/// # Errors
/// The sample cannot be written, or the compiler cannot be run.
pub(super) fn checks(program: Option<&Path>, folder: Option<&Path>) -> Outcome<Tally> {
    let mut tally = Tally::default();
    if !exists("mcs") {
        tally.skip(
            "scripts of a package for Unity",
            "no C# compiler `mcs` (Debian's package mono-mcs)",
        );
        return Ok(tally);
    }
    if let Some(folder) = folder {
        tally += compile("given", folder)?;
        return Ok(tally);
    }
    let program = match program {
        Some(program) => program.to_owned(),
        None => tested_program()?,
    };
    for (name, folder) in converted_samples(&program, &["cs".to_owned()], "unity")? {
        tally += compile(&name, &folder)?;
    }
    Ok(tally)
}

fn compile(name: &str, folder: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let built = target().join("engine").join("unity-built");
    remove_folder(&built)?;
    fs::create_dir_all(&built)?;
    let stubs = workspace().join("xtask/engine/unity");
    let assemblies: [(&str, Vec<PathBuf>); 4] = [
        ("UnityEngine", vec![stubs.join("UnityEngine.cs")]),
        ("UnityEditor", vec![stubs.join("UnityEditor.cs")]),
        ("Relicast", scripts(&folder.join("Runtime"))?),
        ("Relicast.Editor", scripts(&folder.join("Editor"))?),
    ];
    let mut known: Vec<PathBuf> = Vec::new();
    for (assembly, sources) in assemblies {
        let out = built.join(format!("{assembly}.dll"));
        let mut compiler = Command::new("mcs");
        // Fields of documents are set by JsonUtility.
        compiler.args([
            "-langversion:7",
            "-warnaserror",
            "-nowarn:0649",
            "-target:library",
        ]);
        for reference in &known {
            compiler.arg(format!("-r:{}", reference.display()));
        }
        compiler
            .arg(format!("-out:{}", out.display()))
            .args(&sources);
        let output = compiler.output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        tally.check(
            format_args!(
                "{name}: {assembly} of {} scripts is compiled\n{said}",
                sources.len()
            ),
            output.status.success() && !sources.is_empty(),
        );
        known.push(out);
    }
    println!("{name}: scripts for Unity compiled: {tally}");
    Ok(tally)
}

fn scripts(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "cs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
