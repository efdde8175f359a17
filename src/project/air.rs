//! Fog, light from everywhere and background of a scene.

use relicast_scene::extras::{Float, SceneExtras};
use serde_json::Value;

/// Environment of a scene, colors with parts from 0 to 1.
#[derive(Debug)]
pub(super) struct Air {
    /// Color behind everything.
    pub background: [f64; 3],
    /// Light from everywhere, 0 to 1.
    pub ambient: f64,
    /// Color of the fog.
    pub fog_color: Option<[f64; 3]>,
    /// Distances between which linear fog grows.
    pub fog_range: Option<[f64; 2]>,
}

impl Air {
    /// Reads the extras of a scene of a glTF document.
    pub(super) fn of(scene: &Value, is_everquest: bool) -> Self {
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
            // All the light of EverQuest's zones is in the colors of their vertices.
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
