//! Makes one textured .glb of a world and a texture package, in memory:
//! `cargo run --package relicast-convert --example world_to_glb -- WORLD PACKAGE OUTPUT`.

use std::error::Error;

use relicast_convert::ConvertOptions;
use relicast_convert::{self as convert, ConvertError, Dependency, OpenContext, OutputRole, Sink};
use relicast_emit::gltf::GltfFiles;
use relicast_emit::{self as emit, Options};
use relicast_formats::kind::sniff;
use relicast_scene::Asset;

/// Keeps the scene of a world.
#[derive(Default)]
struct GlbSink {
    glb: Option<Vec<u8>>,
}

impl Sink for GlbSink {
    fn wants(&self, role: OutputRole) -> bool {
        role == OutputRole::Main
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let Asset::Scene(scene, pictures) = asset else {
            return Ok(());
        };
        let files = emit::encode_scene(scene, pictures, "world.glb", None, Options::default());
        if let GltfFiles::Glb(glb) = files.map_err(|error| ConvertError::Emit(error.to_string()))? {
            self.glb = Some(glb);
        }
        Ok(())
    }
}

/// Converts a world whose textures are in `package`.
pub fn convert(world: &[u8], package: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let options = ConvertOptions::default();
    let kind = sniff(package, "texture.zbd");
    let textures = convert::open(OpenContext::new(kind, "texture.zbd", package))?;
    // Pictures are known by the path that they would be written to.
    let paths = textures.items(&options).into_iter();
    let paths: Vec<Option<String>> = paths
        .map(|item| Some(format!("textures/{}.png", item.stem?)))
        .collect();
    let dependencies = [Dependency {
        path: "texture.zbd",
        kind,
        bytes: package,
        digest: None,
        outputs: &paths,
    }];
    let context = OpenContext::new(sniff(world, "gamez.zbd"), "gamez.zbd", world);
    let world = convert::open(context.with_dependencies(&dependencies))?;
    let mut sink = GlbSink::default();
    for index in 0..world.items(&options).len() {
        if sink.glb.is_none() {
            world.convert(index, &options, &mut sink)?;
        }
    }
    sink.glb.ok_or_else(|| "the world has no scene".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [world, package, output] = arguments.as_slice() else {
        return Err("a world, a package and an output are needed".into());
    };
    let glb = convert(&std::fs::read(world)?, &std::fs::read(package)?)?;
    std::fs::write(output, glb)?;
    Ok(())
}
