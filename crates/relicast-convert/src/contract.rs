//! Contract of a converter: the data that it is given and the items that it offers to the code that runs it.

use std::fmt;

use super::dependencies::Dependency;
use super::item_index::ItemIndex;
use super::shared_work::SharedWork;
use super::skip_reason::SkipReason;
use super::source_item::{OutputRole, SourceItem};
use crate::options::ConvertOptions;
use relicast_codec::{Deviations, FormatError};
use relicast_formats::depth::Depth;
use relicast_formats::kind::Kind;
use relicast_scene::model::Scene;
use relicast_scene::{Asset, Document, Pictures};

/// A file to open, with everything that is available for it.
#[derive(Clone, Copy)]
pub struct OpenContext<'a, 'd> {
    /// Kind of the file.
    pub kind: Kind,
    /// Its own name, without folders.
    pub name: &'a str,
    /// Its path below the input, forward slashes; the name if nothing else is known.
    pub path: &'a str,
    /// Its bytes; empty for a file that [is only copied](super::is_only_copied).
    pub bytes: &'a [u8],
    /// Size in bytes.
    pub size: u64,
    /// The files that [`dependencies`](super::dependencies()) names for it, in that order. None of them are
    /// needed to list its items.
    pub dependencies: &'d [Dependency<'a>],
    /// BLAKE3 of its bytes, if it is known.
    pub digest: Option<&'d str>,
    /// Cache of values that other files of the run need too. It is shared among files whose BLAKE3 is known.
    pub shared: Option<&'d SharedWork>,
    /// Depth to which the file is read: its outline is enough to list its items without converting them.
    pub depth: Depth,
}

impl<'a, 'd> OpenContext<'a, 'd> {
    /// A file alone, without dependencies.
    pub fn new(kind: Kind, name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            kind,
            name,
            path: name,
            bytes,
            size: bytes.len() as u64,
            dependencies: &[],
            digest: None,
            shared: None,
            depth: Depth::Whole,
        }
    }

    /// With the files that it depends on.
    #[must_use]
    pub fn with_dependencies(self, dependencies: &'d [Dependency<'a>]) -> Self {
        Self {
            dependencies,
            ..self
        }
    }

    /// At this path below the input.
    #[must_use]
    pub fn at(self, path: &'a str) -> Self {
        Self { path, ..self }
    }

    /// Cache that is shared by all files whose bytes have this BLAKE3.
    pub(super) fn shared_as<'s>(&self, digest: Option<&'s str>) -> Option<(&'s SharedWork, &'s str)>
    where
        'd: 's,
    {
        self.shared.zip(digest)
    }

    /// Adds the cache that the files of the run share, if there is any.
    #[must_use]
    pub fn sharing(self, shared: Option<&'d SharedWork>) -> Self {
        Self { shared, ..self }
    }

    /// Opens the file for its list of items only.
    #[must_use]
    pub fn for_its_items(self) -> Self {
        Self {
            depth: Depth::Outline,
            ..self
        }
    }
}

impl fmt::Debug for OpenContext<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_struct("OpenContext"))
            .field("kind", &self.kind)
            .field("name", &self.name)
            .field("size", &self.size)
            .field("dependencies", &self.dependencies.len())
            .finish_non_exhaustive()
    }
}

/// Takes the assets of one item.
pub trait Sink {
    /// True if an output of this role is wanted; assets for others need not be made.
    fn wants(&self, role: OutputRole) -> bool;

    /// Returns the planned path of the first output of another item of the same file, below the output folder. This run
    /// may not write that output.
    fn path_of(&self, _item: ItemIndex) -> Option<&str> {
        None
    }

    /// Adds a line to the report that is useful to the user but not a deviation.
    fn note(&mut self, _text: String) {}

    /// Adds a note about something missing that other sources have and that the user may add.
    fn note_missing(&mut self, text: String) {
        self.note(text);
    }

    /// Adds the counts of an item to the report, as a JSON object.
    fn check(&mut self, _checks: serde_json::Value) {}

    /// Takes an asset for every wanted output of `role`.
    ///
    /// # Errors
    /// The asset cannot be emitted or written.
    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError>;

    /// Takes a scene and its document, which may be made in parallel.
    ///
    /// # Errors
    /// As of [`take`](Self::take).
    fn take_with_document<'d>(
        &mut self,
        scene_role: OutputRole,
        scene: &Scene,
        pictures: &dyn Pictures,
        role: OutputRole,
        document: &(dyn Fn() -> Document<'d> + Sync),
    ) -> Result<(), ConvertError> {
        self.take(scene_role, Asset::Scene(scene, pictures))?;
        self.take(role, Asset::Document(document()))
    }
}

impl dyn Sink + '_ {
    /// Takes the typed value of an item, if it is wanted.
    ///
    /// # Errors
    /// The document cannot be written.
    pub fn take_raw<'d>(&mut self, raw: impl FnOnce() -> Document<'d>) -> Result<(), ConvertError> {
        if self.wants(OutputRole::Raw) {
            self.take(OutputRole::Raw, Asset::Document(raw()))?;
        }
        Ok(())
    }
}

/// Reason for which an item was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The source breaks a hard rule of its format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The asset cannot be expressed in the wanted output format.
    #[error("{0}")]
    Emit(String),
    /// The output file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The output.
        path: String,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The item is skipped, because something that it needs is not available.
    #[error("{0}")]
    LeftOut(SkipReason),
    /// A video needs ffmpeg, which is missing for the given reason.
    #[error("no ffmpeg: {0}")]
    NoFfmpeg(String),
}

/// A file that has been opened for planning or conversion.
pub trait Converter: Sync {
    /// Items of the file, in file order.
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem>;

    /// Soft faults of the container itself.
    fn deviations(&self) -> &Deviations;

    /// Converts the item at `index` of [`Converter::items`].
    ///
    /// # Errors
    /// The item breaks a hard rule of its format, or the sink fails.
    fn convert(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError>;
}
