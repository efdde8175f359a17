//! Scenes as glTF 2.0: `.gltf` with `.bin` and shared pictures, or one `.glb` with everything inside.
//!
//! A file holds what the scene's nodes show and nothing else. It has no empty list, names exactly the
//! extensions it uses, and requires none of them except the ones that the options request to make it smaller.
//! Positions have exact bounds. Negative zeros become positive. NaN, infinity and everything else that a
//! validator refuses is a [`GltfError`] that names the element of the scene. The same scene and options give the
//! same bytes.
//!
//! - `write` — a file as a whole; `options` — its options; `values` — helpers for all elements;
//! - `check` — used elements of a scene, and checks of references;
//! - `binary` — the buffer and its accessors;
//! - `geometry`, `surface`, `hierarchy`, `motion`, `keys`, `pointer` — the elements of a file;
//! - `instancing` — many nodes with one mesh as one node;
//! - `quantize`, `webp` — numbers and pictures in fewer bytes;
//! - `container` — GLB framing; `uri` — references to other files; `read` — files of any program.
//!
//! ```
//! use std::borrow::Cow;
//! use relicast_emit::gltf::{Container, GltfFiles, GltfOptions, ImageSource, encode};
//! use relicast_scene::model::{Node, Scene};
//!
//! struct NoImages;
//! impl ImageSource for NoImages {
//!     fn path(&self, _key: &str) -> Option<String> { None }
//!     fn bytes(&self, _key: &str) -> Option<Cow<'_, [u8]>> { None }
//! }
//!
//! let mut scene = Scene::default();
//! let root = scene.add_node(Node { name: "tower".to_owned(), ..Node::default() });
//! scene.roots.push(root);
//! let options = GltfOptions {
//!     binary_path: "tower.bin",
//!     images: &NoImages,
//!     container: Container::Gltf,
//!     gpu_instancing: false,
//!     first_variant_only: false,
//!     quantize: false,
//!     webp: false,
//!     godot_extras: false,
//! };
//! let GltfFiles::Gltf { json, .. } = encode(&scene, &options)? else { panic!("JSON was asked for") };
//! assert!(String::from_utf8_lossy(&json).contains("tower"));
//! # Ok::<(), relicast_emit::gltf::GltfError>(())
//! ```

mod binary;
mod check;
mod container;
mod error;
mod geometry;
mod godot;
mod hierarchy;
mod instancing;
mod keys;
mod motion;
mod options;
mod pointer;
mod quantize;
mod read;
mod repeats;
mod surface;
mod uri;
mod values;
mod webp;
mod write;

pub use error::{GltfError, Part};
pub use godot::POST_IMPORT;
pub use options::{Container, GltfFiles, GltfOptions, ImageSource};
pub use read::{Accessor, AccessorError, Chunks, chunks};
pub use uri::{decode_uri, encode_path, relative_path};
pub use write::encode;
