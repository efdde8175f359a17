//! Resource limits: the [`Limits`] in force, a memory budget for each unit of work, and permits that make large
//! units wait for one another.
//!
//! A hostile file can defeat any estimate of its cost, so memory is counted where it is allocated: the program's
//! allocator is [`Metered`]. Work runs [`with_budget`] or [`with_permits`]; code whose memory depends on a file's
//! content calls [`try_reserve`] before it allocates, or [`check`] from time to time. Work that exceeds its budget ends
//! with an error that names the setting, and so does its item. In a program whose allocator is not metered, single
//! requests are still limited.
//!
//! Limits are a value: work runs under the limits of [`Limits::scope`] or of the thread pool of
//! [`Limits::thread_pool`], and two runs of one process may have different ones.
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
