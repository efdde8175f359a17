//! Blender script that opens levels, missions and models. It finds them in the manifest.

use super::files::Plan;
use crate::pipeline::report::converted::Converted;
use relicast_formats::asset::AssetKind;

/// Path of the script.
const SCRIPT: &str = "import_relicast.py";

/// Plan with the script.
pub(super) fn plan(converted: &Converted) -> Plan {
    let script = include_bytes!("import_relicast.py");
    let outputs = converted.manifest.outputs.iter();
    let scenes = outputs.filter(|output| {
        let is_gltf = output.path.ends_with(".glb") || output.path.ends_with(".gltf");
        is_gltf && matches!(output.kind, AssetKind::Worlds | AssetKind::Models)
    });
    Plan {
        files: [(SCRIPT.to_owned(), script.to_vec())].into(),
        scenes: scenes.count(),
        ..Plan::default()
    }
}
