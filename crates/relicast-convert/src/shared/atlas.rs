//! A row of the pictures of a cycle, for surfaces whose texture coordinates move from one to the next. Such a
//! row is not in a package and not a file of its own; its key lists the keys of its pictures.

use crate::options::Scenes;
use relicast_scene::Image;
use relicast_scene::model::AlphaMode;

/// Separator of the keys of the pictures; no path contains it.
const BETWEEN: char = '\n';

/// Largest picture width that graphics cards generally support.
const WIDEST: u32 = 16_384;

/// Maximum duration of a clip, in seconds.
const MAX_SECONDS: f32 = 3600.0;

/// The key of a row of pictures.
pub(crate) fn key(frames: &[&str]) -> String {
    frames.join(&BETWEEN.to_string())
}

/// The keys of the pictures in a row; `None` for a single picture.
pub(crate) fn parts(key: &str) -> Option<impl Iterator<Item = &str>> {
    key.contains(BETWEEN).then(|| key.split(BETWEEN))
}

/// Pictures from left to right.
pub(crate) fn pack_row(pictures: &[Image<'_>]) -> Option<Image<'static>> {
    Image::pack_row(pictures).filter(|joined| joined.width <= WIDEST)
}

/// Times at which the pictures of a cycle are shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FrameTimes {
    /// Seconds, from 0.
    pub times: Vec<f32>,
    /// The number of the picture from each time on. The last time ends the clip.
    pub frames: Vec<usize>,
}

/// The times of a cycle of `count` pictures at `speed` pictures a second. A looping cycle closes;
/// another one ends at its last picture, unless it runs backwards, which always loops.
/// At a speed of 0 nothing moves.
pub(crate) fn frame_times(
    count: usize,
    speed: f32,
    looping: bool,
    start: i32,
) -> Option<FrameTimes> {
    let pace = speed.abs();
    if count < 2 || !(pace > 0.0 && pace.is_finite()) || count as f32 / pace > MAX_SECONDS {
        return None;
    }
    let whole = i64::try_from(count).ok()?;
    let first = i64::from(start);
    let round = looping || speed < 0.0;
    let steps = if round {
        whole
    } else {
        (whole - 1 - first.clamp(0, whole - 1)).max(0)
    };
    let mut frame_times = FrameTimes {
        times: Vec::new(),
        frames: Vec::new(),
    };
    for step in 0..=steps {
        let moved = if speed < 0.0 {
            first - step
        } else {
            first + step
        };
        let frame = if round {
            moved.rem_euclid(whole)
        } else {
            moved.clamp(0, whole - 1)
        };
        let time = step as f32 / pace;
        // Times must increase; with very fast cycles, single precision cannot separate them.
        if frame_times.times.last().is_some_and(|last| *last >= time) {
            return None;
        }
        frame_times.times.push(time);
        frame_times.frames.push(usize::try_from(frame).ok()?);
    }
    (frame_times.times.len() > 1).then_some(frame_times)
}

/// Alpha mode of all pictures together.
pub(crate) fn alpha(mut modes: impl Iterator<Item = AlphaMode> + Clone) -> AlphaMode {
    if modes.clone().any(|mode| mode == AlphaMode::Blend) {
        return AlphaMode::Blend;
    }
    modes
        .find(|mode| *mode != AlphaMode::Opaque)
        .unwrap_or_default()
}

/// True if the pictures can share a row, and settings want it.
pub(crate) fn fit(sizes: impl Iterator<Item = (u32, u32)>, options: &Scenes) -> bool {
    let sizes: Vec<(u32, u32)> = sizes.collect();
    options.cycle_atlas && sizes_fit(&sizes)
}

/// True if pictures of these sizes can be in one row: the largest width and height are multiples of each
/// other one, so that each texel of a smaller picture becomes a block of texels.
pub(crate) fn sizes_fit(sizes: &[(u32, u32)]) -> bool {
    let largest = sizes
        .iter()
        .copied()
        .reduce(|one, other| (one.0.max(other.0), one.1.max(other.1)));
    let Some((width, height)) = largest.filter(|_| sizes.len() > 1) else {
        return false;
    };
    let share = |&(across, down): &(u32, u32)| {
        across > 0 && down > 0 && width.is_multiple_of(across) && height.is_multiple_of(down)
    };
    let total = u64::from(width) * sizes.len() as u64;
    sizes.iter().all(share) && total <= u64::from(WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(count: usize, speed: f32, looping: bool, start: i32) -> Vec<usize> {
        frame_times(count, speed, looping, start)
            .map_or(Vec::new(), |frame_times| frame_times.frames)
    }

    #[test]
    fn cycles_go_round_or_stop_at_their_last_picture() {
        assert_eq!(shown(3, 2.0, true, 0), [0, 1, 2, 0]);
        assert_eq!(shown(3, 2.0, true, 2), [2, 0, 1, 2]);
        assert_eq!(shown(3, 2.0, false, 1), [1, 2]);
        assert_eq!(shown(3, -2.0, false, 0), [0, 2, 1, 0]);
        assert_eq!(frame_times(4, 8.0, true, 0).unwrap().times[4], 0.5);
    }

    #[test]
    fn what_does_not_move_has_no_turns() {
        assert_eq!(frame_times(3, 0.0, true, 0), None);
        assert_eq!(frame_times(3, f32::NAN, true, 0), None);
        assert_eq!(frame_times(3, f32::INFINITY, true, 0), None);
        assert_eq!(frame_times(3, 1e-9, true, 0), None);
        assert_eq!(frame_times(1, 5.0, true, 0), None);
        assert_eq!(frame_times(3, 5.0, false, i32::MAX), None);
        assert!(frame_times(3, -5.0, false, i32::MIN).is_some());
    }
}
