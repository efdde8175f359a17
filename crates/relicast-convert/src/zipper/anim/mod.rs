//! Compiled animations: the converter of a container, and the context that its documents and scenes share.
//!
//! - [`file`] — the items of a container: an index, the definitions, the scenes with clips;
//! - [`dependencies`] — the files related to a container: its world, sounds, other containers;
//! - [`uses`] — references of events;
//! - [`readers`] — the sources of definitions;
//! - [`node_lookup`] — the nodes that names can refer to, and their places in the outputs;
//! - [`bind`] — names bound to nodes; `animated` — nodes of a world that definitions name;
//! - [`stored_index`] — nodes that Crimson Skies stores by index.
//!
//! # Parts
//!
//! The items are the index, the definitions, and the scenes with clips. Their outputs are planned without
//! dependencies, which are needed to bind names to nodes. So a scene in which no name is bound is planned but not
//! written.

mod animated;
pub(super) mod bind;
pub(super) mod dependencies;
mod file;
pub(super) mod node_lookup;
mod readers;
pub(super) mod stored_index;
pub(super) mod uses;

pub use animated::animated_nodes;
pub(crate) use file::AnimFile;
