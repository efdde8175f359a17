//! The index of a container: its definitions, their calls, and the names in them, with the output files and
//! nodes that these names refer to.

use crate::documents::DocumentForm;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::options::ConvertOptions;
use crate::zipper::document::unix_time;
use crate::zipper::scene::node_places::FileNode;
use relicast_codec::F32;
use relicast_formats::zipper::anim::{AnimFile, Definition, SiScript, SourceFile};
use relicast_scene::document::Style;

use super::missing::Missing;
use crate::shared::line::Line;
use crate::zipper::anim::bind::{Binding, Bound};
use crate::zipper::anim::dependencies::{OtherContainer, Related, Sounds};
use crate::zipper::anim::node_lookup::{NodeLookup, Place};
use crate::zipper::anim::stored_index::BoundCounts;
use crate::zipper::anim::uses::{self, Call, Use};
use crate::zipper::anim_documents::definition::Identity;
use crate::zipper::anim_documents::script::Table;
use crate::zipper::anim_documents::script_uses::FirstUses;

/// The index of a container.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Index<'d> {
    game: &'static str,
    version: u32,
    /// Time when the container was made; in one game only.
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<String>,
    /// Units per second squared.
    gravity: F32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    base_files: Vec<Line<Dated>>,
    sources: Vec<Line<Dated>>,
    /// Counts of the nodes of the tables that were found; in Crimson Skies, only if a world is available.
    #[serde(skip_serializing_if = "BoundCounts::is_empty")]
    pub bound: BoundCounts,
    definitions: Vec<Entry>,
    /// Animations by name, with their callers.
    animations: BTreeMap<String, Animation>,
    /// Names without a known object.
    pub missing: Missing,
    /// Scripts that no event plays, with their frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unused_scripts: Vec<Script<'d>>,
}

/// A source file, with the packer's path and time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Dated {
    path: String,
    time: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Entry {
    #[serde(flatten)]
    identity: Identity,
    /// Its document, below the output folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<String>,
    /// The node that it is bound to, where that is not the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_node: Option<Line<Target>>,
    /// Binding of the root.
    root_node: Line<Target>,
    sequences: Vec<String>,
    /// Animations that its events refer to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Line<CallEntry>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Line<Target>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lights: Vec<Line<Target>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    puffers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sounds: Vec<Line<Sound>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sound_emitters: Vec<Line<Sound>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    effects: Vec<String>,
}

/// Reference to an animation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CallEntry {
    animation: String,
    kind: Call,
    /// Number of events that do so.
    events: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
}

/// An animation of this container, or one that it refers to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Animation {
    /// Indices of the definitions with that name; empty if no definition here has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<usize>,
    /// Other containers that have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    containers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    called_by: Vec<Line<Caller>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Caller {
    animation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// Another container.
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<String>,
}

/// A name and its node.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Target {
    name: String,
    /// File with the node, and its index there.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// Scenes with the node, and its name there; the first few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scenes: Vec<Place>,
    /// Number of nodes of this name, if more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<usize>,
    /// A light, emitter or puffer of the definition itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    own: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
}

/// Maximum number of listed places of a node or sound. A node has a place for each of its parents.
const MAX_PLACES: usize = 8;

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Sound {
    name: String,
    /// Outputs, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
}

/// A script of the pool.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Script<'d> {
    pool_index: usize,
    source: String,
    made_for: String,
    #[serde(flatten)]
    table: Table<'d>,
}

fn target(name: String, bound: Bound, forests: &[NodeLookup]) -> Target {
    let mut target = Target {
        name,
        source: None,
        index: None,
        scenes: Vec::new(),
        candidates: None,
        own: bound == Bound::Own,
        missing: bound == Bound::Missing,
    };
    if let Bound::Node {
        node, candidates, ..
    } = bound
    {
        let lookup = &forests[node.lookup];
        target.source = Some(lookup.path.clone());
        target.index = Some(node.index);
        let scenes = lookup.places(FileNode(node.index)).iter();
        target.scenes = scenes.take(MAX_PLACES).cloned().collect();
        target.candidates = Some(candidates).filter(|count| *count > 1);
    }
    target
}

/// Numbers of the definitions by the names of their animations.
fn by_name(container: &AnimFile) -> BTreeMap<String, Vec<usize>> {
    let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, definition) in container.definitions.iter().enumerate() {
        let known = numbers.entry(definition.anim_name()).or_default();
        known.push(place.saturating_add(1));
    }
    numbers
}

