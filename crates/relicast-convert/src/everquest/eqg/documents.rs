//! Documents of sources that are neither model nor zone.

use crate::documents::DocumentForm;
use std::ops::Range;

use serde_json::{Value, json};

use crate::everquest::space;
use crate::options::ConvertOptions;
use crate::{
    ConvertError, Disposition, OutputRole, OutputSpec, Sink, SkipCode, SkipReason, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FaultKind, FormatError};
use relicast_formats::decoded_file::{self, DecodedFile};
use relicast_formats::everquest::eqg::animation::Animation;
use relicast_formats::everquest::eqg::layers::{Layers, VariantName};
use relicast_formats::everquest::eqg::mesh::Mesh;
use relicast_formats::everquest::eqg::parts::NO_STRING;
use relicast_formats::everquest::eqg::text::Text;
use relicast_formats::everquest::eqg::tiles::Tiles;
use relicast_formats::everquest::eqg::zone::Zone;
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::model::number;
use relicast_scene::{Asset, Document};

use super::forms;
use super::models::Model;
use super::skeleton;
use super::variants::VariantLayer;

/// True if a source of this kind becomes a document, unless it is a model or zone of an archive.
pub(in crate::everquest) fn is_document(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::EqgZone
            | Kind::EqgZoneText
            | Kind::EqgTiles
            | Kind::EqgWalls
            | Kind::EqgTerrain
            | Kind::EqgModel
            | Kind::EqgCreature
            | Kind::EqgAnimation
            | Kind::EqgLayers
            | Kind::EqgLight
            | Kind::EqgParticles
            | Kind::EqgPoints
            | Kind::EqgText
            | Kind::EmitterDefinitions
            | Kind::EnvironmentEmitters
    )
}

/// Disposition of a source that cannot be read: an unknown version is skipped, with a reason.
pub(in crate::everquest) fn verdict(fault: &FormatError) -> Disposition {
    match fault.kind() {
        FaultKind::Unsupported => {
            let reason = format!("{} {} is unknown", fault.field(), fault.found());
            Disposition::Skip(SkipReason::new(SkipCode::UnknownVersion, reason))
        }
        _ => Disposition::Fail(fault.clone()),
    }
}

/// The item of a document; `member` is its stored name and the stem of its outputs.
pub(in crate::everquest) fn item(
    kind: Kind,
    member: Option<(String, String)>,
    range: Range<u64>,
    start: &[u8],
    options: &ConvertOptions,
) -> SourceItem {
    let mut wanted = vec![OutputSpec::DOCUMENT];
    wanted.extend(OutputSpec::raw(options));
    let mut item = SourceItem::whole(kind, range, wanted);
    // The start of a file shows an unknown version; other faults are reported when it is converted.
    if let Some(Err(fault)) = decode(kind, "", start)
        && fault.kind() == FaultKind::Unsupported
    {
        item.verdict = verdict(&fault);
    }
    match member {
        Some((name, stem)) => item.of_member(name, stem),
        None => item,
    }
}

fn decode<'a>(
    kind: Kind,
    name: &str,
    bytes: &'a [u8],
) -> Option<Result<Decoded<DecodedFile<'a>>, FormatError>> {
    decoded_file::decode(kind, name, bytes, &ArchiveContext::default())
}

/// Converts a source into a document.
pub(in crate::everquest) fn convert(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Some(decoded) = decode(kind, name, bytes) else {
        return Ok(Deviations::default());
    };
    let Decoded { value, deviations } = decoded?;
    let main = match &value {
        DecodedFile::EqgZone(zone) => Document::of_form::<forms::Zone>(of_zone(zone)),
        DecodedFile::EqgZoneText(text) | DecodedFile::EqgText(text) => {
            Document::of_form::<forms::Text>(of_text(text))
        }
        DecodedFile::EqgTiles(tiles) => Document::of_form::<forms::Tiles>(of_tiles(tiles)),
        DecodedFile::EqgTerrain(mesh) | DecodedFile::EqgModel(mesh) => {
            Document::of_form::<forms::Mesh>(of_mesh(mesh))
        }
        DecodedFile::EqgAnimation(animation) => {
            Document::of_form::<forms::Animation>(of_animation(animation))
        }
        DecodedFile::EqgLayers(layers) => Document::of_form::<forms::Layers>(of_layers(layers)),
        DecodedFile::EqgLight(light) => {
            let colors = light
                .colors
                .iter()
                .map(|color| color.map(|part| format!("{part:02x}")));
            let colors: Vec<String> = colors.map(|color| color.concat()).collect();
            Document::of_form::<forms::BakedLight>(
                json!({"colors": colors.len(), "bytes": colors.join(" ")}),
            )
        }
        DecodedFile::EnvironmentEmitters(text) => {
            Document::of_form::<forms::Emitters>(of_emitters(text))
        }
        DecodedFile::EqgWalls(walls) => Document::new(walls),
        DecodedFile::EqgCreature(creature) => Document::new(creature),
        DecodedFile::EqgParticles(particles) => Document::new(particles),
        DecodedFile::EqgPoints(points) => Document::new(points),
        DecodedFile::EmitterDefinitions(definitions) => Document::new(definitions),
        other => Document::new(other),
    };
    sink.take(OutputRole::Main, Asset::Document(main))?;
    if sink.wants(OutputRole::Raw) {
        sink.take(OutputRole::Raw, Asset::Document(Document::new(&value)))?;
    }
    Ok(deviations)
}

fn vector(stored: relicast_codec::Vec3) -> Value {
    json!(space::vector(stored.to_array()).map(number))
}

