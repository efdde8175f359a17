//! Tables of an EverQuest server as CSV: the positions of doors, objects and creatures in zones. No client file has
//! them.
//!
//! The first line names the columns, in any order and letter case. Values are separated by commas, semicolons or tabs.
//!
//! | value | names of its column |
//! | --- | --- |
//! | short name of the zone | `zone`, `zone_short_name`, `short_name` |
//! | place | `pos_x`, `xpos` or `x`; likewise y and z |
//! | heading, 0 to 512 | `heading` |
//! | model of a door or object | `model`, `objectname`, `object_name`, `name` |
//! | creature | `race`, `gender`, `texture`, `face` |
//! | others | `incline`, `size`, `opentype`, `name` |
//!
//! Values of further columns are preserved as text.
//!
//! ```
//! use relicast_formats::everquest::server_tables::{Placed, read};
//!
//! let rows = read(b"zone,name,pos_x,pos_y,pos_z,heading\nqeynos,DOOR1,10,20,3,128\n").unwrap();
//! assert_eq!(rows[0].placed, Placed::Model("DOOR1".to_owned()));
//! ```

use std::borrow::Cow;

use csv::{ReaderBuilder, StringRecord};

/// An object that a server places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placed {
    /// A door or object: the name of its model.
    Model(String),
    /// A creature.
    Creature(Creature),
}

/// Appearance of a creature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creature {
    /// Number of its race.
    pub race: u32,
    /// 0 male, 1 female, 2 neither.
    pub gender: u32,
    /// Number of its texture set (its armor).
    pub texture: u32,
    /// Number of its face.
    pub face: u32,
    /// Its name.
    pub name: String,
    /// Code of its model, for races that are not known; usually empty.
    pub model: String,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its line in the file, the line with the columns being 1.
    pub line: u64,
    /// Short name of the zone, in small letters.
    pub zone: String,
    /// Kind of the placed item.
    pub placed: Placed,
    /// Position, by the server's axes: +X west, +Y north, +Z up.
    pub position: [f32; 3],
    /// Turn from north by west, 512 in all.
    pub heading: f32,
    /// Tilt, 512 in all.
    pub incline: f32,
    /// Size: percent for doors and objects; 0 if not given.
    pub size: f32,
    /// Number of the way that a door opens.
    pub open_type: Option<u32>,
    /// Names and texts of further columns that have a value.
    pub others: Vec<(String, String)>,
}

/// Indices of the columns that are read.
struct Columns {
    zone: usize,
    position: [usize; 3],
    heading: Option<usize>,
    incline: Option<usize>,
    size: Option<usize>,
    open_type: Option<usize>,
    model: Option<usize>,
    name: Option<usize>,
    race: Option<usize>,
    gender: Option<usize>,
    texture: Option<usize>,
    face: Option<usize>,
    /// Columns that are not read, with their names.
    others: Vec<(String, usize)>,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, String> {
        let names: Vec<String> = header.iter().map(str::to_ascii_lowercase).collect();
        let find = |wanted: &[&str]| {
            let mut wanted = wanted.iter();
            wanted.find_map(|wanted| names.iter().position(|name| name == wanted))
        };
        let needed = |what: &str, wanted: &[&str]| {
            find(wanted).ok_or_else(|| {
                let wanted = wanted.join(" or ");
                let found = names.join(", ");
                format!("line 1: no column for {what}: expected {wanted}, found {found}")
            })
        };
        let mut columns = Self {
            zone: needed(
                "the short name of the zone",
                &["zone", "zone_short_name", "short_name"],
            )?,
            position: [
                needed("x", &["pos_x", "xpos", "x"])?,
                needed("y", &["pos_y", "ypos", "y"])?,
                needed("z", &["pos_z", "zpos", "z"])?,
            ],
            heading: find(&["heading"]),
            incline: find(&["incline"]),
            size: find(&["size"]),
            open_type: find(&["opentype"]),
            model: find(&["model", "objectname", "object_name"]),
            name: find(&["name"]),
            race: find(&["race"]),
            gender: find(&["gender"]),
            texture: find(&["texture"]),
            face: find(&["face"]),
            others: Vec::new(),
        };
        if columns.model.or(columns.name).or(columns.race).is_none() {
            needed(
                "the placed object",
                &["model", "objectname", "name", "race"],
            )?;
        }
        let read = columns.read();
        let others = header.iter().enumerate();
        columns.others = others
            .filter(|(column, name)| !read.contains(column) && !name.is_empty())
            .map(|(column, name)| (name.to_owned(), column))
            .collect();
        Ok(columns)
    }

