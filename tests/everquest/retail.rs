//! What real installs have and the fixtures lack, in a small install of our own: ambient light, lists of
//! light of older models, archives that light a zone anew, pictures of other archives and of none.

use std::path::Path;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::{
    self, Actor, ActorDefinition, ActorFlags, Bgra, BitmapInfo, Body, BspNode, BspTree,
    CollisionFace, EncodedText, Face, FaceFlags, Fragment, FragmentRef, GlobalAmbientLight, Instance, Material,
    MaterialGroup, MaterialPalette, Mesh, Placement, PointLight, PointLightFlags, Polyhedron,
    PolyhedronDefinition, PolyhedronFlags, Region,
    RegionFlags, RenderMethod, SimpleSprite, SpriteFlags, StringTable, TextureCoordinates, Version,
    VertexColours, Wld, Zone,
};
use serde_json::{Value, json};

use crate::common;
use crate::output::{Loaded, Part, facts, load};

const SOLID: u32 = 0x8000_0001;
const ADDITIVE: u32 = 0x8000_000B;

fn bgra([red, green, blue, alpha]: [u8; 4]) -> Bgra {
    Bgra {
        blue,
        green,
        red,
        alpha,
    }
}

/// A scene in the making.
#[derive(Default)]
struct Sheet {
    strings: StringTable,
    list: Vec<Fragment<'static>>,
}

impl Sheet {
    fn add(&mut self, name: &str, body: Body<'static>) -> FragmentRef {
        let name = self.strings.add(name).unwrap();
        self.list.push(Fragment::new(name, body));
        FragmentRef::to(self.list.len() - 1).unwrap()
    }

    fn material(&mut self, name: &str, method: u32, files: &[&str]) -> FragmentRef {
        let frames = files.iter().map(|file| {
            let files = vec![EncodedText::new(file).unwrap()];
            self.add(name, Body::BitmapInfo(BitmapInfo { files }))
        });
        let frames: Vec<FragmentRef> = frames.collect();
        let several = frames.len() > 1;
        let definition = self.add(
            &format!("{name}_SPRITE"),
            Body::SimpleSpriteDefinition(SimpleSprite {
                flags: if several { SpriteFlags::SLEEP } else { SpriteFlags::empty() },
                sleep: several.then_some(250),
                frames,
                ..SimpleSprite::default()
            }),
        );
        let instance = Instance { definition, flags: 0 };
        let texture = self.add("", Body::SimpleSprite(instance));
        let material = Material {
            render_method: RenderMethod(method),
            texture,
            ..Material::default()
        };
        self.add(&format!("{name}_MDF"), Body::Material(material))
    }

    /// A square of two triangles, one material each half, 4 vertices.
    fn mesh(&mut self, name: &str, material: FragmentRef, colours: Vec<Bgra>) -> FragmentRef {
        let palette = MaterialPalette {
            flags: 0,
            materials: vec![material],
        };
        let palette = self.add(&format!("{name}_MP"), Body::MaterialPalette(palette));
        let mesh = Mesh {
            palette,
            positions: vec![[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]],
            texture_coordinates: TextureCoordinates::Fixed(vec![
                [0, 0],
                [256, 0],
                [256, 256],
                [0, 256],
            ]),
            normals: vec![[0, 0, 127]; 4],
            colours,
            faces: [[0, 2, 1], [0, 3, 2]]
                .map(|vertices| Face {
                    vertices,
                    ..Face::default()
                })
                .to_vec(),
            face_groups: vec![MaterialGroup { count: 2, material: 0 }],
            vertex_groups: vec![MaterialGroup { count: 4, material: 0 }],
            ..Mesh::default()
        };
        self.add(&format!("{name}_DMSPRITEDEF"), Body::Mesh(Box::new(mesh)))
    }

    fn model(&mut self, name: &str, material: FragmentRef) {
        let definition = self.mesh(name, material, Vec::new());
        let sprite = self.add("", Body::MeshInstance(Instance { definition, flags: 0 }));
        let actor = ActorDefinition {
            sprites: vec![sprite],
            ..ActorDefinition::default()
        };
        self.add(
            &format!("{name}_ACTORDEF"),
            Body::ActorDefinition(Box::new(actor)),
        );
    }

