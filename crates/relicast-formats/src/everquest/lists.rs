//! Text lists of an install: rows of cells with columns by the name of the file, maps of zones, and
//! settings of the world (`sky.ini` and the like). The codec stores lines unchanged (see
//! [`text`](super::eqg::text)); this module parses them.
//!
//! ```
//! use relicast_formats::everquest::lists::{Layout, map_line, MapLine};
//!
//! let layout = Layout::of("skillcaps.txt").unwrap();
//! assert_eq!(layout.columns[1], "skill");
//! assert_eq!(layout.cells("1^0^1^10^0").collect::<Vec<_>>(), ["1", "0", "1", "10", "0"]);
//! let point = map_line("P 1.5, -2, 0, 255, 0, 0, 2, to_the_mill");
//! assert!(matches!(point, Some(MapLine::Point { label: "to_the_mill", .. })));
//! ```

use std::borrow::Cow;

use super::plain;

/// Structure of the rows of a list.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Returns true if a file (by its name in lower case) is such a list.
    holds: fn(&str) -> bool,
    /// Separator between two cells; `None` for lists of whole lines.
    separator: Option<char>,
    /// Lines before the first row.
    pub headings: usize,
    /// Names of the columns; further ones are called by their numbers.
    pub columns: &'static [&'static str],
    /// Columns that are texts even if they look like numbers.
    texts: &'static [&'static str],
    /// True if the last named column takes the rest of the line.
    is_open: bool,
    /// True if rows are numbered downwards from −1, as sounds refer to them.
    pub is_numbered: bool,
    /// True if other programs have files of that name: a row must have the separator.
    needs_separator: bool,
}

/// Columns of a list of spells of newer clients.
#[rustfmt::skip]
const SPELLS: [&str; 146] = [
    "id", "name", "player_1", "teleport_zone", "you_cast", "other_casts", "cast_on_you",
    "cast_on_other", "spell_fades", "range", "aoe_range", "push_back", "push_up", "cast_time",
    "recovery_time", "recast_time", "duration_formula", "duration", "ae_duration", "mana", "base1",
    "base2", "base3", "base4", "base5", "base6", "base7", "base8", "base9", "base10", "base11",
    "base12", "limit1", "limit2", "limit3", "limit4", "limit5", "limit6", "limit7", "limit8",
    "limit9", "limit10", "limit11", "limit12", "max1", "max2", "max3", "max4", "max5", "max6",
    "max7", "max8", "max9", "max10", "max11", "max12", "icon", "mem_icon", "component1",
    "component2", "component3", "component4", "count1", "count2", "count3", "count4", "noexpend1",
    "noexpend2", "noexpend3", "noexpend4", "formula1", "formula2", "formula3", "formula4",
    "formula5", "formula6", "formula7", "formula8", "formula9", "formula10", "formula11",
    "formula12", "light", "good", "activated", "resist", "effect1", "effect2", "effect3", "effect4",
    "effect5", "effect6", "effect7", "effect8", "effect9", "effect10", "effect11", "effect12",
    "target", "base_difficulty", "skill", "zone_type", "environment", "time_of_day", "warrior",
    "cleric", "paladin", "ranger", "shadow_knight", "druid", "monk", "bard", "rogue", "shaman",
    "necromancer", "wizard", "magician", "enchanter", "beastlord", "berserker", "casting_anim",
    "target_anim", "travel_type", "spell_affect_index", "disallow_sit", "deity1", "deity2",
    "deity3", "deity4", "deity5", "deity6", "deity7", "deity8", "deity9", "deity10", "deity11",
    "deity12", "deity13", "deity14", "deity15", "deity16", "deity17", "col142", "col143", "col144",
    "spellsnew_record",
];

const PLAIN: Layout = Layout {
    holds: |_| false,
    separator: Some('^'),
    headings: 0,
    columns: &[],
    texts: &[],
    is_open: false,
    is_numbered: false,
    needs_separator: false,
};

