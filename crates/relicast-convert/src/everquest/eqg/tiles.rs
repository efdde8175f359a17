//! Zones of tiles (version 4): the ground, the objects on it, water and invisible walls.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DMat4;
use serde_json::{Value, json};

use crate::everquest::archive::{Archive, ArchiveSet, stem_of};
use crate::everquest::scene_builder::Layers;
use crate::everquest::space;
use crate::options::ConvertOptions;
use crate::{ConvertError, OutputRole, Sink};
use relicast_codec::{Deviations, F32, FormatError, Vec3};
use relicast_formats::everquest::eqg::parts::PropertyValue;
use relicast_formats::everquest::eqg::text::{self, Text, WaterSheet, ZoneFacts};
use relicast_formats::everquest::eqg::tiles::{self, MOST_QUADS, Place, Tiles};
use relicast_formats::everquest::eqg::walls;
use relicast_limits as limits;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{
    AlphaMode, Material, MaterialId, Mesh, Node, NodeId, Placement as Taken, Primitive, Transform,
};
use relicast_scene::{Asset, Document};

use super::companions::{placed, turned};
use super::ground::Ground;
use super::lights::Lamp;
use super::placing::{Placement, Placer};
use super::regions::Volume;
use super::shader_material::{DIFFUSE, NORMAL, ShaderMaterial};
use super::surfaces;
use super::tables::{Tables, add_lamps, group};

/// Height of invisible walls.
const WALL_HEIGHT: f32 = 1000.0;

/// Maximum number of models of groups that one zone places; a group may be placed many times.
const MAX_GROUPED: usize = 1 << 18;

struct Zone<'z, 's, 'a> {
    set: &'s ArchiveSet<'a>,
    facts: ZoneFacts,
    tiles: &'z Tiles,
    root: NodeId,
    /// Texts of the archive that were read so far.
    texts: HashMap<String, Option<Text>>,
    /// Surfaces of ground by ecosystem, and the number of repeats of their picture.
    grounds: HashMap<String, (MaterialId, f32)>,
}

/// The bytes of a member of the own archive.
fn member(set: &ArchiveSet<'_>, name: &str) -> Option<Vec<u8>> {
    let own = set.own()?;
    own.bytes(own.member(&name.to_lowercase())?)
}

/// Adds a zone of tiles below a node.
pub(super) fn add<'s, 'a>(
    set: &'s ArchiveSet<'a>,
    bytes: &[u8],
    root: NodeId,
    layers: &mut Layers<'s, 'a>,
    tables: &mut Tables,
    options: &ConvertOptions,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let text = text::decode(bytes)?.value;
    let statements = text.statements();
    let facts = text.zone().ok_or_else(|| {
        let expected = "*UNITSPERVERT and *QUADSPERTILE above 0";
        FormatError::malformed("statements", 0, expected, "other values")
    })?;
    if facts.quads_per_tile > MOST_QUADS {
        let expected = format_args!("up to {MOST_QUADS}");
        let fault = FormatError::malformed("quads_per_tile", 0, expected, facts.quads_per_tile);
        return Err(fault.into());
    }
    let name = statements.iter().find(|statement| statement.key == "NAME");
    let name = name.map(|statement| statement.text().to_lowercase());
    let own = set.own().map(Archive::stem).unwrap_or_default();
    let ground = name.and_then(|name| member(set, &format!("{name}.dat")));
    let ground = ground.or_else(|| member(set, &format!("{own}.dat")));
    let ground = ground.ok_or_else(|| {
        FormatError::malformed("tiles", 0, "a member with the ground, NAME.dat", "none")
    })?;
    let decoded = tiles::decode_with(&ground, Some(facts.quads_per_tile))?;
    let tiles = decoded.value;
    if sink.wants(OutputRole::Raw) {
        sink.take(OutputRole::Raw, Asset::Document(Document::new(&text)))?;
    }
    let facts = ZoneFacts {
        quads_per_tile: tiles.quads,
        ..facts
    };
    let statements: Vec<Value> = statements.iter().map(|one| json!(one)).collect();
    tables
        .more
        .insert("statements".to_owned(), Value::from(statements));
    let mut zone = Zone {
        set,
        facts,
        tiles: &tiles,
        root,
        texts: HashMap::new(),
        grounds: HashMap::new(),
    };
    zone.ground(layers, options);
    zone.water(layers, tables);
    zone.walls(layers, tables, sink);
    zone.things(layers, tables, sink);
    Ok(decoded.deviations)
}

