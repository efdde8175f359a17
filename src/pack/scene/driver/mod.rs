//! What all families of scenes need on their way back.
//!
//! - `job` — what is asked for; `rerun` — conversion of the file alone;
//! - `outputs` — scenes as they were edited and as they are converted again.

pub(super) mod job;
pub(super) mod outputs;
pub(super) mod rerun;
