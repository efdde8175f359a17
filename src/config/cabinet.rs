//! Settings of cabinets and archives.

use serde::{Deserialize, Serialize};

use relicast_source::tree::Packed;

/// Cabinets and archives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cabinets {
    /// Open them.
    pub enabled: bool,
    /// Take the installer's own files too.
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
    /// What becomes of them when files are listed.
    pub fn packed(&self) -> Packed {
        match (self.enabled, self.installer) {
            (false, _) => Packed::Closed,
            (true, false) => Packed::Opened,
            (true, true) => Packed::WithInstaller,
        }
    }
}
