//! Snakemake, run on the workflow of this project in a folder of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use super::shelf::Disc;
use crate::Outcome;
use crate::process::{remove_folder, workspace};

/// A folder that the workflow runs in.
#[derive(Debug)]
pub struct Place {
    /// Python with Snakemake.
    interpreter: PathBuf,
    /// Folder it runs in; everything is made below.
    pub folder: PathBuf,
}

/// Settings of a collection.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Shards of every disc.
    pub shards: u32,
    /// Cores of a shard.
    pub threads: u32,
    /// True if the discs share a store of outputs.
    pub shares: bool,
}

impl Place {
    /// Makes the folder anew, with the configuration in it. Removes everything that an earlier run left
    /// there.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn new(
        interpreter: &Path,
        folder: PathBuf,
        discs: &[Disc],
        program: &Path,
        settings: Settings,
    ) -> Outcome<Self> {
        remove_folder(&folder)?;
        fs::create_dir_all(folder.join("config"))?;
        let discs: serde_json::Map<_, _> = discs
            .iter()
            .map(|disc| (disc.name.clone(), json!(disc.input)))
            .collect();
        // YAML is a superset of JSON.
        let config = json!({
            "discs": discs,
            "program": [program],
            "shards": settings.shards,
            "threads": settings.threads,
            "date": "2026-01-01",
            "store": if settings.shares { "store" } else { "" },
        });
        fs::write(folder.join("config/config.yaml"), format!("{config:#}\n"))?;
        let interpreter = interpreter.to_owned();
        Ok(Self {
            interpreter,
            folder,
        })
    }

    /// Output folder of the workflow.
    pub fn out(&self) -> PathBuf {
        self.folder.join("collection")
    }

    /// Log of the last run.
    pub fn log(&self) -> PathBuf {
        self.folder.join("snakemake.log")
    }

    /// Snakemake with a profile of the workflow. Its output goes into [`Self::log`].
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn command(&self, profile: &str) -> Outcome<Command> {
        let workflow = workspace().join("workflow");
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = Command::new(&self.interpreter);
        command.args(["-m", "snakemake", "--nocolor", "--snakefile"]);
        command.arg(workflow.join("Snakefile"));
        command.arg("--directory").arg(&self.folder);
        command.arg("--workflow-profile");
        command.arg(workflow.join("profiles").join(profile));
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::null());
        command.stdout(log.try_clone()?).stderr(log);
        Ok(command)
    }

    /// Removes the lock of a run that was killed, as its user would.
    ///
    /// # Errors
    /// Snakemake cannot remove it.
    pub fn unlock(&self) -> Outcome {
        let status = self.command("local")?.arg("--unlock").status()?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("snakemake --unlock failed; see {}", self.log().display()).into()),
        }
    }
}
