//! Extras of EverQuest, for WLD and EQG archives.

mod clip;
mod node;
mod scene;
mod surface;

pub use clip::Clip;
pub use node::{
    Attachment, Light, Node, Particles, PointParticles, ServerRow, SkyLayer, Sprite, Volume,
    ZoneLine, ZonePlace,
};
pub use scene::{DetailLevel, ModelMesh, Scene, Skeleton, Sky, Space};
pub use surface::{
    Corrected, Frame, Material, Mesh, Primitive, SecondPicture, TextureFrames, VertexAnimation,
};

use super::ObjectExtras;

/// Value of `extras.everquest` in any object of a glTF file.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum Facts {
    /// `scenes[]`
    Scene(Box<Scene>),
    /// `nodes[]`
    Node(Box<Node>),
    /// `meshes[]`
    Mesh(Mesh),
    /// `meshes[].primitives[]`
    Primitive(Primitive),
    /// `materials[]`
    Material(Box<Material>),
    /// `extensions.KHR_lights_punctual.lights[]`
    Light(Light),
    /// `animations[]`
    Clip(Clip),
}
