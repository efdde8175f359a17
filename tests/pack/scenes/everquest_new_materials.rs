//! Materials that an edit adds to scenes of EverQuest.

use std::fs;

use relicast::asset::Game;
use relicast::formats::everquest::eqg::mesh;
use relicast::formats::everquest::wld::{self, Body, Fragment, FragmentRef, Name, Wld};
use relicast::pack::Packed;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::{members, packed_and_original, sample};
use crate::scenes::everquest_topology::scene_with;
use crate::scenes::new_materials::{give, png};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// The references of a fragment.
fn references(fragment: &Fragment<'_>) -> Vec<(&'static str, FragmentRef)> {
    let mut all = Vec::new();
    let add = &mut |field, reference, _: &[wld::FragmentKind]| all.push((field, reference));
    fragment.body.references(add);
    all
}

/// The report of `pack` about the edit of an output.
fn rounding_of(packed: &Packed, path: &str) -> String {
    let own = packed.edits.iter().find(|edit| edit.output == path);
    own.unwrap().rounding.clone().unwrap_or_default()
}

/// Stores a picture beside a scene.
fn put(place: &Place, path: &str, name: &str, color: [u8; 4]) {
    let folder = place.out(path).parent().unwrap().to_owned();
    fs::write(folder.join(name), png(color)).unwrap();
}

/// The material of a scene by its name, and the path of its picture.
fn stored(scene: &Scene, name: &str) -> Option<(Value, String)> {
    let materials = scene.json["materials"].as_array()?;
    let material = materials.iter().find(|it| it["name"] == name)?.clone();
    let index = |value: &Value| value.as_u64().map(|it| it as usize);
    let texture = index(&material["pbrMetallicRoughness"]["baseColorTexture"]["index"])?;
    let image = index(&scene.json["textures"][texture]["source"])?;
    let uri = scene.json["images"][image]["uri"].as_str()?.to_owned();
    Some((material, uri))
}

