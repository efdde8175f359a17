//! Lists of the sounds of a zone. Facts are those of reference implementations; no retail
//! list could be checked.
//!
//! - [`eff`] — `ZONE_sounds.eff`: emitters in records of 84 bytes.
//! - [`emt`] — `ZONE.emt`: the same as text, from later years.
//! - [`bank`] — `ZONE_sndbnk.eff`: the names that emitters number.
//! - [`lines`] — lines of texts, with their line endings.
//!
//! ```
//! use relicast_formats::everquest::sound::{bank, eff};
//!
//! let bank = bank::decode(b"EMIT\r\nwind\r\n")?.value;
//! let first = bank.names(bank::Section::Emit).next();
//! assert_eq!(eff::SoundId(1).source(), eff::SoundSource::Emit(1));
//! assert_eq!(first, Some("wind"));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod bank;
pub mod eff;
pub mod emt;
pub mod lines;

pub use lines::Line;
