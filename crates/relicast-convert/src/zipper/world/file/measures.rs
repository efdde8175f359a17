//! Counts and tables of a world or of a model.

use std::collections::BTreeSet;

use crate::options::ConvertOptions;
use crate::zipper::crimson::LiveryVariants;
use crate::zipper::scene::checks::{Checks, VariantChecks};
use crate::zipper::scene::finish::{finish_model, measure_bounds};
use crate::zipper::scene::hierarchy::HierarchyBuilder;
use relicast_formats::zipper::gamez::{self, GameZ};

use super::WorldFile;
use crate::zipper::world::tables::{self, Grid, PolygonTables, Tables};

impl<'a> WorldFile<'a> {
    /// Finishes the scenes of a model, and returns their counts.
    pub(super) fn checks(
        &self,
        root: Option<usize>,
        livery_variants: Option<&LiveryVariants<'_>>,
        options: &ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'_, '_, 'a, GameZ>,
    ) -> Checks {
        let mut checks = std::mem::take(&mut hierarchy.layout.checks);
        checks.variants = livery_variants.map(|livery_variants| {
            let variants = &livery_variants.variants;
            let names = variants.variants.iter().map(|variant| variant.name.clone());
            VariantChecks {
                names: names.collect(),
                replaced: variants.replaced(),
                missing: variants.lost.clone(),
            }
        });
        if root.is_some() {
            checks.bound_meshes = finish_model(&mut hierarchy.builders, options);
        }
        measure_bounds(&hierarchy.builders, &mut checks);
        let world = self.gamez.nodes.world().filter(|_| root.is_none());
        if let (Some((_, world)), Some([least, greatest])) = (world, checks.bounds) {
            checks.within_area = Some(is_within_area(world, least, greatest));
        }
        checks
    }

    /// The tables of the world, or of the template `root`, which shows the models `used`.
    pub(super) fn tables<'t>(
        &'t self,
        root: Option<usize>,
        used: BTreeSet<usize>,
        checks: &'t Checks,
    ) -> Tables<'t> {
        let world = self.gamez.nodes.world().filter(|_| root.is_none());
        let templates = self.templates.iter().filter(|_| root.is_none());
        let unreachable = self.unreachable.iter().filter(|_| root.is_none());
        let used = used.into_iter().filter_map(|slot| {
            let model = self.gamez.models.get(slot)?;
            Some((slot, model))
        });
        Tables {
            game: self.gamez.version.short_name(),
            checks,
            placements: None,
            grid: world.map(|(_, world)| Grid::new(world)),
            templates: tables::references(&self.gamez, templates.copied()),
            unreachable: tables::references(&self.gamez, unreachable.copied()),
            polygons: PolygonTables::new(used),
        }
    }
}

/// Returns true when a box, in scene space, is in the area of a world.
fn is_within_area(world: &gamez::World, least: [f64; 3], greatest: [f64; 3]) -> bool {
    let record = &world.record;
    let [left, right] = [record.area_left, record.area_right].map(|edge| f64::from(edge.0));
    let [top, bottom] = [record.area_top, record.area_bottom].map(|edge| f64::from(edge.0));
    least[0] >= left && greatest[0] <= right && least[2] >= top && greatest[2] <= bottom
}
