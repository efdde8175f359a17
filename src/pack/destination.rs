//! Destination of the changed game files.

use std::path::{Path, PathBuf};

use super::error::PackError;
use super::in_place::Originals;
use super::new_files::NewFiles;
use super::record;
use super::selection::EarlierFiles;

/// Destination of the changed game files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A separate folder.
    Folder(PathBuf),
    /// The install itself; the originals are stored in it.
    InPlace,
}

impl Destination {
    /// The folder of the changed game files; `install` is the install.
    pub(super) fn folder<'p>(&'p self, install: &'p Path) -> &'p Path {
        match self {
            Self::Folder(to) => to,
            Self::InPlace => install,
        }
    }

    /// The game files that earlier runs wrote, with the outputs that they were made from.
    ///
    /// # Errors
    /// The list of them is damaged or cannot be read.
    pub(super) fn earlier(&self, originals: &Originals) -> Result<EarlierFiles, PackError> {
        match self {
            Self::Folder(to) => record::earlier(to),
            Self::InPlace => Ok(originals.earlier()),
        }
    }

    /// Checks that `files` may be written; `others` are folders that must not be touched.
    ///
    /// # Errors
    /// Another file is there.
    pub(super) fn check(
        &self,
        install: &Path,
        others: &[&Path],
        files: NewFiles<'_>,
    ) -> Result<(), PackError> {
        match self {
            Self::Folder(to) => record::check(to, &with(install, others), files).map(|_| ()),
            Self::InPlace => Originals::new(install)?.check(files),
        }
    }

    /// Writes `files`. Returns the files of earlier runs that were deleted or restored.
    ///
    /// # Errors
    /// Another file is there, and nothing was written; or something cannot be written.
    pub(super) fn write(
        &self,
        install: &Path,
        others: &[&Path],
        files: NewFiles<'_>,
        originals: &Originals,
    ) -> Result<Vec<String>, PackError> {
        match self {
            Self::Folder(to) => record::write(to, &with(install, others), files),
            Self::InPlace => originals.write(files),
        }
    }
}

fn with<'p>(install: &'p Path, others: &[&'p Path]) -> Vec<&'p Path> {
    std::iter::once(install)
        .chain(others.iter().copied())
        .collect()
}
