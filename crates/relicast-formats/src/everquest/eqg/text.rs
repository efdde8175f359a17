//! EQG text files: zones of version 4 (`.zon`), ecosystems (`.eco`), groups of models
//! (`.tog`), definitions of lights (`.def`), water (`water.dat`), levels of detail (`.lod`). Lines are stored
//! unchanged; statements are read from them.
//!
//! ```
//! use relicast_formats::everquest::eqg::text::{decode, encode};
//!
//! let bytes = b"EQLOD\r\nLOD,tree,100\r\nLOD,tree_far,500\r\nCOL,tree_col\r\n";
//! let text = decode(bytes)?.value;
//! let levels = text.levels();
//! assert_eq!((levels[1].model.as_str(), levels[1].distance), ("tree_far", Some(500.0)));
//! assert_eq!(levels[2].distance, None);
//! assert_eq!(encode(&text)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use crate::everquest::sound::lines::{self, Line};
use relicast_codec::{Decoded, Deviations, FormatError, Result};

/// First bytes of a zone of version 4.
pub const ZONE: &[u8] = b"EQTZP";
/// First bytes of levels of detail.
pub const DETAIL: &[u8] = b"EQLOD";

/// A text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A statement: a word with an asterisk, and the words up to the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statement {
    /// The word in upper case, without the asterisk.
    pub key: String,
    /// The words after it.
    pub values: Vec<String>,
}

impl Statement {
    /// The number at an index.
    pub fn number(&self, place: usize) -> Option<f32> {
        self.values.get(place)?.parse().ok()
    }

    /// The first three numbers; missing ones are 0.
    pub fn vector(&self) -> [f32; 3] {
        [0, 1, 2].map(|place| self.number(place).unwrap_or_default())
    }

    /// All words after the key, separated by blanks.
    pub fn text(&self) -> String {
        self.values.join(" ")
    }
}

/// A line of a list of levels of detail.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// The model.
    pub model: String,
    /// Distance up to which it is shown; none for the collision model.
    pub distance: Option<f32>,
}

/// Sizes of a zone of version 4.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneFacts {
    /// Length of a side of a quad.
    pub units_per_quad: f32,
    /// Quads along a side of a tile.
    pub quads_per_tile: u32,
}

impl ZoneFacts {
    /// Length of a side of a tile.
    pub fn tile_width(&self) -> f32 {
        self.units_per_quad * self.quads_per_tile as f32
    }
}

/// An entry of a group of models.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupObject {
    /// The model.
    pub name: String,
    /// Position of the item.
    pub position: [f32; 3],
    /// Degrees about x, y and z.
    pub rotation: [f32; 3],
    /// Scale.
    pub scale: f32,
    /// File of its baked light.
    pub light: String,
}

/// A sheet of water.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WaterSheet {
    /// Number by which tiles refer to it, for a sheet without a position.
    pub index: Option<i32>,
    /// Least and greatest x, least and greatest y, for a sheet with a position.
    pub bounds: Option<[f32; 4]>,
    /// Height.
    pub height: f32,
    /// All statements.
    pub statements: Vec<Statement>,
}

/// An environment emitter of a zone: names and values of its fields, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EnvironmentEmitter {
    /// The fields.
    pub fields: Vec<(String, String)>,
}

impl EnvironmentEmitter {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Position in file axes; `None` without a number for each axis.
    pub fn position(&self) -> Option<[f32; 3]> {
        let number = |name| {
            self.field(name)?
                .parse::<f32>()
                .ok()
                .filter(|part| part.is_finite())
        };
        Some([number("X")?, number("Y")?, number("Z")?])
    }
}

impl Text {
    /// The statements, in order.
    pub fn statements(&self) -> Vec<Statement> {
        let mut statements: Vec<Statement> = Vec::new();
        let words = self
            .lines
            .iter()
            .flat_map(|line| line.text.split_whitespace());
        for word in words {
            if let Some(key) = word.strip_prefix('*') {
                statements.push(Statement {
                    key: key.to_ascii_uppercase(),
                    values: Vec::new(),
                });
            } else if let Some(last) = statements.last_mut() {
                last.values.push(word.to_owned());
            }
        }
        statements
    }

