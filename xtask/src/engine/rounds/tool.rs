//! Programs that read scenes and write them over themselves.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::super::godot4::Godot;
use super::{Blender, place};
use crate::Outcome;
use crate::process::workspace;

/// A program that reads scenes and writes them over themselves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tool<'t> {
    Blender(&'t Blender),
    Godot(&'t Godot),
}

impl Tool<'_> {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Blender(blender) => blender.version,
            Self::Godot(_) => "Godot 4",
        }
    }

    /// Rewrites the scenes of the jobs; an answer each.
    ///
    /// # Errors
    /// The program cannot be run, or a file cannot be written.
    pub(super) fn rewrite(self, jobs: &[Value]) -> Outcome<Vec<Value>> {
        match self {
            Self::Blender(blender) => blender.run("rounds_blender.py", "DONE ", jobs),
            Self::Godot(godot) => in_godot(godot, jobs),
        }
    }
}

/// The folder of all conversions is a project.
fn in_godot(godot: &Godot, jobs: &[Value]) -> Outcome<Vec<Value>> {
    let project = place();
    let below = |job: &Value| {
        let scene = Path::new(job["scene"].as_str().unwrap_or_default());
        Ok(json!({ "scene": scene.strip_prefix(&project)? }))
    };
    let jobs = jobs.iter().map(below).collect::<Outcome<Vec<Value>>>()?;
    fs::write(project.join("rounds.json"), serde_json::to_vec(&jobs)?)?;
    fs::write(project.join("project.godot"), "config_version=5\n")?;
    let script = "rounds.gd";
    fs::copy(
        workspace().join("xtask").join("engine").join(script),
        project.join(script),
    )?;
    let said = godot.script(&project, script, false)?;
    let answers = said
        .output
        .lines()
        .filter_map(|line| line.strip_prefix("DONE "));
    let answers: Vec<Value> = answers
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    match answers.len() == jobs.len() {
        true => Ok(answers),
        false => Err(format!("Godot ended early: {}", said.output).into()),
    }
}
