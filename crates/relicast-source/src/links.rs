//! Links in inputs, and the rules for following them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Reason for a link that leaves the input.
const LEAVES: &str =
    "a link that leaves the input and is not followed (source.follow_links = true follows it)";

/// Reason for a link to a folder that is listed already.
const LISTED: &str = "a link to a folder that is already listed through another link";

/// Links met while inputs are listed.
#[derive(Debug)]
pub(super) struct Links {
    /// Canonical paths of the inputs.
    roots: Vec<PathBuf>,
    follows_all: bool,
    /// Folders that links point to.
    folders: HashSet<PathBuf>,
}

impl Links {
    /// Creates the links below `inputs`. `follows_all`: also those that leave the inputs.
    pub(super) fn new(inputs: &[PathBuf], follows_all: bool) -> Self {
        let roots = inputs.iter().filter_map(|input| input.canonicalize().ok());
        Self {
            roots: roots.collect(),
            follows_all,
            folders: HashSet::new(),
        }
    }

    /// Returns the reason why the link at `path` is not followed. Links to folders are followed once each, because
    /// folders that link to one another would be listed without end.
    pub(super) fn refuse(&mut self, path: &Path, is_folder: bool) -> Option<&'static str> {
        // A dangling link is reported when it is read.
        let place = path.canonicalize().ok()?;
        let stays = self.roots.iter().any(|root| place.starts_with(root));
        if !stays && !self.follows_all {
            return Some(LEAVES);
        }
        (is_folder && !self.folders.insert(place)).then_some(LISTED)
    }
}
