//! Content of a fragment: one variant for each kind.

use serde::Serialize;

use super::actor::{Actor, ActorDefinition};
use super::bsp::BspTree;
use super::collision::{Polyhedron, PolyhedronDefinition, Sphere, SphereList};
use super::encoded_text::EncodedText;
use super::kind::FragmentKind;
use super::legacy_mesh::LegacyMesh;
use super::light::{
    AmbientLight, DirectionalLight, GlobalAmbientLight, LightDefinition, PointLight, VertexColors,
};
use super::material::{BitmapInfo, Material, MaterialPalette, SimpleSprite};
use super::mesh::Mesh;
use super::mesh_animation::{LegacyMeshAnimation, MeshAnimation};
use super::name::Name;
use super::particle::{ParticleCloud, ParticleSprite};
use super::reference::Instance;
use super::region::Region;
use super::skeleton::Skeleton;
use super::sprite::{BlitSprite, CameraSprite, FlatSprite, SpriteSequence};
use super::track::{Track, TrackDefinition};
use super::zone::Zone;
use relicast_codec::{Blob, F32, FormatError, Result, Stream, Walk};

/// A body that is stored raw: of an unknown kind, or invalid for its kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RawBody<'a> {
    /// The stored kind.
    pub kind: FragmentKind,
    /// Everything after the name.
    pub bytes: Blob<'a>,
    /// Reason for which a body of a known kind could not be read. Its offset is relative to the body's first byte
    /// after the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
}

