//! Options of a run.
//!
//! ```
//! use relicast::pipeline::request::Request;
//!
//! let request = Request {
//!     inputs: vec!["install".into()],
//!     out: "converted".into(),
//!     ..Request::default()
//! };
//! assert!(request.only.is_empty(), "everything is taken");
//! ```

use std::path::PathBuf;

use super::shard::Shard;
use crate::config::Config;

/// Options of a run.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Folders and files to convert.
    pub inputs: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// Globs of files and members to convert; empty for all.
    pub only: Vec<String>,
    /// Converts only what `only` selects, without the dependencies of these files.
    pub no_needs: bool,
    /// Preserves stale outputs of earlier runs.
    pub keep: bool,
    /// The effective configuration.
    pub config: Config,
    /// Converts everything again, regardless of earlier runs, and overwrites edited outputs.
    pub force: bool,
    /// Converts only this shard, into an output folder of its own.
    pub shard: Option<Shard>,
}
