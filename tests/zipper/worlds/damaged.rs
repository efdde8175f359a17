//! One wrong value at a time: it is reported, and the rest of the file is converted.

use relicast_testing::test;
use std::fs;

use relicast::convert::ConvertOptions;
use relicast::convert::{ConvertError, Dependency, OpenContext, OutputRole, Sink, open};
use relicast::emit::{Options, encode_scene};
use relicast::formats::codec::{F32, Vec3};
use relicast::formats::kind::Kind;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, GameZ, Model, ModelSlot, NodeData, Object3dFlags, PolygonFlags,
};
use relicast::scene::Asset;

use super::common;

/// Result of a world.
#[derive(Debug, Default, Clone, PartialEq)]
struct Converted {
    triangles: usize,
    nodes: usize,
    deviations: Vec<String>,
    notes: Vec<String>,
}

impl Sink for Converted {
    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn wants(&self, _role: OutputRole) -> bool {
        true
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        if let Asset::Scene(scene, pictures) = asset {
            let paths = ("a/b.gltf", Some("a/b.bin"));
            encode_scene(scene, pictures, paths.0, paths.1, Options::default())
                .map_err(|error| ConvertError::Emit(error.to_string()))?;
            if role == OutputRole::Main {
                let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
                self.triangles += parts.map(|part| part.indices.len() / 3).sum::<usize>();
                self.nodes += scene.nodes.len();
            }
        }
        Ok(())
    }
}

