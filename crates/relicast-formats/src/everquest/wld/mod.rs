//! WLD files: all visible parts of a zone, of a set of objects or of a set of creatures.
//!
//! ```text
//! header, 28 bytes
//! names: one block of NUL-terminated strings, obscured by a fixed key
//! fragments: { u32 size, u32 type, i32 name (most types), body }
//! trailer: FF FF FF FF
//! ```
//!
//! A file is a flat list of [`Fragment`]s that refer to each other by number; the kinds are in one
//! file per family. Fragments of an unknown kind, and those whose body is invalid for its kind,
//! are stored as [`RawBody`]. Values are in file axes: +X north, +Y west, +Z up, right-handed, one
//! unit about a foot.

mod actor;
mod body;
mod bsp;
mod collision;
mod encoded_text;
mod file;
mod kind;
mod legacy_mesh;
mod light;
mod material;
mod mesh;
mod mesh_animation;
mod name;
mod particle;
mod reference;
mod references;
mod region;
mod renumber;
mod shading;
mod skeleton;
mod sprite;
mod strings;
mod track;
mod visibility;
mod zone;

pub use actor::{Actor, ActorAction, ActorDefinition, ActorFlags, Placement};
pub use body::{Body, PaletteFile, RawBody};
pub use bsp::{BspNode, BspTree};
pub use collision::{
    CollisionFace, ListedSphere, Polyhedron, PolyhedronDefinition, PolyhedronFlags, Sphere,
    SphereList,
};
pub use encoded_text::{EncodedText, obscure};
pub use file::{Fragment, Header, SIGNATURE, Version, Wld, decode, decode_except, encode};
pub use kind::FragmentKind;
pub use legacy_mesh::{LegacyFace, LegacyMesh, LegacyMeshFlags, LegacyMeshOperation};
pub use light::{
    AmbientLight, DirectionalLight, GlobalAmbientLight, LightDefinition, LightFlags, PointLight,
    PointLightFlags, VertexColors,
};
pub use material::{
    BitmapInfo, Material, MaterialFlags, MaterialPalette, RenderMethod, SimpleSprite, SpriteFlags,
    Surface,
};
pub use mesh::{
    Face, FaceFlags, MaterialGroup, Mesh, MeshAction, MeshFlags, MeshOperation, TextureCoordinates,
    VertexPiece,
};
pub use mesh_animation::{LegacyMeshAnimation, MeshAnimation};
pub use name::Name;
pub use particle::{ParticleCloud, ParticleCloudFlags, ParticleMovement, ParticleSprite};
pub use reference::{Bgra, FragmentRef, Instance};
pub use region::{
    Obstacle, Proximal, Region, RegionFlags, VisibilityList, VisibilityNode, Wall, WallFace,
};
pub use shading::{Shading, ShadingFlags};
pub use skeleton::{Bone, Skeleton, SkeletonFlags, Skin};
pub use sprite::{
    BlitSprite, CameraSprite, CameraSpriteNode, FlatHeading, FlatPitch, FlatSprite,
    FlatSpriteFlags, SolidSpriteFlags, SpriteSequence,
};
pub use strings::StringTable;
pub use track::{FloatFrame, Frames, PackedFrame, Pose, Track, TrackDefinition, TrackFlags};
pub use zone::{RegionType, Zone, ZoneLine, ZoneMeaning};
