//! The tables of the interface (`LAYOUT.CSV`, `SCRAPBOOK.CSV`) as JSON with named columns.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::documents::DocumentForm;
use relicast_scene::Document;

/// Columns of a row of the layout, by its first field.
const LAYOUT: [(&str, &str); 10] = [
    (
        "B",
        "ArtPath X Y Z ResID ScriptToExe ScriptPri EndScript Left Top Right Bottom Style Checked \
         DisabledColor NormalColor RolloverColor PressedColor",
    ),
    ("P", "ArtPath X Y Z NumFrames IsRegion AlphaType Volatile"),
    ("T", "ResID X Y Z Width Height Color Justify"),
    (
        "D",
        "Slider UpArrow DownArrow DropUp DropDown X Y Z Width ItemHeight TotalDisplayed",
    ),
    ("A", "X Y Z Width Height Color Justify ItemSpacing"),
    (
        "S",
        "BorderColor BackColor Slider UpArrow DownArrow X Y Z Width Height ResID Color",
    ),
    ("M", "ArtPath X Y Z ScaleX ScaleY Loops IsRegion"),
    (
        "L",
        "Slider UpArrow DownArrow X Y Z Width ItemHeight TotalDisplayed",
    ),
    (
        "E",
        "FontId X Y Z Width Height MaxChars TextColor FrameColor CursorColor",
    ),
    (
        "Z",
        "X Y Z MinValue MaxValue CurrentValue RegionArt SliderArt Left Top Right Bottom",
    ),
];

/// Columns of a row of the scrapbook.
const SCRAPBOOK: &str = "Objective ResourceID ImageName ImageType X Y Alpha Width Height DrawOrder Rectangle \
                         Zoom ZoomX ZoomY TitleResID TextResID";

/// A table of the interface as a document.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    dead_code,
    reason = "declares the form of a document and has no values"
)]
struct TableForm {
    sections: Vec<SectionForm>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    dead_code,
    reason = "declares the form of a document and has no values"
)]
struct SectionForm {
    name: String,
    /// Values by their names in rows.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    macros: Option<BTreeMap<String, String>>,
    rows: Vec<RowForm>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    dead_code,
    reason = "declares the form of a document and has no values"
)]
struct RowForm {
    key: String,
    /// The kind of the row, where it is known.
    #[cfg_attr(
        feature = "schema",
        schemars(rename = "type", skip_serializing_if = "Option::is_none")
    )]
    kind: Option<String>,
    fields: FieldsForm,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
#[expect(
    dead_code,
    reason = "declares the form of a document and has no values"
)]
enum FieldsForm {
    /// By the names of their columns.
    Named(BTreeMap<String, String>),
    /// In their order.
    Listed(Vec<String>),
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<TableForm>(
    "interface-table",
    "A table of the interface: sections of rows",
)];

/// A table as a document.
pub fn asset(table: &Value) -> Document<'_> {
    Document::of_form::<TableForm>(table)
}

/// The fields of a row; quoted ones may hold commas.
fn fields(text: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for character in text.chars() {
        match (character, fields.last_mut()) {
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => fields.push(String::new()),
            (character, Some(field)) => field.push(character),
            (_, None) => {}
        }
    }
    // Trailing empty fields are padding.
    while fields.len() > 1 && fields.last().is_some_and(|field| field.trim().is_empty()) {
        fields.pop();
    }
    fields
}

fn named(columns: &str, fields: &[String]) -> Option<Value> {
    let columns: Vec<&str> = columns.split_whitespace().collect();
    if fields.len() > columns.len() {
        return None;
    }
    let pairs = columns.into_iter().zip(fields);
    let map: Map<String, Value> = pairs
        .map(|(column, field)| (column.to_owned(), Value::from(field.trim())))
        .collect();
    Some(Value::Object(map))
}

