//! Facts for the documents of a package.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::digest::{Digests, Hasher};
use crate::pipeline::report::manifest::{InputNumber, Manifest};
use crate::pipeline::report::reason::Reason;
use crate::pipeline::report::{Report, SourceReport, Status};

/// A file of a package.
#[derive(Debug, Clone)]
pub(super) struct Payload {
    /// Its path below the folder of the outputs.
    pub(super) path: String,
    pub(super) digests: Digests,
}

impl Payload {
    pub(super) fn of_bytes(path: &str, bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        Self {
            path: path.to_owned(),
            digests: hasher.finish(),
        }
    }
}

/// Facts about a package while its documents are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) name: &'a str,
    /// Prefix of the paths of outputs in the package.
    pub(super) prefix: &'a str,
    pub(super) license: Option<&'a str>,
    /// Time at which the outputs were made.
    pub(super) run: Timestamp,
    /// Time at which the package is made, if given.
    pub(super) packaged: Option<Timestamp>,
    pub(super) manifest: &'a Manifest,
    pub(super) report: &'a Report,
    pub(super) payload: &'a [Payload],
}

impl<'a> Facts<'a> {
    /// The records of all sources, of every input in the folder.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'a SourceReport> + use<'a> {
        let others = self.report.others.iter();
        let others = others.flat_map(|other| &other.sources);
        self.report.sources.iter().chain(others)
    }

    /// The places of sources in the manifest, by input and path.
    pub(super) fn source_numbers(&self) -> BTreeMap<(InputNumber, &'a str), u32> {
        let sources = self.manifest.sources.iter().zip(0..);
        let numbers = sources.map(|(source, number)| ((source.input, &*source.path), number));
        numbers.collect()
    }
}

/// Returns the reasons why a source or some of its items failed; empty if none did.
pub(super) fn failures(source: &SourceReport) -> Vec<String> {
    let own = source.reason.as_ref();
    let own = own.filter(|_| source.status == Status::Failed);
    let items = source.items.iter();
    let items = items.filter(|item| item.status == Status::Failed);
    let items = items.filter_map(|item| {
        let reason = item.reason.as_ref()?;
        Some(match &item.member {
            Some(member) => format!("{member}: {reason}"),
            None => reason.text.clone(),
        })
    });
    own.map(Reason::to_string)
        .into_iter()
        .chain(items)
        .collect()
}
