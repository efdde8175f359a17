//! Scenes of a world in which several missions begin, their contents, and damaged files.

use std::fs;

use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::CallAnimation;
use relicast::formats::zipper::anim::event::object::ObjectAddChild;
use relicast::formats::zipper::anim::{Activation, EventBody, ShortNodeIndex};
use relicast_testing::test;
use serde_json::{Value, json};

use super::{
    HOUSE, NEAR, STAR, container, place_of, places, puts, readers, resetting, scene_nodes, scripts,
    shows, standing, starting, world,
};
use crate::common;
use crate::worlds::chassis::{pack, reader};
use crate::worlds::engine::run;

#[test]
fn missions_with_equal_starts_are_one_scene() {
    let version = ZipperGame::CrimsonSkies;
    let shared = container(
        version,
        vec![resetting("one", true, vec![puts(STAR, [1.0; 3])])],
    );
    let own = container(
        version,
        vec![resetting("two", true, vec![puts(STAR, [2.0; 3])])],
    );
    let files = [
        ("ZBD/C1/gamez.zbd", world(version)),
        ("ZBD/C1/cam_anim.zbd", shared),
        ("ZBD/C1/zrdr.zbd", readers("")),
        ("ZBD/C1/M01/zrdr.zbd", readers("")),
        ("ZBD/C1/M02/zrdr.zbd", readers("")),
        ("ZBD/C1/M03/zrdr.zbd", readers("")),
        ("ZBD/C1/M03/mis_anim.zbd", own),
    ];
    let (run, said) = run(&files, "");
    let document = run.json("worlds/zbd/c1/gamez.gltf");
    let names = document["scenes"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|scene| scene["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gamez", "gamez m01, m02", "gamez m03"], "{said}");
    assert_eq!(place_of(&document, version, "star"), json!([1.0, 1.0, 1.0]));
    let star = standing(&document, 2, version, "star");
    assert_eq!(star["translation"], json!([2.0, 2.0, 2.0]));
    let binary = fs::metadata(run.out().join("worlds/zbd/c1/gamez.bin")).unwrap();
    let stored = {
        let (alone, _) = crate::worlds::engine::run(&files[..1], "");
        fs::metadata(alone.out().join("worlds/zbd/c1/gamez.bin")).unwrap()
    };
    assert_eq!(binary.len(), stored.len(), "geometry is not repeated");
}

#[test]
fn mission_scenes_are_filled_as_they_begin() {
    let version = ZipperGame::Recoil;
    let list = "((crate_00 (1 (1. 2. 3.) 0.)))";
    let files = [
        ("zbd/m1/gamez.zbd", world(version)),
        (
            "zbd/m1/anim.zbd",
            container(
                version,
                vec![resetting("one", true, vec![puts(STAR, [1.0; 3])])],
            ),
        ),
        ("zbd/m1/zrdr.zbd", pack(&[("aiv.zrd", reader(list))])),
    ];
    for (state, place) in [
        ("stored", Value::Null),
        ("both", json!([1.0, 1.0, 1.0])),
        ("mission_start", json!([1.0, 1.0, 1.0])),
    ] {
        let settings = format!("[worlds]\nplacements = true\nstate = \"{state}\"\n");
        let (run, said) = run(&files, &settings);
        let document = run.json("worlds/zbd/m1/gamez.m1.gltf");
        let star = standing(&document, 0, version, "star");
        assert_eq!(star["translation"], place, "{state}: {said}");
        let nodes = scene_nodes(&document, 0);
        assert!(nodes.iter().any(|node| node["name"] == "place_crate_00"));
        assert_eq!(document["scenes"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn damaged_and_hostile_scripts_and_animations_leave_the_world_as_it_is() {
    let version = ZipperGame::Recoil;
    let circle = "source m1_zbd.gs\nset A %A%%A%xxxxxxxxxxxxxxxx\nsource m1_zbd.gs";
    let many = "FindNode %A%\n".repeat(3000);
    let odd = "FindNode world1\nWorldSetFogRange nan 1e99\nFindNode star\n\
               Object3DTranslate 1e39 -1e39 x\nObject3DScale 0 0 0\nObject3DSetPriority 99999999999";
    let text = format!("{circle}\n{many}{odd}");
    let mut broken = scripts(&[("data\\m1\\m1_zbd.gs", &text)]);
    let whole = broken.clone();
    broken.truncate(whole.len() / 2);
    let wild = vec![
        resetting(
            "wild",
            true,
            vec![
                shows(30_000, true),
                shows(-7, false),
                puts(STAR, [f32::NAN; 3]),
            ],
        ),
        starting(
            "round",
            Activation::OnStartup,
            vec![
                EventBody::CallAnimation(Box::new(CallAnimation {
                    name: PaddedText::new("round").unwrap(),
                    ..CallAnimation::default()
                })),
                EventBody::ObjectAddChild(ObjectAddChild {
                    parent: ShortNodeIndex(HOUSE),
                    child: ShortNodeIndex(HOUSE),
                }),
                EventBody::ObjectAddChild(ObjectAddChild {
                    parent: ShortNodeIndex(NEAR),
                    child: ShortNodeIndex(HOUSE),
                }),
            ],
        ),
    ];
    for bytes in [whole, broken] {
        let files = [
            ("zbd/m1/gamez.zbd", world(version)),
            ("zbd/m1/zrdr.zbd", readers("round")),
            ("zbd/m1/anim.zbd", container(version, wild.clone())),
            ("other/interp.zbd", bytes.clone()),
        ];
        let mut near = files.to_vec();
        near[3].0 = "zbd/interp.zbd";
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &near {
            let path = folder.path().join("in").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let out = folder.path().join("out");
        // A script that is cut off fails by itself, and the world is there.
        let _ = common::convert(&folder.path().join("in"), &out, &["-q"]).output();
        let document = common::json(&out.join("worlds/zbd/m1/gamez.gltf"));
        assert_eq!(document["scenes"].as_array().unwrap().len(), 2);
        let house = standing(&document, 1, version, "house");
        assert!(house["extras"]["zipper"]["hidden"].is_null());
    }
}

#[test]
fn turrets_are_reset_each_by_itself() {
    let version = ZipperGame::Recoil;
    let ai = "(DESTROY_ANIM usual TURRET (house PARTS (barrel house_near)) \
               TURRET (star PARTS (barrel x) DESTROY_ANIM special))";
    let places = places(version);
    // Both are bound to another node by their names.
    let mut usual = resetting("usual", false, vec![puts(-100, [1.0, 0.0, 0.0])]);
    let mut special = resetting("special", false, vec![puts(-100, [2.0, 0.0, 0.0])]);
    for definition in [&mut usual, &mut special] {
        definition.head.name = PaddedText::new("sunlight").unwrap();
    }
    let files = [
        (places.world, world(version)),
        (places.container, container(version, vec![usual, special])),
        (places.readers, pack(&[("ai.zrd", reader(ai))])),
    ];
    let (run, said) = run(&files, "");
    let document = run.json(places.scene);
    assert_eq!(
        place_of(&document, version, "house"),
        json!([1.0, 0.0, 0.0]),
        "{said}"
    );
    assert_eq!(place_of(&document, version, "star"), json!([2.0, 0.0, 0.0]));
    let near = standing(&document, 1, version, "house_near");
    assert_eq!(
        near["extras"]["zipper"]["hidden"], true,
        "a fire point is off"
    );
}
