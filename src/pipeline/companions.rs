//! The files that a planned file depends on, at the time of its conversion.

use std::sync::OnceLock;

use tracing::warn;

use super::plan::{NOT_SELECTED, Plan, PlannedFile, PlannedPart};
use super::reading;
use super::state::Previous;
use crate::config::{Config, Unchanged};
use crate::convert::{Companion, Role, Verdict};
use crate::formats::kind::Kind;
use crate::source::bytes::FileBytes;

/// BLAKE3 of files, each computed at most once.
#[derive(Debug)]
pub(super) struct Hashes(Vec<OnceLock<Option<String>>>);

impl Hashes {
    /// None is known yet.
    pub(super) fn new(plan: &Plan) -> Self {
        Self(plan.files.iter().map(|_| OnceLock::new()).collect())
    }

    fn of(
        &self,
        index: usize,
        plan: &Plan,
        previous: &Previous,
        config: &Config,
    ) -> Option<String> {
        let source = &plan.files.get(index)?.source;
        self.0
            .get(index)?
            .get_or_init(|| {
                let seen = previous.sources.get(&source.path).filter(|seen| {
                    seen.size == source.size
                        && seen.modified == source.modified
                        && config.run.unchanged == Unchanged::Time
                });
                if let Some(seen) = seen {
                    return Some(seen.blake3.clone());
                }
                let bytes = FileBytes::open(&source.location).ok()?;
                reading::digest(&source.location, &bytes)
            })
            .clone()
    }
}

/// The output of a part, if this run makes it or the one before left it.
fn output_of(planned: &PlannedPart, previous: &Previous) -> Option<String> {
    let outputs = &planned.outputs;
    let main = outputs.iter().find(|it| it.wanted.role == Role::Main)?;
    let there = match &planned.part.verdict {
        Verdict::Convert => true,
        Verdict::Skip(reason) => {
            reason == NOT_SELECTED && previous.outputs.contains_key(&main.path)
        }
        Verdict::Fail(_) => false,
    };
    there.then(|| main.path.clone())
}

fn outputs_of(file: &PlannedFile, previous: &Previous) -> Vec<Option<String>> {
    let parts = file.parts().iter();
    parts.map(|planned| output_of(planned, previous)).collect()
}

/// Digest of all that a file takes from its companions; empty without any. `hash` tells the BLAKE3 of
/// a file of the plan.
fn digest(
    file: &PlannedFile,
    plan: &Plan,
    previous: &Previous,
    hash: impl Fn(usize) -> Option<String>,
) -> String {
    if file.companions.is_empty() {
        return String::new();
    }
    let mut hasher = blake3::Hasher::new();
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for &index in &file.companions {
        let Some(companion) = plan.files.get(index) else {
            continue;
        };
        field(&companion.source.path);
        field(&hash(index).unwrap_or_default());
        for output in outputs_of(companion, previous) {
            field(&output.unwrap_or_default());
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// [`digest`] with hashes that are computed when they are not known.
pub(super) fn current_digest(
    file: &PlannedFile,
    plan: &Plan,
    previous: &Previous,
    config: &Config,
    hashes: &Hashes,
) -> String {
    digest(file, plan, previous, |index| {
        hashes.of(index, plan, previous, config)
    })
}

/// A companion that was opened.
#[derive(Debug)]
pub(super) struct Held<'a> {
    path: &'a str,
    kind: Kind,
    bytes: FileBytes,
    outputs: Vec<Option<String>>,
}

/// Opens the companions of a file. One that cannot be opened is left out: it is reported as a file of
/// its own.
pub(super) fn open<'a>(file: &PlannedFile, plan: &'a Plan, previous: &Previous) -> Vec<Held<'a>> {
    let companions = file.companions.iter();
    companions
        .filter_map(|&index| {
            let companion = plan.files.get(index)?;
            let source = &companion.source;
            match FileBytes::open(&source.location) {
                Ok(bytes) => Some(Held {
                    path: &source.path,
                    kind: companion.kind,
                    bytes,
                    outputs: outputs_of(companion, previous),
                }),
                Err(fault) => {
                    warn!("{}: cannot read {}: {fault}", file.source.path, source.path);
                    None
                }
            }
        })
        .collect()
}

/// The first of them that could not be read to its end, with the reason.
pub(super) fn fault(held: &[Held<'_>]) -> Option<String> {
    held.iter().find_map(|held| {
        let fault = held.bytes.check().err()?;
        Some(format!("cannot read {}: {fault}", held.path))
    })
}

/// What the converter sees of them.
pub(super) fn lend<'a>(held: &'a [Held<'_>]) -> Vec<Companion<'a>> {
    held.iter()
        .map(|held| Companion {
            path: held.path,
            kind: held.kind,
            bytes: &held.bytes,
            outputs: &held.outputs,
        })
        .collect()
}