/// The lists.
const LAYOUTS: &[Layout] = &[
    Layout {
        holds: |name| is_one_of(name, "dbstr", &["us", "en"]),
        headings: 1,
        columns: &["id", "type", "text"],
        texts: &["text"],
        is_open: true,
        ..PLAIN
    },
    Layout {
        holds: |name| {
            name == "eqtext.txt"
                || is_one_of(name, "eqstr", &["us", "en"])
                || is_one_of(name, "eqlsstr", &["us", "en"])
        },
        separator: Some(' '),
        headings: 2,
        columns: &["id", "text"],
        texts: &["text"],
        is_open: true,
        ..PLAIN
    },
    Layout {
        holds: |name| is_one_of(name, "spells", &["us", "en"]),
        columns: &SPELLS,
        texts: &[
            "name",
            "player_1",
            "teleport_zone",
            "you_cast",
            "other_casts",
            "cast_on_you",
            "cast_on_other",
            "spell_fades",
        ],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "basedata.txt",
        columns: &[
            "level",
            "class",
            "hp",
            "mana",
            "endurance",
            "col5",
            "endurance_regen",
            "hp_factor",
            "mana_factor",
            "endurance_factor",
        ],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "skillcaps.txt",
        columns: &["class", "skill", "level", "cap", "col4"],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "racedata.txt",
        columns: &["race"],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "soundassets.txt",
        columns: &["id", "file"],
        texts: &["file"],
        is_open: true,
        ..PLAIN
    },
    Layout {
        holds: |name| name == "animationsounds.txt",
        columns: &["animation", "sound"],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "globalload.txt",
        separator: Some(','),
        columns: &["phase", "col1", "flags", "archive", "text"],
        texts: &["flags", "archive", "text"],
        is_open: true,
        ..PLAIN
    },
    // Models, animations and lists of each archive, with their names in the client.
    Layout {
        holds: |name| name == "ondemandresources.txt",
        columns: &["archive", "file", "tag", "type"],
        texts: &["archive", "file", "tag", "type"],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "requirements.txt",
        columns: &["id", "type"],
        needs_separator: true,
        ..PLAIN
    },
    Layout {
        holds: |name| name == "actortaginfo.txt",
        columns: &["item"],
        ..PLAIN
    },
    Layout {
        holds: |name| {
            let tables = [
                "bannercategories.txt",
                "campsitecategories.txt",
                "characterpropertysets.txt",
                "playercustomization.txt",
                "spellrequirementassociations.txt",
            ];
            tables.contains(&name)
        },
        needs_separator: true,
        ..PLAIN
    },
    // Comment lines begin with a hash; the first one names the columns.
    Layout {
        holds: |name| name == "newarmortagdata.txt",
        separator: Some('\t'),
        columns: &[
            "id",
            "tag",
            "it_number",
            "it_number_pair",
            "ignore_adjustment",
            "show_hair",
            "hide_mesh",
            "comment",
        ],
        texts: &["tag", "comment"],
        ..PLAIN
    },
    // The last nine are a guess: factors about 1, lengths about 0, angles below 360.
    Layout {
        holds: |name| name == "newarmoradjdata.txt",
        separator: Some(','),
        columns: &[
            "race", "slot", "scale_x", "scale_y", "scale_z", "offset_x", "offset_y", "offset_z",
            "angle_x", "angle_y", "angle_z",
        ],
        texts: &["race"],
        ..PLAIN
    },
    Layout {
        holds: |name| name == "mp3index.txt",
        separator: None,
        columns: &["file"],
        texts: &["file"],
        is_numbered: true,
        ..PLAIN
    },
];

/// True if a name is `START_ENDING.txt`.
fn is_one_of(name: &str, start: &str, endings: &[&str]) -> bool {
    let rest = name
        .strip_prefix(start)
        .and_then(|rest| rest.strip_prefix('_'));
    let language = rest.and_then(|rest| rest.strip_suffix(".txt"));
    language.is_some_and(|language| endings.contains(&language))
}

impl Layout {
    /// The layout of the file with this name in lower case; `None` for other files.
    pub fn of(name: &str) -> Option<&'static Self> {
        LAYOUTS.iter().find(|layout| (layout.holds)(name))
    }

    /// True if the bytes of a file with a matching name may be such a list.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        let start = bytes.get(..bytes.len().min(256)).unwrap_or_default();
        let has_separator = || {
            let separator = self.separator.unwrap_or('^');
            lines(start).any(|line| line.contains(separator))
        };
        !self.needs_separator || has_separator()
    }

    /// The cells of a row.
    pub fn cells<'l>(&self, line: &'l str) -> impl Iterator<Item = &'l str> + use<'l> {
        let most = match self.is_open {
            true => self.columns.len(),
            false => usize::MAX,
        };
        let separator = self.separator;
        line.splitn(most, move |character| Some(character) == separator)
    }

    /// Name of a column.
    pub fn column(&self, place: usize) -> Cow<'static, str> {
        match self.columns.get(place) {
            Some(&name) => name.into(),
            None => format!("col{place}").into(),
        }
    }

    /// True if cells of a column are texts, even if they look like numbers.
    pub fn is_text(&self, place: usize) -> bool {
        let column = self.columns.get(place);
        column.is_some_and(|column| self.texts.contains(column))
    }
}

/// The lines of a list as text, without their ends.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        plain::decode(line)
    })
}

