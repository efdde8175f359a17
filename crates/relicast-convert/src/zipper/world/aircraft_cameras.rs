//! Cameras of Crimson Skies' aircraft.
//!
//! The eye of the views from the cockpit and from the nose is the marker node `cockpit_camera`. The program stores
//! horizontal angles, 80° in the cockpit and 60° in all other views, and tilts a first-person view down by 4.70°
//! (0.08203 rad). Its vertical angle is 2 atan(tan(h / 2) · (4 / 3) / aspect): 64.4° and 46.8° at 16:9. The formula
//! is certain only for this aspect ratio. (CSVM, docs/org, read from the program; docs/formats, CC BY 4.0.)

use glam::{DMat4, DVec3};

use crate::Dependency;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, matrix_of};
use crate::zipper::settings;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{GameZ, NodeData, Object3dFlags};
use relicast_formats::zipper::paint::Airframe;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::{Float, ObjectExtras, zipper};
use relicast_scene::model::{self, Placement};

use super::records::about;

/// The marker node of an aircraft that is the eye.
pub const EYE: &str = "cockpit_camera";
/// Tilt of a first-person view about its X axis, in radians.
const PITCH: f64 = -0.082_03;
/// Aspect ratio for which the vertical angles are certain.
const ASPECT: f64 = 16.0 / 9.0;
/// Views from the eye: name, the program's number of the view, horizontal angle in degrees.
const VIEWS: [(&str, u8, f64); 2] = [("cockpit_view", 6, 80.0), ("nose_view", 7, 60.0)];
/// Near and far plane. No source states them for these views.
const PLANES: [f32; 2] = [0.1, 20_000.0];

/// Vertical angle of a view in radians at 16:9.
fn vertical(horizontal: f64) -> f64 {
    let half = libm::tan(horizontal.to_radians() / 2.0);
    2.0 * libm::atan(half * (4.0 / 3.0) / ASPECT)
}

/// Adds the cameras of the aircraft below `root` to its main scene, each on a separate node.
pub(super) fn add(gamez: &GameZ, root: usize, hierarchy: &mut HierarchyBuilder<'_, '_, '_, GameZ>) {
    if gamez.version != ZipperGame::CrimsonSkies {
        return;
    }
    let Some(eye) = eye_below(gamez, root) else {
        return;
    };
    // Markers are hidden, so the parent of the eye is its nearest ancestor in the scene.
    let mut matrix = DMat4::IDENTITY;
    let mut at = eye;
    let above = loop {
        if let Some(node) = hierarchy.in_main(at) {
            break node;
        }
        let Some(node) = gamez.nodes.used.get(at) else {
            return;
        };
        if let NodeData::Object3d(object) = &node.data
            && !object.flags.contains(Object3dFlags::TRANSFORM_INITIAL)
        {
            matrix = matrix_of(&object.transform) * matrix;
        }
        match node.parents.first() {
            Some(&parent) if parent as usize != eye => at = parent as usize,
            _ => return,
        }
    };
    let down = DMat4::from_quat(about(DVec3::X, PITCH));
    let Ok(placement) = Placement::from_matrix(&(matrix * down)) else {
        return;
    };
    let scene = hierarchy.main();
    for (name, mode, horizontal) in VIEWS {
        let facts = zipper::Camera {
            view: Some(mode.into()),
            horizontal_angle: Some(horizontal),
            pitch: Some(Float(PITCH.to_degrees() as f32)),
            planes: Some(zipper::Planes {
                certain: Some(false),
            }),
            ..zipper::Camera::default()
        };
        let camera = scene.add_camera(model::Camera {
            name: name.to_owned(),
            vertical_angle: vertical(horizontal) as f32,
            aspect: Some(ASPECT as f32),
            near: PLANES[0],
            far: Some(PLANES[1]),
            extras: facts.extras(),
        });
        let node = scene.add_node(model::Node {
            name: name.to_owned(),
            transform: placement.outer(),
            camera: Some(camera),
            ..model::Node::default()
        });
        scene.nodes[above.index()].children.push(node);
    }
}

