//! Pickups of Recoil's `puppies`.
//!
//! A record has five items: the name of the kind, an amount, the place, three angles in radians, and the seconds
//! until it reappears. An amount of 0 is the default of the kind. The pickup is a copy of the node `puNNN` with the
//! number of the kind. Records are read by their shape, so that the amount and the seconds may be missing.

use glam::DQuat;
use relicast_scene::extras::{Float, zipper};

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;

use super::records::{
    MissionPlacement, MissionPlacementKind, Record, about, place, records, template_of,
};

/// Weapons in the order of their numbers, each with the default amount. Their ammunition has the numbers from 0 on,
/// the weapons the following ones.
const WEAPONS: [(&str, i32); 17] = [
    ("ERFPG", 30),
    ("HEMORTAR", 3),
    ("QMORTAR", 3),
    ("FREON", 10),
    ("NAPALM", 10),
    ("P_HEMINE", 5),
    ("P_QMINE", 5),
    ("R_HEMINE", 5),
    ("R_QMINE", 5),
    ("LOCKON_LASER", 10),
    ("LASER_SABRE", 10),
    ("SONIC_CANNON", 2),
    ("ARC_SABRE", 10),
    ("MISSILE", 3),
    ("GUIDED_MISSILE", 5),
    ("NUKE", 1),
    ("GUIDED_NUKE", 1),
];

/// Kinds after the weapons, each with the default amount.
const OTHERS: [(&str, i32); 6] = [
    ("NANITE", 60),
    ("NANITE100", 100),
    ("NANO-CANISTER", 1),
    ("PUP_AMPHIB", 1),
    ("PUP_HOVER", 1),
    ("PUP_SUB", 1),
];

/// The number of a kind by its name.
fn number_of(name: &str) -> Option<usize> {
    let place = |list: &[(&str, i32)], name: &str| {
        let mut kinds = list.iter();
        kinds.position(|(kind, _)| kind.eq_ignore_ascii_case(name))
    };
    if let Some(found) = place(&OTHERS, name) {
        return Some(2 * WEAPONS.len() + found);
    }
    let (weapon, end) = name.split_at_checked(name.rfind('_')?)?;
    let found = place(&WEAPONS, weapon)?;
    if end.eq_ignore_ascii_case("_AMMO") {
        Some(found)
    } else {
        let is_weapon = end.eq_ignore_ascii_case("_WEAPON");
        is_weapon.then_some(WEAPONS.len() + found)
    }
}

/// The default amount of a kind.
fn usual_amount(number: usize) -> Option<i32> {
    let behind = || OTHERS.get(number.checked_sub(2 * WEAPONS.len())?);
    let found = if number < 2 * WEAPONS.len() {
        WEAPONS.get(number % WEAPONS.len())
    } else {
        behind()
    };
    found.map(|(_, amount)| *amount)
}

/// A record by its shape.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    amount: Option<i32>,
    place: [f32; 3],
    angles: Option<[f32; 3]>,
    respawn: Option<f32>,
}

