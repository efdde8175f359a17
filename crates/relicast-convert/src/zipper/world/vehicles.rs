//! Records of vehicles (`aiv.zrd`): a name, and a list of a whole number, the place, and the heading in degrees. In
//! MechWarrior 3 they are all actors controlled by the computer, and further items of unknown meaning may follow
//! (zStudio).

use std::f64::consts::PI;

use glam::DVec3;

use crate::zipper::settings;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::{Float, zipper};

use super::crimson_vehicles;
use super::records::{
    MissionPlacement, MissionPlacementKind, Record, about, place, records, template_of, whole,
};

/// Keys of a record of a vehicle.
const KEYS: [&str; 9] = [
    "position",
    "pos",
    "location",
    "heading",
    "direction",
    "id",
    "net_id",
    "model",
    "type",
];

/// The vehicles of a list.
pub(super) fn read(values: &[Value<'_>], version: ZipperGame) -> Vec<MissionPlacement> {
    let is_late = matches!(version, ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon);
    let found = records(values).into_iter().filter_map(|record| {
        if version == ZipperGame::CrimsonSkies
            && let Some(thing) = crimson_vehicles::vehicle(record)
        {
            return Some(thing);
        }
        let mut thing = vehicle(record)?;
        if is_late {
            thing.facts.net = thing.facts.id.map(|id| zipper::NetNumber {
                number: Some(id),
                certain: Some(false),
            });
            // The values after the heading are unknown.
            if let (_, [Value::Int(_), Value::List(_), _, more @ ..]) = record
                && !more.is_empty()
            {
                let more = more.iter().map(std::slice::from_ref).map(settings::json);
                thing.facts.more = Some(more.collect());
            }
        }
        Some(thing)
    });
    found.collect()
}

/// Marks the player: the first vehicle in Recoil, the one with the name `player` in Crimson Skies. For MechWarrior
/// 3 no rule is known.
pub(super) fn mark_player(vehicles: &mut [MissionPlacement], version: ZipperGame) {
    let named = |vehicle: &MissionPlacement| vehicle.name.eq_ignore_ascii_case("player");
    let player = match version {
        ZipperGame::Recoil => Some(0),
        ZipperGame::CrimsonSkies => vehicles.iter().position(named),
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => None,
    };
    if let Some(player) = player.and_then(|place| vehicles.get_mut(place)) {
        player.facts.player = Some(true);
    }
}

fn vehicle((name, values): Record<'_, '_>) -> Option<MissionPlacement> {
    let name = name.as_text()?.shown().into_owned();
    let keyed = |keys: &[&str]| {
        let mut found = keys
            .iter()
            .filter_map(|key| settings::after(values, key, &KEYS));
        found.next()
    };
    let numbers = |values: Option<&[Value<'_>]>| settings::numbers(values.unwrap_or_default(), 5);
    let position = numbers(keyed(&["position", "pos", "location"]));
    let (id, position, heading) = match place(&position) {
        Some(position) => {
            let heading = numbers(keyed(&["heading", "direction"])).first().copied();
            (
                whole(numbers(keyed(&["id", "net_id"])).first()),
                position,
                heading,
            )
        }
        None => match &*settings::numbers(values, 5) {
            [id, rest @ ..] if rest.len() == 4 => {
                (whole(Some(id)), place(rest)?, rest.last().copied())
            }
            bare if bare.len() >= 3 => (None, place(bare)?, bare.get(3).copied()),
            _ => return None,
        },
    };
    let heading = heading
        .filter(|heading| heading.abs() <= 1e6)
        .unwrap_or(0.0);
    let template = keyed(&["model", "type"]).map(settings::texts);
    let template = template.and_then(|texts| texts.into_iter().next());
    let facts = zipper::Placement {
        id,
        heading: Some(zipper::Heading::Degrees(Float(heading))),
        ..zipper::Placement::default()
    };
    Some(MissionPlacement {
        kind: MissionPlacementKind::Vehicle,
        template: Some(template.unwrap_or_else(|| template_of(&name).to_owned())),
        name,
        place: position,
        rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;
    use serde_json::json;

    fn with_values<T>(source_text: &str, make: impl Fn(&[Value<'_>]) -> T) -> T {
        make(
            &text::decode(source_text.as_bytes())
                .unwrap()
                .value
                .values()
                .unwrap(),
        )
    }

    fn of_recoil(values: &[Value<'_>]) -> Vec<MissionPlacement> {
        super::read(values, ZipperGame::Recoil)
    }

    #[test]
    fn actors_of_mechwarrior_keep_what_follows_the_heading_and_none_is_the_player() {
        let list = "(thor_02 (3 (1. 2. -3.) 90. 7 (a b)) base_1 (0 (0. 0. 0.) 0.))";
        let mut things = with_values(list, |values| super::read(values, ZipperGame::MechWarrior3));
        mark_player(&mut things, ZipperGame::MechWarrior3);
        let [thor, base] = &*things else {
            panic!("{things:?}")
        };
        assert_eq!(json!(thor.facts.more), json!([7, ["a", "b"]]));
        assert_eq!(
            json!(thor.facts.net),
            json!({"number": 3, "certain": false})
        );
        assert_eq!(thor.facts.id, Some(3));
        assert_eq!(base.facts.more, None);
        assert!(things.iter().all(|thing| thing.facts.player.is_none()));
    }

    #[test]
    fn vehicles_are_read_in_every_shape() {
        for source_text in [
            "(tank_00 (3 (1. 2. -3.) 90.) bft_01 (4 (0. 0. 0.) 0.))",
            "((tank_00 3 (1. 2. -3.) 90.) (bft_01 (4 (0. 0. 0.) 0.)))",
            "(tank_00 3 1. 2. -3. 90. bft_01 4 0. 0. 0. 0.)",
            "(tank_00 3 (1. 2. -3.) 90. bft_01 4 (0. 0. 0.) 0.)",
            "((tank_00 POSITION (1. 2. -3.) HEADING 90. ID 3) (bft_01 pos 0. 0. 0. id 4))",
        ] {
            let mut things = with_values(source_text, of_recoil);
            mark_player(&mut things, ZipperGame::Recoil);
            let [tank, other] = &*things else {
                panic!("{source_text}: {things:?}")
            };
            assert_eq!(tank.template.as_deref(), Some("tank"), "{source_text}");
            assert_eq!(tank.place, DVec3::new(1.0, 2.0, -3.0), "{source_text}");
            let ahead = tank.rotation * DVec3::NEG_Z;
            assert!((ahead - DVec3::NEG_X).length() < 1e-12, "{source_text}");
            assert_eq!(tank.facts.id, Some(3), "{source_text}");
            assert_eq!(tank.facts.player, Some(true));
            assert_eq!((&*other.name, other.facts.id), ("bft_01", Some(4)));
            assert_eq!(other.facts.player, None);
        }
    }

    #[test]
    fn what_has_no_place_is_no_record() {
        for source_text in [
            "()",
            "(tank_00)",
            "(tank_00 (1 2) crate ((((7)))))",
            "(1 2 3 (4 5 6 7 8))",
            "(tank_00 (1 (100000000000000.0 0. 0.) 0.))",
        ] {
            assert!(
                with_values(source_text, of_recoil).is_empty(),
                "{source_text}"
            );
        }
    }

    #[test]
    fn the_player_of_crimson_skies_is_called_so() {
        let list = "(24 tank 28 boat wingman_2 (-1 (1. 2. 3.) 180. 0 5) \
                     player (-1 (4. 5. 6.) 170. 0 5))";
        for (version, player) in [
            (ZipperGame::CrimsonSkies, Some("player")),
            (ZipperGame::Recoil, Some("wingman_2")),
            (ZipperGame::PiratesMoon, None),
        ] {
            let mut things = with_values(list, of_recoil);
            mark_player(&mut things, version);
            let mut marked = things.iter().filter(|thing| thing.facts.player.is_some());
            assert_eq!(
                marked.next().map(|thing| &*thing.name),
                player,
                "{things:?}"
            );
            assert_eq!(marked.next(), None);
        }
    }
}
