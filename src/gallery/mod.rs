//! The gallery: a converted folder to look at in a browser.
//!
//! - `catalogue`, `asset` — every asset with its names, facts and relations: `entry` lists them, `facts` reads their files,
//!   `names` has names for people, `worlds` tells what belongs together; `index`, `rows` and `details` are its JSON.
//! - `page` — the report for people; `html` — the same as one page.
//! - `bundle` — the program in the browser, which is built from `gallery/` of the project.
//! - `files` — the gallery as static files; `wrapped` — what pages without a server can read.
//! - [`serve`] — the local web server, with the feature `cli`.
//!
//! Nothing here changes an output. What is written is listed in `gallery-files.json` beside it, and only what is listed
//! there and unchanged is ever replaced.
//!
//! ```
//! use relicast::gallery::{Catalogue, GalleryError};
//!
//! let folder = tempfile::tempdir()?;
//! // Nothing was converted there.
//! assert!(matches!(Catalogue::of_folder(folder.path()), Err(GalleryError::Access { .. })));
//! # Ok::<(), std::io::Error>(())
//! ```

mod asset;
mod bundle;
mod catalogue;
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

pub use catalogue::Catalogue;
pub use error::GalleryError;
pub use files::{Options, Written, remove, write};
pub use html::report_page;
