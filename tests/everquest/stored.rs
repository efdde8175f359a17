//! Expected values of the fixtures' fragments, with nothing of the converter.

use std::collections::{BTreeMap, BTreeSet};

use relicast::formats::everquest::wld::{Body, Mesh, Surface, Wld};

use crate::output::{Loaded, Part, key, turned};
use crate::support::fixture_members;

/// Bytes of the scene of an archive.
pub fn scene(archive: &str, member: &str) -> Vec<u8> {
    let folder = crate::support::fixtures();
    fixture_members(&folder, archive)[member].clone()
}

pub fn material_names(wld: &Wld<'_>, mesh: &Mesh) -> Vec<(String, Surface)> {
    let Some(Body::MaterialPalette(palette)) = wld.get(mesh.palette).map(|it| &it.body) else {
        panic!("no palette");
    };
    let names = palette.materials.iter().map(|&material| {
        let fragment = wld.get(material).unwrap();
        match &fragment.body {
            Body::Material(material) => (fragment.name().to_owned(), material.surface()),
            other => panic!("{:?}", other.kind()),
        }
    });
    names.collect()
}

pub type Triangles = BTreeMap<(String, bool), Vec<[[i64; 5]; 3]>>;

/// Expected triangles of a mesh: (x, y, z) of glTF = (y, z, x) of the file, corners reversed, V from the top.
/// Drawn ones first, then the others.
pub fn expected(wld: &Wld<'_>, mesh: &Mesh, drawn: &mut Triangles, undrawn: &mut Triangles) {
    let names = material_names(wld, mesh);
    let scale = 0.5_f32.powi(i32::from(mesh.scale_exponent));
    for (face, slot) in mesh.faces_with_materials() {
        let (name, surface) = &names[usize::from(slot.unwrap())];
        let [a, b, c] = face.vertices.map(usize::from);
        let corners = [a, c, b].map(|vertex| {
            let raw = mesh.positions[vertex].map(f32::from);
            let center = mesh.center.to_array();
            let [x, y, z] = [0, 1, 2].map(|axis: usize| raw[axis] * scale + center[axis]);
            let [u, v] = mesh.texture_coordinates.get(vertex).unwrap_or_default();
            let no_texture = matches!(surface, Surface::Boundary);
            let [u, v] = if no_texture { [0.0; 2] } else { [u, 1.0 - v] };
            [y, z, x, u, v].map(key)
        });
        let set = match surface {
            Surface::Boundary | Surface::Invisible => &mut *undrawn,
            _ => &mut *drawn,
        };
        let solid = face.flags.bits() & 0x10 == 0;
        let list = set.entry((name.clone(), solid)).or_default();
        list.push(turned(corners));
    }
}

pub fn sorted(mut all: Triangles) -> Triangles {
    for list in all.values_mut() {
        list.sort_unstable();
    }
    all
}

pub fn meshes<'w>(wld: &'w Wld<'_>) -> impl Iterator<Item = &'w Mesh<'w>> {
    wld.fragments
        .iter()
        .filter_map(|fragment| match &fragment.body {
            Body::Mesh(mesh) => Some(&**mesh),
            _ => None,
        })
}

pub fn all_parts(file: &Loaded) -> Vec<Part> {
    let meshes = file.document.meshes();
    meshes.flat_map(|mesh| file.parts(&mesh)).collect()
}

/// Vertices of parts; those of one material share them.
pub fn vertex_count(parts: &[Part]) -> usize {
    let mut seen = BTreeSet::new();
    let own = parts
        .iter()
        .filter(|part| seen.insert(part.material.clone()));
    own.map(|part| part.vertices.len()).sum()
}
