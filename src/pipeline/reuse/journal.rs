//! Journal of the items that a run has finished.
//!
//! During a run, each finished item is appended to a journal in the folder `.relicast`. It survives a killed
//! process, and the next run reads it. The folder is removed when the run ends.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::finished::{Finished, FinishedLine};
use crate::pipeline::output::folder::delete_unfinished;
use crate::pipeline::report::InputReport;
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::shard::Shard;

/// Items that a killed run had finished.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Journal {
    pub(in crate::pipeline) inputs: Vec<InputReport>,
    /// Shard of the run; the outer `None` if the run had not started.
    pub(in crate::pipeline) shard: Option<Option<Shard>>,
    pub(in crate::pipeline) items: Vec<Finished>,
    /// Paths of its outputs. They were written up to the time of the journal, not that of the manifest.
    pub(in crate::pipeline) outputs: HashSet<String>,
    pub(in crate::pipeline) written: Option<SystemTime>,
}

/// Modification time of a file; `None` if unknown.
pub(in crate::pipeline) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
}

/// Line of the journal.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Finished(Box<Finished>),
    Inputs(Started),
}

/// First line of each run in the journal.
#[derive(Serialize, Deserialize)]
struct Started {
    inputs: Vec<InputReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
}

impl Journal {
    /// Reads the journal in the output folder `out`; empty if there is none. Malformed lines are ignored,
    /// because the last one may be truncated.
    pub(in crate::pipeline) fn read(out: &Path) -> Self {
        let path = out.join(WORK_FOLDER).join(JOURNAL);
        let mut journal = Self::default();
        let Ok(file) = relicast_source::bytes::open_regular(&path) else {
            return journal;
        };
        journal.written = Some(modified(&path).unwrap_or(UNIX_EPOCH));
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            match serde_json::from_str(&line) {
                Ok(Line::Finished(mut finished)) => {
                    finished.set_origins();
                    journal.items.push(*finished);
                }
                Ok(Line::Inputs(started)) => {
                    journal.shard = Some(started.shard);
                    for input_report in started.inputs {
                        journal
                            .inputs
                            .retain(|input| input.input != input_report.input);
                        journal.inputs.push(input_report);
                    }
                }
                Err(_) => {}
            }
        }
        journal
    }
}

const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";

/// Refuses links at paths that a run writes in place.
fn refuse_link(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "{} is a link, and links in the output folder are not followed",
                path.display()
            ),
        ))
    } else {
        Ok(())
    }
}

/// Folder for work in progress: a lock and the journal.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    journal: Mutex<BufWriter<File>>,
    _lock: File,
}

impl WorkFolder {
    /// Creates the folder inside `out` and locks it.
    ///
    /// # Errors
    /// It cannot be created, or another run has locked it.
    pub fn create(out: &Path) -> io::Result<Self> {
        let path = out.join(WORK_FOLDER);
        for place in [&path, &path.join(LOCK), &path.join(JOURNAL)] {
            refuse_link(place)?;
        }
        fs::create_dir_all(&path)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join(LOCK))?;
        lock.try_lock().map_err(|_| {
            io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!("another run is writing to {}", out.display()),
            )
        })?;
        if path.join(JOURNAL).exists() {
            delete_unfinished(out);
        }
        let journal = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path.join(JOURNAL))?;
        Ok(Self {
            path,
            journal: Mutex::new(BufWriter::new(journal)),
            _lock: lock,
        })
    }

    /// Records the inputs of the following items, and their shard.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn start(&self, inputs: Vec<InputReport>, shard: Option<Shard>) -> io::Result<()> {
        // A killed run may have left an incomplete line.
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.write_all(b"\n")?;
        drop(journal);
        self.append(&Started { inputs, shard })?;
        self.flush()
    }

    /// Records a finished item.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn record(&self, finished: &FinishedLine<'_>) -> io::Result<()> {
        self.append(finished)
    }

    fn append(&self, line: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.write_all(&line)
    }

    /// Flushes the journal to the system.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.flush()
    }

    /// Removes the folder, because the manifest replaces the journal.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        let Self {
            path,
            journal,
            _lock,
        } = self;
        drop(journal);
        drop(_lock);
        fs::remove_dir_all(path)
    }
}
