//! Models rebuilt from meshes whose triangles changed: polygons whose triangles all exist stay, the others are removed,
//! and every new triangle becomes a polygon.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::face_maker::{FaceMaker, Made, add_overlay};
use super::models::ModelEdits;
use super::triangle_template::{Origin, TriangleTemplate, sources_of};
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{CornerChange, MeshRemake, corner_change};
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::pairing::{Pairs, Triangle, is_seen, pair};
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::SceneMesh;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_convert::zipper::first_equal_polygons;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{MaterialRecord, Model, PerCorner, Polygon};

/// Beyond this the radius of a model would not be finite.
const FARTHEST: f32 = 1e18;

/// Rebuilds the model of a mesh whose triangles changed, and returns it with its number.
///
/// # Errors
/// The format or the file has no place for the mesh.
pub(in crate::pack::scene::zipper) fn remake(
    tree: &GameTree,
    ScenePair { base, edited }: ScenePair<'_>,
    change: &MeshRemake,
    config: &Config,
) -> Result<(usize, Model), Refusal> {
    let unknown = || refusal!("it does not come from a model of the game file");
    let (index, _) = game_node(base, change.node).ok_or_else(unknown)?;
    let number = tree.model_of(index).ok_or_else(unknown)?;
    let model = tree.model(number).ok_or_else(unknown)?;
    let mesh = base.meshes.get(change.old).ok_or_else(unknown)?;
    let wanted = edited.meshes.get(change.new).ok_or_else(unknown)?;
    let sources = sources_of(tree, number, mesh, config)
        .ok_or_else(|| refusal!("its triangles cannot be traced to polygons of the model"))?;
    is_possible(model, wanted)?;
    let origin = Origin {
        tree,
        base,
        mesh,
        model,
        sources: &sources,
        config,
    };
    let templates = wanted
        .primitives
        .iter()
        .map(|primitive| origin.template(edited, primitive))
        .collect::<Result<Vec<_>, _>>()?;
    let fits = |old: usize, new: usize| {
        let template = templates.get(new);
        template.is_some_and(|template| template.primitives.contains(&old))
    };
    let tolerance = Tolerance::EXACT;
    let pairs = pair(mesh, wanted, &[tolerance], &fits);
    let plan = Plan::new(&origin, wanted, &pairs, tolerance);
    let mut maker = FaceMaker::new(&origin, plan.keep(&origin)?, tolerance.normal);
    let made = plan.make(&mut maker, wanted, &templates, &pairs)?;
    let mut model = maker.model;
    assemble(&mut model, &plan, made);
    tidy(&mut model, origin.model);
    if let [polygon] = &mut *model.polygons
        && tree.version() == ZipperGame::CrimsonSkies
        && polygon.corners() == 3
        && !polygon.materials.iter().any(|material| {
            let record = usize::try_from(*material).ok();
            let record = record.and_then(|number| tree.material(number));
            record.is_some_and(MaterialRecord::is_textured)
        })
    {
        repeat_last_corner(polygon);
    }
    tree.refer(&mut model);
    set_addresses(&mut model);
    Ok((number, model))
}

fn is_possible(model: &Model, wanted: &SceneMesh) -> Result<(), Refusal> {
    let uneven = wanted
        .primitives
        .iter()
        .any(|part| part.positions.len() % 3 != 0);
    if uneven {
        refuse!("the number of a primitive's corners is not a multiple of 3");
    }
    let positions = wanted.primitives.iter().flat_map(|part| &part.positions);
    if let Some(far) = positions.flatten().find(|part| part.abs() > FARTHEST) {
        refuse!("a vertex at {far} is too far away for the bounding sphere of the model");
    }
    let mut all = wanted
        .primitives
        .iter()
        .enumerate()
        .flat_map(|(primitive, part)| {
            (0..part.positions.len() / 3).map(move |number| Triangle {
                primitive,
                first: number * 3,
            })
        });
    if !all.any(|triangle| is_seen(wanted, triangle)) {
        refuse!("no visible triangle is left; a model needs at least one");
    }
    if !model.morphs.is_empty() {
        refuse!(
            "its vertices have morph targets, which scenes do not contain, so its triangles cannot be changed"
        );
    }
    Ok(())
}

/// The position of a polygon before, among or after the original polygons, and its order there.
type Order = (usize, u8, usize);

/// Plan for the polygons of a model.
struct Plan {
    /// Removed polygons, including repetitions of removed ones.
    gone: BTreeSet<usize>,
    /// Changes at the corners of polygons that stay, by primitive and corner of the original mesh.
    changes: BTreeMap<(usize, usize), CornerChange>,
}

