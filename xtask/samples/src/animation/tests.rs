//! Tests that the containers have all features of their formats.

use std::collections::BTreeSet;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{self};

use super::*;

/// Event types of a game's program.
fn expected(version: ZipperGame) -> BTreeSet<u8> {
    let mut codes: BTreeSet<u8> = (1..=42).filter(|code| ![3, 29].contains(code)).collect();
    let absent: &[u8] = match version {
        ZipperGame::Recoil => {
            codes.insert(3);
            &[42]
        }
        ZipperGame::MechWarrior3 => &[37, 38, 39, 40],
        ZipperGame::PiratesMoon => &[38, 40],
        ZipperGame::CrimsonSkies => {
            codes.extend([46, 47]);
            &[18, 19, 21, 37, 38, 39, 40]
        }
    };
    codes.retain(|code| !absent.contains(code));
    codes
}

#[test]
fn containers_use_every_event_type_of_their_game() {
    for version in ZipperGame::ALL {
        let holdings: &[Holding] = match version {
            ZipperGame::CrimsonSkies => &[Holding::Group, Holding::Mission],
            _ => &[Holding::All],
        };
        let mut codes = BTreeSet::new();
        for &holding in holdings {
            let bytes = encoded(version, holding).unwrap();
            let decoded = anim::decode(&bytes).unwrap();
            assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
            for definition in &decoded.value.definitions {
                let events = definition
                    .blocks_of_events()
                    .flat_map(|event| &event.events);
                codes.extend(events.map(|event| event.body.code()));
            }
            assert_eq!(anim::encode(&decoded.value).unwrap(), bytes);
        }
        assert_eq!(codes, expected(version), "{version:?}");
    }
}
