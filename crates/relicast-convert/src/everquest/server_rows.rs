//! Rows of the tables of a server for a zone, and a summary of their results.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Sink;
use crate::options::ConvertOptions;
use relicast_codec::F32;
use relicast_codec::quantity::counted;
use relicast_formats::everquest::server_tables::{Creature, Placed, Row};
use relicast_scene::extras::{Float, everquest};
use relicast_scene::model::Transform;

use super::{races, space};

/// Suffix of the names of actors in scene files and in the `object` table of a server.
const ACTOR: &str = "_ACTORDEF";

/// Scale of a model in tables, in percent.
const FULL_SIZE: f32 = 100.0;

/// Reason for a row whose model is in none of the archives that the zone reads.
pub(super) const NO_MODEL: &str = "no archive of the zone has the model";

/// Model or race of a row that is not in the scene, and the reason.
pub(super) type Omitted = (String, &'static str);

/// Reason for a row whose place is not finite.
pub(super) const NOT_FINITE: &str = "the position or heading is not finite:";

/// A row that is not in the scene so far, with the name of its table.
#[derive(Debug)]
struct Pending {
    file: String,
    row: Row,
    /// Reason for which the last attempt to place it failed.
    omitted: Option<Omitted>,
}

/// Rows of the tables of a server for one zone.
#[derive(Debug, Default)]
pub(super) struct ServerRows {
    pending: Vec<Pending>,
    summary: Summary,
}

/// Counts of the rows that are in the scene and of those that are not.
#[derive(Debug, Default)]
pub(super) struct Summary {
    files: BTreeSet<String>,
    rows: usize,
    placed: usize,
    /// Number of omitted rows by reason and model.
    omitted: BTreeMap<String, usize>,
    /// Error of a table that cannot be read.
    fault: Option<String>,
}

impl ServerRows {
    /// Reads the rows of a zone.
    pub(super) fn for_zone(options: &ConvertOptions, zone: &str) -> Self {
        let mut rows = Self::default();
        let tables = match options.everquest.placements.read() {
            Ok(tables) => tables,
            Err(fault) => {
                rows.summary.fault = Some(fault);
                return rows;
            }
        };
        for (file, table) in tables {
            let of_zone = table.iter();
            let of_zone = of_zone.filter(|row| row.zone.eq_ignore_ascii_case(zone));
            for row in of_zone {
                rows.summary.files.insert(file.clone());
                rows.summary.rows += 1;
                rows.pending.push(Pending {
                    file: file.clone(),
                    row: row.clone(),
                    omitted: None,
                });
            }
        }
        rows
    }

    /// Returns true if no row is left to place.
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Places each row with `place`. Rows without a model can be placed by another call, which has other models.
    pub(super) fn place(&mut self, mut place: impl FnMut(&str, &Row) -> Result<(), Omitted>) {
        let summary = &mut self.summary;
        self.pending.retain_mut(|pending| {
            let is_settled = pending.omitted.as_ref();
            if is_settled.is_some_and(|(_, reason)| *reason != NO_MODEL) {
                return true;
            }
            match place(&pending.file, &pending.row) {
                Ok(()) => {
                    summary.placed += 1;
                    false
                }
                Err(omitted) => {
                    pending.omitted = Some(omitted);
                    true
                }
            }
        });
    }

    /// Passes the rows that are not in the scene to `omit`.
    pub(super) fn finish(mut self, mut omit: impl FnMut(&str, &Row, Omitted)) -> Summary {
        for pending in self.pending {
            let Some((model, reason)) = pending.omitted else {
                continue;
            };
            let count = self.summary.omitted.entry(format!("{reason} {model}"));
            *count.or_default() += 1;
            omit(&pending.file, &pending.row, (model, reason));
        }
        self.summary
    }
}

impl Summary {
    /// Reports the number of rows in the scene, and the omitted ones by reason.
    pub(super) fn report(&self, sink: &mut dyn Sink) {
        if let Some(fault) = &self.fault {
            sink.note_missing(format!("everquest.placements: {fault}"));
        }
        if self.rows == 0 {
            return;
        }
        let files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        let (placed, rows, files) = (self.placed, self.rows, files.join(", "));
        sink.note(format!(
            "{placed} of {rows} rows of {files} are in the scene"
        ));
        for (what, count) in &self.omitted {
            let rows = counted(*count, "row", "rows");
            sink.note_missing(format!("{what}: skipped {rows} of {files}"));
        }
    }
}

/// Position of a row in scene space.
pub(super) fn position(row: &Row) -> [F32; 3] {
    let [west, north, up] = row.position;
    space::vector([north, west, up]).map(F32)
}

/// Transform of a row in scene space. The size of a creature is not applied, because the size of its model is not
/// known.
pub(super) fn transform(row: &Row) -> Option<Transform> {
    let is_creature = matches!(row.placed, Placed::Creature(_));
    let scale = if is_creature || row.size <= 0.0 {
        1.0
    } else {
        row.size / FULL_SIZE
    };
    space::server_placement(row.position, row.heading, row.incline, scale)
}

/// Name of the model of a row, without the suffix of actors.
///
/// # Errors
/// The row names no model, or a race whose model is not known.
pub(super) fn model_name(row: &Row) -> Result<String, Omitted> {
    let named = |name: &str| {
        let stem = name.len().checked_sub(ACTOR.len());
        let (stem, ending) = stem.and_then(|at| name.split_at_checked(at)).unzip();
        let has_ending = ending.is_some_and(|ending| ending.eq_ignore_ascii_case(ACTOR));
        stem.filter(|_| has_ending).unwrap_or(name).to_owned()
    };
    match &row.placed {
        Placed::Model(name) if name.is_empty() => Err((String::new(), "no model is named")),
        Placed::Model(name) => Ok(named(name)),
        Placed::Creature(creature) if !creature.model.is_empty() => Ok(named(&creature.model)),
        Placed::Creature(Creature { race, gender, .. }) => races::model_of(*race, *gender)
            .map(str::to_owned)
            .ok_or_else(|| (race.to_string(), "no model is known for the race")),
    }
}

/// Name of the actor of a model.
pub(super) fn actor_name(model: &str) -> String {
    format!("{model}{ACTOR}")
}

/// Extras of a node about its row.
pub(super) fn facts(file: &str, row: &Row) -> everquest::Node {
    let mut server = everquest::ServerRow {
        file: Some(file.to_owned()),
        line: Some(row.line),
        size: (row.size > 0.0).then_some(Float(row.size)),
        ..everquest::ServerRow::default()
    };
    match &row.placed {
        Placed::Model(_) => server.open_type = row.open_type.map(Into::into),
        Placed::Creature(creature) => {
            server.name = Some(creature.name.clone());
            server.race = Some(creature.race.into());
            server.gender = Some(creature.gender.into());
            server.texture = Some(creature.texture.into());
            server.face = Some(creature.face.into());
        }
    }
    let others = row.others.iter();
    let others = others.map(|(column, value)| (column.clone(), Value::from(value.as_str())));
    server.columns = (!row.others.is_empty()).then(|| others.collect());
    everquest::Node {
        server: Some(server),
        ..everquest::Node::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> Row {
        Row {
            line: 2,
            zone: "dell".to_owned(),
            placed: Placed::Model(name.to_owned()),
            position: [0.0; 3],
            heading: 0.0,
            incline: 0.0,
            size: 0.0,
            open_type: None,
            others: Vec::new(),
        }
    }

    #[test]
    fn the_ending_of_actors_is_no_part_of_the_name_of_a_model() {
        for (name, model) in [
            ("IT69_ACTORDEF", "IT69"),
            ("it69_actordef", "it69"),
            ("DOOR1", "DOOR1"),
            ("é", "é"),
        ] {
            assert_eq!(model_name(&row(name)), Ok(model.to_owned()));
        }
        assert_eq!(
            model_name(&row("")),
            Err((String::new(), "no model is named"))
        );
    }
}
