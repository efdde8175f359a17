//! Paint of Crimson Skies: the patterns, the airframes that use them, and the texture that a livery replaces.
//!
//! The tables are those of the game's program and paint shop.
//!
//! ```
//! use relicast_formats::zipper::paint::{Pattern, replaced_texture};
//!
//! let blake = Pattern::named("Blake").unwrap();
//! assert_eq!(blake.paints[0], [149, 163, 195]);
//! assert_eq!(replaced_texture("BLO_WING.BM"), "blo_wing");
//! ```

use super::livery::Paints;

/// An airframe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Airframe {
    /// Start of the names of its liveries and textures, before the underscore.
    pub prefix: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Name in the program's own table.
    pub shown_name: &'static str,
    /// Root of the player's version in `planes.zbd`, which has a cockpit.
    pub player_root: &'static str,
    /// Root of the version for other pilots.
    pub plain_root: &'static str,
    /// Picture of its damage.
    pub damage_picture: &'static str,
}

const fn airframe(
    prefix: &'static str,
    name: &'static str,
    of_table: [&'static str; 4],
) -> Airframe {
    let [shown_name, player_root, plain_root, damage_picture] = of_table;
    Airframe {
        prefix,
        name,
        shown_name,
        player_root,
        plain_root,
        damage_picture,
    }
}

/// The airframes, by the number that saves store.
pub const AIRFRAMES: [Airframe; 11] = [
    airframe(
        "AGYRO",
        "Hoplite",
        ["Autogyro", "player_autogyro", "autogyro", "agyro_damage"],
    ),
    airframe(
        "HEL",
        "Hellhound",
        ["Hellhound", "player_avenger", "avenger", "avenger_damage"],
    ),
    airframe(
        "BAL",
        "Balmoral",
        ["Balmoral", "player_balmoral", "balmoral", "bal_damage"],
    ),
    airframe(
        "BLO",
        "Bloodhawk",
        ["Bloodhawk", "player_bhawk", "bloodhawk", "bldhwk_damage"],
    ),
    airframe(
        "BRI",
        "Brigand",
        ["Brigand", "player_brigand", "brigand", "brigand_damage"],
    ),
    airframe(
        "DEV",
        "Devastator",
        [
            "Devastator",
            "player_pfighter",
            "piratefighter",
            "de_damage",
        ],
    ),
    airframe(
        "FIR",
        "Firebrand",
        [
            "Firebrand",
            "player_fbrand",
            "firebrand",
            "firebrand_damage",
        ],
    ),
    airframe(
        "FUR",
        "Fury",
        ["Fury", "player_fury", "fury", "fury_damage"],
    ),
    airframe(
        "KES",
        "Kestrel",
        ["Kestrel", "player_kestrel", "kestrel", "ke_damage"],
    ),
    airframe(
        "PEA",
        "Peacemaker",
        ["Peacemaker", "player_peacemaker", "peacemaker", "pm_damage"],
    ),
    airframe(
        "WAR",
        "Warhawk",
        ["Warhawk", "player_warhawk", "warhawk", "whawk_damage"],
    ),
];

/// A pattern of paint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// Name of the folder of its liveries.
    pub folder: &'static str,
    /// The paints of the paint shop.
    pub paints: Paints,
}

const fn pattern(folder: &'static str, paints: Paints) -> Pattern {
    Pattern { folder, paints }
}

/// The patterns, by the number that saves store.
pub const PATTERNS: [Pattern; 14] = [
    pattern("BLACKHAT", [[177, 130, 66], [119, 74, 43], [66, 39, 15]]),
    pattern("BLCKSWAN", [[23, 23, 21], [48, 47, 39], [196, 193, 186]]),
    pattern("BLAKE", [[149, 163, 195], [89, 114, 159], [233, 228, 240]]),
    pattern("BRITISH", [[177, 130, 66], [48, 47, 39], [255, 255, 255]]),
    pattern("FORTUNE", [[223, 0, 41], [25, 25, 25], [255, 255, 255]]),
    pattern("HOLLYWD", [[108, 102, 169], [70, 40, 132], [212, 202, 225]]),
    pattern("HUGHES", [[243, 194, 0], [25, 25, 25], [255, 255, 255]]),
    pattern("MEDUSAS", [[95, 125, 143], [41, 14, 21], [141, 137, 93]]),
    pattern("CCCP", [[57, 64, 68], [223, 0, 41], [243, 194, 0]]),
    pattern("SACTRUST", [[52, 38, 107], [243, 194, 0], [23, 23, 21]]),
    pattern("GERMAN", [[96, 115, 126], [25, 25, 25], [48, 47, 39]]),
    pattern("STUDIO", [[32, 90, 167], [255, 255, 255], [25, 25, 25]]),
    pattern("BROADWAY", [[70, 40, 132], [25, 25, 25], [238, 234, 0]]),
    pattern("ITSTAXI", [[249, 244, 0], [255, 255, 255], [25, 25, 25]]),
];

/// Name in readers of the pattern of the player's own band.
const PLAYERS_OWN: &str = "player_fortune";

impl Pattern {
    /// The pattern of this name in a folder or a reader; letter case is ignored.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = match name.eq_ignore_ascii_case(PLAYERS_OWN) {
            true => "FORTUNE",
            false => name,
        };
        let mut patterns = PATTERNS.iter();
        patterns.find(|pattern| pattern.folder.eq_ignore_ascii_case(name))
    }
}

/// The texture, in lower case and without an ending, that the livery in a file of this name replaces.
pub fn replaced_texture(file: &str) -> String {
    let stem = file.split('.').next().unwrap_or_default().to_lowercase();
    // The one name that differs in the game's table.
    match &*stem {
        "dev_fusalage1" => "dev_fusalage".to_owned(),
        _ => stem,
    }
}

/// The textures of the places for decals on an airframe with this prefix: nose, tail, wing.
pub fn decal_places(prefix: &str) -> [String; 3] {
    let prefix = prefix.to_lowercase();
    ["nose", "tail", "wing"].map(|place| format!("{prefix}_{place}logo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_have_a_name_of_their_own_for_the_players_pattern() {
        assert_eq!(Pattern::named("player_fortune"), Some(&PATTERNS[4]));
        assert_eq!(Pattern::named("sactrust").unwrap().folder, "SACTRUST");
        assert_eq!(Pattern::named(""), None);
    }

    #[test]
    fn one_livery_replaces_a_texture_of_another_name() {
        assert_eq!(replaced_texture("DEV_FUSALAGE1.BM"), "dev_fusalage");
        assert_eq!(replaced_texture("DEV_FUSALAGETOP.BM"), "dev_fusalagetop");
        assert_eq!(decal_places("FUR")[1], "fur_taillogo");
    }
}