#[test]
fn references_stay_at_their_fragments_when_others_are_inserted() {
    let mut seen = std::collections::BTreeSet::new();
    for file in relicast_samples::files(Game::Eq, 1).unwrap() {
        if !file.path.ends_with(".s3d") {
            continue;
        }
        for (name, bytes) in members(&file.bytes) {
            if !name.ends_with(".wld") {
                continue;
            }
            let before = wld::decode(&bytes).unwrap().value;
            for at in [0, before.fragments.len() / 2, before.fragments.len()] {
                let mut after: Wld<'_> = before.clone();
                let new = Fragment::new(Name::default(), Body::default());
                after.insert(at, vec![new; 3]).unwrap();
                after.fragments.drain(at..at + 3);
                for (old, new) in before.fragments.iter().zip(&after.fragments) {
                    let moved = |reference: FragmentRef| match reference.index() {
                        Some(target) if target >= at => FragmentRef(reference.0 + 3),
                        _ => reference,
                    };
                    let wanted = references(old).into_iter();
                    let wanted: Vec<_> = wanted.map(|(field, it)| (field, moved(it))).collect();
                    assert_eq!(references(new), wanted, "{name} {}", old.name());
                    seen.extend(wanted.into_iter().map(|(field, _)| (old.kind(), field)));
                }
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

#[test]
fn a_new_material_of_an_object_takes_its_picture_along() {
    for (mode, surface, is_two_sided) in [
        (json!(null), "diffuse", true),
        (json!("MASK"), "masked", false),
        (json!("BLEND"), "masked", false),
    ] {
        let place = sample();
        let (path, mut scene, mesh) = scene_with(&place, "dell_obj.s3d", "SIGN_DMSPRITEDEF");
        put(&place, &path, "fresh.png", [200, 96, 32, 255]);
        let mut material = json!({"name": "rusty iron", "doubleSided": is_two_sided});
        if !mode.is_null() {
            material["alphaMode"] = mode.clone();
        }
        give(&mut scene, mesh, &material, &json!({"uri": "fresh.png"}));
        scene.save();
        let packed = place.pack();
        let files: Vec<_> = packed.files.iter().map(|(file, _)| &**file).collect();
        assert_eq!(files, ["dell_obj.s3d"]);
        let said = rounding_of(&packed, &path);
        assert_eq!(said.contains("does not blend"), mode == "BLEND", "{said}");

        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let (shown, uri) = stored(&after, "RUSTY_IRON_MDF").unwrap();
        assert!(uri.ends_with("fresh.png"), "{uri}");
        assert_eq!(shown["extras"]["everquest"]["surface"], surface);
        assert_eq!(shown["doubleSided"] == true, is_two_sided);

        let [packed, original] = packed_and_original(&place, "dell_obj.s3d");
        only_references_moved(&original["dell_obj.wld"], &packed["dell_obj.wld"]);
        // Packing the same again changes nothing, and without the edit the archive is the original.
        assert_eq!(place.pack().files.len(), 1);
        let [again, _] = packed_and_original(&place, "dell_obj.s3d");
        assert_eq!(again, packed);
    }
}

/// Checks that a packed file has four fragments more, which come before a list that shows them, that one mesh and one
/// list changed, and that all others are the same except for references, which name the same fragments.
fn only_references_moved(original: &[u8], packed: &[u8]) {
    let decoded = wld::decode(packed).unwrap();
    assert!(decoded.deviations.is_spotless(), "{:?}", decoded.deviations);
    let [before, after] = [original, packed].map(|bytes| wld::decode(bytes).unwrap().value);
    let count = after.fragments.len() - before.fragments.len();
    assert_eq!(count, 4);
    let pairs = before.fragments.iter().zip(&after.fragments);
    let at = pairs.take_while(|(a, b)| a == b).count();
    assert!(matches!(
        before.fragments[at].body,
        Body::MaterialPalette(_)
    ));
    let mut changed = Vec::new();
    for (number, old) in before.fragments.iter().enumerate() {
        let new = &after.fragments[number + if number >= at { count } else { 0 }];
        assert_eq!((old.name(), old.kind()), (new.name(), new.kind()));
        let [one, other] = [(old, &before), (new, &after)].map(|(fragment, file)| {
            let all = references(fragment).into_iter();
            all.map(|(_, it)| file.get(it).map(|it| (it.kind(), it.name().to_owned())))
                .collect::<Vec<_>>()
        });
        match &old.body {
            Body::MaterialPalette(_) if one != other => {
                assert_eq!(one[..], other[..one.len()]);
                changed.push("list");
            }
            Body::Mesh(mesh) => {
                assert_eq!(one, other);
                let Body::Mesh(own) = &new.body else { panic!() };
                if own.face_groups != mesh.face_groups {
                    changed.push("mesh");
                }
            }
            _ => assert_eq!(one, other, "{}", old.name()),
        }
        for (_, reference) in references(new) {
            let target = reference.index();
            assert!(target.is_none_or(|it| it < number + count), "backwards");
        }
    }
    assert_eq!(changed, ["list", "mesh"]);
}

#[test]
fn a_new_material_of_a_model_in_eqg_format_takes_its_picture_along() {
    for (mode, shader) in [
        (json!("OPAQUE"), "Opaque_MaxC1.fx"),
        (json!("BLEND"), "Alpha_MaxC1.fx"),
    ] {
        let place = everquest_eqg::sample();
        let outputs = place.manifest().outputs.into_iter();
        let mut models = outputs.filter(|it| {
            it.path.starts_with("models/")
                && it.path.ends_with(".gltf")
                && it
                    .member
                    .as_deref()
                    .is_some_and(|member| member.ends_with(".mod"))
        });
        let output = models.next().unwrap();
        let path = output.path;
        let mut scene = Scene::open(&place.out(&path));
        put(&place, &path, "fresh.png", [200, 96, 32, 255]);
        let material = json!({"name": "rusty iron", "doubleSided": true, "alphaMode": mode});
        give(&mut scene, 0, &material, &json!({"uri": "fresh.png"}));
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1);
        let said = rounding_of(&packed, &path);
        assert!(
            said.contains("both sides of its faces are stored"),
            "{said}"
        );
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let (shown, uri) = stored(&after, "rusty iron").unwrap();
        assert!(uri.ends_with("fresh.png"), "{uri}");
        assert_eq!(shown["extras"]["everquest"]["shader"], shader);

        let [packed, original] = packed_and_original(&place, &output.source);
        let member = output.member.unwrap();
        let [before, after] =
            [&original[&member], &packed[&member]].map(|bytes| mesh::decode(bytes).unwrap().value);
        assert_eq!(
            before.materials[..],
            after.materials[..before.materials.len()]
        );
        // The faces have a back, with normals of its own.
        assert_eq!(before.vertices, after.vertices[..before.vertices.len()]);
        assert!(after.triangles.len() > before.triangles.len());
        let others = original
            .keys()
            .filter(|name| packed[*name] != original[*name]);
        assert_eq!(others.collect::<Vec<_>>(), [&member]);
    }
}

#[test]
fn a_new_material_may_be_a_copy_of_another_one() {
    let object = |place: &Place| scene_with(place, "dell_obj.s3d", "SIGN_DMSPRITEDEF");
    let model = |place: &Place| {
        let path = "models/mill/wheel.gltf".to_owned();
        let scene = Scene::open(&place.out(&path));
        (path, scene, 0)
    };
    type Open<'o> = &'o dyn Fn(&Place) -> (String, Scene, usize);
    let places: [(Place, Open<'_>, &str); 2] = [
        (sample(), &object, "BRASS_MDF"),
        (everquest_eqg::sample(), &model, "brass"),
    ];
    for (place, open, name) in places {
        let (path, mut scene, mesh) = open(&place);
        let number = scene.json["meshes"][mesh]["primitives"][0]["material"].as_u64();
        let mut copy = scene.json["materials"][number.unwrap() as usize].clone();
        let old = copy["name"].as_str().unwrap().to_owned();
        let (_, picture) = stored(&scene, &old).unwrap();
        copy["name"] = json!("brass");
        let materials = scene.json["materials"].as_array_mut().unwrap();
        materials.push(copy.clone());
        let last = materials.len() - 1;
        scene.json["meshes"][mesh]["primitives"][0]["material"] = last.into();
        scene.save();
        assert_eq!(place.pack().files.len(), 1);
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let (shown, uri) = stored(&after, name).unwrap();
        assert_eq!(uri, picture);
        assert_eq!(shown["extras"], copy["extras"]);
    }
}
