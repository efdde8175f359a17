//! Places of the nodes of a world in its outputs.

use crate::ItemIndex;
use crate::options::ConvertOptions;
use crate::zipper::scene::node_places::{NodePlaces, collect_places};

use super::file::WorldFile;

impl WorldFile<'_> {
    /// The places of each node in the outputs under `options`.
    pub(crate) fn node_places(&self, options: &ConvertOptions) -> NodePlaces {
        let mut places = NodePlaces::new();
        let assemble = |root| {
            let mut layout = self.build_layout(root, None, options);
            layout.nodes_only = true;
            self.assemble_in(root, layout, options, None, None)
        };
        if self.has_world() {
            let hierarchy = assemble(None);
            collect_places(&hierarchy.builders, ItemIndex::CONTAINER, &mut places);
        }
        for (place, &root) in self.templates().iter().enumerate() {
            let hierarchy = assemble(Some(root));
            let item = ItemIndex::of_member(place);
            collect_places(&hierarchy.builders, item, &mut places);
        }
        places
    }
}
