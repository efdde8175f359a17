//! Conversion from file axes to scene space; all other modules use this one.
//!
//! File axes are right-handed: +X north and the direction that models face, +Y west, +Z up. Scene space has
//! +Y up, and glTF models face +Z. The cyclic change
//!
//! ```text
//! (x, y, z) of the scene = (y, z, x) of the file
//! ```
//!
//! is a rotation (its determinant is +1), so nothing is mirrored: west becomes +X, up +Y, north +Z.
//! Corners of faces run clockwise seen from outside in the files and counter-clockwise in scenes, so
//! their order is reversed. V grows from the bottom of a picture to its top in the files and downwards
//! in scenes. Units do not change while scenes are made; one is about a foot (a guess). Conversion to
//! meters is the last step, for the whole scene.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Quat, Vec3};

use crate::options::Unit;
use relicast_formats::everquest::wld::{Actor, Placement};
use relicast_scene::extras::everquest;
use relicast_scene::model::Transform;

/// A position, direction or extent.
pub(super) fn vector<T>([x, y, z]: [T; 3]) -> [T; 3] {
    [y, z, x]
}

/// A rotation.
pub(super) fn rotation(file: DQuat) -> DQuat {
    DQuat::from_xyzw(file.y, file.z, file.x, file.w)
}

/// Corners of a face, from clockwise to counter-clockwise.
pub(super) fn triangle<T>([first, second, third]: [T; 3]) -> [T; 3] {
    [first, third, second]
}

/// Texture coordinates.
pub(super) fn uv([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 1.0 - v]
}

/// Rotation by 512ths of a turn about an axis.
fn turn(axis: DVec3, parts: f32) -> DQuat {
    let half = f64::from(parts) / 512.0 * TAU / 2.0;
    let (sine, cosine) = (libm::sin(half), libm::cos(half));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Rotation of a placement: the tilt about +Y by the negative angle, then the heading about +Z.
pub(super) fn placed_rotation(place: &Placement) -> Quat {
    let heading = turn(DVec3::Z, place.rotation_z.get());
    let tilt = turn(DVec3::Y, -place.rotation_y.get());
    let [x, y, z, w] = rotation(heading * tilt)
        .normalize()
        .to_array()
        .map(|part| part as f32 + 0.0);
    Quat::from_xyzw(x, y, z, w)
}

/// Transform of an actor; `None` when it has no place, or one that is not finite.
pub(super) fn placement(actor: &Actor) -> Option<Transform> {
    let place = actor.place.as_ref()?;
    let scale = actor.scale.map_or(1.0, |scale| scale.get());
    let transform = Transform {
        translation: Vec3::from_array(vector(place.position.to_array())),
        rotation: placed_rotation(place),
        scale: Vec3::splat(scale),
    };
    let finite = transform.translation.is_finite()
        && transform.rotation.is_finite()
        && transform.scale.is_finite();
    finite.then_some(transform)
}

/// Transform of an object of a server. Its axes are +X west, +Y north, +Z up, and it turns from north by west; `None`
/// for values that are not finite.
pub(super) fn server_placement(
    [west, north, up]: [f32; 3],
    heading: f32,
    incline: f32,
    scale: f32,
) -> Option<Transform> {
    let heading = turn(DVec3::Z, heading);
    let tilt = turn(DVec3::Y, -incline);
    let transform = Transform {
        translation: Vec3::from_array(vector([north, west, up])),
        rotation: rotation(heading * tilt).normalize().as_quat(),
        scale: Vec3::splat(scale),
    };
    let finite = transform.translation.is_finite() && transform.rotation.is_finite();
    (finite && scale.is_finite()).then_some(transform)
}

/// Extras of every scene about the change of axes and unit.
pub(super) fn facts(unit: Unit) -> everquest::Space {
    let unit = match unit {
        Unit::Units => "one unit of the file, about a foot",
        Unit::Meters => "meter, 0.3048 of a unit of the file; extras are in units of the file",
    };
    let [x, y, z, unit] = [
        "file y (west)",
        "file z (up)",
        "file x (north, forward)",
        unit,
    ]
    .map(|text| Some(text.to_owned()));
    everquest::Space { x, y, z, unit }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use relicast_codec::F32;

    fn wide(part: [f32; 3]) -> DVec3 {
        DVec3::from_array(vector(part).map(f64::from))
    }

    #[test]
    fn the_change_of_axes_mirrors_nothing() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(wide);
        assert_eq!(
            DMat3::from_cols(axes[0], axes[1], axes[2]).determinant(),
            1.0
        );
        assert_eq!(axes, [DVec3::Z, DVec3::X, DVec3::Y]);
    }

    #[test]
    fn rotations_change_as_vectors_do() {
        let file = DQuat::from_xyzw(0.1, -0.4, 0.5, 0.76).normalize();
        let direction = [0.3_f32, -2.0, 5.0];
        let turned = file * DVec3::from_array(direction.map(f64::from));
        let expected = DVec3::new(turned.y, turned.z, turned.x);
        assert!((rotation(file) * wide(direction) - expected).length() < 1e-6);
    }

    #[test]
    fn headings_turn_from_north_to_west() {
        let place = Placement {
            rotation_z: F32(128.0),
            ..Placement::default()
        };
        // A quarter turn takes north, +Z of the scene, to west, its +X.
        let turned = placed_rotation(&place) * Vec3::Z;
        assert!((turned - Vec3::X).length() < 1e-6, "{turned}");
        let tilted = Placement {
            rotation_y: F32(128.0),
            ..Placement::default()
        };
        // A positive tilt turns about +Y of the file by the negative angle: up goes to south.
        let turned = placed_rotation(&tilted) * Vec3::Y;
        assert!((turned + Vec3::Z).length() < 1e-6, "{turned}");
        let both = Placement {
            rotation_z: F32(128.0),
            rotation_y: F32(128.0),
            ..Placement::default()
        };
        // The tilt comes first: up goes to south, and the heading takes south to east.
        let turned = placed_rotation(&both) * Vec3::Y;
        assert!((turned + Vec3::X).length() < 1e-6, "{turned}");
    }

    #[test]
    fn placements_beyond_numbers_are_none() {
        let mut actor = Actor {
            place: Some(Placement::default()),
            scale: Some(F32(f32::NAN)),
            ..Actor::default()
        };
        assert_eq!(placement(&actor), None);
        actor.scale = Some(F32(2.0));
        assert_eq!(
            placement(&actor).map(|placement| placement.scale),
            Some(Vec3::splat(2.0))
        );
        actor.place = None;
        assert_eq!(placement(&actor), None);
    }
}
