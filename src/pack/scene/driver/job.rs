//! Request to pack scenes, and its result.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Config;
use crate::pack::edited::Content;
use crate::pack::in_place::Originals;
use crate::pack::scene::exporter::Noise;
use crate::pack::stored_edits::OutputFiles;
use crate::pipeline::report::manifest::Manifest;
use relicast_formats::kind::Kind;

/// A game file whose scenes were edited.
#[derive(Debug, Clone, Copy)]
pub(in crate::pack) struct Job<'j> {
    pub manifest: &'j Manifest,
    /// The settings that the outputs were made with.
    pub settings: &'j Config,
    /// The outputs with the edits.
    pub out: &'j OutputFiles,
    /// The original install.
    pub originals: &'j Originals,
    /// Kind of the file.
    pub kind: Kind,
    /// Its path below the install.
    pub place: &'j str,
    /// Its bytes in the install.
    pub original: &'j [u8],
    /// Names of its new members by the path of their file.
    pub added: &'j BTreeMap<String, String>,
    /// Its bytes with the edits of other kinds.
    pub current: &'j [u8],
}

/// New members of other game files: by the path of the archive below the install, then by name in lower case.
pub(in crate::pack) type Members = BTreeMap<String, BTreeMap<String, Vec<u8>>>;

/// Result of packing edited scenes.
#[derive(Debug)]
pub(in crate::pack) struct Replaced {
    /// Their game file.
    pub content: Content,
    /// Description of each edit, in their order.
    pub changed: Vec<Option<String>>,
    /// Scenes that only their programs changed, by path without extension.
    pub unedited: BTreeSet<String>,
    /// Members of other game files.
    pub members: Members,
    /// Changes that programs made by themselves, by scene.
    pub noises: Vec<(String, Noise)>,
}