/// A picture and its normal map as a material.
fn shader_material(name: &str, diffuse: Option<String>, normal: Option<String>) -> ShaderMaterial {
    let mut shader_material = ShaderMaterial {
        name: name.to_owned(),
        shader: "Opaque_Ground".to_owned(),
        ..ShaderMaterial::default()
    };
    for (property, file) in [(DIFFUSE, diffuse), (NORMAL, normal)] {
        if let Some(file) = file {
            shader_material
                .properties
                .push((property.to_owned(), PropertyValue::Text(file)));
        }
    }
    shader_material
}

impl<'s, 'a> Zone<'_, 's, 'a> {
    /// A text of the archive.
    fn text(&mut self, name: &str) -> Option<&Text> {
        let name = name.to_lowercase();
        let set = self.set;
        let read = self.texts.entry(name).or_insert_with_key(|name| {
            let bytes = member(set, name)?;
            Some(text::decode(&bytes).ok()?.value)
        });
        read.as_ref()
    }

    /// The surface of the ground of an ecosystem: the surface of its first layer.
    fn surface(&mut self, ecosystem: &str, layers: &mut Layers<'_, '_>) -> (MaterialId, f32) {
        if let Some(&known) = self.grounds.get(ecosystem) {
            return known;
        }
        let fallback = self.tiles.texture.clone();
        let statements = self.text(ecosystem).map(Text::statements);
        let statements = statements.unwrap_or_default();
        let first = |key: &str| {
            let mut all = statements.iter();
            all.find(|statement| statement.key == key)
        };
        let picture = |key: &str| {
            first(key)
                .map(|one| one.text())
                .filter(|text| !text.is_empty())
        };
        let diffuse = picture("DETAILMAP")
            .or(Some(fallback))
            .filter(|file| !file.is_empty());
        let repeat = first("DETAILREPEAT").and_then(|one| one.number(0));
        let repeat = repeat.filter(|repeat| repeat.is_finite() && *repeat > 0.0);
        let shader_material = shader_material(ecosystem, diffuse, picture("NORMALMAP"));
        let resolved = surfaces::add(&mut layers.main, 0, &shader_material);
        let made = (resolved.material, repeat.unwrap_or(1.0));
        self.grounds.insert(ecosystem.to_owned(), made);
        made
    }

    fn ground(&mut self, layers: &mut Layers<'_, '_>, options: &ConvertOptions) {
        let above = group(layers, "terrain", self.root);
        let tiles = self.tiles;
        for tile in &tiles.tiles {
            limits::check();
            let base = tile.layers.first().map(|layer| layer.ecosystem.clone());
            let (material, repeat) = self.surface(&base.unwrap_or_default(), layers);
            let ground = Ground::new(tile, self.facts, tiles.quads as usize);
            let order = options.everquest.eqg_light_order;
            let mut primitive = ground.primitive(repeat, order, options.everquest.bakes());
            primitive.material = Some(material);
            let assigned = layers.main.scene.materials.get(material.index());
            if assigned.is_some_and(|assigned| assigned.normal_texture.is_some()) {
                primitive.make_tangents();
            }
            layers.main.checks.faces += primitive.indices.len() / 3;
            let name = format!("tile_{}_{}", tile.longitude, tile.latitude);
            let kinds = tile.layers.iter().map(|layer| layer.ecosystem.clone());
            let facts = everquest::Node {
                layers: Some(kinds.collect()),
                id: Some(tile.id.into()),
                ..everquest::Node::default()
            };
            let scene = &mut layers.main.scene;
            let mesh = scene.add_mesh(Mesh {
                name: name.clone(),
                primitives: vec![primitive],
                ..Mesh::default()
            });
            let node = scene.add_node(Node {
                name,
                mesh: Some(mesh),
                extras: facts.extras(),
                ..Node::default()
            });
            scene.add_child(above, node);
        }
    }

    /// Sheets of water with bounds of their own, and sheets of tiles.
    fn water(&mut self, layers: &mut Layers<'_, '_>, tables: &mut Tables) {
        let sheets = self.text("water.dat").map(Text::water).unwrap_or_default();
        if sheets.is_empty() {
            return;
        }
        tables.more.insert("water".to_owned(), json!(sheets));
        let above = group(layers, "water", self.root);
        let mut materials: HashMap<usize, MaterialId> = HashMap::new();
        let mut add =
            |layers: &mut Layers<'_, '_>, number: usize, bounds: [f32; 4], height: f32| {
                let parts = bounds.iter().chain([&height]);
                let Some(sheet) = sheets.get(number) else {
                    return;
                };
                if !parts.into_iter().all(|part| part.is_finite()) {
                    layers.main.checks.unplaced += 1;
                    return;
                }
                let scene = &mut layers.main.scene;
                let material = *materials
                    .entry(number)
                    .or_insert_with(|| scene.add_material(water_surface(number, sheet)));
                let [left, right, low, high] = bounds;
                let corners = [[left, low], [right, low], [right, high], [left, high]];
                let positions = corners.map(|[x, y]| space::vector([x, y, height]));
                let mesh = scene.add_mesh(Mesh {
                    name: format!("water_{number}"),
                    primitives: vec![Primitive {
                        positions: positions.to_vec().into(),
                        normals: vec![[0.0, 1.0, 0.0]; 4].into(),
                        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]].into(),
                        indices: vec![0, 1, 2, 0, 2, 3].into(),
                        material: Some(material),
                        is_passable: true,
                        extras: crate::everquest::mesh::primitive_extras(false),
                        ..Primitive::default()
                    }],
                    ..Mesh::default()
                });
                let node = scene.add_node(Node {
                    name: format!("water_{number}"),
                    mesh: Some(mesh),
                    ..Node::default()
                });
                scene.add_child(above, node);
            };
        for (number, sheet) in sheets.iter().enumerate() {
            if let (Some(bounds), None) = (sheet.bounds, sheet.index) {
                add(layers, number, bounds, sheet.height);
            }
        }
        for tile in &self.tiles.tiles {
            let Some(index) = tile.sheet.index.filter(|&index| index > 0) else {
                continue;
            };
            let Some(number) = sheets.iter().position(|sheet| sheet.index == Some(index)) else {
                continue;
            };
            let ground = Ground::new(tile, self.facts, self.tiles.quads as usize);
            let [left, low] = ground.own_corner();
            let width = ground.width();
            let whole = [left, left + width, low, low + width];
            let bounds = tile.sheet.bounds.map(|bounds| bounds.map(F32::get));
            add(
                layers,
                number,
                bounds.unwrap_or(whole),
                tile.water_level.get(),
            );
        }
    }

    fn walls(&mut self, layers: &mut Layers<'_, '_>, tables: &mut Tables, sink: &mut dyn Sink) {
        let Some(bytes) = member(self.set, "invw.dat") else {
            return;
        };
        let walls = match walls::decode(&bytes) {
            Ok(decoded) => decoded.value.walls,
            Err(fault) => {
                sink.note(format!("the invisible walls were skipped: {fault}"));
                return;
            }
        };
        tables.more.insert("walls".to_owned(), json!(walls));
        for wall in walls {
            let mut positions = Vec::new();
            let mut indices = Vec::new();
            for pair in wall.points.windows(2) {
                let [from, to] = pair else { continue };
                let ends = [from, to].map(|point| point.to_array());
                if !ends.as_flattened().iter().all(|part| part.is_finite()) {
                    continue;
                }
                let base = u32::try_from(positions.len()).unwrap_or(u32::MAX);
                for [x, y, z] in ends {
                    positions.push(space::vector([x, y, z]));
                    positions.push(space::vector([x, y, z + WALL_HEIGHT]));
                }
                let corners = [0, 2, 3, 0, 3, 1].map(|corner| base.saturating_add(corner));
                indices.extend(corners);
            }
            if indices.is_empty() {
                continue;
            }
            let hidden = layers.hidden();
            let mesh = hidden.scene.add_mesh(Mesh {
                name: wall.name.clone(),
                primitives: vec![Primitive {
                    positions: Arc::new(positions),
                    indices: Arc::new(indices),
                    ..Primitive::default()
                }],
                ..Mesh::default()
            });
            let facts = everquest::Node {
                wall: Some(true),
                ..everquest::Node::default()
            };
            hidden.attach(Node {
                name: wall.name,
                mesh: Some(mesh),
                extras: facts.extras(),
                ..Node::default()
            });
        }
    }

    /// Position in file axes: the place in its tile, with the height of the ground.
    fn position(&self, ground: &Ground<'_>, place: &Place, lift: f32) -> Vec3 {
        let [left, low] = ground.corner(place.longitude.into(), place.latitude.into());
        let [x, y, z] = place.position.to_array();
        Vec3::from([left + x, low + y, z + lift])
    }

    /// Models, boxes, lights and groups of all tiles.
    fn things(&mut self, layers: &mut Layers<'s, 'a>, tables: &mut Tables, sink: &mut dyn Sink) {
        let objects = group(layers, "objects", self.root);
        let mut grouped = 0_usize;
        let set = self.set;
        let mut placer = Placer::new(layers, set);
        let tiles = self.tiles;
        let quads = tiles.quads as usize;
        for tile in &tiles.tiles {
            let ground = Ground::new(tile, self.facts, quads);
            let lift = |place: &Place| {
                let [x, y, _] = place.position.to_array();
                ground.height_at(x, y)
            };
            for object in &tile.objects {
                let at = self.position(&ground, &object.place, lift(&object.place));
                let scale = object.place.scale.to_array();
                let Some(transform) = placed(at, radians(object.place.rotation), scale) else {
                    placer.layers.main.checks.unplaced += 1;
                    continue;
                };
                place(
                    &mut placer,
                    objects,
                    &object.model,
                    &object.name,
                    transform,
                    String::new(),
                );
            }
            for area in &tile.areas {
                let at = self.position(&ground, &area.place, lift(&area.place));
                let half = area.size.to_array().map(|part| part / 2.0);
                let scene = turned(radians(area.place.rotation));
                // Back to file axes.
                let file = glam::DQuat::from_xyzw(scene.z, scene.x, scene.y, scene.w);
                let name = area.name.clone();
                match Volume::new(name, at.to_array(), half, [0; 3], file) {
                    Some(volume) => tables.regions.push(volume),
                    None => placer.layers.main.checks.unplaced += 1,
                }
            }
            for light in &tile.lights {
                let at = self.position(&ground, &light.place, lift(&light.place));
                let definition = self.text(&format!("{}.def", stem_of(&light.definition)));
                let (color, strength) = definition.map_or(([255; 3], 1.0), Text::light);
                tables.lights.push(Lamp {
                    name: light.name.clone(),
                    position: space::vector(at.to_array()).map(F32),
                    color: color.map(|part| F32(f32::from(part) / 255.0)),
                    radius: light.radius,
                    strength: F32(strength),
                    lights_terrain: false,
                });
            }
            for one in &tile.groups {
                let scale = one.place.scale.to_array();
                let at = self.position(&ground, &one.place, scale[2] * one.adjustment.get());
                let outer = placed(at, radians(one.place.rotation), scale);
                self.place_group(&mut placer, objects, &one.name, outer, &mut grouped, sink);
            }
        }
        tables.models = std::mem::take(&mut placer.models);
        tables.odd_lights = std::mem::take(&mut placer.odd_lights);
        let lamps = tables.lights.clone();
        add_lamps(&lamps, self.root, layers);
    }

    /// Places the models of a group, of which `grouped` were placed before.
    fn place_group(
        &mut self,
        placer: &mut Placer<'_, '_, '_>,
        above: NodeId,
        name: &str,
        outer: Option<Transform>,
        grouped: &mut usize,
        sink: &mut dyn Sink,
    ) {
        let name = if name.to_lowercase().ends_with(".tog") {
            name.to_owned()
        } else {
            format!("{name}.tog")
        };
        let members = self.text(&name).map(Text::group);
        let (Some(members), Some(outer)) = (members, outer) else {
            sink.note_missing(format!(
                "no archive has the group {name}, or its position is not finite"
            ));
            return;
        };
        let outer = outer.to_matrix();
        for object in members {
            *grouped += 1;
            if *grouped > MAX_GROUPED {
                sink.note(
                    "too many models of groups in this zone: the others were skipped".to_owned(),
                );
                break;
            }
            let turns = radians(Vec3::from(object.rotation));
            let inner = placed(Vec3::from(object.position), turns, [object.scale; 3]);
            let inner = inner.map(|inner| outer * inner.to_matrix());
            let Some(transform) = inner.and_then(|matrix| unsheared(&matrix)) else {
                placer.layers.main.checks.unplaced += 1;
                continue;
            };
            let (model, light) = (object.name.clone(), object.light.clone());
            place(placer, above, &model, &object.name, transform, light);
        }
    }
}

