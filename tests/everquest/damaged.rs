//! Conversion of archives with wrong contents: nothing panics, and every result can be written as glTF.

use relicast::convert::options::{ConvertOptions, Hidden};
use relicast::convert::{self, ConvertError, Dependency, OpenContext, OutputRole, Sink};
use relicast::emit;
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::Version;
use relicast::formats::kind::Kind;
use relicast::scene::Asset;
use relicast::scene::document::Style;
use relicast_testing::test;

use crate::support::mutate;
use relicast_samples::minimal::scene;

/// Encodes everything and discards it.
#[derive(Default)]
pub struct NullSink {
    pub scenes: usize,
    pub triangles: usize,
}

impl Sink for NullSink {
    fn wants(&self, _role: OutputRole) -> bool {
        true
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        match &asset {
            Asset::Scene(scene, pictures) => {
                let options = emit::Options::default();
                let file = emit::encode_scene(scene, *pictures, "a.gltf", Some("a.bin"), options);
                file.unwrap();
                self.scenes += 1;
                let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
                self.triangles += parts.map(|part| part.indices.len() / 3).sum::<usize>();
            }
            Asset::Document(document) => {
                document.write_json(Style::Compact).unwrap();
            }
            Asset::Image(_) | Asset::Sound(_) => {}
            _ => {}
        }
        Ok(())
    }
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    pfs::encode(&pfs::pack(members, None, 6).unwrap()).unwrap()
}

/// Converts all parts of a file, and counts the scenes and their triangles.
pub fn convert_all(kind: Kind, bytes: &[u8], options: &ConvertOptions) -> Option<NullSink> {
    let outputs: Vec<Option<String>> = (0..64)
        .map(|part| Some(format!("textures/{part}.png")))
        .collect();
    let dependencies = [Dependency {
        path: "zone.s3d",
        kind,
        bytes,
        digest: None,
        outputs: &outputs,
    }];
    let context = OpenContext::new(kind, "zone.s3d", bytes);
    let opened = convert::open(context.with_dependencies(&dependencies)).ok()?;
    // A listing of the items reads less, and finds the same.
    let listed = convert::open(context.for_its_items()).unwrap();
    assert_eq!(listed.items(options), opened.items(options));
    assert_eq!(listed.deviations(), opened.deviations());
    let mut sink = NullSink::default();
    for (index, part) in opened.items(options).iter().enumerate() {
        if part.verdict != convert::Disposition::Convert {
            continue;
        }
        match opened.convert(index, options, &mut sink) {
            Ok(_) | Err(ConvertError::Format(_)) => {}
            Err(fault) => panic!("{fault}"),
        }
    }
    Some(sink)
}

/// Writes scenes with their pictures inside.
struct Inside(Vec<u8>);

impl Sink for Inside {
    fn wants(&self, _role: OutputRole) -> bool {
        true
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        if let Asset::Scene(scene, pictures) = &asset {
            let options = emit::Options::default();
            let file = emit::encode_scene(scene, *pictures, "a.glb", None, options);
            match file.unwrap() {
                emit::gltf::GltfFiles::Glb(bytes) => self.0.extend(bytes),
                emit::gltf::GltfFiles::Gltf { .. } => panic!("no buffer was named"),
            }
        }
        Ok(())
    }
}

#[test]
fn scenes_outlive_their_pictures() {
    let mut options = ConvertOptions::default();
    options.scenes.container = relicast::convert::options::SceneContainer::Glb;
    let scene = scene::scene(Version::Old);
    let members = [
        ("leaf.bmp", &b"BM"[..]),
        ("sign.bmp", b"DDS "),
        ("zone.wld", &scene),
    ];
    let bytes = archive(&members);
    let outputs: Vec<Option<String>> = (0..4)
        .map(|part| Some(format!("textures/{part}.png")))
        .collect();
    let own = Dependency {
        path: "zone.s3d",
        kind: Kind::Pfs,
        bytes: &bytes,
        digest: None,
        outputs: &outputs,
    };
    let opened =
        convert::open(OpenContext::new(Kind::Pfs, "zone.s3d", &bytes).with_dependencies(&[own]))
            .unwrap();
    let mut sink = Inside(Vec::new());
    for index in 0..opened.items(&options).len() {
        opened.convert(index, &options, &mut sink).ok();
    }
    assert!(sink.0.starts_with(b"glTF"));
}

#[test]
fn members_that_are_elsewhere_are_reported_at_their_row() {
    let mut bytes = archive(&[("a.txt", b"first"), ("b.txt", b"second")]);
    let index = u32::from_le_bytes(bytes[0..4].try_into().unwrap()) as usize;
    let mut rows = (0..3).map(|row| index + 4 + row * 12);
    let directory = 0x6158_0AC9_u32.to_le_bytes();
    let row = rows.find(|&row| bytes[row..row + 4] != directory);
    let row = row.unwrap();
    bytes[row + 4..row + 8].copy_from_slice(&0x0800_000C_u32.to_le_bytes());
    let decoded = pfs::decode(&bytes).unwrap();
    let faults: Vec<_> = decoded
        .value
        .entries
        .iter()
        .filter_map(|entry| entry.fault.as_ref())
        .collect();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].offset(), row as u64);
    assert!(decoded.deviations.total() > 0);
}

#[test]
fn corrupt_scenes_become_sound_files_or_none() {
    let mut options = ConvertOptions::default();
    options.everquest.volumes = true;
    for version in [Version::Old, Version::New] {
        let bytes = scene::scene(version);
        let whole = convert_all(Kind::Wld, &bytes, &options).unwrap();
        assert!(whole.scenes > 0 && whole.triangles > 0);
        mutate(&bytes, 12, |bytes| {
            convert_all(Kind::Wld, bytes, &options);
        });
    }
}

#[test]
fn zones_in_archives_keep_what_can_be_kept() {
    let mut options = ConvertOptions::default();
    options.scenes.hidden = Hidden::Keep;
    let scene = scene::scene(Version::Old);
    let torn = &scene[..scene.len() / 2];
    let bytes = archive(&[
        ("zone.wld", &scene),
        ("torn.wld", torn),
        ("leaf.bmp", b"BM, and no more"),
    ]);
    let parts = convert::open(OpenContext::new(Kind::Pfs, "zone.s3d", &bytes)).unwrap();
    let parts = parts.items(&options);
    let failed = parts
        .iter()
        .filter(|part| matches!(part.verdict, convert::Disposition::Fail(_)));
    assert_eq!(failed.count(), 1);
    let whole = convert_all(Kind::Pfs, &bytes, &options).unwrap();
    assert!(whole.scenes > 0 && whole.triangles > 0);
    mutate(&bytes, 31, |bytes| {
        convert_all(Kind::Pfs, bytes, &options);
    });
}

#[test]
fn blocks_that_promise_too_much_fail_alone() {
    let mut bytes = archive(&[
        ("a.bmp", &[0; 9000]),
        ("b.wld", &scene::scene(Version::Old)),
    ]);
    let row = pfs::decode(&bytes).unwrap().value.entries;
    let row = row
        .iter()
        .find(|it| it.name.as_deref() == Some("a.bmp"))
        .unwrap();
    let place = row.row.offset as usize + 4;
    bytes[place..place + 4].copy_from_slice(&0x1000_0000_u32.to_le_bytes());
    let whole = convert_all(Kind::Pfs, &bytes, &ConvertOptions::default()).unwrap();
    assert!(whole.scenes > 0);
}
