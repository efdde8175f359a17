//! Prints the format of a game file, and whether it is written as it was read:
//! `cargo run --package relicast-formats --example describe -- FILE`.

use std::error::Error;
use std::path::Path;

use relicast_formats::decoded_file::decode;
use relicast_formats::kind::{ArchiveContext, sniff};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("expected a file")?;
    let name = Path::new(&path).file_name().unwrap_or(&path);
    let name = name.to_string_lossy();
    let bytes = std::fs::read(&path)?;
    let kind = sniff(&bytes, &name);
    println!("{name}: {kind:?}");
    let Some(decoded) = decode(kind, &name, &bytes, &ArchiveContext::default()) else {
        println!("no codec of one value reads it");
        return Ok(());
    };
    let decoded = decoded?;
    for deviation in decoded.deviations.described() {
        println!("deviation: {deviation}");
    }
    if let Some(written) = decoded.value.encode() {
        println!("written as read: {}", written? == bytes);
    }
    Ok(())
}
