//! Names for the indices in the events of a definition.

use serde::Serialize;

use relicast_formats::zipper::anim::{
    AnimationRefIndex, Definition, DynamicSoundIndex, EffectIndex, LightIndex, NodeIndex,
    NodeTarget, PufferIndex, StaticSoundIndex,
};

/// The names in the tables of a definition, by index.
#[derive(Debug)]
pub(super) struct Names {
    nodes: Vec<String>,
    lights: Vec<String>,
    puffers: Vec<String>,
    dynamic_sounds: Vec<String>,
    static_sounds: Vec<String>,
    effects: Vec<String>,
    animations: Vec<String>,
}

/// An index with its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Reference<'n> {
    /// As stored.
    index: i32,
    /// Name of the entry of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'n str>,
    /// Meaning of an index that is not in the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<Special>,
}

/// Index values with a special meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Special {
    /// The node that the animation was started with.
    InputNode,
    /// The node that the definition is bound to.
    RootNode,
    None,
    /// The table has no such entry.
    NoSuchEntry,
}

impl Names {
    pub(super) fn new(definition: &Definition) -> Self {
        let tables = &definition.tables;
        Self {
            nodes: tables.nodes.iter().map(|node| node.name.text()).collect(),
            lights: tables
                .lights
                .iter()
                .map(|light| light.name.text())
                .collect(),
            puffers: tables
                .puffers
                .iter()
                .map(|puffer| puffer.name.text())
                .collect(),
            dynamic_sounds: tables
                .dynamic_sounds
                .iter()
                .map(|sound| sound.name.text())
                .collect(),
            static_sounds: tables
                .static_sounds
                .iter()
                .map(|sound| sound.name.text())
                .collect(),
            effects: tables
                .effects
                .iter()
                .map(|effect| effect.name.text())
                .collect(),
            animations: tables
                .animation_refs
                .iter()
                .map(|reference| reference.name())
                .collect(),
        }
    }

    pub(super) fn node(&self, index: impl Into<NodeIndex>) -> Reference<'_> {
        let index = index.into();
        let special = |special| Reference {
            index: index.0,
            name: None,
            special: Some(special),
        };
        match index.target() {
            NodeTarget::None => special(Special::None),
            NodeTarget::Input => special(Special::InputNode),
            NodeTarget::Root => special(Special::RootNode),
            NodeTarget::Other(_) => special(Special::NoSuchEntry),
            NodeTarget::Entry(place) => entry(&self.nodes, index.0, Some(place)),
        }
    }

    pub(super) fn light(&self, index: LightIndex) -> Reference<'_> {
        from_one(&self.lights, index.0)
    }

    pub(super) fn puffer(&self, index: PufferIndex) -> Reference<'_> {
        from_one(&self.puffers, index.0)
    }

    pub(super) fn dynamic_sound(&self, index: DynamicSoundIndex) -> Reference<'_> {
        from_one(&self.dynamic_sounds, index.0)
    }

    pub(super) fn static_sound(&self, index: StaticSoundIndex) -> Reference<'_> {
        from_one(&self.static_sounds, i32::from(index.0))
    }

    pub(super) fn effect(&self, index: EffectIndex) -> Reference<'_> {
        from_one(&self.effects, i32::from(index.0))
    }

    /// An entry of the table of called animations, which counts from 0.
    pub(super) fn animation(&self, index: AnimationRefIndex) -> Reference<'_> {
        match index.0 {
            -1 => Reference {
                index: -1,
                name: None,
                special: Some(Special::None),
            },
            other => entry(&self.animations, i32::from(other), index.position()),
        }
    }
}

/// An entry of a table whose first entry is reserved.
fn from_one(names: &[String], index: i32) -> Reference<'_> {
    match index {
        0 => Reference {
            index,
            name: None,
            special: Some(Special::None),
        },
        _ => entry(names, index, usize::try_from(index).ok()),
    }
}

fn entry(names: &[String], index: i32, place: Option<usize>) -> Reference<'_> {
    let name = place.and_then(|place| names.get(place));
    Reference {
        index,
        name: name.map(String::as_str),
        special: name.is_none().then_some(Special::NoSuchEntry),
    }
}
