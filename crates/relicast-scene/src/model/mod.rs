//! Scenes: hierarchies of placed meshes with materials, lights, cameras, skins and movement, in the
//! space that [`crate::space`] describes.
//!
//! - [`graph`] — [`Scene`], [`Node`] and functions that combine them;
//! - [`extras`] — data without a field in the model;
//! - `mesh` — geometry, morph targets, skins;
//! - [`builder`] — geometry from corners: shared vertices, valid normals, no degenerate triangle;
//! - [`material`] — materials, and textures by key;
//! - `view` — lights and cameras;
//! - [`clip`] — animation;
//! - `tangents` — tangents for normal maps;
//! - [`scale`] — scenes in other units;
//! - [`transform`] — placements, and decomposition of matrices into them;
//! - `binding` — rigid meshes bound to their nodes as one skin;
//! - `joining` — merging of scenes;
//! - [`names`] — names in files; [`hint`] — hints for engines in them;
//! - [`specimen`] — a model and a picture that reveal every mistake of orientation.
//!
//! The elements refer to each other by the typed indices of [`ids`]. A scene may hold elements that
//! nothing refers to; writers leave them out.
//!
//! ```
//! use relicast_scene::model::{Node, Scene};
//!
//! let mut scene = Scene::default();
//! let house = scene.add_node(Node { name: "house".to_owned(), ..Node::default() });
//! let roof = scene.add_node(Node { name: "roof".to_owned(), ..Node::default() });
//! scene.add_child(house, roof);
//! scene.roots.push(house);
//! let mut count = 0;
//! scene.visit(|_, _| count += 1);
//! assert_eq!(count, 2);
//! ```

pub mod binding;
pub mod builder;
pub mod clip;
pub mod extras;
pub mod graph;
pub mod hint;
pub mod ids;
pub(crate) mod joining;
pub mod material;
pub(crate) mod mesh;
pub mod names;
pub mod scale;
pub mod specimen;
pub(crate) mod tangents;
pub mod transform;
pub(crate) mod view;

pub use builder::{Corner, Dropped, Layout, PrimitiveBuilder};
pub use clip::{Channel, Clip, Interpolation, SurfaceChannel, SurfaceTrack, Track};
pub use extras::{Extras, number};
pub use graph::{DetailGroup, FlipBook, Node, OtherScene, Placed, Scene, Scroll};
pub use hint::NameHint;
pub use ids::{CameraId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId, VariantId};
pub use material::{AlphaMode, Filter, Material, Sampler, Texture, TextureRef, UvTransform, Wrap};
pub use mesh::{Mesh, MorphTarget, Primitive, Skin, Topology, VariantMaterial};
pub use names::SceneNames;
pub use transform::{NotFinite, Placement, Transform};
pub use view::{Camera, Light, LightKind};
