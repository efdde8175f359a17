//! Names in a container without a known object.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// Names without a known object, and other faults of names.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Missing {
    /// True if no world, aircraft or 'mech is available, so that no node was looked up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_world: bool,
    /// True if no archive of sounds is available, so that no sound was looked up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_sounds: bool,
    /// Animations that no known container defines.
    pub animations: BTreeSet<String>,
    /// Nodes that no known world, aircraft or 'mech has.
    pub nodes: BTreeSet<String>,
    /// Sounds that no known archive has.
    pub sounds: BTreeSet<String>,
    /// Names of several nodes, one of which was taken.
    pub ambiguous: BTreeSet<String>,
    /// Animations that readers define but no known container does.
    pub only_in_readers: BTreeSet<String>,
    /// Animations of this container that no reader defines, if readers define any.
    pub not_in_readers: BTreeSet<String>,
}

/// Names listed in a note.
const LISTED: usize = 6;

fn listed(names: &BTreeSet<String>) -> String {
    let first: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}

impl Missing {
    /// Compares the animations of this container with those that readers define.
    pub(in crate::zipper) fn compare(
        &mut self,
        sources: &BTreeSet<String>,
        own: &BTreeMap<String, Vec<usize>>,
        elsewhere: &BTreeSet<&String>,
    ) {
        if sources.is_empty() {
            return;
        }
        let compiled = |name: &&String| own.contains_key(*name) || elsewhere.contains(name);
        let missing = sources.iter().filter(|name| !compiled(name));
        self.only_in_readers = missing.cloned().collect();
        let without = own.keys().filter(|name| !sources.contains(*name));
        self.not_in_readers = without.cloned().collect();
    }

    /// Lines for the report.
    pub(in crate::zipper) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.no_world {
            let text = "no world found for the animations: names of nodes were not resolved";
            notes.push(text.to_owned());
        }
        if self.no_sounds {
            let text = "no sounds found for the animations: names of sounds were not resolved";
            notes.push(text.to_owned());
        }
        for (names, what) in [
            (
                &self.animations,
                "called animations that no available container has",
            ),
            (&self.nodes, "names without a node in the available files"),
            (&self.sounds, "sounds that no available archive has"),
            (
                &self.ambiguous,
                "names of several nodes; the first below the root was used, else the one of the \
                 highest slot",
            ),
            (
                &self.only_in_readers,
                "animations that only readers define, not converted",
            ),
            (
                &self.not_in_readers,
                "compiled animations that no reader defines",
            ),
        ] {
            if !names.is_empty() {
                notes.push(format!("{what}: {} ({})", names.len(), listed(names)));
            }
        }
        notes
    }
}
