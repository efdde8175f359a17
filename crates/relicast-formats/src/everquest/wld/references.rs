//! References of each kind of body to other fragments, and the allowed kinds of these.

use super::actor::Actor;
use super::body::Body;
use super::kind::FragmentKind;
use super::reference::FragmentRef;
use super::region::Region;
use super::skeleton::Skeleton;
use super::sprite::{CameraSprite, FlatSprite};

/// Kinds that a reference may point at. An empty list allows every kind.
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
const TRACK_DEFINITION: Targets = &[FragmentKind::TrackDefinition];
const POLYHEDRON_DEFINITION: Targets = &[FragmentKind::PolyhedronDefinition];
const MESH: Targets = &[FragmentKind::Mesh, FragmentKind::LegacyMesh];
const MESH_ANIMATION: Targets = &[FragmentKind::MeshAnimationInstance];

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
        Kind::MeshInstance => MESH,
        Kind::MeshAnimationInstance => &[Kind::MeshAnimation, Kind::LegacyMeshAnimation],
        Kind::VertexColorsInstance => &[Kind::VertexColors],
        _ => &[],
    }
}

/// Takes a field, its reference, and the allowed kinds.
type Visit<'v> = &'v mut dyn FnMut(&'static str, FragmentRef, Targets);

/// Visits each reference of a list.
fn each<'r>(
    field: &'static str,
    references: impl IntoIterator<Item = &'r FragmentRef>,
    targets: Targets,
    visit: Visit<'_>,
) {
    for &reference in references {
        visit(field, reference, targets);
    }
}

fn of_flat_sprite(sprite: &FlatSprite, visit: Visit<'_>) {
    for heading in sprite.pitches.iter().flat_map(|pitch| &pitch.headings) {
        each("frames", &heading.frames, BITMAP, visit);
    }
    visit("shading.texture", sprite.shading.texture(), TEXTURE);
}

fn of_camera_sprite(sprite: &CameraSprite, visit: Visit<'_>) {
    visit("bounds", sprite.bounds, BOUNDS);
    for node in &sprite.nodes {
        visit("shading.texture", node.shading.texture(), TEXTURE);
    }
}

fn of_skeleton(skeleton: &Skeleton, visit: Visit<'_>) {
    visit("bounds", skeleton.bounds, BOUNDS);
    for bone in &skeleton.bones {
        visit("track", bone.track, &[FragmentKind::Track]);
        visit("attachment", bone.attachment, &[]);
    }
    for skin in skeleton.skins.iter().flatten() {
        visit("mesh", skin.mesh, &[FragmentKind::MeshInstance]);
    }
}

fn of_actor(actor: &Actor, visit: Visit<'_>) {
    let model = FragmentRef(actor.model.reference.max(0));
    visit("model", model, &[FragmentKind::ActorDefinition]);
    visit("bounds", actor.bounds, BOUNDS);
    if let Some(colors) = actor.colors {
        visit("colors", colors, &[FragmentKind::VertexColorsInstance]);
    }
}

fn of_region(region: &Region, visit: Visit<'_>) {
    visit(
        "ambient_light",
        region.ambient_light,
        &[FragmentKind::AmbientLight],
    );
    if let Some(mesh) = region.mesh {
        visit("mesh", mesh, MESH);
    }
    for wall in &region.walls {
        if let Some(face) = &wall.face {
            visit("shading.texture", face.shading.texture(), TEXTURE);
        }
    }
}

/// Visits the palette, the animation and the collision volume of a mesh.
fn of_mesh(
    [palette, animation, collision]: [FragmentRef; 3],
    visit: &mut dyn FnMut(&'static str, FragmentRef, Targets),
) {
    visit("palette", palette, PALETTE);
    visit("animation", animation, MESH_ANIMATION);
    visit("collision", collision, BOUNDS);
}

impl Body<'_> {
    /// Visits every reference to another fragment: the field, the reference, and the kinds that it
    /// may point at (empty: any). References to nothing are visited too.
    pub fn references(&self, visit: &mut dyn FnMut(&'static str, FragmentRef, Targets)) {
        let kind = self.kind();
        match self {
            Self::SimpleSpriteDefinition(sprite) => each("frames", &sprite.frames, BITMAP, visit),
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
            | Self::VertexColorsInstance(instance) => {
                visit("definition", instance.definition, definition(kind));
            }
            Self::FlatSpriteDefinition(sprite) => of_flat_sprite(sprite, visit),
            Self::CameraSpriteDefinition(sprite) => of_camera_sprite(sprite, visit),
            Self::SpriteSequenceDefinition(sequence) => {
                visit("bounds", sequence.bounds, BOUNDS);
                each("sprites", sequence.sprites.iter().flatten(), &[], visit);
            }
            Self::ParticleSpriteDefinition(sprite) => {
                visit("shading.texture", sprite.shading.texture(), TEXTURE);
            }
            Self::SkeletonDefinition(skeleton) => of_skeleton(skeleton, visit),
            Self::Track(track) => visit("definition", track.definition, TRACK_DEFINITION),
            Self::ActorDefinition(actor) => {
                visit("bounds", actor.bounds, BOUNDS);
                each("sprites", &actor.sprites, &[], visit);
            }
            Self::Actor(actor) => of_actor(actor, visit),
            Self::Polyhedron(polyhedron) => {
                visit("definition", polyhedron.definition, POLYHEDRON_DEFINITION);
            }
            Self::BlitSpriteDefinition(sprite) => visit("texture", sprite.texture, TEXTURE),
            Self::Region(region) => of_region(region, visit),
            Self::PointLight(light) => visit("light", light.light, LIGHT),
            Self::AmbientLight(light) => visit("light", light.light, LIGHT),
            Self::DirectionalLight(light) => visit("light", light.light, LIGHT),
            Self::Mesh(mesh) => {
                of_mesh([mesh.palette, mesh.animation, mesh.collision], visit);
            }
            Self::LegacyMesh(mesh) => {
                of_mesh([mesh.palette, mesh.animation, mesh.collision], visit);
            }
            Self::Material(material) => visit("texture", material.texture, TEXTURE),
            Self::MaterialPalette(palette) => {
                each(
                    "materials",
                    &palette.materials,
                    &[FragmentKind::Material],
                    visit,
                );
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
            | Self::VertexColors(_)
            | Self::GlobalAmbientLight(_)
            | Self::MeshAnimation(_)
            | Self::Raw(_) => {}
        }
    }
}
