//! Compiled animations as movement: the schedule of events, their effect on nodes, and the resulting keys.
//!
//! - [`time`] — seconds;
//! - [`schedule`] — the events of a definition on one clock;
//! - [`curve`] — values over time;
//! - [`motion`], [`script`], `connector` — physics, scripts and beams as values over time;
//! - [`track`] — one property of a node, written by many events; [`product`] — several multiplied;
//! - [`evaluate`] — the state of each node as a function of time; `perform` — writes each event into it;
//!   `annotations` — events that no track can represent;
//! - [`keys`] — tracks as keys of a clip.
//!
//! # Conversion of each event
//!
//! All events of all four games are decoded, and all are in the documents of their definitions. Numbers
//! are types; those without a game's letter do not occur there.
//!
//! | event | games | in clips | why, if it is not a channel |
//! | --- | --- | --- | --- |
//! | 7 translate, 8 scale, 9 rotate state | RC MW PM CS | channels | on the node handed over at the start: documents only, it is not known |
//! | 10 motion by physics | RC MW PM CS | channels | middle of random ranges, flight back to the height of the launch, no impact: noted as `nominal`; bounces: documents only, they need a ground |
//! | 11 motion from-to | RC MW PM CS | channels, weights | |
//! | 12 script; 47 several scripts | RC MW PM CS; CS | channels | |
//! | 6 active state | RC MW PM CS | extras `visibility`; scale or pointers by option | glTF itself has no visibility |
//! | 13 opacity state, 14 opacity from-to | RC MW PM CS | extras `opacity`; pointers by option | glTF itself does not animate materials |
//! | 15 add child, 16 delete child, 17 cycle texture | RC MW PM CS | extras `marks` | hierarchies and pictures of glTF stay |
//! | 20 camera state; 21 camera from-to | RC MW PM CS; RC MW PM | first lens of the camera; extras `marks` | glTF does not animate lenses |
//! | 22, 23 call and stop sequence, 30 loop, 31 to 34 conditions | RC MW PM CS | rule the schedule | loops without end are one pass and extras `loops`; conditions are decided by kind, extras `conditions` |
//! | 24 call animation | RC MW PM CS | what waits for it waits | the called one has a clip of its own |
//! | 25 stop animation | RC MW PM CS | ends the clip if it names itself | |
//! | 26 reset, 27 invalidate animation | RC MW PM CS | documents only | they act on running animations |
//! | 4 light state, 5 light animation | RC MW PM CS | documents only | lights of an animation are made at run time |
//! | 18 connector | RC MW PM | channels | an end that is handed over at the start: documents only, it is not known |
//! | 19 call connector | RC MW PM | documents only | the called one has a clip of its own |
//! | 1, 2 sounds, 46 sound adjust | RC MW PM CS; CS | documents only | no movement |
//! | 3 effect; 42 puffer | RC; MW PM CS | documents only | particles |
//! | 28 fog, 36 tint, 37 wave, 38 text | RC MW PM CS; 37 RC PM; 38 RC | documents only | the screen, not the scene |
//! | 35 callback, 39, 40 markers, 41 detonate weapon | RC MW PM CS; 39 RC PM; 40 RC | documents only | the game's program |
//!
//! Nothing here knows files or scenes: a [`World`](evaluate::World) provides the nodes, and
//! [`Names`](evaluate::Names) the node of a name.

mod annotations;
mod connector;
pub(crate) mod curve;
pub(crate) mod evaluate;
pub(crate) mod keys;
pub(crate) mod motion;
mod perform;
pub(crate) mod product;
pub(crate) mod schedule;
pub(crate) mod script;
pub(crate) mod time;
pub(crate) mod track;

#[cfg(test)]
mod rows;
