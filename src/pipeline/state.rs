//! What the run before left behind, so that a run redoes only what changed, and goes on where an
//! interrupted one stopped.
//!
//! A finished or interrupted run leaves `manifest.json` and `report.json`. While a run works, each
//! finished part is appended to a journal in the folder `.relicast`, which survives a killed process
//! and is taken into account by the next run. The folder goes when the run ends.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::manifest::{self, Manifest, ManifestOutput, ManifestSource};
use super::output::delete_unfinished;
use super::report::{self, PartReport, Report};

/// Folder for work in progress, inside the output folder.
pub const WORK_FOLDER: &str = ".relicast";

/// A finished part, as the journal keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finished {
    /// The key that its outputs share.
    pub key: String,
    /// What they were made from. Kept for the journal; the outputs have it themselves.
    #[serde(default)]
    pub origins: Vec<ManifestSource>,
    /// Its outputs.
    pub outputs: Vec<ManifestOutput>,
    /// Its line of the report.
    pub report: PartReport,
}

impl Finished {
    /// Tells the outputs of a line of the journal what they were made from.
    fn give_origins(&mut self) {
        let origins: Arc<[ManifestSource]> = std::mem::take(&mut self.origins).into();
        for output in &mut self.outputs {
            output.origins = Arc::clone(&origins);
        }
    }
}

/// A source as the run before saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenSource {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change.
    pub modified: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// What the run before left.
#[derive(Debug, Default)]
pub struct Previous {
    /// Finished parts by key.
    pub parts: HashMap<String, Finished>,
    /// Sources by path.
    pub sources: HashMap<String, SeenSource>,
    /// Every output that was written, by path.
    pub outputs: HashMap<String, ManifestOutput>,
    /// Whether the run ended by itself.
    pub complete: bool,
    found: Option<(Manifest, Report)>,
    written: Option<SystemTime>,
}

impl Previous {
    /// Reads what lies in `out`. Missing or unreadable files count as nothing: the run then starts
    /// from scratch.
    pub fn load(out: &Path) -> Self {
        let mut previous = Self::default();
        let manifest_path = out.join(manifest::FILE_NAME);
        let report_path = out.join(report::FILE_NAME);
        let (manifest, report) = rayon::join(
            || read::<Manifest>(&manifest_path),
            || read::<Report>(&report_path),
        );
        if let (Some(mut manifest), Some(report)) = (manifest, report) {
            manifest.unlink();
            previous.complete = manifest.complete;
            previous.written = fs::metadata(&manifest_path)
                .and_then(|metadata| metadata.modified())
                .ok();
            previous.found = Some((manifest, report));
        }
        let journal = out.join(WORK_FOLDER).join(JOURNAL);
        if journal.exists() {
            previous.index();
            previous.replay(&journal);
        }
        previous
    }

    /// Manifest and report of the run before, until they are [indexed](Self::index).
    pub fn found(&self) -> Option<(&Manifest, &Report)> {
        self.found
            .as_ref()
            .map(|(manifest, report)| (manifest, report))
    }

    /// Takes the report of the run before out, to stand in for a new one.
    pub fn take_report(&mut self) -> Option<Report> {
        self.found.take().map(|(_, report)| report)
    }

    /// Makes what was found ready for looking up parts, sources and outputs. A run that changes
    /// nothing does without.
    pub fn index(&mut self) {
        if let Some((manifest, report)) = self.found.take() {
            self.take(manifest, &report);
        }
    }

    fn take(&mut self, manifest: Manifest, report: &Report) {
        let mut lines: HashMap<&str, &PartReport> = HashMap::new();
        for source in &report.sources {
            if let Some(blake3) = &source.blake3 {
                let seen = SeenSource {
                    size: source.size,
                    modified: source.modified,
                    blake3: blake3.clone(),
                };
                self.sources.insert(source.path.clone(), seen);
            }
            for part in &source.parts {
                for output in &part.outputs {
                    lines.insert(output, part);
                }
            }
        }
        for output in manifest.outputs {
            self.outputs.insert(output.path.clone(), output.clone());
            let Some(line) = lines.get(&*output.path) else {
                continue;
            };
            self.parts
                .entry(output.key.clone())
                .or_insert_with(|| Finished {
                    key: output.key.clone(),
                    origins: Vec::new(),
                    outputs: Vec::new(),
                    report: (*line).clone(),
                })
                .outputs
                .push(output);
        }
    }

    /// Adds what a killed run had finished. A last line that was cut short is passed over.
    fn replay(&mut self, path: &Path) {
        let Ok(file) = File::open(path) else {
            return;
        };
        self.complete = false;
        let newest = fs::metadata(path).and_then(|metadata| metadata.modified());
        self.written = newest.ok().max(self.written);
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            let Ok(mut finished) = serde_json::from_str::<Finished>(&line) else {
                continue;
            };
            finished.give_origins();
            for output in &finished.outputs {
                self.outputs.insert(output.path.clone(), output.clone());
            }
            self.parts.insert(finished.key.clone(), finished);
        }
    }

    /// The finished part with this key, if all its outputs still lie in `out` as they were written.
    /// An output that changed after the manifest was written is read and compared.
    pub fn reusable(&self, key: &str, out: &Path) -> Option<&Finished> {
        let finished = self.parts.get(key)?;
        finished
            .outputs
            .iter()
            .all(|output| self.stands(output, out))
            .then_some(finished)
    }

    /// Whether an output lies in `out` as it was written.
    pub(super) fn stands(&self, output: &ManifestOutput, out: &Path) -> bool {
        let path = out.join(&output.path);
        let Ok(metadata) = fs::metadata(&path) else {
            return false;
        };
        if !metadata.is_file() || metadata.len() != output.size {
            return false;
        }
        match (metadata.modified(), self.written) {
            (Ok(modified), Some(written)) if modified <= written => true,
            _ => fs::read(&path)
                .is_ok_and(|bytes| blake3::hash(&bytes).to_hex().as_str() == output.blake3),
        }
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";

/// The folder for work in progress: a lock and the journal.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    journal: Mutex<BufWriter<File>>,
    _lock: File,
}

impl WorkFolder {
    /// Makes the folder inside `out` and locks it.
    ///
    /// # Errors
    /// It cannot be made, or another run holds it.
    pub fn create(out: &Path) -> io::Result<Self> {
        let path = out.join(WORK_FOLDER);
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

    /// Writes down a finished part.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn record(&self, finished: &Finished) -> io::Result<()> {
        let mut line = serde_json::to_vec(finished)?;
        line.push(b'\n');
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.write_all(&line)
    }

    /// Pushes the journal to the system.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.flush()
    }

    /// Removes the folder; the manifest has taken over.
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
