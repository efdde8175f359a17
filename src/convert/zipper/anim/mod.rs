//! Compiled animations as documents for authors of game logic, and as clips of scenes.
//!
//! - `file` — the parts of a container: an index, then each definition;
//! - `document` — the document of a definition;
//! - `flow` — conditions and loops as blocks;
//! - `timing` — when events start, where that is known;
//! - `index` — what a container holds, what calls what, and what it names;
//! - `related` — the files beside a container: its world, sounds, other containers;
//! - `uses` — what events refer to;
//! - `missing` — names without a known object;
//! - `readers` — the sources of definitions;
//! - `lookup` — the nodes that names can mean, and where they went;
//! - `bind` — names bound to nodes;
//! - `clips` — which clips there are, and what happens in them;
//! - `staging` — those clips in the scene in which they play; `fades` — its surfaces that fade;
//! - `cast` — what the nodes of those scenes are like before anything moves;
//! - `inside` — the same clips in the scene of a world.
//!
//! # Parts
//!
//! The items are the index, the definitions, and the scenes with clips. Their outputs are planned without
//! dependencies, but only these tell which nodes names refer to; so a scene in which no name is bound is
//! planned and not written.

mod bind;
mod clip_writer;
mod clips;
mod dependencies;
mod document;
mod file;
mod flow;
mod index;
mod missing;
mod node_lookup;
mod opacity_channels;
mod readers;
mod stored_nodes;
mod timing;
mod uses;
mod world_clips;

pub(in crate::convert) use file::AnimFile;
pub(in crate::convert) use world_clips::add_clips;
