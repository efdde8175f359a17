//! Changes made to a world at the start of a mission, and changes skipped, with reasons.

use std::collections::{BTreeMap, BTreeSet};

use relicast_codec::quantity::counted;
use relicast_scene::extras::zipper;
use serde::Serialize;

/// Maximum number of names for one reason.
const MAX_NAMES: usize = 200;

/// Changes made, and changes skipped.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct StartReport {
    /// Scripts that ran, by path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<String>,
    /// Rules that selected the scripts of the mission.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub rules: BTreeSet<&'static str>,
    /// Commands of scripts that were applied, with counts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub commands: BTreeMap<&'static str, usize>,
    /// Reset sequences that ran.
    pub resets: usize,
    /// Animations that started, by name.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub started: BTreeSet<String>,
    /// Nodes that differ from the stored ones.
    pub changed: Changed,
    /// Values left as stored: a reason, and the names with their counts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left: BTreeMap<String, Left>,
}

/// Number of nodes that differ from the stored ones, by property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Changed {
    /// Hidden at the start.
    pub hidden: usize,
    /// Shown at the start.
    pub shown: usize,
    /// Moved, rotated or scaled.
    pub moved: usize,
    /// With another opacity.
    pub faded: usize,
    /// With another parent.
    pub rehung: usize,
    /// Removed from the world.
    #[serde(skip_serializing_if = "is_none")]
    pub deleted: usize,
}

/// True for 0.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Values that one reason left as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Left {
    /// Number of times.
    pub count: usize,
    /// Names, in their order, not more than a few hundred.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub names: BTreeSet<String>,
}

impl StartReport {
    /// Counts a value that was left as stored.
    pub(super) fn leave(&mut self, why: impl Into<String>, name: impl Into<String>) {
        let left = self.left.entry(why.into()).or_default();
        left.count += 1;
        let name = name.into();
        if !name.is_empty() && left.names.len() < MAX_NAMES {
            left.names.insert(name);
        }
    }

    /// The extras of the scene.
    pub(in crate::zipper) fn facts(&self) -> zipper::Start {
        let report = serde_json::to_value(self).unwrap_or_default();
        relicast_scene::extras::read(&report)
    }

    /// Lines for the report of the file.
    pub(in crate::zipper) fn notes(&self, missions: &str) -> Vec<String> {
        let Changed {
            hidden,
            shown,
            moved,
            faded,
            rehung,
            deleted,
        } = &self.changed;
        let commands: usize = self.commands.values().sum();
        let mut notes = vec![format!(
            "start of {missions}: applied {} of {}, {} and {}; {} hidden, {shown} shown, {moved} moved, {faded} faded, \
             {rehung} with a new parent",
            counted(commands, "command", "commands"),
            counted(self.scripts.len(), "script", "scripts"),
            counted(self.resets, "reset sequence", "reset sequences"),
            counted(self.started.len(), "animation", "animations"),
            counted(*hidden, "node", "nodes"),
        )];
        if *deleted > 0 {
            notes.push(format!(
                "start of {missions}: scripts deleted {}",
                counted(*deleted, "node", "nodes")
            ));
        }
        for (why, left) in &self.left {
            let names: Vec<&str> = left.names.iter().take(8).map(String::as_str).collect();
            let more = if left.names.len() > names.len() {
                ", …"
            } else {
                ""
            };
            let names = match names.is_empty() {
                true => String::new(),
                false => format!(": {}{more}", names.join(", ")),
            };
            notes.push(format!(
                "start of {missions}: not applied: {why} (count: {}){names}",
                left.count
            ));
        }
        notes
    }
}