/// The first node below the root of an aircraft with the name of the eye.
#[must_use]
pub fn eye_below(gamez: &GameZ, root: usize) -> Option<usize> {
    let mut seen = vec![false; gamez.nodes.used.len()];
    let mut stack = vec![root];
    while let Some(index) = stack.pop() {
        let node = gamez.nodes.used.get(index)?;
        if std::mem::replace(seen.get_mut(index)?, true) {
            continue;
        }
        if node.name().eq_ignore_ascii_case(EYE) {
            return Some(index);
        }
        let children = node.children.iter().rev();
        stack.extend(children.map(|&child| child as usize));
    }
    None
}

/// Distances of the chase camera by display name, in meters, as CSVM counted them in `camparam.zrd`.
const CHASE: [(&str, f32); 7] = [
    ("Bloodhawk", 18.5),
    ("Fury", 17.0),
    ("Peacemaker", 18.0),
    ("Kestrel", 14.5),
    ("Firebrand", 20.5),
    ("Warhawk", 20.0),
    ("Balmoral", 25.0),
];
/// Distance of all other aircraft.
const CHASE_DEFAULT: f32 = 13.0;

/// Facts of the chase camera of an airframe: the record of `camparam.zrd` under its display name or `default`,
/// else the published distance.
pub(super) fn chase_facts(
    dependencies: &[Dependency<'_>],
    airframe: &Airframe,
) -> zipper::ChaseCamera {
    let mut found = None;
    settings::visit_named(dependencies, &["camparam"], |reader| {
        let values = std::slice::from_ref(&reader.value);
        let names = [airframe.shown_name, airframe.name, "default"];
        let record = names
            .into_iter()
            .find_map(|name| Some((name, settings::after(values, name, &[])?)));
        if let (None, Some((name, record))) = (&found, record) {
            found = Some(chase_record(name, record));
        }
    });
    found.unwrap_or_else(|| {
        let named = |(name, _): &&(&str, f32)| [airframe.shown_name, airframe.name].contains(name);
        let distance = CHASE.iter().find(named);
        let distance = distance.map_or(CHASE_DEFAULT, |(_, distance)| *distance);
        zipper::ChaseCamera {
            distance: Some(Float(distance)),
            from: Some("published".to_owned()),
            ..zipper::ChaseCamera::default()
        }
    })
}

/// Values after a name in `camparam.zrd`: a list, or bare values up to the next name.
fn chase_record(name: &str, record: &[Value<'_>]) -> zipper::ChaseCamera {
    // After a name that is in front of its list, that list alone is the record.
    let own = match record {
        [Value::List(own), ..] => own,
        _ => record,
    };
    let distance = settings::after(own, "distance", &[]).unwrap_or(own);
    zipper::ChaseCamera {
        distance: settings::numbers(distance, 1).first().copied().map(Float),
        from: Some("camparam.zrd".to_owned()),
        name: Some(name.to_owned()),
        record: Some(settings::json(own)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::kind::Kind;
    use relicast_formats::zipper::paint::AIRFRAMES;

    #[test]
    fn vertical_angles_are_those_of_a_wide_picture() {
        assert!((vertical(80.0).to_degrees() - 64.4).abs() < 0.05);
        assert!((vertical(60.0).to_degrees() - 46.8).abs() < 0.05);
        assert!((PITCH.to_degrees() + 4.70).abs() < 0.001);
    }

    #[test]
    fn the_chase_camera_is_that_of_the_display_name_or_the_default() {
        let text = b"(CAMPARAM (default (distance 13 range (15.7 25)) Balmoral (distance 24)))";
        let reader = Dependency {
            path: "zrdr/camparam.zrd",
            kind: Kind::TextReader,
            bytes: text,
            digest: None,
            outputs: &[],
        };
        let of = |name: &str, files: &[Dependency<'_>]| {
            let airframe = AIRFRAMES.iter().find(|airframe| airframe.name == name);
            chase_facts(files, airframe.unwrap())
        };
        let stored = of("Balmoral", &[reader]);
        assert_eq!(
            (stored.distance, stored.name.as_deref()),
            (Some(Float(24.0)), Some("Balmoral"))
        );
        assert_eq!(of("Fury", &[reader]).name.as_deref(), Some("default"));
        let published = of("Kestrel", &[]);
        assert_eq!(
            (published.distance, published.from.as_deref()),
            (Some(Float(14.5)), Some("published"))
        );
        assert_eq!(of("Devastator", &[]).distance, Some(Float(13.0)));
    }
}
