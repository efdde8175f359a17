//! Settings of documents.

use serde::{Deserialize, Serialize};

use relicast_scene::document::Style;

/// JSON files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Documents {
    /// Their layout.
    pub style: Style,
    /// Write their JSON Schemas too, and name them in the documents.
    pub schemas: bool,
}

/// Typed decodes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raw {
    /// Write them.
    pub enabled: bool,
}
