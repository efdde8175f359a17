//! Compiled animations as movement: when events happen, what they do to nodes, and the keys that say so.
//!
//! - [`schedule`] — the events of a definition on one clock;
//! - [`curve`] — values over time;
//! - [`motion`], [`script`] — physics and scripts as values over time;
//! - [`track`] — one property of a node, written by many events;
//! - [`evaluate`] — the state of each node as a function of time;
//! - [`keys`] — tracks as keys of a clip.
//!
//! Nothing here knows files or scenes: a [`World`](evaluate::World) says where nodes are, and
//! [`Names`](evaluate::Names) which node a name means.

pub(in crate::convert) mod curve;
pub(in crate::convert) mod evaluate;
pub(in crate::convert) mod keys;
pub(in crate::convert) mod motion;
pub(in crate::convert) mod schedule;
pub(in crate::convert) mod script;
pub(in crate::convert) mod track;