    /// Columns with a known meaning.
    fn read(&self) -> Vec<usize> {
        let [x, y, z] = self.position;
        let optional = [
            self.heading,
            self.incline,
            self.size,
            self.open_type,
            self.model,
            self.name,
            self.race,
            self.gender,
            self.texture,
            self.face,
        ];
        let needed = [self.zone, x, y, z].into_iter();
        needed.chain(optional.into_iter().flatten()).collect()
    }
}

/// The text of a column; databases write `NULL` for no value.
fn text(record: &StringRecord, column: Option<usize>) -> &str {
    let value = column.and_then(|column| record.get(column));
    let value = value.map_or("", str::trim);
    match value {
        "NULL" | "\\N" => "",
        value => value,
    }
}

fn number(
    record: &StringRecord,
    header: &StringRecord,
    column: Option<usize>,
) -> Result<f32, String> {
    let value = text(record, column);
    if value.is_empty() {
        return Ok(0.0);
    }
    let read = value.parse::<f32>().ok().filter(|value| value.is_finite());
    read.ok_or_else(|| {
        let column = column.and_then(|column| header.get(column));
        let column = column.unwrap_or_default();
        format!("{column} is {value:?}, expected a number")
    })
}

/// The separator of the values: the most frequent candidate in the first line.
fn separator(bytes: &[u8]) -> u8 {
    let first = bytes.split(|&byte| byte == b'\n').next();
    let count = |sign: u8| {
        let first = first.unwrap_or_default().iter();
        first.filter(|&&byte| byte == sign).count()
    };
    [b',', b';', b'\t']
        .into_iter()
        .rev()
        .max_by_key(|&sign| count(sign))
        .unwrap_or(b',')
}

/// Counts the lines of a table up to each of its records. The record reader counts a two-character line end late.
struct Lines<'t> {
    text: &'t [u8],
    /// Bytes whose line ends are counted.
    counted: usize,
    line: u64,
}

impl<'t> Lines<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            counted: 0,
            line: 1,
        }
    }

    /// Returns the line of the record that is read next.
    fn of(&mut self, record: &StringRecord) -> u64 {
        let start = record.position().map_or(0, csv::Position::byte);
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let from = self.counted.max(start).min(self.text.len());
        let rest = self.text.get(from..).unwrap_or_default();
        let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let end = from.saturating_add(ends.count());
        let between = self.text.get(self.counted..end).unwrap_or_default();
        let lines = between.iter().filter(|&&byte| byte == b'\n').count();
        self.line = self.line.saturating_add(lines as u64);
        self.counted = end;
        self.line
    }
}

/// Reads a table in UTF-8, otherwise in Windows-1252.
///
/// # Errors
/// A required column is missing, or a value is not a number; the text names the line.
pub fn read(bytes: &[u8]) -> Result<Vec<Row>, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0,
    };
    let text = text.as_bytes();
    let mut reader = ReaderBuilder::new()
        .delimiter(separator(text))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text);
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let columns = Columns::new(&header)?;
    let mut lines = Lines::new(text);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = lines.of(&record);
        let row = row(&record, &header, &columns, line);
        rows.push(row.map_err(|fault| format!("line {line}: {fault}"))?);
    }
    Ok(rows)
}

fn row(
    record: &StringRecord,
    header: &StringRecord,
    columns: &Columns,
    line: u64,
) -> Result<Row, String> {
    let real = |column| number(record, header, column);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers of races and the like are small; larger ones belong to no creature"
    )]
    let whole = |column| real(column).map(|value: f32| value.max(0.0) as u32);
    let name = text(record, columns.name);
    let model = text(record, columns.model);
    let race = whole(columns.race)?;
    let placed = if race > 0 {
        Placed::Creature(Creature {
            race,
            gender: whole(columns.gender)?,
            texture: whole(columns.texture)?,
            face: whole(columns.face)?,
            name: name.to_owned(),
            model: model.to_owned(),
        })
    } else {
        Placed::Model(if model.is_empty() { name } else { model }.to_owned())
    };
    let [x, y, z] = columns.position;
    let open_type = text(record, columns.open_type);
    Ok(Row {
        line,
        zone: text(record, Some(columns.zone)).to_lowercase(),
        placed,
        position: [real(Some(x))?, real(Some(y))?, real(Some(z))?],
        heading: real(columns.heading)?,
        incline: real(columns.incline)?,
        size: real(columns.size)?,
        open_type: if open_type.is_empty() {
            None
        } else {
            Some(whole(columns.open_type)?)
        },
        others: others(record, columns),
    })
}

