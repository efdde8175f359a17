//! Tables of EQG zones, and functions that both kinds of zones use for their scenes.

use crate::documents::DocumentForm;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::everquest::checks::Checks;
use crate::everquest::scene_builder::Layers;
use relicast_scene::model::{Node, NodeId};

use super::lights::Lamp;
use super::regions::Volume;

/// Tables of a zone.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Tables {
    /// Axes of the file in the scene.
    pub space: Value,
    /// The file of the zone, if it is next to the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loose: Option<String>,
    /// Counts for the report.
    pub checks: Checks,
    /// Number of placements in the scene, by model.
    pub models: BTreeMap<String, usize>,
    /// Placements that are not in the scene, with the reason.
    pub left_out: Vec<Value>,
    /// Placements whose baked light does not fit the model and is not used.
    pub odd_lights: Vec<String>,
    /// Water, lava, ways to other zones.
    pub regions: Vec<Volume>,
    /// Lights.
    pub lights: Vec<Lamp>,
    /// Values that only zones of tiles have.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Tables {
    /// Scales all lengths.
    pub(super) fn scale_lengths(&mut self, factor: f32) {
        (self.regions.iter_mut()).for_each(|region| region.scale_lengths(factor));
        (self.lights.iter_mut()).for_each(|light| light.scale_lengths(factor));
    }
}

/// Adds an empty node below another one.
pub(super) fn group(layers: &mut Layers<'_, '_>, name: &str, above: NodeId) -> NodeId {
    let scene = &mut layers.main.scene;
    let node = scene.add_node(Node {
        name: name.to_owned(),
        ..Node::default()
    });
    scene.add_child(above, node);
    node
}

/// Adds lights below a node of their own, if settings want them.
pub(super) fn add_lamps(lamps: &[Lamp], root: NodeId, layers: &mut Layers<'_, '_>) {
    if lamps.is_empty() || !layers.main.view().options.everquest.lights {
        return;
    }
    let above = group(layers, "lights", root);
    for lamp in lamps {
        if !lamp.add(above, layers) {
            layers.main.checks.unplaced += 1;
        }
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Tables>(
    "eqg-regions",
    "Regions, placements and lights of an EQG zone",
)];