/// Animations that the events of a definition refer to, with counts.
fn calls_of(definition: &Definition) -> BTreeMap<(String, Call), usize> {
    let mut calls = BTreeMap::new();
    let events = definition
        .blocks_of_events()
        .flat_map(|event| &event.events);
    for used in events.flat_map(|event| uses::of(&event.body)) {
        if let Use::Animation(call, name) = used {
            *calls.entry((name, call)).or_insert(0) += 1;
        }
    }
    calls
}

fn dated(source: &SourceFile, style: Style) -> Line<Dated> {
    let dated = Dated {
        path: source.path.text(),
        time: unix_time(source.timestamp),
    };
    Line::new(dated, style)
}

/// Context for making the entries.
struct Builder<'b, 'a> {
    forests: &'b [NodeLookup],
    sounds: Sounds<'a>,
    neighbors: Vec<OtherContainer<'a>>,
    numbers: BTreeMap<String, Vec<usize>>,
    callers: BTreeMap<String, BTreeSet<(usize, String)>>,
    missing: Missing,
    style: Style,
}

impl Builder<'_, '_> {
    fn sound(&mut self, name: String, must_exist: bool) -> Line<Sound> {
        // One game stores the ending with the name.
        let stem = name.to_lowercase();
        let stem = stem.strip_suffix(".wav").unwrap_or(&stem);
        let found = self.sounds.get(stem);
        let missing = found.is_none() && must_exist;
        if missing && !self.sounds.is_empty() {
            self.missing.sounds.insert(name.clone());
        }
        let files = found.into_iter().flatten().flatten().take(MAX_PLACES);
        let sound = Sound {
            files: files.map(|&path| path.to_owned()).collect(),
            missing,
            name,
        };
        Line::new(sound, self.style)
    }

    fn node(&mut self, name: String, bound: Bound) -> Line<Target> {
        match bound {
            Bound::Missing if !self.forests.is_empty() => {
                self.missing.nodes.insert(name.clone());
            }
            Bound::Node {
                candidates: 2.., ..
            } => {
                self.missing.ambiguous.insert(name.clone());
            }
            _ => {}
        }
        Line::new(target(name, bound, self.forests), self.style)
    }

    fn call(&mut self, name: String, kind: Call, events: usize) -> Line<CallEntry> {
        let mut others = self.neighbors.iter();
        let missing = !self.numbers.contains_key(&name)
            && !others.any(|neighbor| neighbor.animations.contains(&name));
        if missing {
            self.missing.animations.insert(name.clone());
        }
        let entry = CallEntry {
            animation: name,
            kind,
            events,
            missing,
        };
        Line::new(entry, self.style)
    }

    fn called_by(&self, name: &str) -> Vec<Line<Caller>> {
        let own = self.callers.get(name).into_iter().flatten();
        let own = own.map(|(number, animation)| Caller {
            animation: animation.clone(),
            number: Some(*number),
            container: None,
        });
        let others = self.neighbors.iter().flat_map(|neighbor| {
            let callers = neighbor.calls.get(name).into_iter().flatten();
            callers.map(|animation| Caller {
                animation: animation.clone(),
                number: None,
                container: Some(neighbor.path.to_owned()),
            })
        });
        let all = own.chain(others);
        all.map(|caller| Line::new(caller, self.style)).collect()
    }

    /// The animations by name, with their callers.
    fn animations(&self) -> BTreeMap<String, Animation> {
        let names: BTreeSet<&String> = self.numbers.keys().chain(self.callers.keys()).collect();
        let animation = |name: &String| {
            let others = self.neighbors.iter();
            let others = others.filter(|neighbor| neighbor.animations.contains(name));
            Animation {
                numbers: self.numbers.get(name).cloned().unwrap_or_default(),
                containers: others.map(|neighbor| neighbor.path.to_owned()).collect(),
                called_by: self.called_by(name),
            }
        };
        let names = names.into_iter();
        names.map(|name| (name.clone(), animation(name))).collect()
    }

    fn light(&mut self, name: String) -> Line<Target> {
        let mut forests = self.forests.iter().enumerate();
        let found = forests.find_map(|(lookup, nodes)| {
            let slots = nodes.named(&name);
            let index = *slots.first()?;
            Some(Bound::Node {
                node: crate::zipper::anim::bind::NodeRef { lookup, index },
                local: false,
                candidates: slots.len(),
            })
        });
        // A definition may make its lights.
        let bound = found.unwrap_or(Bound::Own);
        Line::new(target(name, bound, self.forests), self.style)
    }

