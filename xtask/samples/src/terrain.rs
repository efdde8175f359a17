//! A large EverQuest zone for benchmarks: a plain of regions with pictures, and trees with their own
//! light.

use relicast::formats::codec::{Bytes, F32, Vec3};
use relicast::formats::everquest::pfs::{self, Footer};
use relicast::formats::everquest::texture::bmp::{self, Bmp, BmpHeader, InfoHeader};
use relicast::formats::everquest::wld::{
    self, Actor, ActorDefinition, ActorFlags, Bgra, BitmapInfo, Body, EncodedText, Face, Fragment,
    FragmentRef, Instance, Material, MaterialFlags, MaterialGroup, MaterialPalette, Mesh,
    Placement, Region, RegionFlags, RenderMethod, SimpleSprite, SpriteFlags, StringTable,
    TextureCoordinates, Version, VertexColors, VisibilityList, Wld,
};

use crate::Outcome;
use crate::SampleFile;

/// Vertices along each edge of a region's grid.
const SIDE: u16 = 8;

/// Pictures of the ground.
const PICTURES: usize = 32;

/// Texels along each edge of a picture.
const TEXELS: i32 = 128;

/// Builder of fragments.
#[derive(Default)]
struct Sheet {
    strings: StringTable,
    fragments: Vec<Fragment<'static>>,
}

impl Sheet {
    fn add(&mut self, name: &str, body: Body<'static>) -> Outcome<FragmentRef> {
        let name = self.strings.add(name)?;
        self.fragments.push(Fragment::new(name, body));
        let place = FragmentRef::to(self.fragments.len() - 1);
        place.ok_or_else(|| "too many fragments".into())
    }

    fn finish(self) -> Outcome<Vec<u8>> {
        let wld = Wld::new(Version::Old, self.strings, self.fragments)?;
        Ok(wld::encode(&wld)?)
    }

    /// A palette with a material for each picture.
    fn palette(&mut self, pictures: usize) -> Outcome<FragmentRef> {
        let mut materials = Vec::new();
        for picture in 0..pictures {
            let file = EncodedText::new(&format!("GROUND{picture}.BMP"));
            let bitmap = self.add(
                "",
                Body::BitmapInfo(BitmapInfo {
                    files: file.into_iter().collect(),
                }),
            )?;
            let sprite = self.add(
                "",
                Body::SimpleSpriteDefinition(SimpleSprite {
                    flags: SpriteFlags::from_bits_retain(0x10),
                    frames: vec![bitmap],
                    ..SimpleSprite::default()
                }),
            )?;
            let texture = self.add("", Body::SimpleSprite(instance(sprite)))?;
            materials.push(self.add(
                &format!("GROUND{picture}_MDF"),
                Body::Material(Material {
                    flags: MaterialFlags::PAIR,
                    render_method: RenderMethod(0x8000_0001),
                    texture,
                    pair: Some((0, F32(0.0))),
                    ..Material::default()
                }),
            )?);
        }
        self.add(
            "GROUND_MP",
            Body::MaterialPalette(MaterialPalette {
                flags: 0,
                materials,
            }),
        )
    }
}

fn instance(definition: FragmentRef) -> Instance {
    Instance {
        definition,
        flags: 0,
    }
}

/// A square grid of bumps, 64 vertices and 98 triangles, of two materials.
fn grid(palette: FragmentRef, center: [f32; 3], number: usize) -> Mesh<'static> {
    let count = usize::from(SIDE) * usize::from(SIDE);
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
    let positions = places.clone().map(|(row, column)| {
        let bump = (usize::from(row) * 7 + usize::from(column) * 3 + number) % 5;
        [row as i16 * 64, column as i16 * 64, bump as i16 * 8]
    });
    let uvs = places
        .clone()
        .map(|(row, column)| [row as i16 * 128, column as i16 * 128]);
    let steps = places.filter(|(row, column)| row + 1 < SIDE && column + 1 < SIDE);
    let faces = steps.flat_map(|(row, column)| {
        let at = row * SIDE + column;
        let face = |vertices| Face {
            vertices,
            ..Face::default()
        };
        [
            face([at, at + 1, at + SIDE + 1]),
            face([at, at + SIDE + 1, at + SIDE]),
        ]
    });
    let faces: Vec<Face> = faces.collect();
    let slot = (number % PICTURES) as u16;
    Mesh {
        palette,
        collision: FragmentRef(-2),
        center: Vec3::from(center),
        scale_exponent: 5,
        positions: positions.collect(),
        texture_coordinates: TextureCoordinates::Fixed(uvs.collect()),
        normals: vec![[0, 0, 127]; count].into(),
        colors: vec![
            Bgra {
                blue: 20,
                green: 30,
                red: 40,
                alpha: 200,
            };
            count
        ]
        .into(),
        face_groups: vec![MaterialGroup {
            count: faces.len() as u16,
            material: slot,
        }]
        .into(),
        vertex_groups: vec![MaterialGroup {
            count: count as u16,
            material: slot,
        }]
        .into(),
        faces: faces.into(),
        ..Mesh::default()
    }
}

