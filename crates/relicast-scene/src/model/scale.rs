//! Scales a scene to other units: all lengths, and nothing else.
//!
//! ```
//! use glam::Vec3;
//! use relicast_scene::model::{Node, Scene, Transform};
//!
//! let mut scene = Scene::default();
//! let transform = Transform::from_translation(Vec3::X);
//! let node = scene.add_node(Node { transform, ..Node::default() });
//! scene.roots.push(node);
//! scene.scale_lengths(0.5);
//! assert_eq!(scene.nodes[0].transform.translation, Vec3::new(0.5, 0.0, 0.0));
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec4;

use super::{LightKind, Scene, Track};

type Vertices = Arc<Vec<[f32; 3]>>;

impl Scene {
    /// Multiplies all lengths: positions, vertices and their displacements, inverse bind matrices, ranges of
    /// lights and cameras, movements. Rotations, scales and extras are unchanged. The strength of lights that fade
    /// with distance is adjusted, so that brightness is unchanged. A factor of 1 changes nothing.
    pub fn scale_lengths(&mut self, factor: f32) {
        if factor == 1.0 {
            return;
        }
        for node in &mut self.nodes {
            node.transform.translation *= factor;
            for instance in &mut node.instances {
                instance.translation *= factor;
            }
        }
        let parts = self.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        // Scaled lists by the address of the original, which is held so that no other list gets its address.
        let mut scaled: HashMap<_, (Vertices, Vertices)> = HashMap::new();
        for part in parts {
            let deltas = part.morphs.iter_mut().flatten();
            for value in deltas.flatten() {
                *value *= factor;
            }
            // Shared lists stay shared.
            if let Some(own) = Arc::get_mut(&mut part.positions) {
                for value in own.as_flattened_mut() {
                    *value *= factor;
                }
                continue;
            }
            let before = Arc::clone(&part.positions);
            let (_, after) = scaled.entry(Arc::as_ptr(&before)).or_insert_with(|| {
                let multiplied = before.iter().map(|place| place.map(|part| part * factor));
                let multiplied = Arc::new(multiplied.collect());
                (before, multiplied)
            });
            part.positions = Arc::clone(after);
        }
        for (_, inverse) in self.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
            let [x, y, z, w] = inverse.w_axis.to_array();
            let [x, y, z] = [x, y, z].map(|part| part * f64::from(factor));
            inverse.w_axis = DVec4::new(x, y, z, w);
        }
        for light in &mut self.lights {
            light.range = light.range.map(|range| range * factor);
            if light.kind != LightKind::Directional {
                light.intensity *= factor * factor;
            }
        }
        for camera in &mut self.cameras {
            camera.near *= factor;
            camera.far = camera.far.map(|far| far * factor);
        }
        let channels = self.clips.iter_mut().flat_map(|clip| &mut clip.channels);
        for channel in channels {
            if let Track::Translation(places) = &mut channel.track {
                for place in places {
                    *place *= factor;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DVec3, Vec3};

    use super::*;
    use crate::model::{Channel, Clip, Interpolation, Light, Mesh, Node, Primitive, Skin};

    #[test]
    fn lists_that_primitives_have_in_common_are_multiplied_once_and_stay_so() {
        let part = |positions: &Vertices| Primitive {
            positions: Arc::clone(positions),
            ..Primitive::default()
        };
        let [common, others] = [Arc::new(vec![[2.0; 3]]), Arc::new(vec![[6.0; 3], [8.0; 3]])];
        let mut scene = Scene::default();
        for primitives in [vec![part(&common), part(&others)], vec![part(&common)]] {
            scene.add_mesh(Mesh {
                primitives,
                ..Mesh::default()
            });
        }
        scene.scale_lengths(0.5);
        let [first, second] = &*scene.meshes else {
            panic!("there are two");
        };
        assert_eq!(*first.primitives[0].positions, [[1.0; 3]]);
        assert_eq!(*first.primitives[1].positions, [[3.0; 3], [4.0; 3]]);
        let [one, other] = [first, second].map(|mesh| &mesh.primitives[0].positions);
        assert!(Arc::ptr_eq(one, other));
        // Other owners of the lists are not affected.
        assert_eq!((common[0], others[1]), ([2.0; 3], [8.0; 3]));
    }

    #[test]
    fn every_length_is_multiplied_and_nothing_else() {
        let mut scene = Scene::default();
        let mut node = Node::default();
        node.transform.translation = Vec3::new(1.0, 2.0, 3.0);
        node.transform.scale = Vec3::splat(2.0);
        let id = scene.add_node(node);
        scene.add_mesh(Mesh {
            primitives: vec![Primitive {
                positions: vec![[2.0, 4.0, 6.0]].into(),
                normals: vec![[0.0, 1.0, 0.0]].into(),
                morphs: vec![vec![[8.0, 0.0, 0.0]]],
                ..Primitive::default()
            }],
            ..Mesh::default()
        });
        let inverse = DMat4::from_translation(DVec3::new(0.0, 10.0, 0.0))
            * DMat4::from_scale(DVec3::splat(3.0));
        scene.skins.push(Skin {
            joints: vec![(id, inverse)],
            ..Skin::default()
        });
        let light = |kind| Light {
            name: String::new(),
            kind,
            color: [1.0; 3],
            intensity: 4.0,
            range: Some(8.0),
            extras: Default::default(),
        };
        scene.add_light(light(LightKind::Point));
        scene.add_light(light(LightKind::Directional));
        let channel = |track| Channel {
            node: id,
            times: vec![0.0],
            interpolation: Interpolation::Linear,
            track,
        };
        scene.clips.push(Clip {
            channels: vec![
                channel(Track::Translation(vec![Vec3::splat(6.0)])),
                channel(Track::Scale(vec![Vec3::splat(6.0)])),
            ],
            ..Clip::default()
        });
        let before = scene.clone();
        scene.scale_lengths(1.0);
        assert_eq!(scene, before);
        scene.scale_lengths(0.5);
        let node = &scene.nodes[0].transform;
        assert_eq!(node.translation, Vec3::new(0.5, 1.0, 1.5));
        assert_eq!(node.scale, Vec3::splat(2.0));
        let part = &scene.meshes[0].primitives[0];
        assert_eq!(*part.positions, [[1.0, 2.0, 3.0]]);
        assert_eq!(*part.normals, [[0.0, 1.0, 0.0]]);
        assert_eq!(part.morphs, [[[4.0, 0.0, 0.0]]]);
        let expected = DMat4::from_translation(DVec3::new(0.0, 5.0, 0.0))
            * DMat4::from_scale(DVec3::splat(3.0));
        assert_eq!(scene.skins[0].joints[0].1, expected);
        let lights = &scene.lights;
        assert_eq!((lights[0].intensity, lights[0].range), (1.0, Some(4.0)));
        assert_eq!(lights[1].intensity, 4.0);
        assert_eq!(
            scene.clips[0].channels[0].track,
            Track::Translation(vec![Vec3::splat(3.0)])
        );
        assert_eq!(
            scene.clips[0].channels[1].track,
            Track::Scale(vec![Vec3::splat(6.0)])
        );
    }
}
