//! Keyframes with consistent base, change and polynomials.

use relicast::formats::codec::{F32, QuatWxyz, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{Frame, RotationChannel, VectorChannel};

/// A pose at a time.
#[derive(Clone, Copy)]
pub struct Key {
    pub time: f32,
    pub place: Option<[f32; 3]>,
    /// Quarter turns about an axis, counted from the identity.
    pub turn: Option<([f32; 3], f32)>,
    pub scale: Option<[f32; 3]>,
}

impl Key {
    pub const fn at(time: f32, place: [f32; 3]) -> Self {
        Self {
            time,
            place: Some(place),
            turn: None,
            scale: None,
        }
    }

    pub const fn turned(mut self, axis: [f32; 3], quarters: f32) -> Self {
        self.turn = Some((axis, quarters));
        self
    }

    pub const fn scaled(mut self, scale: [f32; 3]) -> Self {
        self.scale = Some(scale);
        self
    }
}

fn rates(from: [f32; 3], to: [f32; 3], seconds: f32) -> [f32; 3] {
    [0, 1, 2].map(|axis| (to[axis] - from[axis]) / seconds)
}

/// The straight line as the polynomials of a channel, for games that have them.
fn lines(base: [f32; 3], delta: [f32; 3], version: ZipperGame) -> [[F32; 4]; 3] {
    match version {
        ZipperGame::Recoil => [[F32(0.0); 4]; 3],
        _ => [0, 1, 2].map(|axis| [F32(base[axis]), F32(delta[axis]), F32(0.0), F32(0.0)]),
    }
}

fn vector(from: [f32; 3], to: [f32; 3], seconds: f32, version: ZipperGame) -> Box<VectorChannel> {
    let delta = rates(from, to, seconds);
    let [spline_x, spline_y, spline_z] = lines(from, delta, version);
    Box::new(VectorChannel {
        base: Vec3::from(from),
        delta: Vec3::from(delta),
        spline_x,
        spline_y,
        spline_z,
        ..VectorChannel::default()
    })
}

/// Cosine and sine of an eighth of a turn times `quarters`, for multiples of a half.
fn half_angle(quarters: f32) -> (f32, f32) {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    // Cosine and sine of 22.5 degrees.
    const FLAT: (f32, f32) = (0.923_879_5, 0.382_683_43);
    let eighths = (quarters * 2.0) as i32;
    let (cosine, sine) = match eighths.rem_euclid(4) {
        0 => (1.0, 0.0),
        1 => FLAT,
        2 => (DIAGONAL, DIAGONAL),
        _ => (FLAT.1, FLAT.0),
    };
    match eighths.div_euclid(4).rem_euclid(4) {
        0 => (cosine, sine),
        1 => (-sine, cosine),
        2 => (-cosine, -sine),
        _ => (sine, -cosine),
    }
}

fn rotation(
    axis: [f32; 3],
    from: f32,
    to: f32,
    seconds: f32,
    version: ZipperGame,
) -> Box<RotationChannel> {
    let (cosine, sine) = half_angle(from);
    let speed = (to - from) * std::f32::consts::FRAC_PI_4 / seconds;
    let delta = axis.map(|part| part * speed);
    let [x, y, z] = axis.map(|part| F32(part * sine));
    let [spline_x, spline_y, spline_z] = lines([0.0; 3], delta, version);
    Box::new(RotationChannel {
        base: QuatWxyz {
            w: F32(cosine),
            x,
            y,
            z,
        },
        delta: Vec3::from(delta),
        spline_x,
        spline_y,
        spline_z,
    })
}

/// Frames from each key to the next. A channel counts if both keys have it.
pub fn frames(keys: &[Key], version: ZipperGame) -> Vec<Frame> {
    let pairs = keys.windows(2);
    pairs
        .map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            let seconds = to.time - from.time;
            let line = |(from, to)| vector(from, to, seconds, version);
            let turn = from
                .turn
                .zip(to.turn)
                .map(|((axis, start), (_, end))| rotation(axis, start, end, seconds, version));
            Frame {
                start_time: F32(from.time),
                end_time: F32(to.time),
                translate: from.place.zip(to.place).map(line),
                rotate: turn,
                scale: from.scale.zip(to.scale).map(line),
            }
        })
        .collect()
}
