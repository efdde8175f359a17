//! Builder of scene files.

use relicast::formats::codec::F32;
use relicast::formats::everquest::wld::{
    self, ActorAction, ActorDefinition, ActorFlags, BitmapInfo, Body, Bone, EncodedText, Fragment,
    FragmentRef, Frames, Instance, Material, MaterialFlags, MaterialPalette, PackedFrame,
    RenderMethod, SimpleSprite, Skeleton, SkeletonFlags, Skin, SpriteFlags, StringTable, Track,
    TrackDefinition, TrackFlags, Version, Wld,
};

use crate::Outcome;

/// Opaque.
pub const SOLID: u32 = 0x8000_0001;
/// Half transparent.
pub const GLASS: u32 = 0x8000_0005;
/// Added to the background, without light.
pub const GLOWING: u32 = 0x8000_000B;
/// With holes at the picture's key color.
pub const MASKED: u32 = 0x8000_0013;
/// As used by creatures.
pub const SKIN: u32 = 0x8000_0015;
/// Never drawn.
pub const BOUNDARY: u32 = 0;

/// Milliseconds of a frame.
pub const SLEEP: u32 = 100;

/// A frame: quaternion w, x, y, z of any length, translation in units, uniform scale.
pub type Key = ([f32; 4], [f32; 3], f32);

/// Builder of a bone.
#[derive(Debug, Clone)]
pub struct BoneSheet {
    /// Name without `_DAG`.
    pub name: String,
    /// The bone above it.
    pub parent: Option<usize>,
    /// Its rest pose, more than one frame if it moves.
    pub rest: Vec<Key>,
    /// Fragment that is attached to it.
    pub attachment: FragmentRef,
}

/// Builder of a scene file.
#[derive(Default)]
pub struct Sheet {
    strings: StringTable,
    fragments: Vec<Fragment<'static>>,
}

fn text(text: &str) -> Outcome<EncodedText> {
    EncodedText::new(text).ok_or_else(|| format!("cannot spell {text}").into())
}

fn fixed(value: f32, unit: f32) -> i16 {
    (value * unit).round() as i16
}

fn frame(&(rotation, translation, scale): &Key) -> PackedFrame {
    let length = rotation.iter().map(|part| part * part).sum::<f32>().sqrt();
    PackedFrame {
        rotation: rotation.map(|part| fixed(part / length, 16384.0)),
        translation: translation.map(|part| fixed(part, 256.0)),
        scale: fixed(scale, 256.0),
    }
}

impl Sheet {
    /// Adds a fragment.
    pub fn add(&mut self, name: &str, body: Body<'static>) -> Outcome<FragmentRef> {
        let name = self.strings.add(name)?;
        self.fragments.push(Fragment::new(name, body));
        let last = self.fragments.len() - 1;
        FragmentRef::to(last).ok_or_else(|| "too many fragments".into())
    }

    /// Adds a name that no fragment has.
    pub fn name(&mut self, name: &str) -> Outcome<wld::Name> {
        Ok(self.strings.add(name)?)
    }

    /// Adds an instance of a definition.
    pub fn instance(
        &mut self,
        make: fn(Instance) -> Body<'static>,
        definition: FragmentRef,
    ) -> Outcome<FragmentRef> {
        let flags = 0;
        self.add("", make(Instance { definition, flags }))
    }

    /// Adds a texture of one file, or of several that alternate.
    pub fn texture(&mut self, name: &str, files: &[&str]) -> Outcome<FragmentRef> {
        let mut frames = Vec::new();
        for file in files {
            let files = vec![text(file)?];
            frames.push(self.add(name, Body::BitmapInfo(BitmapInfo { files }))?);
        }
        let moves = frames.len() > 1;
        let bit_4 = SpriteFlags::from_bits_retain(0x10);
        let sprite = SimpleSprite {
            flags: if moves {
                SpriteFlags::SLEEP | bit_4
            } else {
                bit_4
            },
            current_frame: None,
            sleep: moves.then_some(200),
            frames,
        };
        let sprite = self.add(
            &format!("{name}_SPRITE"),
            Body::SimpleSpriteDefinition(sprite),
        )?;
        self.instance(Body::SimpleSprite, sprite)
    }

