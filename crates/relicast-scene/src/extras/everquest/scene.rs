//! Extras of scenes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extras::declare::facts;
use crate::extras::{Float, Stored};

facts! {
    /// A scene.
    Scene: "everquest" {
        /// Short name of the game: `eq`.
        game: String,
        /// Axes and unit.
        space: Space,
        /// Front of its models: `+Z`.
        forward: String,
        /// Function of the client that runs the model.
        callback: String,
        /// Ambient light of a zone: red, green, blue, alpha, 0 to 255; null where the file has none.
        #[cfg_attr(feature = "schema", schemars(with = "Option<[u8; 4]>"))] ambient: Value,
        /// Number of regions of a zone.
        regions: usize,
        /// Skeleton of a model.
        skeleton: Skeleton,
        /// Meshes of a model, with the head or body that each one shows.
        meshes: Vec<ModelMesh>,
        /// Particles without an attachment point.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<super::PointParticles>>"))] particles: Vec<Value>,
        /// Coarser levels of detail.
        levels_of_detail: Vec<DetailLevel>,
        /// Facts about all skies.
        sky: Sky,
    }

    /// Axes and unit of the scene in terms of the file.
    Space {
        /// X.
        x: String,
        /// Y.
        y: String,
        /// Z.
        z: String,
        /// Unit.
        unit: String,
    }

    /// Skeleton of a model.
    Skeleton {
        /// Number of bones.
        bones: usize,
        /// Radius of the model.
        radius: Float,
        /// Middle of the model.
        center: [Float; 3],
    }

    /// Mesh of a model.
    ModelMesh {
        /// `head` or `body`.
        shows: String,
        /// Number of the head or body; 0 is the default one.
        number: u32,
        /// Name of the mesh.
        mesh: String,
        /// Index of its fragment: meshes may share a name.
        fragment: usize,
        /// True for the main scene, false for the hidden scene.
        shown: bool,
    }

    /// Facts about all skies.
    Sky {
        /// True if they follow the camera.
        centered_on_camera: bool,
        /// True if they turn with the camera.
        turns_with_camera: bool,
        /// True if they hide objects behind them.
        depth_write: bool,
        /// Drawing order.
        draw_order: Vec<String>,
        /// Settings of each zone, with the keys of sky.ini.
        zones: Stored,
    }
}

/// A coarser model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct DetailLevel {
    /// Its file.
    pub model: String,
    /// Distance from which it is shown; null for the last.
    pub distance: Option<Float>,
}
