//! Edited clips: the original and the edited curves of each.

use serde_json::Value;

use super::curves::{self, Curve, Curves, PARTS, Part};
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::file::{Document, Local, SceneFile};

/// The clips of a file.
pub(super) fn animations(document: &Document) -> &[Value] {
    items(&document.json, "animations")
}

/// True if a scene has clips that may have been edited.
pub(super) fn has_edits(scene: &Scene<'_>) -> bool {
    let clips = edited_clips(scene).unwrap_or_else(|_| vec![(0, 0)]);
    !clips.is_empty() || !scene.rests.is_empty()
}

/// Clips that may have changed, each with the edited clip.
pub(super) fn edited_clips(scene: &Scene<'_>) -> Result<Vec<(usize, usize)>, Refusal> {
    let (old, new) = (
        animations(&scene.base_document),
        animations(&scene.edited_document),
    );
    if old.len() != new.len() {
        refuse!("clips cannot be added or removed");
    }
    let key = |number: usize| {
        let name = old.get(number).and_then(|clip| clip["name"].as_str());
        format!("animations[{number}] ({})", name.unwrap_or("without name"))
    };
    Ok((0..old.len())
        .filter(|&number| {
            let key = key(number);
            // A bone that moves at rest moves in all clips.
            !scene.rests.is_empty() || !scene.base.rest.agrees(&scene.edited.rest, &key)
        })
        .map(|number| (number, number))
        .collect())
}

/// The tracks of an edited clip, in words of the game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    /// Numbers of the original clip and of the edited one.
    pub clip: (usize, usize),
    /// Name of the clip.
    pub name: &'s str,
    /// Code of its set.
    pub code: &'s str,
    /// Code of the creature whose tracks these are; `None`: they have no such code.
    pub model: Option<&'s str>,
    /// Name of the scene file.
    pub file: &'s str,
}

/// The sources of the edited clips that have a code.
pub(super) fn edited_sources<'s>(scene: &'s Scene<'_>) -> Vec<Source<'s>> {
    let edited = edited_clips(scene).unwrap_or_default().into_iter();
    let sources = edited.filter_map(|(number, edited)| {
        let clip = animations(&scene.base_document).get(number)?;
        let facts = &clip["extras"]["everquest"];
        Some(Source {
            clip: (number, edited),
            name: clip["name"].as_str()?,
            code: facts["code"].as_str()?,
            model: facts["model"].as_str(),
            file: facts["source"].as_str()?,
        })
    });
    sources.collect()
}

/// Curves of a clip by the nodes of the original scene; a part without a curve has the value of its node.
pub(super) struct Moves<'m> {
    pub curves: Curves,
    pub nodes: Box<dyn Fn(usize) -> Option<usize> + 'm>,
    pub file: &'m SceneFile,
}

impl Moves<'_> {
    /// True if anything of a node moves.
    pub(super) fn has(&self, node: usize) -> bool {
        let own = (self.nodes)(node);
        let has = |own| {
            PARTS
                .iter()
                .any(|&part| self.curves.contains_key(&(own, part)))
        };
        own.is_some_and(has)
    }

    /// Time of the last key.
    pub(super) fn end(&self) -> f64 {
        let ends = self.curves.values().filter_map(|curve| curve.times.last());
        ends.copied().fold(0.0, f64::max)
    }

    /// The curve of a part of a node.
    pub(super) fn curve(&self, node: usize, part: Part) -> Option<Curve> {
        let own = (self.nodes)(node)?;
        if let Some(curve) = self.curves.get(&(own, part)) {
            return Some(curve.clone());
        }
        let local = self.file.nodes.get(own)?.local;
        Some(Curve::still(part_of(local, part), part))
    }
}

/// A part of a transform.
pub(super) fn part_of(local: Local, part: Part) -> [f64; 4] {
    let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0].map(f64::from);
    match part {
        Part::Translation => three(local.translation),
        Part::Rotation => local.rotation.map(f64::from),
        Part::Scale => three(local.scale),
    }
}

/// An original clip and its edit.
pub(super) struct Clips<'s> {
    pub old: Moves<'s>,
    pub new: Moves<'s>,
}

impl Clips<'_> {
    /// The nodes that either of them moves.
    pub(super) fn nodes(&self, scene: &Scene<'_>) -> Vec<usize> {
        let nodes = 0..scene.base.nodes.len();
        let moves = |node: &usize| self.old.has(*node) || self.new.has(*node);
        nodes.filter(moves).collect()
    }

    /// True if a node moves in another way.
    pub(super) fn differ_at(&self, node: usize) -> bool {
        PARTS.iter().any(|&part| {
            let curves = (self.old.curve(node, part), self.new.curve(node, part));
            let (Some(before), Some(after)) = curves else {
                return false;
            };
            !before.is_like(&after, part)
        })
    }

    /// True if they do not end together.
    pub(super) fn has_other_end(&self) -> bool {
        (self.old.end() - self.new.end()).abs() > 1e-3
    }
}

/// The curves of an original clip and its edit.
pub(super) fn clips<'s>(
    scene: &'s Scene<'_>,
    clip: usize,
    edited: usize,
) -> Result<Clips<'s>, Refusal> {
    let lost = || refusal!("it was removed");
    let old = animations(&scene.base_document)
        .get(clip)
        .ok_or_else(lost)?;
    let new = animations(&scene.edited_document)
        .get(edited)
        .ok_or_else(lost)?;
    if old["name"] != new["name"] || old["extras"] != new["extras"] {
        refuse!("changes of its name and extras cannot be packed");
    }
    Ok(Clips {
        old: Moves {
            curves: curves::of(&scene.base_document, old)?,
            nodes: Box::new(Some),
            file: &scene.base,
        },
        new: Moves {
            curves: curves::of(&scene.edited_document, new)?,
            nodes: Box::new(|node| scene.matches.get(node).copied().flatten()),
            file: &scene.edited,
        },
    })
}

/// The nodes that a clip moves.
pub(super) fn targets(clip: &Value) -> impl Iterator<Item = usize> {
    let channels = items(clip, "channels").iter();
    channels.filter_map(|channel| index(&channel["target"]["node"]))
}
