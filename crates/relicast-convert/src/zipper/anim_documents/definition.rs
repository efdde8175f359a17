//! The document of a definition.

use crate::documents::DocumentForm;
use serde::Serialize;

use super::block::SequenceDocument;
use super::context::{Context, Shared};
use super::names::Names;
use crate::shared::line::Line;
use crate::zipper::anim::bind::DISABLED;
use relicast_codec::F32;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::{
    Activation, AnimFile, AnimationRefNames, Definition, DefinitionFlags, Prerequisite,
    PrerequisiteKind,
};
use relicast_scene::Document;
use relicast_scene::document::Style;

/// Squared distances, and their roots.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct ExecutionRange {
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<F32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<F32>,
    min_squared: F32,
    max_squared: F32,
}

/// Condition for a definition to start.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PrerequisiteDocument {
    kind: PrerequisiteKind,
    name: String,
    optional: bool,
    /// State that a node must be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    active: Option<bool>,
    /// The name is looked up below the root only.
    #[serde(skip_serializing_if = "Option::is_none")]
    local: Option<bool>,
}

impl PrerequisiteDocument {
    fn new(prerequisite: &Prerequisite) -> Self {
        let is_node = prerequisite.kind != PrerequisiteKind::Animation;
        Self {
            kind: prerequisite.kind,
            name: prerequisite.name.text(),
            optional: prerequisite.optional.is_set(),
            active: is_node.then_some(prerequisite.active & 1 != 0),
            local: (is_node && prerequisite.active & 2 != 0).then_some(true),
        }
    }
}

/// Conditions for the start of a definition.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Prerequisites {
    /// Number of optional prerequisites that must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_to_satisfy: Option<u8>,
    /// In order. A run of parents and the object after them form a path of nodes.
    list: Vec<Line<PrerequisiteDocument>>,
}

/// Identity of a definition, and the trigger that starts it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Identity {
    /// Number in the file, counted from the reserved definition, which is 0.
    number: usize,
    /// Name for calls.
    animation: String,
    /// The node that it belongs to.
    name: String,
    /// The node that it is bound to.
    root: String,
    activation: Activation,
    /// True if it is switched on.
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u8>,
    priority: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<ExecutionRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_zone: Option<bool>,
    /// Seconds after its end until the reset state runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_time: Option<F32>,
    health: F32,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_log: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    save_log: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_flags: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prerequisites: Option<Prerequisites>,
}

impl Identity {
    pub(in crate::zipper) fn new(
        container: &AnimFile,
        number: usize,
        definition: &Definition,
        style: Style,
    ) -> Self {
        let head = &definition.head;
        let has = |flag| head.flags.contains(flag);
        let log = |set, on| {
            let present = has(set);
            // Recoil has one bit for both.
            present.then(|| container.version == ZipperGame::Recoil || has(on))
        };
        let named = [
            (DefinitionFlags::HAS_CALLBACKS, "has_callbacks"),
            (
                DefinitionFlags::AUTO_RESET_NODE_STATES,
                "auto_reset_node_states",
            ),
            (DefinitionFlags::LOCAL_NODES_ONLY, "local_nodes_only"),
            (DefinitionFlags::PROXIMITY_DAMAGE, "proximity_damage"),
        ];
        let options = named.into_iter().filter(|(flag, _)| has(*flag));
        let unknown = head.flags.bits() & !DefinitionFlags::all().bits();
        let range = head.execution_range;
        let root = |value: F32| (value.0 >= 0.0).then(|| F32(value.0.sqrt()));
        let prerequisites = &definition.tables.prerequisites;
        let to_satisfy = head.prerequisites_to_satisfy;
        Self {
            number: number.saturating_add(1),
            animation: head.anim_name.text(),
            name: head.name.text(),
            root: head.anim_root_name.text(),
            activation: head.activation,
            enabled: head.status != DISABLED,
            status: (![0, DISABLED].contains(&head.status)).then_some(head.status),
            priority: head.execution_priority,
            range: has(DefinitionFlags::EXECUTION_BY_RANGE).then(|| ExecutionRange {
                min: root(range.min),
                max: root(range.max),
                min_squared: range.min,
                max_squared: range.max,
            }),
            by_zone: has(DefinitionFlags::EXECUTION_BY_ZONE).then_some(true),
            reset_time: has(DefinitionFlags::RESET_TIME).then_some(head.reset_time),
            health: head.max_health,
            network_log: log(
                DefinitionFlags::NETWORK_LOG_SET,
                DefinitionFlags::NETWORK_LOG_ON,
            ),
            save_log: log(DefinitionFlags::SAVE_LOG_SET, DefinitionFlags::SAVE_LOG_ON),
            options: options.map(|(_, name)| name).collect(),
            unknown_flags: Some(unknown).filter(|unknown| *unknown != 0),
            prerequisites: (!prerequisites.is_empty()).then(|| Prerequisites {
                optional_to_satisfy: Some(to_satisfy).filter(|count| *count != 0),
                list: prerequisites
                    .iter()
                    .map(|prerequisite| Line::new(PrerequisiteDocument::new(prerequisite), style))
                    .collect(),
            }),
        }
    }
}

