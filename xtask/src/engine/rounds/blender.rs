//! Runs of Blender: lists of jobs, and the lines that answer them.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{Blender, place};
use crate::Outcome;
use crate::process::workspace;

/// Jobs of one process: Blender keeps some memory of each.
const AT_ONCE: usize = 40;

impl Blender {
    /// Runs a script of `xtask/engine/` on jobs and returns the JSON object that follows the mark for each. If the
    /// process ends early, the job that it worked on has an error, and another process goes on.
    ///
    /// # Errors
    /// The list of jobs cannot be written, or the interpreter cannot be started.
    pub(super) fn run(&self, script: &str, mark: &str, jobs: &[Value]) -> Outcome<Vec<Value>> {
        let mut answers = Vec::with_capacity(jobs.len());
        let name = format!("{}-{script}-{}.json", self.version, std::process::id());
        let list = place().join(name);
        while answers.len() < jobs.len() {
            let rest = jobs.iter().skip(answers.len()).take(AT_ONCE);
            let rest: Vec<&Value> = rest.collect();
            fs::write(&list, serde_json::to_vec(&rest)?)?;
            let path = workspace().join("xtask/engine").join(script);
            let output = Command::new(&self.interpreter)
                .arg(path)
                .arg(&list)
                .output()?;
            let said = String::from_utf8_lossy(&output.stdout);
            let lines = said.lines().filter_map(|line| line.strip_prefix(mark));
            let before = answers.len();
            for line in lines {
                answers.push(serde_json::from_str(line)?);
            }
            fs::remove_file(&list)?;
            if answers.len() < before + rest.len() {
                let said = String::from_utf8_lossy(&output.stderr);
                let last: Vec<&str> = said.lines().rev().take(3).collect();
                let error = format!("Blender ended: {}, {}", output.status, last.join(" / "));
                answers.push(serde_json::json!({ "error": error }));
            }
        }
        Ok(answers)
    }
}
