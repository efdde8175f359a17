//! Template for new triangles: a polygon that has their material already.

use crate::config::{Config, Layers};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::surfaces::{self, Surface};
use crate::pack::scene::file::{SceneFile, SceneMesh, ScenePrimitive};
use crate::pack::scene::zipper::materials::new_material::shown_name;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_convert::zipper::{CornerSource, material_labels};
use relicast_formats::zipper::gamez::{Model, PerCorner, Polygon, PolygonFlags};

/// Template for new triangles of a primitive.
#[derive(Debug)]
pub(super) struct TriangleTemplate {
    /// Primitives of the original mesh that have the same surface.
    pub primitives: Vec<usize>,
    /// A polygon with this surface, of this model or of another.
    pub polygon: Polygon,
    /// Its layer that the primitive shows.
    pub layer: usize,
    /// Number of layers of a new polygon.
    pub layers: usize,
    /// True if the triangles need texture coordinates.
    pub is_textured: bool,
    /// Name of the material, for messages.
    pub name: String,
}

/// An original mesh, and the model that it comes from.
pub(super) struct Origin<'o> {
    pub tree: &'o GameTree,
    pub base: &'o SceneFile,
    pub mesh: &'o SceneMesh,
    pub model: &'o Model,
    pub sources: &'o [Vec<CornerSource>],
    pub config: &'o Config,
}

/// Sources of the corners of a mesh; `None` if they cannot be determined.
pub(super) fn sources_of(
    tree: &GameTree,
    number: usize,
    mesh: &SceneMesh,
    config: &Config,
) -> Option<Vec<Vec<CornerSource>>> {
    let fits = |sources: &Vec<Vec<CornerSource>>| {
        sources.len() == mesh.primitives.len()
            && sources
                .iter()
                .zip(&mesh.primitives)
                .all(|(sources, primitive)| sources.len() == primitive.positions.len())
    };
    [false, true]
        .map(|bare| tree.sources(number, bare, config))
        .into_iter()
        .find(fits)
}

