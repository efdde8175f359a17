//! The scene files in an archive, decoded.

use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::archive::{self, Content};
use crate::pack::scene::everquest::edits::Place;
use relicast_formats::everquest::pfs::Entry;
use relicast_formats::everquest::wld::{self, Body, Wld};

/// A scene file.
pub(in crate::pack::scene) type Member = archive::Member<Wld<'static>>;

/// An archive with its scene files.
pub(in crate::pack::scene) type Members<'a> = archive::Members<'a, Wld<'static>>;

impl Content for Wld<'static> {
    const LABEL: &'static str = "scene files";

    fn is_wanted(entry: &Entry<'_>) -> bool {
        entry.label().to_ascii_lowercase().ends_with(".wld")
    }

    fn decode(_name: &str, bytes: &[u8]) -> Option<Self> {
        Some(wld::decode(bytes).ok()?.value.into_owned())
    }

    fn encode(&self) -> Result<Vec<u8>, Refusal> {
        wld::encode(self).map_err(Refusal::new)
    }

    fn has_form_of(&self, other: &Self) -> bool {
        let sizes = |body: &Body<'_>| match body {
            Body::Mesh(mesh) => [mesh.positions.len(), mesh.faces.len(), mesh.pieces.len()],
            Body::LegacyMesh(mesh) => [mesh.positions.len(), mesh.faces.len(), 0],
            Body::MaterialPalette(list) => [list.materials.len(), 0, 0],
            Body::TrackDefinition(track) => [track.len(), 0, 0],
            Body::VertexColors(list) => [list.colors.len(), 0, 0],
            _ => [0; 3],
        };
        let mut fragments = self.fragments.iter().zip(&other.fragments);
        self.fragments.len() == other.fragments.len()
            && fragments.all(|(one, other)| {
                one.kind() == other.kind() && sizes(&one.body) == sizes(&other.body)
            })
    }
}

impl Members<'_> {
    /// Returns the number of a scene file by its name.
    ///
    /// # Errors
    /// The archive has no such file.
    pub(in crate::pack::scene) fn scene_file(&self, name: &str) -> Result<usize, Refusal> {
        self.find(name).ok_or_else(|| {
            refusal!("the archive has no {name}; edit the scene of the archive that has it")
        })
    }

    /// Returns the body of a fragment.
    pub(in crate::pack::scene) fn body(&self, place: Place) -> Option<&Body<'static>> {
        let file = self.files.get(place.member)?;
        Some(&file.body.fragments.get(place.index)?.body)
    }

    /// Returns the body of a fragment, for editing.
    pub(in crate::pack::scene) fn edit_body(&mut self, place: Place) -> Option<&mut Body<'static>> {
        let file = self.edit(place.member)?;
        Some(&mut file.body.fragments.get_mut(place.index)?.body)
    }

    /// Returns the places of the fragments of a kind.
    pub(in crate::pack::scene) fn places(&self, is_one: fn(&Body<'_>) -> bool) -> Vec<Place> {
        let files = self.files.iter().enumerate();
        let places = files.flat_map(|(member, file)| {
            let fragments = file.body.fragments.iter().enumerate();
            let found = fragments.filter(|(_, fragment)| is_one(&fragment.body));
            found.map(move |(index, _)| Place { member, index })
        });
        places.collect()
    }
}
