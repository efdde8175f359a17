//! Extras of meshes and materials.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extras::declare::facts;
use crate::extras::{Float, Stored};

facts! {
    /// A mesh.
    Mesh: "everquest" {
        /// Vertex animation that no clip has.
        vertex_animation: VertexAnimation,
    }

    /// Animation of vertices.
    VertexAnimation {
        /// Number of frames.
        frames: usize,
        /// Milliseconds of a frame.
        sleep_ms: u32,
    }

    /// A primitive.
    Primitive: "everquest" {
        /// False if it does not stop movement.
        solid: bool,
    }

    /// A material.
    Material: "everquest" {
        /// Shader of an EQG archive.
        shader: String,
        /// Blend class of the shader.
        blend: String,
        /// Render method of a WLD archive, 32 bits.
        render_method: String,
        /// Surface type of the method.
        surface: String,
        /// Stored surface type, if it was corrected.
        corrected: Corrected,
        /// Brightness.
        brightness: Float,
        /// Scaled ambient.
        scaled_ambient: Float,
        /// `additive`: added to the background.
        eq_blend: String,
        /// Texture that is in no archive.
        missing_texture: String,
        /// Further textures over the first.
        layers: Vec<Frame>,
        /// Frames of an animated texture.
        texture_animation: TextureFrames,
        /// Properties of the shader by name; pictures as files with their `image`.
        properties: Stored,
        /// Operation that combines a second picture with the first.
        second: SecondPicture,
        /// Sheet of water.
        water: Stored,
    }

    /// A corrected surface type.
    Corrected {
        /// The stored one.
        stored: Value,
        /// Origin of the correction.
        source: Value,
    }

    /// Frames of an animated texture.
    TextureFrames {
        /// Pictures.
        frames: Vec<Frame>,
        /// Milliseconds of a frame.
        sleep_ms: u32,
    }

    /// A second picture.
    SecondPicture {
        /// Number of its texture coordinate set.
        uv_set: u32,
        /// Operation that combines it with the first.
        operation: String,
    }
}

/// A picture.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Frame {
    /// File of the archive.
    pub file: String,
    /// Picture in the output folder; null where there is none.
    pub image: Option<String>,
}
