//! Files of the project other than scenes: `project.godot`, ignored folders and files, scripts.

use std::collections::{BTreeMap, BTreeSet};

use super::text::quoted;
use crate::pipeline::report::converted::Converted;
use crate::project::media::SoundLoop;

/// Folders of documents without resources for the engine.
const DOCUMENTS: [&str; 5] = ["animations", "config", "loose", "placements", "text"];

/// File extensions that Godot would import as something else.
const FOREIGN: [&str; 21] = [
    "bmp", "blend", "csv", "dae", "dds", "exr", "fbx", "fnt", "hdr", "ico", "ktx", "mo", "obj",
    "otf", "po", "res", "svg", "tga", "ttf", "woff", "woff2",
];

/// Scripts and shaders, written unchanged.
pub(super) const SCRIPTS: [(&str, &str); 12] = [
    (
        "relicast/area_sound.gd",
        include_str!("files/area_sound.gd"),
    ),
    ("relicast/clips.gd", include_str!("files/clips.gd")),
    ("relicast/emitter.gd", include_str!("files/emitter.gd")),
    ("relicast/level.gd", include_str!("files/level.gd")),
    ("relicast/lights.gd", include_str!("files/lights.gd")),
    ("relicast/menu.gd", include_str!("files/menu.gd")),
    ("relicast/paths.gd", include_str!("files/paths.gd")),
    ("relicast/post_import.gd", relicast_emit::gltf::POST_IMPORT),
    ("relicast/skins.gd", include_str!("files/skins.gd")),
    ("relicast/solid.gd", include_str!("files/solid.gd")),
    (
        "relicast/surface.gdshaderinc",
        include_str!("files/surface.gdshaderinc"),
    ),
    ("relicast/walker.gd", include_str!("files/walker.gd")),
];

/// Returns whether an output is in a folder that the engine ignores.
pub(super) fn is_ignored(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    DOCUMENTS.contains(&first)
}

/// Import file that makes the engine leave a file unchanged.
pub(super) fn keep() -> Vec<u8> {
    b"[remap]\n\nimporter=\"keep\"\n".to_vec()
}

/// Import file with the loop of a sound. The engine also reads the loop of the file, but one frame short: it
/// treats the last frame as the first one that is not played.
pub(super) fn looped(part: SoundLoop) -> Vec<u8> {
    let mode = match part.kind {
        1 => 3,
        2 => 4,
        _ => 2,
    };
    let end = u64::from(part.last) + 1;
    format!(
        "[remap]\n\nimporter=\"wav\"\n\n[params]\n\ncompress/mode=0\nedit/loop_begin={}\nedit/loop_end={end}\nedit/loop_mode={mode}\n",
        part.start
    )
    .into_bytes()
}

/// Settings, scripts and ignore files of a project called `name`.
pub(super) fn files(converted: &Converted, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    files.insert("project.godot".to_owned(), project(name).into_bytes());
    for (path, text) in SCRIPTS {
        files.insert(path.to_owned(), text.as_bytes().to_vec());
    }
    let outputs = || {
        converted
            .manifest
            .outputs
            .iter()
            .map(|output| &*output.path)
    };
    let folders: BTreeSet<&str> = outputs()
        .filter_map(|path| Some(path.split_once('/')?.0))
        .collect();
    for folder in folders.into_iter().filter(|folder| is_ignored(folder)) {
        files.insert(format!("{folder}/.gdignore"), Vec::new());
    }
    for path in outputs().filter(|path| !is_ignored(path)) {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        if FOREIGN.contains(&&*ending.to_ascii_lowercase()) {
            files.insert(format!("{path}.import"), keep());
        }
    }
    files
}

fn project(name: &str) -> String {
    format!(
        r#"; Engine configuration file.
; It's best edited using the editor UI and not directly,
; since the parameters that go here are not all obvious.
;
; Format:
;   [section] ; section goes between []
;   param=value ; assign values to parameters

config_version=5

[application]

config/name={}
run/main_scene="res://main.tscn"
config/features=PackedStringArray("4.6", "GL Compatibility")

[display]

window/size/viewport_width=1280
window/size/viewport_height=720

[importer_defaults]

scene={{
"_subresources": {{
"nodes": {{
"PATH:AnimationPlayer": {{
"import_tracks/position": 0,
"import_tracks/rotation": 0,
"import_tracks/scale": 0
}}
}}
}},
"animation/fps": 30.0,
"import_script/path": "res://relicast/post_import.gd",
"meshes/create_shadow_meshes": false,
"meshes/ensure_tangents": false,
"meshes/force_disable_compression": true,
"meshes/generate_lods": false,
"nodes/use_name_suffixes": false
}}
texture={{
"compress/normal_map": 2,
"detect_3d/compress_to": 0,
"mipmaps/generate": true,
"process/fix_alpha_border": false
}}
wav={{
"compress/mode": 0
}}

[physics]

3d/physics_engine="Jolt Physics"
common/physics_interpolation=true

[rendering]

renderer/rendering_method="gl_compatibility"
renderer/rendering_method.mobile="gl_compatibility"
textures/vram_compression/import_etc2_astc=true
"#,
        quoted(name)
    )
}
