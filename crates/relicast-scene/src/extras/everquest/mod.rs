//! Extras of EverQuest, of the files of its WLD archives and of those of its later EQG archives.

mod clip;
mod node;
mod scene;
mod surface;

pub use clip::Clip;
pub use node::{
    Attachment, Light, Node, Particles, PointParticles, ServerRow, SkyLayer, Sprite, Volume, ZoneLine,
    ZonePlace,
};
pub use scene::{DetailLevel, ModelMesh, Scene, Skeleton, Sky, Space};
pub use surface::{
    Corrected, Frame, Material, Mesh, Primitive, SecondPicture, TextureFrames, VertexAnimation,
};

use super::ObjectExtras;
