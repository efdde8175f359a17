//! relicast turns installs of late-1990s games into files that today's engines read.
//!
//! # Module map
//!
//! Data moves down only:
//!
//! | module | floor |
//! | --- | --- |
//! | [`formats`] | bytes ↔ typed values, one codec a format; no files, threads or output formats |

pub mod formats;
pub mod source;
