//! Files of EverQuest's later client, mostly members of `.eqg` archives: terrain, models, creatures,
//! animations, zones and what belongs to them. Facts are those of the project's sheet on EQG; a field says so
//! where a fact is uncertain.
//!
//! - [`mesh`] — terrain (`.ter`) and models (`.mod`), with or without bones.
//! - [`creature`] — creatures of several pieces (`.mds`).
//! - [`animation`] — movements of bones (`.ani`).
//! - [`layers`] — other textures of a creature (`.lay`).
//! - [`light`] — light baked into the vertices of one placement (`.lit`).
//! - [`particles`], [`points`] — what hangs on bones (`.prt`, `.pts`).
//! - [`emitters`] — definitions of particle emitters (`.edd`).
//! - [`zone`] — zones of placements (`.zon`, versions 1 and 2).
//! - [`tiles`], [`walls`] — ground and invisible walls of zones of version 4 (`.dat`).
//! - [`text`] — zones of version 4 and their companions, which are text (`.zon`, `.eco`, `.tog`, `.lod` …).
//! - [`parts`] — what several of them hold: strings, materials, vertices, bones.
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