impl Plan {
    fn new(origin: &Origin<'_>, wanted: &SceneMesh, pairs: &Pairs, tolerance: Tolerance) -> Self {
        let source = |primitive: usize, corner: usize| {
            let sources = origin.sources.get(primitive);
            sources.and_then(|list| list.get(corner)).copied()
        };
        let mut gone: BTreeSet<usize> = pairs
            .lost
            .iter()
            .filter_map(|triangle| source(triangle.primitive, triangle.first))
            .map(|source| source.polygon)
            .collect();
        let mut changes: BTreeMap<(usize, usize), CornerChange> = BTreeMap::new();
        let mut by_corner = BTreeMap::new();
        for (triangle, twin) in &pairs.new {
            let Some(twin) = twin else { continue };
            let parts = (
                origin.mesh.primitives.get(twin.triangle.primitive),
                wanted.primitives.get(triangle.primitive),
            );
            let (Some(old), Some(new)) = parts else {
                continue;
            };
            for step in 0..3 {
                let corner = twin.corner(step);
                let edited = new.corner(triangle.first + step);
                let mut change = corner_change(old.corner(corner), edited, tolerance);
                change.position = None;
                let Some(source) = source(twin.triangle.primitive, corner) else {
                    continue;
                };
                // A corner of a polygon is in several triangles.
                let known = by_corner.entry(source).or_insert_with(|| change.clone());
                if *known != change {
                    gone.insert(source.polygon);
                }
                changes.insert((twin.triangle.primitive, corner), change);
            }
        }
        let firsts = first_equal_polygons(origin.model, origin.tree.materials());
        let repeats = firsts.iter().enumerate();
        let repeats: Vec<usize> = repeats
            .filter(|(_, first)| gone.contains(first))
            .map(|(polygon, _)| polygon)
            .collect();
        gone.extend(repeats);
        changes.retain(|&(primitive, corner), _| {
            source(primitive, corner).is_some_and(|source| !gone.contains(&source.polygon))
        });
        Self { gone, changes }
    }

    /// The model with the changed corners of the polygons that stay.
    fn keep(&self, origin: &Origin<'_>) -> Result<Model, Refusal> {
        let mut model = origin.model.clone();
        let mut edits = ModelEdits::default();
        let parts = origin.mesh.primitives.iter().zip(origin.sources);
        for (number, (part, sources)) in parts.enumerate() {
            let changes: Vec<CornerChange> = (0..part.positions.len())
                .map(|corner| {
                    let change = self.changes.get(&(number, corner));
                    change.cloned().unwrap_or_default()
                })
                .collect();
            edits.take(sources, &part.positions, &changes)?;
        }
        edits.apply(&mut model)?;
        Ok(model)
    }

    /// Makes the polygons of new triangles, and of remaining triangles of removed polygons.
    fn make(
        &self,
        maker: &mut FaceMaker<'_>,
        wanted: &SceneMesh,
        templates: &[TriangleTemplate],
        pairs: &Pairs,
    ) -> Result<Vec<(Order, Polygon)>, Refusal> {
        let orders = self.orders(maker.origin, pairs);
        let mut made: Vec<(Order, Made)> = Vec::new();
        let mut over: Vec<(Made, &str)> = Vec::new();
        for ((triangle, twin), order) in pairs.new.iter().zip(orders) {
            let (Some(order), true) = (order, is_seen(wanted, *triangle)) else {
                continue;
            };
            let parts = (
                wanted.primitives.get(triangle.primitive),
                templates.get(triangle.primitive),
            );
            let (Some(part), Some(template)) = parts else {
                continue;
            };
            match maker.make(part.triangle(triangle.first), *twin, template)? {
                Some(face) if face.layer > 0 => over.push((face, &template.name)),
                Some(face) => made.push((order, face)),
                None => {}
            }
        }
        over.sort_by_key(|(face, _)| face.layer);
        for (face, name) in over {
            add_overlay(made.iter_mut().map(|(_, made)| made), &face, name)?;
        }
        let polygons = made.into_iter();
        Ok(polygons
            .map(|(order, made)| (order, made.polygon))
            .collect())
    }