/// True for the key of a macro: `G` or `V` and a number.
fn is_macro(key: &str) -> bool {
    let mut characters = key.chars();
    let letter = characters.next();
    let digits = characters.as_str();
    matches!(letter, Some('G' | 'V'))
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn row(key: &str, value: &str, section: &mut Section) {
    let fields = fields(value);
    if let (true, [name, value]) = (is_macro(key), &*fields) {
        let value = Value::from(value.trim());
        section.macros.insert(name.trim().to_owned(), value);
        return;
    }
    let mut row = Map::new();
    row.insert("key".to_owned(), Value::from(key));
    let (first, rest) = fields
        .split_first()
        .map_or(("", &[][..]), |(first, rest)| (first.trim(), rest));
    let layout = LAYOUT.iter().find(|(kind, _)| *kind == first);
    let by_type = layout.and_then(|(_, columns)| named(columns, rest));
    if by_type.is_some() {
        row.insert("type".to_owned(), Value::from(first));
    }
    let is_scrap = key.matches('_').count() == 2 && fields.len() > 10;
    let scrap = || is_scrap.then(|| named(SCRAPBOOK, &fields)).flatten();
    let values = by_type
        .or_else(scrap)
        .unwrap_or_else(|| Value::from(fields.clone()));
    row.insert("fields".to_owned(), values);
    section.rows.push(Value::Object(row));
}

#[derive(Default)]
struct Section {
    name: String,
    macros: Map<String, Value>,
    rows: Vec<Value>,
}

impl Section {
    fn json(self) -> Value {
        let mut map = Map::new();
        map.insert("name".to_owned(), Value::from(self.name));
        if !self.macros.is_empty() {
            map.insert("macros".to_owned(), Value::Object(self.macros));
        }
        map.insert("rows".to_owned(), Value::from(self.rows));
        Value::Object(map)
    }
}

/// True if a file of this name is a table of the interface.
pub fn is_table(name: &str) -> bool {
    name.to_lowercase().ends_with(".csv")
}

/// A table as sections of rows. Lines without `=` are comments. Fields are named where the kind of the row is known
/// and has enough known columns; else they are a list.
pub fn document(text: &str) -> Value {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let header = line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
            .map(|(name, _)| name);
        if let Some(name) = header {
            sections.push(Section {
                name: name.to_owned(),
                ..Section::default()
            });
        } else if let Some((key, value)) = line.split_once('=') {
            if sections.is_empty() {
                sections.push(Section::default());
            }
            if let Some(section) = sections.last_mut() {
                row(key.trim(), value, section);
            }
        }
    }
    let sections: Vec<Value> = sections.into_iter().map(Section::json).collect();
    serde_json::json!({ "sections": sections })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_have_the_columns_of_their_kind() {
        let text = "[GLOBALVARS]\r\nG0=RED,255,,\r\n[@Main@]\r\na comment\r\n\
                    TITLE=T,IDS_TITLE,1,2,3,\"4,5\",,,\r\nODD=Q,1,2\r\nWIDE=P,1,2,3,4,5,6,7,8,9\r\n";
        let expected = json!({"sections": [
            {"name": "GLOBALVARS", "macros": {"RED": "255"}, "rows": []},
            {"name": "@Main@", "rows": [
                {"key": "TITLE", "type": "T", "fields": {
                    "ResID": "IDS_TITLE", "X": "1", "Y": "2", "Z": "3", "Width": "4,5",
                }},
                {"key": "ODD", "fields": ["Q", "1", "2"]},
                {"key": "WIDE", "fields": ["P", "1", "2", "3", "4", "5", "6", "7", "8", "9"]},
            ]},
        ]});
        assert_eq!(document(text), expected);
    }

    #[test]
    fn pieces_of_the_scrapbook_are_named() {
        let text =
            "[SCRAPS]\n1_2_3=4,IDS_A,pic,1,10,20,255,30,40,1,\"1,2,3,4\",0,0,0,IDS_T,IDS_X\n";
        let found = document(text);
        let fields = &found["sections"][0]["rows"][0]["fields"];
        assert_eq!(fields["ImageName"], "pic");
        assert_eq!(fields["Rectangle"], "1,2,3,4");
        assert_eq!(fields["TextResID"], "IDS_X");
    }
}
