//! Sources of a zone: the scene files of its archives.

use crate::everquest::archive::{ArchiveSet, SceneFile};
use crate::everquest::scene_builder::Source;
use crate::options::{ConvertOptions, Hidden};
use relicast_formats::everquest::wld::{Body, FragmentRef};

/// A zone: the scene file with its regions, and other scene files with its objects and lights.
#[derive(Debug, Clone, Copy)]
pub(in crate::everquest) struct Zone<'s, 'a> {
    /// The scene file with the regions.
    pub file: &'s SceneFile,
    /// True if placements of the archive's other scene files belong to this zone.
    pub takes_placements: bool,
    /// Emitters of the environment, from next to the archive.
    pub emitters: Option<&'a [u8]>,
    /// Cards of grass, from next to the archive.
    pub grass: Option<&'a [u8]>,
    /// The archives.
    pub archive_set: &'s ArchiveSet<'a>,
}

/// Suffix of the names of archives that light a zone again.
pub(super) const LIT: &str = "_lit";

impl<'s, 'a> Zone<'s, 'a> {
    /// Meshes of the regions, by index of their fragments, each once, with the first region that has it
    /// (counted from 0).
    pub(super) fn region_meshes(&self) -> Vec<(usize, usize)> {
        let mut seen = std::collections::HashSet::new();
        let regions = self.file.wld().fragments.iter();
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

    /// True if the hidden scene is written. Placed models may have hidden surfaces too, which is not known
    /// before the other archives are read.
    pub(in crate::everquest) fn has_hidden(options: &ConvertOptions) -> bool {
        options.scenes.hidden == Hidden::Separate
    }

    /// The scene files whose placements and lights belong to the zone.
    pub(super) fn sources(&self) -> Vec<Source<'s>> {
        let own = Source {
            file: self.file,
            opened: 0,
        };
        let opened = self.archive_set.own();
        let others = opened.into_iter().flat_map(|opened| opened.scenes());
        let others = others.filter(|file| {
            self.takes_placements && file.member != self.file.member && !file.is_zone()
        });
        let others = others.map(|file| Source { file, opened: 0 });
        let relit = self.relit().filter(|_| self.takes_placements);
        std::iter::once(own).chain(others).chain(relit).collect()
    }

    /// The scene files of the archives that light the zone again.
    pub(super) fn relit(&self) -> impl Iterator<Item = Source<'s>> + use<'s, 'a> {
        let archives = self.archive_set.siblings().iter().enumerate().skip(1);
        let lit = archives.filter(|(_, opened)| opened.stem().ends_with(LIT));
        lit.flat_map(|(opened, archive)| {
            let files = archive.scenes().iter().filter(|file| !file.is_zone());
            files.map(move |file| Source { file, opened })
        })
    }

    /// Name of a scene file, prefixed by that of its archive if it is in another one.
    pub(super) fn label(&self, source: Source<'_>) -> String {
        label(self.archive_set, source)
    }
}

/// Name of a scene file of a set, prefixed by that of its archive if that is not the first one.
pub(super) fn label(archive_set: &ArchiveSet<'_>, source: Source<'_>) -> String {
    let name = &source.file.name;
    match archive_set.get(source.opened) {
        Some(opened) if source.opened > 0 => format!("{}/{name}", opened.name()),
        _ => name.clone(),
    }
}
