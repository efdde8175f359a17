//! Worlds: `gamez.zbd` of all four games and `planes.zbd` of Crimson Skies. `mechlib.zbd` shares
//! the structures, see [`super::mechlib`].
//!
//! ```text
//! header
//! textures     names that materials refer to by index
//! materials    used slots, free slots, then a texture list for each cycled material
//! models       used and free slots, then the data of each used slot
//! nodes        used and free slots, then class data and index lists of each used slot
//! ```
//!
//! Sections and data blocks are stored back to back. Every stored offset is checked against the current position
//! when reading, and recomputed when writing.
//!
//! One declaration serves the four games: [`ZipperGame`](super::ZipperGame) has the differences between whole
//! files, and a structure's fields name their games. A field that a game lacks is left at its default. Three
//! offsets in a field's documentation are for Recoil · MechWarrior 3 · Pirate's Moon and Crimson Skies. Two records
//! of Recoil's demos have another layout, see [`Revision`].
//!
//! Space: right handed, y up, forward is -z; angles in radians; matrices act on row vectors. Fields called `…_ptr`
//! are stale addresses of the build tool. In some of them non-zero means that data follow; otherwise the value does
//! not matter.

mod affine;
mod early;
mod file;
mod flags;
mod lists;
mod material;
mod materials;
mod model;
mod models;
mod name;
mod node;
mod node_class;
mod node_data;
pub(super) mod node_rules;
mod node_section;
mod nodes;
mod polygon;
mod section;
mod texture;
mod version;
mod world;

pub use affine::{Affine, Rotation};
pub use early::{EARLY_VERSION, EarlyTranslation, NodeBounds, Revision};
pub use file::{GameZ, Header, SIGNATURE, decode, decode_to, encode, sniff};
pub use flags::{ByGame, GameFlags};
pub use material::{
    Cycle, CycleRecord, FreeMaterial, Links, Material, MaterialFlags, MaterialRecord, Soil,
};
pub use materials::{MaterialArray, Materials};
pub use model::{
    Facade, MaterialReference, Model, ModelFlags, ModelRecord, ModelType, PointLight,
    PointLightRecord,
};
pub use models::{ModelArray, ModelSlot, Models};
pub use name::{NodeName, TextureName};
pub use node::{ActiveBox, AreaPartition, Node, NodeFlags, NodeRecord, Relations, ZoneId};
pub use node_class::NodeClass;
pub use node_data::{
    Camera, Display, Light, LightFlags, LightRecord, Lod, NodeData, Object3d, Object3dFlags, Window,
};
pub use nodes::{FreeNode, Nodes};
pub use polygon::{Corners, PerCorner, Polygon, PolygonFlags, PolygonRecord, ZoneSet};
pub use texture::{Texture, TextureState};
pub use world::{
    FogType, Partition, PartitionEntry, PartitionRecord, World, WorldRecord, quick_root,
};