    /// Pictures that are shown in turn, by a text next to the first: milliseconds of each, and their names.
    /// `None` for other texts.
    pub fn frames(&self) -> Option<(u32, Vec<String>)> {
        let mut words = self
            .lines
            .iter()
            .flat_map(|line| line.text.split_whitespace());
        let count: usize = words.next()?.parse().ok()?;
        let time: u32 = words.next()?.parse().ok()?;
        let names: Vec<String> = words.map(str::to_owned).collect();
        (count > 1 && names.len() == count).then_some((time, names))
    }

    /// Levels of detail, in order.
    pub fn levels(&self) -> Vec<Level> {
        let levels = self.lines.iter().filter_map(|line| {
            let mut fields = line.text.trim().split(',').map(str::trim);
            let kind = fields.next()?.to_ascii_uppercase();
            let model = fields.next()?.to_owned();
            let distance = match &*kind {
                "LOD" => Some(fields.next()?.parse().ok()?),
                "COL" => None,
                _ => return None,
            };
            Some(Level { model, distance })
        });
        levels.collect()
    }

    /// Environment emitters of a zone. The first line names the columns.
    pub fn emitters(&self) -> Vec<EnvironmentEmitter> {
        let mut lines = self.lines.iter().map(|line| line.text.trim());
        let columns: Vec<&str> = lines.next().unwrap_or_default().split('^').collect();
        let emitters = lines.filter(|line| !line.is_empty()).map(|line| {
            let values = line.split('^').map(str::trim);
            let names = columns.iter().copied().map(Some);
            let names = names.chain(std::iter::repeat(None)).enumerate();
            let fields = names.zip(values).map(|((place, name), value)| {
                let name =
                    name.map_or_else(|| format!("unk{place}"), |name| name.trim().to_owned());
                (name, value.to_owned())
            });
            EnvironmentEmitter {
                fields: fields.collect(),
            }
        });
        emitters.collect()
    }

    /// Sizes of a zone; `None` without them.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a float saturates, and turns NaN into 0"
    )]
    pub fn zone(&self) -> Option<ZoneFacts> {
        let statements = self.statements();
        let number = |key: &str| {
            let mut all = statements.iter();
            all.find(|statement| statement.key == key)?.number(0)
        };
        let units = number("UNITSPERVERT")?;
        let quads = number("QUADSPERTILE")?;
        let quads = quads as u32;
        (units.is_finite() && units > 0.0 && quads > 0).then_some(ZoneFacts {
            units_per_quad: units,
            quads_per_tile: quads,
        })
    }

    /// Models of a group.
    pub fn group(&self) -> Vec<GroupObject> {
        let mut objects = Vec::new();
        let mut open: Option<GroupObject> = None;
        for statement in self.statements() {
            match (&*statement.key, &mut open) {
                ("BEGIN_OBJECT", _) => {
                    open = Some(GroupObject {
                        scale: 1.0,
                        ..GroupObject::default()
                    });
                }
                ("END_OBJECT", _) => objects.extend(open.take()),
                ("NAME", Some(object)) => object.name = statement.text(),
                ("POSITION", Some(object)) => object.position = statement.vector(),
                ("ROTATION", Some(object)) => object.rotation = statement.vector(),
                ("SCALE", Some(object)) => object.scale = statement.number(0).unwrap_or(1.0),
                ("FILE", Some(object)) => object.light = statement.text(),
                _ => {}
            }
        }
        objects
    }

    /// Sheets of water.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a float saturates, and turns NaN into 0"
    )]
    pub fn water(&self) -> Vec<WaterSheet> {
        let mut sheets = Vec::new();
        let mut open: Option<WaterSheet> = None;
        for statement in self.statements() {
            match (&*statement.key, &mut open) {
                ("WATERSHEET" | "WATERSHEETDATA", _) => open = Some(WaterSheet::default()),
                ("END_SHEET" | "ENDWATERSHEET" | "ENDWATERSHEETDATA", _) => {
                    sheets.extend(open.take());
                }
                (_, Some(sheet)) => {
                    let number = statement.number(0).unwrap_or_default();
                    let places = ["MINX", "MAXX", "MINY", "MAXY"];
                    let place = places.iter().position(|key| *key == statement.key);
                    if let Some(place) = place {
                        let bounds = sheet.bounds.get_or_insert_default();
                        if let Some(bound) = bounds.get_mut(place) {
                            *bound = number;
                        }
                    } else if statement.key == "ZHEIGHT" {
                        sheet.height = number;
                    } else if statement.key == "INDEX" {
                        sheet.index = Some(number as i32);
                    }
                    sheet.statements.push(statement);
                }
                (_, None) => {}
            }
        }
        sheets
    }

    /// Red, green and blue (0 to 255) and intensity of a light.
    pub fn light(&self) -> ([u8; 3], f32) {
        let mut light = ([255; 3], 1.0);
        for statement in self.statements() {
            match &*statement.key {
                "COLOR" => {
                    let value = statement.values.first();
                    let value = value.and_then(|value| value.parse::<i64>().ok());
                    let [blue, green, red, ..] = value.unwrap_or(-1).to_le_bytes();
                    light.0 = [red, green, blue];
                }
                "INTENSITY" => light.1 = statement.number(0).unwrap_or(1.0),
                _ => {}
            }
        }
        light
    }
}

