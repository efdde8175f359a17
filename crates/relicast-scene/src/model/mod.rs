//! Scenes: hierarchies of placed meshes with materials, lights, cameras, skins and movement, in the
//! space that [`crate::space`] describes.
//!
//! - [`graph`] — [`Scene`], [`Node`] and how they are put together;
//! - [`extras`] — what the model has no field for;
//! - `mesh` — geometry, morph targets, skins;
//! - [`builder`] — geometry from corners: shared vertices, sound normals, no degenerate triangle;
//! - [`material`] — surfaces, textures by key;
//! - `view` — lights and cameras;
//! - [`clip`] — movement;
//! - `tangents` — directions for normal maps;
//! - [`scale`] — scenes in other units;
//! - [`transform`] — placements, and matrices taken apart into them;
//! - `binding` — rigid meshes bound to their nodes as one skin;
//! - `joining` — scenes put into other scenes;
//! - [`names`] — the names that go to files; [`hint`] — what they tell on purpose;
//! - [`specimen`] — a model and a picture on which every mistake of orientation shows.
//!
//! The parts refer to each other by the typed indices of [`ids`]; a scene is free to hold parts that
//! nothing refers to, writers leave them out.
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
