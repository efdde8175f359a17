//! Extras of the games of Zipper Interactive: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies.

mod clip;
mod mission;
mod node;
mod scene;
mod surface;
mod view;

pub use clip::{Clip, Loop, Mark, NamedMotion, Opacity, Visibility};
pub use mission::{
    Act, Airship, Attribute, Campaign, Edge, GuessedAngle, Heading, KeyMeaning, Moved, Net,
    NetNumber, Placement, PlacementRules, Title, Turret, Valve, ValveAction, Weather,
    WeatherClouds, WeatherZone,
};
pub use node::{
    Bounds, Clutter, ClutterScale, DamagePanel, FirePoint, Flare, FoundBy, GivenPlace, Instrument,
    LikelySky, Lod, LodFade, LodScale, Node, Pickup, PointFade, Points, Rest, Substitutes, Tint,
};
pub use scene::{
    Airframe, Cage, Changed, ChaseCamera, Chassis, ChassisFirePoint, Fog, FogVolumes, Left,
    Mission, Scene, Start, Variant, Zones,
};
pub use surface::{Cycle, Facade, Layer, Material, Mesh, Primitive, Scroll, Soil, Texture};
pub use view::{Camera, Light, Planes};

use super::ObjectExtras;

/// Value of `extras.zipper` in any object of a glTF file.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum Facts {
    /// `scenes[]`
    Scene(Box<Scene>),
    /// `nodes[]`
    Node(Box<Node>),
    /// `meshes[]`
    Mesh(Mesh),
    /// `meshes[].primitives[]`
    Primitive(Primitive),
    /// `materials[]`
    Material(Material),
    /// `textures[]`
    Texture(Texture),
    /// `extensions.KHR_lights_punctual.lights[]`
    Light(Light),
    /// `cameras[]`
    Camera(Camera),
    /// `animations[]`
    Clip(Box<Clip>),
}
