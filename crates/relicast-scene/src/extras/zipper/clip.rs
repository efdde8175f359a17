//! Extras of animations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extras::declare::facts;
use crate::extras::{Float, Stored};

facts! {
    /// A clip.
    Clip: "zipper" {
        /// Name of the animation.
        animation: String,
        /// Name of its root.
        root: String,
        /// Node that it is attached to, if that is another one.
        bound_to: String,
        /// Sequence that it shows.
        sequence: String,
        /// Event that starts it in the game: `on_startup`, `on_call` and others.
        activation: String,
        /// Seconds.
        length: Float,
        /// Seconds after which it is reset.
        reset_time: Float,
        /// Loops.
        loops: Vec<Loop>,
        /// Sequences that are never started.
        never_started_by_the_game: Vec<String>,
        /// Visibility of nodes over time.
        visibility: Vec<Visibility>,
        /// Opacity of nodes over time.
        opacity: Vec<Opacity>,
        /// Events at a time that glTF cannot express: sounds, lights, particles, lenses, pictures, children.
        marks: Vec<Mark>,
        /// Names that several nodes have.
        ambiguous: Vec<String>,
        /// Number of events that are not in the clip, by name.
        not_baked: BTreeMap<String, usize>,
        /// Number of events that depend on chance or on the world and show one possible course, by kind.
        nominal: BTreeMap<String, usize>,
        /// Conditions by kind, and the value that was assumed.
        conditions: BTreeMap<String, bool>,
        /// Number of events that were left out, because there were too many.
        dropped: usize,
        /// Seconds of a motion.
        loop_time: Float,
        /// Frames of a motion.
        frames: u32,
        /// Archive and member of a motion.
        source: String,
        /// Names of the motion in the definition of the chassis.
        named: Vec<NamedMotion>,
        /// Parts whose translations the motion does not change.
        kept_translations: Vec<String>,
    }

    /// A use of a motion.
    NamedMotion {
        /// Purpose of the motion.
        role: String,
        /// Name of the motion.
        motion: String,
        /// The pair that a gait has, as stored.
        trans: [Value; 2],
    }
}

/// A loop of a sequence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Loop {
    /// Name of the sequence.
    pub sequence: String,
    /// Seconds at which the first pass starts.
    pub start: Float,
    /// Seconds of a pass.
    pub period: Float,
    /// Number of passes; null for endless.
    pub passes: Option<u32>,
    /// True if the games lose the rest of a frame with each pass.
    pub ideal_period: bool,
    /// True if the clip holds every pass, not only the first one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrolled: bool,
}

facts! {
    /// Visibility of a node over time.
    Visibility {
        /// Name of the node.
        node: String,
        /// Index of the node in the game's file.
        index: usize,
        /// Seconds of the keys.
        times: Vec<Float>,
        /// Visibility from each key on.
        shown: Vec<bool>,
        /// `LINEAR`; otherwise a key holds until the next.
        interpolation: String,
    }

    /// Opacity of a node over time.
    Opacity {
        /// Name of the node.
        node: String,
        /// Index of the node in the game's file.
        index: usize,
        /// Seconds of the keys.
        times: Vec<Float>,
        /// Opacity, 0 to 1.
        opacity: Vec<Float>,
        /// `LINEAR`; otherwise a key holds until the next.
        interpolation: String,
    }
}

/// An event at a time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Mark {
    /// Name of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Camera whose lens changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Value>,
    /// Values of the lens at the start and the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_to: Option<Stored>,
    /// Seconds of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Float>,
    /// Values of the lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Value>,
    /// Node that becomes a child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_child: Option<Value>,
    /// Node that stops being a child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete_child: Option<Value>,
    /// Its parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Value>,
    /// Frame number of an animated texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_frame: Option<i64>,
    /// Node of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Value>,
    /// Sound that plays, with its `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<Value>,
    /// Node at which it happens, with its `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_node: Option<Value>,
    /// Animation that it calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<Value>,
    /// Light that is switched or changed, with its `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<Value>,
    /// Kind of the light or of the fog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Value>,
    /// True if it is switched on, false for off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<Value>,
    /// Near and far end of the light or of the fog: `min`, `max`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Value>,
    /// Color of the light or of the fog: `r`, `g`, `b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Value>,
    /// Ambient part of the light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ambient: Option<Value>,
    /// Directed part of the light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diffuse: Option<Value>,
    /// Position of the light in its world: `x`, `y`, `z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Value>,
    /// Offset from the node: `x`, `y`, `z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<Value>,
    /// Seconds of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_time: Option<Value>,
    /// Change of the range per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_per_second: Option<Value>,
    /// Change of the color per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_per_second: Option<Value>,
    /// Other values of the event, as in the document of the container, with keys in camelCase.
    #[serde(flatten)]
    pub stored: Stored,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Float>,
}
