//! A subset of the nodes of a world, for the clips that move them.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::convert::zipper::scene::hierarchy::{HierarchyBuilder, Layer, NodeSubset, Purpose};
use crate::convert::zipper::scene::material::Surfaces;
use crate::convert::zipper::scene::texture_library::TextureProvider;
use crate::formats::zipper::gamez::GameZ;

use super::environment::furnish;
use super::file::WorldFile;

impl<'a> WorldFile<'a> {
    /// A scene with the wanted nodes and all below them. Their ancestors are empty nodes, which keep the
    /// world transforms.
    pub(in crate::convert) fn subset<'s>(
        &'s self,
        wanted: &BTreeSet<usize>,
        config: &'s Config,
    ) -> HierarchyBuilder<'s, 's, 'a, GameZ> {
        let gamez = self.gamez();
        let (extract, tops) = NodeSubset::around(gamez, wanted);
        let is_model = tops.iter().any(|top| self.templates().contains(top));
        let purpose = if is_model {
            Purpose::Model
        } else {
            Purpose::World
        };
        let mut hierarchy = HierarchyBuilder::new(gamez, self.surfaces(config), purpose);
        hierarchy.hidden_nodes.clone_from(&self.hidden);
        hierarchy.shown_nodes.clone_from(&self.shown);
        hierarchy.extract = Some(extract);
        hierarchy.add(&tops, None);
        let shown = hierarchy.shown.clone();
        for shown in shown.iter().filter(|shown| shown.layer == Layer::Main) {
            if let Some(node) = gamez.nodes.used.get(shown.index) {
                furnish(node, shown.node, gamez.version, config, hierarchy.main());
            }
        }
        hierarchy
    }

    /// The pictures of the file, to write a scene with.
    pub(in crate::convert) fn pictures<'s>(
        &'s self,
        config: &'s Config,
    ) -> TextureProvider<'s, 'a> {
        self.library.view(config)
    }

    /// The surfaces of the file.
    fn surfaces<'s>(&'s self, config: &'s Config) -> Surfaces<'s, 'a> {
        let version = self.gamez().version;
        Surfaces::new(&self.materials, self.library.view(config), version)
    }
}
