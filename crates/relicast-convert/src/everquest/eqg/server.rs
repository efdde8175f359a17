//! Doors, objects and creatures of a server's tables in the scene of a zone, from models of `.eqg` archives.

use std::collections::BTreeMap;

use crate::everquest::archive::ArchiveSet;
use crate::everquest::scene_builder::Layers;
use crate::everquest::server_rows::{self, NO_MODEL, NOT_FINITE, Omitted, ServerRows};
use relicast_formats::everquest::server_tables::{Placed, Row};
use relicast_scene::model::NodeId;

use super::creatures::Creatures;
use super::placing::{Placement, Placer};

/// Extensions of the files of a model, the best first: a list of levels of detail names the finest one.
const MODELS: [&str; 3] = ["mod", "lod", "mds"];

/// Extensions of the files of a creature.
const CREATURES: [&str; 2] = ["mds", "mod"];

/// Places the rows whose models are in `.eqg` archives, and returns the number of placements of each model.
pub(in crate::everquest) fn place_rows<'s, 'a>(
    rows: &mut ServerRows,
    set: &'s ArchiveSet<'a>,
    layers: &mut Layers<'s, 'a>,
    above: NodeId,
) -> BTreeMap<String, usize> {
    let mut placer = Placer::new(layers, set);
    let mut creatures = Creatures::default();
    rows.place(|file, row| place(&mut placer, &mut creatures, file, row, above));
    placer.models
}

/// Places a row; the error is a model or race and the reason for leaving it out.
fn place(
    placer: &mut Placer<'_, '_, '_>,
    creatures: &mut Creatures,
    file: &str,
    row: &Row,
    above: NodeId,
) -> Result<(), Omitted> {
    let name = server_rows::model_name(row)?;
    let endings = match row.placed {
        Placed::Creature(_) => CREATURES.as_slice(),
        Placed::Model(_) => MODELS.as_slice(),
    };
    let mut files = endings.iter().map(|ending| format!("{name}.{ending}"));
    let found = files.find_map(|file| Some((placer.model(&file)?, file)));
    let Some(((origin, model_file), model)) = found else {
        return Err((name, NO_MODEL));
    };
    let Some(transform) = server_rows::transform(row) else {
        return Err((name, NOT_FINITE));
    };
    let mut facts = server_rows::facts(file, row);
    facts.model = Some(model.clone());
    let placement = Placement {
        name,
        model,
        transform,
        colors: None,
        light: String::new(),
        facts,
    };
    match &row.placed {
        Placed::Creature(creature) if !model_file.model.bones().is_empty() => {
            let variant = creature.texture;
            creatures.place(placer, origin, model_file, variant, above, placement);
        }
        _ => {
            placer.place(above, placement);
        }
    }
    Ok(())
}
