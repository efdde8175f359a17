//! Conversion of one file in memory, and reading of the emitted glTF.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use gltf::animation::util::ReadOutputs;
use relicast::convert::ConvertOptions;
use relicast::convert::{
    ConvertError, Dependency, Disposition, OpenContext, OutputRole, OutputSpec, Sink, open,
};
use relicast::emit::gltf::GltfFiles;
use relicast::emit::{Options, encode_scene};
use relicast::formats::codec::Deviations;
use relicast::formats::kind::Kind;
use relicast::scene::Asset;

/// Result of a model.
#[derive(Default)]
pub struct Collected {
    pub main: Option<Model>,
    pub hidden: Option<Model>,
    pub notes: Vec<String>,
    pub deviations: Deviations,
    wanted: Vec<OutputSpec>,
}

/// An emitted scene.
pub struct Model {
    pub document: gltf::Document,
    pub buffer: Vec<u8>,
}

impl Sink for Collected {
    fn wants(&self, role: OutputRole) -> bool {
        self.wanted.iter().any(|wanted| wanted.role == role)
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let Asset::Scene(scene, pictures) = asset else {
            return Ok(());
        };
        let written = encode_scene(
            scene,
            pictures,
            "models/a.gltf",
            Some("models/a.bin"),
            Options::default(),
        );
        let Ok(GltfFiles::Gltf { json, bin }) = written else {
            panic!("{:?}", written.err());
        };
        let document = gltf::Gltf::from_slice(&json).unwrap().document;
        let model = Model {
            document,
            buffer: bin,
        };
        match role {
            OutputRole::Hidden => self.hidden = Some(model),
            _ => self.main = Some(model),
        }
        Ok(())
    }
}

/// Converts the models of an archive's scene: those whose member is `scene/NAME`. `others` are next to the
/// archive.
pub fn models(
    name: &str,
    bytes: &[u8],
    others: &[(&str, &[u8])],
    scene: &str,
) -> BTreeMap<String, Collected> {
    let dependency = |path, bytes| Dependency {
        path,
        kind: Kind::Pfs,
        bytes,
        digest: None,
        outputs: &[],
    };
    let dependencies: Vec<Dependency<'_>> = std::iter::once((name, bytes))
        .chain(others.iter().copied())
        .map(|(path, bytes)| dependency(path, bytes))
        .collect();
    let options = ConvertOptions::default();
    let opened =
        open(OpenContext::new(Kind::Pfs, name, bytes).with_dependencies(&dependencies)).unwrap();
    let mut all = BTreeMap::new();
    for (index, part) in opened.items(&options).iter().enumerate() {
        let prefix = format!("{scene}/");
        let member = part
            .member
            .as_deref()
            .and_then(|deref| deref.strip_prefix(&prefix));
        let Some(member) = member else { continue };
        assert_eq!(part.verdict, Disposition::Convert);
        let mut collected = Collected {
            wanted: part.wanted.clone(),
            ..Collected::default()
        };
        collected.deviations = opened.convert(index, &options, &mut collected).unwrap();
        assert!(all.insert(member.to_owned(), collected).is_none());
    }
    all
}

/// A skinned mesh node: its name, joint and place at rest of every vertex, number of triangles.
pub type Skinned = (String, Vec<(usize, DVec3)>, usize);

/// A transform at a time: translation, rotation, scale.
type Trs = (DVec3, DQuat, DVec3);

/// One animated property: key times and values of up to four numbers.
struct Keys {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Keys {
    /// The two keys around a time, and how far it is between them.
    fn around(&self, time: f64) -> (&[f64], &[f64], f64) {
        let after = self.times.iter().position(|&key| key > time);
        let after = after.unwrap_or(self.times.len());
        let before = after.saturating_sub(1);
        let after = after.min(self.times.len() - 1);
        let span = self.times[after] - self.times[before];
        let part = match span > 0.0 {
            true => ((time - self.times[before]) / span).clamp(0.0, 1.0),
            false => 0.0,
        };
        (&self.values[before], &self.values[after], part)
    }

    fn mixed(&self, time: f64) -> DVec3 {
        let (before, after, part) = self.around(time);
        DVec3::from_slice(before).lerp(DVec3::from_slice(after), part)
    }

    fn turned(&self, time: f64) -> DQuat {
        let (before, after, part) = self.around(time);
        let (before, after) = (DQuat::from_slice(before), DQuat::from_slice(after));
        assert!(before.dot(after) >= 0.0, "neighbors on other halves");
        assert!((before.length() - 1.0).abs() < 1e-5);
        before.slerp(after, part)
    }
}

fn wide<const N: usize>(rows: impl Iterator<Item = [f32; N]>) -> Vec<Vec<f64>> {
    rows.map(|row| row.map(f64::from).to_vec()).collect()
}

impl Model {
    pub fn clips(&self) -> Vec<String> {
        let names = self.document.animations();
        names.map(|clip| clip.name().unwrap().to_owned()).collect()
    }

    /// Codes of the clips, or their names where they have none.
    pub fn codes(&self) -> Vec<String> {
        self.document.animations().map(|clip| code(&clip)).collect()
    }

    /// A clip by its name or code.
    fn clip(&self, called: &str) -> gltf::Animation<'_> {
        let mut clips = self.document.animations();
        let found = clips.find(|clip| clip.name() == Some(called) || code(clip) == called);
        found.unwrap()
    }

