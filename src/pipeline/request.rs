//! What a run is asked to do.
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

/// What a run is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Folders and files to convert.
    pub inputs: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// Globs of files and members to take; empty for all.
    pub only: Vec<String>,
    /// Takes no more than `only` names: nothing that these files show or sound with.
    pub no_needs: bool,
    /// Outputs of earlier runs that nothing makes any more stay.
    pub keep: bool,
    /// The effective configuration.
    pub config: Config,
    /// Redo everything, whatever the run before left, and overwrite outputs that were edited.
    pub force: bool,
    /// Do only this shard of the work, into an output folder of its own.
    pub shard: Option<Shard>,
}
