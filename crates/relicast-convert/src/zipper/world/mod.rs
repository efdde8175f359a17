//! Worlds of all four games, and the aircraft of Crimson Skies, as scenes.
//!
//! A world is one scene; each template for objects made at run time becomes a model. A library of aircraft has no
//! world, only such models.
//!
//! - [`file`] — the items of a file and their conversion;
//! - [`roots`] — nodes in the world, and templates;
//! - [`environment`] — lights, cameras, fog and background;
//! - `subset` — a subset of the nodes of a file, for clips;
//! - [`node_places`] — the places of the nodes of a file in its outputs;
//! - [`missions`] — objects that mission readers place, and other facts from them;
//! - [`records`], [`key_table`] — splitting lists of readers into records, and documents at their keys;
//! - [`airships`], [`airframes`], [`pickups`], [`vehicles`], [`nets`], [`turrets`], [`weather`] — contents of
//!   single documents;
//! - [`aircraft_parts`], [`aircraft_cameras`] — the initial state of aircraft, and the views from them;
//! - [`actors`] — templates of the actors of MechWarrior 3's missions; [`valves`] — their variables;
//! - [`crimson_vehicles`], [`crimson_nets`], [`campaign`] — records of Crimson Skies by position: vehicles, spawn
//!   points, patrol nets; and the order of its missions;
//! - [`mission_nodes`] — nodes of the world that a mission moves, hides and describes;
//! - `mission_scenes` — the missions of a world and their scenes;
//! - [`waiting`] — actors that animations place;
//! - [`markers`] — nodes with a meaning by their name: fog volumes, pickups, instruments;
//! - [`zones`] — parts of a world of Crimson Skies that are drawn depending on the camera;
//! - [`flip_books`] — sequences of pictures that Crimson Skies assigns to materials;
//! - [`clutter`] — forests, city blocks and clouds of Crimson Skies;
//! - [`states`] — pictures that the game chooses, as variants;
//! - [`placements`] — worlds with these objects;
//! - [`starts`] — worlds at the start of missions;
//! - [`tables`] — tables that accompany the scene.

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

pub use aircraft_cameras::{EYE, eye_below};
pub(crate) use file::WorldFile;
pub(crate) use tables::FORMS;
pub use zones::is_shown_zone;
