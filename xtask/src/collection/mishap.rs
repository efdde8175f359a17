//! A relicast with one accident: its job is killed, or everything is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::process::run;

/// Files that mark what happened.
#[derive(Debug)]
pub struct Mishap {
    /// The program with the accident in it.
    pub program: PathBuf,
    marks: PathBuf,
}

impl Mishap {
    /// A program in place of relicast: the first conversion of a shard of the disc `killed` dies with its job
    /// when it has begun to write, and the first merge of the disc `halted` waits until everything is killed.
    ///
    /// # Errors
    /// The script cannot be written.
    pub fn new(folder: &Path, program: &Path, killed: &str, halted: Option<&str>) -> Outcome<Self> {
        let marks = folder.join("marks");
        fs::create_dir_all(&marks)?;
        let script = folder.join("relicast");
        let halted = halted.unwrap_or("no disc has this name");
        let text = format!(
            r#"#!/bin/bash
program='{program}'
marks='{marks}'
case " $* " in
*" convert "*"/shards/{killed}/"*)
    if mkdir "$marks/killed" 2> /dev/null; then
        "$program" "$@" &
        sleep 0.05
        kill -KILL $!
        if [ -n "$SLURM_JOB_ID" ]; then
            scancel --signal=KILL "$SLURM_JOB_ID"
            sleep 60
        fi
        kill -KILL $$
    fi
    ;;
*" merge "*"/discs/{halted} "*)
    if mkdir "$marks/halted" 2> /dev/null; then
        sleep 60
    fi
    ;;
esac
exec "$program" "$@"
"#,
            program = program.display(),
            marks = marks.display(),
        );
        fs::write(&script, text)?;
        run(Command::new("chmod").arg("755").arg(&script))?;
        Ok(Self {
            program: script,
            marks,
        })
    }

    /// True if a job was killed.
    pub fn has_killed(&self) -> bool {
        self.marks.join("killed").exists()
    }

    /// True if everything waits to be killed.
    pub fn has_halted(&self) -> bool {
        self.marks.join("halted").exists()
    }
}