    /// For each triangle of the edit the place of its polygon: after the polygon of the last triangle before it that
    /// stays, else before that of the first after it, else at the end. `None` for triangles whose polygons stay.
    fn orders(&self, origin: &Origin<'_>, pairs: &Pairs) -> Vec<Option<Order>> {
        let stays = |(_, twin): &(Triangle, Option<crate::pack::scene::compare::pairing::Twin>)| {
            let twin = (*twin)?;
            let sources = origin.sources.get(twin.triangle.primitive)?;
            let polygon = sources.get(twin.triangle.first)?.polygon;
            (!self.gone.contains(&polygon)).then_some(polygon)
        };
        let kept: Vec<Option<usize>> = pairs.new.iter().map(stays).collect();
        let mut behind: HashMap<usize, usize> = HashMap::new();
        let mut orders: Vec<Option<Order>> = Vec::with_capacity(kept.len());
        for (number, ((triangle, _), kept)) in pairs.new.iter().zip(&kept).enumerate() {
            orders.push(match kept {
                Some(polygon) => {
                    behind.insert(triangle.primitive, *polygon);
                    None
                }
                None => {
                    let last = behind.get(&triangle.primitive).copied();
                    Some(last.map_or((usize::MAX, 2, number), |last| (last, 2, number)))
                }
            });
        }
        let mut before: HashMap<usize, usize> = HashMap::new();
        let rows = pairs.new.iter().zip(&kept).zip(&mut orders);
        for (((triangle, _), kept), order) in rows.rev() {
            if let Some(polygon) = kept {
                before.insert(triangle.primitive, *polygon);
            }
            if let Some((usize::MAX, _, number)) = *order
                && let Some(next) = before.get(&triangle.primitive)
            {
                *order = Some((*next, 0, number));
            }
        }
        orders
    }
}

/// Puts the polygons that stay and the new ones in one order.
fn assemble(model: &mut Model, plan: &Plan, made: Vec<(Order, Polygon)>) {
    let stay = std::mem::take(&mut model.polygons).into_iter().enumerate();
    let mut all: Vec<(Order, Polygon)> = stay
        .filter(|(number, _)| !plan.gone.contains(number))
        .map(|(number, polygon)| ((number, 1, 0), polygon))
        .collect();
    all.extend(made);
    all.sort_by_key(|(order, _)| *order);
    model.polygons = all.into_iter().map(|(_, polygon)| polygon).collect();
}

/// Removes vertices and normals that polygons no longer use; those that were unused before stay.
fn tidy(model: &mut Model, before: &Model) {
    fn thin<T>(
        rows: &mut Vec<T>,
        known: usize,
        old: &BTreeSet<u32>,
        new: &BTreeSet<u32>,
    ) -> HashMap<u32, u32> {
        let mut places = HashMap::new();
        let mut next = 0_u32;
        let mut number = 0_u32;
        rows.retain(|_| {
            let is_known = (number as usize) < known;
            let stays = new.contains(&number) || (is_known && !old.contains(&number));
            if stays {
                places.insert(number, next);
                next = next.saturating_add(1);
            }
            number = number.saturating_add(1);
            stays
        });
        places
    }
    fn used(model: &Model, list: impl Fn(&Polygon) -> &PerCorner<u32>) -> BTreeSet<u32> {
        model
            .polygons
            .iter()
            .flat_map(|polygon| list(polygon).iter().copied())
            .collect()
    }
    let [old, new] = [before, &*model].map(|it| used(it, |polygon| &polygon.vertex_indices));
    let vertices = thin(&mut model.vertices, before.vertices.len(), &old, &new);
    let [old, new] = [before, &*model].map(|it| used(it, |polygon| &polygon.normal_indices));
    let normals = thin(&mut model.normals, before.normals.len(), &old, &new);
    let renumber = |list: &mut [u32], places: &HashMap<u32, u32>| {
        for index in list {
            *index = places.get(index).copied().unwrap_or(*index);
        }
    };
    for polygon in &mut model.polygons {
        renumber(&mut polygon.vertex_indices, &vertices);
        renumber(&mut polygon.normal_indices, &normals);
    }
}

/// Lists have an address exactly when they are not empty.
fn set_addresses(model: &mut Model) {
    let record = &mut model.record;
    let some = [record.polygons_ptr, record.vertices_ptr, 1];
    let some = some.into_iter().find(|&it| it != 0).unwrap_or(1);
    for (address, is_empty) in [
        (&mut record.polygons_ptr, model.polygons.is_empty()),
        (&mut record.vertices_ptr, model.vertices.is_empty()),
        (&mut record.normals_ptr, model.normals.is_empty()),
        (
            &mut record.material_refs_ptr,
            model.material_references.is_empty(),
        ),
    ] {
        *address = match (is_empty, *address) {
            (true, _) => 0,
            (false, 0) => some,
            (false, address) => address,
        };
    }
}

/// Repeats the last corner of a triangle. A model that is a triangle without picture is a marker in Crimson Skies, and
/// not shown; with four corners it is a shape, and looks the same.
fn repeat_last_corner(polygon: &mut Polygon) {
    fn repeated<T: Copy>(rows: &[T]) -> Vec<T> {
        let layers = rows.chunks(3);
        let repeated = layers.flat_map(|layer| layer.iter().chain(layer.last()));
        repeated.copied().collect()
    }
    polygon.vertex_indices = repeated(&polygon.vertex_indices).into();
    polygon.normal_indices = repeated(&polygon.normal_indices).into();
    polygon.colors = repeated(&polygon.colors).into();
    polygon.uvs = repeated(&polygon.uvs).into();
}
