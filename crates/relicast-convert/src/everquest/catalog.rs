//! The models of a scene file: those that become files of their own, and those that placements refer to.

use std::collections::HashMap;

use serde::Serialize;

use relicast_formats::everquest::wld::{Body, FragmentKind, FragmentRef, Wld};

use super::actor::{ModelParts, SkeletonInstance, is_alternate, strip_suffix_ignore_case};

/// Suffixes for kinds of fragments, which are not part of a model's name.
const SUFFIXES: [&str; 3] = ["_ACTORDEF", "_HS_DEF", "_DMSPRITEDEF"];

/// Root of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Root {
    /// Meshes alone, by index of their fragments.
    Meshes(Vec<usize>),
    /// A skeleton with everything attached to it, by index of its definition.
    Skeleton(usize),
    /// Sprites and other objects without geometry, by index of their instances.
    Sprites(Vec<usize>),
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Model {
    /// Name without the suffix for the kind of fragment, such as `_ACTORDEF`.
    pub name: String,
    /// The actor definition that names it; `None` for skeletons and meshes that no actor refers to.
    pub actor: Option<usize>,
    /// Root of the model.
    pub root: Root,
}

/// The models of a scene file, in the order of their fragments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Catalog {
    /// The models.
    pub models: Vec<Model>,
    /// Meshes that no actor, skeleton or region refers to. [`Catalog::new`] leaves only the alternates of a skeleton's
    /// meshes here, mostly heads.
    pub spare_meshes: Vec<usize>,
    /// The first model of each actor, by its full name in upper case.
    by_actor: HashMap<String, usize>,
}

/// For each fragment of a file: true if an actor, skeleton or region refers to it.
struct ReferencedFragments(Vec<bool>);

impl ReferencedFragments {
    fn add(&mut self, indices: impl IntoIterator<Item = usize>) {
        for index in indices {
            if let Some(is_referenced) = self.0.get_mut(index) {
                *is_referenced = true;
            }
        }
    }
}

/// The definition that an instance refers to, and its kind.
fn definition(wld: &Wld<'_>, reference: FragmentRef) -> Option<(usize, FragmentKind)> {
    let instance = wld.get(reference)?;
    let definition = match &instance.body {
        Body::MeshInstance(instance) | Body::Skeleton(instance) => instance.definition,
        _ => return None,
    };
    let index = definition.index()?;
    Some((index, wld.fragments.get(index)?.kind()))
}

/// The name of a fragment without the suffix for its kind.
pub(super) fn base_name(name: &str) -> &str {
    let mut without = SUFFIXES
        .iter()
        .filter_map(|suffix| strip_suffix_ignore_case(name, suffix));
    without
        .next()
        .filter(|base| !base.is_empty())
        .unwrap_or(name)
}

impl Catalog {
    /// Lists the models of a file.
    pub(super) fn new(wld: &Wld<'_>) -> Self {
        let mut catalog = Self::default();
        let mut referenced = ReferencedFragments(vec![false; wld.fragments.len()]);
        for (index, fragment) in wld.fragments.iter().enumerate() {
            match &fragment.body {
                Body::ActorDefinition(actor) => {
                    let mut meshes = Vec::new();
                    let mut skeleton = None;
                    for &sprite in &actor.sprites {
                        match definition(wld, sprite) {
                            Some((mesh, FragmentKind::Mesh | FragmentKind::LegacyMesh)) => {
                                meshes.push(mesh);
                            }
                            Some((index, FragmentKind::SkeletonDefinition)) => {
                                skeleton = skeleton.or(Some(index));
                            }
                            _ => {}
                        }
                    }
                    referenced.add(meshes.iter().copied().chain(skeleton));
                    let root = match skeleton {
                        Some(skeleton) => Root::Skeleton(skeleton),
                        None if !meshes.is_empty() => Root::Meshes(meshes),
                        None => {
                            let sprites = actor.sprites.iter();
                            Root::Sprites(sprites.filter_map(|sprite| sprite.index()).collect())
                        }
                    };
                    let name = fragment.name();
                    let model_index = catalog.models.len();
                    catalog
                        .by_actor
                        .entry(name.to_uppercase())
                        .or_insert(model_index);
                    catalog.models.push(Model {
                        name: base_name(name).to_owned(),
                        actor: Some(index),
                        root,
                    });
                }
                Body::Region(region) => {
                    referenced.add(region.mesh.and_then(FragmentRef::index));
                }
                Body::SkeletonDefinition(skeleton) => {
                    let attached = skeleton.bones.iter().map(|bone| bone.attachment);
                    let skins = skeleton.skins.iter().flatten().map(|skin| skin.mesh);
                    let meshes = attached.chain(skins);
                    referenced.add(meshes.filter_map(|mesh| Some(definition(wld, mesh)?.0)));
                }
                _ => {}
            }
        }
        let others = wld.fragments.iter().zip(&referenced.0).enumerate();
        let spares = others.filter(|(_, (_, is_referenced))| !**is_referenced);
        for (index, (fragment, _)) in spares {
            match fragment.kind() {
                FragmentKind::SkeletonDefinition => catalog.models.push(Model {
                    name: base_name(fragment.name()).to_owned(),
                    actor: None,
                    root: Root::Skeleton(index),
                }),
                FragmentKind::Mesh | FragmentKind::LegacyMesh => {
                    catalog.spare_meshes.push(index);
                }
                _ => {}
            }
        }
        catalog.add_spare_models(wld);
        catalog
    }

