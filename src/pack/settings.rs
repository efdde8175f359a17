//! The settings that outputs were made with.

use super::edited::Refusal;
use crate::config::Config;
use crate::pipeline::report::manifest::{InputNumber, Manifest};
use relicast_limits::Limits;
use relicast_source::tree::Opening;

/// The settings that the outputs of an input were made with; the defaults where the manifest has none.
///
/// # Errors
/// The manifest has settings that this version cannot read.
pub(super) fn settings(manifest: &Manifest, input: InputNumber) -> Result<Config, Refusal> {
    manifest
        .config_of(input)
        .map_err(|error| refusal!("the settings in the manifest cannot be read: {error}"))
}

/// Options for opening the game files that outputs were made from.
pub(super) fn opening(manifest: &Manifest) -> Opening {
    let mut settings = manifest.inputs.iter();
    let settings = settings.find_map(|input| manifest.config_of(input.input).ok());
    settings.map_or_else(Opening::default, |settings| Opening {
        discs: settings.discs.enabled,
        cabinets: settings.cabinets.packed(),
        links: settings.source.follow_links,
    })
}

/// Limits that the outputs were made with: the most generous ones where inputs had different ones.
pub(super) fn limits(manifest: &Manifest) -> Limits {
    let settings = manifest.inputs.iter();
    let settings = settings.filter_map(|input| manifest.config_of(input.input).ok());
    let most = settings
        .map(|settings| settings.limits)
        .reduce(|a, b| Limits {
            expansion: a.expansion.max(b.expansion),
            part_mib: a.part_mib.max(b.part_mib),
            unpacked_mib: a.unpacked_mib.max(b.unpacked_mib),
            containers: a.containers.max(b.containers),
            clip_seconds: a.clip_seconds.max(b.clip_seconds),
            memory_mib: a.memory_mib.max(b.memory_mib),
        });
    most.unwrap_or_default()
}
