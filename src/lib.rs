//! relicast turns installs of late-1990s games into files that today's engines read.
//!
//! # Module map
//!
//! Data moves down only:
//!
//! | module | floor |
//! | --- | --- |
//! | [`formats`] | bytes ↔ typed values, one codec a format; no files, threads or output formats |
//! | [`convert`] | typed values → scene: what the values mean; knows both sides |
//! | [`scene`] | the engine-neutral model; knows no game |
//! | [`emit`] | scene → bytes of output formats; knows only the scene |

pub mod convert;
pub mod emit;
pub mod formats;
pub mod scene;
