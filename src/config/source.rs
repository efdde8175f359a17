//! Settings for reading inputs.

use serde::{Deserialize, Serialize};

/// Inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Source {
    /// Follow links that point outside the input.
    pub follow_links: bool,
}
