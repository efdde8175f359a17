//! Extras of missions: placements and settings.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extras::declare::facts;
use crate::extras::{Float, Float3, Stored};

facts! {
    /// Object that a mission places.
    Placement {
        /// `vehicle`, `pickup`, `pathNode`, `teleport`, `spawnPoint`.
        kind: String,
        /// Name.
        name: String,
        /// Block of the table of spawn points.
        block: usize,
        /// Number of the team, or `all`.
        team: Value,
        /// Variable of the mission that moves an actor here.
        valve: String,
        /// Number.
        id: i64,
        /// Numbers, where there are several.
        ids: Value,
        /// Degrees.
        heading: Heading,
        /// Net that it follows.
        net: NetNumber,
        /// Values of unknown meaning.
        more: Vec<Value>,
        /// True if a generator makes copies of it.
        generator_template: bool,
        /// Values of a vehicle by meaning.
        slots: Stored,
        /// True for the player.
        player: bool,
        /// Name of the aircraft.
        airframe: String,
        /// Source of the assumption that it is this aircraft, if no file states it.
        assumed_from: String,
        /// Number of the kind of pickup.
        #[serde(rename = "type")] pickup: usize,
        /// Amount that it gives.
        amount: i64,
        /// Seconds until it reappears.
        respawn: Float,
        /// Value of a node of a net.
        value: i64,
        /// Numbers of linked nodes.
        links: Vec<i64>,
        /// Further values of a node of a net.
        tags: Vec<Value>,
        /// Attributes after its position in the file.
        attributes: Vec<Attribute>,
        /// Template that it is a copy of.
        template: String,
        /// The file with the template.
        source: String,
        /// False if the rule may not be the game's.
        certain: bool,
        /// True if no template has the name, or several do.
        unresolved: bool,
        ..
        /// Keys of zeppelins.zrd, of an airship.
        stored
    }

    /// Net that a vehicle follows.
    NetNumber {
        /// Number.
        number: i64,
        /// False for a guess.
        certain: bool,
    }

    /// An attribute of a node or of an edge.
    Attribute {
        /// Name.
        key: String,
        /// Values as stored.
        values: Vec<Value>,
    }

    /// An edge of a net.
    Edge {
        /// Name.
        name: String,
        /// Number of a node.
        from: i64,
        /// Number of a node.
        to: i64,
        /// Attributes after the ends in the file.
        attributes: Vec<Attribute>,
    }

    /// An angle that is guessed.
    GuessedAngle {
        /// Value.
        value: Float,
        /// `degree`.
        unit: String,
        /// False for a guess.
        certain: bool,
    }

    /// Zone of the weather of Crimson Skies.
    WeatherZone {
        /// Name.
        name: String,
        /// True for software rendering.
        software: bool,
        /// Color channels from 0 to 1.
        fog_color: Value,
        /// Meters.
        fog_ranges: Value,
        /// Meters.
        clip_ranges: Value,
        /// Meters.
        fog_altitude: Value,
        /// The sun; angles in degrees, `direction` in the space of the scene.
        sunlight: Stored,
    }

    /// Band of clouds of Crimson Skies.
    WeatherClouds {
        /// Height in meters.
        top: f64,
        /// Height in meters.
        bottom: f64,
        /// Meters.
        thickness: f64,
        /// Height from which a camera is in zone 2.
        #[serde(rename = "zone2From")] zone2_from: f64,
        /// Color channels from 0 to 1.
        top_color: Value,
        /// Color channels from 0 to 1.
        bottom_color: Value,
    }

    /// Variable of a mission.
    Valve {
        /// Name.
        name: String,
        /// True if it is off at the start.
        is_off: bool,
        /// Condition: `all_zero`, `all_nonzero`, `any_nonzero`.
        condition: String,
        /// Variables that the condition counts.
        of: Vec<String>,
        /// Actions of the valve.
        actions: Vec<ValveAction>,
        /// Values as stored, where they have no keys.
        values: Value,
        /// Nets and documents that mention it.
        used_by: Vec<String>,
    }

    /// Action of a variable.
    ValveAction {
        /// Name.
        action: String,
        /// Values as stored.
        values: Vec<Value>,
    }

    /// Position of a mission in the campaign.
    Campaign {
        /// Number of the mission.
        number: usize,
        /// Act.
        act: Act,
        /// Number of its saves.
        save: usize,
        /// Name of the briefing.
        briefing: String,
        /// Name of the narration.
        narration: String,
        /// Title.
        title: Title,
        /// Short title.
        short_title: Title,
    }

    /// Act of the campaign.
    Act {
        /// Number.
        number: usize,
        /// Name.
        name: String,
    }

    /// Title.
    Title {
        /// Number of the text.
        string: u32,
        /// Text.
        text: String,
    }

    /// Game whose rules place the objects.
    PlacementRules {
        /// Short name of the game.
        from: String,
        /// False for a guess.
        certain: bool,
    }

    /// A node that a mission moves.
    Moved {
        /// Index in the game's file.
        index: usize,
        /// Name.
        name: String,
        /// Position after the move.
        place: Float3,
    }

    /// Meaning of a key of a document.
    KeyMeaning {
        /// Type of its values.
        #[serde(rename = "type")] kind: String,
        /// Unit.
        unit: String,
        /// Default value.
        default: Value,
    }
}

/// Heading of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Heading {
    /// Degrees.
    Degrees(Float),
    /// Guessed degrees.
    Guessed(GuessedAngle),
}

/// Airship of a mission, with the keys of its document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Airship {
    /// Keys of zeppelins.zrd.
    #[serde(flatten)]
    pub stored: Stored,
    /// True if it is absent at the start.
    pub is_deactivated: bool,
}

/// Turret of a mission, with the keys of its document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Turret {
    /// Name pattern of the nodes that are such turrets; `*` stands for a digit.
    pub pattern: String,
    /// Keys of ai.zrd.
    #[serde(flatten)]
    pub stored: Stored,
}

/// Net of paths, with the keys of its document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Net {
    /// Settings, by the keys of the document.
    #[serde(flatten)]
    pub stored: Stored,
    /// Settings without keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// Data after the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trailer: Option<Value>,
    /// Number of linked pairs of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<usize>,
    /// Edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
}

/// Weather of a mission: for Crimson Skies zones and clouds, for Recoil the keys of its document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct Weather {
    /// Zones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<Vec<WeatherZone>>,
    /// Band of clouds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clouds: Option<WeatherClouds>,
    /// The document as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Value>,
    /// Keys of Recoil's document.
    #[serde(flatten)]
    pub stored: Stored,
}
