//! Converts decoded values to assets. This is the only layer that knows both the games and the scene.
//!
//! A file is [opened](open), lists its [`SourceItem`]s (their content and the outputs that each item wants), and
//! converts one item at a time into assets that it passes to a [`Sink`]. Items are independent, so
//! the pipeline runs them in parallel. This layer does not know the locations of outputs.
//!
//! ```
//! use relicast_convert::options::ConvertOptions;
//! use relicast_convert::{OpenContext, open};
//! use relicast_formats::kind::Kind;
//!
//! let file = open(OpenContext::new(Kind::TextReader, "detail.zrd", b"( DETAIL 3 )"))?;
//! let items = file.items(&ConvertOptions::default());
//! assert_eq!(items.len(), 1);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

#![warn(clippy::too_many_lines)]

mod contract;
mod dependencies;
mod dependency_places;
pub mod documents;
mod everquest;
mod item_index;
pub mod options;
mod registry;
mod shared;
mod shared_work;
mod single;
mod single_value;
mod skip_reason;
mod source_item;
pub mod zipper;

pub use contract::{ConvertError, Converter, OpenContext, Sink};
pub use dependencies::{Dependency, DependencyKind, DependencySource, Needs, dependencies};
pub use everquest::{
    borrowed_tracks, drawn_light, joint_places, posed, posed_key, shown_picture, skinned_meshes,
    turned_placement,
};
pub use item_index::ItemIndex;
pub use options::ConvertOptions;
pub use registry::{
    dependency_kind, is_converted, is_loose, is_only_copied, needs, open, open_disc_among,
};
pub use relicast_scene::Encoding;
pub use shared::cabinet::{
    ContainerDocument, MemberRow, VolumeRow, container_document, open_container,
};
pub use shared::disc::{
    AudioDocument, DiscDocument, TrackDocument, TrackUse, document as disc_document, open_disc,
    track_of,
};
pub use shared::sound::sound;
pub use shared_work::SharedWork;
pub use skip_reason::{SkipCode, SkipReason};
pub use source_item::{Disposition, OutputRole, OutputSpec, SourceItem};

/// True if music can be played with a sound font.
pub fn is_sound_font(bytes: &[u8]) -> bool {
    everquest::is_playable(bytes)
}
