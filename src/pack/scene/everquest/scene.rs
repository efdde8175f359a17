//! Edited scenes of an archive, each with its original.

use std::collections::BTreeSet;

use super::applied;
use super::attach::{self, Joined};
use super::baked_picture::BakedPicture;
use super::copies::{self, Copies};
use super::light_nodes::LightRules;
use super::new_lights::NewLight;
use super::other_lights::{self, OtherLights};
use super::own_models::{self, OwnModel, Rules, Scenes};
use super::recut::{self, Recut};
use super::rests;
use super::server;
use super::sides;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::rounding::RoundingReport;
use crate::pack::scene::compare::description::describe;
use crate::pack::scene::compare::difference::{Difference, OtherScenes, compare};
use crate::pack::scene::compare::leaves::changes;
use crate::pack::scene::compare::matching::{Matches, match_nodes};
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::driver::outputs::{Opened, SceneEdit};
use crate::pack::scene::file::unsupported_edits::{is_of_mesh, labels};
use crate::pack::scene::file::{Document, SceneFile};
use crate::pipeline::report::manifest::ManifestOutput;

/// An edited scene.
#[derive(Debug)]
pub(in crate::pack::scene) struct Scene<'j> {
    /// The output that is the scene itself.
    pub output: &'j ManifestOutput,
    /// The original.
    pub base: SceneFile,
    /// The edit.
    pub edited: SceneFile,
    /// The original file.
    pub base_document: Document,
    /// The edited file.
    pub edited_document: Document,
    /// Changed nodes and meshes.
    pub difference: Difference,
    /// The edited nodes, by original node.
    pub matches: Matches,
    /// Added and removed placements. They are in neither list of child nodes.
    pub copies: Copies,
    /// Original nodes of removed lights. They are not in the list of child nodes.
    pub gone_lights: Vec<usize>,
    /// Lights that the edit adds. They are not in the list of child nodes.
    pub new_lights: Vec<NewLight>,
    /// Original nodes of bones that the edit moves at rest.
    pub rests: BTreeSet<usize>,
    /// Edits that the game does not store, or stores in another way, in words.
    pub notes: Vec<String>,
    /// Meshes whose triangles changed; in the edit the originals are in their place.
    pub recut: Vec<Recut>,
    /// Placements that get models of their own; both scenes show them with meshes of their own.
    pub own_models: Vec<OwnModel>,
    /// Ambient light that is included in its vertex colors.
    pub ambient: [u8; 3],
    /// Pictures that are made for its materials.
    pub(super) baked: Vec<BakedPicture<'j>>,
    /// Names of other facts that differ in the edit; they may follow from other edits of its archive.
    following: BTreeSet<String>,
}

impl Scene<'_> {
    /// The name of an original node.
    pub(super) fn name(&self, node: usize) -> &str {
        self.base.nodes.get(node).map_or("", |node| &*node.name)
    }

    /// The name of the new member with the picture that the edit names by this path.
    pub(super) fn baked_member(&self, path: &str) -> Option<&str> {
        let mut baked = self.baked.iter();
        let found = baked.find(|baked| baked.path == path);
        found.map(|baked| &*baked.member)
    }

    /// Describes the edit for people.
    pub(super) fn describe(&self) -> Option<String> {
        let mut report = RoundingReport::default();
        let scenes = ScenePair {
            base: &self.base,
            edited: &self.edited,
        };
        describe(scenes, &self.difference, &mut report);
        report.count(self.recut.len(), ["mesh rebuilt", "meshes rebuilt"]);
        let own = self.own_models.iter().map(|own| own.nodes.len()).sum();
        report.count(
            own,
            [
                "placement with a model of its own",
                "placements with models of their own",
            ],
        );
        let (new, gone) = (self.copies.new.len(), self.copies.gone.len());
        report.count(new, ["placement added", "placements added"]);
        report.count(gone, ["placement removed", "placements removed"]);
        report.count(self.new_lights.len(), ["light added", "lights added"]);
        report.count(self.gone_lights.len(), ["light removed", "lights removed"]);
        let documents = [&self.base_document.json, &self.edited_document.json];
        let lists = [
            (
                documents.map(|json| &json["materials"]),
                ["material", "materials"],
            ),
            (
                documents.map(|json| &json["extensions"]["KHR_lights_punctual"]["lights"]),
                ["light", "lights"],
            ),
            (documents.map(|json| &json["animations"]), ["clip", "clips"]),
        ];
        for ([before, after], words) in lists {
            let pairs = before.as_array().into_iter().flatten();
            let pairs = pairs.zip(after.as_array().into_iter().flatten());
            report.count(
                pairs.filter(|(before, after)| before != after).count(),
                words,
            );
        }
        report.list()
    }

    /// Checks that the packed scene agrees with the edit in facts that cannot be packed. `is_rebuilt` returns true for
    /// original meshes whose triangles are compared separately.
    ///
    /// # Errors
    /// No edit causes the difference.
    pub(super) fn check_followers(
        &self,
        after: &SceneFile,
        is_rebuilt: impl Fn(usize) -> bool,
    ) -> Result<(), Refusal> {
        // New materials have other names in the file; what their faces are, and their bones, is compared with the
        // triangles.
        let labels = labels("mesh", self.base.meshes.iter().map(|mesh| &*mesh.name));
        let [before, now] = [&self.base_document, &self.edited_document]
            .map(|document| items(&document.json, "materials").len());
        let recut = labels.iter().enumerate();
        let recut = recut.filter(|(mesh, _)| is_rebuilt(*mesh));
        let recut: Vec<&String> = recut.map(|(_, label)| label).collect();
        let is_compared = |key: &str| {
            let is_bone = ["JOINTS_0 of ", "WEIGHTS_0 of "].map(|of| key.starts_with(of));
            (now > before || is_bone.contains(&true))
                && recut.iter().any(|label| is_of_mesh(key, label))
        };
        let shown = |key: &str| is_compared(key) || after.rest.agrees(&self.edited.rest, key);
        match self.following.iter().find(|key| !shown(key)) {
            None => Ok(()),
            Some(key) => Err(not_packable_edit(key)),
        }
    }
}

