//! References between fragments, and the kinds of fragments that are little more than one.

use serde::Serialize;

use super::body::Body;
use super::kind::FragmentKind;
use crate::formats::codec::{FixedSize, Result, Stream, Walk};
use crate::formats::everquest::plain::plain_struct;

/// The number of a fragment, counted from 1; 0 refers to nothing, and so do negative numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct FragmentRef(pub i32);

impl FragmentRef {
    /// The reference to the fragment at `index` of the list; `None` when the number is too large.
    pub fn to(index: usize) -> Option<Self> {
        let number = index.checked_add(1)?;
        i32::try_from(number).ok().map(Self)
    }

    /// Index in the list of fragments; `None` when it refers to nothing.
    pub fn index(self) -> Option<usize> {
        usize::try_from(self.0).ok()?.checked_sub(1)
    }
}

impl FixedSize for FragmentRef {
    const SIZE: usize = i32::SIZE;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        i32::load(bytes).map(Self)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

plain_struct!(
    /// A colour in the games' byte order, display-referred.
    pub struct Bgra {
        /// Blue.
        blue: u8,
        /// Green.
        green: u8,
        /// Red.
        red: u8,
        /// Alpha, or what stands in its place.
        alpha: u8,
    }
);

crate::record! {
    /// An instance that adds nothing to its definition, 8 bytes.
    pub struct Instance[8] {
        /// Offset 0: the definition.
        definition: FragmentRef,
        /// Offset 4: 0, but 0x50 on textures of zones; meaning unknown.
        flags: u32,
    }
}

/// What a reference may point at. An empty list allows every kind.
pub(super) type Targets = &'static [FragmentKind];

const BOUNDS: Targets = &[
    FragmentKind::Sphere,
    FragmentKind::SphereListDefinition,
    FragmentKind::SphereList,
    FragmentKind::PolyhedronDefinition,
    FragmentKind::Polyhedron,
];
const BITMAP: Targets = &[FragmentKind::BitmapInfo];
const TEXTURE: Targets = &[FragmentKind::SimpleSprite];
const PALETTE: Targets = &[FragmentKind::MaterialPalette];
const LIGHT: Targets = &[FragmentKind::Light];

fn definition(kind: FragmentKind) -> Targets {
    use FragmentKind as Kind;
    match kind {
        Kind::SimpleSprite => &[Kind::SimpleSpriteDefinition],
        Kind::FlatSprite => &[Kind::FlatSpriteDefinition],
        Kind::CameraSprite => &[Kind::CameraSpriteDefinition],
        Kind::SpriteSequence => &[Kind::SpriteSequenceDefinition],
        Kind::ParticleSprite => &[Kind::ParticleSpriteDefinition],
        Kind::Skeleton => &[Kind::SkeletonDefinition],
        Kind::SphereList => &[Kind::SphereListDefinition],
        Kind::Light => &[Kind::LightDefinition],
        Kind::BlitSprite => &[Kind::BlitSpriteDefinition],
        Kind::MeshInstance => &[Kind::Mesh, Kind::LegacyMesh],
        Kind::MeshAnimationInstance => &[Kind::MeshAnimation, Kind::LegacyMeshAnimation],
        Kind::VertexColoursInstance => &[Kind::VertexColours],
        _ => &[],
    }
}

impl Body<'_> {
    /// Visits every reference to another fragment: the field, the reference, and the kinds that it
    /// may point at (empty: any). References to nothing are visited too.
    pub fn references(
        &self,
        visit: &mut dyn FnMut(&'static str, FragmentRef, &'static [FragmentKind]),
    ) {
        let kind = self.kind();
        match self {
            Self::SimpleSpriteDefinition(sprite) => {
                for &frame in &sprite.frames {
                    visit("frames", frame, BITMAP);
                }
            }
            Self::SimpleSprite(instance)
            | Self::FlatSprite(instance)
            | Self::CameraSprite(instance)
            | Self::SpriteSequence(instance)
            | Self::ParticleSprite(instance)
            | Self::Skeleton(instance)
            | Self::SphereList(instance)
            | Self::Light(instance)
            | Self::BlitSprite(instance)
            | Self::MeshInstance(instance)
            | Self::MeshAnimationInstance(instance)
            | Self::VertexColoursInstance(instance) => {
                visit("definition", instance.definition, definition(kind));
            }
            Self::FlatSpriteDefinition(sprite) => {
                for heading in sprite.pitches.iter().flat_map(|pitch| &pitch.headings) {
                    for &frame in &heading.frames {
                        visit("frames", frame, BITMAP);
                    }
                }
                visit("shading.texture", sprite.shading.texture(), TEXTURE);
            }
            Self::CameraSpriteDefinition(sprite) => {
                visit("bounds", sprite.bounds, BOUNDS);
                for node in &sprite.nodes {
                    visit("shading.texture", node.shading.texture(), TEXTURE);
                }
            }
            Self::SpriteSequenceDefinition(sequence) => {
                visit("bounds", sequence.bounds, BOUNDS);
                for &sprite in sequence.sprites.iter().flatten() {
                    visit("sprites", sprite, &[]);
                }
            }
            Self::ParticleSpriteDefinition(sprite) => {
                visit("shading.texture", sprite.shading.texture(), TEXTURE);
            }
            Self::SkeletonDefinition(skeleton) => {
                visit("bounds", skeleton.bounds, BOUNDS);
                for bone in &skeleton.bones {
                    visit("track", bone.track, &[FragmentKind::Track]);
                    visit("attachment", bone.attachment, &[]);
                }
                for skin in skeleton.skins.iter().flatten() {
                    visit("mesh", skin.mesh, &[FragmentKind::MeshInstance]);
                }
            }
            Self::Track(track) => {
                visit(
                    "definition",
                    track.definition,
                    &[FragmentKind::TrackDefinition],
                );
            }
            Self::ActorDefinition(actor) => {
                visit("bounds", actor.bounds, BOUNDS);
                for &sprite in &actor.sprites {
                    visit("sprites", sprite, &[]);
                }
            }
            Self::Actor(actor) => {
                let model = FragmentRef(actor.model.reference.max(0));
                visit("model", model, &[FragmentKind::ActorDefinition]);
                visit("bounds", actor.bounds, BOUNDS);
                if let Some(colours) = actor.colours {
                    visit("colours", colours, &[FragmentKind::VertexColoursInstance]);
                }
            }
            Self::Polyhedron(polyhedron) => visit(
                "definition",
                polyhedron.definition,
                &[FragmentKind::PolyhedronDefinition],
            ),
            Self::BlitSpriteDefinition(sprite) => visit("texture", sprite.texture, TEXTURE),
            Self::Region(region) => {
                visit(
                    "ambient_light",
                    region.ambient_light,
                    &[FragmentKind::AmbientLight],
                );
                if let Some(mesh) = region.mesh {
                    visit(
                        "mesh",
                        mesh,
                        &[FragmentKind::Mesh, FragmentKind::LegacyMesh],
                    );
                }
                for wall in &region.walls {
                    if let Some(face) = &wall.face {
                        visit("shading.texture", face.shading.texture(), TEXTURE);
                    }
                }
            }
            Self::PointLight(light) => visit("light", light.light, LIGHT),
            Self::AmbientLight(light) => visit("light", light.light, LIGHT),
            Self::DirectionalLight(light) => visit("light", light.light, LIGHT),
            Self::Mesh(mesh) => {
                visit("palette", mesh.palette, PALETTE);
                visit(
                    "animation",
                    mesh.animation,
                    &[FragmentKind::MeshAnimationInstance],
                );
                visit("collision", mesh.collision, BOUNDS);
            }
            Self::LegacyMesh(mesh) => {
                visit("palette", mesh.palette, PALETTE);
                visit(
                    "animation",
                    mesh.animation,
                    &[FragmentKind::MeshAnimationInstance],
                );
                visit("collision", mesh.collision, BOUNDS);
            }
            Self::Material(material) => visit("texture", material.texture, TEXTURE),
            Self::MaterialPalette(palette) => {
                for &material in &palette.materials {
                    visit("materials", material, &[FragmentKind::Material]);
                }
            }
            Self::ParticleCloud(cloud) => {
                if let Some(sprite) = cloud.sprite {
                    visit("sprite", sprite, &[FragmentKind::BlitSpriteDefinition]);
                }
            }
            Self::DefaultPaletteFile(_)
            | Self::BitmapInfo(_)
            | Self::TrackDefinition(_)
            | Self::Sphere(_)
            | Self::PolyhedronDefinition(_)
            | Self::SphereListDefinition(_)
            | Self::LightDefinition(_)
            | Self::BspTree(_)
            | Self::Zone(_)
            | Self::LegacyMeshAnimation(_)
            | Self::VertexColours(_)
            | Self::GlobalAmbientLight(_)
            | Self::MeshAnimation(_)
            | Self::Raw(_) => {}
        }
    }
}

/// A wrapper so that a boxed body walks like the body itself.
impl<'a, T: Walk<'a>> Walk<'a> for Box<T> {
    const SMALLEST: usize = T::SMALLEST;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        (**self).walk(stream)
    }
}
