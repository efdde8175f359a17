//! Binary tables of spells and of their visual effects.
//!
//! - [`table`] — `spdat.eff`: the spells;
//! - [`sprites`] — `spells.eff`: visual effects of old clients;
//! - [`stages`] — `spellsnew.eff`: visual effects of newer clients, by record numbers of `spellsnew.edd`.
//!
//! ```
//! use relicast_formats::everquest::spells::table;
//!
//! let bytes = [0; 2 * 560];
//! let spells = table::decode(&bytes)?.value;
//! assert_eq!((spells.spells.len(), spells.slots), (2, 4));
//! assert_eq!(table::encode(&spells)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod sprites;
pub mod stages;
pub mod table;