/// Names of the tables, without their reserved entries; the first real one is number 1.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TablesDocument {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    node_path: Vec<String>,
    /// Nodes whose state is saved for a reset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objects: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lights: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    puffers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dynamic_sounds: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    static_sounds: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    effects: Vec<String>,
    /// Counted from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animations: Vec<AnimationName>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AnimationName {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_name: Option<String>,
}

impl TablesDocument {
    fn new(definition: &Definition) -> Self {
        let tables = &definition.tables;
        macro_rules! real {
            ($table:ident) => {
                tables
                    .$table
                    .iter()
                    .skip(1)
                    .map(|entry| entry.name.text())
                    .collect()
            };
        }
        Self {
            node_path: tables.paths.iter().map(|path| path.name.text()).collect(),
            objects: real!(objects),
            nodes: real!(nodes),
            lights: real!(lights),
            puffers: real!(puffers),
            dynamic_sounds: real!(dynamic_sounds),
            static_sounds: real!(static_sounds),
            effects: real!(effects),
            animations: tables
                .animation_refs
                .iter()
                .map(|entry| AnimationName {
                    name: entry.name(),
                    local_name: match &entry.names {
                        AnimationRefNames::Local { local_name, .. } => Some(local_name.text()),
                        _ => None,
                    },
                })
                .collect(),
        }
    }
}

/// The document of a definition.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DefinitionDocument<'d> {
    game: &'static str,
    #[serde(flatten)]
    identity: Identity,
    tables: TablesDocument,
    /// Runs when the animation is reset.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<SequenceDocument<'d>>,
    /// Runs on damage.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<SequenceDocument<'d>>,
    /// Run at the same time.
    sequences: Vec<SequenceDocument<'d>>,
}

/// Makes the document of the definition at place `number` and hands it to `take`.
pub(in crate::zipper) fn with_document<R>(
    number: usize,
    definition: &Definition,
    shared: &Shared<'_>,
    take: impl FnOnce(Document<'_>) -> R,
) -> R {
    let names = Names::new(definition);
    let context = Context {
        container: shared.container,
        definition,
        number,
        names: &names,
        uses: shared.uses,
        stems: shared.stems,
        style: shared.style,
    };
    let mut block = 0..;
    let mut sequence = |sequence, is_ordinary| {
        let block = block.next().unwrap_or_default();
        SequenceDocument::new(sequence, block, is_ordinary, &context)
    };
    // In two of the games a reset block without events means that there is none.
    let reset = definition
        .reset_state
        .as_ref()
        .map(|block| sequence(block, false));
    let reset_counts = |_: &SequenceDocument<'_>| {
        let block = definition.reset_state.as_ref();
        block.is_some_and(|block| !block.events.is_empty() || !block.rest.is_empty())
    };
    let damage = definition.damage_state.as_ref();
    let damage = damage.map(|damage| sequence(&damage.sequence, false));
    let document = DefinitionDocument {
        game: shared.container.version.short_name(),
        identity: Identity::new(shared.container, number, definition, shared.style),
        tables: TablesDocument::new(definition),
        reset: reset.filter(reset_counts),
        damage,
        sequences: definition
            .sequences
            .iter()
            .map(|block| sequence(block, true))
            .collect(),
    };
    take(Document::new(&document))
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<DefinitionDocument<'static>>(
    "animation",
    "An animation definition: what starts it, and its sequences of events",
)];
