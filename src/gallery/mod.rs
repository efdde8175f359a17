//! Gallery: a converted folder in a web browser.
//!
//! - `catalog`, `asset` — every asset with its names, facts and relations: `entry` lists them, `facts` reads
//!   their files, `names` finds display names, `worlds` groups them by world; `index`, `rows` and `details`
//!   serialize them.
//! - `page` — the report for people; `html` — the report as one page.
//! - `bundle` — the browser application, built from `gallery/` of the project.
//! - `files` — the gallery as static files; `wrapped` — files that pages without a server can read.
//! - [`serve`] — the local web server, with the feature `cli`.
//!
//! The gallery never changes an output. Its files are listed in `gallery-files.json` next to it, and only
//! listed, unchanged files are ever replaced.
//!
//! ```
//! use relicast::gallery::{Catalog, GalleryError};
//!
//! let folder = tempfile::tempdir()?;
//! // Nothing was converted there.
//! assert!(matches!(Catalog::of_folder(folder.path()), Err(GalleryError::Access { .. })));
//! # Ok::<(), std::io::Error>(())
//! ```

mod asset;
mod bundle;
mod catalog;
mod details;
mod entry;
mod error;
mod facts;
mod files;
mod html;
mod index;
mod kinds;
mod names;
mod page;
mod rows;
#[cfg(feature = "cli")]
pub mod serve;
mod worlds;
mod wrapped;

pub use catalog::Catalog;
pub use error::GalleryError;
pub use files::{Options, Written, remove, write};
pub use html::report_page;
