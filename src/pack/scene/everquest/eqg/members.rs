//! The members of a later archive that scenes are made from, decoded.

use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::corners::VertexId;
use crate::pack::scene::everquest::edits::Place;
use relicast_formats::everquest::eqg::animation::{self, Animation};
use relicast_formats::everquest::eqg::creature::{self, Creature};
use relicast_formats::everquest::eqg::light::{self, Light};
use relicast_formats::everquest::eqg::mesh::{self, Mesh};
use relicast_formats::everquest::eqg::parts::{Material, Strings, Triangle, Vertex};
use relicast_formats::everquest::eqg::zone::{self, Zone};
use relicast_formats::everquest::pfs::{self, Archive};

/// What a member holds.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Zone(Box<Zone>),
    Mesh(Box<Mesh>),
    Creature(Box<Creature>),
    Light(Light),
    Animation(Animation),
}

impl Body {
    /// What bytes hold; none for members of other kinds, and for what cannot be read.
    fn of(name: &str, bytes: &[u8]) -> Option<Self> {
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
    /// Vertices have a colour and second texture coordinates of their own.
    pub is_coloured: bool,
    /// V of texture coordinates grows up the picture.
    pub is_turned: bool,
}

/// A member.
#[derive(Debug)]
pub(super) struct Member {
    /// Its name in the archive.
    pub name: String,
    /// What it says.
    pub body: Body,
    /// Its place in the archive.
    entry: usize,
    /// Its bytes as they were.
    content: Vec<u8>,
    is_edited: bool,
}

impl Member {
    /// The zone that it is.
    pub(super) fn zone(&self) -> Option<&Zone> {
        match &self.body {
            Body::Zone(zone) => Some(zone),
            _ => None,
        }
    }

    /// Number of pieces of the model that it is.
    pub(super) fn pieces(&self) -> usize {
        match &self.body {
            Body::Mesh(_) => 1,
            Body::Creature(creature) => creature.pieces.len(),
            _ => 0,
        }
    }

    /// A piece of the model that it is.
    pub(super) fn piece(&self, number: usize) -> Option<Piece<'_>> {
        match &self.body {
            Body::Mesh(mesh) if number == 0 => Some(Piece {
                vertices: &mesh.vertices,
                triangles: &mesh.triangles,
                is_coloured: mesh.version >= 3,
                is_turned: !mesh.tail.bones.is_empty(),
            }),
            Body::Creature(creature) => {
                let piece = creature.pieces.get(number)?;
                Some(Piece {
                    vertices: &piece.vertices,
                    triangles: &piece.triangles,
                    is_coloured: creature.version >= 3,
                    is_turned: true,
                })
            }
            _ => None,
        }
    }

    /// The vertices of all pieces before one: where its light starts in a list.
    pub(super) fn first_vertex(&self, piece: usize) -> usize {
        let before = (0..piece).filter_map(|number| self.piece(number));
        before.map(|piece| piece.vertices.len()).sum()
    }

    /// The vertices of a piece of the model that it is.
    pub(super) fn vertices_mut(&mut self, piece: usize) -> Option<&mut Vec<Vertex>> {
        match &mut self.body {
            Body::Mesh(mesh) if piece == 0 => Some(&mut mesh.vertices),
            Body::Creature(creature) => Some(&mut creature.pieces.get_mut(piece)?.vertices),
            _ => None,
        }
    }

    /// The surfaces of the model that it is, with the texts that they name.
    pub(super) fn materials(&self) -> Option<(&[Material], &Strings)> {
        match &self.body {
            Body::Mesh(mesh) => Some((&mesh.materials, &mesh.strings)),
            Body::Creature(creature) => Some((&creature.materials, &creature.strings)),
            _ => None,
        }
    }
}

/// An archive with its members.
#[derive(Debug)]
pub(super) struct Members<'a> {
    archive: Archive<'a>,
    /// Those that scenes are made from, in the order of the archive.
    pub files: Vec<Member>,
    /// Lists of baked light that get another name, or one more: of which member, under which name, and whether the
    /// old one stays.
    lights: Vec<(String, String, bool)>,
}

