//! The settings that outputs were made with.

use super::edited::Refusal;
use crate::config::Config;
use crate::pipeline::manifest::{InputNumber, Manifest};

/// The settings that the outputs of an input were made with; the defaults where the manifest tells none.
///
/// # Errors
/// What the manifest tells are no settings of this version.
pub(super) fn settings(manifest: &Manifest, input: InputNumber) -> Result<Config, Refusal> {
    let mut inputs = manifest.inputs.iter();
    let own = inputs.find(|known| known.input == input);
    let digest = own.map_or(&manifest.config_digest, |known| &known.config_digest);
    match manifest.settings.get(digest) {
        None => Ok(Config::default()),
        Some(stored) => serde_json::from_value(stored.clone()).map_err(|error| {
            Refusal::new(format_args!(
                "the settings in the manifest cannot be read: {error}"
            ))
        }),
    }
}