    /// Adds a material; without files it has no texture.
    pub fn material(&mut self, name: &str, method: u32, files: &[&str]) -> Outcome<FragmentRef> {
        let texture = match files {
            [] => FragmentRef::default(),
            files => self.texture(name, files)?,
        };
        let material = Material {
            flags: MaterialFlags::PAIR,
            render_method: RenderMethod(method),
            pen: 0x004E_4E4E,
            brightness: F32(0.0),
            scaled_ambient: F32(0.75),
            texture,
            pair: Some((0, F32(0.0))),
        };
        self.add(&format!("{name}_MDF"), Body::Material(material))
    }

    /// Adds the materials of a mesh.
    pub fn palette(&mut self, name: &str, materials: Vec<FragmentRef>) -> Outcome<FragmentRef> {
        let flags = 0;
        self.add(
            &format!("{name}_MP"),
            Body::MaterialPalette(MaterialPalette { flags, materials }),
        )
    }

    /// Adds a track with its instance.
    pub fn track(&mut self, name: &str, keys: &[Key]) -> Outcome<FragmentRef> {
        let frames = keys.iter().map(frame).collect();
        let definition = self.add(
            &format!("{name}_TRACKDEF"),
            Body::TrackDefinition(TrackDefinition {
                flags: TrackFlags::PACKED,
                frames: Frames::Packed(frames),
            }),
        )?;
        let moves = keys.len() > 1;
        let track = Track {
            definition,
            flags: match moves {
                true => TrackFlags::SLEEP | TrackFlags::INTERPOLATE,
                false => TrackFlags::INTERPOLATE,
            },
            sleep: moves.then_some(SLEEP),
        };
        self.add(&format!("{name}_TRACK"), Body::Track(track))
    }

    /// Adds a skeleton with its instance and its actor. Bones come after their parents.
    pub fn skeleton(
        &mut self,
        name: &str,
        bones: &[BoneSheet],
        skins: &[FragmentRef],
    ) -> Outcome<FragmentRef> {
        let mut made: Vec<Bone> = Vec::new();
        for (index, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent.and_then(|parent| made.get_mut(parent)) {
                parent.children.push(u32::try_from(index)?);
            }
            let track = self.track(&bone.name, &bone.rest)?;
            made.push(Bone {
                name: self.name(&format!("{}_DAG", bone.name))?,
                flags: 0,
                track,
                attachment: bone.attachment,
                children: Vec::new(),
            });
        }
        let mut instances = Vec::new();
        for &mesh in skins {
            instances.push(Skin {
                mesh: self.instance(Body::MeshInstance, mesh)?,
                link: 2,
            });
        }
        let skinned = !skins.is_empty();
        let definition = self.add(
            &format!("{name}_HS_DEF"),
            Body::SkeletonDefinition(Box::new(Skeleton {
                flags: match skinned {
                    true => SkeletonFlags::RADIUS | SkeletonFlags::SKINS,
                    false => SkeletonFlags::RADIUS,
                },
                radius: Some(F32(4.0)),
                bones: made,
                skins: skinned.then_some(instances),
                ..Skeleton::default()
            })),
        )?;
        let instance = self.instance(Body::Skeleton, definition)?;
        self.actor(name, instance, "SPRITECALLBACK")
    }

    /// Adds a model that can be placed.
    pub fn actor(
        &mut self,
        name: &str,
        sprite: FragmentRef,
        callback: &str,
    ) -> Outcome<FragmentRef> {
        let callback = self.name(callback)?;
        let actor = ActorDefinition {
            flags: ActorFlags::SPRITE_VOLUME,
            callback,
            actions: vec![ActorAction {
                unk4: 0,
                distances: vec![F32(1e30)],
            }],
            sprites: vec![sprite],
            ..ActorDefinition::default()
        };
        self.add(
            &format!("{name}_ACTORDEF"),
            Body::ActorDefinition(Box::new(actor)),
        )
    }

    /// The bytes of the file.
    pub fn finish(self, version: Version) -> Outcome<Vec<u8>> {
        Ok(wld::encode(&Wld::new(
            version,
            self.strings,
            self.fragments,
        )?)?)
    }
}
