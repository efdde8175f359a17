//! Skeletons made by our own writer: borrowed sets, variants, odd tracks, and contents that no file should
//! have.

use glam::DVec3;
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::{
    self, Body, Bone, Face, Fragment, FragmentRef, Frames, Instance, Material, MaterialGroup,
    MaterialPalette, Mesh, PackedFrame, RenderMethod, Skeleton, SkeletonFlags, Skin, StringTable,
    Track, TrackDefinition, TrackFlags, Version, VertexPiece, Wld,
};
use relicast_testing::test;

use crate::actors::collect::{Collected, Skinned, models};
use crate::common;

/// Half a turn about +Z, and none.
const TURN: [i16; 4] = [0, 0, 0, 16384];
const STILL: [i16; 4] = [16384, 0, 0, 0];

fn frame(rotation: [i16; 4], translation: [i16; 3], scale: i16) -> PackedFrame {
    PackedFrame {
        rotation,
        translation,
        scale,
    }
}

/// A material that is drawn.
fn solid() -> Material {
    Material {
        render_method: RenderMethod(0x8000_0001),
        ..Material::default()
    }
}

/// A scene in the making.
#[derive(Default)]
struct Sheet {
    strings: StringTable,
    list: Vec<Fragment<'static>>,
}

impl Sheet {
    fn add(&mut self, name: &str, body: Body<'static>) -> FragmentRef {
        let name = self.strings.add(name).unwrap();
        self.list.push(Fragment::new(name, body));
        FragmentRef::to(self.list.len() - 1).unwrap()
    }

    fn track(&mut self, name: &str, frames: &[PackedFrame], sleep: Option<u32>) -> FragmentRef {
        let definition = self.add(
            &format!("{name}_TRACKDEF"),
            Body::TrackDefinition(TrackDefinition {
                flags: TrackFlags::PACKED,
                frames: Frames::Packed(frames.to_vec().into()),
            }),
        );
        let flags = match sleep {
            Some(_) => TrackFlags::SLEEP,
            None => TrackFlags::empty(),
        };
        let track = Track {
            definition,
            flags,
            sleep,
        };
        self.add(&format!("{name}_TRACK"), Body::Track(track))
    }

    /// A triangle whose vertices belong to bones in turn.
    fn mesh(&mut self, name: &str, material: &str, pieces: &[(u16, u16)]) -> FragmentRef {
        let material = self.add(&format!("{material}_MDF"), Body::Material(solid()));
        let palette = self.add(
            &format!("{name}_MP"),
            Body::MaterialPalette(MaterialPalette {
                flags: 0,
                materials: vec![material],
            }),
        );
        let group = |count| MaterialGroup { count, material: 0 };
        let pieces = pieces
            .iter()
            .map(|&(count, bone)| VertexPiece { count, bone });
        self.add(
            &format!("{name}_DMSPRITEDEF"),
            Body::Mesh(Box::new(Mesh {
                palette,
                positions: vec![[0, 0, 0], [0, 1, 0], [0, 0, 1]].into(),
                normals: vec![[127, 0, 0]; 3].into(),
                faces: vec![Face {
                    vertices: [0, 2, 1],
                    ..Face::default()
                }]
                .into(),
                pieces: pieces.collect(),
                face_groups: vec![group(1)].into(),
                vertex_groups: vec![group(3)].into(),
                ..Mesh::default()
            })),
        )
    }

    fn skeleton(&mut self, model: &str, bones: Vec<Bone>, skins: &[FragmentRef]) {
        let mut made = Vec::new();
        for &definition in skins {
            let instance = Instance {
                definition,
                flags: 0,
            };
            let mesh = self.add("", Body::MeshInstance(instance));
            made.push(Skin { mesh, link: 0 });
        }
        let skeleton = Skeleton {
            flags: SkeletonFlags::SKINS,
            bones,
            skins: Some(made),
            ..Skeleton::default()
        };
        self.add(
            &format!("{model}_HS_DEF"),
            Body::SkeletonDefinition(Box::new(skeleton)),
        );
    }

    fn bone(&mut self, name: &str, children: &[u32], pose: &[PackedFrame]) -> Bone {
        let sleep = (pose.len() > 1).then_some(50);
        let track = self.track(name, pose, sleep);
        Bone {
            name: self.strings.add(&format!("{name}_DAG")).unwrap(),
            track,
            children: children.to_vec(),
            ..Bone::default()
        }
    }

    fn archive(self, scene: &str) -> Vec<u8> {
        let wld = Wld::new(Version::Old, self.strings, self.list).unwrap();
        let scene_bytes = wld::encode(&wld).unwrap();
        let packed = pfs::pack(&[(scene, &scene_bytes)], None, 1).unwrap();
        pfs::encode(&packed).unwrap()
    }
}

