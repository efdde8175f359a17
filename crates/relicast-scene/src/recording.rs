//! Music of a disc: 44,100 frames per second of two 16-bit samples, read by offset.
//!
//! ```
//! use relicast_scene::SampleSource;
//!
//! #[derive(Debug)]
//! struct Silence;
//! impl SampleSource for Silence {
//!     fn frames(&self) -> u64 { 588 }
//!     fn read(&self, _frame: u64, buffer: &mut [u8]) -> std::io::Result<()> {
//!         buffer.fill(0);
//!         Ok(())
//!     }
//! }
//! let mut frame = [1; 4];
//! Silence.read(0, &mut frame)?;
//! assert_eq!(frame, [0; 4]);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt::Debug;
use std::io;

/// Bytes of a frame.
pub const FRAME: usize = 4;

/// Frames per second.
pub const RATE: u32 = 44_100;

/// Samples that are not in memory.
pub trait SampleSource: Debug + Sync {
    /// Number of frames.
    fn frames(&self) -> u64;

    /// Fills `buffer`, whole frames, from `frame` on; samples have their least significant byte first.
    ///
    /// # Errors
    /// The samples cannot be read.
    fn read(&self, frame: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// A recording.
#[derive(Debug)]
pub struct Recording<'a> {
    /// Its samples.
    pub samples: &'a dyn SampleSource,
    /// MD5 of all of them.
    pub md5: [u8; 16],
    /// Tags: names and values.
    pub tags: Vec<(String, String)>,
}
