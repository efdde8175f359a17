//! Extras of scenes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clip::NamedMotion;
use super::mission::{Campaign, Moved, PlacementRules, Valve};
use crate::extras::declare::facts;
use crate::extras::{Float, Float3, Stored};

facts! {
    /// A scene.
    Scene: "zipper" {
        /// Short name of the game: `rc`, `mw`, `pm`, `cs`.
        game: String,
        /// Front of its models: `-Z`.
        forward: String,
        /// Finer model of the same 'mech.
        coarse_of: String,
        /// Definition of the chassis.
        chassis: Chassis,
        /// Skins of a 'mech, with the textures that they replace.
        skins: Vec<Variant>,
        /// Fog.
        fog: Fog,
        /// Ambient light, 0 to 1.
        ambient_light: Float,
        /// True if the world repeats endlessly.
        endless: bool,
        /// Background color, channels from 0 to 1.
        clear_color: Float3,
        /// Zones of Crimson Skies.
        zones: Zones,
        /// Volumes of fog.
        #[cfg_attr(feature = "schema", schemars(with = "FogVolumes"))] fog_volumes: Value,
        /// Meanings of the keys of documents, by document and key.
        #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, super::mission::KeyMeaning>>"))] keys: Stored,
        /// Aircraft.
        airframe: Airframe,
        /// Liveries, with the textures that they replace.
        liveries: Vec<Variant>,
        /// States of pictures, with the textures that they replace.
        picture_states: Vec<Variant>,
        /// Script commands that define how the scene is drawn, in order.
        settings: Vec<Value>,
        /// Start of missions.
        start: Start,
        /// Mission.
        mission: Mission,
        /// Weather.
        #[cfg_attr(feature = "schema", schemars(with = "super::mission::Weather"))] weather: Value,
        /// Objectives as stored.
        objectives: Value,
        /// Maps as stored.
        maps: Value,
        /// Danger zones as stored.
        danger_zones: Value,
        /// Race as stored.
        race: Value,
        /// Variables of the mission.
        valves: Vec<Valve>,
        /// Vehicles that a generator copies.
        generator_templates: Vec<String>,
        /// Game whose rules place the objects.
        placement_rules: PlacementRules,
        /// Reader files of the world that the mission replaces by its own.
        hides_readers: Vec<String>,
        /// Position in the campaign.
        campaign: Campaign,
        /// Nodes that were moved.
        moved: Vec<Moved>,
        /// True if models are turned so that their front is that of glTF.
        face_forward: bool,
    }

    /// Fog of a world.
    Fog {
        /// `off`, `linear`, `exp`, or an unknown number.
        #[serde(rename = "type")] kind: Value,
        /// Color channels from 0 to 1.
        color: Float3,
        /// Distance at which the fog starts.
        near: Float,
        /// Distance beyond which nothing else is visible.
        far: Float,
        /// Height up to which it has full density.
        altitude_low: Float,
        /// Height above which there is none.
        altitude_high: Float,
        /// Density.
        density: Float,
    }

    /// Zones of Crimson Skies.
    Zones {
        /// Zones that scenes show.
        shown: Vec<i32>,
        /// Number of nodes by zone.
        nodes: BTreeMap<i32, usize>,
    }

    /// A material variant.
    Variant {
        /// Name.
        name: String,
        /// Replacement textures, by the textures that they replace.
        textures: BTreeMap<String, String>,
    }

    /// Aircraft of Crimson Skies.
    Airframe {
        /// Number in the game's table.
        number: usize,
        /// Name that the game shows.
        name: String,
        /// Root of this model.
        root: String,
        /// Root of the player's model.
        player_root: String,
        /// Root of the model of other planes.
        plain_root: String,
        /// Picture of the damage.
        damage_picture: Value,
        /// True for the player's model.
        is_player: bool,
        /// Camera behind it.
        chase_camera: ChaseCamera,
    }

    /// Camera behind an aircraft.
    ChaseCamera {
        /// Distance.
        distance: Float,
        /// `camparam.zrd`, or `published`.
        from: String,
        /// Name in camparam.zrd.
        name: String,
        /// Record of camparam.zrd.
        record: Value,
    }

    /// Start of missions.
    Start {
        /// Scripts that ran, by path.
        scripts: Vec<String>,
        /// Rules that identified the scripts of the mission.
        rules: Vec<String>,
        /// Number of applied commands, by command.
        commands: BTreeMap<String, usize>,
        /// Reset sequences that ran.
        resets: usize,
        /// Animations that started.
        started: Vec<String>,
        /// Numbers of nodes that differ from their stored state.
        changed: Changed,
        /// Nodes with their stored state, by reason.
        left: BTreeMap<String, Left>,
        /// Missions with this start.
        missions: Vec<String>,
    }

    /// Numbers of nodes that differ from their stored state.
    Changed {
        /// Hidden at the start.
        hidden: usize,
        /// Shown at the start.
        shown: usize,
        /// Moved, turned or scaled.
        moved: usize,
        /// With another opacity.
        faded: usize,
        /// Moved below another node.
        rehung: usize,
        /// Removed from the world.
        deleted: usize,
    }

    /// Nodes with their stored state for one reason.
    Left {
        /// Number of nodes.
        count: usize,
        /// Names, limited to a few hundred.
        names: Vec<String>,
    }

    /// Mission.
    Mission {
        /// Short name.
        name: String,
        /// Archive of its readers.
        source: String,
        /// Number of objects that are copies of a template.
        placed: usize,
        /// Number of objects without a template.
        empties: usize,
        /// Number of objects whose template does not exist.
        unresolved: usize,
        /// Number of objects with several templates.
        ambiguous: usize,
    }

    /// Definition of the chassis of a 'mech.
    Chassis {
        /// Archive and member.
        source: String,
        /// True for legs that bend backwards.
        chicken: bool,
        /// Height of the crouch.
        crouch_height: Value,
        /// Limits of the torso, as stored.
        torso_limits: Value,
        /// Points from which weapons fire.
        firepoints: Vec<ChassisFirePoint>,
        /// Camera as stored.
        camera: Value,
        /// Instruments as stored.
        hud: Value,
        /// Cage of the cockpit.
        cage: Cage,
        /// Other keys as stored.
        settings: Stored,
        /// Animations that it plays, by purpose.
        animations: Stored,
        /// Stock loadouts, by name.
        configurations: Stored,
        /// Motions.
        motions: Vec<NamedMotion>,
        /// Lists of textures for skins.
        skins: Stored,
    }

    /// Point from which a weapon fires.
    ChassisFirePoint {
        /// Name.
        name: String,
        /// Part of the 'mech.
        part: String,
        /// Radius.
        radius: Value,
        /// Share.
        share: Value,
    }

    /// Cage of the cockpit.
    Cage {
        /// Name.
        name: Value,
        /// Guessed offset.
        offset: Value,
        /// False for a guess.
        certain: bool,
    }
}

/// Volumes of fog, with the keys of fogvol.zrd.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct FogVolumes {
    /// Keys of the document.
    #[serde(flatten)]
    pub stored: Stored,
    /// Color, channels from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Value>,
}
