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
//! - [`missions`] — objects that readers of missions place, and what else they tell;
//! - [`records`], [`key_table`] — how lists of readers are cut into records, and documents at their keys;
//! - [`airships`], [`airframes`], [`pickups`], [`vehicles`], [`nets`], [`turrets`], [`weather`] — what single documents hold;
//! - [`aircraft_parts`], [`aircraft_cameras`] — what aircraft show at first, and the views from them;
//! - [`actors`] — what stands for the actors of MechWarrior 3's missions; [`valves`] — their variables;
//! - [`crimson_vehicles`], [`crimson_nets`], [`campaign`] — what Crimson Skies stores by position: vehicles, spawn points,
//!   patrol nets; and the order of its missions;
//! - [`mission_nodes`] — which nodes of the world a mission moves, hides and tells of;
//! - `mission_scenes` — the missions of a world and their scenes;
//! - [`waiting`] — actors that animations place;
//! - [`markers`] — nodes that stand for something by their name: volumes of fog, things to pick up, instruments;
//! - [`zones`] — parts of a world of Crimson Skies that are drawn only where the camera is;
//! - [`flip_books`] — rows of pictures that Crimson Skies puts on materials;
//! - [`clutter`] — forests, city blocks and clouds of Crimson Skies;
//! - [`states`] — pictures that the game chooses, as variants;
//! - [`placements`] — worlds with these objects;
//! - [`starts`] — worlds as missions begin in them;
//! - [`tables`] — tables beside the scene.

mod actors;
mod aircraft_cameras;
mod aircraft_parts;
mod airframes;
mod airships;
mod campaign;
mod clutter;
mod crimson_nets;
mod crimson_vehicles;
mod environment;
mod file;
mod flip_books;
mod key_table;
mod markers;
mod mechs;
mod mission_nodes;
mod mission_scenes;
mod missions;
mod nets;
mod node_places;
mod pickups;
mod placements;
mod records;
mod roots;
mod starts;
mod states;
mod subset;
mod tables;
pub(in crate::zipper) mod turrets;
mod valves;
mod vehicles;
mod waiting;
mod weather;
mod zones;

pub(crate) use file::WorldFile;
pub(crate) use tables::FORMS;
pub use zones::is_shown_zone;
