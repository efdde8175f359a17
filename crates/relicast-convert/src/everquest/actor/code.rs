//! Codes of animation sets, and the models that lend their sets to others.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// Code of an animation set: a letter and two digits, in upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetCode([u8; 3]);

impl fmt::Display for SetCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Number of bytes of a set's code, and of a creature's.
pub(super) const CODE_LENGTH: usize = 3;

impl SetCode {
    /// The code that a name starts with, and the rest of the name.
    pub(in crate::everquest) fn split(name: &str) -> Option<(Self, &str)> {
        let (code, rest) = name.split_at_checked(CODE_LENGTH)?;
        let code: [u8; CODE_LENGTH] = code.to_ascii_uppercase().into_bytes().try_into().ok()?;
        let [letter, tens, ones] = code;
        let holds = letter.is_ascii_alphabetic() && tens.is_ascii_digit() && ones.is_ascii_digit();
        holds.then_some((Self(code), rest))
    }

    /// True if the set starts again at its end (by a reference implementation).
    pub(in crate::everquest) fn loops(self) -> bool {
        const LOOPING: [&[u8; 3]; 11] = [
            b"P01", b"L01", b"L02", b"L05", b"L06", b"L07", b"L09", b"P03", b"P06", b"P07", b"P08",
        ];
        LOOPING.contains(&&self.0)
    }

    /// Name and meaning, by lists of public client projects; `None` for a code that they
    /// lack.
    fn listed(self) -> Option<(&'static str, &'static str)> {
        let place = MEANINGS.binary_search_by_key(&&self.0, |(code, ..)| code);
        let (_, name, meaning) = MEANINGS.get(place.ok()?)?;
        Some((name, meaning))
    }

    /// Name of its clip: its content in a word or two, else the code.
    pub(in crate::everquest) fn clip_name(self) -> String {
        let listed = self.listed();
        listed.map_or_else(|| self.to_string(), |(name, _)| name.to_owned())
    }

    /// Meaning of the code.
    pub(in crate::everquest) fn meaning(self) -> Option<&'static str> {
        self.listed().map(|(_, meaning)| meaning)
    }
}

/// Codes of sets in order, the names of their clips, and their meanings.
#[rustfmt::skip]
const MEANINGS: [([u8; CODE_LENGTH], &str, &str); 73] = [
    (*b"C01", "kick", "kick"),
    (*b"C02", "pierce", "pierce"),
    (*b"C03", "slash_two_handed", "two-handed slash"),
    (*b"C04", "blunt_two_handed", "two-handed blunt"),
    (*b"C05", "throw", "throw"),
    (*b"C06", "off_hand", "one-handed, left"),
    (*b"C07", "bash", "bash"),
    (*b"C08", "hand_to_hand", "hand to hand"),
    (*b"C09", "archery", "archery"),
    (*b"C10", "attack_swimming", "attack while swimming"),
    (*b"C11", "round_kick", "round kick"),
    (*b"D01", "hit_1", "hit 1"),
    (*b"D02", "hit_2", "hit 2"),
    (*b"D03", "trap", "trap"),
    (*b"D04", "drowning", "drowning or burning"),
    (*b"D05", "death", "death"),
    (*b"L01", "walk", "walk"),
    (*b"L02", "run", "run"),
    (*b"L03", "jump_running", "jump while running"),
    (*b"L04", "jump_standing", "jump while standing"),
    (*b"L05", "fall", "fall"),
    (*b"L06", "crouched_walk", "crouched walk"),
    (*b"L07", "climb", "climb"),
    (*b"L08", "crouch", "crouch"),
    (*b"L09", "tread_water", "tread water"),
    (*b"O01", "idle", "idle"),
    (*b"O02", "idle_arms_at_sides", "idle with arms at sides"),
    (*b"O03", "idle_sitting", "idle, sitting"),
    (*b"P01", "stand", "stand"),
    (*b"P02", "sit_down", "sit down"),
    (*b"P03", "turn", "turn on the spot"),
    (*b"P04", "float", "float, strafe"),
    (*b"P05", "kneel_loot", "kneel, loot"),
    (*b"P06", "swim", "swim"),
    (*b"P07", "sitting", "sitting"),
    (*b"P08", "stand_arms_at_sides", "stand with arms at sides"),
    (*b"S01", "cheer", "cheer"),
    (*b"S02", "mourn", "mourn"),
    (*b"S03", "wave", "wave"),
    (*b"S04", "rude", "rude"),
    (*b"S05", "yawn", "yawn"),
    (*b"S06", "nod", "nod"),
    (*b"S07", "amazed", "amazed"),
    (*b"S08", "plead", "plead"),
    (*b"S09", "clap", "clap"),
    (*b"S10", "distress", "distress"),
    (*b"S11", "blush", "blush"),
    (*b"S12", "chuckle", "chuckle"),
    (*b"S13", "burp", "burp"),
    (*b"S14", "duck", "duck"),
    (*b"S15", "look_around", "look around"),
    (*b"S16", "dance", "dance"),
    (*b"S17", "blink", "blink"),
    (*b"S18", "glare", "glare"),
    (*b"S19", "drool", "drool"),
    (*b"S20", "kneel", "kneel"),
    (*b"S21", "laugh", "laugh"),
    (*b"S22", "point", "point"),
    (*b"S23", "ponder", "ponder"),
    (*b"S24", "ready", "ready"),
    (*b"S25", "salute", "salute"),
    (*b"S26", "shiver", "shiver"),
    (*b"S27", "tap_foot", "tap foot"),
    (*b"S28", "bow", "bow"),
    (*b"T01", "drum", "drum"),
    (*b"T02", "strings", "strings"),
    (*b"T03", "wind_instrument", "wind instrument"),
    (*b"T04", "cast_defence", "cast: defence"),
    (*b"T05", "cast_general", "cast: general"),
    (*b"T06", "cast_missile", "cast: missile"),
    (*b"T07", "flying_kick", "flying kick"),
    (*b"T08", "rapid_punch", "rapid punch"),
    (*b"T09", "heavy_punch", "heavy punch"),
];

