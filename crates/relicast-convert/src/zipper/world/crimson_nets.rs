//! Spawn points of multiplayer missions (`net.zrd`) and patrol nets of chapters (`ne0NNNNN.zrd`) of Crimson Skies.
//!
//! Source: CSVM, docs/formats, CC BY 4.0, counted on the retail files. Rows of `net.zrd` are [x, y, z, heading in
//! degrees], 16 per block: block 0 for free-for-all, the following ones for teams. The copies in campaign missions
//! are unused. A patrol net is a list: an empty value, 10, nine numbers, places, edges, a trailer. A place is x, y,
//! z and 2 or 4 more values of unknown meaning; an edge is two indices of places. The chapters have 222 nets with
//! 2,268 places and 2,149 edges.

use std::collections::BTreeSet;
use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde_json::json;

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::{Float, zipper};

use super::nets::Net;
use super::records::{MissionPlacement, MissionPlacementKind, about, place};

/// Rows of a block of spawn points.
const BLOCK: usize = 16;
/// Maximum depth of lists that are searched for rows.
const MAX_DEPTH: usize = 6;

/// Returns true if a reader of this name in lower case is a patrol net.
pub(super) fn is_patrol(stem: &str) -> bool {
    let digits = stem.strip_prefix("ne0");
    digits.is_some_and(|rest| rest.len() == 5 && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns true for a multiplayer mission, by its short name.
pub(super) fn has_spawn_points(label: &str) -> bool {
    let number = label.strip_prefix("mp");
    number.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_))
}

/// The spawn points of a table.
pub(super) fn spawn_points(values: &[Value<'_>]) -> Vec<MissionPlacement> {
    let mut rows = Vec::new();
    add_rows(values, &mut rows, 0);
    let rows = rows.into_iter().enumerate();
    let points = rows.filter_map(|(index, row)| {
        let numbers = settings::numbers(row, 4);
        let heading = *numbers.get(3).filter(|heading| heading.abs() <= 1e6)?;
        let (block, slot) = (index / BLOCK, index % BLOCK);
        let side = match block {
            0 => json!("all"),
            team => json!(team),
        };
        let facts = zipper::Placement {
            block: Some(block),
            team: Some(side),
            heading: Some(zipper::Heading::Degrees(Float(heading))),
            ..zipper::Placement::default()
        };
        Some(MissionPlacement {
            kind: MissionPlacementKind::SpawnPoint,
            name: format!("spawn_{block}_{slot:02}"),
            template: None,
            place: place(&numbers)?,
            rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
            facts,
        })
    });
    points.collect()
}

/// Collects the lists of four numbers.
fn add_rows<'r, 'v>(values: &'r [Value<'v>], rows: &mut Vec<&'r [Value<'v>]>, depth: usize) {
    for value in values.iter().filter_map(Value::as_list) {
        if value.len() == 4 && value.iter().all(is_number) {
            rows.push(value);
        } else if depth < MAX_DEPTH {
            add_rows(value, rows, depth + 1);
        }
    }
}

/// The patrol net of a reader; `None` if it has no places.
pub(super) fn patrol(stem: &str, values: &[Value<'_>]) -> Option<Net> {
    let values = settings::unwrapped(values);
    let is_row = |least: usize| {
        move |value: &Value<'_>| {
            let row = value.as_list().unwrap_or_default();
            row.len() >= least && row.iter().take(least).all(is_number)
        }
    };
    let is_table = |value: &Value<'_>, least: usize| {
        let rows = value.as_list().unwrap_or_default();
        !rows.is_empty() && rows.iter().all(is_row(least))
    };
    let at = values.iter().position(|value| is_table(value, 3))?;
    let (head, behind) = values.split_at(at);
    let (places, behind) = behind.split_first()?;
    // A key may be before the edges.
    let edges = behind.iter().position(|value| is_table(value, 2));
    let trailer = edges.map_or(0, |at| at + 1);
    let mut net = Net {
        label: stem.to_owned(),
        ..Net::default()
    };
    let numbers = head.iter().filter(|value| value.as_text().is_none());
    let stored = numbers.map(std::slice::from_ref).map(settings::json);
    net.settings.values = Some(stored.collect());
    let rest = behind.get(trailer..).filter(|rest| !rest.is_empty());
    net.settings.trailer = rest.map(settings::json);
    // Indices count all rows, including those without a valid place.
    let mut placed = Vec::new();
    for (index, row) in places.as_list()?.iter().enumerate() {
        let row = row.as_list()?;
        let Some(at) = place(&settings::numbers(row, 3)) else {
            placed.push(None);
            continue;
        };
        placed.push(Some(net.nodes.len()));
        let tags = row.get(3..).filter(|tags| !tags.is_empty());
        let tags = tags.map(|tags| tags.iter().map(std::slice::from_ref).map(settings::json));
        let facts = zipper::Placement {
            tags: tags.map(Iterator::collect),
            ..zipper::Placement::default()
        };
        net.nodes.push(MissionPlacement {
            kind: MissionPlacementKind::PathNode,
            name: format!("node_{index:02}"),
            template: None,
            place: at,
            rotation: DQuat::IDENTITY,
            facts,
        });
    }
    net.links = links(edges.and_then(|at| behind.get(at)), &placed, &mut net.edges);
    (!net.nodes.is_empty()).then_some(net)
}