    fn entry(
        &mut self,
        identity: Identity,
        definition: &Definition,
        binding: &Binding,
        document: Option<&str>,
    ) -> Entry {
        let tables = &definition.tables;
        let mut seen = BTreeSet::new();
        let nodes = tables.nodes.iter().zip(&binding.nodes).skip(1);
        let nodes = nodes.map(|(node, &bound)| (node.name.text(), bound));
        let nodes: Vec<_> = nodes
            .filter(|(name, _)| seen.insert(name.clone()))
            .map(|(name, bound)| self.node(name, bound))
            .collect();
        let lights = tables.lights.iter().skip(1);
        let sounds = tables.static_sounds.iter().skip(1);
        let emitters = tables.dynamic_sounds.iter().skip(1);
        let calls = calls_of(definition).into_iter();
        let root = definition.head.anim_root_name.text();
        Entry {
            identity,
            document: document.map(str::to_owned),
            bound_node: (binding.bound != binding.attached)
                .then(|| self.node(definition.head.name.text(), binding.bound)),
            root_node: self.node(root, binding.attached),
            sequences: definition
                .sequences
                .iter()
                .map(|sequence| sequence.head.name.text())
                .collect(),
            calls: calls
                .map(|((name, kind), events)| self.call(name, kind, events))
                .collect(),
            nodes,
            lights: lights.map(|light| self.light(light.name.text())).collect(),
            puffers: tables
                .puffers
                .iter()
                .skip(1)
                .map(|puffer| puffer.name.text())
                .collect(),
            sounds: sounds
                .map(|sound| self.sound(sound.name.text(), true))
                .collect(),
            sound_emitters: emitters
                .map(|emitter| self.sound(emitter.name.text(), false))
                .collect(),
            effects: tables
                .effects
                .iter()
                .skip(1)
                .map(|effect| effect.name.text())
                .collect(),
        }
    }
}

/// The definitions that call an animation of each name: their numbers, from 1, and names.
fn callers(container: &AnimFile) -> BTreeMap<String, BTreeSet<(usize, String)>> {
    let mut callers: BTreeMap<String, BTreeSet<(usize, String)>> = BTreeMap::new();
    for (place, definition) in container.definitions.iter().enumerate() {
        for (name, _) in calls_of(definition).into_keys() {
            let known = callers.entry(name).or_default();
            known.insert((place.saturating_add(1), definition.anim_name()));
        }
    }
    callers
}

impl<'d> Index<'d> {
    /// Makes the index. `document` returns the path of the document of a definition.
    pub(in crate::zipper) fn new<'p>(
        container: &'d AnimFile,
        related: &Related<'_>,
        scripts: &FirstUses,
        options: &ConvertOptions,
        document: impl Fn(usize) -> Option<&'p str>,
    ) -> Self {
        let style = options.documents.style;
        let bindings = related.bindings(container, options);
        let mut builder = Builder {
            forests: related.forests(container, options),
            sounds: related.sounds(),
            neighbors: related.neighbors(),
            numbers: by_name(container),
            callers: callers(container),
            missing: Missing::default(),
            style,
        };
        builder.missing.no_world = builder.forests.is_empty();
        builder.missing.no_sounds = builder.sounds.is_empty();
        let definitions = container.definitions.iter().zip(bindings).enumerate();
        let entries = definitions.map(|(place, (definition, binding))| {
            let identity = Identity::new(container, place, definition, style);
            builder.entry(identity, definition, binding, document(place))
        });
        let entries = entries.collect();
        let animations = builder.animations();
        let neighbors = builder.neighbors.iter();
        let elsewhere: BTreeSet<&String> = neighbors
            .flat_map(|neighbor| &neighbor.animations)
            .collect();
        let mut missing = builder.missing;
        missing.compare(&related.sources(), &builder.numbers, &elsewhere);
        let unused = container.scripts.iter().enumerate();
        let unused = unused.filter(|(index, _)| !scripts.contains_key(index));
        let script = |(pool_index, script): (usize, &'d SiScript)| Script {
            pool_index,
            source: script.script_name.text(),
            made_for: script.object_name.text(),
            table: Table::new(
                &script.frames,
                script.header.spline_interpolation.is_set(),
                style,
            ),
        };
        Self {
            game: container.version.short_name(),
            version: container.version.animation_version(),
            made: unix_time(container.timestamp).filter(|_| container.timestamp != 0),
            gravity: container.info.gravity,
            base_files: container
                .base_files
                .iter()
                .map(|file| {
                    let dated = Dated {
                        path: file.path.text(),
                        time: unix_time(file.timestamp),
                    };
                    Line::new(dated, style)
                })
                .collect(),
            sources: container
                .sources
                .iter()
                .map(|source| dated(source, style))
                .collect(),
            bound: BoundCounts::new(
                container.version,
                &container.definitions,
                related.forests(container, options),
            ),
            definitions: entries,
            animations,
            missing,
            unused_scripts: unused.map(script).collect(),
        }
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Index<'static>>(
    "animations",
    "The animation definitions of a container, who calls them, and what they use",
)];