/// Converts a world and all its models.
fn convert(bytes: &[u8]) -> Converted {
    let mut converted = Converted::default();
    let dependencies: [Dependency<'_>; 0] = [];
    let opened =
        open(OpenContext::new(Kind::GameZ, "gamez.zbd", bytes).with_dependencies(&dependencies))
            .unwrap();
    let options = ConvertOptions::default();
    let mut deviations: Vec<String> = Vec::new();
    let list = |all: &relicast::formats::codec::Deviations| {
        let listed = all
            .described()
            .iter()
            .map(|deviation| deviation.to_string());
        listed.collect::<Vec<String>>()
    };
    deviations.extend(list(opened.deviations()));
    for index in 0..opened.items(&options).len() {
        deviations.extend(list(
            &opened.convert(index, &options, &mut converted).unwrap(),
        ));
    }
    converted.deviations = deviations;
    converted
}

fn world() -> GameZ {
    let bytes = relicast_samples::world::world(ZipperGame::MechWarrior3).unwrap();
    gamez::decode(&bytes).unwrap().value
}

#[test]
fn nodes_in_a_cycle_are_reported() {
    let mut gamez = world();
    let converted = convert(&gamez::encode(&gamez).unwrap());
    let is_reported = |converted: &Converted| {
        let mut notes = converted.notes.iter();
        notes.any(|note| note.contains("unreachable node"))
    };
    assert!(!is_reported(&converted), "{:?}", converted.notes);
    let index_of = |name: &str| {
        let mut nodes = gamez.nodes.used.iter();
        nodes.position(|node| node.name() == name).unwrap() as u32
    };
    let cycle = [index_of("house"), index_of("fence_01")];
    for node in &mut gamez.nodes.used {
        if let NodeData::World(world) = &mut node.data {
            node.children.retain(|child| !cycle.contains(child));
            for cell in &mut world.partitions {
                cell.entries.retain(|entry| !cycle.contains(&entry.node));
            }
        }
    }
    for (node, other) in [(cycle[0], cycle[1]), (cycle[1], cycle[0])] {
        let node = &mut gamez.nodes.used[node as usize];
        node.parents = vec![other];
        node.children.push(other);
    }
    let converted = convert(&gamez::encode(&gamez).unwrap());
    assert!(is_reported(&converted), "{:?}", converted.notes);
}

/// The first model with a matching polygon, and the index of that polygon.
fn model(gamez: &mut GameZ, matches: impl Fn(&gamez::Polygon) -> bool) -> (&mut Model, usize) {
    let models = gamez.models.slots.iter_mut();
    let mut used = models.filter_map(|slot| match slot {
        ModelSlot::Used(model) => Some(&mut **model),
        ModelSlot::Free { .. } => None,
    });
    let found = used.find_map(|model| {
        let index = model.polygons.iter().position(&matches)?;
        Some((model, index))
    });
    found.unwrap()
}

/// Damages the generated world. A deviation must contain `expected`, and no more than `lost` may be missing.
fn damaged(expected: &str, lost: Lost, damage: impl FnOnce(&mut GameZ)) {
    damaged_world(world(), expected, lost, damage);
}

/// Damages a world as [`damaged`] does.
fn damaged_world(mut gamez: GameZ, expected: &str, lost: Lost, damage: impl FnOnce(&mut GameZ)) {
    let whole = convert(&gamez::encode(&gamez).unwrap());
    assert_eq!(whole.deviations, [""; 0]);
    damage(&mut gamez);
    let converted = convert(&gamez::encode(&gamez).unwrap());
    let said = converted
        .deviations
        .iter()
        .any(|line| line.contains(expected));
    assert!(said, "{expected:?} is not in {:?}", converted.deviations);
    assert!(
        converted.triangles + lost.triangles >= whole.triangles,
        "{converted:?}"
    );
    assert!(converted.nodes + lost.nodes >= whole.nodes, "{converted:?}");
}

fn plain(polygon: &gamez::Polygon) -> bool {
    !polygon.flags().contains(PolygonFlags::TRI_STRIP) && polygon.corners() < 9
}

fn with_normals(polygon: &gamez::Polygon) -> bool {
    plain(polygon) && !polygon.normal_indices.is_empty()
}

/// Maximum loss of triangles and nodes.
#[derive(Clone, Copy)]
struct Lost {
    triangles: usize,
    nodes: usize,
}

const NOTHING: Lost = Lost {
    triangles: 0,
    nodes: 0,
};

/// One polygon of at most 8 corners, which has up to 6 triangles, in up to ten instances of its model.
const ONE_POLYGON: Lost = Lost {
    triangles: 60,
    nodes: 0,
};

/// The model of one node; the generated world has none with more triangles.
const ONE_MODEL: Lost = Lost {
    triangles: 400,
    nodes: 0,
};

#[test]
fn a_polygon_with_an_invalid_vertex_index_is_dropped() {
    for index in [1 << 20, u32::MAX, 1 << 31] {
        damaged("vertex_indices", ONE_POLYGON, |gamez| {
            let (model, at) = model(gamez, plain);
            model.polygons[at].vertex_indices[1] = index;
        });
    }
}

#[test]
fn invalid_normal_indices_lose_no_geometry() {
    damaged("normals below", NOTHING, |gamez| {
        let (model, at) = model(gamez, with_normals);
        model.polygons[at].normal_indices[0] = 1 << 30;
    });
}

#[test]
fn normals_without_direction_lose_no_geometry() {
    for value in [0.0, f32::NAN, f32::INFINITY, 1e30, 1e-42] {
        let mut gamez = world();
        let whole = convert(&gamez::encode(&gamez).unwrap());
        let (model, at) = model(&mut gamez, with_normals);
        let normal = model.polygons[at].normal_indices[0] as usize;
        model.normals[normal] = Vec3::from([value; 3]);
        let converted = convert(&gamez::encode(&gamez).unwrap());
        assert_eq!(
            (converted.triangles, converted.nodes),
            (whole.triangles, whole.nodes)
        );
    }
}

#[test]
fn invalid_indices_of_materials_textures_and_models_are_reported() {
    for index in [999, -1, i32::MIN, i32::MAX] {
        damaged("material", NOTHING, |gamez| {
            let (model, at) = model(gamez, plain);
            model.polygons[at].materials[0] = index;
        });
        damaged("texture_index", NOTHING, |gamez| {
            let mut materials = gamez.materials.used.iter_mut();
            let textured = materials.find(|material| material.record.is_textured());
            textured.unwrap().record.texture_index = index;
        });
    }
    for index in [30_000, i32::MIN, i32::MAX] {
        damaged("model_index", ONE_MODEL, |gamez| {
            let mut nodes = gamez.nodes.used.iter_mut();
            let with_model = nodes.find(|node| node.record.model_index > 0);
            with_model.unwrap().record.model_index = index;
        });
    }
}

#[test]
fn wrong_constants_of_materials_are_reported_by_field() {
    let textured = |gamez: &mut GameZ, damage: fn(&mut gamez::MaterialRecord)| {
        let mut materials = gamez.materials.used.iter_mut();
        let material = materials.find(|material| material.record.is_textured());
        damage(&mut material.unwrap().record);
    };
    for field in ["alpha", "rgb", "color"] {
        let damage = match field {
            "alpha" => |record: &mut gamez::MaterialRecord| record.alpha = 7,
            "rgb" => |record: &mut gamez::MaterialRecord| record.rgb = 7,
            _ => |record: &mut gamez::MaterialRecord| record.color = Vec3::from([7.0; 3]),
        };
        let mut gamez = world();
        textured(&mut gamez, damage);
        let deviations = convert(&gamez::encode(&gamez).unwrap()).deviations;
        assert!(!deviations.is_empty());
        for deviation in deviations {
            assert!(deviation.contains(field), "{deviation}");
        }
    }
    damaged("optionally with any of", NOTHING, |gamez| {
        textured(gamez, |record| record.flags |= gamez::MaterialFlags::FREE);
    });
}

#[test]
fn invalid_texture_indices_of_cycles_are_reported() {
    damaged("textures", NOTHING, |gamez| {
        let materials = gamez.materials.used.iter_mut();
        let mut cycles = materials.filter_map(|material| material.cycle.as_mut());
        cycles.next().unwrap().textures[0] = 1 << 30;
    });
}

#[test]
fn looping_links_of_materials_are_reported() {
    damaged("links", NOTHING, |gamez| {
        let used = &mut gamez.materials.used;
        used[1].links.next = 1;
        used[2].links.prev = 2;
        used[2].links.next = 1;
    });
    damaged("links", NOTHING, |gamez| {
        let free = &mut gamez.materials.free;
        free[0].links.next = free[0].links.prev;
        free[1].links.next = -2;
    });
}

/// A node with children that is no child of the world.
fn parent(gamez: &GameZ) -> usize {
    let mut nodes = gamez.nodes.used.iter();
    let has_children = |node: &gamez::Node| {
        matches!(node.data, NodeData::Object3d(_)) && !node.children.is_empty()
    };
    nodes.position(has_children).unwrap()
}

#[test]
fn invalid_parents_and_children_are_reported() {
    for index in [1 << 20, u32::MAX, 1 << 31] {
        damaged("valid node indices", NOTHING, |gamez| {
            let at = parent(gamez);
            gamez.nodes.used[at].children.push(index);
        });
        damaged("indices below", NOTHING, |gamez| {
            let at = parent(gamez);
            let child = gamez.nodes.used[at].children[0] as usize;
            gamez.nodes.used[child].parents = vec![index];
        });
    }
}

#[test]
fn the_cycle_of_a_child_that_is_its_own_ancestor_is_broken() {
    damaged("a tree of", NOTHING, |gamez| {
        let at = parent(gamez);
        gamez.nodes.used[at].children.push(at as u32);
    });
    damaged("a tree of", NOTHING, |gamez| {
        let at = parent(gamez);
        let child = gamez.nodes.used[at].children[0] as usize;
        gamez.nodes.used[child].children.push(at as u32);
    });
}

#[test]
fn the_cycle_of_two_parents_of_each_other_is_broken() {
    // A cell of this world still leads to the node.
    let bytes = fs::read(common::fixtures("zipper").join("mw/zbd/c1/gamez.zbd")).unwrap();
    let gamez = gamez::decode(&bytes).unwrap().value;
    damaged_world(gamez, "a tree of", NOTHING, |gamez| {
        let at = parent(gamez);
        let child = gamez.nodes.used[at].children[0];
        // Nothing else leads to it any more.
        let above = std::mem::replace(&mut gamez.nodes.used[at].parents, vec![child]);
        gamez.nodes.used[child as usize].children.push(at as u32);
        for node in above {
            let children = &mut gamez.nodes.used[node as usize].children;
            children.retain(|&child| child != at as u32);
        }
    });
}

#[test]
fn non_finite_numbers_are_reported_and_huge_ones_converted() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        damaged("finite positions", ONE_POLYGON, |gamez| {
            let (model, at) = model(gamez, plain);
            let vertex = model.polygons[at].vertex_indices[0] as usize;
            model.vertices[vertex] = Vec3::from([0.0, value, 0.0]);
        });
        damaged("finite transforms", NOTHING, |gamez| {
            let mut nodes = gamez.nodes.used.iter_mut();
            let moved = nodes.find_map(|node| match &mut node.data {
                NodeData::Object3d(object) if object.flags == Object3dFlags::ALWAYS => Some(object),
                _ => None,
            });
            moved.unwrap().transform.basis[1] = Vec3::from([value, 0.0, 0.0]);
        });
        damaged("finite texture coordinates", NOTHING, |gamez| {
            let (model, at) = model(gamez, |polygon| plain(polygon) && !polygon.uvs.is_empty());
            model.polygons[at].uvs[0].x = F32(value);
        });
    }
    // Positions as far away as floats allow still give a scene.
    let mut gamez = world();
    for value in [f32::MAX, f32::MIN, 1e30, f32::MIN_POSITIVE] {
        let (model, at) = model(&mut gamez, plain);
        let vertex = model.polygons[at].vertex_indices[0] as usize;
        model.vertices[vertex] = Vec3::from([value; 3]);
        for node in &mut gamez.nodes.used {
            if let NodeData::Object3d(object) = &mut node.data {
                object.transform.translation = Vec3::from([value, 0.0, -value]);
            }
        }
        assert!(convert(&gamez::encode(&gamez).unwrap()).nodes > 10);
    }
}

