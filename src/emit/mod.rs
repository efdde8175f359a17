//! Writers of output formats. They know the scene and nothing of where it came from.

mod flac;
mod wav;

pub use flac::{FlacError, encode_flac};
pub use wav::{WavError, encode_wav};
