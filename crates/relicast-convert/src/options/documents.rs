//! Settings of documents.

use serde::{Deserialize, Serialize};

use relicast_scene::document::Style;

/// JSON files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Documents {
    /// Their layout.
    pub style: Style,
    /// Whether they name their JSON Schema, which is then written too.
    pub schemas: bool,
}

/// Typed decodes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raw {
    /// Write them.
    pub enabled: bool,
}
