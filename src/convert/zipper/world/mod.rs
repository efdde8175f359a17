//! Worlds of all four games, and the aircraft of Crimson Skies, as scenes.
//!
//! A world is one scene; what it keeps for the making of new things at run time becomes a model each.
//! A library of aircraft has no world, only such models.
//!
//! - [`file`] — the parts of a file and what each becomes;
//! - [`roots`] — which nodes stand in the world, and which wait outside;
//! - [`environment`] — lights, cameras, fog and background;
//! - `subset` — a few nodes of a file, for clips;
//! - [`node_places`] — where the nodes of a file went, for files that speak of them;
//! - [`missions`] — what readers of missions place;
//! - [`placements`] — worlds with that in them;
//! - [`tables`] — what has no place in a scene.

mod environment;
mod file;
mod missions;
mod node_places;
mod pickups;
mod placements;
mod roots;
mod subset;
mod tables;

pub(in crate::convert) use environment::game_label;
pub(in crate::convert) use file::{WorldFile, measure_bounds, role_of};
pub(in crate::convert) use node_places::{NodePlaces, collect_places, scene_path};
