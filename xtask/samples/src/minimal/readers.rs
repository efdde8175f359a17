//! Text and binary readers.

use relicast::formats::zipper::zrd::{binary, text};

/// Text readers with every token, invalid escapes, and deep lists.
pub const READERS: [&str; 5] = [
    "()",
    "((NAME \"two words\" 7 -1.5 () (LIST (1 2 3) (A (B (C 0.25)))) END 2147483647))",
    "; controls\r\n(KEYS\r\n\t((CMD_AMS keya(0x1e))\r\n\t(CMD_FIRE joy(0) mouse(1))))\r\n",
    "(KE\"Y S\" \"\" +3 .5 5. -0.0 1e3 0x1e . + - 1.2.3 2147483648 1-2)",
    "((((((((((((((((1))))))))))))))))",
];

/// Readers as text.
pub fn text_readers() -> Vec<Vec<u8>> {
    READERS.map(|text| text.as_bytes().to_vec()).into()
}

/// Readers in the binary notation.
pub fn binary_readers() -> Vec<Vec<u8>> {
    let values = READERS.iter().map(|text| {
        let document = text::decode(text.as_bytes()).expect("the samples are readers");
        let values = document.value.values().expect("they have values");
        binary::encode(&values[0]).expect("they fit")
    });
    values.collect()
}