impl Shape {
    fn of(values: &[Value<'_>]) -> Option<Self> {
        let values = settings::unwrapped(values);
        let lists = values.iter().filter(|value| value.as_list().is_some());
        match lists.count() {
            0 => Self::of_numbers(values),
            _ => Self::of_lists(values),
        }
    }

    /// A place and angles in lists; a number before them is the amount, one after them the seconds.
    fn of_lists(values: &[Value<'_>]) -> Option<Self> {
        let first = values.iter().position(|value| value.as_list().is_some())?;
        let (before, from) = values.split_at_checked(first)?;
        let mut triples = from.iter().filter_map(Value::as_list).map(triple);
        let after = from
            .iter()
            .rposition(|value| value.as_list().is_some())
            .and_then(|last| from.get(last + 1..));
        Some(Self {
            amount: before.iter().find_map(whole),
            place: triples.next()??,
            angles: triples.next().flatten(),
            respawn: settings::numbers(after?, 1).first().copied(),
        })
    }

    /// A pick-up from bare numbers: eight for all fields, seven without the seconds or the amount.
    fn of_numbers(values: &[Value<'_>]) -> Option<Self> {
        let numbers = settings::numbers(values, 8);
        let counted = numbers.len() == 8
            || matches!(
                (numbers.len(), values.first()),
                (4 | 7, Some(Value::Int(_)))
            );
        let rest = numbers.get(usize::from(counted)..)?;
        let three = |from: usize| rest.get(from..from + 3)?.try_into().ok();
        Some(Self {
            amount: values.first().filter(|_| counted).and_then(whole),
            place: three(0)?,
            angles: three(3),
            respawn: rest.get(6).copied(),
        })
    }
}

fn triple(values: &[Value<'_>]) -> Option<[f32; 3]> {
    settings::numbers(values, 3).try_into().ok()
}

fn whole(value: &Value<'_>) -> Option<i32> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Float(number) if number.0.fract() == 0.0 && number.0.abs() < 1e9 => {
            Some(number.0 as i32)
        }
        _ => None,
    }
}

/// The name of a kind by its number.
fn name_of(number: usize) -> Option<String> {
    let weapons = WEAPONS.len();
    let weapon = |at: usize, end: &str| Some(format!("{}{end}", WEAPONS.get(at)?.0));
    match number {
        _ if number < weapons => weapon(number, "_AMMO"),
        _ if number < 2 * weapons => weapon(number - weapons, "_WEAPON"),
        _ => Some(OTHERS.get(number - 2 * weapons)?.0.to_owned()),
    }
}

/// Pickup of a node of the world, by its name: `pu` with more than three digits is a placed pickup. Its number
/// without the last two digits is its kind.
pub(super) fn of_node(name: &str) -> Option<zipper::Pickup> {
    let (start, digits) = name.split_at_checked(2)?;
    let is_one = start.eq_ignore_ascii_case("pu")
        && digits.len() > 3
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = digits.parse::<usize>().ok().filter(|_| is_one)?;
    let kind = number / 100;
    Some(zipper::Pickup {
        kind: Some(kind),
        name: name_of(kind),
        amount: usual_amount(kind).map(Into::into),
    })
}

/// The pickups of a list.
pub(super) fn pickups(values: &[Value<'_>]) -> Vec<MissionPlacement> {
    records(values).into_iter().filter_map(pickup).collect()
}

fn pickup((first, values): Record<'_, '_>) -> Option<MissionPlacement> {
    let shape = Shape::of(values)?;
    let place = place(&shape.place)?;
    let angles = shape.angles;
    let angles = angles.filter(|angles| angles.iter().all(|angle| angle.abs() <= 1e3));
    let [x, y, z] = angles.unwrap_or_default().map(f64::from);
    let rotation: DQuat =
        about(glam::DVec3::Y, y) * about(glam::DVec3::X, x) * about(glam::DVec3::Z, z);
    let (name, number_of_kind) = match first {
        Value::Text(text) => {
            let name = text.shown().into_owned();
            let number = number_of(&name);
            (name, number)
        }
        Value::Int(kind) => (format!("pickup_{kind}"), usize::try_from(*kind).ok()),
        Value::Float(_) | Value::List(_) => return None,
    };
    let template = match (number_of_kind, first) {
        (Some(kind), _) => Some(format!("pu{kind:03}")),
        (None, Value::Text(_)) => Some(template_of(&name).to_owned()),
        (None, _) => None,
    };
    let usual = || number_of_kind.and_then(usual_amount);
    let amount = shape.amount.filter(|amount| *amount != 0);
    let amount = amount.or_else(|| usual().filter(|_| shape.amount.is_some()));
    let facts = zipper::Placement {
        pickup: number_of_kind,
        amount: amount.map(Into::into),
        respawn: shape.respawn.map(Float),
        ..zipper::Placement::default()
    };
    Some(MissionPlacement {
        kind: MissionPlacementKind::Pickup,
        name,
        template,
        place,
        rotation,
        facts,
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn read(source_text: &str) -> Vec<MissionPlacement> {
        let decoded = text::decode(source_text.as_bytes()).unwrap().value;
        pickups(&decoded.values().unwrap())
    }

    /// A quarter turn to the left.
    fn is_turned(thing: &MissionPlacement) -> bool {
        (thing.rotation * DVec3::NEG_Z - DVec3::NEG_X).length() < 1e-6
    }

    #[test]
    fn the_amount_is_no_part_of_the_place() {
        for source_text in [
            "((FREON_WEAPON 30 (100. 5. -200.) (0. 1.5707964 0.) 20.) \
              (NANITE 0 (1. 2. 3.) (0. 0. 0.) 0.))",
            "(((FREON_WEAPON 30 (100. 5. -200.) (0. 1.5707964 0.) 20.) \
              (NANITE 0 (1. 2. 3.) (0. 0. 0.) 0.)))",
            "(FREON_WEAPON 30 (100. 5. -200.) (0. 1.5707964 0.) 20. \
              NANITE 0 (1. 2. 3.) (0. 0. 0.) 0.)",
            "(FREON_WEAPON (30 (100. 5. -200.) (0. 1.5707964 0.) 20.) \
              NANITE (0 (1. 2. 3.) (0. 0. 0.) 0.))",
            "((FREON_WEAPON 30 100. 5. -200. 0. 1.5707964 0. 20.) (NANITE 0 1. 2. 3. 0. 0. 0. 0.))",
        ] {
            let things = read(source_text);
            let [freon, nanite] = &*things else {
                panic!("{source_text}: {things:?}")
            };
            assert_eq!(freon.place, DVec3::new(100.0, 5.0, -200.0), "{source_text}");
            assert!(is_turned(freon), "{source_text}: {}", freon.rotation);
            assert_eq!(freon.template.as_deref(), Some("pu020"));
            assert_eq!(
                (freon.facts.amount, freon.facts.respawn),
                (Some(30), Some(Float(20.0)))
            );
            assert_eq!(nanite.template.as_deref(), Some("pu034"));
            assert_eq!(nanite.facts.amount, Some(60), "the usual amount");
        }
    }

    #[test]
    fn records_of_kind_place_and_angles_keep_their_angles() {
        for source_text in [
            "(crate (1. 2. 3.) (0. 1.5707964 0.) 7 (4. 5. 6.) (0. 1.5707964 0.))",
            "((crate (1. 2. 3.) (0. 1.5707964 0.)) (7 (4. 5. 6.) (0. 1.5707964 0.)))",
            "(crate ((1. 2. 3.) (0. 1.5707964 0.)) (7 ((4. 5. 6.) (0. 1.5707964 0.))))",
            "((crate 1. 2. 3. 0. 1.5707964 0.) (7 4. 5. 6. 0. 1.5707964 0.))",
        ] {
            let things = read(source_text);
            let [named, numbered] = &*things else {
                panic!("{source_text}: {things:?}")
            };
            assert_eq!(named.place, DVec3::new(1.0, 2.0, 3.0), "{source_text}");
            assert_eq!(numbered.place, DVec3::new(4.0, 5.0, 6.0), "{source_text}");
            assert!(is_turned(named) && is_turned(numbered), "{source_text}");
            assert_eq!(named.template.as_deref(), Some("crate"));
            assert_eq!(numbered.template.as_deref(), Some("pu007"));
            assert_eq!(named.facts.amount, None);
        }
    }

    #[test]
    fn what_has_no_place_is_no_record() {
        for source_text in ["()", "(crate)", "(crate 3)", "(crate (1 2))", "(7 8 9 10)"] {
            assert!(read(source_text).is_empty(), "{source_text}");
        }
    }

    #[test]
    fn kinds_have_their_numbers() {
        for (name, number) in [
            ("ERFPG_AMMO", Some(0)),
            ("GUIDED_NUKE_AMMO", Some(16)),
            ("ERFPG_WEAPON", Some(17)),
            ("LASER_SABRE_WEAPON", Some(27)),
            ("NANO-CANISTER", Some(36)),
            ("PUP_SUB", Some(39)),
            ("FREON", None),
            ("FREON_CAN", None),
        ] {
            assert_eq!(number_of(name), number, "{name}");
        }
        for number in 0..40 {
            let name = name_of(number).unwrap();
            assert_eq!(number_of(&name), Some(number), "{name}");
        }
        assert_eq!(name_of(40), None);
        let placed = of_node("pu02003").unwrap();
        assert_eq!(placed.name.as_deref(), Some("FREON_WEAPON"));
        assert_eq!(
            (of_node("pu020"), of_node("puppet"), of_node("pu12x45")),
            (None, None, None)
        );
        let amounts = [0, 33, 34, 39, 40].map(usual_amount);
        assert_eq!(amounts, [Some(30), Some(1), Some(60), Some(1), None]);
    }
}
