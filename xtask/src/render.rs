//! `cargo xtask render`: pictures of glTF files, drawn by three.js in a browser without a screen.
//!
//! three.js and the driver of the browser are packages of npm (see [`npm`]); the browser is Chromium.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::Outcome;
use crate::npm;
use crate::process::{exists, workspace};
use crate::tools::{CHROMIUM, CHROMIUM_LIKE};

/// Draw a glTF file into one PNG: a column for each view, a row for each time of a clip.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The .gltf or .glb file.
    file: PathBuf,
    /// The picture to write.
    #[arg(long)]
    out: PathBuf,
    /// Directions to look from; a scene faces +Z unless its extras say `"forward": "-Z"` and no
    /// `"faceForward"`.
    #[arg(long, value_delimiter = ',', default_values = ["front", "left", "top", "corner"])]
    views: Vec<View>,
    /// The scene to draw, counted from 0: worlds contain the stored one first, then those of missions.
    /// Default: the scene that the file opens with.
    #[arg(long)]
    scene: Option<u32>,
    /// A clip to pose the model by. Default: the rest pose.
    #[arg(long)]
    clip: Option<String>,
    /// Times of the clip in seconds.
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.25", "0.5"], requires = "clip")]
    times: Vec<f64>,
    /// Edge of a view in pixels.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(16..=4096))]
    size: u32,
    /// Paint the backs of one-sided faces magenta, to find faces that are inside out.
    #[arg(long)]
    backs: bool,
    /// Use the lights of the file instead of even light from all sides.
    #[arg(long)]
    lights: bool,
    /// Nodes to leave out, such as a sky around everything.
    #[arg(long, value_delimiter = ',')]
    hide: Vec<String>,
    /// Nodes that fill the picture. Default: all of them.
    #[arg(long, value_delimiter = ',')]
    focus: Vec<String>,
}

/// Position of the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
enum View {
    Front,
    Back,
    Left,
    Right,
    Top,
    Bottom,
    /// From the front, the left and above.
    Corner,
    /// As `corner`, from just above the ground.
    Low,
}

impl View {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Runs the command.
///
/// # Errors
/// node, npm or a browser is missing and cannot be installed, or the file cannot be drawn in full, for
/// example because a texture is missing.
pub fn run_render(arguments: &Arguments) -> Outcome {
    let about = draw(arguments)?;
    println!("{}", arguments.out.display());
    println!("triangles: {}", about["triangles"]);
    println!("box: {} to {}", about["box"]["min"], about["box"]["max"]);
    for clip in about["clips"].as_array().into_iter().flatten() {
        println!("clip {}: {} s", clip["name"], clip["duration"]);
    }
    let faults = texts(&about["faults"]);
    match faults.len() {
        0 => Ok(()),
        _ => Err(faults.join("\n").into()),
    }
}

/// Draws the picture and returns the output of the script.
fn draw(arguments: &Arguments) -> Outcome<Value> {
    let browser = browser()?;
    let modules = npm::ensure("render")?;
    let views: Vec<String> = arguments.views.iter().map(|view| view.name()).collect();
    let absolute = |path: &Path| std::path::absolute(path);
    let job = json!({
        "modules": absolute(&modules)?,
        "browser": browser,
        "file": absolute(&arguments.file)?,
        "out": absolute(&arguments.out)?,
        "views": views,
        "which": arguments.scene,
        "clip": arguments.clip,
        "times": arguments.times,
        "size": arguments.size,
        "backs": arguments.backs,
        "lights": arguments.lights,
        "hide": arguments.hide,
        "focus": arguments.focus,
    });
    let mut command = Command::new("node");
    command.arg(workspace().join("xtask/render/render.mjs"));
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped
        .spawn()
        .map_err(|error| format!("cannot run node: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(job.to_string().as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let about: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("the script that draws ended with {}", output.status))?;
    match about["error"].as_str() {
        Some(error) => {
            let mut lines = vec![format!("cannot draw {}: {error}", arguments.file.display())];
            lines.extend(texts(&about["faults"]));
            Err(lines.join("\n").into())
        }
        None => Ok(about),
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

/// Path of a browser, which is installed if there is none.
///
/// # Errors
/// No browser is installed, and none can be installed.
pub fn browser() -> Outcome<PathBuf> {
    if !CHROMIUM_LIKE.into_iter().any(exists) {
        CHROMIUM.ensure()?;
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    for program in CHROMIUM_LIKE {
        let paths = std::env::split_paths(&folders).map(|folder| folder.join(program));
        if let Some(path) = paths.into_iter().find(|path| path.is_file()) {
            return Ok(path);
        }
    }
    Err("no folder of PATH holds a browser".into())
}
