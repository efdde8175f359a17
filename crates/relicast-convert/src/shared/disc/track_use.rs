//! Purpose of the audio tracks of a disc.

use serde::Serialize;

/// Purpose of a track in the game, by the game's files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackUse {
    /// Names of the track in the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// True if the menu plays it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_menu: bool,
    /// Numbers of the missions that play it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missions: Vec<u32>,
}

impl TrackUse {
    /// A title: the name, or the purpose.
    pub(super) fn title(&self) -> Option<String> {
        self.names.first().cloned().or_else(|| self.description())
    }

    /// Its purpose in words.
    pub(super) fn description(&self) -> Option<String> {
        let missions: Vec<String> = self.missions.iter().map(u32::to_string).collect();
        let noun = match missions.len() {
            1 => "mission",
            _ => "missions",
        };
        let missions = (!missions.is_empty()).then(|| format!("{noun} {}", missions.join(", ")));
        let menu = self.is_menu.then(|| "menu".to_owned());
        let all: Vec<String> = menu.into_iter().chain(missions).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}
