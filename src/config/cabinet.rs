//! Settings of cabinets and archives.

use serde::{Deserialize, Serialize};

use relicast_source::tree::Packed;

/// Cabinets and archives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cabinets {
    /// Open them to convert their contents.
    pub enabled: bool,
    /// Include the installer's own files.
    pub installer: bool,
}

impl Default for Cabinets {
    fn default() -> Self {
        Self {
            enabled: true,
            installer: false,
        }
    }
}

impl Cabinets {
    /// Returns how containers are handled when files are listed.
    pub fn packed(&self) -> Packed {
        match (self.enabled, self.installer) {
            (false, _) => Packed::Closed,
            (true, false) => Packed::Opened,
            (true, true) => Packed::WithInstaller,
        }
    }
}