/// A number that is written as in the text; `None` if the text has leading zeros, a plus sign or
/// an exponent, which the number would lose.
pub fn number(text: &str) -> Option<serde_json::Number> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = match digits.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (digits, None),
    };
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = all_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    if !is_plain || text.len() > 17 {
        return None;
    }
    match rest {
        None if text == "-0" => None,
        None => text.parse::<i64>().ok().map(Into::into),
        Some(rest) if all_digits(rest) => serde_json::Number::from_f64(text.parse().ok()?),
        Some(_) => None,
    }
}

/// A line of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MapLine<'l> {
    /// From one point to another.
    Line {
        /// Start and end.
        ends: [[f32; 3]; 2],
        /// Red, green, blue.
        color: [u8; 3],
    },
    /// A point with a name.
    Point {
        /// Position.
        position: [f32; 3],
        /// Red, green, blue.
        color: [u8; 3],
        /// Size of the letters, from 1 to 3.
        size: f32,
        /// The name; blanks are underscores.
        label: &'l str,
    },
}

/// Numeric cells of a line of a map: number of coordinates, which the color follows, and number of all.
const MAP_NUMBERS: [(char, usize, usize); 2] = [('L', 6, 9), ('P', 3, 7)];

/// The first cell of a line of a map that is not just a number, such as `255.` or an empty one, or a component of
/// a color that is not from 0 to 255.
pub fn odd_number(line: &str) -> Option<&str> {
    let line = line.trim();
    let mut kinds = MAP_NUMBERS.into_iter();
    let (letter, places, count) = kinds.find(|&(letter, ..)| line.starts_with(letter))?;
    let cells = line.strip_prefix(letter)?.split(',').take(count);
    let is_odd = |place: usize, cell: &str| {
        let is_part = (places..places.saturating_add(3)).contains(&place);
        let is_outside = |value: i32| u8::try_from(value).is_err();
        !super::number::is_plain(cell)
            || is_part && super::number::whole(cell).is_some_and(is_outside)
    };
    let mut cells = cells.enumerate();
    cells
        .find(|&(place, cell)| is_odd(place, cell))
        .map(|(_, cell)| cell.trim())
}

/// Parses a line of a map; `None` for any other. Numbers are read as the client scans them; components of colors are
/// clamped to 0 and 255.
pub fn map_line(line: &str) -> Option<MapLine<'_>> {
    let line = line.trim();
    let rest = line
        .get(1..)
        .filter(|rest| rest.starts_with(char::is_whitespace))?;
    let number = |cell: Option<&str>| super::number::decimal(cell?);
    let part = |cell: Option<&str>| u8::try_from(super::number::whole(cell?)?.clamp(0, 255)).ok();
    match line.as_bytes().first()? {
        b'L' => {
            let mut cells = rest.split(',');
            let mut three = || {
                Some([
                    number(cells.next())?,
                    number(cells.next())?,
                    number(cells.next())?,
                ])
            };
            let ends = [three()?, three()?];
            let color = [
                part(cells.next())?,
                part(cells.next())?,
                part(cells.next())?,
            ];
            Some(MapLine::Line { ends, color })
        }
        b'P' => {
            let mut cells = rest.splitn(8, ',');
            let position = [
                number(cells.next())?,
                number(cells.next())?,
                number(cells.next())?,
            ];
            let color = [
                part(cells.next())?,
                part(cells.next())?,
                part(cells.next())?,
            ];
            Some(MapLine::Point {
                position,
                color,
                size: number(cells.next())?,
                label: cells.next()?.trim(),
            })
        }
        _ => None,
    }
}

/// True if a text begins as a map does: its first line that is not empty is one of a map.
pub fn is_map(bytes: &[u8]) -> bool {
    let start = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let first = lines(start).find(|line| !line.trim().is_empty());
    first.is_some_and(|line| map_line(&line).is_some())
}

/// True if a file (by its name in lower case) has settings of the world, and none of a player.
pub fn is_world_settings(name: &str) -> bool {
    let known = [
        "sky.ini",
        "weather.ini",
        "precipitation.ini",
        "spoffsets.ini",
        "moddat.ini",
        "npct.ini",
        "waterswap.ini",
    ];
    known.contains(&name)
}

/// A section of settings: its name, and keys with their values in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Its name; empty before the first heading.
    pub name: String,
    /// Its keys.
    pub values: Vec<(String, String)>,
}

