//! Corners of the polygons of a model that the vertices of its mesh come from, for packing edited scenes.

use hashbrown::HashMap;

use super::corner::CornerSource;
use super::material::{self, SourceMaterial, Surfaces};
use super::mesh::{self, ShapeKind};
use super::texture_library::TextureLibrary;
use crate::options::ConvertOptions;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{GameZ, Model};
use relicast_formats::zipper::mechlib::MechMaterial;

/// The materials that polygons name.
#[derive(Debug, Clone, Copy)]
pub enum Materials<'m> {
    /// Materials of a world.
    World(&'m GameZ),
    /// Materials of a model library, whose duplicate polygons are not drawn.
    Library(&'m [MechMaterial], ZipperGame),
}

/// Name of a file's material in the scene, as far as the material itself determines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaterialLabel {
    /// The stored name of its texture, or the name of its color.
    pub name: String,
    /// True if it wants a texture.
    pub is_textured: bool,
}

fn listed(materials: Materials<'_>) -> (Vec<SourceMaterial>, ZipperGame) {
    match materials {
        Materials::World(gamez) => (material::of_world(gamez), gamez.version),
        Materials::Library(materials, version) => (material::of_library(materials), version),
    }
}

/// Names of the materials of a file, in their order.
pub fn material_labels(materials: Materials<'_>) -> Vec<MaterialLabel> {
    let (sources, _) = listed(materials);
    let label = |source: &SourceMaterial| MaterialLabel {
        name: source.label(),
        is_textured: source.texture().is_some(),
    };
    sources.iter().map(label).collect()
}

/// For each polygon of a model the first equal polygon, mostly itself. Model libraries show only the first.
pub fn first_equal_polygons(model: &Model, materials: Materials<'_>) -> Vec<usize> {
    if matches!(materials, Materials::World(_)) {
        return (0..model.polygons.len()).collect();
    }
    let mut known = HashMap::new();
    let polygons = model.polygons.iter().enumerate();
    polygons
        .map(|(number, polygon)| *known.entry(mesh::cycle_of(polygon)).or_insert(number))
        .collect()
}

/// For each primitive of the mesh of a model one entry for each of its indices. `bare` for collision shapes, which
/// have no materials.
pub fn corner_sources(
    model: &Model,
    materials: Materials<'_>,
    bare: bool,
    options: &ConvertOptions,
) -> Vec<Vec<CornerSource>> {
    let (sources, version) = listed(materials);
    let library = TextureLibrary::new(&[], version);
    let surfaces = Surfaces::new(&sources, library.view(options), version);
    let kind = ShapeKind {
        drop_duplicates: matches!(materials, Materials::Library(..)),
        bare,
    };
    mesh::sources(model, kind, &surfaces)
}
