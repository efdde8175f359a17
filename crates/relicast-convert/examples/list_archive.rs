//! Lists the members of an archive of any of the games:
//! `cargo run --package relicast-convert --example list_archive -- FILE`.

use std::error::Error;
use std::path::Path;

use relicast_convert::ConvertOptions;
use relicast_convert::{self as convert, OpenContext};
use relicast_formats::kind::sniff;

/// A member of an archive.
#[derive(Debug)]
pub struct Member {
    /// Its name as it is stored.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its stored size in bytes.
    pub stored: u64,
}

/// Lists the members of the file at `path`.
pub fn list(path: &Path) -> Result<Vec<Member>, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let context = OpenContext::new(sniff(&bytes, &name), &name, &bytes);
    let file = convert::open(context)?;
    let items = file.items(&ConvertOptions::default()).into_iter();
    let members = items.filter_map(|item| {
        Some(Member {
            kind: item.kind.label(),
            stored: item.range.end - item.range.start,
            name: item.member?,
        })
    });
    Ok(members.collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or("usage: list_archive FILE")?;
    for member in list(path.as_ref())? {
        println!("{:>10}  {:<20} {}", member.stored, member.kind, member.name);
    }
    Ok(())
}