/// Degrees as radians.
fn radians(degrees: Vec3) -> [f64; 3] {
    degrees.to_array().map(|part| f64::from(part).to_radians())
}

/// A matrix as one transform. In practice groups have one scale for all axes; shear is dropped.
fn unsheared(matrix: &DMat4) -> Option<Transform> {
    Some(Taken::from_matrix(matrix).ok()?.outer())
}

/// Places a model. Names of models in tiles lack the extension.
fn place(
    placer: &mut Placer<'_, '_, '_>,
    above: NodeId,
    model: &str,
    name: &str,
    transform: Transform,
    light: String,
) {
    let has_ending = [".mod", ".mds", ".ter"]
        .iter()
        .any(|ending| model.to_lowercase().ends_with(ending));
    let creature = format!("{model}.mds");
    let file = if has_ending {
        model.to_owned()
    } else if placer.model(&format!("{model}.mod")).is_none() && placer.model(&creature).is_some() {
        creature
    } else {
        format!("{model}.mod")
    };
    let light = match light.is_empty() {
        true => format!("{}.lit", name.to_lowercase()),
        false => light,
    };
    let facts = everquest::Node {
        name: Some(name.into()),
        ..everquest::Node::default()
    };
    placer.place(
        above,
        Placement {
            name: stem_of(model),
            model: file,
            transform,
            colors: None,
            light,
            facts,
        },
    );
}

fn water_surface(number: usize, sheet: &WaterSheet) -> Material {
    let color = sheet.statements.iter().find(|one| one.key == "WATERCOLOR1");
    let color = color.map_or([255.0; 4], |one| {
        [0, 1, 2, 3].map(|place| one.number(place).unwrap_or(255.0))
    });
    let [red, green, blue, alpha] = color;
    let linear = relicast_scene::space::linear_from_srgb;
    let alpha = if alpha > 0.0 {
        (alpha / 255.0).min(1.0)
    } else {
        0.0
    };
    let facts = everquest::Material {
        blend: Some("water".to_owned()),
        water: match json!(sheet) {
            Value::Object(sheet) => Some(sheet),
            _ => None,
        },
        ..everquest::Material::default()
    };
    Material {
        name: format!("water_{number}"),
        base_color: [linear(red), linear(green), linear(blue), alpha],
        alpha: AlphaMode::Blend,
        extras: facts.extras(),
        ..Material::default()
    }
}