    /// A thing at a place, with a list of light.
    fn place(&mut self, model: &str, position: [f32; 3], light: &[[u8; 4]]) {
        let colours = (!light.is_empty()).then(|| {
            let colours = VertexColours {
                unk0: 1,
                unk8: 1,
                sleep: 200,
                colours: light.iter().copied().map(bgra).collect(),
                ..VertexColours::default()
            };
            let definition = self.add("LIGHT_DMT", Body::VertexColours(colours));
            let instance = Instance { definition, flags: 0 };
            self.add("", Body::VertexColoursInstance(instance))
        });
        let mut flags = ActorFlags::PLACE | ActorFlags::SCALE;
        flags.set(ActorFlags::COLOURS, colours.is_some());
        let text = self.strings.add(&format!("{model}_ACTORDEF")).unwrap();
        let actor = Actor {
            model: text,
            flags,
            place: Some(Placement {
                position: Vec3::from(position),
                ..Placement::default()
            }),
            scale: Some(F32(1.0)),
            colours,
            ..Actor::default()
        };
        self.add("", Body::Actor(Box::new(actor)));
    }

    fn light(&mut self, position: [f32; 3], radius: f32) {
        let light = PointLight {
            light: FragmentRef::default(),
            flags: PointLightFlags::from_bits_retain(0x100),
            position: Vec3::from(position),
            radius: F32(radius),
            regions: None,
        };
        self.add("", Body::PointLight(light));
    }

    fn finish(self) -> Vec<u8> {
        let wld = Wld::new(Version::Old, self.strings, self.list).unwrap();
        wld::encode(&wld).unwrap()
    }
}

/// A zone with one region in front of a plane and solid space behind it.
fn zone(ambient: [u8; 4], colours: [u8; 4]) -> Vec<u8> {
    let mut sheet = Sheet::default();
    let light = GlobalAmbientLight {
        colour: bgra(ambient),
    };
    sheet.add("", Body::GlobalAmbientLight(light));
    let ground = sheet.material("GROUND", SOLID, &["ground.bmp"]);
    let mesh = sheet.mesh("R1", ground, vec![bgra(colours); 4]);
    let plane = BspNode {
        normal: Vec3::from([1.0, 0.0, 0.0]),
        distance: F32(100.0),
        front: 2,
        ..BspNode::default()
    };
    let leaf = BspNode {
        region: 1,
        ..BspNode::default()
    };
    let nodes = vec![plane, leaf];
    sheet.add("MOOR", Body::BspTree(BspTree { nodes }));
    let region = Region {
        flags: RegionFlags::MESH,
        mesh: Some(mesh),
        ..Region::default()
    };
    sheet.add("R000001", Body::Region(Box::new(region)));
    let line = Zone {
        regions: vec![0],
        ..Zone::default()
    };
    sheet.add("DRNTP00025999999-00015000010128_ZONE", Body::Zone(line));
    sheet.finish()
}