/// A model of two bones, the second of which holds the skin.
fn pair(sheet: &mut Sheet, model: &str) {
    let bones = vec![
        sheet.bone(model, &[1], &[frame(STILL, [0, 0, 256], 256)]),
        sheet.bone(
            &format!("{model}CH"),
            &[],
            &[frame(STILL, [256, 0, 0], 128)],
        ),
    ];
    let skin = sheet.mesh(
        &format!("{model}HE00"),
        &format!("{model}HE0001"),
        &[(1, 1), (2, 0)],
    );
    sheet.skeleton(model, bones, &[skin]);
}

fn one(mut collected: std::collections::BTreeMap<String, Collected>, name: &str) -> Collected {
    collected.remove(name).unwrap()
}

#[test]
fn sets_are_borrowed_across_archives_but_own_ones_win() {
    let mut own = Sheet::default();
    pair(&mut own, "FRG");
    own.track("L01FRGCH", &[frame(STILL, [512, 0, 0], 128)], None);
    let own = own.archive("a_chr.wld");
    let mut lent = Sheet::default();
    let steps = [frame(STILL, [0; 3], 256), frame(TURN, [0; 3], 256)];
    for name in ["L01FROCH", "C05FROCH", "C05FRO", "C05FRGCHX"] {
        lent.track(name, &steps, Some(200));
    }
    // The first of two tracks of one name counts.
    lent.track("C05FRO", &[frame(STILL, [9; 3], 256)], None);
    let lent = lent.archive("global_chr.wld");
    let beside = [("global_chr.s3d", &*lent)];
    let collected = one(models("a_chr.s3d", &own, &beside, "a_chr.wld"), "FRG");
    let model = collected.main.unwrap();
    assert_eq!(model.clips(), ["throw", "walk"]);
    let [at] = &*model.moving("walk", &[0.0]) else {
        panic!("one time");
    };
    // Own: two units forward, one unit up.
    let chest = model.node("FRGCH_DAG").index();
    assert!((at[chest].w_axis.truncate() - DVec3::new(0.0, 1.0, 2.0)).length() < 1e-6);
    // Borrowed, and not looping: no key closes it.
    assert!((model.duration("throw") - 0.2).abs() < 1e-6);
    let alone = one(models("a_chr.s3d", &own, &[], "a_chr.wld"), "FRG");
    assert_eq!(alone.main.unwrap().clips(), ["walk"]);
    assert!(alone.notes.iter().all(|note| !note.contains("FRO")));
    let mut bare = Sheet::default();
    pair(&mut bare, "FRG");
    let bare = bare.archive("a_chr.wld");
    let bare = one(models("a_chr.s3d", &bare, &[], "a_chr.wld"), "FRG");
    assert!(
        bare.notes.iter().any(|note| note.contains("FRO")),
        "{:?}",
        bare.notes
    );
}

#[test]
fn looping_sets_close_and_short_tracks_hold() {
    let mut sheet = Sheet::default();
    pair(&mut sheet, "ABC");
    let up = |height| frame(STILL, [0, 0, height], 256);
    sheet.track("P01ABC", &[up(0), up(256), up(512), up(256)], Some(100));
    sheet.track("P01ABCCH", &[up(0), up(256)], Some(100));
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "ABC");
    let model = collected.main.unwrap();
    assert!((model.duration("stand") - 0.4).abs() < 1e-6);
    let chest = model.node("ABCCH_DAG").index();
    let heights = model.moving("stand", &[0.0, 0.1, 0.2, 0.3, 0.4]);
    let heights: Vec<f64> = heights.iter().map(|at| at[chest].w_axis.y).collect();
    for (height, expected) in heights.iter().zip([0.0, 2.0, 3.0, 2.0, 0.0]) {
        assert!((height - expected).abs() < 1e-5, "{heights:?}");
    }
}

