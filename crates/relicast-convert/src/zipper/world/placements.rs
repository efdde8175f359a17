//! Worlds as missions fill them: what is placed becomes a copy of its template, or an empty node.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::zipper::scene::extras::zipper;
use relicast_scene::model::{Node, NodeId, Placement, Scene, Transform};
use relicast_scene::{self as scene, Pictures};

use super::missions::Mission;
use super::records::MissionPlacement;

/// What became of the things of a mission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlacementReport {
    /// Things that are copies of a template.
    pub placed: usize,
    /// Things that never have a template.
    pub empties: usize,
    /// Names that no template has, and how many things wanted each.
    pub unresolved: BTreeMap<String, usize>,
    /// Names that several templates have.
    pub ambiguous: BTreeMap<String, usize>,
}

/// What stands for a name.
pub(super) enum Template {
    /// A scene, and the file that it is from.
    Scene(Box<Scene>, String),
    /// The same, by a rule that may not be the game's.
    Assumed(Box<Scene>, String),
    /// Several could.
    Ambiguous,
    /// Nothing does.
    None,
}

/// A template that is in the scene.
struct Prototype {
    roots: Vec<NodeId>,
    source: String,
    is_certain: bool,
    /// The first thing takes the prototype, later ones copies.
    taken: bool,
}

/// Puts the things of a mission into the scene of a world, below the first root. `find` makes the scene
/// of a template; it is asked once for each name.
pub(super) fn place_mission(
    scene: &mut Scene,
    mission: &Mission,
    mut find: impl FnMut(&MissionPlacement, &str) -> Template,
) -> PlacementReport {
    let mut counts = PlacementReport::default();
    let mut known: BTreeMap<String, Option<Prototype>> = BTreeMap::new();
    let mut ambiguous: BTreeMap<String, bool> = BTreeMap::new();
    let above = scene.roots.first().copied();
    let mut groups = Vec::new();
    for net in &mission.nets {
        let mut facts = net.settings.clone();
        facts.insert("links".to_owned(), Value::from(net.links.len()));
        if !net.edges.is_empty() {
            facts.insert("edges".to_owned(), Value::from(net.edges.clone()));
        }
        let mesh = net.mesh().map(|mesh| scene.add_mesh(mesh));
        let facts = Map::from_iter([("net".to_owned(), Value::Object(facts))]);
        let group = scene.add_node(Node {
            name: net.label.clone(),
            mesh,
            extras: zipper(facts),
            ..Node::default()
        });
        match above {
            Some(above) => scene.add_child(above, group),
            None => scene.roots.push(group),
        }
        groups.extend(net.nodes.iter().map(|node| (Some(group), node)));
    }
    let things = mission.things.iter().map(|thing| (None, thing));
    for (group, thing) in things.chain(groups) {
        let mut extras = Map::new();
        extras.insert("kind".to_owned(), Value::from(thing.kind.label()));
        extras.insert("name".to_owned(), Value::from(thing.name.as_str()));
        extras.extend(thing.facts.clone());
        let mut children = Vec::new();
        if let Some(name) = &thing.template {
            let prototype = known.entry(name.clone()).or_insert_with(|| {
                let (template, source, is_certain) = match find(thing, name) {
                    Template::Scene(template, source) => (template, source, true),
                    Template::Assumed(template, source) => (template, source, false),
                    other => {
                        let several = matches!(other, Template::Ambiguous);
                        ambiguous.insert(name.clone(), several);
                        return None;
                    }
                };
                Some(Prototype {
                    roots: absorb(scene, *template),
                    source,
                    is_certain,
                    taken: false,
                })
            });
            extras.insert("template".to_owned(), Value::from(name.as_str()));
            match prototype {
                Some(prototype) => {
                    extras.insert("source".to_owned(), Value::from(prototype.source.as_str()));
                    if !prototype.is_certain {
                        extras.insert("certain".to_owned(), Value::from(false));
                    }
                    children = if std::mem::replace(&mut prototype.taken, true) {
                        let roots = prototype.roots.iter();
                        roots.map(|&root| scene.copy_tree(root)).collect()
                    } else {
                        prototype.roots.clone()
                    };
                    counts.placed += 1;
                }
                None => {
                    let list = match ambiguous.get(name) {
                        Some(true) => &mut counts.ambiguous,
                        _ => &mut counts.unresolved,
                    };
                    *list.entry(name.clone()).or_default() += 1;
                    extras.insert("unresolved".to_owned(), Value::from(true));
                }
            }
        } else {
            counts.empties += 1;
        }
        let node = scene.add_node(Node {
            name: format!("place_{}", thing.name),
            transform: transform(thing),
            children,
            extras: zipper(Map::from_iter([(
                "placement".to_owned(),
                Value::Object(extras),
            )])),
            ..Node::default()
        });
        match group.or(above) {
            Some(above) => scene.add_child(above, node),
            None => scene.roots.push(node),
        }
    }
    counts
}

/// Where a thing stands.
fn transform(thing: &MissionPlacement) -> Transform {
    let matrix = DMat4::from_scale_rotation_translation(DVec3::ONE, thing.rotation, thing.place);
    let placement = Placement::from_matrix(&matrix);
    placement.map_or(Transform::IDENTITY, |placement| placement.outer())
}

/// Takes a template into the scene. Its roots lose the place and the turn that they wait at.
fn absorb(scene: &mut Scene, template: Scene) -> Vec<NodeId> {
    let roots = scene.absorb(template);
    for root in &roots {
        if let Some(node) = scene.nodes.get_mut(root.index()) {
            node.transform = Transform {
                scale: node.transform.scale,
                ..Transform::IDENTITY
            };
        }
    }
    roots
}

impl PlacementReport {
    /// For the extras of the scene.
    pub(super) fn extras(&self, mission: &Mission) -> Value {
        json!({
            "name": mission.label,
            "source": mission.source,
            "placed": self.placed,
            "empties": self.empties,
            "unresolved": self.unresolved.values().sum::<usize>(),
            "ambiguous": self.ambiguous.values().sum::<usize>(),
        })
    }

    /// For the report.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self {
            placed, empties, ..
        } = self;
        let mut notes = vec![format!("{placed} things placed, {empties} empty nodes")];
        for (name, count) in &self.unresolved {
            notes.push(format!(
                "nothing is called {name}, of which {count} are placed"
            ));
        }
        for (name, count) in &self.ambiguous {
            notes.push(format!(
                "several things are called {name}, of which {count} are placed"
            ));
        }
        notes
    }
}

/// The pictures of the world, then those of its 'mechs.
#[derive(Debug)]
pub(super) struct AllPictures<'p>(pub &'p dyn Pictures, pub Option<&'p dyn Pictures>);

impl Pictures for AllPictures<'_> {
    fn picture(&self, key: &str) -> Option<scene::Image<'_>> {
        let own = self.0.picture(key);
        own.or_else(|| self.1.and_then(|other| other.picture(key)))
    }

    fn is_inside(&self, key: &str) -> bool {
        self.0.is_inside(key) || self.1.is_some_and(|other| other.is_inside(key))
    }
}