/// A picture of one colour, 24 bits a pixel.
fn bmp(side: u32, [red, green, blue]: [u8; 3]) -> Vec<u8> {
    let row = (side * 3).next_multiple_of(4);
    let mut bytes = b"BM".to_vec();
    for word in [54 + row * side, 0, 54, 40, side, side, 0x0018_0001, 0, row * side, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for _ in 0..side {
        let start = bytes.len();
        bytes.extend([blue, green, red].repeat(side as usize));
        bytes.resize(start + row as usize, 0);
    }
    bytes
}

/// A DDS picture of 32 bits a pixel, two columns wide, a grey level for each stored row.
fn dds(rows: &[u8]) -> Vec<u8> {
    let height = u32::try_from(rows.len()).unwrap();
    let mut words = [0_u32; 31];
    words[..5].copy_from_slice(&[124, 0x100F, height, 2, 8]);
    words[18..26].copy_from_slice(&[32, 0x41, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]);
    words[26] = 0x1000;
    let mut bytes = b"DDS ".to_vec();
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    for &level in rows {
        bytes.extend([level, level, level, 255].repeat(2));
    }
    bytes
}

type Members<'m> = &'m [(&'m str, Vec<u8>)];

/// Converts archives and hands over the outputs.
fn install(archives: &[(&str, Members<'_>)], config: &str, strict: bool, check: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    for (name, members) in archives {
        let members = members.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
        let packed = pfs::pack(&members.collect::<Vec<_>>(), None, 1).unwrap();
        std::fs::write(input.join(name), pfs::encode(&packed).unwrap()).unwrap();
    }
    let out = folder.path().join("out");
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, config).unwrap();
    let arguments: &[&str] = if strict { &["-q", "--strict"] } else { &["-q"] };
    let mut command = common::convert(&input, &out, arguments);
    command.arg("--config").arg(&settings).assert().success();
    check(&out);
}

/// The zone among the outputs.
fn world(out: &Path) -> std::path::PathBuf {
    let files = common::files(out);
    let file = files.iter().find(|file| file.ends_with("moor.gltf"));
    out.join(file.unwrap_or_else(|| panic!("{files:?}")))
}

fn linear(level: u8) -> f64 {
    let level = f64::from(level) / 255.0;
    match level {
        level if level <= 0.04045 => level / 12.92,
        level => ((level + 0.055) / 1.055).powf(2.4),
    }
}

/// The one colour of all vertices, red, green, blue.
fn assert_lit(parts: &[Part], expected: [u8; 3]) {
    assert!(!parts.is_empty());
    for vertex in parts.iter().flat_map(|part| &part.vertices) {
        let colour = vertex.colour.expect("a colour");
        for channel in 0..3 {
            let found = f64::from(colour[channel]) / 65535.0;
            let wanted = linear(expected[channel]);
            assert!((found - wanted).abs() < 1e-3, "{colour:?}, {expected:?}");
        }
    }
}

fn parts_of(scene: &Loaded, node: &str) -> Vec<Part> {
    scene.parts(&scene.node(node).mesh().unwrap())
}

const AMBIENT: [u8; 4] = [76, 70, 60, 255];

#[test]
fn ambient_light_is_added_to_baked_light() {
    let picture = bmp(4, [200, 100, 50]);
    let members = [
        ("ground.bmp", picture),
        ("moor.wld", zone(AMBIENT, [10, 20, 30, 100])),
    ];
    let night = "[everquest]\ndaylight = 0.0\n";
    install(&[("moor.s3d", &members)], night, true, |out| {
        let scene = load(&world(out));
        assert_lit(&parts_of(&scene, "terrain"), [86, 90, 90]);
    });
    install(&[("moor.s3d", &members)], "", true, |out| {
        let scene = load(&world(out));
        assert_lit(&parts_of(&scene, "terrain"), [186, 190, 190]);
        // Solid space behind a plane breaks no rule, and coordinates of nines stay.
        let tables = common::json(&world(out).with_extension("everquest.json"));
        assert_eq!(tables["bsp"][0]["back"], Value::Null);
        let volume = &tables["volumes"][0];
        let position = &volume["line"]["absolute"]["position"];
        assert_eq!(*position, json!([null, -15.0, 10.0]));
        assert_eq!(volume["scene_destination"], json!([-15.0, 10.0, null]));
        // The region reaches from its plane as far as places do, not from one end of the terrain.
        let far = json!([[-32768.0, -32768.0, -100.0], [32768.0, 32768.0, 32768.0]]);
        assert_eq!(volume["boxes"][0], far);
    });
}

fn objects() -> Vec<u8> {
    let mut sheet = Sheet::default();
    let wood = sheet.material("WOOD", SOLID, &["ground.bmp"]);
    sheet.model("BOX", wood);
    sheet.finish()
}

#[test]
fn light_of_an_older_model_gives_way_to_the_ambient_light() {
    for (ambient, expected) in [
        (AMBIENT, [76, 70, 60]),
        // Without any the thing would be black: the mean of what was baked there.
        ([0, 0, 0, 255], [30, 40, 60]),
    ] {
        let mut placed = Sheet::default();
        placed.place("BOX", [1.0, 2.0, 3.0], &[[20, 30, 50, 0], [40, 50, 70, 0]]);
        let members = [
            ("ground.bmp", bmp(4, [200; 3])),
            ("moor.wld", zone(ambient, [0; 4])),
            ("objects.wld", placed.finish()),
        ];
        let models = [("moor_obj.wld", objects())];
        let archives: [(&str, Members<'_>); 2] = [("moor.s3d", &members), ("moor_obj.s3d", &models)];
        install(&archives, "", false, |out| {
            let scene = load(&world(out));
            assert_lit(&parts_of(&scene, "BOX"), expected);
        });
    }
}

#[test]
fn archives_that_light_a_zone_anew_add_and_replace_what_stands_there() {
    let mut placed = Sheet::default();
    placed.place("BOX", [1.0, 2.0, 3.0], &[[10, 10, 10, 0]; 4]);
    placed.place("BOX", [50.0, 2.0, 3.0], &[[20, 20, 20, 0]; 4]);
    let mut lights = Sheet::default();
    lights.light([0.0, 0.0, 9.0], 30.0);
    lights.light([5.0, 0.0, 9.0], 30.0);
    lights.light([7.0, 0.0, 9.0], 0.0);
    let mut anew = Sheet::default();
    anew.place("BOX", [1.0, 2.0, 3.0], &[[90, 90, 90, 0]; 4]);
    anew.place("BOX", [80.0, 2.0, 3.0], &[[30, 30, 30, 0]; 4]);
    anew.light([5.0, 0.0, 9.0], 30.0);
    anew.light([6.0, 0.0, 9.0], 30.0);
    let members = [
        ("ground.bmp", bmp(4, [200; 3])),
        ("moor.wld", zone([0; 4], [9, 9, 9, 0])),
        ("objects.wld", placed.finish()),
        ("lights.wld", lights.finish()),
    ];
    let models = [("moor_obj.wld", objects())];
    let later = [("moor_lit.wld", anew.finish())];
    let archives: [(&str, Members<'_>); 3] = [
        ("moor.s3d", &members),
        ("moor_obj.s3d", &models),
        ("moor_lit.s3d", &later),
    ];
    install(&archives, "", true, |out| {
        let scene = load(&world(out));
        let mut lit: Vec<(f32, Vec<Part>)> = scene
            .node("objects")
            .children()
            .map(|node| {
                let north = node.transform().decomposed().0[2];
                (north, scene.parts(&node.mesh().unwrap()))
            })
            .collect();
        lit.sort_by(|one, other| one.0.total_cmp(&other.0));
        let norths: Vec<f32> = lit.iter().map(|(north, _)| *north).collect();
        assert_eq!(norths, [1.0, 50.0, 80.0]);
        for ((_, parts), level) in lit.iter().zip([90, 20, 30]) {
            assert_lit(parts, [level; 3]);
        }
        let mut norths: Vec<f32> = scene
            .node("lights")
            .children()
            .map(|node| node.transform().decomposed().0[2])
            .collect();
        norths.sort_by(f32::total_cmp);
        assert_eq!(norths, [0.0, 5.0, 6.0]);
        let tables = common::json(&world(out).with_extension("everquest.json"));
        assert_eq!(tables["lights"]["placed"], 3);
        assert_eq!(tables["lights"]["replaced"], 1);
        assert_eq!(tables["lights"]["dark"], 1);
        assert_eq!(tables["placed"]["left_out"].as_array().unwrap().len(), 1);
    });
}

/// Levels of the left column of a picture, from top to bottom.
fn column(path: &Path) -> Vec<u8> {
    let picture = image::open(path).unwrap().into_rgba8();
    (0..picture.height())
        .map(|row| picture.get_pixel(0, row).0[0])
        .collect()
}

#[test]
fn pictures_stand_upright_in_archives_of_both_kinds() {
    let rows = [10, 20, 30, 40, 50];
    let turned = [50, 40, 30, 20, 10];
    let picture = || ("wall.dds", dds(&rows));
    let later = || ("hut.mod", b"EQGM\x02\0\0\0".to_vec());
    let scene = || ("moor_obj.wld", objects());
    let cases: [(&str, Vec<(&str, Vec<u8>)>, [u8; 5]); 5] = [
        ("a.s3d", vec![picture()], turned),
        ("a.eqg", vec![picture(), later()], rows),
        ("a.eqg", vec![picture()], rows),
        // What is in an archive counts before its name.
        ("a.eqg", vec![picture(), scene()], turned),
        ("a.s3d", vec![picture(), later()], rows),
    ];
    for (name, members, expected) in cases {
        install(&[(name, &members)], "", false, |out| {
            let files = common::files(out);
            let file = files.iter().find(|file| file.ends_with("wall.png")).unwrap();
            assert_eq!(column(&out.join(file)), expected, "{name} {}", members.len());
        });
    }
}

#[test]
fn surfaces_without_their_picture_keep_their_coordinates_and_name_it() {
    let mut sheet = Sheet::default();
    let gone = sheet.material("GONE", SOLID, &["gone.bmp"]);
    sheet.model("BOX", gone);
    let members = [("moor_obj.wld", sheet.finish())];
    install(&[("moor_obj.s3d", &members)], "", false, |out| {
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let mesh = scene.document.meshes().next().unwrap();
        let uvs: Vec<_> = scene.parts(&mesh)[0].vertices.iter().map(|it| it.uv).collect();
        let expected = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Some);
        assert_eq!(uvs, expected);
        let material = scene.document.materials().next().unwrap();
        assert_eq!(facts(material.extras())["missingTexture"], "gone.bmp");
    });
}

/// A model with a flame of two pictures that lie in another archive of the zone.
fn flames(config: &str, check: impl FnOnce(&Path)) {
    let mut sheet = Sheet::default();
    let flame = sheet.material("FLAME", ADDITIVE, &["flame1.bmp", "flame2.bmp"]);
    sheet.model("BOX", flame);
    let models = [("moor_obj.wld", sheet.finish())];
    let members = [
        ("ground.bmp", bmp(4, [200; 3])),
        ("flame1.bmp", bmp(4, [100, 50, 0])),
        ("flame2.bmp", bmp(2, [0, 20, 60])),
        ("moor.wld", zone([0; 4], [0; 4])),
    ];
    let archives: [(&str, Members<'_>); 2] = [("moor.s3d", &members), ("moor_obj.s3d", &models)];
    install(&archives, config, true, check);
}

/// The model of flames as JSON: animations of surfaces have no node, which the `gltf` crate wants.
fn flame(out: &Path) -> Value {
    common::json(&out.join("models/moor_obj/box.gltf"))
}

/// The pictures of a model; those in files are there.
fn pictures(out: &Path, document: &Value) -> Vec<image::RgbaImage> {
    let folder = out.join("models/moor_obj");
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let images = document["images"].as_array().unwrap().iter();
    images
        .map(|one| {
            if let Some(uri) = one["uri"].as_str() {
                return image::open(folder.join(uri)).unwrap().into_rgba8();
            }
            let view = &document["bufferViews"][number(&one["bufferView"])];
            let buffer = &document["buffers"][number(&view["buffer"])];
            let bytes = std::fs::read(folder.join(buffer["uri"].as_str().unwrap())).unwrap();
            let start = number(&view["byteOffset"]);
            let bytes = &bytes[start..start + number(&view["byteLength"])];
            image::load_from_memory(bytes).unwrap().into_rgba8()
        })
        .collect()
}

#[test]
fn additive_pictures_of_another_archive_have_their_brightness_as_alpha() {
    flames("", |out| {
        let pictures = pictures(out, &flame(out));
        assert_eq!(pictures.len(), 1);
        assert_eq!(pictures[0].get_pixel(0, 0).0, [100, 50, 0, 172]);
    });
}

#[test]
fn surfaces_show_their_pictures_in_turn_as_settings_want() {
    let sizes = |pictures: &[image::RgbaImage]| -> Vec<(u32, u32)> {
        pictures.iter().map(|it| it.dimensions()).collect()
    };
    flames("[scenes]\nembed_cycles = true\n", |out| {
        assert_eq!(sizes(&pictures(out, &flame(out))), [(4, 4), (2, 2)]);
    });
    flames("[scenes]\ncycle_atlas = true\n", |out| {
        let document = flame(out);
        let pictures = pictures(out, &document);
        assert_eq!(sizes(&pictures), [(8, 4)]);
        assert_eq!(pictures[0].get_pixel(0, 0).0, [100, 50, 0, 172]);
        assert_eq!(pictures[0].get_pixel(7, 3).0, [0, 20, 60, 60]);
        assert_eq!(document["animations"].as_array().unwrap().len(), 1);
        let used = document["extensionsUsed"].to_string();
        assert!(used.contains("KHR_animation_pointer"), "{used}");
    });
}

#[test]
fn what_stops_movement_is_told_as_settings_want() {
    let mut sheet = Sheet::default();
    let wood = sheet.material("WOOD", SOLID, &["ground.bmp"]);
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
    let volume = PolyhedronDefinition {
        flags: PolyhedronFlags::SCALE,
        scale: Some(F32(2.0)),
        vertices: corners.map(Vec3::from).to_vec(),
        faces: [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
            .map(|corners| CollisionFace {
                vertices: corners.to_vec(),
            })
            .to_vec(),
        ..PolyhedronDefinition::default()
    };
    let definition = sheet.add("BOX_POLYHDEF", Body::PolyhedronDefinition(volume));
    let volume = Polyhedron {
        definition,
        ..Polyhedron::default()
    };
    let volume = sheet.add("", Body::Polyhedron(volume));
    sheet.model("BOX", wood);
    for fragment in &mut sheet.list {
        if let Body::Mesh(mesh) = &mut fragment.body {
            mesh.collision = volume;
            mesh.faces[1].flags = FaceFlags::PASSABLE;
        }
    }
    let members = [("ground.bmp", bmp(4, [9; 3])), ("moor_obj.wld", sheet.finish())];
    let archives: [(&str, Members<'_>); 1] = [("moor_obj.s3d", &members)];
    let names = |out: &Path| -> Vec<String> {
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let nodes = scene.document.nodes();
        nodes.map(|node| node.name().unwrap().to_owned()).collect()
    };
    install(&archives, "", true, |out| assert_eq!(names(out), ["BOX"]));
    let asked = "[scenes]\ngodot_suffix = true\ncollision = true\n";
    install(&archives, asked, true, |out| {
        let expected = ["BOX-col", "BOX_collision-col", "BOX_passable"];
        assert_eq!(names(out), expected);
        let scene = load(&out.join("models/moor_obj/box.gltf"));
        let volume = scene.node("BOX_collision-col").mesh().unwrap();
        let part = volume.primitives().next().unwrap();
        assert_eq!(part.material().index(), None);
        assert_eq!(part.bounding_box().max, [2.0, 4.0, 2.0]);
        assert_eq!(part.indices().unwrap().count(), 12);
        for (node, solid) in [("BOX-col", true), ("BOX_passable", false)] {
            let mesh = scene.node(node).mesh().unwrap();
            let parts = scene.parts(&mesh);
            assert_eq!((parts.len(), parts[0].solid), (1, solid), "{node}");
        }
    });
}

#[test]
fn files_of_spells_are_no_emitters() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    // As many bytes as whole emitters have.
    let mut spells = vec![0; 560 * 84];
    spells[560..573].copy_from_slice(b"Spark of Wool");
    std::fs::write(input.join("spdat.eff"), &spells).unwrap();
    std::fs::write(input.join("spells.eff"), &spells[..2792 * 16]).unwrap();
    std::fs::write(input.join("moor_sounds.eff"), [0; 84]).unwrap();
    let out = folder.path().join("out");
    common::convert(&input, &out, &["-q"]).assert().success();
    let files = common::files(&out);
    let lists = files.iter().filter(|file| file.contains("sp")).count();
    assert_eq!(lists, 0, "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("moor_sounds.json")), "{files:?}");
    let report = common::json(&out.join("report.json")).to_string();
    assert!(report.contains("spell effects of EverQuest, no converter yet"), "{report}");
}
