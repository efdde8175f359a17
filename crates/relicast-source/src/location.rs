//! Location of the bytes of a file: on disk, in a disc image, in a cabinet.
//!
//! ```
//! use relicast_source::location::Location;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("notes.txt");
//! std::fs::write(&path, b"a line")?;
//! let location = Location::File(path.clone());
//! assert_eq!(location.on_disk(), Some(&*path));
//! assert_eq!(&*location.open()?, b"a line");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bytes::FileBytes;
use super::cabinet::Container;
use super::disc::{Disc, FileNumber};
use super::stamp::Stamps;

/// Location of the bytes of a file.
#[derive(Debug, Clone)]
pub enum Location {
    /// On disk.
    File(PathBuf),
    /// On disk, and read as part of the disc image of this path below the input.
    ImagePart(PathBuf, String),
    /// A disc image: a sheet, or an image without one.
    Disc(Arc<Disc>),
    /// In a disc image.
    DiscFile(Arc<Disc>, FileNumber),
    /// A cabinet, or the file that a cabinet is opened by, with its own location.
    Container(Arc<Container>, Box<Location>),
    /// Volume of a cabinet, by index, with its own location.
    ContainerPart(Arc<Container>, usize, Box<Location>),
    /// Member of a cabinet, by index.
    Member(Arc<Container>, usize),
    /// On disk, but not a file; the text names its type.
    Special(PathBuf, &'static str),
}

impl Location {
    /// The file on disk; `None` for a file in an image.
    pub fn on_disk(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::ImagePart(path, _) => Some(path),
            Self::Container(_, place) | Self::ContainerPart(.., place) => place.on_disk(),
            Self::Disc(_) | Self::DiscFile(..) | Self::Member(..) | Self::Special(..) => None,
        }
    }

    /// The disc image that it is or that contains it.
    pub fn disc_around(&self) -> Option<&Disc> {
        match self {
            Self::Disc(disc) | Self::DiscFile(disc, _) => Some(disc),
            Self::Container(_, place) | Self::ContainerPart(.., place) => place.disc_around(),
            Self::File(_) | Self::ImagePart(..) | Self::Member(..) | Self::Special(..) => None,
        }
    }

    /// The cabinet, if it is one.
    pub fn container(&self) -> Option<&Arc<Container>> {
        match self {
            Self::Container(container, _) => Some(container),
            _ => None,
        }
    }

    /// The disc image, if it is one.
    pub fn disc(&self) -> Option<&Disc> {
        match self {
            Self::Disc(disc) => Some(disc),
            _ => None,
        }
    }

    /// Calls `visit` with each file on disk that its bytes are read from.
    pub fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        match self {
            Self::File(path) | Self::ImagePart(path, _) => visit(path),
            Self::Disc(disc) | Self::DiscFile(disc, _) => disc.visit_files(visit),
            Self::Container(container, place) | Self::ContainerPart(container, _, place) => {
                place.visit_files(visit);
                let volumes = container.volumes.iter();
                volumes.for_each(|volume| volume.visit_files(visit));
            }
            Self::Member(container, _) => {
                let volumes = container.volumes.iter();
                volumes.for_each(|volume| volume.visit_files(visit));
            }
            Self::Special(..) => {}
        }
    }

    /// True if no file that its bytes are read from has changed since it was recorded.
    pub fn is_unchanged(&self, stamps: &Stamps) -> bool {
        let mut is_unchanged = true;
        self.visit_files(&mut |path| is_unchanged &= stamps.is_unchanged(path));
        is_unchanged
    }

    /// Opens the bytes. For a disc, these are its sheet.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn open(&self) -> io::Result<FileBytes> {
        match self {
            Self::File(path) | Self::ImagePart(path, _) => FileBytes::open_path(path),
            Self::Disc(disc) => Ok(FileBytes::Owned(disc.sheet_bytes.clone())),
            Self::Special(_, what) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                format!("{what}, not a file"),
            )),
            Self::DiscFile(disc, number) => disc.read_file(*number),
            Self::Container(_, place) | Self::ContainerPart(.., place) => place.open(),
            Self::Member(container, index) => container.read(*index),
        }
    }
}
