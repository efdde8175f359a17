//! The index of a container: its definitions, what calls what, and what they name.

use serde::Serialize;

use crate::config::Config;
use crate::formats::zipper::anim::AnimFile;

use super::bind::Bound;
use super::forest::{Forest, Place};
use super::related::Related;

/// The index of a container.
#[derive(Debug, Serialize)]
pub(super) struct Index {
    definitions: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    animation: String,
    root: Target,
    sounds: Vec<Sound>,
}

/// A name and the node of the conversion that it stands for.
#[derive(Debug, Serialize)]
struct Target {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Place>,
}

#[derive(Debug, Serialize)]
struct Sound {
    name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

fn target(name: String, bound: Bound, forests: &[Forest]) -> Target {
    let Some(node) = bound.node() else {
        return Target {
            name,
            source: None,
            index: None,
            places: Vec::new(),
        };
    };
    let forest = &forests[node.forest];
    Target {
        name,
        source: Some(forest.path.clone()),
        index: Some(node.index),
        places: forest.places(node.index).to_vec(),
    }
}

impl Index {
    pub(super) fn new(container: &AnimFile, related: &Related<'_>, config: &Config) -> Self {
        let forests = related.forests(config);
        let bindings = related.bindings(container, config);
        let known = related.sounds();
        let definitions = container.definitions.iter().zip(bindings);
        let entry = |(definition, binding): (
            &crate::formats::zipper::anim::Definition,
            &super::bind::Binding,
        )| {
            let head = &definition.head;
            let sounds = definition.tables.static_sounds.iter().skip(1);
            let sounds = sounds.map(|sound| {
                let name = sound.name.text();
                let found = known.get(&name.to_lowercase()).into_iter().flatten();
                Sound {
                    files: found.flatten().map(|&path| path.to_owned()).collect(),
                    name,
                }
            });
            Entry {
                name: head.name.text(),
                animation: head.anim_name.text(),
                root: target(head.anim_root_name.text(), binding.root, forests),
                sounds: sounds.collect(),
            }
        };
        Self {
            definitions: definitions.map(entry).collect(),
        }
    }
}
