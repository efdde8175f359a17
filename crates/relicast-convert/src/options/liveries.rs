//! Settings of liveries.

use serde::{Deserialize, Serialize};

use relicast_formats::zipper::livery::{Paints, Rgb, Rule};
use relicast_formats::zipper::paint::Pattern;

/// Liveries of aircraft.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Liveries {
    /// Rule for blending paints.
    pub rule: Rule,
    /// Paints that replace those of the game's patterns: a name and three colors each.
    pub paints: Vec<String>,
}

/// A color as `#rrggbb`.
fn color(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let channel = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// A name and three colors.
fn parsed(text: &str) -> Option<(&str, Paints)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [name, one, two, three] => Some((name, [color(one)?, color(two)?, color(three)?])),
        _ => None,
    }
}

impl Liveries {
    /// The paints of the pattern of this name; `None` if it is neither in the game nor listed.
    pub fn paints_of(&self, pattern: &str) -> Option<Paints> {
        let known = Pattern::named(pattern);
        let name = known.map_or(pattern, |known| known.folder);
        let mut listed = self.paints.iter().filter_map(|text| parsed(text));
        let own = listed.find(|(listed, _)| {
            let listed = Pattern::named(listed).map_or(*listed, |known| known.folder);
            listed.eq_ignore_ascii_case(name)
        });
        own.map(|(_, paints)| paints)
            .or_else(|| Some(known?.paints))
    }

    /// Invalid entries, and a description of the fault.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let wrong = self.paints.iter().filter(|text| parsed(text).is_none());
        wrong.map(|text| {
            let right =
                "is not a name with three colors, such as \"fortune #df0029 #191919 #ffffff\"";
            (&**text, right)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_paints_take_the_place_of_the_games() {
        let liveries = Liveries {
            paints: vec![
                "fortune #010203 #0a0b0c #ffffff".to_owned(),
                "mine #000000".to_owned(),
            ],
            ..Liveries::default()
        };
        let own = Some([[1, 2, 3], [10, 11, 12], [255; 3]]);
        assert_eq!(liveries.paints_of("FORTUNE"), own);
        assert_eq!(liveries.paints_of("player_fortune"), own);
        assert_eq!(liveries.paints_of("mine"), None);
        assert_eq!(
            liveries.paints_of("cccp").map(|paints| paints[1]),
            Some([223, 0, 41])
        );
        assert_eq!(liveries.faults().count(), 1);
    }
}
