//! The scenes of a zone.

use crate::config::{Config, Hidden};
use crate::convert::everquest::archive_set::{ArchiveSet, SceneFile};
use crate::convert::everquest::scene_builder::{Layers, Source};
use crate::convert::{ConvertError, OutputRole, Sink};
use crate::formats::codec::Deviations;
use crate::formats::everquest::wld::{Body, FragmentRef};
use crate::scene::model::{Node, NodeId};
use crate::scene::{Asset, Document};

use super::cells::Cells;
use super::tables::Tables;
use super::{lights, placements, terrain};

/// A zone: the scene file with its regions, and those beside it with what stands and shines there.
#[derive(Debug, Clone, Copy)]
pub(in crate::convert::everquest) struct Zone<'s, 'a> {
    /// The scene file with the regions.
    pub file: &'s SceneFile,
    /// Whether what the other scene files of the archive place stands in this zone.
    pub takes_placements: bool,
    /// The archives.
    pub archive_set: &'s ArchiveSet<'a>,
}

/// Ending of the names of archives that light a zone anew.
pub(super) const LIT: &str = "_lit";

/// Adds an empty node below another one.
pub(super) fn group(layers: &mut Layers<'_, '_>, name: &str, above: NodeId) -> NodeId {
    let scene = &mut layers.main.scene;
    let node = scene.add_node(Node {
        name: name.to_owned(),
        ..Node::default()
    });
    scene.add_child(above, node);
    node
}

impl<'s, 'a> Zone<'s, 'a> {
    /// Meshes of the regions, by index of their fragments, each once, with the first region that has it
    /// (counted from 0).
    pub(super) fn region_meshes(&self) -> Vec<(usize, usize)> {
        let mut seen = std::collections::HashSet::new();
        let regions = self.file.wld.fragments.iter();
        let regions = regions.filter_map(|fragment| match &fragment.body {
            Body::Region(region) => Some(region),
            _ => None,
        });
        let meshes = regions.enumerate().filter_map(|(number, region)| {
            let mesh = region.mesh.and_then(FragmentRef::index)?;
            Some((number, mesh))
        });
        meshes.filter(|(_, mesh)| seen.insert(*mesh)).collect()
    }

    /// Whether the hidden scene is written. Placed models may have hidden surfaces too, which is not known
    /// before the other archives are read.
    pub(in crate::convert::everquest) fn has_hidden(config: &Config) -> bool {
        config.scenes.hidden == Hidden::Separate
    }

    /// The scene files whose placements and lights belong to the zone.
    pub(super) fn sources(&self) -> Vec<Source<'s>> {
        let own = Source {
            file: self.file,
            opened: 0,
        };
        let opened = self.archive_set.archives().first();
        let others = opened.into_iter().flat_map(|opened| opened.scenes());
        let others = others.filter(|file| {
            self.takes_placements && file.member != self.file.member && !file.is_zone()
        });
        let others = others.map(|file| Source { file, opened: 0 });
        let later = self.later().filter(|_| self.takes_placements);
        std::iter::once(own).chain(others).chain(later).collect()
    }

    /// The scene files of the archives that light the zone anew.
    pub(super) fn later(&self) -> impl Iterator<Item = Source<'s>> + use<'s, 'a> {
        let archives = self.archive_set.siblings().iter().enumerate().skip(1);
        let lit = archives.filter(|(_, opened)| opened.stem().ends_with(LIT));
        lit.flat_map(|(opened, archive)| {
            let files = archive.scenes().iter().filter(|file| !file.is_zone());
            files.map(move |file| Source { file, opened })
        })
    }

    /// What a scene file is called: its name, with the archive's before it where that is another one.
    pub(super) fn label(&self, source: Source<'_>) -> String {
        let name = &source.file.name;
        match self.archive_set.archives().get(source.opened) {
            Some(opened) if source.opened > 0 => format!("{}/{name}", opened.name()),
            _ => name.clone(),
        }
    }

    /// Converts the zone.
    pub(in crate::convert::everquest) fn convert(
        &self,
        name: &str,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let view = self.archive_set.view(config);
        let mut layers = Layers::new(name, view);
        let sources = self.sources();
        layers.is_ground = true;
        layers.ambient = lights::ambient_of(&sources);
        let root = layers.root(Node {
            name: name.to_owned(),
            ..Node::default()
        });
        let bounds = terrain::add(self, root, &mut layers);
        let placed = placements::add(self, &sources, root, &mut layers);
        let lights = lights::add(&sources, root, &mut layers);
        let mut tables = Tables::new(&self.file.wld, config);
        let mut cells = Cells::new(&self.file.wld, bounds);
        tables.find_volumes(&mut cells, &mut layers);
        tables.placed = placed;
        layers.main.note("ambient", lights.global.clone());
        tables.lights = Some(lights);
        layers.take(sink)?;
        let checks = std::mem::take(&mut layers.main.checks);
        if sink.wants(OutputRole::Regions) {
            tables.checks = checks.clone();
            tables.scale_lengths(config.everquest.scale.factor());
            sink.take(OutputRole::Regions, Asset::Document(Document::new(&tables)))?;
        }
        checks
            .missing()
            .into_iter()
            .for_each(|text| sink.miss(text));
        checks.notes().into_iter().for_each(|note| sink.note(note));
        let mut deviations = self.file.deviations.clone();
        for source in sources.iter().skip(1) {
            let name = self.label(*source);
            deviations.absorb(&name, 0, source.file.deviations.clone());
        }
        checks.deviations(&mut deviations);
        tables.deviations(&mut deviations);
        Ok(deviations)
    }
}
