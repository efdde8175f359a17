//! Worlds with the objects of missions: a placed object becomes a copy of its template, or an empty node.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};
use serde::Serialize;

use relicast_codec::quantity::counted;
use relicast_scene::extras::{ObjectExtras, zipper};
use relicast_scene::model::{Node, NodeId, Placement, Scene, Transform};
use relicast_scene::{self as scene, Pictures};

use super::missions::Mission;
use super::nets::Net;
use super::records::MissionPlacement;

/// Results for the objects of a mission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlacementReport {
    /// Objects that are copies of a template.
    pub placed: usize,
    /// Objects that never have a template.
    pub empties: usize,
    /// Names without a template, with the number of objects.
    pub unresolved: BTreeMap<String, usize>,
    /// Names with several templates.
    pub ambiguous: BTreeMap<String, usize>,
}

/// Template for a name.
pub(super) enum Template {
    /// A scene, and its file.
    Scene(Box<Scene>, String),
    /// The same, by a rule that may not be the game's.
    Assumed(Box<Scene>, String),
    /// Several templates match.
    Ambiguous,
    /// No template matches.
    None,
}

/// A template that is in the scene.
struct Prototype {
    roots: Vec<NodeId>,
    source: String,
    is_certain: bool,
    /// The first object uses the prototype, later ones are copies.
    taken: bool,
}

/// Facts about a name.
enum Known {
    Prototype(Prototype),
    Ambiguous,
    None,
}

impl Known {
    /// Merges a template into the scene.
    fn new(scene: &mut Scene, template: Template) -> Self {
        let (template, source, is_certain) = match template {
            Template::Scene(template, source) => (template, source, true),
            Template::Assumed(template, source) => (template, source, false),
            Template::Ambiguous => return Self::Ambiguous,
            Template::None => return Self::None,
        };
        Self::Prototype(Prototype {
            roots: merge(scene, *template),
            source,
            is_certain,
            taken: false,
        })
    }
}

/// Adds the objects of a mission to the scene of a world, below the first root. `find` makes the scene of a
/// template; it is called once for each name.
pub(super) fn place_mission(
    scene: &mut Scene,
    mission: &Mission,
    mut find: impl FnMut(&MissionPlacement, &str) -> Template,
) -> PlacementReport {
    let mut counts = PlacementReport::default();
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let above = scene.roots.first().copied();
    let mut groups = Vec::new();
    for net in &mission.nets {
        let group = add_net(scene, net, above);
        groups.extend(net.nodes.iter().map(|node| (Some(group), node)));
    }
    let things = mission.things.iter().map(|thing| (None, thing));
    for (group, thing) in things.chain(groups) {
        let mut facts = thing.placement();
        let mut children = Vec::new();
        if let Some(name) = &thing.template {
            let known = known
                .entry(name.clone())
                .or_insert_with(|| Known::new(scene, find(thing, name)));
            facts.template = Some(name.clone());
            if let Known::Prototype(prototype) = known {
                facts.source = Some(prototype.source.clone());
                facts.certain = (!prototype.is_certain).then_some(false);
                children.clone_from(&prototype.roots);
                if std::mem::replace(&mut prototype.taken, true) {
                    let copies = children.iter_mut();
                    copies.for_each(|root| *root = scene.copy_tree(*root));
                }
                counts.placed += 1;
            } else {
                let list = match known {
                    Known::Ambiguous => &mut counts.ambiguous,
                    _ => &mut counts.unresolved,
                };
                *list.entry(name.clone()).or_default() += 1;
                facts.unresolved = Some(true);
            }
        } else {
            counts.empties += 1;
        }
        let facts = zipper::Node {
            placement: Some(facts),
            ..zipper::Node::default()
        };
        let node = scene.add_node(Node {
            name: format!("place_{}", thing.name),
            transform: transform(thing),
            children,
            extras: facts.extras(),
            ..Node::default()
        });
        hang(scene, group.or(above), node);
    }
    counts
}

/// Adds the node of a net, with its mesh.
fn add_net(scene: &mut Scene, net: &Net, above: Option<NodeId>) -> NodeId {
    let facts = zipper::Node {
        net: Some(zipper::Net {
            links: Some(net.links.len()),
            edges: net.edges.clone(),
            ..net.settings.clone()
        }),
        ..zipper::Node::default()
    };
    let mesh = net.mesh().map(|mesh| scene.add_mesh(mesh));
    let group = scene.add_node(Node {
        name: net.label.clone(),
        mesh,
        extras: facts.extras(),
        ..Node::default()
    });
    hang(scene, above, group);
    group
}

/// Makes a node the child of another one, or a root.
fn hang(scene: &mut Scene, above: Option<NodeId>, node: NodeId) {
    match above {
        Some(above) => scene.add_child(above, node),
        None => scene.roots.push(node),
    }
}

/// Place of an object.
fn transform(thing: &MissionPlacement) -> Transform {
    let matrix = DMat4::from_scale_rotation_translation(DVec3::ONE, thing.rotation, thing.place);
    let placement = Placement::from_matrix(&matrix);
    placement.map_or(Transform::IDENTITY, |placement| placement.outer())
}

/// Merges a template into the scene. Its roots lose their initial position and rotation. Clips and groups of levels
/// of detail, which would apply only to the first copy, are left out.
fn merge(scene: &mut Scene, template: Scene) -> Vec<NodeId> {
    let roots = scene.merge(Scene {
        clips: Vec::new(),
        detail_groups: Vec::new(),
        ..template
    });
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
    pub(super) fn facts(&self, mission: &Mission) -> zipper::Mission {
        zipper::Mission {
            name: Some(mission.label.clone()),
            source: Some(mission.source.clone()),
            placed: Some(self.placed),
            empties: Some(self.empties),
            unresolved: Some(self.unresolved.values().sum()),
            ambiguous: Some(self.ambiguous.values().sum()),
        }
    }

    /// For the report.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self {
            placed, empties, ..
        } = self;
        let mut notes = vec![format!(
            "{} placed, {}",
            counted(*placed, "object", "objects"),
            counted(*empties, "empty node", "empty nodes"),
        )];
        for (name, count) in &self.unresolved {
            notes.push(format!(
                "no template is called {name}: {} left empty",
                counted(*count, "placement", "placements")
            ));
        }
        for (name, count) in &self.ambiguous {
            notes.push(format!(
                "several templates are called {name}: {} left empty",
                counted(*count, "placement", "placements")
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
