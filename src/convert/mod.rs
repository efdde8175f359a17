//! Converts decoded values to assets. This is the only layer that knows both the games and the scene.
//!
//! A file is [opened](open), tells its [`SourceItem`]s (what it holds, which outputs each part wants), and
//! converts one part at a time into assets that it hands to a [`Sink`]. Parts are independent, so
//! the pipeline runs them in parallel; where outputs go is none of this floor's business.

mod archive;
mod contract;
mod dependencies;
mod disc;
mod everquest;
mod item_index;
mod loose;
mod single;
mod skip_reason;
mod sound;
mod source_item;
mod video;
pub mod zipper;

use crate::formats::codec::FormatError;
use crate::formats::kind::Kind;

pub use crate::scene::Encoding;
pub use contract::{ConvertError, Converter, OpenContext, Sink};
pub use dependencies::{Dependency, DependencyKind, DependencySource, Needs, dependencies};
pub use disc::{
    AudioDocument, DiscDocument, TrackDocument, document as disc_document, open_disc, track_of,
};
pub use item_index::ItemIndex;
pub use loose::is_loose;
pub use skip_reason::SkipReason;
pub use sound::sound;
pub use source_item::{Disposition, OutputRole, OutputSpec, SourceItem};

/// Opens a file of a kind that has a converter. Dependencies that cannot be read are as good as absent.
///
/// # Errors
/// The container is damaged beyond listing its parts.
pub fn open<'a>(context: OpenContext<'a, '_>) -> Result<Box<dyn Converter + 'a>, FormatError> {
    let OpenContext {
        kind,
        name,
        bytes,
        dependencies,
        release_hint,
    } = context;
    Ok(match kind {
        Kind::Archive => Box::new(archive::ArchiveFile::open(context)?),
        Kind::Textures => Box::new(zipper::texture::PackageFile::open(bytes)?),
        Kind::MessageDll => Box::new(zipper::messages::MessageLibrary::open(bytes)?),
        Kind::Pfs => Box::new(everquest::PfsConverter::archive(name, bytes, dependencies)?),
        Kind::Wld => Box::new(everquest::PfsConverter::loose(name, bytes, dependencies)?),
        Kind::Emitters | Kind::EmitterText | Kind::SoundBank => {
            Box::new(everquest::ListFile::new(kind, name, bytes, dependencies))
        }
        Kind::Anim => Box::new(zipper::anim::AnimFile::open(bytes, dependencies)?),
        Kind::GameZ => Box::new(zipper::world::WorldFile::open(name, bytes, dependencies)?),
        Kind::Avi | Kind::Mpeg => Box::new(video::VideoFile::open(kind, bytes, release_hint)?),
        Kind::Foreign | Kind::Unknown => Box::new(loose::LooseFile::new(kind, bytes)),
        _ => Box::new(single::SingleFile::new(kind, name, bytes)),
    })
}
