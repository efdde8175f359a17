//! Members of an archive in EQG format that scenes are made from, decoded.

use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::archive::{self, Content};
use crate::pack::scene::everquest::corners::VertexId;
use crate::pack::scene::everquest::edits::Place;
use relicast_formats::everquest::eqg::animation::{self, Animation};
use relicast_formats::everquest::eqg::creature::{self, Creature};
use relicast_formats::everquest::eqg::light::{self, Light};
use relicast_formats::everquest::eqg::mesh::{self, Mesh};
use relicast_formats::everquest::eqg::parts::{Material, Strings, Triangle, Vertex};
use relicast_formats::everquest::eqg::zone::{self, Zone};
use relicast_formats::everquest::pfs::Entry;

/// Decoded contents of a member.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) enum Body {
    Zone(Box<Zone>),
    Mesh(Box<Mesh>),
    Creature(Box<Creature>),
    Light(Light),
    Animation(Animation),
}

impl Content for Body {
    const LABEL: &'static str = "zones, models or animations";

    fn is_wanted(entry: &Entry<'_>) -> bool {
        let is_light = entry.label().to_lowercase().ends_with(".lit");
        is_light || entry.start(4).starts_with(b"EQG")
    }

    fn decode(name: &str, bytes: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match bytes.get(..4)? {
            b"EQGZ" => Some(Self::Zone(Box::new(zone::decode(bytes).ok()?.value))),
            b"EQGT" | b"EQGM" => Some(Self::Mesh(Box::new(mesh::decode(bytes).ok()?.value))),
            b"EQGS" => {
                let creature = creature::decode(bytes).ok()?.value;
                Some(Self::Creature(Box::new(creature)))
            }
            b"EQGA" => Some(Self::Animation(animation::decode(bytes).ok()?.value)),
            _ if name.ends_with(".lit") => Some(Self::Light(light::decode(bytes).ok()?.value)),
            _ => None,
        }
    }

    fn encode(&self) -> Result<Vec<u8>, Refusal> {
        let bytes = match self {
            Self::Zone(zone) => zone::encode(zone),
            Self::Mesh(mesh) => mesh::encode(mesh),
            Self::Creature(creature) => creature::encode(creature),
            Self::Light(light) => light::encode(light),
            Self::Animation(animation) => animation::encode(animation),
        };
        bytes.map_err(Refusal::new)
    }
}

/// A piece of a model.
#[derive(Debug)]
pub(super) struct Piece<'m> {
    pub vertices: &'m [Vertex],
    pub triangles: &'m [Triangle],
    /// Vertices have their own color and second texture coordinates.
    pub is_colored: bool,
    /// V of texture coordinates increases upward.
    pub is_turned: bool,
}

/// A member.
pub(super) type Member = archive::Member<Body>;

/// An archive with its members.
pub(in crate::pack::scene) type Members<'a> = archive::Members<'a, Body>;

impl Member {
    /// The zone in it.
    pub(super) fn zone(&self) -> Option<&Zone> {
        match &self.body {
            Body::Zone(zone) => Some(zone),
            _ => None,
        }
    }

    /// Number of pieces of the model in it.
    pub(super) fn pieces(&self) -> usize {
        match &self.body {
            Body::Mesh(_) => 1,
            Body::Creature(creature) => creature.pieces.len(),
            _ => 0,
        }
    }

    /// A piece of the model in it.
    pub(super) fn piece(&self, number: usize) -> Option<Piece<'_>> {
        match &self.body {
            Body::Mesh(mesh) if number == 0 => Some(Piece {
                vertices: &mesh.vertices,
                triangles: &mesh.triangles,
                is_colored: mesh.version >= 3,
                is_turned: !mesh.tail.bones.is_empty(),
            }),
            Body::Creature(creature) => {
                let piece = creature.pieces.get(number)?;
                Some(Piece {
                    vertices: &piece.vertices,
                    triangles: &piece.triangles,
                    is_colored: creature.version >= 3,
                    is_turned: true,
                })
            }
            _ => None,
        }
    }

    /// Number of vertices of all pieces before one: the start of its light in a list.
    pub(super) fn first_vertex(&self, piece: usize) -> usize {
        let before = (0..piece).filter_map(|number| self.piece(number));
        before.map(|piece| piece.vertices.len()).sum()
    }

    /// The vertices of a piece of the model in it.
    pub(super) fn vertices_mut(&mut self, piece: usize) -> Option<&mut Vec<Vertex>> {
        match &mut self.body {
            Body::Mesh(mesh) if piece == 0 => Some(&mut mesh.vertices),
            Body::Creature(creature) => Some(&mut creature.pieces.get_mut(piece)?.vertices),
            _ => None,
        }
    }

    /// The surfaces of the model in it, with the texts that they name.
    pub(super) fn materials(&self) -> Option<(&[Material], &Strings)> {
        match &self.body {
            Body::Mesh(mesh) => Some((&mesh.materials, &mesh.strings)),
            Body::Creature(creature) => Some((&creature.materials, &creature.strings)),
            _ => None,
        }
    }
}

impl Members<'_> {
    /// A piece of a model.
    pub(super) fn piece(&self, place: Place) -> Option<Piece<'_>> {
        self.files.get(place.member)?.piece(place.index)
    }

    /// A vertex of a model.
    pub(super) fn vertex(&self, id: VertexId) -> Option<&Vertex> {
        self.piece(id.mesh)?.vertices.get(id.vertex)
    }

    /// Renames the baked light of a placement after the placement. With `is_copy`, others keep the old one.
    ///
    /// # Errors
    /// Another member has the new name.
    pub(super) fn rename_light(
        &mut self,
        old: &str,
        new: &str,
        is_copy: bool,
    ) -> Result<(), Refusal> {
        let [old, new] = [old, new].map(|name| format!("{}.lit", name.to_lowercase()));
        self.rename(old, new, is_copy)
    }
}
