//! The scenes of a zone.

use crate::everquest::eqg::server::place_rows as place_eqg_rows;
use crate::everquest::scene_builder::Layers;
use crate::everquest::server_rows::ServerRows;
use crate::everquest::{environment_emitters, grass};
use crate::options::ConvertOptions;
use crate::{ConvertError, OutputRole, Sink};
use relicast_codec::Deviations;
use relicast_scene::extras::everquest;
use relicast_scene::model::Node;
use relicast_scene::{Asset, Document};

use super::cells::Cells;
use super::group::group;
use super::placements::Placer;
use super::sources::Zone;
use super::tables::Tables;
use super::{lights, placements, server, terrain};

impl Zone<'_, '_> {
    /// Converts the zone.
    pub(in crate::everquest) fn convert(
        &self,
        name: &str,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let view = self.archive_set.view(options);
        let mut layers = Layers::new(name, view);
        let sources = self.sources();
        layers.is_ground = true;
        layers.ambient = lights::ambient_of(&sources);
        let root = layers.root(Node {
            name: name.to_owned(),
            ..Node::default()
        });
        let bounds = terrain::add(self, root, &mut layers);
        let mut rows = ServerRows::for_zone(options, name);
        let mut placer = Placer::new(self.archive_set, &mut layers);
        placements::add(&mut placer, &sources, root);
        let above_rows = (!rows.is_empty()).then(|| group(placer.layers, "server", root));
        if let Some(above) = above_rows {
            server::place_with(&mut placer, &mut rows, above);
        }
        let mut placed = placer.finish();
        if let Some(above) = above_rows {
            let models = place_eqg_rows(&mut rows, self.archive_set, &mut layers, above);
            for (model, count) in models {
                *placed.models.entry(model).or_default() += count;
            }
        }
        let placed_rows = server::finish(rows, &mut placed);
        let lights = lights::add(&sources, root, &mut layers);
        if let Some(emitters) = self.emitters {
            environment_emitters::add(emitters, root, &mut layers);
        }
        if let Some(cards) = self.grass.filter(|_| options.everquest.grass) {
            grass::add(cards, root, &mut layers);
        }
        let mut tables = Tables::new(self.file.wld(), options);
        let mut cells = Cells::new(self.file.wld(), bounds);
        tables.find_volumes(&mut cells, &mut layers);
        tables.placed = placed;
        layers.main.note(&everquest::Scene {
            ambient: Some(lights.global.clone()),
            ..everquest::Scene::default()
        });
        tables.lights = Some(lights);
        layers.take(sink)?;
        let checks = std::mem::take(&mut layers.main.checks);
        if sink.wants(OutputRole::Regions) {
            tables.checks = checks.clone();
            tables.scale_lengths(options.everquest.scale.factor());
            sink.take(OutputRole::Regions, Asset::Document(Document::new(&tables)))?;
        }
        checks.report(sink);
        placed_rows.report(sink);
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
