//! Extras of meshes, materials and textures.

use crate::extras::declare::facts;
use crate::extras::{Float, Float3};

facts! {
    /// A mesh.
    Mesh: "zipper" {
        /// Billboard mode.
        facade: Facade,
        /// Flags of the model, by name.
        flags: Vec<String>,
    }

    /// Billboard mode of a model.
    Facade {
        /// `spherical`, `cylindricalX`, `cylindricalY`, `cylindricalZ`.
        mode: String,
        /// True if it turns about its center.
        centroid: bool,
    }

    /// A primitive.
    Primitive: "zipper" {
        /// Materials of further layers, with the texture coordinates that follow; null for a missing one.
        layers: Vec<Option<Layer>>,
        /// Drawing order.
        priority: i32,
        /// Number of its own layer.
        layer: usize,
    }

    /// Material of a further layer.
    Layer {
        /// Texture.
        texture: String,
        /// Its picture in the output folder.
        picture: String,
        /// Color without a texture, channels as stored.
        color: Float3,
        /// Opacity without a texture, 0 to 255.
        alpha: i64,
    }

    /// A material.
    Material: "zipper" {
        /// `additive`: added to the background.
        blend: String,
        /// Texture that is in no package.
        missing_texture: String,
        /// Movement of the texture coordinates.
        scroll: Scroll,
        /// Frames of an animated texture.
        cycle: Cycle,
        /// Kind of ground.
        soil: Soil,
    }

    /// Movement of texture coordinates.
    Scroll {
        /// Along u.
        u: Float,
        /// Along v.
        v: Float,
        /// `uv/s`.
        unit: String,
    }

    /// Animated texture.
    Cycle {
        /// Frames per second.
        fps: Float,
        /// Starts again.
        r#loop: bool,
        /// Number of the first frame.
        start: i64,
        /// Names of the textures.
        frames: Vec<String>,
        /// True if the game itself selects the frame.
        selector: bool,
    }

    /// Kind of ground.
    Soil {
        /// Number.
        id: i64,
        /// Name.
        name: String,
    }

    /// A texture.
    Texture: "zipper" {
        /// Mode of its edges, as stored.
        edge_mode: u16,
        /// Pictures of its smaller levels.
        mips: Vec<String>,
    }
}
