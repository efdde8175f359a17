//! Which fragments each kind of body refers to, and of which kinds these should be.

use super::body::Body;
use super::kind::FragmentKind;
use super::reference::FragmentRef;

/// What a reference may point at. An empty list allows every kind.
type Targets = &'static [FragmentKind];

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
