//! EQG files of EverQuest, mostly members of `.eqg` archives: terrain, models, creatures,
//! animations, zones and their companions. A field says so if a fact about it is
//! uncertain.
//!
//! - [`mesh`] — terrain (`.ter`) and models (`.mod`), with or without bones.
//! - [`creature`] — creatures of several pieces (`.mds`).
//! - [`animation`] — animations of bones (`.ani`).
//! - [`layers`] — other textures of a creature (`.lay`).
//! - [`light`] — light baked into the vertices of one placement (`.lit`).
//! - [`particles`], [`points`] — attachments of bones (`.prt`, `.pts`).
//! - [`emitters`] — definitions of particle emitters (`.edd`).
//! - [`zone`] — zones of placements (`.zon`, versions 1 and 2).
//! - [`tiles`], [`walls`] — ground and invisible walls of zones of version 4 (`.dat`).
//! - [`text`] — zones of version 4 and their companions, which are text (`.zon`, `.eco`, `.tog`, `.lod` …).
//! - [`parts`] — shared structures: strings, materials, vertices, bones.
//!
//! ```
//! use relicast_formats::everquest::eqg::text;
//!
//! let bytes = b"EQLOD\r\nLOD,TREE.MOD,100\r\n";
//! let text = text::decode(bytes)?.value;
//! assert_eq!(text.levels().len(), 1);
//! assert_eq!(text::encode(&text)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod animation;
pub mod creature;
pub mod emitters;
pub mod layers;
pub mod light;
pub mod mesh;
pub mod particles;
pub mod parts;
pub mod points;
pub mod text;
pub mod tiles;
pub mod walls;
pub mod zone;
