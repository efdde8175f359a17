//! Extras of meshes and materials.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extras::declare::facts;
use crate::extras::{Float, Stored};

facts! {
    /// A mesh.
    Mesh: "everquest" {
        /// Animation of its vertices that no clip has.
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
        /// False: it does not stop movement.
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
        /// Kind of surface that the method means.
        surface: String,
        /// The kind that is stored, where another is meant.
        corrected: Corrected,
        /// Brightness.
        brightness: Float,
        /// Scaled ambient.
        scaled_ambient: Float,
        /// `additive`: added to what is behind.
        eq_blend: String,
        /// Texture that no archive has.
        missing_texture: String,
        /// Further textures over the first.
        layers: Vec<Frame>,
        /// Pictures that are shown in turn.
        texture_animation: TextureFrames,
        /// Properties of the shader by their names; pictures as files with their `image`.
        properties: Stored,
        /// Operation that lays a second picture over the first.
        second: SecondPicture,
        /// Sheet of water.
        water: Stored,
    }

    /// A kind of surface that is corrected.
    Corrected {
        /// The stored one.
        stored: Value,
        /// Origin of the correction.
        source: Value,
    }

    /// Pictures that are shown in turn.
    TextureFrames {
        /// Pictures.
        frames: Vec<Frame>,
        /// Milliseconds of a frame.
        sleep_ms: u32,
    }

    /// A second picture.
    SecondPicture {
        /// Number of its texture coordinates.
        uv_set: u32,
        /// Operation that lays it over the first.
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
