//! Settings of how inputs are read.

use serde::{Deserialize, Serialize};

/// Inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Source {
    /// Follow links that leave the input.
    pub follow_links: bool,
}
