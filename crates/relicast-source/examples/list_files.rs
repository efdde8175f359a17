//! Lists the files of an install or a disc image, and the location of their bytes:
//! `cargo run --package relicast-source --example list_files -- INPUT`.

use std::error::Error;

use relicast_source::tree::Tree;

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args_os()
        .nth(1)
        .ok_or("expected a folder or a file")?;
    let tree = Tree::list(&[input.into()], None)?;
    for file in &tree.files {
        println!("{:>12} {}", file.size, file.path);
    }
    println!("{} files", tree.files.len());
    Ok(())
}
