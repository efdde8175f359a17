//! Compiled animations: the converter of a container, and what its documents and its scenes both need.
//!
//! - [`file`] — the items of a container: an index, the definitions, the scenes with clips;
//! - [`dependencies`] — the files beside a container: its world, sounds, other containers;
//! - [`uses`] — what events refer to;
//! - [`readers`] — the sources of definitions;
//! - [`node_lookup`] — the nodes that names can mean, and where they went;
//! - [`bind`] — names bound to nodes;
//! - [`stored_index`] — nodes that Crimson Skies stores by index.
//!
//! # Parts
//!
//! The items are the index, the definitions, and the scenes with clips. Their outputs are planned without
//! dependencies, but only these tell which nodes names refer to; so a scene in which no name is bound is
//! planned and not written.

pub(super) mod bind;
pub(super) mod dependencies;
mod file;
pub(super) mod node_lookup;
mod readers;
pub(super) mod stored_index;
pub(super) mod uses;

pub(crate) use file::AnimFile;