/// The links of a table of edges, which are also reported as stored.
fn links(
    edges: Option<&Value<'_>>,
    placed: &[Option<usize>],
    found_edges: &mut Vec<zipper::Edge>,
) -> BTreeSet<(usize, usize)> {
    let mut links = BTreeSet::new();
    let rows = edges.and_then(Value::as_list).unwrap_or_default();
    for row in rows.iter().filter_map(Value::as_list) {
        let ends = |value: Option<&Value<'_>>| match value {
            Some(Value::Int(index)) => usize::try_from(*index).ok(),
            _ => None,
        };
        let (Some(from), Some(to)) = (ends(row.first()), ends(row.get(1))) else {
            continue;
        };
        found_edges.push(zipper::Edge {
            from: i64::try_from(from).ok(),
            to: i64::try_from(to).ok(),
            ..zipper::Edge::default()
        });
        let node = |index: usize| placed.get(index).copied().flatten();
        if let (Some(from), Some(to)) = (node(from), node(to))
            && from != to
        {
            links.insert((from.min(to), from.max(to)));
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;

    #[test]
    fn rows_of_a_table_are_spawn_points_of_blocks_of_sixteen() {
        let row = |at: usize| format!("({at}. 100. -5. 90.)");
        let rows: Vec<String> = (0..18).map(row).collect();
        for source_text in [
            format!("({})", rows.join(" ")),
            format!("(({}) ({}))", rows[..16].join(" "), rows[16..].join(" ")),
        ] {
            let points = spawn_points(&values(&source_text));
            assert_eq!(points.len(), 18);
            assert_eq!(
                (&*points[17].name, points[17].facts.team.as_ref()),
                ("spawn_1_01", Some(&json!(1)))
            );
            assert_eq!(points[0].facts.team, Some(json!("all")));
            assert_eq!(points[17].place, DVec3::new(17.0, 100.0, -5.0));
            // 90° from −Z is −X.
            let ahead = points[0].rotation * DVec3::NEG_Z;
            assert!((ahead - DVec3::NEG_X).length() < 1e-12);
        }
        assert!(has_spawn_points("mp1") && !has_spawn_points("m01") && !has_spawn_points("mp"));
    }

    #[test]
    fn patrol_nets_are_places_and_edges() {
        assert!(is_patrol("ne000107") && !is_patrol("neindex") && !is_patrol("ne00010"));
        let net = patrol(
            "ne000107",
            &values(
                "(() 10 1. 2. 3. 4. 5. 6. 7. 8. 9. ((0. 1. 2. 7 8) (10. 1. 2. 7 8) (20. 1. 2.)) \
                  ((0 1) (1 2) (2 9)) (5 6 7))",
            ),
        )
        .unwrap();
        assert_eq!(net.nodes.len(), 3);
        assert_eq!(net.nodes[0].facts.tags, Some(vec![json!(7), json!(8)]));
        assert_eq!(net.links, BTreeSet::from([(0, 1), (1, 2)]));
        assert_eq!(net.edges.len(), 3);
        assert_eq!(net.settings.values.as_ref().unwrap().len(), 11);
        assert_eq!(net.settings.trailer, Some(json!([5, 6, 7])));
        assert_eq!(patrol("ne000108", &values("(() 10 1. 2.)")), None);
    }
}
