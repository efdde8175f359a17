//! Events of a sequence: a 12-byte header and a payload whose layout depends on type and version.
//!
//! One structure per event type, grouped by the objects that it changes:
//!
//! - [`sound`]: sounds, sprites and weapons;
//! - [`light`]: lights and fog;
//! - [`object`]: state of nodes; [`motion`]: movement of nodes;
//! - [`camera`]: cameras and full-screen effects; [`puffer`]: particle emitters;
//! - [`control`]: calls, conditions and loops.
//!
//! The flags of an event select the fields that are used. Other fields are normally zero, and always preserved.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody, sound::Sound};
//!
//! // A sound at the start, in a file of Recoil: header and payload.
//! let event = Event::new(EventBody::Sound(Sound::default()));
//! assert!(event.is_unstamped());
//! assert_eq!(event.length(ZipperGame::Recoil), 12 + 16);
//! ```

pub mod camera;
pub mod control;
pub mod light;
pub mod motion;
pub mod object;
pub mod puffer;
pub mod sound;

mod body;

pub use body::{Event, EventBody, EventStart, UnknownEvent};
pub(super) use body::{tile, visit_events};