/// A scene file of so many regions, each with a mesh of 98 triangles.
///
/// # Errors
/// There are too many of them for the format.
pub fn ground(regions: usize) -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    let palette = sheet.palette(PICTURES)?;
    let edge = regions.isqrt().max(1);
    for number in 0..regions {
        let center = [
            (number / edge) as f32 * 14.0,
            (number % edge) as f32 * 14.0,
            0.0,
        ];
        let mesh = Box::new(grid(palette, center, number));
        let mesh = sheet.add(&format!("R{}_DMSPRITEDEF", number + 1), Body::Mesh(mesh))?;
        sheet.add(
            &format!("R{:06}", number + 1),
            Body::Region(Box::new(Region {
                flags: RegionFlags::CODED_LISTS | RegionFlags::MESH,
                visible: vec![VisibilityList::Coded(vec![0xFF, 0xFF, 0xFF].into())],
                mesh: Some(mesh),
                ..Region::default()
            })),
        )?;
    }
    sheet.finish()
}

fn trees() -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    let palette = sheet.palette(PICTURES)?;
    let mesh = Box::new(grid(palette, [0.0; 3], 3));
    let mesh = sheet.add("TREE_DMSPRITEDEF", Body::Mesh(mesh))?;
    let mesh = sheet.add("", Body::MeshInstance(instance(mesh)))?;
    sheet.add(
        "TREE_ACTORDEF",
        Body::ActorDefinition(Box::new(ActorDefinition {
            flags: ActorFlags::SPRITE_VOLUME,
            sprites: vec![mesh],
            ..ActorDefinition::default()
        })),
    )?;
    sheet.finish()
}

fn placements(count: usize) -> Outcome<Vec<u8>> {
    let mut sheet = Sheet::default();
    let name = sheet.strings.add("TREE_ACTORDEF")?;
    for number in 0..count {
        let colors = Body::VertexColors(VertexColors {
            unk0: 1,
            unk8: 1,
            sleep: 200,
            colors: vec![
                Bgra {
                    blue: (number % 200) as u8,
                    green: 30,
                    red: 40,
                    alpha: 180,
                };
                usize::from(SIDE) * usize::from(SIDE)
            ]
            .into(),
            ..VertexColors::default()
        });
        let colors = sheet.add(&format!("TREE{number}_DMT"), colors)?;
        let colors = sheet.add("", Body::VertexColorsInstance(instance(colors)))?;
        let place = [(number % 500) as f32, (number / 500) as f32 * 9.0, 1.0];
        sheet.add(
            "",
            Body::Actor(Box::new(Actor {
                model: name.clone(),
                flags: ActorFlags::PLACE | ActorFlags::SCALE | ActorFlags::COLORS,
                place: Some(Placement {
                    position: Vec3::from(place),
                    rotation_z: F32((number % 512) as f32),
                    ..Placement::default()
                }),
                scale: Some(F32(1.5)),
                colors: Some(colors),
                ..Actor::default()
            })),
        )?;
    }
    sheet.finish()
}

fn picture(number: usize) -> Outcome<Vec<u8>> {
    let texels = (0..TEXELS * TEXELS).map(|at| {
        let (x, y) = (at % TEXELS, at / TEXELS);
        ((x * x / 7 + y * 5 + number as i32 * 13) % 251) as u8
    });
    let palette = (0..=255_u8).map(|level| [level, level / 2, 255 - level, 0]);
    let picture = Bmp {
        header: BmpHeader {
            magic: Bytes(*b"BM"),
            pixel_offset: 54 + 4 * 256,
            ..BmpHeader::default()
        },
        info: InfoHeader {
            header_size: 40,
            width: TEXELS,
            height: TEXELS,
            planes: 1,
            bits: 8,
            ..InfoHeader::default()
        },
        palette: palette.collect(),
        rows: texels.collect::<Vec<u8>>().into(),
        ..Bmp::default()
    };
    Ok(bmp::encode(&picture)?)
}

pub(crate) fn archive(members: &[(String, Vec<u8>)]) -> Outcome<Vec<u8>> {
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    let archive = pfs::pack(&members, Some(Footer::new(0x3600_0000)), 6)?;
    Ok(pfs::encode(&archive)?)
}

/// A large zone.
pub struct LargeZone {
    /// Its archives.
    pub archives: Vec<SampleFile>,
    /// Bytes of its scenes, inflated.
    pub scenes: usize,
}

/// A zone of so many regions and trees.
///
/// # Errors
/// There are too many of them for the format.
pub fn zone(regions: usize, trees_placed: usize) -> Outcome<LargeZone> {
    named_zone("plain", regions, trees_placed)
}

/// The same under another name.
///
/// # Errors
/// The errors of [`zone`].
pub fn named_zone(name: &str, regions: usize, trees_placed: usize) -> Outcome<LargeZone> {
    let mut members = vec![
        (format!("{name}.wld"), ground(regions)?),
        ("objects.wld".to_owned(), placements(trees_placed)?),
    ];
    let objects = vec![(format!("{name}_obj.wld"), trees()?)];
    let scenes = members.iter().chain(&objects);
    let bytes = scenes.map(|(_, bytes)| bytes.len()).sum();
    for number in 0..PICTURES {
        members.push((format!("ground{number}.bmp"), picture(number)?));
    }
    let file = |path: &str, members: &[(String, Vec<u8>)]| -> Outcome<SampleFile> {
        Ok(SampleFile {
            path: path.to_owned(),
            bytes: archive(members)?,
        })
    };
    Ok(LargeZone {
        archives: vec![
            file(&format!("{name}.s3d"), &members)?,
            file(&format!("{name}_obj.s3d"), &objects)?,
        ],
        scenes: bytes,
    })
}
