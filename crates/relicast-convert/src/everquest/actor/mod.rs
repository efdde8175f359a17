//! Models with a skeleton: creatures, jointed objects, items.
//!
//! - [`build`] — a model as scenes;
//! - [`rig`] — the skeleton as joints at rest;
//! - [`code`], [`animation_sets`] — animation sets, by the names of their tracks;
//! - [`bake`] — sets to clips;
//! - [`model_parts`] — meshes and other parts of a skeleton;
//! - [`texture_variants`] — material variants of a model;
//! - [`skinning`] — meshes bound to joints;
//! - [`attachments`] — particles and sprites on joints;
//! - [`sprite`] — models that are a picture facing the camera.
//!
//! A model becomes one file: a node for each bone in the order of the file, meshes that are skinned to the
//! bones, and a clip for each set. Source files store vertices in the space of their bone; here they are in
//! model space, so that the mesh is right without its skin.

mod animation_sets;
mod attachments;
mod bake;
mod build;
pub(super) mod code;
pub(super) mod model_parts;
pub(super) mod rig;
mod skinning;
pub(super) mod sprite;
mod texture_variants;

pub use animation_sets::borrowed_tracks;
pub(super) use animation_sets::{TrackIndex, TrackSource, TrackSources};
pub(super) use build::{RestPoseModel, Subject, build, has_hidden, skeleton};
pub(super) use model_parts::{
    ModelParts, SkeletonInstance, is_alternate, strip_suffix_ignore_case,
};
pub(super) use texture_variants::{SkinIndex, Skins};
