//! Declares a structure once, reads it and writes it back: `cargo run --package relicast-codec --example round_trip`.

use std::error::Error;

use relicast_codec::{decode, encode};

relicast_codec::record! {
    /// A line through points, some with a width.
    pub struct Line[8..] {
        /// Offset 0: bit 0: a width follows.
        flags: u32 [bind],
        /// Offset 4: number of points.
        point_count: u32 [counts points],
        /// Width.
        width: Option<u16> [if flags & 1 != 0],
        /// The points.
        points: Vec<[i16; 2]> [count point_count],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = [1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 7, 0, 8, 0];
    let line: Line = decode(&bytes)?.value;
    println!("{line:?}");
    println!("written as read: {}", encode(&line)? == bytes);
    let cut = decode::<Line>(bytes.get(..12).unwrap_or_default());
    println!("cut short: {}", cut.err().ok_or("a cut line was read")?);
    Ok(())
}