#[test]
fn colors_beyond_the_range_are_clamped_and_reported() {
    for value in [-1.0, 256.0, f32::NAN, f32::INFINITY] {
        damaged("colors of 0 to 255", NOTHING, |gamez| {
            let (model, at) = model(gamez, |polygon| !polygon.colors.is_empty());
            model.polygons[at].colors[0] = Vec3::from([value, 0.0, 0.0]);
        });
    }
}

/// Removes all but the first corners of a polygon.
fn truncate(polygon: &mut gamez::Polygon, corners: usize) {
    polygon.vertex_indices.truncate(corners);
    polygon.normal_indices.truncate(corners);
    polygon.uvs.truncate(corners);
    polygon.colors.truncate(corners);
}

#[test]
fn polygons_of_two_corners_are_reported_and_strips_of_three_drawn() {
    for corners in [0, 1, 2] {
        damaged("corners", ONE_POLYGON, |gamez| {
            let (model, at) = model(gamez, plain);
            truncate(&mut model.polygons[at], corners);
        });
    }
    let gamez = world();
    let is_strip = |polygon: &gamez::Polygon| polygon.flags().contains(PolygonFlags::TRI_STRIP);
    for (corners, triangles) in [(2, 0), (3, 1), (4, 2)] {
        let mut gamez = gamez.clone();
        let (strip, at) = model(&mut gamez, is_strip);
        let mut polygon = strip.polygons[at].clone();
        truncate(&mut polygon, corners);
        strip.polygons = vec![polygon];
        // Nothing else is shown.
        let slots = gamez.models.slots.iter();
        let places = slots.map(|slot| match slot {
            ModelSlot::Used(model) => {
                model.polygons.len() == 1
                    && is_strip(&model.polygons[0])
                    && model.polygons[0].corners() == corners
            }
            ModelSlot::Free { .. } => false,
        });
        let shown: Vec<bool> = places.collect();
        let mut user = true;
        for node in &mut gamez.nodes.used {
            let slot = usize::try_from(node.record.model_index).ok();
            let keeps = slot.and_then(|slot| shown.get(slot)) == Some(&true);
            if !(keeps && std::mem::take(&mut user)) {
                node.record.model_index = -1;
            }
        }
        let converted = convert(&gamez::encode(&gamez).unwrap());
        assert_eq!(converted.triangles, triangles);
    }
}

#[test]
fn counts_beyond_the_file_are_errors_that_name_the_field() {
    for version in ZipperGame::ALL {
        let whole = relicast_samples::world::world(version).unwrap();
        // Words of the header after magic and version.
        for word in 2..10 {
            for count in [0x7FFF_FFFF_u32, 0x8000_0000, 0xFFFF_FFFF] {
                let mut bytes = whole.clone();
                bytes[word * 4..][..4].copy_from_slice(&count.to_le_bytes());
                match gamez::decode(&bytes) {
                    // This word is not a count.
                    Ok(decoded) => assert!(decoded.value.nodes.used.len() < 1_000),
                    Err(error) => {
                        let said = error.to_string();
                        assert!(said.len() > 20 && said.contains("expected"), "{said}");
                    }
                }
            }
        }
    }
}