/// The sections of a text of settings. Comments start with `#` or `;`.
pub fn sections(bytes: &[u8]) -> Vec<Section> {
    let mut all = vec![Section::default()];
    for line in lines(bytes) {
        relicast_limits::check();
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']').unwrap_or(name).trim().to_owned();
            let values = Vec::new();
            relicast_limits::push(&mut all, Section { name, values });
        } else if let Some(section) = all.last_mut() {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let pair = (key.trim().to_owned(), value.trim().to_owned());
            relicast_limits::push(&mut section.values, pair);
        }
    }
    all.retain(|section| !section.name.is_empty() || !section.values.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_the_text_says() {
        let written = |text| number(text).map(|number| number.to_string());
        for text in ["0", "-12", "252", "0.083", "-67.5", "90000000"] {
            assert_eq!(written(text).as_deref(), Some(text));
        }
        for text in [
            "",
            "007",
            "-",
            "1e5",
            "nan",
            "1.",
            ".5",
            "+1",
            "-0",
            "12345678901234567890",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
    }

    #[test]
    fn spells_have_their_columns_at_the_places_of_the_sheet() {
        for (place, name) in [
            (19, "mana"),
            (20, "base1"),
            (44, "max1"),
            (56, "icon"),
            (70, "formula1"),
            (86, "effect1"),
            (98, "target"),
            (104, "warrior"),
            (119, "berserker"),
            (120, "casting_anim"),
            (125, "deity1"),
            (145, "spellsnew_record"),
        ] {
            assert_eq!(SPELLS[place], name);
        }
        assert!(SPELLS.iter().all(|name| !name.is_empty()));
    }

    #[test]
    fn lines_of_maps_are_distinguished_from_prose() {
        assert!(is_map(b"L 1, 2, 3, 4, 5, 6, 0, 0, 255\r\n"));
        assert!(!is_map(b"L 1, 2, 3\n") && !is_map(b"Lo, a map\n") && !is_map(b""));
        assert_eq!(
            map_line("P 1, 2, 3, 4, 5, 6, 2, a, b").map(|line| match line {
                MapLine::Point { label, .. } => label,
                MapLine::Line { .. } => "",
            }),
            Some("a, b")
        );
        assert_eq!(map_line("\u{e9}"), None);
    }

    #[test]
    fn parts_of_colors_beyond_their_range_are_its_ends_and_odd() {
        for (cells, expected, odd) in [
            ("0, 0, 255", [0, 0, 255], None),
            ("127, 664, 0", [127, 255, 0], Some("664")),
            ("127, 0, -3", [127, 0, 0], Some("-3")),
        ] {
            let (line, point) = (
                format!("L 1, 2, 3, 4, 500, 6, {cells}"),
                format!("P 1, 2, 300, {cells}, 2, a"),
            );
            for text in [&line, &point] {
                let read = map_line(text).map(|line| match line {
                    MapLine::Line { color, .. } | MapLine::Point { color, .. } => color,
                });
                assert_eq!((read, odd_number(text)), (Some(expected), odd), "{text}");
            }
        }
    }

    #[test]
    fn typos_in_maps_are_read_as_the_client_scans_them() {
        let line = "L 1, 2, , 4, 5, 6, 0, 0, 255.";
        let expected = MapLine::Line {
            ends: [[1.0, 2.0, 0.0], [4.0, 5.0, 6.0]],
            color: [0, 0, 255],
        };
        assert_eq!(
            (map_line(line), odd_number(line)),
            (Some(expected), Some(""))
        );
        assert_eq!(odd_number("P 1, 2, 3, 4, 5, 6., 2, a, b"), Some("6."));
        assert_eq!(odd_number("P 1, 2, 3, 4, 5, 6, 2, a, b"), None);
    }

    #[test]
    fn resource_tables_of_newer_clients_have_columns() {
        let resources = Layout::of("ondemandresources.txt").unwrap();
        assert_eq!(resources.columns, ["archive", "file", "tag", "type"]);
        let row = "mill.eqg^BARREL.MOD^BARREL_ACTORDEF^EQGM";
        assert_eq!(resources.cells(row).nth(2), Some("BARREL_ACTORDEF"));
        let armor = Layout::of("newarmortagdata.txt").unwrap();
        assert_eq!(
            armor.cells("2000\tL\t14100\t\t\t\t\t# Helm").count(),
            armor.columns.len()
        );
        let fit = Layout::of("newarmoradjdata.txt").unwrap();
        assert_eq!(
            fit.columns.len(),
            "ABC,1,1,1,1,0,0,0,0,0,0".split(',').count()
        );
    }

    #[test]
    fn requirements_of_other_programs_are_no_list() {
        let requirements = Layout::of("requirements.txt").unwrap();
        assert!(requirements.fits(b"88^2^0^88^^^^\n"));
        assert!(!requirements.fits(b"numpy>=1.20\nrequests\n"));
        assert!(Layout::of("skillcaps.txt").unwrap().fits(b""));
    }
}
