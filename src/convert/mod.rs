//! What decoded values mean: the only floor that knows both a game and the scene.
//!
//! A file is [opened](open), tells its [`SourceItem`]s (what it holds, which outputs each part wants), and
//! converts one part at a time into assets that it hands to a [`Sink`]. Parts are independent, so
//! the pipeline runs them in parallel; where outputs go is none of this floor's business.

mod archive;
mod dependencies;
mod disc;
mod everquest;
mod loose;
mod part;
mod single;
mod skip_reason;
mod sound;
mod video;
pub mod zipper;

use crate::config::Config;
use crate::formats::codec::{Deviations, FormatError};
use crate::formats::kind::Kind;
use crate::scene::Asset;

pub use crate::scene::Encoding;
pub use dependencies::{Dependency, DependencyKind, DependencySource, Needs, dependencies};
pub use disc::{
    AudioDocument, DiscDocument, TrackDocument, document as disc_document, open_disc, track_of,
};
pub use loose::is_loose;
pub use part::{AssetKind, Category, Disposition, OutputRole, OutputSpec, SourceItem};
pub use skip_reason::SkipReason;
pub use sound::sound;

/// Takes the assets of one part.
pub trait Sink {
    /// Whether an output of this role is wanted; assets for others need not be made.
    fn wants(&self, role: OutputRole) -> bool;

    /// Path below the output folder that the plan gives to the first output of another part of the same
    /// file, whether or not this run makes it.
    fn path_of(&self, _part: usize) -> Option<&str> {
        None
    }

    /// Takes a line for the report: something that the user may want to know and that breaks no rule.
    fn note(&mut self, _text: String) {}

    /// Takes a note of something that is not at hand and that other sources would have: the user may add
    /// them.
    fn miss(&mut self, text: String) {
        self.note(text);
    }

    /// Tells that bytes of the file were read and are not needed soon: their memory may be given back.
    fn release_hint(&self, _bytes: &[u8]) {}

    /// Takes what the part counted on the way, an object, for the report.
    fn check(&mut self, _checks: serde_json::Value) {}

    /// Takes an asset for every wanted output of `role`.
    ///
    /// # Errors
    /// The asset cannot be emitted or written.
    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError>;
}

/// Why a part was not converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
        /// Why.
        error: std::io::Error,
    },
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A video needs ffmpeg, and there is none, for the given reason.
    #[error("no ffmpeg: {0}")]
    NoFfmpeg(String),
}

/// A file that has been opened for planning or conversion.
pub trait Converter: Sync {
    /// What the file holds, in file order.
    fn parts(&self, config: &Config) -> Vec<SourceItem>;

    /// Soft faults of the container itself.
    fn deviations(&self) -> &Deviations;

    /// Converts the part at `index` of [`Converter::parts`].
    ///
    /// # Errors
    /// The part breaks a hard rule of its format, or the sink fails.
    fn convert(
        &self,
        index: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError>;
}

/// Opens a file of a kind that has a converter, without the files that it depends on: enough to list
/// its parts. `name` is its own name without folders.
///
/// # Errors
/// The container is damaged beyond listing its parts.
pub fn open<'a>(
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
) -> Result<Box<dyn Converter + 'a>, FormatError> {
    open_with(kind, name, bytes, &[])
}

/// Opens a file with the files that [`dependencies`] tells for it, in that order. What cannot be read
/// of those is as good as absent.
///
/// # Errors
/// The container is damaged beyond listing its parts.
pub fn open_with<'a>(
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    dependencies: &[Dependency<'a>],
) -> Result<Box<dyn Converter + 'a>, FormatError> {
    open_passing(kind, name, bytes, dependencies, &|_| {})
}

/// [`open_with`], telling `release_hint` of bytes that were read and are not needed soon, as
/// [`Sink::release_hint`] does.
///
/// # Errors
/// The container is damaged beyond listing its parts.
pub fn open_passing<'a>(
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    dependencies: &[Dependency<'a>],
    release_hint: &dyn Fn(&[u8]),
) -> Result<Box<dyn Converter + 'a>, FormatError> {
    Ok(match kind {
        Kind::Archive => Box::new(archive::ArchiveFile::open(
            bytes,
            dependencies,
            release_hint,
        )?),
        Kind::Textures => Box::new(zipper::texture::PackageFile::open(bytes)?),
        Kind::MessageDll => Box::new(zipper::messages::MessageLibrary::open(bytes)?),
        Kind::Pfs | Kind::Wld | Kind::Emitters | Kind::EmitterText | Kind::SoundBank => {
            everquest::open(kind, name, bytes, dependencies)?
        }
        Kind::Anim => Box::new(zipper::anim::AnimFile::open(bytes, dependencies)?),
        Kind::GameZ => Box::new(zipper::world::WorldFile::open(name, bytes, dependencies)?),
        Kind::Avi | Kind::Mpeg => Box::new(video::VideoFile::open(kind, bytes, release_hint)?),
        Kind::Foreign | Kind::Unknown => Box::new(loose::LooseFile::new(kind, bytes)),
        _ => Box::new(single::SingleFile::new(kind, name, bytes)),
    })
}
