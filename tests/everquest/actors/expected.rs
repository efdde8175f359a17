//! A direct evaluation of stored skeletons in file axes, with nothing of the converter.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use relicast::formats::everquest::wld::{Body, FragmentRef, Frames, Mesh, Skeleton, Wld};

/// The models that lend animation sets, as in the data file of the program.
pub fn lender(model: &str) -> Option<&'static str> {
    let lines =
        include_str!("../../../crates/relicast-convert/src/everquest/actor/sources.txt").lines();
    let mut lines = lines.filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let mut codes = line.split_whitespace();
        let lender = codes.next()?;
        codes.any(|code| code == model).then_some(lender)
    })
}

/// Scene space from file axes.
pub fn scene(file: DVec3) -> DVec3 {
    DVec3::new(file.y, file.z, file.x)
}

/// A frame: translation, rotation, uniform scale.
pub type Frame = (DVec3, DQuat, f64);

pub fn matrix(&(translation, rotation, scale): &Frame) -> DMat4 {
    DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, translation)
}

/// Frames of a track and its milliseconds.
pub fn frames(wld: &Wld<'_>, track: FragmentRef) -> (Vec<Frame>, f64) {
    let Body::Track(track) = &wld.get(track).unwrap().body else {
        panic!("no track");
    };
    let Body::TrackDefinition(definition) = &wld.get(track.definition).unwrap().body else {
        panic!("no definition");
    };
    let Frames::Packed(frames) = &definition.frames else {
        panic!("floats");
    };
    let frames = frames.iter().map(|frame| {
        let [w, x, y, z] = frame.rotation.map(f64::from);
        (
            DVec3::from_array(frame.translation.map(|part| f64::from(part) / 256.0)),
            DQuat::from_xyzw(x, y, z, w).normalize(),
            f64::from(frame.scale) / 256.0,
        )
    });
    (frames.collect(), f64::from(track.sleep.unwrap_or(100)))
}

/// A stored skeleton with its name.
pub struct Expected<'w> {
    pub wld: &'w Wld<'w>,
    pub model: String,
    pub skeleton: &'w Skeleton,
    parents: Vec<Option<usize>>,
}

impl<'w> Expected<'w> {
    /// All skeletons of a file.
    pub fn all(wld: &'w Wld<'w>) -> Vec<Self> {
        let skeletons = wld.fragments.iter().filter_map(|fragment| {
            let Body::SkeletonDefinition(skeleton) = &fragment.body else {
                return None;
            };
            let mut parents = vec![None; skeleton.bones.len()];
            for (index, bone) in skeleton.bones.iter().enumerate() {
                for &child in &bone.children {
                    parents[child as usize] = Some(index);
                }
            }
            Some(Self {
                wld,
                model: fragment.name().strip_suffix("_HS_DEF").unwrap().to_owned(),
                skeleton,
                parents,
            })
        });
        skeletons.collect()
    }

    fn bone(&self, index: usize) -> &str {
        let name = self.skeleton.bones[index].name.as_str();
        name.strip_suffix("_DAG").unwrap()
    }

    /// World matrices in file axes.
    pub fn worlds(&self, frames: &[Frame]) -> Vec<DMat4> {
        let mut worlds: Vec<DMat4> = Vec::new();
        for (frame, parent) in frames.iter().zip(&self.parents) {
            let above = parent.map_or(DMat4::IDENTITY, |parent| worlds[parent]);
            worlds.push(above * matrix(frame));
        }
        worlds
    }

    pub fn rest(&self) -> Vec<Frame> {
        let bones = self.skeleton.bones.iter();
        bones
            .map(|bone| frames(self.wld, bone.track).0[0])
            .collect()
    }