macro_rules! bodies {
    (
        $($(#[$meta:meta])* $kind:ident($type:ty),)*
        ;
        $($(#[$borrowing_meta:meta])* $borrowing:ident($borrowing_type:ty),)*
    ) => {
        /// Content of a fragment. The large variants are boxed, as most fragments are small.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Body<'a> {
            $($(#[$meta])* $kind($type),)*
            $($(#[$borrowing_meta])* $borrowing($borrowing_type),)*
            /// Bytes of unknown meaning.
            Raw(RawBody<'a>),
        }

        impl<'a> Body<'a> {
            /// The kind of fragment that holds this body.
            pub const fn kind(&self) -> FragmentKind {
                match self {
                    $(Self::$kind(_) => FragmentKind::$kind,)*
                    $(Self::$borrowing(_) => FragmentKind::$borrowing,)*
                    Self::Raw(raw) => raw.kind,
                }
            }

            /// An empty body of a kind; `None` when the kind has no known layout.
            pub(super) fn blank(kind: FragmentKind) -> Option<Self> {
                match kind {
                    $(FragmentKind::$kind => Some(Self::$kind(Default::default())),)*
                    $(FragmentKind::$borrowing => Some(Self::$borrowing(Default::default())),)*
                    _ => None,
                }
            }

            pub(super) fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
                match self {
                    $(Self::$kind(body) => body.walk(stream),)*
                    $(Self::$borrowing(body) => body.walk(stream),)*
                    Self::Raw(raw) => {
                        let length = raw.bytes.len();
                        stream.bytes("body", &mut raw.bytes.0, length)
                    }
                }
            }

            /// This value with owned bytes, so that it outlives the file.
            pub(super) fn into_owned(self) -> Body<'static> {
                match self {
                    $(Self::$kind(body) => Body::$kind(body),)*
                    $(Self::$borrowing(body) => Body::$borrowing(body.into_owned()),)*
                    Self::Raw(raw) => Body::Raw(RawBody {
                        kind: raw.kind,
                        bytes: raw.bytes.into_owned(),
                        fault: raw.fault,
                    }),
                }
            }
        }
    };
}

bodies! {
    /// Name of a palette file.
    DefaultPaletteFile(PaletteFile),
    /// Names of bitmap files.
    BitmapInfo(BitmapInfo),
    /// A still or animated texture.
    SimpleSpriteDefinition(SimpleSprite),
    /// Instance of a texture.
    SimpleSprite(Instance),
    /// A picture that faces the camera.
    FlatSpriteDefinition(Box<FlatSprite>),
    /// Instance of such a picture.
    FlatSprite(Instance),
    /// A solid made of polygons; the camera of zones.
    CameraSpriteDefinition(Box<CameraSprite>),
    /// Instance of such a solid.
    CameraSprite(Instance),
    /// Sprites shown one after the other.
    SpriteSequenceDefinition(Box<SpriteSequence>),
    /// Instance of such a sequence.
    SpriteSequence(Instance),
    /// Colored points.
    ParticleSpriteDefinition(Box<ParticleSprite>),
    /// Instance of colored points.
    ParticleSprite(Instance),
    /// Bones and skins.
    SkeletonDefinition(Box<Skeleton>),
    /// Instance of a skeleton.
    Skeleton(Instance),
    /// Instance of a track.
    Track(Track),
    /// A model that can be placed.
    ActorDefinition(Box<ActorDefinition>),
    /// A placed model.
    Actor(Box<Actor>),
    /// A sphere that bounds something.
    Sphere(Sphere),
    /// A collision volume.
    PolyhedronDefinition(Box<PolyhedronDefinition>),
    /// Instance of a collision volume.
    Polyhedron(Polyhedron),
    /// Spheres that bound something.
    SphereListDefinition(SphereList),
    /// Instance of such a list.
    SphereList(Instance),
    /// Color and level of a light.
    LightDefinition(Box<LightDefinition>),
    /// Instance of a light.
    Light(Instance),
    /// A picture used by particles and icons.
    BlitSpriteDefinition(BlitSprite),
    /// Instance of such a picture.
    BlitSprite(Instance),
    /// A light at a place.
    PointLight(PointLight),
    /// Type of some regions.
    Zone(Box<Zone>),
    /// A light of whole regions.
    AmbientLight(AmbientLight),
    /// A light from a direction.
    DirectionalLight(DirectionalLight),
    /// An older mesh, all floats.
    LegacyMesh(Box<LegacyMesh>),
    /// Instance of a mesh.
    MeshInstance(Instance),
    /// Vertex animation of an older mesh.
    LegacyMeshAnimation(LegacyMeshAnimation),
    /// Instance of a vertex animation.
    MeshAnimationInstance(Instance),
    /// A material.
    Material(Material),
    /// The materials of a mesh.
    MaterialPalette(MaterialPalette),
    /// Instance of baked light.
    VertexColorsInstance(Instance),
    /// A source of particles.
    ParticleCloud(Box<ParticleCloud>),
    /// Ambient color of a zone.
    GlobalAmbientLight(GlobalAmbientLight),
    ;
    /// Track of one bone.
    TrackDefinition(TrackDefinition<'a>),
    /// The binary space partition of a zone.
    BspTree(BspTree<'a>),
    /// One leaf of the partition.
    Region(Box<Region<'a>>),
    /// Baked light of a placed model.
    VertexColors(VertexColors<'a>),
    /// A mesh.
    Mesh(Box<Mesh<'a>>),
    /// Vertex animation of a mesh.
    MeshAnimation(MeshAnimation<'a>),
}

impl Default for Body<'_> {
    fn default() -> Self {
        Self::Raw(RawBody::default())
    }
}

impl Body<'_> {
    /// The other form that a blank body of this kind can have, if only the size of the fragment
    /// shows which it is.
    pub(super) fn alternative(&self) -> Option<Self> {
        match self {
            Self::PolyhedronDefinition(_) => {
                Some(Self::PolyhedronDefinition(Box::new(PolyhedronDefinition {
                    scale: Some(F32::default()),
                    ..PolyhedronDefinition::default()
                })))
            }
            _ => None,
        }
    }

    /// Visits the names inside the body, except the fragment's own.
    pub(super) fn names(&mut self, visit: &mut dyn FnMut(&'static str, &mut Name)) {
        match self {
            Self::SkeletonDefinition(skeleton) => {
                for bone in &mut skeleton.bones {
                    visit("bones", &mut bone.name);
                }
            }
            Self::ActorDefinition(actor) => visit("callback", &mut actor.callback),
            Self::Actor(actor) => {
                visit("model", &mut actor.model);
                if let Some(sound) = &mut actor.sound {
                    visit("sound", sound);
                }
            }
            _ => {}
        }
    }
}

relicast_codec::record! {
    /// Name of a palette file (kind 0x01, by a reference implementation).
    pub struct PaletteFile[2..] {
        /// The file.
        file: EncodedText [by |text, stream| text.walk16(stream, "file")],
    }
}
