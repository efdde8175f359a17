//! The files beside a container: its world, aircraft, 'mechs, sounds, readers and other containers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::config::Config;
use crate::convert::Companion;
use crate::convert::zipper::world::WorldFile;
use crate::formats::kind::Kind;
use crate::formats::zipper::anim::AnimFile;
use crate::formats::zipper::archive;

use super::bind::{self, Binding};
use super::forest::Forest;

/// The files beside a container, opened when they are first asked for.
#[derive(Debug)]
pub(super) struct Related<'a> {
    companions: Vec<Companion<'a>>,
    worlds: OnceLock<Vec<World<'a>>>,
    forests: OnceLock<Vec<Forest>>,
    bindings: OnceLock<Vec<Binding>>,
}

/// A world or a library of aircraft beside a container.
#[derive(Debug)]
pub(super) struct World<'a> {
    /// Where it is and where its outputs go.
    pub companion: Companion<'a>,
    /// The file, without pictures.
    pub file: WorldFile<'a>,
}

/// Where sounds went, by name without extension in lower case: one output for each archive, the best
/// first. `None` where the sound is there but was not converted.
pub(super) type Sounds<'a> = BTreeMap<String, Vec<Option<&'a str>>>;

impl<'a> Related<'a> {
    pub(super) fn new(companions: &[Companion<'a>]) -> Self {
        Self {
            companions: companions.to_vec(),
            worlds: OnceLock::new(),
            forests: OnceLock::new(),
            bindings: OnceLock::new(),
        }
    }

    /// Worlds in the order in which names are looked up: that of the container, then the aircraft.
    /// One that cannot be read is left out; it is reported as a file of its own.
    pub(super) fn worlds(&self) -> &[World<'a>] {
        self.worlds.get_or_init(|| {
            let worlds = self.companions.iter().filter(|it| it.kind == Kind::GameZ);
            let open = |companion: &Companion<'a>| {
                let name = companion.path.rsplit('/').next().unwrap_or(companion.path);
                let file = WorldFile::open(name, companion.bytes, &[]).ok()?;
                Some(World {
                    companion: *companion,
                    file,
                })
            };
            worlds.filter_map(open).collect()
        })
    }

    /// The nodes that names can be bound to, in the order of [`Related::worlds`]. All calls must come
    /// with the same configuration.
    pub(super) fn forests(&self, config: &Config) -> &[Forest] {
        self.forests.get_or_init(|| {
            let worlds = self.worlds().iter();
            let forest = |world: &World<'_>| {
                let companion = &world.companion;
                let places = world.file.node_places(config);
                Forest::new(
                    companion.path,
                    world.file.gamez(),
                    places,
                    companion.outputs,
                )
            };
            worlds.map(forest).collect()
        })
    }

    /// What the names of each definition are bound to.
    pub(super) fn bindings(&self, container: &AnimFile, config: &Config) -> &[Binding] {
        self.bindings
            .get_or_init(|| bind::bind(container, self.forests(config)))
    }

    /// The sounds at hand.
    pub(super) fn sounds(&self) -> Sounds<'a> {
        let mut sounds = Sounds::new();
        for companion in self.companions.iter().filter(|it| it.kind == Kind::Archive) {
            let Ok(decoded) = archive::decode(companion.bytes) else {
                continue;
            };
            // The archive itself is its first part.
            let outputs = companion.outputs.iter().skip(1);
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
}
