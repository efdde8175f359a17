//! Extras of relicast itself, for import scripts of engines, and lists of nodes that became instances.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::declare::facts;

facts! {
    /// The file, in `asset.extras`, for the import script of a Godot project.
    Asset: "relicast" {
        /// Color space of vertex colors: `srgb`.
        vertex_colors: String,
        /// BLAKE3 of the import script.
        script: String,
        /// BLAKE3 of the buffer.
        buffer: String,
        /// Names of the variants.
        variants: Vec<String>,
    }

    /// A primitive, for the same script.
    MappedVariants: "relicast" {
        /// Materials of variants, as in KHR_materials_variants.
        variants: Vec<VariantMapping>,
    }

    /// Material of variants.
    VariantMapping {
        /// Index of the material.
        material: usize,
        /// Indices of the variants.
        variants: Vec<usize>,
    }

    /// A node that became an instance.
    Instance {
        /// Name.
        name: String,
        /// Its extras.
        extras: Map<String, Value>,
    }
}

impl InstancedNode {
    /// The extras, which have no family key.
    pub fn to_map(&self) -> Map<String, Value> {
        let instances = serde_json::to_value(&self.instances).unwrap_or_default();
        Map::from_iter([("instances".to_owned(), instances)])
    }
}

/// Extras of a node that represents others as instances.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct InstancedNode {
    /// The represented nodes, in the order of the instances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<Instance>,
}

/// Value of `extras.relicast` in any object of a glTF file, or of the `extras` of a node with instances.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum ToolFacts {
    /// `asset`
    Asset(Asset),
    /// `meshes[].primitives[]`
    MappedVariants(MappedVariants),
    /// `nodes[]`, without a family key
    InstancedNode(InstancedNode),
}