    /// Makes models of unreferenced meshes, except alternates of a skeleton's meshes.
    fn add_spare_models(&mut self, wld: &Wld<'_>) {
        let skeletons = self.models.iter();
        let skeletons = skeletons.filter(|model| matches!(model.root, Root::Skeleton(_)));
        let skeletons = skeletons.map(|model| model.name.to_uppercase());
        let skeletons: Vec<String> = skeletons.filter(|name| !name.is_empty()).collect();
        let of_skeleton = |index: &usize| {
            let mut skeletons = skeletons.iter();
            skeletons.any(|skeleton| is_alternate(wld, *index, skeleton))
        };
        let (alternates, alone): (Vec<usize>, Vec<usize>) = self
            .spare_meshes
            .iter()
            .partition(|index| of_skeleton(index));
        self.spare_meshes = alternates;
        self.models.extend(alone.into_iter().map(|index| Model {
            name: base_name(wld.fragments[index].name()).to_owned(),
            actor: None,
            root: Root::Meshes(vec![index]),
        }));
    }

    /// The model of an actor definition, by its name (case-insensitive).
    pub(super) fn by_actor(&self, name: &str) -> Option<usize> {
        self.by_actor.get(&name.to_uppercase()).copied()
    }
}

/// A model in the document of a scene file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ModelEntry<'a> {
    /// Name without the suffix for the kind of fragment.
    name: &'a str,
    /// Full name of its actor definition; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'a str>,
    /// Callback of the actor definition, as stored; absent if empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    callback: &'a str,
    /// Kind of the root: `meshes`, `skeleton` or `sprites`.
    shows: &'static str,
    /// Names of the root's fragments.
    fragments: Vec<&'a str>,
    /// User data of the actor definition; absent if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    user_data: String,
    /// Heads and bodies of the skeleton: the default ones and the alternates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meshes: Vec<SkeletonInstance<'a>>,
}

impl<'a> ModelEntry<'a> {
    /// The entry of a model.
    pub(super) fn new(wld: &'a Wld<'_>, model: &'a Model, spares: &[usize]) -> Self {
        let name = |index: usize| {
            wld.fragments
                .get(index)
                .map_or("", |fragment| fragment.name())
        };
        let definition = model.actor.and_then(|index| {
            let Body::ActorDefinition(actor) = &wld.fragments.get(index)?.body else {
                return None;
            };
            Some(actor)
        });
        let (shows, fragments): (_, &[usize]) = match &model.root {
            Root::Meshes(meshes) => ("meshes", meshes),
            Root::Skeleton(skeleton) => ("skeleton", std::slice::from_ref(skeleton)),
            Root::Sprites(sprites) => ("sprites", sprites),
        };
        let skeleton = match &model.root {
            &Root::Skeleton(index) => wld.fragments.get(index).map(|fragment| &fragment.body),
            _ => None,
        };
        let meshes = match skeleton {
            Some(Body::SkeletonDefinition(skeleton)) => {
                ModelParts::new(wld, skeleton, &model.name, spares).figures(wld, &model.name)
            }
            _ => Vec::new(),
        };
        Self {
            meshes,
            name: &model.name,
            actor: model.actor.map(name),
            callback: definition.map_or("", |actor| actor.callback.as_str()),
            shows,
            fragments: fragments.iter().map(|&index| name(index)).collect(),
            user_data: definition.map_or_else(String::new, |actor| actor.user_data.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_the_suffix_of_their_kind_case_insensitively() {
        for (name, base) in [
            ("ELM_ACTORDEF", "ELM"),
            ("elm_hs_def", "elm"),
            ("Tree_DmSpriteDef", "Tree"),
            ("TREE_DMSPRITEDEF2", "TREE_DMSPRITEDEF2"),
            ("_ACTORDEF", "_ACTORDEF"),
            ("ü_ACTORDEF", "ü"),
            ("", ""),
        ] {
            assert_eq!(base_name(name), base);
        }
    }
}