impl Origin<'_> {
    /// Finds the template for the triangles of a primitive of an edit.
    ///
    /// # Errors
    /// The game file has no such material.
    pub(super) fn template(
        &self,
        edited: &SceneFile,
        primitive: &ScenePrimitive,
    ) -> Result<TriangleTemplate, Refusal> {
        let with = |material: Option<usize>| -> Vec<usize> {
            let parts = self.mesh.primitives.iter().enumerate();
            parts
                .filter(|(_, part)| part.material == material)
                .map(|(number, _)| number)
                .collect()
        };
        let is_bare = self.mesh.primitives.iter().all(|it| it.material.is_none());
        match surfaces::of(self.base, edited, primitive) {
            Surface::Bare => match with(None) {
                none if none.is_empty() => Err(refusal!(
                    "a primitive has no material; give it one of the scene's materials"
                )),
                bare => self.own(bare, ""),
            },
            _ if is_bare => Err(refusal!(
                "it is an invisible shape, whose primitives have no material"
            )),
            Surface::Known(place) => {
                let name = self.base.materials.get(place).map_or("", String::as_str);
                let same = with(Some(place));
                match same.is_empty() {
                    false => self.own(equal_primitives(self.mesh, same, primitive), name),
                    true => self
                        .of_others(place, name)
                        .or_else(|| self.of_file(name))
                        .ok_or_else(|| unknown(name)),
                }
            }
            Surface::Unknown(name) => self.of_file(name).ok_or_else(|| unknown(name)),
        }
    }

    /// A template of polygons of the model itself.
    fn own(&self, primitives: Vec<usize>, name: &str) -> Result<TriangleTemplate, Refusal> {
        let none = || refusal!("it does not come from a polygon of the model");
        let first = *primitives.first().ok_or_else(none)?;
        let source = self.sources.get(first).and_then(|list| list.first());
        let source = source.ok_or_else(none)?;
        let polygon = self.model.polygons.get(source.polygon).ok_or_else(none)?;
        let part = self.mesh.primitives.get(first).ok_or_else(none)?;
        Ok(self.with(primitives, polygon.clone(), source.layer, part, name))
    }

    fn with(
        &self,
        primitives: Vec<usize>,
        mut polygon: Polygon,
        layer: usize,
        part: &ScenePrimitive,
        name: &str,
    ) -> TriangleTemplate {
        let is_textured = part.material.is_some()
            && !polygon.uvs.is_empty()
            && (!part.uvs.is_empty() || self.has_picture(&polygon, layer));
        let layers = match self.config.scenes.layers {
            Layers::Extras => polygon.materials.len().max(1),
            Layers::Blend => 1,
        };
        polygon
            .record
            .corners
            .flags
            .known
            .remove(PolygonFlags::TRI_STRIP);
        TriangleTemplate {
            primitives,
            polygon,
            layer,
            layers,
            is_textured,
            name: name.to_owned(),
        }
    }

    fn has_picture(&self, polygon: &Polygon, layer: usize) -> bool {
        let labels = material_labels(self.tree.materials());
        let material = polygon.materials.get(layer).copied().unwrap_or(-1);
        let label = usize::try_from(material)
            .ok()
            .and_then(|place| labels.get(place));
        label.is_none_or(|label| label.is_textured)
    }

    /// A template of the first polygon of another model that the scene shows with a material.
    fn of_others(&self, material: usize, name: &str) -> Option<TriangleTemplate> {
        for (number, node) in self.base.nodes.iter().enumerate() {
            let mesh = node.mesh.and_then(|mesh| self.base.meshes.get(mesh));
            let Some(mesh) = mesh else { continue };
            let parts = mesh.primitives.iter();
            let Some(place) = parts
                .clone()
                .position(|part| part.is_triangles && part.material == Some(material))
            else {
                continue;
            };
            let found = game_node(self.base, number)
                .and_then(|(index, _)| self.tree.model_of(index))
                .and_then(|model| {
                    let sources = sources_of(self.tree, model, mesh, self.config)?;
                    let source = *sources.get(place)?.first()?;
                    let polygon = self.tree.model(model)?.polygons.get(source.polygon)?;
                    Some((polygon.clone(), source.layer, mesh.primitives.get(place)?))
                });
            if let Some((polygon, layer, part)) = found {
                let polygon = self.at_home(polygon);
                return Some(self.with(Vec::new(), polygon, layer, part, name));
            }
        }
        None
    }

    /// A polygon of another model, adapted to this model.
    fn at_home(&self, mut polygon: Polygon) -> Polygon {
        if let Some(first) = self.model.polygons.first() {
            polygon.record.zone_set = first.record.zone_set;
            let normals = first.flags().contains(PolygonFlags::NORMALS);
            let flags = &mut polygon.record.corners.flags.known;
            flags.set(PolygonFlags::NORMALS, normals);
        }
        polygon
    }

    /// A template of a material of the game file that the scene does not show, by its name.
    fn of_file(&self, name: &str) -> Option<TriangleTemplate> {
        let wanted =
            surfaces::essence(crate::pack::scene::compare::matching::plain_name(name), &[]);
        let is_double_sided = wanted.ends_with("_ds");
        let stem = wanted.strip_suffix("_ds").unwrap_or(&wanted);
        let labels = material_labels(self.tree.materials());
        let place = labels
            .iter()
            .position(|label| shown_name(&label.name).eq_ignore_ascii_case(stem))?;
        let label = labels.get(place)?;
        let mut polygon = self.model.polygons.first()?.clone();
        polygon.materials = PerCorner::from_elem(i32::try_from(place).ok()?, 1);
        polygon.record.priority = 0;
        let flags = &mut polygon.record.corners.flags.known;
        *flags &= PolygonFlags::NORMALS | PolygonFlags::IN_OUT;
        flags.set(PolygonFlags::SHOW_BACKFACE, is_double_sided);
        Some(TriangleTemplate {
            primitives: Vec::new(),
            polygon,
            layer: 0,
            layers: 1,
            is_textured: label.is_textured,
            name: name.to_owned(),
        })
    }
}

fn unknown(name: &str) -> Refusal {
    refusal!(
        "a primitive has the material {name}, which the game file does not have; use one of its materials"
    )
}

/// Of primitives with one material, those with the priority and layer in the extras of a primitive; all without extras.
fn equal_primitives(mesh: &SceneMesh, same: Vec<usize>, primitive: &ScenePrimitive) -> Vec<usize> {
    let rank = |part: &ScenePrimitive| {
        let facts = part.extras.get("zipper");
        ["priority", "layer"].map(|key| {
            let fact = facts.and_then(|facts| facts.get(key));
            fact.and_then(serde_json::Value::as_i64).unwrap_or(0)
        })
    };
    let wanted = rank(primitive);
    let exact: Vec<usize> = same
        .iter()
        .copied()
        .filter(|&number| {
            let part = mesh.primitives.get(number);
            part.is_some_and(|part| rank(part) == wanted)
        })
        .collect();
    if exact.is_empty() { same } else { exact }
}