fn others(record: &StringRecord, columns: &Columns) -> Vec<(String, String)> {
    let values = columns.others.iter().map(|(name, column)| {
        let value = text(record, Some(*column));
        (name.clone(), value.to_owned())
    });
    values.filter(|(_, value)| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_in_any_order_and_letter_case() {
        let text = "\u{feff}Size;ZONE;Name;pos_z;pos_x;pos_y;LockPick;Heading;OpenType;guild\r\n\
                    50;QEYNOS;DOOR1;3;1;2;201;384;5;NULL\r\n";
        let rows = read(text.as_bytes()).unwrap();
        let [row] = &*rows else { panic!("{rows:?}") };
        assert_eq!((&*row.zone, row.line), ("qeynos", 2));
        assert_eq!(row.placed, Placed::Model("DOOR1".to_owned()));
        assert_eq!(row.position, [1.0, 2.0, 3.0]);
        assert_eq!((row.heading, row.size, row.incline), (384.0, 50.0, 0.0));
        assert_eq!(row.open_type, Some(5));
        assert_eq!(row.others, [("LockPick".to_owned(), "201".to_owned())]);
    }

    #[test]
    fn a_row_with_a_race_is_a_creature_and_one_without_is_a_model() {
        let text = "zone\tname\trace\tgender\ttexture\tface\tx\ty\tz\n\
                    qeynos\ta_guard\t1\t1\t2\t3\t0\t0\t0\n\
                    qeynos\tDOOR2\tNULL\tNULL\tNULL\tNULL\t0\t0\t0\n";
        let rows = read(text.as_bytes()).unwrap();
        let guard = Creature {
            race: 1,
            gender: 1,
            texture: 2,
            face: 3,
            name: "a_guard".to_owned(),
            model: String::new(),
        };
        assert_eq!(rows[0].placed, Placed::Creature(guard));
        assert_eq!(rows[1].placed, Placed::Model("DOOR2".to_owned()));
    }

    #[test]
    fn lines_are_those_of_the_file_with_any_line_end() {
        for end in ["\n", "\r\n", "\n\n", "\r\n\r\n"] {
            let table = [
                "zone,name,x,y,z",
                "qeynos,A,0,0,0",
                "qeynos,B,0,0,0",
                "qeynos,\"C\n\",0,0,0",
                "qeynos,D,0,0,0",
            ];
            let rows = read(table.join(end).as_bytes()).unwrap();
            let lines: Vec<u64> = rows.iter().map(|row| row.line).collect();
            let step = end.matches('\n').count() as u64;
            assert_eq!(
                lines,
                [1 + step, 1 + 2 * step, 1 + 3 * step, 2 + 4 * step],
                "{end:?}"
            );
        }
    }

    #[test]
    fn tables_that_are_not_utf_8_are_read_too() {
        let rows = read(b"zone,name,x,y,z,note\nqeynos,A,0,0,0,caf\xe9\n").unwrap();
        assert_eq!(
            rows[0].others,
            [("note".to_owned(), "caf\u{e9}".to_owned())]
        );
    }

    #[test]
    fn faults_name_line_column_and_what_was_expected() {
        for (text, fault) in [
            ("zoneid,name,x,y,z\n", "short name of the zone"),
            ("zone,x,y,z\n", "the placed object"),
            (
                "zone,name,x,y,z\nqeynos,DOOR1,0,north,0\n",
                "line 2: y is \"north\"",
            ),
            ("", "line 1"),
        ] {
            let said = read(text.as_bytes()).unwrap_err();
            assert!(said.contains(fault), "{said}");
        }
    }
}
