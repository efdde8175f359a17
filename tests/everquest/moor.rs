//! A small generated zone called `moor`, with features of real installs that the fixtures lack.

use std::path::Path;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::{
    self, Actor, ActorDefinition, ActorFlags, Bgra, BitmapInfo, Body, BspNode, BspTree,
    EncodedText, Face, Fragment, FragmentRef, GlobalAmbientLight, Instance, Material,
    MaterialGroup, MaterialPalette, Mesh, Placement, PointLight, PointLightFlags, Region,
    RegionFlags, RenderMethod, SimpleSprite, SpriteFlags, StringTable, TextureCoordinates, Version,
    VertexColors, Wld, Zone,
};

use crate::common;

pub const SOLID: u32 = 0x8000_0001;
pub const ADDITIVE: u32 = 0x8000_000B;

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
pub struct Sheet {
    strings: StringTable,
    pub list: Vec<Fragment<'static>>,
}

impl Sheet {
    pub fn add(&mut self, name: &str, body: Body<'static>) -> FragmentRef {
        let name = self.strings.add(name).unwrap();
        self.list.push(Fragment::new(name, body));
        FragmentRef::to(self.list.len() - 1).unwrap()
    }

    pub fn material(&mut self, name: &str, method: u32, files: &[&str]) -> FragmentRef {
        let frames = files.iter().map(|file| {
            let files = vec![EncodedText::new(file).unwrap()];
            self.add(name, Body::BitmapInfo(BitmapInfo { files }))
        });
        let frames: Vec<FragmentRef> = frames.collect();
        let several = frames.len() > 1;
        let definition = self.add(
            &format!("{name}_SPRITE"),
            Body::SimpleSpriteDefinition(SimpleSprite {
                flags: if several {
                    SpriteFlags::SLEEP
                } else {
                    SpriteFlags::empty()
                },
                sleep: several.then_some(250),
                frames,
                ..SimpleSprite::default()
            }),
        );
        let instance = Instance {
            definition,
            flags: 0,
        };
        let texture = self.add("", Body::SimpleSprite(instance));
        let material = Material {
            render_method: RenderMethod(method),
            texture,
            ..Material::default()
        };
        self.add(&format!("{name}_MDF"), Body::Material(material))
    }

    /// A square of two triangles, one material each half, 4 vertices.
    pub fn mesh(&mut self, name: &str, material: FragmentRef, colors: Vec<Bgra>) -> FragmentRef {
        let palette = MaterialPalette {
            flags: 0,
            materials: vec![material],
        };
        let palette = self.add(&format!("{name}_MP"), Body::MaterialPalette(palette));
        let mesh = Mesh {
            palette,
            positions: vec![[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]].into(),
            texture_coordinates: TextureCoordinates::Fixed(
                vec![[0, 0], [256, 0], [256, 256], [0, 256]].into(),
            ),
            normals: vec![[0, 0, 127]; 4].into(),
            colors: colors.into(),
            faces: [[0, 2, 1], [0, 3, 2]]
                .map(|vertices| Face {
                    vertices,
                    ..Face::default()
                })
                .to_vec()
                .into(),
            face_groups: vec![MaterialGroup {
                count: 2,
                material: 0,
            }]
            .into(),
            vertex_groups: vec![MaterialGroup {
                count: 4,
                material: 0,
            }]
            .into(),
            ..Mesh::default()
        };
        self.add(&format!("{name}_DMSPRITEDEF"), Body::Mesh(Box::new(mesh)))
    }

