//! Game files in disc images and cabinets. These are read and never written.

use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{PackError, access};
use relicast_source::location::Location;
use relicast_source::names::fold;
use relicast_source::tree::{Opening, Tree};

/// A game file in an image or a cabinet.
#[derive(Debug)]
pub(super) struct Packaged {
    /// Its path on the disc or in the cabinet.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A file of the tree that is not a file on disk.
#[derive(Debug)]
struct Listed {
    /// Path below the install, folded.
    folded: String,
    /// Its path on the disc or in the cabinet; none for an image itself.
    own: Option<String>,
    location: Location,
}

/// Contents of the images and cabinets of an install, listed on first use.
#[derive(Debug)]
pub(super) struct Inside {
    install: PathBuf,
    opening: Opening,
    listed: OnceCell<Vec<Listed>>,
}

impl Inside {
    /// Prepares the listing of an install: a folder with images or cabinets, or one of these.
    pub(super) fn new(install: &Path) -> Self {
        Self {
            install: install.to_owned(),
            opening: Opening::default(),
            listed: OnceCell::new(),
        }
    }

    /// Opens archives with the options that the outputs were made with.
    pub(super) fn opening(&mut self, opening: Opening) {
        self.opening = opening;
        self.listed = OnceCell::new();
    }

    fn listed(&self) -> Result<&[Listed], PackError> {
        if let Some(listed) = self.listed.get() {
            return Ok(listed);
        }
        let inputs = [self.install.clone()];
        let tree = Tree::list_with(&inputs, &[String::new()], None, self.opening);
        let tree = tree.map_err(access(&self.install))?;
        let files = tree.files.into_iter().filter_map(|file| {
            let own = match &file.location {
                Location::DiscFile(disc, number) => {
                    let mut entries = disc.entries();
                    let (_, path, _) = entries.find(|(own, ..)| own == number)?;
                    Some(path)
                }
                Location::Member(container, index) => {
                    Some(container.members.get(*index)?.path.clone())
                }
                Location::Disc(_) | Location::ImagePart(..) => None,
                _ => return None,
            };
            Some(Listed {
                folded: fold(&file.path),
                own,
                location: file.location,
            })
        });
        Ok(self.listed.get_or_init(|| files.collect()))
    }

    /// The file at `path` below the install, or the only file with this path on its disc.
    fn find(&self, path: &str) -> Result<Option<&Listed>, PackError> {
        let folded = fold(path);
        let listed = self.listed()?;
        if let Some(found) = listed.iter().find(|file| file.folded == folded) {
            return Ok(Some(found));
        }
        let has_path = |file: &&Listed| file.own.as_deref().is_some_and(|own| fold(own) == folded);
        let mut found = listed.iter().filter(has_path);
        let first = found.next();
        Ok(first.filter(|_| found.next().is_none()))
    }

    /// True if `path` is a disc image or a file of one.
    ///
    /// # Errors
    /// The install cannot be listed.
    pub(super) fn is_image(&self, path: &str) -> Result<bool, PackError> {
        Ok(self.find(path)?.is_some_and(|found| found.own.is_none()))
    }

    /// The file at `path` below the install; `None` when no image and no cabinet holds it.
    ///
    /// # Errors
    /// The install cannot be listed, or the file cannot be read.
    pub(super) fn read(&self, path: &str) -> Result<Option<Packaged>, PackError> {
        let Some((found, own)) = self
            .find(path)?
            .and_then(|found| Some((found, found.own.as_ref()?)))
        else {
            return Ok(None);
        };
        let bytes = found.location.open().and_then(|bytes| {
            // A game file is smaller than 4 GiB.
            let is_small = u32::try_from(bytes.len()).is_ok();
            is_small
                .then(|| bytes.to_vec())
                .ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))
        });
        Ok(Some(Packaged {
            path: own.clone(),
            bytes: bytes.map_err(access(&self.install.join(path)))?,
        }))
    }
}
