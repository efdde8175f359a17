//! Links of a container's index to other outputs: nodes of scenes, sounds, other definitions.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::{common, document, flat, index, list, with_game};

const CONTAINERS: [(&str, &str); 5] = [
    ("rc", "zbd/m1/anim"),
    ("mw", "zbd/c1/anim"),
    ("pm", "zbd/c1/anim"),
    ("cs", "zbd/c1/cam_anim"),
    ("cs", "zbd/c1/m01/mis_anim"),
];

/// Everything in an index that stands for a node.
fn targets(index: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for entry in list(&index["definitions"]) {
        found.push(entry["root_node"].clone());
        found.extend(list(&entry["nodes"]).iter().cloned());
        found.extend(list(&entry["lights"]).iter().cloned());
    }
    found
}

#[test]
fn links_to_nodes_lead_to_nodes() {
    for (game, container) in CONTAINERS {
        with_game(game, |_, out| {
            let mut scenes: BTreeMap<String, Value> = BTreeMap::new();
            let mut followed = 0;
            for target in targets(&index(out, container)) {
                let own_or_missing = target["own"] == true || target["missing"] == true;
                assert_ne!(own_or_missing, target["index"].is_u64(), "{target}");
                for place in list(&target["scenes"]) {
                    let path = place["file"].as_str().unwrap();
                    let scene = scenes.entry(path.to_owned());
                    let scene = scene.or_insert_with(|| common::json(&out.join(path)));
                    let mut nodes = list(&scene["nodes"]).iter();
                    let node = nodes.find(|node| node["name"] == place["node"]);
                    let node = node.unwrap_or_else(|| panic!("{place} is not there"));
                    assert_eq!(
                        node["extras"]["zipper"]["index"], target["index"],
                        "{target}"
                    );
                    followed += 1;
                }
                assert_eq!(
                    target["index"].is_u64(),
                    !list(&target["scenes"]).is_empty()
                );
            }
            assert!(followed > 5, "{game}: {followed}");
        });
    }
}

/// Which animations the events of the documents name.
fn calls(out: &Path, index: &Value) -> BTreeMap<u64, BTreeSet<String>> {
    let mut calls = BTreeMap::new();
    for entry in list(&index["definitions"]) {
        let document = document(out, entry);
        let mut named = BTreeSet::new();
        let blocks = [&document["reset"], &document["damage"]];
        for block in blocks.into_iter().chain(list(&document["sequences"])) {
            for event in flat(&block["events"]) {
                if let Some(name) = event["animation"].as_str() {
                    named.insert(name.to_owned());
                }
            }
        }
        calls.insert(entry["number"].as_u64().unwrap(), named);
    }
    calls
}

#[test]
fn the_call_graph_is_that_of_the_events() {
    for (game, container) in CONTAINERS {
        with_game(game, |_, out| {
            let index = index(out, container);
            let by_events = calls(out, &index);
            let entries = list(&index["definitions"]);
            for entry in entries {
                let number = entry["number"].as_u64().unwrap();
                let given = list(&entry["calls"]).iter();
                let given = given.map(|call| call["animation"].as_str().unwrap().to_owned());
                assert_eq!(given.collect::<BTreeSet<_>>(), by_events[&number]);
                let name = entry["animation"].as_str().unwrap();
                let animation = &index["animations"][name];
                let numbers = list(&animation["numbers"]).iter();
                assert!(numbers.clone().any(|it| it.as_u64() == Some(number)));
                let named = entries.iter().filter(|entry| entry["animation"] == name);
                assert!(numbers.eq(named.map(|entry| &entry["number"])));
                let callers: BTreeSet<u64> = list(&animation["called_by"])
                    .iter()
                    .filter_map(|caller| caller["number"].as_u64())
                    .collect();
                let expected = by_events.iter().filter(|(_, named)| named.contains(name));
                assert_eq!(callers, expected.map(|(number, _)| *number).collect());
            }
        });
    }
}

#[test]
fn events_start_when_those_before_have_ended() {
    for (game, container) in CONTAINERS {
        with_game(game, |_, out| {
            let mut timed = 0;
            for entry in list(&index(out, container)["definitions"]) {
                for sequence in list(&document(out, entry)["sequences"]) {
                    let blocks = list(&sequence["events"]);
                    if blocks.iter().any(|block| block.get("then").is_some()) {
                        continue;
                    }
                    let mut end = Some(0.0);
                    for event in flat(&sequence["events"]) {
                        let Some(start) = event["starts"].as_f64() else {
                            end = None;
                            continue;
                        };
                        let end_before = end.expect("a start after an unknown end");
                        let time = event["at"]["time"].as_f64().unwrap_or_default();
                        let expected = match event["at"]["clock"].as_str() {
                            None => end_before,
                            Some("event") => end_before + time,
                            Some(_) => time.max(end_before),
                        };
                        assert!((start - expected).abs() < 1e-4, "{event}");
                        end = Some(start + event["lasts"].as_f64().unwrap_or_default());
                        timed += 1;
                    }
                }
            }
            assert!(timed > 3, "{game}: {timed}");
        });
    }
}
