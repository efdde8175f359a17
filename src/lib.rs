//! Converts installs of late-1990s games to glTF, PNG, WAV and JSON.
//!
//! The program `relicast` is a thin layer over this library. To use its layers directly:
//!
//! 1. [`formats::kind::sniff`] detects the kind of a file, [`formats::registry`] describes every kind;
//! 2. [`formats::decoded_file::decode`] returns the typed value of a file and encodes it again;
//! 3. [`convert::open`] lists the items of a file and converts one at a time into assets of [`scene`];
//! 4. [`emit`] writes assets as glTF, PNG, WAV, FLAC and JSON;
//! 5. [`pipeline::run`] does all of this for whole installs, as `relicast convert` does.
//!
//! ```
//! use relicast::convert::{self, ConvertError, ConvertOptions, OpenContext, OutputRole, Sink};
//! use relicast::emit::{self, Options};
//! use relicast::formats::kind::sniff;
//! use relicast::scene::{Asset, Encoding};
//!
//! /// Keeps the JSON of a document.
//! struct Json(Vec<u8>);
//!
//! impl Sink for Json {
//!     fn wants(&self, role: OutputRole) -> bool {
//!         role == OutputRole::Main
//!     }
//!     fn take(&mut self, _: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
//!         let json = emit::encode(&asset, Encoding::Json, &[], Options::default());
//!         self.0 = json.map_err(|error| ConvertError::Emit(error.to_string()))?.into_owned();
//!         Ok(())
//!     }
//! }
//!
//! let (name, bytes) = ("detail.zrd", b"( DETAIL 3 )");
//! let file = convert::open(OpenContext::new(sniff(bytes, name), name, bytes))?;
//! let mut json = Json(Vec::new());
//! file.convert(0, &ConvertOptions::default(), &mut json)?;
//! let value: serde_json::Value = serde_json::from_slice(&json.0)?;
//! assert_eq!(value, serde_json::json!(["DETAIL", 3]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folders `examples/` of the crates hold whole programs. `docs/architecture.md` explains the design,
//! `docs/adding-a-format.md` how to extend it.
//!
//! # Module map
//!
//! Data moves down only. The modules above `config` are crates of their own (`relicast-formats`, …) that can be
//! used alone:
//!
//! | module | floor |
//! | --- | --- |
//! | [`limits`] | what one input may make the process spend |
//! | [`formats`], [`asset`] | bytes ↔ typed values, one codec a format; no files, threads or output formats |
//! | [`source`] | finds bytes: walks inputs, opens files, names the game |
//! | [`scene`] | engine-neutral assets |
//! | [`convert`] | what the values mean; the only floor that knows a game and the scene |
//! | [`emit`] | assets → bytes of modern files |
//! | [`config`] | `pipeline.toml` as types |
//! | [`pipeline`] | the run: plan, threads, files, manifest, report |
//! | [`golden`] | hashes of outputs and what differs |
//! | [`package`] | outputs as packages for repositories |
//! | [`pack`] | edited outputs as game files again |
//! | [`collection`] | one index over the outputs of many discs |
//! | [`gallery`] | outputs to look at in a browser: catalog, server, static files, report |
//! | [`project`] | files that make a project of the outputs: of Godot 4, Unity, Blender |
//! | `cli` | arguments as typed, one file a subcommand; with the feature of this name, which is on by default |
//!
//! # Departures from the first plan
//!
//! - Structures are declared with [`formats::codec`] and not with a deriving library: one walk runs in
//!   both directions, borrows from the file, and reports broken soft rules with their offsets.
//! - [`convert`] and [`emit`] have options of their own, which [`config`] and [`pipeline`] make from `pipeline.toml`.
//! - A part is decoded, converted and emitted by one task; the stages are timed, not separated by
//!   barriers, so that memory stays near the largest asset a thread.

// Standard output and error may be closed or full; these macros panic then. See `cli::terminal::console`.
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::too_many_lines)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod collection;
pub mod config;
pub mod gallery;
pub mod golden;
pub mod pack;
pub mod package;
pub mod pipeline;
pub mod project;

pub use relicast_convert as convert;
pub use relicast_emit as emit;
pub use relicast_formats::asset;
pub use relicast_limits as limits;
pub use relicast_scene as scene;
pub use relicast_source as source;

/// File formats: bytes in, typed values out, and back again.
pub mod formats {
    pub use relicast_codec as codec;
    pub use relicast_formats::*;
}
