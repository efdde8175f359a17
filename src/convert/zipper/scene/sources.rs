//! Which corner of which polygon of a model the vertices of its mesh come from, for those who take edits back.

use super::corner::CornerSource;
use super::material::{self, SourceMaterial, Surfaces};
use super::mesh::{self, Drawing};
use super::texture_library::TextureLibrary;
use crate::config::Config;
use crate::formats::zipper::ZipperGame;
use crate::formats::zipper::gamez::{GameZ, Model};
use crate::formats::zipper::mechlib::MechMaterial;

/// The materials that polygons name.
#[derive(Debug, Clone, Copy)]
pub enum Materials<'m> {
    /// Those of a world.
    World(&'m GameZ),
    /// Those of a model library, whose polygons that repeat others are not drawn.
    Library(&'m [MechMaterial], ZipperGame),
}

/// For each primitive of the mesh that a model becomes one entry for each of its indices. `bare` for shapes of
/// collision, which have no materials.
pub fn corner_sources(
    model: &Model,
    materials: Materials<'_>,
    bare: bool,
    config: &Config,
) -> Vec<Vec<CornerSource>> {
    let (sources, version): (Vec<SourceMaterial>, ZipperGame) = match materials {
        Materials::World(gamez) => (material::of_world(gamez), gamez.version),
        Materials::Library(materials, version) => (material::of_library(materials), version),
    };
    let library = TextureLibrary::new(&[], version);
    let surfaces = Surfaces::new(&sources, library.view(config), version);
    let drawing = Drawing {
        unlit: false,
        opacity: 1.0,
        tint: None,
        drop_duplicates: matches!(materials, Materials::Library(..)),
        bare,
    };
    mesh::sources(model, drawing, &surfaces)
}
