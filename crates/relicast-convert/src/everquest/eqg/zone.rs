//! Zones of the EQG format: terrain, placed models, regions and lights, and their tables.

use serde_json::json;

use crate::everquest::archive::ArchiveSet;
use crate::everquest::environment_emitters;
use crate::everquest::scene_builder::Layers;
use crate::everquest::server_rows::{self, ServerRows, Summary};
use crate::everquest::space;
use crate::everquest::zone::server::place_rows as place_scene_rows;
use crate::options::ConvertOptions;
use crate::{ConvertError, OutputRole, Sink};
use relicast_codec::quantity::counted;
use relicast_codec::{Decoded, Deviations, F32};
use relicast_formats::everquest::eqg::parts::Strings;
use relicast_formats::everquest::eqg::zone::{self, PointLight, Zone};
use relicast_formats::kind::{Kind, sniff_pfs_member};
use relicast_scene::extras::everquest;
use relicast_scene::model::{Node, NodeId, Transform};
use relicast_scene::{Asset, Document};

use super::companions::placed;
use super::lights::Lamp;
use super::placing::{Placement, Placer};
use super::regions::Volume;
use super::server;
use super::tables::{Tables, add_lamps, group};
use super::tiles;

/// Files next to the archive of a zone.
#[derive(Debug, Clone, Copy)]
pub(in crate::everquest) struct AdjacentFiles<'a> {
    /// A zone file: its path and its bytes.
    pub zone: Option<(&'a str, &'a [u8])>,
    /// Emitters of the environment.
    pub emitters: Option<&'a [u8]>,
}

/// Converts the zone of a member of the first archive.
pub(in crate::everquest) fn convert(
    set: &ArchiveSet<'_>,
    member: usize,
    name: &str,
    adjacent: AdjacentFiles<'_>,
    options: &ConvertOptions,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Some(own) = set.own() else {
        return Ok(Deviations::default());
    };
    let bytes = own.inflate(member)?;
    let mut layers = Layers::new(name, set.view(options));
    layers.is_ground = true;
    let root = layers.root(Node {
        name: name.to_owned(),
        ..Node::default()
    });
    let mut tables = Tables {
        space: json!(space::facts(options.everquest.scale)),
        ..Tables::default()
    };
    let mut stored = &*bytes.value;
    if let Some((path, loose)) = adjacent.zone {
        tables.loose = Some(path.to_owned());
        stored = loose;
        let inside = own.label(member).unwrap_or_default();
        sink.note(format!("{path}, next to the archive, replaces {inside}"));
    }
    let mut deviations = bytes.deviations;
    if sniff_pfs_member(stored, "a.zon") == Kind::EqgZoneText {
        let decoded = tiles::add(set, stored, root, &mut layers, &mut tables, options, sink)?;
        deviations.absorb("tiles", 0, decoded);
    } else {
        let Decoded {
            value,
            deviations: found,
        } = zone::decode(stored)?;
        deviations.absorb("zone", 0, found);
        Builder {
            zone: &value,
            root,
            tables: &mut tables,
        }
        .add(set, &mut layers);
        if sink.wants(OutputRole::Raw) {
            sink.take(OutputRole::Raw, Asset::Document(Document::new(&value)))?;
        }
    }
    let placed_rows = place_rows(set, options, name, root, &mut layers, &mut tables);
    if let Some(emitters) = adjacent.emitters {
        environment_emitters::add(emitters, root, &mut layers);
    }
    if options.everquest.volumes {
        tables
            .regions
            .iter()
            .for_each(|region| region.add(&mut layers));
    }
    layers.take(sink)?;
    let checks = std::mem::take(&mut layers.main.checks);
    if sink.wants(OutputRole::Regions) {
        tables.checks = checks.clone();
        tables.scale_lengths(options.everquest.scale.factor());
        sink.take(OutputRole::Regions, Asset::Document(Document::new(&tables)))?;
    }
    checks.report(sink);
    placed_rows.report(sink);
    if !tables.odd_lights.is_empty() {
        let lists = counted(tables.odd_lights.len(), "list", "lists");
        sink.note(format!(
            "ignored {lists} of baked light of another length than the model"
        ));
    }
    checks.deviations(&mut deviations);
    Ok(deviations)
}