    /// Seconds of the last key of a clip.
    pub fn duration(&self, clip: &str) -> f64 {
        let clip = self.clip(clip);
        let ends = clip.channels().map(|channel| {
            let reader = channel.reader(|_| Some(&self.buffer));
            f64::from(reader.read_inputs().unwrap().last().unwrap())
        });
        ends.fold(0.0, f64::max)
    }

    pub fn node(&self, name: &str) -> gltf::Node<'_> {
        let mut nodes = self.document.nodes();
        nodes.find(|node| node.name() == Some(name)).unwrap()
    }

    fn rest(&self) -> Vec<Trs> {
        let nodes = self.document.nodes();
        nodes
            .map(|node| {
                let (translation, rotation, scale) = node.transform().decomposed();
                (
                    DVec3::from_array(translation.map(f64::from)),
                    DQuat::from_array(rotation.map(f64::from)),
                    DVec3::from_array(scale.map(f64::from)),
                )
            })
            .collect()
    }

    /// World matrices of all nodes, at rest.
    pub fn standing(&self) -> Vec<DMat4> {
        self.worlds(&self.rest())
    }

    /// World matrices of all nodes at times of a clip.
    pub fn moving(&self, clip: &str, times: &[f64]) -> Vec<Vec<DMat4>> {
        let clip = self.clip(clip);
        let mut channels = Vec::new();
        for channel in clip.channels() {
            let reader = channel.reader(|_| Some(&self.buffer));
            let times = reader.read_inputs().unwrap().map(f64::from).collect();
            let (kind, values) = match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(rows) => (0, wide(rows)),
                ReadOutputs::Rotations(rows) => (1, wide(rows.into_f32())),
                ReadOutputs::Scales(rows) => (2, wide(rows)),
                ReadOutputs::MorphTargetWeights(_) => continue,
            };
            channels.push((
                channel.target().node().index(),
                kind,
                Keys { times, values },
            ));
        }
        let rest = self.rest();
        let at = |&time: &f64| {
            let mut pose = rest.clone();
            for (node, kind, keys) in &channels {
                let place = &mut pose[*node];
                match kind {
                    0 => place.0 = keys.mixed(time),
                    1 => place.1 = keys.turned(time),
                    _ => place.2 = keys.mixed(time),
                }
            }
            self.worlds(&pose)
        };
        times.iter().map(at).collect()
    }

    fn worlds(&self, pose: &[Trs]) -> Vec<DMat4> {
        let mut worlds = vec![DMat4::NAN; pose.len()];
        let scene = self.document.default_scene().unwrap();
        let mut pending: Vec<(usize, DMat4)> = scene
            .nodes()
            .map(|node| (node.index(), DMat4::IDENTITY))
            .collect();
        let nodes: Vec<gltf::Node<'_>> = self.document.nodes().collect();
        while let Some((node, above)) = pending.pop() {
            let (translation, rotation, scale) = pose[node];
            let own = DMat4::from_scale_rotation_translation(scale, rotation, translation);
            worlds[node] = above * own;
            pending.extend(
                nodes[node]
                    .children()
                    .map(|child| (child.index(), worlds[node])),
            );
        }
        worlds
    }

    /// The skinned mesh nodes, vertices evaluated as an engine does.
    pub fn skinned(&self) -> Vec<Skinned> {
        let worlds = self.standing();
        let mut all = Vec::new();
        for node in self.document.nodes() {
            let (Some(mesh), Some(skin)) = (node.mesh(), node.skin()) else {
                continue;
            };
            let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
            let reader = skin.reader(|_| Some(&self.buffer));
            let inverses: Vec<DMat4> = reader
                .read_inverse_bind_matrices()
                .unwrap()
                .map(|columns| {
                    DMat4::from_cols_array_2d(&columns.map(|column| column.map(f64::from)))
                })
                .collect();
            let mut vertices = Vec::new();
            let mut triangles = 0;
            for part in mesh.primitives() {
                let reader = part.reader(|_| Some(&self.buffer));
                triangles += reader.read_indices().unwrap().into_u32().count() / 3;
                let positions = reader.read_positions().unwrap();
                let bones = reader.read_joints(0).unwrap().into_u16();
                let weights = reader.read_weights(0).unwrap().into_f32();
                for ((position, bones), weights) in positions.zip(bones).zip(weights) {
                    assert_eq!(weights, [1.0, 0.0, 0.0, 0.0]);
                    let bone = usize::from(bones[0]);
                    let matrix = worlds[joints[bone]] * inverses[bone];
                    let place = DVec3::from_array(position.map(f64::from));
                    vertices.push((bone, matrix.transform_point3(place)));
                }
            }
            all.push((node.name().unwrap().to_owned(), vertices, triangles));
        }
        all
    }
}

/// Code of the animation set of a clip, or its name if it has none.
fn code(clip: &gltf::Animation<'_>) -> String {
    let extras = clip.extras().as_ref().map_or("{}", |extras| extras.get());
    let extras: serde_json::Value = serde_json::from_str(extras).unwrap();
    let code = extras["everquest"]["code"].as_str();
    code.or(clip.name()).unwrap_or_default().to_owned()
}
