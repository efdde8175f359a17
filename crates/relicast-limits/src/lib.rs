//! Limits of what one input may make the program spend: the [`Limits`] in force, a budget of memory for each piece of work,
//! and permits by which large pieces wait for one another.
//!
//! No estimate of what a file will cost holds for files that lie, so memory is counted where it is taken: the program's
//! allocator is [`Metered`]. Work runs [`with_budget`] or [`with_permits`]; code whose memory grows with what a file says
//! calls [`try_reserve`] before it takes some, or [`check`] as it goes. Work beyond its budget ends with an error that names
//! the setting, and so does the item that it was for. In a program whose allocator is not metered, single requests are
//! still held to the limit.
//!
//! Limits are a value: work is done under those that [`Limits::scope`] or the thread pool of [`Limits::thread_pool`] was
//! given, and two runs of one process may have different ones.
//!
//! ```
//! use relicast_limits::with_budget;
//!
//! assert_eq!(with_budget(|| 1 + 1).unwrap(), 2);
//! ```

#![warn(clippy::too_many_lines)]

mod allocator;
mod budget;
mod parallel;
mod permits;
mod settings;
pub mod spending;

pub use allocator::Metered;
pub use budget::{
    check, push, reserve, reserve_written, try_reserve, uncounted, with_budget,
    with_document_budget, with_permits,
};
pub use parallel::{join, par_map};
pub use settings::{
    Exceeded, Limits, check_inflated, check_seconds, current, document_memory, document_text,
};
