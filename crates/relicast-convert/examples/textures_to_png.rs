//! Writes the pictures of a texture package as PNG files:
//! `cargo run --package relicast-convert --example textures_to_png -- PACKAGE FOLDER`.

use std::error::Error;
use std::path::{Path, PathBuf};

use relicast_convert::ConvertOptions;
use relicast_convert::{self as convert, ConvertError, OpenContext, OutputRole, Sink};
use relicast_emit::{self as emit, Options};
use relicast_formats::kind::sniff;
use relicast_scene::{Asset, Encoding};

/// Keeps the picture of an item as a PNG.
#[derive(Default)]
struct PngSink {
    png: Option<Vec<u8>>,
}

impl Sink for PngSink {
    fn wants(&self, role: OutputRole) -> bool {
        role == OutputRole::Main
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let png = emit::encode(&asset, Encoding::Png, &[], Options::default());
        let png = png.map_err(|error| ConvertError::Emit(error.to_string()))?;
        self.png = Some(png.into_owned());
        Ok(())
    }
}

/// Writes the pictures of `package` into `folder`; returns their paths.
pub fn extract(package: &Path, folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let bytes = std::fs::read(package)?;
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let file = convert::open(OpenContext::new(sniff(&bytes, &name), &name, &bytes))?;
    let options = ConvertOptions::default();
    std::fs::create_dir_all(folder)?;
    let mut written = Vec::new();
    for (index, item) in file.items(&options).iter().enumerate() {
        // The first item is the package's own table of contents.
        let Some(stem) = item.member.as_ref().and(item.stem.as_ref()) else {
            continue;
        };
        let mut sink = PngSink::default();
        if let Err(error) = file.convert(index, &options, &mut sink) {
            eprintln!("{stem}: {error}");
        }
        if let Some(png) = sink.png {
            let path = folder.join(stem).with_extension("png");
            std::fs::write(&path, png)?;
            written.push(path);
        }
    }
    Ok(written)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(package), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("a package and a folder are needed".into());
    };
    let written = extract(package.as_ref(), folder.as_ref())?;
    println!("{} pictures", written.len());
    Ok(())
}
