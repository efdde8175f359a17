//! Settings of compiled animations.

use serde::{Deserialize, Serialize};

/// Compiled animations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Animations {
    /// Convert them.
    pub enabled: bool,
    /// Files that movement is written to.
    pub clips: Clips,
    /// Encoding of nodes that are shown, hidden or faded in clips.
    pub visibility: Visibility,
}

impl Default for Animations {
    fn default() -> Self {
        Self {
            enabled: true,
            clips: Clips::default(),
            visibility: Visibility::default(),
        }
    }
}

/// Files that the movement of animations is written to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clips {
    /// Separate scenes, one for each node that animations are bound to.
    #[default]
    Separate,
    /// The scene of the world as well.
    World,
    /// No clips.
    None,
}

/// Encoding of nodes that are shown, hidden or faded in clips.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Keys in the extras of the clip.
    #[default]
    Extras,
    /// The scale of a parent node, 0 or 1; and the extras.
    Scale,
    /// KHR_node_visibility and the color of surfaces, by KHR_animation_pointer; and the extras.
    Pointer,
}
