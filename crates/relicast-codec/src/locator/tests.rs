//! Tests that the source map has the byte range of each field.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "values of tests"
)]

use std::borrow::Cow;
use std::ops::Range;

use crate::{
    Encoding, F32, Field, FixedSize, PaddedText, Reader, Segment, Stream, Vec3, Walk, Writer,
    decode, encode, locate,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

#[derive(Debug, Clone, Copy)]
pub enum Edition {
    First,
    Second,
    Third,
    Fourth,
}

const EDITIONS: [Edition; 4] = [
    Edition::First,
    Edition::Second,
    Edition::Third,
    Edition::Fourth,
];

crate::open_enum! {
    /// Lighting of the thing.
    pub enum Light: u16 {
        /// Not.
        Dark = 0,
        /// By day.
        Day = 1,
    }
}

crate::record! {
    /// A corner, 21 bytes.
    pub struct Corner[21]: FixedSize {
        /// Offset 0: where it is.
        place: Vec3,
        /// Offset 12: where the picture is.
        picture: [F32; 2],
        /// Offset 20: which bones move it.
        bone: u8,
    }
}

crate::record! {
    /// A part with a line more in later editions.
    pub struct Part[8, 8, 12, 12] in Edition {
        /// Offset 0: number.
        number: u32,
        /// Offset 4: two of them.
        pair: [i16; 2],
        /// Offset - · - · 8: speed.
        speed: F32 [since Third],
    }
}

crate::record! {
    /// A table with counts, options and lists of everything.
    pub struct Table[22..] {
        /// Flags: bit 0 a width follows.
        flags: u32 [bind],
        /// Lighting.
        light: Light,
        /// Number of corners.
        corner_count: u32 [counts corners],
        /// Number of rows.
        row_count: u16 [counts rows],
        /// Width.
        width: Option<i64> [if flags & 1 != 0],
        /// Name.
        name: PaddedText<6>,
        /// Corners.
        corners: Vec<Corner> [count corner_count],
        /// Rows.
        rows: Vec<Row> [records row_count],
        /// Levels.
        levels: Vec<i8> [counted],
    }
}

crate::record! {
    /// A row.
    pub struct Row[5..] {
        /// Level.
        level: u8,
        /// Numbers.
        numbers: Vec<u16> [counted],
    }
}

fn corner() -> impl Strategy<Value = Corner> {
    any::<([f32; 3], [f32; 2], u8)>().prop_map(|(place, picture, bone)| Corner {
        place: place.into(),
        picture: picture.map(F32),
        bone,
    })
}

fn table() -> impl Strategy<Value = Table> {
    let row = (any::<u8>(), vec(any::<u16>(), 0..4));
    let row = row.prop_map(|(level, numbers)| Row { level, numbers });
    let head = (any::<u32>(), any::<u16>(), any::<i64>(), "[a-z]{0,5}");
    let lists = (vec(corner(), 0..4), vec(row, 0..4), vec(any::<i8>(), 0..9));
    (head, lists).prop_map(
        |((flags, light, width, name), (corners, rows, levels))| Table {
            flags,
            light: Light::from_code(light),
            width: (flags & 1 != 0).then_some(width),
            name: PaddedText::new(&name).unwrap(),
            corners,
            rows,
            levels,
        },
    )
}

/// A field of the map.
type Located = (Vec<Segment>, Range<usize>, Encoding);

fn fields(bytes: &[u8], decode: impl FnOnce()) -> Vec<Located> {
    let ((), map) = locate(bytes, decode);
    let mut found = Vec::new();
    map.visit(|path, range, encoding| found.push((path.to_vec(), range, encoding)));
    found
}

/// The value at a path of a document.
fn at<'v>(document: &'v Value, path: &[Segment]) -> &'v Value {
    path.iter().fold(document, |value, segment| match segment {
        Segment::Name(name) => &value[*name],
        Segment::Index(index) => &value[*index],
    })
}

/// The bytes of a value in a document, computed independently.
fn stored(value: &Value, length: usize, encoding: Encoding) -> Vec<u8> {
    match (encoding, value) {
        (Encoding::Float, Value::String(text)) => {
            F32::from_text(text).unwrap().0.to_le_bytes().to_vec()
        }
        (Encoding::Float, number) => (number.as_f64().unwrap() as f32).to_le_bytes().to_vec(),
        (Encoding::Opaque, text) => {
            let mut bytes = text.as_str().unwrap().as_bytes().to_vec();
            bytes.resize(length, 0);
            bytes
        }
        (Encoding::Integer, number) => {
            let number = number
                .as_i64()
                .unwrap_or_else(|| number.as_u64().unwrap() as i64);
            number.to_le_bytes()[..length].to_vec()
        }
    }
}

