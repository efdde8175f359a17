//! Compiled animation archives: `anim.zbd` of Recoil (version 28), MechWarrior 3 (39) and Pirate's
//! Moon (50), `cam_anim.zbd` and `mis_anim.zbd` of Crimson Skies (53).
//!
//! ```text
//! header: signature, version
//! lists of base files (Crimson Skies) and source files
//! info block
//! definitions, number 0 is reserved; each:
//!     fixed part
//!     reference tables                   [`Tables`]
//!     reset state, damage state          [`Sequence`]
//!     sequences of events                [`Sequence`], [`Event`]
//! scripts (Pirate's Moon, Crimson Skies) [`SiScript`]
//! ```
//!
//! There are no offsets: the file is parsed from start to end. One declaration covers the four versions; a field
//! that only some versions have names them. Pointers are addresses in the memory of the tool that wrote the file.
//! They are preserved and have no meaning, except where a field says that 0 matters.
//!
//! Lengths are game units, angles radians, times seconds; positions are in the space of the node's
//! parent, y up, right handed.

mod definition;
pub mod event;
mod file;
pub mod script;
mod sequence;
mod tables;
mod values;
mod version;

pub use definition::{Activation, DamageState, Definition, DefinitionFlags, DefinitionHead};
pub use event::{Event, EventBody, EventStart, UnknownEvent};
pub use file::{AnimFile, BaseFile, InfoBlock, SIGNATURE, SourceFile, decode, encode, sniff};
pub use script::{Frame, FrameFlags, RotationChannel, SiScript, VectorChannel};
pub use sequence::{Sequence, SequenceHead, SequenceState};
pub use tables::{
    AnimationRef, AnimationRefNames, DynamicSoundRef, EffectRef, LightRef, NodeRef, ObjectRef,
    PathRef, Prerequisite, PrerequisiteKind, PufferRef, StaticSoundRef, Tables,
};
pub use values::{
    AnimationRefIndex, Bool16, Bool32, Color, CountedText, DynamicSoundIndex, EffectIndex,
    FloatRamp, LightIndex, NodeIndex, NodeName, NodeTarget, PufferIndex, Range, ShortNodeIndex,
    StaticSoundIndex, VectorRamp, rate,
};
