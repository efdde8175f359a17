//! The settings that outputs were made with.

use super::edited::Refusal;
use crate::config::Config;
use crate::pipeline::manifest::{InputNumber, Manifest};

/// The settings that the outputs of an input were made with; the defaults where the manifest tells none.
///
/// # Errors
/// What the manifest tells are no settings of this version.
pub(super) fn settings(manifest: &Manifest, input: InputNumber) -> Result<Config, Refusal> {
    manifest.config_of(input).map_err(|error| {
        Refusal::new(format_args!(
            "the settings in the manifest cannot be read: {error}"
        ))
    })
}