    pub fn model(&mut self, name: &str, material: FragmentRef) {
        let definition = self.mesh(name, material, Vec::new());
        let sprite = self.add(
            "",
            Body::MeshInstance(Instance {
                definition,
                flags: 0,
            }),
        );
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
    pub fn place(&mut self, model: &str, position: [f32; 3], light: &[[u8; 4]]) {
        let colors = (!light.is_empty()).then(|| {
            let colors = VertexColors {
                unk0: 1,
                unk8: 1,
                sleep: 200,
                colors: light.iter().copied().map(bgra).collect(),
                ..VertexColors::default()
            };
            let definition = self.add("LIGHT_DMT", Body::VertexColors(colors));
            let instance = Instance {
                definition,
                flags: 0,
            };
            self.add("", Body::VertexColorsInstance(instance))
        });
        let mut flags = ActorFlags::PLACE | ActorFlags::SCALE;
        flags.set(ActorFlags::COLORS, colors.is_some());
        let text = self.strings.add(&format!("{model}_ACTORDEF")).unwrap();
        let actor = Actor {
            model: text,
            flags,
            place: Some(Placement {
                position: Vec3::from(position),
                ..Placement::default()
            }),
            scale: Some(F32(1.0)),
            colors,
            ..Actor::default()
        };
        self.add("", Body::Actor(Box::new(actor)));
    }

    pub fn light(&mut self, position: [f32; 3], radius: f32) {
        let light = PointLight {
            light: FragmentRef::default(),
            flags: PointLightFlags::from_bits_retain(0x100),
            position: Vec3::from(position),
            radius: F32(radius),
            regions: None,
        };
        self.add("", Body::PointLight(light));
    }

    pub fn finish(self) -> Vec<u8> {
        let wld = Wld::new(Version::Old, self.strings, self.list).unwrap();
        wld::encode(&wld).unwrap()
    }
}

/// A zone with one region in front of a plane and solid space behind it.
pub fn zone(ambient: [u8; 4], colors: [u8; 4]) -> Vec<u8> {
    let mut sheet = Sheet::default();
    let light = GlobalAmbientLight {
        color: bgra(ambient),
    };
    sheet.add("", Body::GlobalAmbientLight(light));
    let ground = sheet.material("GROUND", SOLID, &["ground.bmp"]);
    let mesh = sheet.mesh("R1", ground, vec![bgra(colors); 4]);
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
    let nodes = vec![plane, leaf].into();
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
    sheet.add(
        "DRNTP00025999999-00015000010128_ZONE",
        Body::Zone(Box::new(line)),
    );
    sheet.finish()
}

/// A picture of one color, 24 bits per pixel.
pub fn bmp(side: u32, [red, green, blue]: [u8; 3]) -> Vec<u8> {
    let row = (side * 3).next_multiple_of(4);
    let mut bytes = b"BM".to_vec();
    for word in [
        54 + row * side,
        0,
        54,
        40,
        side,
        side,
        0x0018_0001,
        0,
        row * side,
        0,
        0,
        0,
        0,
    ] {
        bytes.extend(word.to_le_bytes());
    }
    for _ in 0..side {
        let start = bytes.len();
        bytes.extend([blue, green, red].repeat(side as usize));
        bytes.resize(start + row as usize, 0);
    }
    bytes
}

/// A DDS picture of 32 bits per pixel, two columns wide, a gray level for each stored row.
pub fn dds(rows: &[u8]) -> Vec<u8> {
    let height = u32::try_from(rows.len()).unwrap();
    let mut words = [0_u32; 31];
    words[..5].copy_from_slice(&[124, 0x100F, height, 2, 8]);
    words[18..26].copy_from_slice(&[32, 0x41, 0, 32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]);
    words[26] = 0x1000;
    let mut bytes = b"DDS ".to_vec();
    words
        .iter()
        .for_each(|word| bytes.extend(word.to_le_bytes()));
    for &level in rows {
        bytes.extend([level, level, level, 255].repeat(2));
    }
    bytes
}

pub type Members<'m> = &'m [(&'m str, Vec<u8>)];

/// Converts archives and hands over the outputs.
pub fn install(
    archives: &[(&str, Members<'_>)],
    config: &str,
    strict: bool,
    check: impl FnOnce(&Path),
) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    for (name, members) in archives {
        let members = members
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()));
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
pub fn world(out: &Path) -> std::path::PathBuf {
    let files = common::files(out);
    let is_world = |file: &&String| {
        let name = file
            .strip_prefix("worlds/")
            .and_then(|file| file.strip_suffix(".gltf"));
        name.is_some_and(|name| !name.ends_with("hidden"))
    };
    let file = files.iter().find(is_world);
    out.join(file.unwrap_or_else(|| panic!("{files:?}")))
}
