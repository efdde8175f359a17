//! Fog, ambient light and background of a scene.

use relicast_scene::extras::{Float, SceneExtras};
use serde_json::Value;

/// Environment of a scene, with color channels from 0 to 1.
#[derive(Debug)]
pub(super) struct Air {
    /// Background color.
    pub background: [f64; 3],
    /// Ambient light, 0 to 1.
    pub ambient: f64,
    /// Color of the fog.
    pub fog_color: Option<[f64; 3]>,
    /// Start and end distance of linear fog.
    pub fog_range: Option<[f64; 2]>,
}

impl Air {
    /// Reads the extras of a scene of a glTF document.
    pub(super) fn new(scene: &Value, is_everquest: bool) -> Self {
        let facts = SceneExtras::of(scene).zipper;
        let fog = facts.fog.unwrap_or_default();
        let fog_color = fog.color.map(|color| color.map(f64::from));
        let clear = facts.clear_color.map(|color| color.map(f64::from));
        let is_linear = fog.kind.is_some_and(|kind| kind == "linear");
        let range = fog
            .near
            .zip(fog.far)
            .map(|(near, far)| [near, far].map(f64::from));
        let nothing = if is_everquest {
            [0.45, 0.6, 0.8]
        } else {
            [0.0; 3]
        };
        Self {
            background: clear.or(fog_color).unwrap_or(nothing),
            // All light of EverQuest's zones is in their vertex colors.
            ambient: match facts.ambient_light {
                Some(Float(ambient)) if !is_everquest && ambient.is_finite() => {
                    Float(ambient).into()
                }
                _ => 1.0,
            },
            fog_range: range.filter(|[near, far]| is_linear && far > near),
            fog_color,
        }
    }
}
