//! Builds a scene and prints its hierarchy: `cargo run --package relicast-scene --example hierarchy`.

use relicast_scene::model::{Node, Scene};

fn main() {
    let mut scene = Scene::default();
    let turret = scene.add_node(Node {
        name: "turret".to_owned(),
        ..Node::default()
    });
    let tank = scene.add_node(Node {
        name: "tank".to_owned(),
        children: vec![turret],
        ..Node::default()
    });
    scene.roots.push(tank);
    let mut waiting: Vec<_> = scene.roots.iter().map(|&root| (root, 0)).collect();
    while let Some((id, depth)) = waiting.pop() {
        let node = &scene.nodes[id.index()];
        println!("{:depth$}{}", "", node.name);
        waiting.extend(node.children.iter().map(|&child| (child, depth + 2)));
    }
}