/// Contents of meshes that an edit may leave as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TangentRule {
    /// The scenes have none.
    Absent,
    /// They follow from normals and texture coordinates.
    Follow,
}

/// Contents that a family of scenes can store.
#[derive(Clone, Copy)]
pub(super) struct Form<'f> {
    pub tangents: TangentRule,
    pub lights: LightRules,
    pub placements: Rules<'f>,
}

/// Compares an edited scene with the original.
///
/// # Errors
/// An edit cannot be packed.
pub(super) fn load<'j>(
    mut edit: SceneEdit<'j>,
    baked: Vec<BakedPicture<'j>>,
    form: Form<'_>,
) -> Result<Scene<'j>, Refusal> {
    let tangent_rule = form.tangents;
    let lights = other_lights::take_out(&mut edit.base, &mut edit.edited, form.lights)?;
    let OtherLights {
        gone: gone_lights,
        new: new_lights,
    } = lights;
    let mut following = followers(&edit.base, &edit.edited, tangent_rule)?;
    let rests = rests::find(&edit.base, &edit.edited)?;
    let rests = rests.ok_or_else(|| not_packable_edit("a skin"))?;
    // Scene files have double-sided materials.
    let doubled = match tangent_rule {
        TangentRule::Follow => sides::double(&edit.base, &mut edit.edited),
        TangentRule::Absent => Vec::new(),
    };
    let (mut base, mut base_document) = (edit.base.scene, edit.base.document);
    let (mut edited, mut edited_document) = (edit.edited.scene, edit.edited.document);
    let mut notes = attach::rehang(&base, &mut edited);
    notes.extend(doubled);
    let copies = copies::find(&base, &edited)?;
    copies::forget_loose(&mut edited);
    copies::unlink(&mut base, copies.gone.iter().copied());
    copies::unlink(&mut edited, copies.new.iter().map(|&(_, new)| new));
    let Joined { names, labels } = attach::join(&base, &mut edited, &base_document)?;
    if !names.is_empty() {
        notes.push(format!(
            "{} joined to the mesh of the scene",
            names.join(", ")
        ));
    }
    following.retain(|key| !labels.iter().any(|label| is_of_mesh(key, label)));
    let matches = match_nodes(&base, &edited)?;
    own_models::check_copies(&base, &edited, &copies, &matches)?;
    notes.extend(attach::settle(&base, &mut edited, &base_document, &matches));
    // Models of archives in EQG format can be edited in their zone, if it shows them once.
    let can_change = |mesh: usize| {
        let users = base.nodes.iter().filter(|node| node.mesh == Some(mesh));
        tangent_rule == TangentRule::Follow && users.count() == 1
    };
    let taken_back = applied::take_back(&base, &mut edited, &matches, can_change);
    if !taken_back.is_empty() {
        let labels = unused_meshes(&edited);
        following.retain(|key| !labels.iter().any(|label| is_of_mesh(key, label)));
        notes.extend(taken_back);
    }
    let scenes = Scenes {
        base: &mut base,
        base_document: &mut base_document,
        edited: &mut edited,
        edited_document: &mut edited_document,
    };
    let own_models = own_models::part(scenes, &matches, form.placements)?;
    if !own_models.is_empty() {
        let labels = unused_meshes(&edited);
        following.retain(|key| !labels.iter().any(|label| is_of_mesh(key, label)));
    }
    applied::check_shared(&base, &edited, &matches)?;
    // Placements of zones in EQG format have names.
    if tangent_rule == TangentRule::Absent {
        notes.extend(attach::without_names(&base, &mut edited, &matches));
    }
    let (recut, difference) = differences(&base, &mut edited, &matches)?;
    Ok(Scene {
        output: edit.output,
        ambient: ambient_of(&base_document),
        following,
        matches,
        recut,
        own_models,
        copies,
        gone_lights,
        new_lights,
        rests,
        baked,
        notes,
        edited_document,
        base_document,
        base,
        edited,
        difference,
    })
}

