//! What one input may make the program spend: the [`Limits`] in force, a meter of the memory that each
//! piece of work takes, the order in which large pieces wait for one another, and when freed memory goes
//! back to the system.
//!
//! No estimate of what a file will cost holds for files that lie, so memory is counted where it is taken:
//! the program's allocator is [`Metered`]. Work runs [`guarded`]; code whose memory grows with what a file
//! says asks for [`room`] before it takes some, or [`check`]s as it goes. Work beyond its share is given up
//! and is a failure of the part that it was for, with a message that names the setting. In a program whose
//! allocator is not metered, what is asked for at once is still held to the limit.
//!
//! The settings are those of the process, because codecs have no configuration: each run, plan and pack sets
//! those of its configuration before any work.
//!
//! ```
//! use relicast_limits::guarded;
//!
//! assert_eq!(guarded(|| 1 + 1).unwrap(), 2);
//! ```

mod busy;
mod meter;
mod resident;
mod settings;
pub mod spending;
mod spread;
mod turns;

pub use meter::{Metered, check, claim, claim_written, guarded, guarded_document, push, room};
pub use resident::{give_back_with, use_small_pages};
pub use settings::{
    Exceeded, Limits, check_inflated, check_seconds, current, document_memory, document_text, set,
};
pub use spread::{beside, spread};
