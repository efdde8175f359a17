//! Mechlibs against the reference decoder's JSON.

use relicast::formats::zipper::{archive, mechlib};
use relicast_testing::test;

use crate::gamez::classic::check_model;
use crate::gamez::fixtures::{MECHLIBS, expected, fixture, int, list, same_vec3, text};
use crate::gamez::nodes::check_node;

#[test]
fn mechlibs_round_trip_and_hold_what_the_reference_decoder_finds() {
    for path in MECHLIBS {
        let bytes = fixture(path);
        let archive = archive::decode(&bytes).unwrap().value;
        assert!(mechlib::is_mechlib(&archive));
        let member = |name: &str| {
            let mut entries = archive.entries.iter();
            &*entries.find(|entry| entry.name() == name).unwrap().data
        };
        let format = mechlib::decode_format(member("format")).unwrap().value;
        assert_eq!(mechlib::encode_format(&format).unwrap(), member("format"));
        let version = mechlib::decode_version(member("version")).unwrap().value;
        assert_eq!(mechlib::version_of(&archive).unwrap(), version);
        assert_eq!(mechlib::encode_version(version).unwrap(), member("version"));

        let bytes = member("materials");
        let materials = mechlib::decode_materials(bytes, version).unwrap();
        assert_eq!(materials.deviations.described(), []);
        let materials = materials.value;
        assert_eq!(
            mechlib::encode_materials(&materials, version).unwrap(),
            bytes
        );
        let wanted = expected(path, "materials.json");
        let wanted = wanted.as_array().unwrap();
        assert_eq!(materials.len(), wanted.len());
        for (found, wanted) in materials.iter().zip(wanted) {
            if let Some(wanted) = wanted.get("Textured") {
                let name = found.texture.as_ref().unwrap().text();
                assert_eq!(name, text(wanted, "texture_name"));
                assert_eq!(i64::from(found.record.texture_index), int(wanted, "ptr"));
            } else {
                let wanted = &wanted["Colored"];
                assert_eq!(found.texture, None);
                same_vec3(found.record.color, &wanted["color"], "color");
                assert_eq!(i64::from(found.record.alpha), int(wanted, "alpha"));
            }
        }

        let mut trees = 0;
        for entry in &archive.entries {
            let name = entry.name();
            if !name.ends_with(".flt") {
                continue;
            }
            trees += 1;
            let decoded = mechlib::decode_model(&entry.data, version).unwrap();
            assert_eq!(decoded.deviations.described(), [], "{path} {name}");
            let tree = decoded.value;
            assert!(
                mechlib::encode_model(&tree, version).unwrap() == *entry.data,
                "{path} {name}"
            );
            let wanted = expected(path, &format!("{name}.json"));
            let nodes = list(&wanted, "nodes");
            assert_eq!(tree.nodes.len(), nodes.len());
            let mut models = 0;
            for (index, (found, wanted)) in tree.nodes.iter().zip(nodes).enumerate() {
                let what = format!("{path} {name} node {index}");
                check_node(&found.node, wanted, version, &what);
                let model = if found.model.is_some() { models } else { -1 };
                assert_eq!(model, int(wanted, "model_index"), "{what}");
                models += i64::from(found.model.is_some());
            }
            let found = tree.nodes.iter().filter_map(|node| node.model.as_deref());
            let models = list(&wanted, "models");
            assert_eq!(found.clone().count(), models.len());
            for (index, (found, wanted)) in found.zip(models).enumerate() {
                check_model(
                    found,
                    wanted,
                    version,
                    &format!("{path} {name} model {index}"),
                );
            }
        }
        assert!(trees >= 2);
    }
}
