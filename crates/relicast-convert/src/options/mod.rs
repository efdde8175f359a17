//! Settings of converters; each section is a struct of plain data with its defaults.
//!
//! ```
//! use relicast_convert::options::{ConvertOptions, SceneContainer};
//!
//! let mut options = ConvertOptions::default();
//! options.scenes.container = SceneContainer::Glb;
//! ```

mod animations;
mod documents;
mod liveries;
mod music;
mod scenes;
mod server_tables;
mod sounds;
mod textures;
mod video;

pub use animations::{Animations, Clips, Visibility};
pub use documents::{Documents, Raw};
pub use liveries::Liveries;
pub use music::Music;
pub use scenes::{
    AlphaRule, ByteOrder, EverQuest, Hidden, HideUnplaced, LampLight, Layers, LimbTranslations,
    Lods, Models, NormalGreen, RestPose, SamplerRule, SceneContainer, SceneFilter, Scenes, Shading,
    Terrain, Unit, VertexAnimation, VertexLight, WorldState, Worlds,
};
pub use server_tables::ServerTables;
pub use sounds::{SoundFormat, Sounds};
pub use textures::{AlphaPlane, LoosePictures, Palette, Textures};
pub use video::{AUTO, Loose, Video, VideoAudio, VideoProfile};

/// Settings of converters, by section.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConvertOptions {
    /// Compiled animations.
    pub animations: Animations,
    /// Layout and schemas of all JSON outputs.
    pub documents: Documents,
    /// Options of EverQuest's zones and models.
    pub everquest: EverQuest,
    /// Liveries of aircraft.
    pub liveries: Liveries,
    /// Files that need no conversion.
    pub loose: Loose,
    /// Settings of models only: 'mechs, aircraft and objects made at run time.
    pub models: Models,
    /// Music of discs and songs.
    pub music: Music,
    /// JSON files with all fields of the source files, next to the other outputs.
    pub raw: Raw,
    /// Settings of all scenes: worlds, 'mechs and aircraft.
    pub scenes: Scenes,
    /// Sounds.
    pub sounds: Sounds,
    /// Pictures.
    pub textures: Textures,
    /// Videos.
    pub video: Video,
    /// Settings of worlds only.
    pub worlds: Worlds,
}