fn of_zone(zone: &Zone) -> Value {
    let text = |offset: u32| zone.strings.text(offset);
    let placements = zone.placements.iter().map(|one| {
        let model = usize::try_from(one.model).ok();
        let model = model.and_then(|model| zone.models.get(model));
        json!({
            "name": text(one.name),
            "model": model.map(|&model| text(model)),
            "position": vector(one.position),
            "rotation": one.rotation,
            "scale": number(one.scale.get()),
            "colors": one.colors.as_ref().map(Vec::len),
        })
    });
    let placements: Vec<Value> = placements.collect();
    let regions = zone.regions.iter();
    let regions: Vec<Value> = regions
        .map(|one| json!({"name": text(one.name), "center": vector(one.center), "turn": one.turn, "half": one.half}))
        .collect();
    let lights: Vec<Value> = zone
        .lights
        .iter()
        .map(|one| json!({"name": text(one.name), "radius": one.radius}))
        .collect();
    json!({
        "version": zone.version,
        "placements": placements,
        "regions": regions,
        "lights": lights,
    })
}

fn of_text(text: &Text) -> Value {
    let levels = text.levels();
    match levels.is_empty() {
        true => json!({"statements": text.statements()}),
        false => json!({"levels": levels}),
    }
}

fn of_emitters(text: &Text) -> Value {
    let emitters = text.emitters().into_iter().map(|emitter| {
        let position = emitter.position();
        let fields = emitter.fields.into_iter();
        let fields: serde_json::Map<String, Value> =
            fields.map(|(name, value)| (name, Value::from(value))).collect();
        json!({"position": position.map(|place| space::vector(place).map(number)), "fields": fields})
    });
    json!({"emitters": emitters.collect::<Vec<_>>()})
}

fn of_tiles(tiles: &Tiles) -> Value {
    let rows = tiles.tiles.iter().map(|tile| {
        let layers: Vec<&str> = tile
            .layers
            .iter()
            .map(|layer| layer.ecosystem.as_str())
            .collect();
        json!({
            "longitude": tile.longitude,
            "latitude": tile.latitude,
            "id": tile.id,
            "waterLevel": tile.water_level,
            "sheet": tile.sheet,
            "layers": layers,
            "objects": tile.objects,
            "areas": tile.areas,
            "lights": tile.lights,
            "groups": tile.groups,
        })
    });
    json!({
        "version": tiles.version,
        "quads": tiles.quads,
        "texture": tiles.texture,
        "tiles": rows.collect::<Vec<_>>(),
    })
}

fn of_mesh(mesh: &Mesh) -> Value {
    let model = Model::Mesh(Box::new(Mesh {
        strings: mesh.strings.clone(),
        materials: mesh.materials.clone(),
        ..Mesh::default()
    }));
    let materials = (0..mesh.materials.len()).filter_map(|place| model.shader_material(place));
    let materials: Vec<Value> = materials
        .map(
            |shader_material| json!({"name": shader_material.name, "shader": shader_material.shader, "properties": shader_material.properties}),
        )
        .collect();
    json!({
        "version": mesh.version,
        "vertices": mesh.vertices.len(),
        "triangles": mesh.triangles.len(),
        "bones": mesh.tail.bones.len(),
        "materials": materials,
    })
}

fn of_animation(animation: &Animation) -> Value {
    let tracks = animation.tracks.iter().map(|track| {
        let keys = track.keys.iter().map(|key| {
            let (place, _) = skeleton::transform(key.translation, key.rotation, key.scale);
            json!({
                "ms": key.time,
                "translation": place.translation.to_array().map(number),
                "rotation": place.rotation.to_array().map(number),
                "scale": place.scale.to_array().map(number),
            })
        });
        json!({"bone": animation.strings.text(track.bone), "keys": keys.collect::<Vec<_>>()})
    });
    json!({
        "version": animation.version,
        "strict": animation.strict,
        "tracks": tracks.collect::<Vec<_>>(),
    })
}

fn of_layers(layers: &Layers) -> Value {
    let text = |offset: u32| match offset {
        NO_STRING => None,
        offset => layers.strings.get(offset),
    };
    let records = layers.layers.iter().map(|layer| {
        let material = text(layer.material);
        let name = material.as_deref().and_then(VariantName::parse);
        let variant_layer = VariantLayer::new(layers, layer);
        let mut row = json!({
            "material": material,
            "variant": name.map(|name| name.variant),
            "materialNumber": name.map(|name| name.material),
            "textures": VariantLayer::textures(layers, layer),
            "diffuse": variant_layer.diffuse,
            "normal": variant_layer.normal,
            "environment": variant_layer.environment,
        });
        if let Value::Object(row) = &mut row {
            match layers.version {
                2 => row.insert("unk12".to_owned(), json!(layer.unk12)),
                3 => row.insert("unk12".to_owned(), json!(layer.unk12_three)),
                _ => {
                    let strength = number(layer.environment_strength.get());
                    row.insert("environmentStrength".to_owned(), strength);
                    row.insert("shininess".to_owned(), number(layer.shininess.get()))
                }
            };
        }
        row
    });
    json!({"version": layers.version, "layers": records.collect::<Vec<_>>()})
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<relicast_formats::everquest::eqg::walls::Walls>("walls", "Invisible walls"),
    DocumentForm::of::<relicast_formats::everquest::eqg::creature::Creature>(
        "creature",
        "An EQG creature: parts and pieces",
    ),
    DocumentForm::of::<relicast_formats::everquest::eqg::particles::Particles>(
        "particles",
        "Particles of a model",
    ),
    DocumentForm::of::<relicast_formats::everquest::eqg::points::Points>(
        "points",
        "Points of a model",
    ),
    DocumentForm::of::<relicast_formats::everquest::eqg::emitters::Definitions>(
        "emitters",
        "Definitions of particle emitters",
    ),
];