#[test]
fn objects_name_bones_as_they_like_and_may_move_at_rest() {
    let mut sheet = Sheet::default();
    let turning = [frame(STILL, [0; 3], 256), frame(TURN, [0; 3], 256)];
    let bones = vec![
        sheet.bone("BASE", &[1], &[frame(STILL, [0; 3], 256)]),
        sheet.bone("WHEEL", &[], &turning),
    ];
    sheet.skeleton("MILLWORK", bones, &[]);
    sheet.track("C01WHEEL", &turning, Some(100));
    sheet.track("C02C02_MILLWORK", &[frame(TURN, [0; 3], 256)], None);
    let bytes = sheet.archive("a_obj.wld");
    let collected = one(models("a_obj.s3d", &bytes, &[], "a_obj.wld"), "MILLWORK");
    let model = collected.main.unwrap();
    assert_eq!(model.clips(), ["POS", "kick", "pierce"]);
    // Two frames of 50 ms, and the first again.
    assert!((model.duration("POS") - 0.1).abs() < 1e-6);
    let at = &model.moving("pierce", &[0.0])[0];
    let base = at[model.node("BASE_DAG").index()];
    // Half a turn about up: forward looks back.
    assert!((base.transform_vector3(DVec3::Z) + DVec3::Z).length() < 1e-4);
}

#[test]
fn other_skins_are_variants_and_other_heads_are_hidden() {
    let mut sheet = Sheet::default();
    pair(&mut sheet, "ABC");
    for name in ["ABCHE0101", "ABCHE0301", "ABCHE0102", "XYZHE0201"] {
        sheet.add(&format!("{name}_MDF"), Body::Material(solid()));
    }
    sheet.mesh("ABCHE01", "ABCHE0001", &[(3, 1)]);
    let bytes = sheet.archive("a_chr.wld");
    let mut all = models("a_chr.s3d", &bytes, &[], "a_chr.wld");
    let collected = all.remove("ABC").unwrap();
    assert!(all.is_empty(), "{:?}", all.keys());
    let (model, hidden) = (collected.main.unwrap(), collected.hidden.unwrap());
    let looks: Vec<&str> = model
        .document
        .variants()
        .unwrap()
        .map(|variant| variant.name())
        .collect();
    assert_eq!(looks, ["skin01", "skin03"]);
    let names = |skinned: Vec<Skinned>| -> Vec<String> {
        skinned.into_iter().map(|(name, _, _)| name).collect()
    };
    assert_eq!(names(model.skinned()), ["ABCHE00_DMSPRITEDEF"]);
    assert_eq!(names(hidden.skinned()), ["ABCHE01_DMSPRITEDEF"]);
    // The second bone is half as large as the first.
    let (_, vertices, _) = &hidden.skinned()[0];
    let places: Vec<DVec3> = vertices.iter().map(|(_, place)| *place).collect();
    let expected = [[0.0, 1.0, 1.0], [0.5, 1.0, 1.0], [0.0, 1.5, 1.0]].map(DVec3::from_array);
    for place in &expected {
        assert!(
            places.iter().any(|it| (*it - *place).length() < 1e-6),
            "{places:?}"
        );
    }
}

#[test]
fn vertices_without_a_bone_go_to_the_first_and_are_reported() {
    let mut sheet = Sheet::default();
    let bones = vec![sheet.bone("ABC", &[], &[frame(STILL, [256, 0, 0], 256)])];
    let skin = sheet.mesh("ABC", "ABCCH0001", &[(1, 700), (1, 0)]);
    sheet.skeleton("ABC", bones, &[skin, skin]);
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "ABC");
    let skinned = collected.main.unwrap().skinned();
    assert_eq!(skinned.len(), 1);
    assert!(
        skinned[0]
            .1
            .iter()
            .all(|(bone, place)| *bone == 0 && place.z == 1.0)
    );
    let reported = collected.deviations.described().iter();
    let reported: Vec<String> = reported.map(ToString::to_string).collect();
    assert!(
        reported
            .iter()
            .any(|it| it.contains("pieces") && it.contains('2')),
        "{reported:?}"
    );
}

#[test]
fn loops_and_lost_bones_become_trees() {
    let mut sheet = Sheet::default();
    let pose = [frame(STILL, [0, 0, 256], 256)];
    let bones = vec![
        sheet.bone("ABC", &[1, 9], &pose),
        sheet.bone("ABCA", &[0, 1], &pose),
        sheet.bone("ABCB", &[3], &pose),
        sheet.bone("ABCC", &[2], &pose),
    ];
    let skin = sheet.mesh("ABC", "ABCCH0001", &[(1, 1), (1, 2), (1, 3)]);
    sheet.skeleton("ABC", bones, &[skin]);
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "ABC");
    let model = collected.main.unwrap();
    let heights: Vec<f64> = model.standing()[..4].iter().map(|it| it.w_axis.y).collect();
    assert_eq!(heights, [1.0, 2.0, 1.0, 2.0]);
}

