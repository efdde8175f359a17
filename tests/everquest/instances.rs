//! Placed things as lists of places.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common;
use crate::output::{converted, fixtures};

fn nodes(out: &Path) -> Vec<Value> {
    let file = common::files(out);
    let file = file.iter().find(|file| file.ends_with("/gfaydark.gltf"));
    let scene = common::json(&out.join(file.unwrap()));
    scene["nodes"].as_array().unwrap().clone()
}

#[test]
fn many_things_of_a_kind_are_one_node_if_asked_to() {
    let inputs = fixtures(&["gfaydark.s3d", "gfaydark_obj.s3d"]);
    let plain = "[everquest]\nvertex_light = \"none\"\n";
    let asked = format!("{plain}[scenes]\ngpu_instancing = true\n");
    converted(&inputs, plain, |before| {
        converted(&inputs, &asked, |after| {
            // Nodes and instances a mesh.
            let mut shown: [BTreeMap<u64, usize>; 2] = Default::default();
            let mut saved = 0;
            let [old, new] = [nodes(before), nodes(after)];
            for (nodes, shown) in [&old, &new].into_iter().zip(&mut shown) {
                for node in nodes.iter().filter(|node| node["mesh"].is_u64()) {
                    let instances = node["extras"]["instances"].as_array();
                    let count = instances.map_or(1, Vec::len);
                    *shown.entry(node["mesh"].as_u64().unwrap()).or_default() += count;
                    saved += count - 1;
                }
            }
            assert_eq!(shown[0], shown[1]);
            assert!(saved > 1000, "{saved}");
            assert_eq!(old.len(), new.len() + saved);
        });
    });
}