    /// Tracks of a set by bone, and the sets.
    pub fn sets(&self) -> BTreeMap<String, BTreeMap<usize, FragmentRef>> {
        let mut tracks: BTreeMap<&str, FragmentRef> = BTreeMap::new();
        for (index, fragment) in self.wld.fragments.iter().enumerate() {
            if let Body::Track(_) = &fragment.body {
                let name = fragment.name().strip_suffix("_TRACK").unwrap();
                tracks
                    .entry(name)
                    .or_insert(FragmentRef::to(index).unwrap());
            }
        }
        let mut codes: Vec<&str> = tracks.keys().filter_map(|name| name.get(..3)).collect();
        codes.retain(|code| {
            let bytes = code.as_bytes();
            bytes[0].is_ascii_alphabetic() && bytes[1..].iter().all(u8::is_ascii_digit)
        });
        codes.dedup();
        let found = |code: &str, from: &str| -> BTreeMap<usize, FragmentRef> {
            let bones = (0..self.skeleton.bones.len()).filter_map(|index| {
                let bone = self.bone(index).strip_prefix(&*self.model)?;
                let track = tracks.get(&*format!("{code}{from}{bone}"))?;
                Some((index, *track))
            });
            bones.collect()
        };
        let mut sets = BTreeMap::new();
        for code in codes {
            let mut set = found(code, &self.model);
            if let Some(lender) = lender(&self.model).filter(|_| set.is_empty()) {
                set = found(code, lender);
            }
            if !set.is_empty() {
                sets.insert(code.to_owned(), set);
            }
        }
        sets
    }

    /// The pose at a time of a set: bones without a track keep their rest, short tracks their end.
    pub fn pose(&self, set: &BTreeMap<usize, FragmentRef>, time: f64) -> Vec<Frame> {
        let mut pose = self.rest();
        for (&bone, &track) in set {
            let (frames, sleep) = frames(self.wld, track);
            let place = (time * 1000.0 / sleep).min((frames.len() - 1) as f64);
            let before = (0..frames.len())
                .rev()
                .find(|&at| at as f64 <= place + 1e-9);
            let before = before.unwrap();
            let after = (before + 1).min(frames.len() - 1);
            let part = place - before as f64;
            let (one, other) = (frames[before], frames[after]);
            let turn = if one.1.dot(other.1) < 0.0 {
                -other.1
            } else {
                other.1
            };
            pose[bone] = (
                one.0.lerp(other.0, part),
                one.1.slerp(turn, part),
                one.2 + (other.2 - one.2) * part,
            );
        }
        pose
    }

    /// Frames of the longest track of a set.
    pub fn length(&self, set: &BTreeMap<usize, FragmentRef>) -> usize {
        let lengths = set.values().map(|&track| frames(self.wld, track).0.len());
        lengths.max().unwrap()
    }

    /// The meshes of the list of skins.
    pub fn skins(&self) -> Vec<(&'w str, &'w Mesh<'w>)> {
        let skins = self.skeleton.skins.iter().flatten();
        skins
            .map(|skin| {
                let Body::MeshInstance(instance) = &self.wld.get(skin.mesh).unwrap().body else {
                    panic!("no instance");
                };
                let fragment = self.wld.get(instance.definition).unwrap();
                let Body::Mesh(mesh) = &fragment.body else {
                    panic!("no mesh");
                };
                (fragment.name(), &**mesh)
            })
            .collect()
    }

    /// Bone and place in scene space of every vertex of a skin at rest.
    pub fn vertices(&self, mesh: &Mesh) -> Vec<(usize, DVec3)> {
        let worlds = self.worlds(&self.rest());
        let pieces = mesh.pieces.iter();
        let bones = pieces.flat_map(|piece| {
            std::iter::repeat_n(usize::from(piece.bone), usize::from(piece.count))
        });
        bones
            .zip(mesh.positions.iter())
            .map(|(bone, raw)| {
                let factor = f64::from(1_u32 << mesh.scale_exponent);
                let center = DVec3::from_array(mesh.center.to_array().map(f64::from));
                let local = DVec3::from_array(raw.map(|part| f64::from(part) / factor)) + center;
                (bone, scene(worlds[bone].transform_point3(local)))
            })
            .collect()
    }
}
