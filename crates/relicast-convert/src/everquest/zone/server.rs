//! Doors, objects and creatures of a server's tables in the scene of a zone, from models of scene files.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::everquest::actor::RestPoseModel;
use crate::everquest::archive::ArchiveSet;
use crate::everquest::catalog::Root;
use crate::everquest::scene_builder::Layers;
use crate::everquest::server_rows::{self, NO_MODEL, NOT_FINITE, Omitted, ServerRows, Summary};
use relicast_formats::everquest::server_tables::{Placed, Row};
use relicast_scene::extras::ObjectExtras;
use relicast_scene::model::{Node, NodeId};

use super::models::Models;
use super::placements::{LeftOut, PlacementTable, Placer, PoseKey, Posed};

/// Substrings of the names of shared archives that hold objects and items.
const THINGS: &[&str] = &["_obj", "gequip"];

/// Substring of the names of shared archives that hold creatures.
const CREATURES: &[&str] = &["chr"];

/// Model of a creature in its pose.
type Standing = Option<Rc<RestPoseModel>>;

/// Models that a server places.
struct ServerModels<'s, 'a> {
    things: Models<'s, 'a>,
    creatures: Models<'s, 'a>,
    /// Creatures in their poses, by archive, scene file and skeleton.
    standing: HashMap<(usize, usize, usize), Standing>,
}

/// Places the rows whose models are in scene files, with a placer of its own. Returns the number of placements by
/// model.
pub(in crate::everquest) fn place_rows<'s, 'a>(
    rows: &mut ServerRows,
    archive_set: &'s ArchiveSet<'a>,
    layers: &mut Layers<'s, 'a>,
    above: NodeId,
) -> BTreeMap<String, usize> {
    let mut placer = Placer::new(archive_set, layers);
    place_with(&mut placer, rows, above);
    placer.finish().models
}

/// Places the rows whose models are in scene files.
pub(super) fn place_with(placer: &mut Placer<'_, '_, '_>, rows: &mut ServerRows, above: NodeId) {
    let mut models = ServerModels {
        things: Models::new(placer.archive_set, THINGS),
        creatures: Models::new(placer.archive_set, CREATURES),
        standing: HashMap::new(),
    };
    rows.place(|file, row| place(placer, &mut models, file, row, above));
}

/// Adds the rows that are not in the scene to a table, and returns the summary.
pub(super) fn finish(rows: ServerRows, table: &mut PlacementTable) -> Summary {
    rows.finish(|file, row, (model, reason)| {
        table.left_out.push(LeftOut {
            file: file.to_owned(),
            index: row.line as usize,
            model,
            reason,
            position: Some(server_rows::position(row)),
        });
    })
}

/// Places a row; the error is a model or race and the reason for leaving it out.
fn place<'s, 'a>(
    placer: &mut Placer<'_, 's, 'a>,
    models: &mut ServerModels<'s, 'a>,
    file: &str,
    row: &Row,
    above: NodeId,
) -> Result<(), Omitted> {
    let name = server_rows::model_name(row)?;
    let found = match row.placed {
        Placed::Creature(_) => &mut models.creatures,
        Placed::Model(_) => &mut models.things,
    }
    .find(&server_rows::actor_name(&name));
    let Some((from, catalog, place)) = found else {
        return Err((name, NO_MODEL));
    };
    let Some(model) = catalog.models.get(place) else {
        return Err((name, NO_MODEL));
    };
    if let Root::Sprites(_) = model.root {
        return Err((name, "no geometry is in the model"));
    }
    let Some(transform) = server_rows::transform(row) else {
        return Err((name, NOT_FINITE));
    };
    let mut facts = server_rows::facts(file, row);
    facts.model = Some(model.name.clone());
    let node = placer.layers.main.scene.add_node(Node {
        name: model.name.clone(),
        transform,
        extras: facts.extras(),
        ..Node::default()
    });
    placer.layers.main.scene.add_child(above, node);
    *placer.table.models.entry(model.name.clone()).or_default() += 1;
    match (&row.placed, &model.root) {
        (Placed::Creature(creature), &Root::Skeleton(skeleton)) => {
            let key = (from.opened, from.file.member, skeleton);
            let archives = placer.archive_set;
            let standing = models.standing.entry(key).or_insert_with(|| {
                let others = archives.tracks_for_model(from.opened, from.file.member);
                RestPoseModel::standing(from, skeleton, &model.name, others).map(Rc::new)
            });
            if let Some(standing) = standing.clone() {
                let skin_and_face = Some((creature.texture, creature.face));
                let stance = PoseKey {
                    skeleton,
                    skin_and_face,
                };
                let posed = Posed {
                    rest_pose: &standing,
                    stance,
                    transform,
                };
                placer.show_jointed(from, &model.name, posed, node, None);
            }
        }
        _ => placer.show(from, model, node, transform, None),
    }
    Ok(())
}