impl<'a> Members<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    /// It cannot be read, or not be written again.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let archive = pfs::decode(bytes).map_err(Refusal::new)?.value;
        if archive.scattered.is_some() {
            refuse!("the members of its archive do not lie back to back");
        }
        let mut files = Vec::new();
        for (entry, stored) in archive.entries.iter().enumerate() {
            let name = stored.label();
            let start = stored.start(4);
            let is_wanted = start.starts_with(b"EQG") || name.to_lowercase().ends_with(".lit");
            if !is_wanted {
                continue;
            }
            let content = stored.extract().map_err(Refusal::new)?.value;
            if let Some(body) = Body::of(&name, &content) {
                files.push(Member {
                    name,
                    body,
                    entry,
                    content,
                    is_edited: false,
                });
            }
        }
        Ok(Self {
            archive,
            files,
            lights: Vec::new(),
        })
    }

    /// A member that is edited from now on.
    pub(super) fn edit(&mut self, member: usize) -> Option<&mut Member> {
        let member = self.files.get_mut(member)?;
        member.is_edited = true;
        Some(member)
    }

    /// A piece of a model.
    pub(super) fn piece(&self, (member, piece): Place) -> Option<Piece<'_>> {
        self.files.get(member)?.piece(piece)
    }

    /// A vertex of a model.
    pub(super) fn vertex(&self, id: VertexId) -> Option<&Vertex> {
        self.piece(id.mesh)?.vertices.get(id.vertex)
    }

    /// The place of a member by its name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mut files = self.files.iter();
        files.position(|file| file.name.eq_ignore_ascii_case(name))
    }

    /// Whether the members are those of another archive, byte by byte.
    pub(super) fn has_files_of(&self, other: &Members<'_>) -> bool {
        let one = self.files.iter().map(|file| (&file.name, &file.content));
        one.eq(other.files.iter().map(|file| (&file.name, &file.content)))
    }

    /// Gives the baked light of a placement the name that the placement has now. `stays` is whether others have the
    /// old one.
    ///
    /// # Errors
    /// Another member has the new name.
    pub(super) fn rename_light(
        &mut self,
        old: &str,
        new: &str,
        stays: bool,
    ) -> Result<(), Refusal> {
        let [old, new] = [old, new].map(|name| format!("{}.lit", name.to_lowercase()));
        if old == new || self.archive.member(&old).is_none() {
            return Ok(());
        }
        let mut planned = self.lights.iter();
        if self.archive.member(&new).is_some() || planned.any(|(_, name, _)| *name == new) {
            refuse!("its baked light would be {new}, and the archive has a member of this name");
        }
        self.lights.push((old, new, stays));
        Ok(())
    }

    /// The archive with its members as they are now.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub(super) fn encode(&mut self) -> Result<Vec<u8>, Refusal> {
        for file in self.files.iter().filter(|file| file.is_edited) {
            let inside = |refusal: &dyn std::fmt::Display| refusal!("{}: {refusal}", file.name);
            let bytes = file.body.encode().map_err(|refusal| inside(&refusal))?;
            if bytes == file.content {
                continue;
            }
            let before = Body::of(&file.name, &file.content);
            let again = before.and_then(|before| before.encode().ok());
            if again.as_ref() != Some(&file.content) {
                return Err(inside(&"it is not written again as it is"));
            }
            if let Some(entry) = self.archive.entries.get_mut(file.entry) {
                entry.replace(&bytes).map_err(Refusal::new)?;
            }
        }
        for (old, new, stays) in std::mem::take(&mut self.lights) {
            let mut entries = self.archive.entries.iter();
            let own = |label: String| label.eq_ignore_ascii_case(&old);
            let Some(place) = entries.position(|entry| own(entry.label())) else {
                continue;
            };
            let entry = self.archive.entries.get(place);
            let bytes = entry.map(|entry| entry.extract()).transpose();
            let bytes = bytes.map_err(Refusal::new)?;
            let bytes = bytes.map(|bytes| bytes.value).unwrap_or_default();
            if !stays {
                self.archive.remove(place).map_err(Refusal::new)?;
            }
            self.archive.add(&new, &bytes).map_err(Refusal::new)?;
        }
        pfs::encode(&self.archive).map_err(Refusal::new)
    }
}
