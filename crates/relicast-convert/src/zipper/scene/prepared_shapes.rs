//! Triangles of many models, prepared in parallel before their scene, whose nodes are added sequentially.

use std::collections::{BTreeMap, HashMap};

use super::material::Surfaces;
use super::mesh::{Shape, ShapeKind};
use super::nodes::ModelNumber;
use relicast_formats::zipper::gamez::{Model, ModelType};
use relicast_limits as limits;

/// Triangles of models by their numbers. Each is taken once, because most models are shown once.
#[derive(Debug, Default)]
pub(super) struct PreparedShapes(HashMap<ModelNumber, Shape>);

impl PreparedShapes {
    /// Prepares the models that show polygons. Empty with a single thread, which gains nothing.
    pub(super) fn of<'m>(
        models: impl Iterator<Item = (ModelNumber, &'m Model)>,
        kind: ShapeKind,
        surfaces: &Surfaces<'_, '_>,
    ) -> Self {
        if rayon::current_num_threads() < 2 {
            return Self::default();
        }
        let models = models.filter(|(_, model)| {
            !model.polygons.is_empty() && model.record.model_type != ModelType::Points
        });
        let once: BTreeMap<ModelNumber, &Model> = models.collect();
        let once: Vec<(ModelNumber, &Model)> = once.into_iter().collect();
        let shapes = limits::par_map(&once, |&(number, model)| {
            (number, Shape::of(model, kind, surfaces))
        });
        Self(shapes.into_iter().collect())
    }

    /// The shape of a model, unless it was taken or not prepared.
    pub(super) fn take(&mut self, number: ModelNumber) -> Option<Shape> {
        self.0.remove(&number)
    }
}
