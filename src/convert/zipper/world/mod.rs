//! Worlds of all four games, and the aircraft of Crimson Skies, as scenes.
//!
//! A world is one scene; each template that it has for objects made at run time becomes a model. A library of
//! aircraft has no world, only such models.
//!
//! - [`file`] — the parts of a file and what each becomes;
//! - [`roots`] — which nodes are in the world, and which are templates;
//! - [`environment`] — lights, cameras, fog and background;
//! - `subset` — a subset of the nodes of a file, for clips;
//! - [`node_places`] — where the nodes of a file are in its outputs;
//! - [`missions`] — objects that readers of missions place;
//! - [`records`] — how lists of readers are cut into records;
//! - [`placements`] — worlds with these objects;
//! - [`starts`] — worlds as missions begin in them;
//! - [`tables`] — tables beside the scene.

mod environment;
mod file;
mod missions;
mod node_places;
mod pickups;
mod placements;
mod records;
mod roots;
mod starts;
mod subset;
mod tables;

pub(in crate::convert) use file::WorldFile;
