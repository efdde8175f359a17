//! Codes of animation sets, and which model borrows the sets of which.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// Code of an animation set: a letter and two digits, in upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::convert) struct SetCode([u8; 3]);

impl fmt::Display for SetCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Number of bytes of a set's code, and of a creature's.
pub(super) const CODE_LENGTH: usize = 3;

impl SetCode {
    /// The code that a name starts with, and the rest of the name.
    pub(super) fn split(name: &str) -> Option<(Self, &str)> {
        let (code, rest) = name.split_at_checked(CODE_LENGTH)?;
        let code: [u8; CODE_LENGTH] = code.to_ascii_uppercase().into_bytes().try_into().ok()?;
        let [letter, tens, ones] = code;
        let holds = letter.is_ascii_alphabetic() && tens.is_ascii_digit() && ones.is_ascii_digit();
        holds.then_some((Self(code), rest))
    }

    /// Whether the set starts again at its end (by a reference implementation).
    pub(super) fn loops(self) -> bool {
        const LOOPING: [&[u8; 3]; 11] = [
            b"P01", b"L01", b"L02", b"L05", b"L06", b"L07", b"L09", b"P03", b"P06", b"P07", b"P08",
        ];
        LOOPING.contains(&&self.0)
    }

    /// What it shows, by a list that players have kept; none for those that the list lacks.
    pub(super) fn meaning(self) -> Option<&'static str> {
        let meaning = match &self.0 {
            b"C01" => "kick",
            b"C02" => "one-hand pierce",
            b"C03" => "two-hand slash",
            b"C04" => "two-hand blunt",
            b"C05" => "one-hand slash",
            b"C06" => "off-hand",
            b"C07" => "bash",
            b"C08" => "hand to hand",
            b"C09" => "bow",
            b"C10" => "swim attack",
            b"C11" => "round kick",
            b"D01" => "hit",
            b"D02" => "hit hard",
            b"D03" => "trap",
            b"D04" => "drown",
            b"D05" => "die",
            b"L01" => "walk",
            b"L02" => "run",
            b"L03" => "running jump",
            b"L04" => "standing jump",
            b"L05" => "fall",
            b"L06" => "sneak",
            b"L07" => "climb",
            b"L08" => "crouch",
            b"L09" => "tread water",
            b"O01" => "idle",
            b"P01" => "stand",
            b"P02" => "sit down",
            b"P03" => "turn",
            b"P05" => "kneel",
            b"P06" => "swim",
            b"P07" => "sitting",
            b"P08" => "stand, arms at sides",
            [b'S', ..] => "emote",
            b"T01" | b"T02" | b"T03" => "instrument",
            b"T04" | b"T05" | b"T06" => "casting",
            b"T07" | b"T08" | b"T09" => "monk special",
            _ => return None,
        };
        Some(meaning)
    }
}

/// The model that lends its animation sets to another; codes in upper case.
pub(in crate::convert) fn lender(model: &str) -> Option<&'static str> {
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
        assert!(code.meaning() == Some("one-hand slash") && !code.loops());
        assert!(SetCode::split("l02").unwrap().0.loops());
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
