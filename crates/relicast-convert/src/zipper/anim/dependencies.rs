//! The files related to a container: its world, aircraft, 'mechs, sounds, readers and other containers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use crate::options::ConvertOptions;
use crate::zipper::mech::MechLibrary;
use crate::zipper::scene::hierarchy::Nodes;
use crate::zipper::scene::node_places::NodePlaces;
use crate::zipper::world::WorldFile;
use crate::{Dependency, ItemIndex};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::anim::{self, AnimFile};
use relicast_formats::zipper::archive;
use relicast_formats::zipper::gamez::Node;
use relicast_formats::zipper::mechlib::{self, MechModel};

use super::bind::{self, Binding};
use super::node_lookup::{NodeLookup, without_ending};
use super::readers;
use super::uses::{self, Use};

/// The files related to a container, opened on first use.
#[derive(Debug)]
pub(in crate::zipper) struct Related<'a> {
    dependencies: Vec<Dependency<'a>>,
    worlds: OnceLock<Vec<World<'a>>>,
    mechs: OnceLock<Vec<Mech<'a>>>,
    forests: OnceLock<Vec<NodeLookup>>,
    bindings: OnceLock<Vec<Binding>>,
}

/// A world or a library of aircraft related to a container.
#[derive(Debug)]
pub(in crate::zipper) struct World<'a> {
    /// Location of the file, and of its outputs.
    pub dependency: Dependency<'a>,
    /// The file, with the pictures of the container's world.
    pub file: WorldFile<'a>,
}

/// A 'mech that animations are bound to.
#[derive(Debug)]
pub(in crate::zipper) struct Mech<'a> {
    /// Path of its file below the input.
    path: String,
    dependency: Dependency<'a>,
    /// Materials and pictures.
    pub library: Arc<MechLibrary<'a>>,
    /// Its nodes.
    pub model: MechModel,
    places: NodePlaces,
}

/// Outputs of sounds, by name without extension in lower case: one for each archive, the best first. `None`
/// where the sound exists but was not converted.
pub(in crate::zipper) type Sounds<'a> = BTreeMap<String, Vec<Option<&'a str>>>;

