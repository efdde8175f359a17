//! Pictures that the engine draws of levels, compared with those of `golden/engine/`.

use std::fs;
use std::path::Path;

use image::RgbImage;

use super::godot4::Godot;
use crate::Outcome;
use crate::process::workspace;
use crate::tally::Tally;

/// Tolerance of a texel, in steps of a channel. Software drawing differs between versions of Mesa.
const STEPS: u8 = 12;
/// Share of texels that may differ by more.
const SHARE: f64 = 0.02;

/// Draws the levels of a project and compares.
///
/// # Errors
/// Files cannot be read or written.
pub fn take(
    godot: &Godot,
    name: &str,
    folder: &Path,
    levels: &[String],
    bless: bool,
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let file = |level: &str| {
        format!(
            "{name}-{}.png",
            level.trim_end_matches(".tscn").replace(['/', ' '], "-")
        )
    };
    let lines: Vec<String> = levels
        .iter()
        .map(|level| format!("{level};{}", file(level)))
        .collect();
    fs::write(folder.join("user/shots.txt"), lines.join("\n"))?;
    let said = godot.script(folder, "res://user/shot.gd", true)?;
    let Some(report) = &said.report else {
        tally.skip(
            format_args!("{name}: pictures"),
            "drawing is not possible on this machine",
        );
        return Ok(tally);
    };
    tally.check(
        format_args!("{name}: drawing\n{}", said.faults.join("\n")),
        said.faults.is_empty(),
    );
    for level in levels {
        println!(
            "{name}: {level}: {} draw calls, {} triangles in view",
            report[level]["drawCalls"], report[level]["primitives"]
        );
        let taken = folder.join("user").join(file(level));
        let golden = workspace().join("golden/engine").join(file(level));
        if bless {
            fs::create_dir_all(workspace().join("golden/engine"))?;
            fs::copy(&taken, &golden)?;
            continue;
        }
        if !golden.is_file() {
            continue;
        }
        let (taken_at, taken, golden) = (
            taken.clone(),
            image::open(&taken)?.to_rgb8(),
            image::open(&golden)?.to_rgb8(),
        );
        let share = difference(&taken, &golden);
        tally.check(
            format_args!(
                "{}: {:.2} % of the texels are not as in golden/engine",
                taken_at.display(),
                share * 100.0
            ),
            share <= SHARE,
        );
    }
    Ok(tally)
}

/// Share of texels that differ.
fn difference(first: &RgbImage, second: &RgbImage) -> f64 {
    if first.dimensions() != second.dimensions() {
        return 1.0;
    }
    let differs = |(first, second): (&image::Rgb<u8>, &image::Rgb<u8>)| {
        first
            .0
            .iter()
            .zip(second.0)
            .any(|(first, second)| first.abs_diff(second) > STEPS)
    };
    let count = first
        .pixels()
        .zip(second.pixels())
        .filter(|pair| differs(*pair))
        .count();
    count as f64 / first.pixels().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_count_that_are_off() {
        let gray = RgbImage::from_pixel(2, 2, image::Rgb([100; 3]));
        let mut other = gray.clone();
        other.put_pixel(0, 0, image::Rgb([112, 100, 100]));
        assert_eq!(difference(&gray, &other), 0.0);
        other.put_pixel(1, 0, image::Rgb([100, 113, 100]));
        assert_eq!(difference(&gray, &other), 0.25);
        assert_eq!(difference(&gray, &RgbImage::new(1, 1)), 1.0);
    }
}
