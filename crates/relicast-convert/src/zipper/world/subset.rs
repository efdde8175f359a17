//! A subset of the nodes of a world, for the clips that move them.

use std::collections::BTreeSet;

use crate::options::ConvertOptions;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Layout, NodeSubset, Purpose};
use crate::zipper::scene::material::Surfaces;
use crate::zipper::scene::texture_library::TextureProvider;
use relicast_formats::zipper::gamez::GameZ;

use super::environment::furnish;
use super::file::WorldFile;

impl<'a> WorldFile<'a> {
    /// A scene with the wanted nodes and all descendants. Their ancestors are empty nodes, which keep the
    /// world transforms.
    pub(crate) fn subset<'s>(
        &'s self,
        wanted: &BTreeSet<usize>,
        options: &'s ConvertOptions,
    ) -> HierarchyBuilder<'s, 's, 'a, GameZ> {
        let gamez = self.gamez();
        let (extract, tops) = NodeSubset::around(gamez, wanted);
        let is_model = tops.iter().any(|top| self.templates().contains(top));
        let purpose = if is_model {
            Purpose::Model
        } else {
            Purpose::World
        };
        let mut layout = Layout::new(gamez, &options.scenes);
        layout.hidden_nodes.clone_from(&self.hidden);
        layout.shown_nodes.clone_from(&self.shown);
        layout.extract = Some(extract);
        layout.add(&tops, None);
        let mut hierarchy = HierarchyBuilder::new(layout, self.surfaces(options), purpose);
        hierarchy.build();
        let shown = hierarchy.shown.clone();
        for shown in shown.iter().filter(|shown| shown.layer == Layer::Main) {
            if let Some(node) = gamez.nodes.used.get(shown.index) {
                furnish(node, shown.node, gamez.version, options, hierarchy.main());
            }
        }
        hierarchy
    }

    /// The pictures of the file, for writing a scene.
    pub(crate) fn pictures<'s>(&'s self, options: &'s ConvertOptions) -> TextureProvider<'s, 'a> {
        self.library.view(options)
    }

    /// The surfaces of the file.
    fn surfaces<'s>(&'s self, options: &'s ConvertOptions) -> Surfaces<'s, 'a> {
        let version = self.gamez().version;
        Surfaces::new(&self.materials, self.library.view(options), version)
    }
}