/// Another container.
#[derive(Debug)]
pub(in crate::zipper) struct OtherContainer<'a> {
    /// Its path below the input.
    pub path: &'a str,
    /// Names of the animations that it defines.
    pub animations: BTreeSet<String>,
    /// Names of the animations that its events refer to, each with the names of the callers.
    pub calls: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Related<'a> {
    pub(in crate::zipper) fn new(dependencies: &[Dependency<'a>]) -> Self {
        Self {
            dependencies: dependencies.to_vec(),
            worlds: OnceLock::new(),
            mechs: OnceLock::new(),
            forests: OnceLock::new(),
            bindings: OnceLock::new(),
        }
    }

    /// Worlds in the order of name look-up: the world of the container, then the aircraft. Unreadable worlds are
    /// left out here; their own files report them.
    pub(in crate::zipper) fn worlds(&self) -> &[World<'a>] {
        self.worlds.get_or_init(|| {
            let worlds = self
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind == Kind::GameZ);
            let packs = self.packs();
            let open = |dependency: &Dependency<'a>| {
                let name = dependency
                    .path
                    .rsplit('/')
                    .next()
                    .unwrap_or(dependency.path);
                let file = WorldFile::open(name, dependency.bytes, &packs).ok()?;
                Some(World {
                    dependency: *dependency,
                    file,
                })
            };
            worlds.filter_map(open).collect()
        })
    }

    /// The nodes that names can be bound to: nodes of [`Related::worlds`] in their order, then nodes of
    /// 'mechs that are roots of definitions. All calls must pass the same container and configuration.
    pub(in crate::zipper) fn forests(
        &self,
        container: &AnimFile,
        options: &ConvertOptions,
    ) -> &[NodeLookup] {
        self.forests.get_or_init(|| {
            let worlds = self.worlds().iter();
            let lookup = |world: &World<'_>| {
                let dependency = &world.dependency;
                let places = world.file.node_places(options);
                NodeLookup::new(
                    dependency.path,
                    world.file.gamez(),
                    places,
                    dependency.outputs,
                )
            };
            let mut forests: Vec<NodeLookup> = worlds.map(lookup).collect();
            let mechs = self.mechs(container, options).iter();
            forests.extend(mechs.map(|mech| {
                let outputs = mech.dependency.outputs;
                // Definitions omit the common prefix of all files of a library.
                let root = mech.model.node(0).map(Node::name).unwrap_or_default();
                let plain = root.strip_prefix("mech_").unwrap_or(&root);
                let mut lookup =
                    NodeLookup::new(&mech.path, &mech.model, mech.places.clone(), outputs);
                if lookup.named(plain).is_empty() {
                    lookup.also_called(plain, 0);
                }
                lookup
            }));
            forests
        })
    }

    /// The 'mechs that are roots of definitions, where no world has a node of that name. All calls must pass
    /// the same container and configuration.
    pub(in crate::zipper) fn mechs(
        &self,
        container: &AnimFile,
        options: &ConvertOptions,
    ) -> &[Mech<'a>] {
        self.mechs
            .get_or_init(|| self.open_mechs(container, options))
    }

    fn open_mechs(&self, container: &AnimFile, options: &ConvertOptions) -> Vec<Mech<'a>> {
        let worlds = self.worlds();
        let nodes = worlds
            .iter()
            .flat_map(|world| &world.file.gamez().nodes.used);
        let in_worlds: HashSet<String> = nodes
            .map(|node| without_ending(&node.name()).to_owned())
            .collect();
        let roots = container.definitions.iter();
        let roots: BTreeSet<String> = roots
            .flat_map(|definition| [&definition.head.anim_root_name, &definition.head.name])
            .map(|name| name.text())
            .collect();
        let wanted: BTreeSet<String> = roots
            .iter()
            .filter(|root| !in_worlds.contains(without_ending(root)))
            .map(|root| without_ending(root).to_lowercase())
            .collect();
        let mut mechs = Vec::new();
        if wanted.is_empty() {
            return mechs;
        }
        let packs = self.packs();
        for dependency in self
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Archive)
        {
            let Ok(decoded) = archive::decode(dependency.bytes) else {
                continue;
            };
            let archive = decoded.value;
            if !mechlib::is_mechlib(&archive) {
                continue;
            }
            let library = Arc::new(MechLibrary::open(&archive, &packs));
            for (index, entry) in archive.entries.iter().enumerate() {
                let name = entry.name().to_lowercase();
                let plain = without_ending(&name);
                let plain = plain.strip_prefix("mech_").unwrap_or(plain);
                if entry.fault.is_some() || !wanted.contains(plain) {
                    continue;
                }
                let item = ItemIndex::of_member(index);
                if let Some((model, places)) = library.places(item, &entry.data, options) {
                    mechs.push(Mech {
                        path: format!("{}/{}", dependency.path, entry.name()),
                        dependency: *dependency,
                        library: Arc::clone(&library),
                        model,
                        places,
                    });
                }
            }
        }
        mechs
    }

    /// The texture packages.
    fn packs(&self) -> Vec<Dependency<'a>> {
        let packs = self.dependencies.iter();
        let packs = packs.filter(|pack| pack.kind == Kind::Textures);
        packs.copied().collect()
    }

    /// Bindings of the names of each definition.
    pub(in crate::zipper) fn bindings(
        &self,
        container: &AnimFile,
        options: &ConvertOptions,
    ) -> &[Binding] {
        self.bindings
            .get_or_init(|| bind::bind(container, self.forests(container, options)))
    }

    /// The known sounds.
    pub(in crate::zipper) fn sounds(&self) -> Sounds<'a> {
        let mut sounds = Sounds::new();
        for dependency in self
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Archive)
        {
            let Ok(decoded) = archive::decode(dependency.bytes) else {
                continue;
            };
            // The archive itself is its first item.
            let outputs = dependency.outputs.iter().skip(1);
            for (entry, output) in decoded.value.entries.iter().zip(outputs) {
                let name = entry.name().to_lowercase();
                if let Some(stem) = name.strip_suffix(".wav") {
                    let found = sounds.entry(stem.to_owned()).or_default();
                    found.push(output.as_deref());
                }
            }
        }
        sounds
    }

    /// The other containers. Unreadable ones are left out.
    pub(in crate::zipper) fn neighbors(&self) -> Vec<OtherContainer<'a>> {
        let containers = self
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Anim);
        let open = |dependency: &Dependency<'a>| {
            let container = anim::decode(dependency.bytes).ok()?.value;
            let mut neighbor = OtherContainer {
                path: dependency.path,
                animations: BTreeSet::new(),
                calls: BTreeMap::new(),
            };
            for definition in &container.definitions {
                let name = definition.anim_name();
                let events = definition
                    .blocks_of_events()
                    .flat_map(|event| &event.events);
                for used in events.flat_map(|event| uses::of(&event.body)) {
                    if let Use::Animation(_, called) = used {
                        let callers = neighbor.calls.entry(called).or_default();
                        callers.insert(name.clone());
                    }
                }
                neighbor.animations.insert(name);
            }
            Some(neighbor)
        };
        containers.filter_map(open).collect()
    }

    /// Names of the animations that readers define.
    pub(in crate::zipper) fn sources(&self) -> BTreeSet<String> {
        readers::definitions(&self.dependencies)
    }
}