/// Checks that every byte of a file belongs to one field.
fn assert_tiled(fields: &[Located], length: usize) {
    let mut end = 0;
    for (path, range, _) in fields {
        assert_eq!(range.start, end, "{path:?}");
        end = range.end;
    }
    assert_eq!(end, length);
}

proptest! {
    #[test]
    fn every_field_of_a_table_is_where_the_writer_put_it(table in table()) {
        let bytes = encode(&table).unwrap();
        let found = fields(&bytes, || assert_eq!(decode::<Table>(&bytes).unwrap().value, table));
        assert_tiled(&found, bytes.len());
        let document = serde_json::to_value(&table).unwrap();
        let mut met = 0;
        for (path, range, encoding) in &found {
            let is_count = matches!(path.last(), Some(Segment::Name("corner_count" | "row_count" | "numbers" | "levels")));
            // A code without a name is serialized as an object.
            if is_count || path == &[Segment::Name("light")] {
                continue;
            }
            met += 1;
            let value = at(&document, path);
            prop_assert_eq!(&bytes[range.clone()], &*stored(value, range.len(), *encoding), "{:?}", path);
        }
        let rows: usize = table.rows.iter().map(|row| 1 + row.numbers.len()).sum();
        let options = usize::from(table.width.is_some());
        prop_assert_eq!(met, 2 + options + 6 * table.corners.len() + rows + table.levels.len());
    }

    #[test]
    fn fields_of_every_version_are_where_the_writer_put_them(
        number: u32, pair: [i16; 2], speed: f32, version in 0..4_usize,
    ) {
        let version = EDITIONS[version];
        let mut part = Part { number, pair, speed: F32(speed) };
        let mut writer = Writer::default();
        part.visit("part", &mut writer, version).unwrap();
        let bytes = writer.into_bytes();
        let found = fields(&bytes, || {
            Part::default().visit("part", &mut Reader::new(&bytes), version).unwrap();
        });
        assert_tiled(&found, bytes.len());
        prop_assert_eq!(bytes.len(), Part::size(version));
        let document = serde_json::json!({"part": part});
        for (path, range, encoding) in found {
            let value = at(&document, &path);
            prop_assert_eq!(&bytes[range.clone()], &*stored(value, range.len(), encoding), "{:?}", path);
        }
    }

    /// Sections are read by readers of their own, at any depth.
    #[test]
    fn readers_of_sections_report_places_in_the_whole_file(before in 0..40_usize, corner in corner()) {
        let mut bytes = vec![7; before];
        corner.store(&mut bytes);
        let found = fields(&bytes, || {
            let mut read = Corner::default();
            Reader::new(&bytes[before..]).value("corner", &mut read).unwrap();
            assert_eq!(read, corner);
        });
        prop_assert_eq!(found[0].1.clone(), before..before + 4);
        prop_assert_eq!(&found[0].0, &[Segment::Name("corner"), Segment::Name("place"), Segment::Name("x")]);
        prop_assert_eq!(found.last().unwrap().1.clone(), before + 20..before + 21);
    }
}

#[test]
fn what_is_outside_the_file_or_is_read_later_is_not_kept() {
    let (bytes, other) = ([1, 2, 3, 4], vec![5, 6]);
    let read = |bytes: &[u8]| {
        let mut reader = Reader::new(bytes);
        reader.value("number", &mut 0_u16).unwrap();
    };
    let found = fields(&bytes, || {
        read(&other);
        // A field that is not in the bytes is not recorded.
        let mut reader = Reader::new(&bytes[3..]);
        reader.value("torn", &mut 0_u16).unwrap_err();
        let inner = fields(&other, || read(&other));
        assert_eq!(inner.len(), 1);
        read(&bytes[2..]);
    });
    read(&bytes);
    assert_eq!(
        found,
        [(vec![Segment::Name("number")], 2..4, Encoding::Integer)]
    );
}

#[test]
fn a_list_that_breaks_leaves_the_path_as_it_was() {
    #[derive(Debug, Default)]
    struct Odd<'a>(Cow<'a, [u8]>);
    impl<'a> Walk<'a> for Odd<'a> {
        const SMALLEST: usize = 1;
        fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> crate::Result<()> {
            stream.bytes("bytes", &mut self.0, 2)
        }
    }
    let bytes = [1, 2, 3, 4, 5];
    let found = fields(&bytes, || {
        let mut reader = Reader::new(&bytes);
        reader
            .records("odd", &mut Vec::<Odd<'_>>::new(), 3)
            .unwrap_err();
        reader.value("last", &mut 0_u8).unwrap();
    });
    let [.., (second, ..), (last, range, _)] = &*found else {
        panic!("{found:?}");
    };
    assert_eq!(
        second,
        &[
            Segment::Name("odd"),
            Segment::Index(1),
            Segment::Name("bytes")
        ]
    );
    assert_eq!(
        (&**last, range.clone()),
        (&[Segment::Name("last")][..], 4..5)
    );
}
