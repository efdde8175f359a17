//! Settings of documents.

use serde::{Deserialize, Serialize};

use relicast_scene::document::Style;

/// Layout and schemas of all JSON outputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Documents {
    /// Their layout.
    pub style: Style,
    /// Write their JSON Schemas too, and name them in the documents.
    pub schemas: bool,
}

/// JSON files with all fields of the source files, next to the other outputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raw {
    /// Write them.
    pub enabled: bool,
}
