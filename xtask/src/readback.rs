//! glTF files of the demonstration, read by third-party programs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::demo;
use crate::tally::Tally;
use crate::tools::GODOT;
use crate::{godot, npm, validate};

/// Settings that differ much from the defaults, which must make valid files too: one file a scene or several.
const SETTINGS: [(&str, &str); 2] = [
    (
        "beside",
        r#"
[scenes]
shading = "lit"
lods = "together"
msft_lod = true
hidden = "keep"
face_forward = true
godot_loop = true
godot_suffix = true
layers = "extras"
decal_offset = 0.002
collision = true
merge_soil = true
smooth_angle = 60.0
group_partitions = true
embed_cycles = true
cycle_atlas = true
animate_uv = true
gpu_instancing = true
[worlds]
placements = true
hide_unplaced = "always"
[models]
show_head = true
rest_pose = "stored"
[animations]
clips = "world"
visibility = "scale"
[everquest]
terrain = "regions"
volumes = true
[video]
enabled = false
"#,
    ),
    (
        "inside",
        r#"
[scenes]
container = "glb"
lods = "all"
sampler = "repeat"
filter = "nearest"
alpha = "blend"
cycle_atlas = true
gpu_instancing = true
[worlds]
placements = true
[models]
skin = true
[animations]
clips = "world"
visibility = "pointer"
[everquest]
vertex_light = "none"
vertex_animation = "extras"
[textures]
palette = "expand"
[video]
enabled = false
"#,
    ),
];

/// Converts all samples with a set of settings and validates the outputs.
fn settings(program: &Path, name: &str, settings: &str, tally: &mut Tally) -> Outcome {
    let folder = demo::folder().join("settings").join(name);
    fs::create_dir_all(&folder)?;
    let configuration = folder.join("settings.toml");
    fs::write(&configuration, settings)?;
    let mut files = Vec::new();
    let mut converted = true;
    for sample in demo::samples() {
        let out = folder.join(sample.name);
        let code = demo::convert_with(program, &sample.input(), &out, &configuration)?;
        converted &= code == Some(0);
        validate::collect(&out, &mut files)?;
    }
    let count = files.len();
    let what = format!(
        "unusual settings, pictures {name}: the validator has nothing against {count} files"
    );
    let findings = validate::validate(&files)?;
    findings.print();
    let unexplained = findings.unexplained();
    let what = format!("{what}; remarks without explanation: {unexplained:?}");
    let sound = findings.failures() == 0 && unexplained.is_empty();
    tally.check(what, converted && count > 0 && sound);
    Ok(())
}

/// Runs the checks over all outputs of the demonstration with a build of the program; skips those whose
/// program is missing.
///
/// # Errors
/// The outputs of the demonstration cannot be read, or a program does not run to its end.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let mut files: Vec<PathBuf> = Vec::new();
    validate::collect(&demo::folder().join("out"), &mut files)?;
    let what = format!(
        "the Khronos validator has nothing against {} files",
        files.len()
    );
    match npm::ensure("validator") {
        Ok(_) => {
            let findings = validate::validate(&files)?;
            findings.print();
            tally.check(what, !files.is_empty() && findings.failures() == 0);
            let unexplained = findings.unexplained();
            let what = format!("each remark of the validator is explained; not: {unexplained:?}");
            tally.check(what, unexplained.is_empty());
            for (name, set) in SETTINGS {
                settings(program, name, set, &mut tally)?;
            }
        }
        Err(why) => tally.skip(what, why),
    }
    let what = format!("Godot reads {} files as they are", files.len());
    match GODOT.ensure() {
        Ok(()) => {
            let findings = godot::check(&files)?;
            for difference in &findings.differences {
                eprintln!("{difference}");
            }
            println!("Godot: {findings}");
            let passed = findings.nodes > 0 && findings.differences.is_empty();
            tally.check(what, passed);
        }
        Err(why) => tally.skip(what, why),
    }
    Ok(tally)
}