/// Decodes a text. Any bytes are valid.
///
/// # Errors
/// None.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Text>> {
    Ok(Decoded {
        value: Text {
            lines: lines::split(bytes).collect(),
        },
        deviations: Deviations::default(),
    })
}

/// Encodes a text.
///
/// # Errors
/// A character is not in Windows-1252.
pub fn encode(text: &Text) -> Result<Vec<u8>> {
    lines::join(text.lines.iter()).ok_or_else(|| {
        FormatError::unencodable(
            "lines",
            0,
            "characters of Windows-1252",
            "another character",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Text {
        let text = decode(bytes).unwrap().value;
        assert_eq!(encode(&text).unwrap(), bytes);
        text
    }

    #[test]
    fn statements_run_over_lines() {
        let zone = text(b"EQTZP\n*NAME a b *QUADSPERTILE 4\r\n*unitspervert\n8.0 \x81");
        let facts = zone.zone().unwrap();
        assert_eq!((facts.quads_per_tile, facts.tile_width()), (4, 32.0));
        assert_eq!(zone.statements()[0].text(), "a b");
    }

    #[test]
    fn emitters_have_the_columns_of_the_first_line() {
        let all = text(b"Name^EmitterDefIdx^X^Y^Z\r\nfire^4^1^2.5^-3^9\r\nodd^1\r\n").emitters();
        assert_eq!(all[0].position(), Some([1.0, 2.5, -3.0]));
        assert_eq!(all[0].field("unk5"), Some("9"));
        assert_eq!(
            (all[1].field("name"), all[1].position()),
            (Some("odd"), None)
        );
    }

    #[test]
    fn frames_are_as_many_as_the_text_says() {
        let frames = text(b"2\r\n100\r\na.dds\r\nb.dds\r\n").frames();
        assert_eq!(
            frames,
            Some((100, vec!["a.dds".to_owned(), "b.dds".to_owned()]))
        );
        assert_eq!(text(b"3 100 a.dds").frames(), None);
        assert_eq!(text(b"once upon a time").frames(), None);
    }

    #[test]
    fn groups_water_and_lights_are_read() {
        let group =
            text(b"*BEGIN_OBJECTGROUP\n*BEGIN_OBJECT *NAME A *POSITION 1 2 3 *SCALE 2 *END_OBJECT");
        let group = group.group();
        assert_eq!(group.len(), 1);
        assert_eq!((group[0].position, group[0].scale), ([1.0, 2.0, 3.0], 2.0));
        let water = text(b"*WATERSHEET *MAXX 6 *ZHEIGHT -2 *END_SHEET *WATERSHEETDATA *INDEX 3 *ENDWATERSHEETDATA");
        let sheets = water.water();
        assert_eq!(sheets[0].bounds, Some([0.0, 6.0, 0.0, 0.0]));
        assert_eq!((sheets[0].height, sheets[1].index), (-2.0, Some(3)));
        assert_eq!(
            text(b"*COLOR 4294901760 *INTENSITY 1.5").light(),
            ([255, 0, 0], 1.5)
        );
    }
}
