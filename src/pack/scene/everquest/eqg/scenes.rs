//! Edited scenes in EQG format with the stored items behind their nodes.

use super::members::Members;
use super::probe::{Code, code_at};
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::{Document, SceneFile};

/// An edited scene with its numbers.
#[derive(Debug)]
pub(super) struct Coded<'c, 'j> {
    pub scene: &'c Scene<'j>,
    /// With numbers in place of positions.
    pub numbered: SceneFile,
    /// The same, as a file.
    pub document: Document,
    /// True if it shows a zone.
    pub is_zone: bool,
    /// The member that it shows, if known.
    pub member: Option<usize>,
    /// Meshes to rebuild.
    pub recut: Vec<Recut>,
    codes: Vec<Option<Code>>,
}

impl<'c, 'j> Coded<'c, 'j> {
    /// Combines an edited scene with the scene of the numbered archive.
    ///
    /// # Errors
    /// The two have different nodes.
    pub(super) fn new(
        scene: &'c Scene<'j>,
        numbered: SceneFile,
        document: Document,
        members: &Members<'_>,
    ) -> Result<Self, Refusal> {
        if numbered.nodes.len() != scene.base.nodes.len() {
            refuse!("its nodes cannot be traced to placements of the archive");
        }
        let pairs = scene.base.nodes.iter().zip(&numbered.nodes);
        let codes = pairs.map(|(base, numbered)| {
            let is_other = base.local.translation != numbered.local.translation;
            code_at(numbered.local.translation).filter(|_| is_other)
        });
        let codes = codes.collect();
        let name = scene.output.member.as_deref().unwrap_or_default();
        Ok(Self {
            scene,
            numbered,
            document,
            is_zone: name.to_lowercase().ends_with(".zon"),
            member: members.find(name),
            recut: scene.recut.clone(),
            codes,
        })
    }

    /// The stored item behind an original node.
    pub(super) fn code(&self, node: usize) -> Option<Code> {
        self.codes.get(node).copied().flatten()
    }

    /// Returns true if an original node gets a model of its own.
    pub(super) fn has_own_model(&self, node: usize) -> bool {
        let mut own = self.scene.own_models.iter();
        own.any(|own| own.nodes.contains(&node))
    }

    /// The placement behind an original node.
    pub(super) fn placement(&self, node: usize) -> Option<Place> {
        match self.code(node)? {
            Code::Placement(place) => Some(place),
            _ => None,
        }
    }
}
