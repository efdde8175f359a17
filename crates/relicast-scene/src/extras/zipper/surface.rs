//! Extras of meshes, materials and textures.

use crate::extras::declare::facts;
use crate::extras::{Float, Float3};

facts! {
    /// A mesh.
    Mesh: "zipper" {
        /// Turn to the camera.
        facade: Facade,
        /// Flags of the model, by name.
        flags: Vec<String>,
    }

    /// Turn of a model to the camera.
    Facade {
        /// `spherical`, `cylindricalX`, `cylindricalY`, `cylindricalZ`.
        mode: String,
        /// Turns about its middle.
        centroid: bool,
    }

    /// A primitive.
    Primitive: "zipper" {
        /// Materials of further layers, with the texture coordinates that follow; null for one that does not exist.
        layers: Vec<Option<Layer>>,
        /// Order of drawing.
        priority: i32,
        /// Number of the layer that it is.
        layer: usize,
    }

    /// Material of a further layer.
    Layer {
        /// Texture.
        texture: String,
        /// Its picture in the output folder.
        picture: String,
        /// Color without a texture, parts as stored.
        color: Float3,
        /// Opacity without a texture, 0 to 255.
        alpha: i64,
    }

    /// A material.
    Material: "zipper" {
        /// `additive`: added to what is behind.
        blend: String,
        /// Texture that no package has.
        missing_texture: String,
        /// Movement of the texture coordinates.
        scroll: Scroll,
        /// Pictures that are shown in turn.
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

    /// Pictures that are shown in turn.
    Cycle {
        /// Pictures in a second.
        fps: Float,
        /// Starts again.
        r#loop: bool,
        /// Number of the first picture.
        start: i64,
        /// Names of the textures.
        frames: Vec<String>,
        /// The game itself chooses the picture.
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