/// Places the rows of the tables of a server for a zone.
fn place_rows<'s, 'a>(
    set: &'s ArchiveSet<'a>,
    options: &ConvertOptions,
    zone: &str,
    root: NodeId,
    layers: &mut Layers<'s, 'a>,
    tables: &mut Tables,
) -> Summary {
    let mut rows = ServerRows::for_zone(options, zone);
    if !rows.is_empty() {
        let above = group(layers, "server", root);
        let own = server::place_rows(&mut rows, set, layers, above);
        let others = place_scene_rows(&mut rows, set, layers, above);
        for (model, count) in own.into_iter().chain(others) {
            *tables.models.entry(model).or_default() += count;
        }
    }
    rows.finish(|file, row, (model, reason)| {
        tables.left_out.push(json!({
            "file": file,
            "line": row.line,
            "name": model,
            "reason": reason.trim_end_matches(':'),
            "position": server_rows::position(row),
        }));
    })
}

struct Builder<'z> {
    zone: &'z Zone,
    root: NodeId,
    tables: &'z mut Tables,
}

impl Builder<'_> {
    fn strings(&self) -> &Strings {
        &self.zone.strings
    }

    /// Adds all of the zone.
    fn add<'s, 'a>(&mut self, set: &'s ArchiveSet<'a>, layers: &mut Layers<'s, 'a>) {
        let terrain = group(layers, "terrain", self.root);
        let objects = group(layers, "objects", self.root);
        let mut placer = Placer::new(layers, set);
        for (index, placement) in self.zone.placements.iter().enumerate() {
            let name = self.strings().text(placement.name);
            let model = usize::try_from(placement.model).ok();
            let model = model.and_then(|model| self.zone.models.get(model));
            let Some(model) = model.map(|&model| self.strings().text(model)) else {
                self.leave(index, name, "it has no model");
                continue;
            };
            // The client draws terrain at its own vertices and ignores its placement.
            let is_terrain = index == 0;
            let [about_z, about_y, about_x] = placement.rotation.to_array().map(f64::from);
            let transform = match is_terrain {
                true => Some(Transform::IDENTITY),
                false => placed(
                    placement.position,
                    [about_x, about_y, about_z],
                    [placement.scale.get(); 3],
                ),
            };
            let Some(transform) = transform else {
                placer.layers.main.checks.unplaced += 1;
                self.leave(index, name, "no usable place");
                continue;
            };
            let facts = everquest::Node {
                index: Some(index),
                ..everquest::Node::default()
            };
            let placed = Placement {
                light: format!("{}.lit", name.to_lowercase()),
                name: name.clone(),
                model,
                transform,
                colors: placement.colors.clone(),
                facts,
            };
            let above = if is_terrain { terrain } else { objects };
            if !placer.place(above, placed) {
                self.leave(index, name, "no archive has the model");
            }
        }
        self.tables.models = std::mem::take(&mut placer.models);
        self.tables.odd_lights = std::mem::take(&mut placer.odd_lights);
        for region in &self.zone.regions {
            let name = self.strings().text(region.name);
            match Volume::of(name, region) {
                Some(volume) => self.tables.regions.push(volume),
                None => layers.main.checks.unplaced += 1,
            }
        }
        self.lights(layers);
    }

    fn leave(&mut self, index: usize, name: String, reason: &str) {
        let row = json!({"index": index, "name": name, "reason": reason});
        self.tables.left_out.push(row);
    }

    fn lights(&mut self, layers: &mut Layers<'_, '_>) {
        let lamps: Vec<Lamp> = self
            .zone
            .lights
            .iter()
            .map(|light| self.lamp(light))
            .collect();
        add_lamps(&lamps, self.root, layers);
        self.tables.lights = lamps;
    }

    fn lamp(&self, light: &PointLight) -> Lamp {
        let name = self.strings().text(light.name);
        // Lights are stored in axes of their own: −y, x, z.
        let [first, second, third] = light.position.to_array();
        Lamp {
            lights_terrain: name
                .chars()
                .nth(2)
                .is_some_and(|letter| letter.eq_ignore_ascii_case(&'B')),
            name,
            position: space::vector([second, -first, third]).map(F32),
            color: light.color.to_array().map(F32),
            radius: light.radius,
            strength: F32(1.0),
        }
    }
}
