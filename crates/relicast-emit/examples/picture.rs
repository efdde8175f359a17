//! Writes a picture as PNG: `cargo run --package relicast-emit --example picture -- OUTPUT`.

use std::error::Error;

use relicast_emit::png;
use relicast_scene::image::Effort;
use relicast_scene::{Image, Pixels};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("expected an output")?;
    let colors = (0..=255_u8).flat_map(|row| (0..=255).flat_map(move |column| [row, column, 128]));
    let image = Image {
        width: 256,
        height: 256,
        pixels: Pixels::Rgb(colors.collect()),
    };
    std::fs::write(&path, png::encode(&image, Effort::Fast)?)?;
    println!("wrote {}", path.display());
    Ok(())
}