/// The model that lends its animation sets to another; codes in upper case.
pub(crate) fn lender(model: &str) -> Option<&'static str> {
    static LENDERS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
        let lines = include_str!("sources.txt").lines();
        let lines = lines.filter(|line| !line.starts_with('#'));
        lines
            .flat_map(|line| {
                let mut codes = line.split_whitespace();
                let lender = codes.next().unwrap_or_default();
                codes.map(move |borrower| (borrower, lender))
            })
            .collect()
    });
    LENDERS.get(model).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_after_a_letter_and_two_digits() {
        let (code, rest) = SetCode::split("c05ELMCH_TRACK").unwrap();
        assert_eq!((code.to_string().as_str(), rest), ("C05", "ELMCH_TRACK"));
        assert!(SetCode::split("ELMCH").is_none());
        assert!(SetCode::split("C0").is_none());
        assert!(SetCode::split("C0é").is_none());
        assert_eq!(SetCode::split("P01").unwrap().1, "");
        assert!(code.meaning() == Some("throw") && !code.loops());
        assert!(SetCode::split("l02").unwrap().0.loops());
    }

    #[test]
    fn clips_have_one_name_each() {
        assert!(MEANINGS.is_sorted_by(|one, other| one.0 < other.0));
        let mut names = std::collections::HashSet::new();
        for (code, name, _) in MEANINGS {
            assert!(names.insert(name), "{name} twice");
            assert_eq!(SetCode(code).clip_name(), name);
        }
        let named = |code: &str| SetCode::split(code).unwrap().0.clip_name();
        assert_eq!(
            ["L01", "l02", "D05", "L10"].map(named),
            ["walk", "run", "death", "L10"]
        );
    }

    #[test]
    fn models_know_their_lender() {
        assert_eq!(lender("BRM"), Some("ELM"));
        assert_eq!(lender("STG"), Some("FSG"));
        assert_eq!(lender("ELM"), None);
        assert_eq!(lender("#"), None);
        let mut borrowers = std::collections::HashSet::new();
        let mut lenders = std::collections::HashSet::new();
        for line in include_str!("sources.txt").lines() {
            if !line.starts_with('#') {
                let mut codes = line.split_whitespace();
                lenders.extend(codes.next());
                for code in codes {
                    assert!(borrowers.insert(code), "{code} borrows twice");
                }
            }
        }
        let chained: Vec<_> = lenders.intersection(&borrowers).collect();
        assert!(chained.is_empty(), "{chained:?} lend what they borrow");
    }
}
