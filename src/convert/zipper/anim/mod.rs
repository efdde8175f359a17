//! Compiled animations as documents: what happens to which node when, for people who write game logic.
//!
//! - `file` — the parts of a container: an index, then each definition;
//! - `document` — what a definition says;
//! - `flow` — conditions and loops as blocks;
//! - `timing` — when events start, where that is known;
//! - `index` — what a container holds, what calls what, and what it names;
//! - `related` — the files beside a container: its world, sounds, other containers;
//! - `uses` — what events refer to;
//! - `missing` — names that stand for nothing;
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
//! `AnimFile::pieces` lists the parts: the index, the definitions, the scenes with clips. What a part's
//! outputs are is known without dependencies, when the run is planned; which nodes names stand for is not,
//! so a scene of which nothing is bound is planned and not written.

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
