//! Assets of Zipper's games.
//!
//! - `archive` — archives with their table at the end.
//! - `messages` — message libraries, one document per language.
//! - [`texture`] — packages of pictures.
//! - `world` — worlds and aircraft, as scenes.
//! - `clip` — compiled animations as movement.
//! - `mech` — 'mechs with their motions, as scenes.
//! - `anim` — compiled animations: their converter; `anim_documents`, `anim_scenes` — its outputs; `event_length` —
//!   durations of events.
//! - `start` — worlds at the start of missions.
//! - `crimson` — formats of Crimson Skies only: resource archives, liveries.
//! - `row_info` — additional bytes in rows of archives; `saves` — save games, a document each.
//! - `settings` — reader values as keys with values.
//! - `document` — JSON documents that differ from the typed value.
//!
//! ```
//! use relicast_convert::options::ConvertOptions;
//! use relicast_convert::{self as convert, OpenContext};
//! use relicast_formats::kind::{Kind, sniff};
//!
//! let bytes = b"( GRAVITY -9.8 )";
//! let context = OpenContext::new(sniff(bytes, "physics.zrd"), "physics.zrd", bytes);
//! assert_eq!(context.kind, Kind::TextReader);
//! assert_eq!(convert::open(context)?.items(&ConvertOptions::default()).len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(super) mod anim;
mod anim_documents;
mod anim_scenes;
pub(super) mod archive;
mod bake;
pub mod crimson;
pub(crate) mod disc_music;
pub mod document;
mod event_length;
mod font;
pub(super) mod mech;
pub mod messages;
#[cfg(test)]
pub(crate) mod reader_text;
mod row_info;
pub(super) mod saves;
mod scene;
pub(super) mod settings;
pub(crate) mod sound_list;
mod start;
pub mod texture;
pub(super) mod world;

use crate::documents::DocumentForm;

pub use anim::animated_nodes;
pub use scene::corner::CornerSource;
pub use scene::material_draft::color_label;
pub use scene::sources::{
    MaterialLabel, Materials, corner_sources, first_equal_polygons, material_labels,
};
pub use world::{EYE, eye_below, is_shown_zone};

/// Forms of the documents.
pub(crate) const FORMS: &[&[DocumentForm]] = &[
    document::FORMS,
    archive::FORMS,
    messages::FORMS,
    saves::FORMS,
    texture::FORMS,
    font::FORMS,
    world::FORMS,
    mech::FORMS,
    anim_documents::index::FORMS,
    anim_documents::definition::FORMS,
    crimson::LIVERIES,
    crimson::RESOURCES,
    crimson::INTERFACE_TABLES,
];
