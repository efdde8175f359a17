//! Placed things as lists of places.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::path::Path;

use relicast::formats::everquest::wld::FragmentKind;
use serde_json::Value;

use crate::common;
use crate::output::{converted, fixtures};
use crate::whole::Install;

const PLAIN: &str = "[everquest]\nvertex_light = \"none\"\n";

fn asked() -> String {
    format!("{PLAIN}[scenes]\ngpu_instancing = true\n")
}

fn nodes(out: &Path, zone: &str) -> Vec<Value> {
    let ending = format!("/{zone}.gltf");
    let file = common::files(out);
    let file = file.iter().find(|file| file.ends_with(&ending));
    let scene = common::json(&out.join(file.unwrap()));
    scene["nodes"].as_array().unwrap().clone()
}

/// Both scenes show each mesh as often; the second one with fewer nodes, by at least `least`.
fn check(before: &Path, after: &Path, zone: &str, least: usize) {
    // Nodes and instances a mesh.
    let mut shown: [BTreeMap<u64, usize>; 2] = Default::default();
    let mut saved = 0;
    let [old, new] = [before, after].map(|out| nodes(out, zone));
    for (nodes, shown) in [&old, &new].into_iter().zip(&mut shown) {
        for node in nodes.iter().filter(|node| node["mesh"].is_u64()) {
            let instances = node["extras"]["instances"].as_array();
            let count = instances.map_or(1, Vec::len);
            *shown.entry(node["mesh"].as_u64().unwrap()).or_default() += count;
            saved += count - 1;
        }
    }
    assert_eq!(shown[0], shown[1]);
    assert!(saved >= least, "{saved}");
    assert_eq!(old.len(), new.len() + saved);
}

#[test]
fn many_things_of_a_kind_are_one_node_if_asked_to() {
    let inputs = fixtures(&["gfaydark.s3d", "gfaydark_obj.s3d"]);
    converted(&inputs, PLAIN, |before| {
        converted(&inputs, &asked(), |after| {
            check(before, after, "gfaydark", 1001);
        });
    });
}

#[test]
fn copies_of_made_things_are_one_node_if_asked_to() {
    const COPIES: usize = 40;
    let install = Install::new();
    install.edit("dell.s3d", "objects.wld", |scene| {
        let placed = scene.fragments.iter();
        let placed = placed.filter(|fragment| fragment.kind() == FragmentKind::Actor);
        let placed: Vec<_> = placed.cloned().collect();
        assert!(!placed.is_empty());
        for _ in 0..COPIES {
            scene.fragments.extend(placed.iter().cloned());
        }
    });
    let before = install.convert("before", PLAIN);
    let after = install.convert("after", &asked());
    check(&before, &after, "dell", COPIES);
}