#[test]
fn shared_frames_do_not_grow_without_end() {
    let mut sheet = Sheet::default();
    let many: Vec<PackedFrame> = (0..2000).map(|at| frame(STILL, [at, 0, 0], 256)).collect();
    let mut bones = Vec::new();
    for index in 0..200_u32 {
        let next = index + 1;
        let children = if next < 200 { vec![next] } else { vec![] };
        bones.push(sheet.bone(
            &format!("ABC{index}"),
            &children,
            &[frame(STILL, [0; 3], 256)],
        ));
    }
    let shared = sheet.track("C01ABC0", &many, Some(10));
    let Body::Track(track) = sheet.list[shared.index().unwrap()].body.clone() else {
        panic!("no track");
    };
    for index in 1..200 {
        sheet.add(&format!("C01ABC{index}_TRACK"), Body::Track(track.clone()));
    }
    sheet.skeleton("ABC", bones, &[]);
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "ABC");
    assert!(collected.main.unwrap().buffer.len() < 4_000_000);
    assert!(
        collected
            .notes
            .iter()
            .any(|note| note.contains("share their frames")),
        "{:?}",
        collected.notes
    );
}

#[test]
fn a_chain_of_65_536_bones_is_converted() {
    let mut sheet = Sheet::default();
    let track = sheet.track("ABC", &[frame(STILL, [1, 0, 0], 256)], None);
    let mut bones: Vec<Bone> = (1..=65_536)
        .map(|child| Bone {
            track,
            // The last one closes a loop.
            children: vec![child % 65_536],
            ..Bone::default()
        })
        .collect();
    bones[0].name = sheet.strings.add("ABC_DAG").unwrap();
    let skin = sheet.mesh("ABC", "ABCCH0001", &[(1, 65_535), (2, 0)]);
    sheet.skeleton("ABC", bones, &[skin]);
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "ABC");
    let skinned = collected.main.unwrap().skinned();
    let (bone, place) = skinned[0].1[0];
    assert_eq!(bone, 65_535);
    assert!(
        (place - DVec3::new(0.0, 0.0, 256.0)).length() < 1e-3,
        "{place}"
    );
}

#[test]
fn sets_are_in_other_archives_of_the_zone_and_on_bones_of_any_name() {
    let mut own = Sheet::default();
    let still = frame(STILL, [0; 3], 256);
    let bones = vec![
        own.bone("ABC", &[1], &[still]),
        own.bone("TAIL", &[], &[still]),
    ];
    own.skeleton("ABC", bones, &[]);
    own.track("L01TAIL", &[still, frame(TURN, [0; 3], 256)], Some(100));
    let own = own.archive("a_chr.wld");
    let mut added = Sheet::default();
    for name in ["C05ABC", "C06TAIL", "L01ABC"] {
        added.track(name, &[still], None);
    }
    let added = added.archive("a_2_chr.wld");
    let beside = |name| {
        let others = [(name, &*added)];
        let collected = one(models("a_chr.s3d", &own, &others, "a_chr.wld"), "ABC");
        collected.main.unwrap().clips()
    };
    assert_eq!(beside("a_2_chr.s3d"), ["throw", "walk"]);
    // What all zones share is for models without sets and for borrowers.
    assert_eq!(beside("global_chr.s3d"), ["walk"]);
}

#[test]
fn codes_of_two_letters_borrow_too() {
    let mut sheet = Sheet::default();
    pair(&mut sheet, "KA");
    sheet.track("P02DWMCH", &[frame(STILL, [0; 3], 256)], None);
    let bytes = sheet.archive("a_chr.wld");
    let collected = one(models("a_chr.s3d", &bytes, &[], "a_chr.wld"), "KA");
    assert_eq!(collected.main.unwrap().clips(), ["sit_down"]);
}

#[test]
fn lists_of_a_zone_lead_to_further_archives() {
    let mut own = Sheet::default();
    pair(&mut own, "FRG");
    let mut lent = Sheet::default();
    lent.track("C05FROCH", &[frame(TURN, [0; 3], 256)], None);
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(input.join(name), bytes).unwrap();
    write("swamp_chr.s3d", &own.archive("swamp_chr.wld"));
    write("lake_chr.s3d", &lent.archive("lake_chr.wld"));
    let out = folder.path().join("out");
    let clips = || -> usize {
        common::convert(&input, &out, &["-q"]).assert().success();
        let model = std::fs::read(out.join("models/swamp_chr/frg.gltf")).unwrap();
        let model = gltf::Gltf::from_slice(&model).unwrap();
        model.animations().count()
    };
    assert_eq!(clips(), 0);
    write("Swamp_chr.txt", b"2\r\nFRO,lake_chr\r\nXYZ,gone_chr\r\n");
    assert_eq!(clips(), 1);
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("no such archive was found"), "{report}");
    assert!(report.contains("XYZ,gone_chr"), "{report}");
}
