//! Videos of the samples: a ball that crosses a checkered floor, with a number on every frame.

use relicast::formats::riff::avi::write::{Movie, write};

use crate::Outcome;
use crate::picture::Picture;
use crate::tone::{Coding, Tone};

const WIDTH: u16 = 80;
const HEIGHT: u16 = 60;
const FLOOR: [[u8; 3]; 2] = [[70, 90, 120], [50, 66, 92]];
const BALL: [u8; 3] = [240, 150, 40];

/// Frames per second, as in the games.
const RATE: u32 = 15;

/// A frame: the ball moves from left to right and back, up and down.
fn frame(number: u16, frames: u16) -> Vec<u8> {
    let across = i32::from(number) * i32::from(WIDTH) / i32::from(frames.max(1));
    let swing = i32::from(number) % 20;
    let down = 15 + 3 * swing.min(20 - swing);
    let picture = Picture::paint(WIDTH, HEIGHT, |x, y| {
        let (dx, dy) = (i32::from(x) - across, i32::from(y) - down);
        match dx * dx + dy * dy < 81 {
            true => BALL,
            false => FLOOR[usize::from((x / 10 + y / 10) % 2)],
        }
    });
    let labeled = picture.label(&format!("{number:02}"), 1, [255, 255, 255]);
    labeled.texels.into_flattened()
}

/// A video of `frames` frames with sound of 8 or 16 bits, or without.
pub(super) fn movie(frames: u16, coding: Option<Coding>) -> Outcome<Vec<u8>> {
    let length = u32::from(frames) * 1000 / RATE / 4;
    let sound = coding.map(|coding| Tone {
        coding,
        channels: match coding {
            Coding::Pcm8 => 1,
            _ => 2,
        },
        rate: 22_050,
        notes: &[262, 330, 392, 523],
        note_length: length,
    });
    let sound = match sound {
        Some(tone) => {
            let wave = tone.wave(Vec::new())?;
            Some((tone.format(), wave.data()?.payload.to_vec()))
        }
        None => None,
    };
    let frames_of = |number| frame(number, frames);
    Ok(write(&Movie {
        width: WIDTH,
        height: HEIGHT,
        rate: RATE,
        frames: (0..frames).map(frames_of).collect(),
        sound,
        sound_name: Some("Sample Tones"),
        software: Some("relicast sample"),
    })?)
}
