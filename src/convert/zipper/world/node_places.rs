//! Where the nodes of a world went in its outputs.

use crate::config::Config;
use crate::convert::ItemIndex;
use crate::convert::zipper::scene::node_places::{NodePlaces, collect_places};

use super::file::WorldFile;

impl WorldFile<'_> {
    /// The places of each node in the outputs under `config`.
    pub(in crate::convert) fn node_places(&self, config: &Config) -> NodePlaces {
        let mut places = NodePlaces::new();
        if self.has_world() {
            let hierarchy = self.assemble(None, true, config);
            collect_places(&hierarchy.builders, ItemIndex::CONTAINER, &mut places);
        }
        for (place, &root) in self.templates().iter().enumerate() {
            let hierarchy = self.assemble(Some(root), true, config);
            let item = ItemIndex::of_member(place);
            collect_places(&hierarchy.builders, item, &mut places);
        }
        places
    }
}
