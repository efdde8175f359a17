//! EverQuest files in the EQG format: a mill with a zone of placements, creatures, and a fen with a zone of
//! tiles. Everything is invented.

use relicast::formats::codec::{Bytes, F32, PaddedText, Vec2, Vec3};
use relicast::formats::everquest::eqg::animation::{self, Animation, Key, Track};
use relicast::formats::everquest::eqg::creature::{self, Creature, Piece};
use relicast::formats::everquest::eqg::emitters::{self, Definition, Definitions};
use relicast::formats::everquest::eqg::layers::{self, Layer, Layers};
use relicast::formats::everquest::eqg::light::{self, Light};
use relicast::formats::everquest::eqg::mesh::{self, Mesh, Tail};
use relicast::formats::everquest::eqg::particles::{self, Particle, Particles};
use relicast::formats::everquest::eqg::parts::{
    Bone, Influence, Material, Property, PropertyKind, Strings, Triangle, TriangleFlags, Vertex,
    VertexWeights,
};
use relicast::formats::everquest::eqg::points::{self, Point, Points};
use relicast::formats::everquest::eqg::zone::{self, Placement, PointLight, Region, Zone};
use relicast::formats::everquest::texture::dds;

use super::eqg_ground::{fence, ground};

/// A member of an archive.
pub type Member = (&'static str, Vec<u8>);

pub(super) const WHOLE: Vec3 = Vec3 {
    x: F32(1.0),
    y: F32(1.0),
    z: F32(1.0),
};

fn text(strings: &mut Strings, name: &str, value: &str) -> Property {
    Property {
        name: strings.add(name),
        kind: PropertyKind::Text,
        value: strings.add(value),
    }
}

fn number(strings: &mut Strings, name: &str, value: f32) -> Property {
    Property {
        name: strings.add(name),
        kind: PropertyKind::Float,
        value: value.to_bits(),
    }
}

/// A material with a picture and, in most shaders, a normal map.
fn material(strings: &mut Strings, name: &str, shader: &str, picture: &str) -> Material {
    let mut made = Material {
        name: strings.add(name),
        shader: strings.add(shader),
        ..Material::default()
    };
    made.properties
        .push(text(strings, "e_TextureDiffuse0", picture));
    if shader.contains("CB") {
        made.properties
            .push(text(strings, "e_TextureNormal0", "grass_n.dds"));
        made.properties.push(number(strings, "e_fShininess0", 12.0));
    }
    made
}

fn vertex(position: [f32; 3], uv: [f32; 2]) -> Vertex {
    Vertex {
        position: Vec3::from(position),
        normal: Vec3::from([0.0, 0.0, 1.0]),
        color: [60, 70, 80, 100],
        uv: Vec2::from(uv),
        uv2: Vec2::from(uv),
    }
}

/// A square in the plane of x and y, seen from above.
fn square(corner: [f32; 3], side: f32) -> Vec<Vertex> {
    let [x, y, z] = corner;
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
        .map(|[u, v]| vertex([x + u * side, y + v * side, z], [u, v]))
        .to_vec()
}

fn triangle(vertices: [u32; 3], material: i32, flags: TriangleFlags) -> Triangle {
    Triangle {
        vertices,
        material,
        flags,
    }
}

fn faces(material: i32) -> Vec<Triangle> {
    [[0, 1, 2], [0, 2, 3]]
        .map(|corners| triangle(corners, material, TriangleFlags::empty()))
        .to_vec()
}

/// Terrain of version 3: drawn, passable and hidden triangles.
fn terrain() -> Vec<u8> {
    let mut strings = Strings::default();
    let grass = material(
        &mut strings,
        "grass",
        "Opaque_MaxCBSG1_2UV.fx",
        "grass_c.dds",
    );
    let water = material(&mut strings, "pond", "Opaque_MaxWater.fx", "grass_c.dds");
    let mut vertices = square([-40.0, -40.0, 0.0], 80.0);
    vertices.extend(square([0.0, 0.0, 1.0], 10.0));
    let mut triangles = faces(0);
    triangles.push(triangle([4, 5, 6], 1, TriangleFlags::PASSABLE));
    triangles.push(triangle([4, 6, 7], -1, TriangleFlags::TRANSPARENT));
    let mesh = Mesh {
        magic: mesh::TERRAIN,
        version: 3,
        strings,
        materials: vec![grass, water],
        vertices,
        triangles,
        ..Mesh::default()
    };
    mesh::encode(&mesh).expect("it fits")
}

/// A model of version 2 with second texture coordinates.
fn wheel() -> Vec<u8> {
    let mut strings = Strings::default();
    let wood = material(&mut strings, "wood", "Chroma_MaxCB1.fx", "grass_c.dds");
    let glow = material(&mut strings, "glow", "AddAlpha_MaxC1.fx", "glow_c.dds");
    let mut vertices = square([0.0, 0.0, 0.0], 4.0);
    vertices.extend(square([0.0, 0.0, 2.0], 4.0));
    let mut triangles = faces(0);
    triangles.extend(faces(1).into_iter().map(|face| Triangle {
        vertices: face.vertices.map(|corner| corner + 4),
        ..face
    }));
    let mesh = Mesh {
        magic: mesh::MODEL,
        version: 2,
        strings,
        materials: vec![wood, glow],
        tail: Tail {
            tag: Some(1),
            uvs: vec![Vec2::from([0.5, 0.25]); vertices.len()],
            ..Tail::default()
        },
        vertices,
        triangles,
        ..Mesh::default()
    };
    mesh::encode(&mesh).expect("it fits")
}

/// A chain of bones.
fn bones(strings: &mut Strings, names: &[&str]) -> Vec<Bone> {
    let last = names.len().saturating_sub(1);
    let bones = names.iter().enumerate().map(|(index, name)| Bone {
        name: strings.add(name),
        next: -1,
        children: u32::from(index < last),
        child: if index < last {
            i32::try_from(index).expect("few bones") + 1
        } else {
            -1
        },
        pivot: Vec3::from([0.0, 0.5, 1.0]),
        rotation: [0.0, 0.0, -0.6, 0.8].map(F32),
        scale: WHOLE,
    });
    bones.collect()
}

fn weights(bones: [i32; 2]) -> VertexWeights {
    let influences = bones.map(|bone| Influence {
        bone,
        weight: F32(0.5),
    });
    VertexWeights {
        count: 2,
        influences: [
            influences[0],
            influences[1],
            Influence::default(),
            Influence::default(),
        ],
    }
}

/// A model of version 3 with bones.
pub(super) fn crow() -> Vec<u8> {
    let mut strings = Strings::default();
    let skin = material(&mut strings, "crow01", "Opaque_MaxCBS1.fx", "crow_c.dds");
    let bones = bones(&mut strings, &["ROOT_BONE", "NECK", "HEAD"]);
    let vertices = square([0.0, 0.0, 1.0], 2.0);
    let mesh = Mesh {
        magic: mesh::MODEL,
        version: 3,
        strings,
        materials: vec![skin],
        triangles: faces(0),
        tail: Tail {
            weights: vec![
                weights([0, 1]),
                weights([1, 2]),
                weights([2, 2]),
                weights([0, 2]),
            ],
            bones,
            ..Tail::default()
        },
        vertices,
        ..Mesh::default()
    };
    mesh::encode(&mesh).expect("it fits")
}

/// A creature of a body and two heads.
fn ox() -> Vec<u8> {
    let mut strings = Strings::default();
    let skin = material(&mut strings, "ox01", "Opaque_MaxCBS1.fx", "crow_c.dds");
    let bones = bones(&mut strings, &["ROOT_BONE", "HEAD"]);
    let pieces = [("OX", 1), ("OXHE00", 0), ("OXHE01", 0)].map(|(name, main)| Piece {
        main,
        name: strings.add(name),
        weight_count: 4,
        vertices: square([0.0, 0.0, 1.0], 2.0),
        triangles: faces(0),
        weights: vec![weights([0, 1]); 4],
    });
    let creature = Creature {
        magic: creature::MAGIC,
        version: 2,
        strings,
        materials: vec![skin],
        bones,
        pieces: pieces.to_vec(),
        ..Creature::default()
    };
    creature::encode(&creature).expect("it fits")
}

pub(super) fn standing_clip() -> Vec<u8> {
    let mut strings = Strings::default();
    let key = |time, lift: f32| Key {
        time,
        translation: Vec3::from([0.0, 0.5, 1.0 + lift]),
        rotation: [0.0, 0.0, 0.0, 1.0].map(F32),
        scale: WHOLE,
    };
    let tracks = ["root_bone", "HEAD "].map(|bone| Track {
        bone: strings.add(bone),
        keys: vec![key(0, 0.0), key(500, 0.25), key(1000, 0.0)],
    });
    let animation = Animation {
        magic: animation::MAGIC,
        version: 2,
        strict: Some(1),
        strings,
        tracks: tracks.to_vec(),
        ..Animation::default()
    };
    animation::encode(&animation).expect("it fits")
}

fn layer_file() -> Vec<u8> {
    let mut strings = Strings::default();
    let layer = Layer {
        material: strings.add("crow01"),
        textures: [strings.add("glow_c.dds"), u32::MAX],
        further: [u32::MAX; 3],
        ..Layer::default()
    };
    let layers = Layers {
        magic: layers::MAGIC,
        version: 4,
        strings,
        layers: vec![layer],
        ..Layers::default()
    };
    layers::encode(&layers).expect("it fits")
}

fn beak() -> Vec<u8> {
    let point = Point {
        name: PaddedText::new("BEAK").expect("it is short"),
        bone: PaddedText::new("head").expect("it is short"),
        translation: Vec3::from([0.25, 0.0, 0.5]),
        scale: WHOLE,
        ..Point::default()
    };
    let points = Points {
        magic: points::MAGIC,
        version: 1,
        points: vec![point],
        ..Points::default()
    };
    points::encode(&points).expect("it fits")
}

fn sparks() -> Vec<u8> {
    let particle = Particle {
        emitter: 7,
        cold_emitter: 8,
        point: PaddedText::new("BEAK").expect("it is short"),
        material: -1,
        ..Particle::default()
    };
    let particles = Particles {
        magic: particles::MAGIC,
        count: 1,
        version: 5,
        particles: vec![particle],
        ..Particles::default()
    };
    particles::encode(&particles).expect("it fits")
}

fn baked(magic: bool, count: u8) -> Vec<u8> {
    let colors = (0..count).map(|place| [20 + place, 30, 40, 90]);
    let light = Light {
        magic: magic.then_some(light::MAGIC),
        colors: colors.collect(),
        ..Light::default()
    };
    light::encode(&light).expect("it fits")
}

/// A zone: terrain, two wheels, of which one has its own light, a creature, a pond, an exit, a lamp.
fn zone(version: u32) -> Vec<u8> {
    let mut strings = Strings::default();
    let models = ["MILL.TER", "WHEEL.MOD", "CROW.MOD"].map(|name| strings.add(name));
    let mut place = |model, name: &str, x: f32, turn: f32| Placement {
        model,
        name: strings.add(name),
        position: Vec3::from([x, 5.0, 2.0]),
        rotation: Vec3::from([turn, 0.25, 0.0]),
        scale: F32(1.5),
        colors: (version == 2).then(Vec::new),
    };
    let placements = vec![
        place(0, "MILL", 0.0, 0.0),
        place(1, "WHEEL01", 10.0, 1.5),
        place(1, "WHEEL02", 20.0, 0.0),
        place(2, "CROW01", 30.0, 0.0),
    ];
    let mut region = |name: &str| Region {
        name: strings.add(name),
        center: Vec3::from([5.0, 5.0, 1.0]),
        turn: Vec3::from([64.0, 0.0, 0.0]),
        half: Vec3::from([5.0, 4.0, 3.0]),
    };
    let regions = vec![region("AWT_pond"), region("ATP_3")];
    let lights = vec![PointLight {
        name: strings.add("LIB_lamp"),
        position: Vec3::from([1.0, 2.0, 3.0]),
        color: Vec3::from([1.0, 0.75, 0.5]),
        radius: F32(30.0),
    }];
    let zone = Zone {
        magic: zone::MAGIC,
        version,
        strings,
        models: models.to_vec(),
        placements,
        regions,
        lights,
        ..Zone::default()
    };
    zone::encode(&zone).expect("it fits")
}

/// A DDS picture; `caps` are its second word of capabilities.
pub(super) fn surface(
    side: u32,
    pixel_format: dds::PixelFormat,
    caps: u32,
    data: Vec<u8>,
) -> Vec<u8> {
    let picture = dds::Dds {
        header: dds::DdsHeader {
            magic: Bytes(*b"DDS "),
            size: 124,
            flags: 0x1007,
            height: side,
            width: side,
            pixel_format: dds::PixelFormat {
                size: 32,
                ..pixel_format
            },
            caps: [0x1000, caps, 0, 0],
            ..dds::DdsHeader::default()
        },
        data: data.into(),
    };
    dds::encode(&picture).expect("it fits")
}

/// A picture of 32 bits per texel, whose columns get redder and whose rows get greener.
fn shaded(alpha: u8) -> Vec<u8> {
    let format = dds::PixelFormat {
        flags: dds::PixelFormatFlags::RGB | dds::PixelFormatFlags::ALPHA,
        bits: 32,
        red: 0x00FF_0000,
        green: 0xFF00,
        blue: 0xFF,
        alpha: 0xFF00_0000,
        ..dds::PixelFormat::default()
    };
    let texels = (0..64_u8).flat_map(|place| [128, place / 8 * 32, place % 8 * 32, alpha]);
    surface(8, format, 0, texels.collect())
}

/// A format by its number in Direct3D's list.
fn numbered(number: u32) -> dds::PixelFormat {
    dds::PixelFormat {
        flags: dds::PixelFormatFlags::CODE,
        code: Bytes(number.to_le_bytes()),
        ..dds::PixelFormat::default()
    }
}

/// The members of the mill's archive.
pub fn mill() -> Vec<Member> {
    let pairs: Vec<u8> = (0..16_u8).flat_map(|place| [place * 4, 0]).collect();
    let faces: Vec<u8> = (0..6_u8).flat_map(|face| [face * 40; 4]).collect();
    vec![
        ("mill.zon", zone(1)),
        ("mill.ter", terrain()),
        ("wheel.mod", wheel()),
        (
            "wheel.lod",
            b"EQLOD\r\nLOD,WHEEL.MOD,100\r\nCOL,WHEEL.MOD\r\n".to_vec(),
        ),
        ("wheel02.lit", baked(true, 8)),
        ("crow.mod", crow()),
        ("crow.lay", layer_file()),
        ("crow.pts", beak()),
        ("crow.prt", sparks()),
        ("stnd_ba_1_crow.ani", standing_clip()),
        ("ox.mds", ox()),
        ("grass_c.dds", shaded(255)),
        ("grass_n.dds", shaded(200)),
        ("glow_c.dds", shaded(255)),
        ("crow_c.dds", shaded(128)),
        (
            "glow_c.txt",
            b"2\r\n100\r\nglow_c.dds\r\ngrass_c.dds\r\n".to_vec(),
        ),
        ("ripple_n.dds", surface(4, numbered(117), 0, pairs)),
        ("sky_e.dds", surface(2, numbered(50), 0xFE00, faces)),
    ]
}

/// A zone file next to the mill's archive.
pub fn loose_zone() -> Vec<u8> {
    zone(2)
}

/// The members of the fen's archive, a zone of tiles.
pub fn fen() -> Vec<Member> {
    vec![
        (
            "fen.zon",
            b"EQTZP\r\n*NAME fen\r\n*MINLNG 0 *MAXLNG 1\r\n*UNITSPERVERT 8.0\r\n*QUADSPERTILE 2\r\n".to_vec(),
        ),
        ("fen.dat", ground()),
        ("invw.dat", fence()),
        (
            "water.dat",
            b"*WATERSHEET\r\n*MINX 0\r\n*MAXX 16\r\n*MINY 0\r\n*MAXY 16\r\n*ZHEIGHT 0.5\r\n*END_SHEET\r\n\
              *WATERSHEETDATA\r\n*INDEX 1\r\n*WATERCOLOR1 10 20 30 200\r\n*ENDWATERSHEETDATA\r\n"
                .to_vec(),
        ),
        (
            "plain.eco",
            b"*TEXTUREPART\r\n*LAYER grass\r\n*DETAILMAP grass_c.dds\r\n*DETAILREPEAT 4\r\n*NORMALMAP grass_n.dds\r\n\
              *END_LAYER\r\n"
                .to_vec(),
        ),
        (
            "hut.tog",
            b"*BEGIN_OBJECTGROUP\r\n*BEGIN_OBJECT\r\n*NAME STONE\r\n*POSITION 1 2 0\r\n*ROTATION 0 0 90\r\n*SCALE 2\r\n\
              *FILE hut_stone.lit\r\n*END_OBJECT\r\n*END_OBJECTGROUP\r\n"
                .to_vec(),
        ),
        ("lamp.def", b"*COLOR 4294901760\r\n*INTENSITY 1.5\r\n".to_vec()),
        ("hut_stone.lit", baked(false, 8)),
        ("stone.mod", wheel()),
        ("grass_c.dds", shaded(255)),
        ("grass_n.dds", shaded(255)),
        ("glow_c.dds", shaded(255)),
    ]
}

/// Definitions of two emitters.
pub fn emitters() -> Vec<u8> {
    let names = ["None", "smoke"].map(|name| Definition {
        name: PaddedText::new(name).expect("it is short"),
        texture: PaddedText::new("nul").expect("it is short"),
        life: F32(1.5),
        ..Definition::default()
    });
    let definitions = Definitions {
        magic: emitters::MAGIC,
        version: PaddedText(*b"110\0"),
        definitions: names.to_vec(),
        ..Definitions::default()
    };
    emitters::encode(&definitions).expect("it fits")
}

/// Emitters around the mill.
pub const ENVIRONMENT_EMITTERS: &[u8] =
    b"Name^EmitterDefIdx^X^Y^Z^Lifespan\r\nsmoke1^1^4^5^6^90000000\r\n";

/// A mesh with the name of a picture.
pub const STARS: &[u8] =
    b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// One file of each kind.
pub fn files() -> Vec<Member> {
    let mut all = mill();
    all.retain(|(name, _)| !name.ends_with(".txt"));
    all.extend(fen());
    all.push(("loose.zon", loose_zone()));
    all.push(("actoremittersnew.edd", emitters()));
    all.push((
        "mill_environmentemitters.txt",
        ENVIRONMENT_EMITTERS.to_vec(),
    ));
    all.push(("stars.dds", STARS.to_vec()));
    all
}
