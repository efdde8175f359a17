//! Types of regions: water, lava, a way to another zone. A code in the name gives the type.

use serde::Serialize;

use super::encoded_text::EncodedText;
use relicast_codec::F32;

relicast_codec::record! {
    /// Regions of one kind (kind 0x29).
    pub struct Zone[12..] {
        /// Unknown bits.
        flags: u32,
        /// The regions, counted from 0.
        regions: Vec<u32> [counted],
        /// The code, if it is not the fragment's name.
        code: EncodedText [by |text, stream| text.walk32(stream, "code")],
    }
}

/// Kind of a region, by reference implementations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RegionType {
    /// Nothing special.
    Normal,
    /// Water.
    Water,
    /// Lava.
    Lava,
    /// Players may fight each other.
    PlayerVersusPlayer,
    /// A slippery floor.
    Slippery,
    /// Water that blocks sight.
    Slime,
    /// Freezing water.
    FreezingWater,
    /// A code with unknown meaning.
    Unknown,
}

/// Target of a way to another zone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ZoneLine {
    /// A row of the server's table; the file does not contain the destination.
    Reference(u32),
    /// A place in a zone.
    Absolute {
        /// Number of the zone.
        zone: u32,
        /// Position; axes as in the code. `None` for a coordinate that does not change.
        position: [Option<F32>; 3],
        /// 512ths of a turn; 999 may mean that it does not change.
        heading: u32,
    },
}

/// Meaning of the code of a [`Zone`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneMeaning {
    /// Kind of the regions.
    pub region_type: RegionType,
    /// Target of the way to another zone.
    pub line: Option<ZoneLine>,
    /// True if the code ends within a way to another zone, or has no numbers there.
    pub broken_line: bool,
}

impl Zone {
    /// Meaning of the code; `name` is the fragment's.
    pub fn meaning(&self, name: &str) -> ZoneMeaning {
        let own = self.code.text();
        ZoneMeaning::new(if own.is_empty() { name } else { &own })
    }
}

impl ZoneMeaning {
    /// Reads a code such as `DRNTP00255000001_ZONE`.
    pub fn new(code: &str) -> Self {
        let code = code.to_lowercase();
        let starts = |prefix: &str| code.starts_with(prefix);
        let leads = ["wtntp", "lantp", "drntp"].into_iter().any(starts);
        let region_type = if starts("wt_") || starts("wtn_") || starts("wtntp") {
            RegionType::Water
        } else if starts("la_") || starts("lan_") || starts("lantp") {
            RegionType::Lava
        } else if starts("drp_") {
            RegionType::PlayerVersusPlayer
        } else if starts("drn_") && code.contains("_s_") {
            RegionType::Slippery
        } else if starts("drn_") {
            RegionType::Unknown
        } else if starts("sln_") {
            RegionType::Slime
        } else if starts("vwn_") {
            RegionType::FreezingWater
        } else {
            RegionType::Normal
        };
        let line = leads.then(|| line(&code));
        Self {
            region_type,
            broken_line: matches!(line, Some(None)),
            line: line.flatten(),
        }
    }
}

/// Number that marks a coordinate that does not change.
const KEPT: f32 = 999_999.0;

fn line(code: &str) -> Option<ZoneLine> {
    if code
        .get(5..)
        .is_some_and(|rest| rest == "_zone" || rest.is_empty())
    {
        return Some(ZoneLine::Reference(0));
    }
    let number = |from: usize, to: usize| code.get(from..to)?.parse::<u32>().ok();
    let coordinate = |from: usize, to: usize| {
        let value = code.get(from..to)?.parse::<f32>().ok()?;
        let kept = value == KEPT;
        value.is_finite().then(|| (!kept).then_some(F32(value)))
    };
    let zone = number(5, 10)?;
    if zone == 255 {
        return Some(ZoneLine::Reference(number(10, 16)?));
    }
    Some(ZoneLine::Absolute {
        zone,
        position: [
            coordinate(10, 16)?,
            coordinate(16, 22)?,
            coordinate(22, 28)?,
        ],
        heading: number(28, 31)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_determine_what_regions_are() {
        let types = [
            ("WT_ZONE", RegionType::Water),
            ("WTN_ABC_ZONE", RegionType::Water),
            ("LA_ZONE", RegionType::Lava),
            ("DRP_ZONE", RegionType::PlayerVersusPlayer),
            ("DRN__S_ZONE", RegionType::Slippery),
            ("DRN_ZONE", RegionType::Unknown),
            ("SLN_ZONE", RegionType::Slime),
            ("VWN_ZONE", RegionType::FreezingWater),
            ("XYZ", RegionType::Normal),
            ("", RegionType::Normal),
        ];
        for (code, expected) in types {
            let meaning = ZoneMeaning::new(code);
            assert_eq!(meaning.region_type, expected, "{code}");
            assert_eq!((meaning.line, meaning.broken_line), (None, false));
        }
    }

    #[test]
    fn lines_lead_by_reference_or_to_a_place() {
        let line = |code| ZoneMeaning::new(code).line;
        assert_eq!(line("DRNTP00255000001_ZONE"), Some(ZoneLine::Reference(1)));
        assert_eq!(line("drntp_zone"), Some(ZoneLine::Reference(0)));
        let water = ZoneMeaning::new("WTNTP00025-00123000.50000100128___");
        assert_eq!(water.region_type, RegionType::Water);
        assert_eq!(
            water.line,
            Some(ZoneLine::Absolute {
                zone: 25,
                position: [F32(-123.0), F32(0.5), F32(100.0)].map(Some),
                heading: 128
            })
        );
    }

    #[test]
    fn coordinates_of_nines_stay_as_they_are() {
        let line = ZoneMeaning::new("DRNTP00025999999-00015999999512").line;
        assert_eq!(
            line,
            Some(ZoneLine::Absolute {
                zone: 25,
                position: [None, Some(F32(-15.0)), None],
                heading: 512
            })
        );
    }

    #[test]
    fn torn_lines_are_reported() {
        for code in [
            "DRNTP0025",
            "DRNTP00255abcdef",
            "DRNTP00001é",
            "lantp00025   nan",
        ] {
            let meaning = ZoneMeaning::new(code);
            assert_eq!(meaning.line, None, "{code}");
            assert!(meaning.broken_line, "{code}");
        }
    }
}
