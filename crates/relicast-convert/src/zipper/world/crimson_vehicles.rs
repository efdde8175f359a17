//! Records of vehicles of Crimson Skies (`aiv.zrd`): a name and up to 81 slots, identified by position.
//!
//! Source: CSVM, docs/formats, CC BY 4.0, counted on the 53 files with 414 blocks of the retail game. Slot 0 is a
//! number in all blocks except one, where it is an empty list, so numbers must not be flattened. Slot 5 is 0 in 14
//! blocks: these are templates of a generator, which the mission does not place.

use std::f64::consts::PI;

use glam::DVec3;
use serde_json::Map;

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::{Float, zipper};

use super::records::{
    MissionPlacement, MissionPlacementKind, Record, about, place, template_of_skies, whole,
};

/// Slots from the third on: the first slot, the number of slots, and the name. Runs of one slot are a value, longer
/// ones a list.
const SLOTS: [(usize, usize, &str); 36] = [
    (3, 1, "team"),
    (4, 1, "group"),
    (5, 1, "enabled"),
    (6, 1, "primaryTarget"),
    (7, 1, "startHealth"),
    (8, 12, "volumes"),
    (20, 1, "title"),
    (21, 1, "deactivated"),
    (22, 9, "skills"),
    (31, 1, "preferredAltitude"),
    (32, 1, "signatureManeuvers"),
    (33, 1, "ratingBiases"),
    (34, 1, "nitro"),
    (35, 1, "engine"),
    (36, 1, "otherTarget"),
    (37, 1, "objectiveTarget"),
    (38, 1, "categoryLabel"),
    (39, 1, "helpLabel"),
    (40, 1, "taxiPath"),
    (41, 1, "stickiness"),
    (42, 1, "bait"),
    (43, 1, "pilot"),
    (44, 12, "scales"),
    (56, 1, "slot56"),
    (57, 8, "armorAndHealth"),
    (65, 1, "accent"),
    (66, 1, "armor"),
    (67, 1, "ace"),
    (68, 1, "pattern"),
    (69, 1, "decal1"),
    (70, 1, "decal2"),
    (71, 1, "decal3"),
    (72, 3, "color1"),
    (75, 3, "color2"),
    (78, 3, "color3"),
    (81, usize::MAX, "more"),
];

/// The vehicle of a record whose second slot is a place; `None` for records of another shape.
pub(super) fn vehicle((name, slots): Record<'_, '_>) -> Option<MissionPlacement> {
    let name = name.as_text()?.shown().into_owned();
    let [id, at @ Value::List(_), yaw, ..] = slots else {
        return None;
    };
    if id.as_text().is_some() {
        return None;
    }
    let position = place(&settings::numbers(std::slice::from_ref(at), 3))?;
    let number_of = |value: &Value<'_>| {
        let found = settings::numbers(std::slice::from_ref(value), 1);
        found.first().copied()
    };
    let heading = number_of(yaw).filter(|heading| heading.abs() <= 1e6);
    let heading = heading.unwrap_or(0.0);
    // An empty list is not a number.
    let first = number_of(id);
    let mut facts = zipper::Placement {
        id: whole(first.as_ref()),
        ids: match id {
            Value::List(ids) => Some(settings::json(&[Value::List(ids.clone())])),
            _ => None,
        },
        heading: Some(zipper::Heading::Degrees(Float(heading))),
        ..zipper::Placement::default()
    };
    let mut named = Map::new();
    for (start, count, key) in SLOTS {
        let end = start.saturating_add(count).min(slots.len());
        if let Some(own @ [_, ..]) = slots.get(start..end) {
            let value = match (count, own) {
                (1, [one]) => settings::json(std::slice::from_ref(one)),
                _ => own
                    .iter()
                    .map(std::slice::from_ref)
                    .map(settings::json)
                    .collect(),
            };
            named.insert(key.to_owned(), value);
        }
    }
    if slots.get(5).and_then(number_of) == Some(0.0) {
        facts.generator_template = Some(true);
    }
    facts.slots = (!named.is_empty()).then_some(named);
    Some(MissionPlacement {
        kind: MissionPlacementKind::Vehicle,
        template: Some(template_of_skies(&name).to_owned()),
        name,
        place: position,
        rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
        facts,
    })
}

/// Removes the templates of generators from the vehicles of a mission, and returns their names.
pub(super) fn take_templates(vehicles: &mut Vec<MissionPlacement>) -> Vec<String> {
    let is_template =
        |vehicle: &mut MissionPlacement| vehicle.facts.generator_template == Some(true);
    let taken = vehicles.extract_if(.., is_template);
    taken.map(|vehicle| vehicle.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;
    use relicast_formats::zipper::ZipperGame;
    use serde_json::json;

    #[test]
    fn slots_count_by_position_and_an_empty_first_one_shifts_nothing() {
        let list = values(
            "(0 none blakepeace_2_2 (() (0. 0. 0.) 90. 2 1 1 player) \
              player (-1 (1. 2. 3.) 180. 1 0 1) gen_1 (4 (7. 8. 9.) 0. 2 0 0))",
        );
        let mut found = super::super::vehicles::read(&list, ZipperGame::CrimsonSkies);
        assert_eq!(take_templates(&mut found), ["gen_1"]);
        let [blake, player] = &*found else {
            panic!("{found:?}")
        };
        assert_eq!((&*blake.name, blake.place), ("blakepeace_2_2", DVec3::ZERO));
        // The yaw is slot 2, not the first number after a place with another count.
        assert_eq!(
            blake.facts.heading,
            Some(zipper::Heading::Degrees(Float(90.0)))
        );
        assert_eq!(blake.template.as_deref(), Some("blakepeace_2"));
        assert_eq!(blake.facts.id, None);
        let slots = json!({"team": 2, "group": 1, "enabled": 1, "primaryTarget": "player"});
        assert_eq!(json!(blake.facts.slots), slots);
        assert_eq!(
            (player.place, player.facts.id),
            (DVec3::new(1.0, 2.0, 3.0), Some(-1))
        );
        let ahead = player.rotation * DVec3::NEG_Z;
        assert!((ahead - DVec3::Z).length() < 1e-12);
    }

    #[test]
    fn slots_are_named_up_to_the_colors() {
        let slots: Vec<String> = (3..81).map(|slot| slot.to_string()).collect();
        let list = format!("(bandit_1 (7 (1. 2. 3.) 0. {}))", slots.join(" "));
        let list = values(&list);
        let found = super::super::vehicles::read(&list, ZipperGame::CrimsonSkies);
        let slots = found[0].facts.slots.as_ref().unwrap();
        assert_eq!(slots["ace"], 67);
        assert_eq!(slots["color3"], json!([78, 79, 80]));
        assert_eq!(slots["skills"], json!([22, 23, 24, 25, 26, 27, 28, 29, 30]));
        assert_eq!(slots.get("more"), None);
    }
}