/// The meshes with other triangles, and all other differences.
///
/// # Errors
/// A difference has no place in the game file.
fn differences(
    base: &SceneFile,
    edited: &mut SceneFile,
    matches: &Matches,
) -> Result<(Vec<Recut>, Difference), Refusal> {
    let recut = recut::find(base, edited, matches)?;
    let difference = compare(base, edited, Tolerance::EXACT, OtherScenes::Refuse)?;
    server::check(base, &difference, &recut)?;
    difference.refuse_following(base, |_| false)?;
    if let Some(remade) = difference.remade.first() {
        let name = base.meshes.get(remade.old).map_or("", |mesh| &*mesh.name);
        refuse!(
            "mesh {name}: its triangles or material changed, which is not supported for this mesh"
        );
    }
    Ok((recut, difference))
}

/// Labels of meshes that no node shows.
fn unused_meshes(file: &SceneFile) -> Vec<String> {
    let used: BTreeSet<usize> = file.nodes.iter().filter_map(|node| node.mesh).collect();
    let labels = labels("mesh", file.meshes.iter().map(|mesh| &*mesh.name));
    let unused = labels.into_iter().enumerate();
    let unused = unused.filter(|(number, _)| !used.contains(number));
    unused.map(|(_, label)| label).collect()
}

/// Lists whose edits are packed, or compared where something refers to them.
const READ: [&str; 6] = [
    "materials[",
    "textures[",
    "samplers[",
    "images[",
    "animations[",
    "extensions",
];

fn not_packable_edit(what: &str) -> Refusal {
    refusal!(
        "{what} was changed; only transforms, shapes, materials, lights and clips of a scene can be packed"
    )
}

/// Names of other facts that changed.
///
/// # Errors
/// It does not follow from other edits.
fn followers(
    base: &Opened,
    edited: &Opened,
    tangent_rule: TangentRule,
) -> Result<BTreeSet<String>, Refusal> {
    let is_read = |key: &str| {
        let follows = tangent_rule == TangentRule::Follow && key.starts_with("TANGENT of ");
        follows || key.starts_with("skins[") || READ.iter().any(|list| key.starts_with(list))
    };
    let differing = base.scene.rest.differing(&edited.scene.rest);
    let following = differing.filter(|key| !is_read(key)).cloned().collect();
    // The game has none.
    if base.document.json["cameras"] != edited.document.json["cameras"] {
        return Err(not_packable_edit("a camera"));
    }
    let extensions = |document: &'_ Document| document.json["extensions"].clone();
    let leaves = changes(
        &extensions(&base.document),
        &extensions(&edited.document),
        0.0,
    );
    let is_light = |path: &str| {
        // All of a list with another number of lights.
        let lists = ["", "KHR_lights_punctual", "KHR_lights_punctual.lights"];
        lists.contains(&path) || path.starts_with("KHR_lights_punctual.lights[")
    };
    let mut strange = leaves.iter().filter(|leaf| !is_light(&leaf.path));
    match strange.next() {
        Some(leaf) => Err(not_packable_edit(&format!("extensions.{}", leaf.path))),
        None => Ok(following),
    }
}

/// The ambient light of a zone, from its scene.
fn ambient_of(document: &Document) -> [u8; 3] {
    let facts = &document.json["scenes"][0]["extras"]["everquest"]["ambient"];
    [0, 1, 2].map(|channel| {
        let level = facts[channel].as_u64().unwrap_or_default();
        u8::try_from(level).unwrap_or_default()
    })
}
