//! How the containers of an install compare in number with those of a retail install, by the project's
//! sheets. Nothing depends on it.

use super::planned::PlannedFile;
use crate::asset::Game;
use crate::formats::kind::Kind;

/// A game, and how many containers of each kind its retail install has, worlds first.
type Retail = (Game, &'static [(Kind, usize)]);

const RETAIL: [Retail; 2] = [
    (
        Game::Cs,
        &[
            (Kind::GameZ, 9),
            (Kind::Anim, 61),
            (Kind::Textures, 49),
            (Kind::Archive, 64),
            (Kind::Interp, 1),
        ],
    ),
    (
        Game::Rc,
        &[
            (Kind::GameZ, 13),
            (Kind::Anim, 13),
            (Kind::Textures, 61),
            (Kind::Archive, 17),
            (Kind::Interp, 1),
        ],
    ),
];

/// A line for each game whose install is there, by at least half of its worlds, and differs.
pub(super) fn differences(files: &[PlannedFile]) -> Vec<String> {
    let containers = files.iter().filter(|file| {
        let extension = file.source.extension();
        extension.as_deref() == Some("zbd")
    });
    let known: Vec<(Game, Kind)> = containers
        .filter_map(|file| Some((file.game?, file.kind)))
        .collect();
    let lines = RETAIL
        .iter()
        .filter_map(|&retail| difference(retail, &known));
    lines.collect()
}

fn difference((game, expected): Retail, known: &[(Game, Kind)]) -> Option<String> {
    let count = |kind: Kind| known.iter().filter(|file| **file == (game, kind)).count();
    let &(worlds, most) = expected.first()?;
    if count(worlds) * 2 < most {
        return None;
    }
    let words: Vec<String> = expected
        .iter()
        .map(|&(kind, wanted)| (kind, count(kind), wanted))
        .filter(|(_, own, wanted)| own != wanted)
        .map(|(kind, own, wanted)| format!("{own} × {} ({wanted})", kind.label()))
        .collect();
    (!words.is_empty()).then(|| {
        let words = words.join(", ");
        format!("{game}: not as on retail installs, whose counts are in brackets: {words}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installs_are_compared_and_parts_of_them_are_not() {
        let (game, expected) = RETAIL[0];
        let mut known: Vec<(Game, Kind)> = Vec::new();
        for &(kind, count) in expected {
            known.extend(std::iter::repeat_n((game, kind), count));
        }
        assert_eq!(difference(RETAIL[0], &known), None);
        known.pop();
        let told = difference(RETAIL[0], &known).unwrap();
        assert!(told.ends_with(": 0 × scripts (1)"), "{told}");
        assert_eq!(difference(RETAIL[0], &known[..4]), None);
    }
}
