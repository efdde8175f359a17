//! Parts of a skeleton: skins, meshes and other attachments of bones, and alternate meshes by name.

use std::collections::BTreeSet;

use serde::Serialize;

use relicast_formats::everquest::wld::{Body, FragmentRef, Skeleton, Wld};
use relicast_scene::extras::everquest;

/// Meshes of a skeleton, by the indices of their fragments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::everquest) struct ModelParts {
    /// Meshes of the list of skins, each once.
    pub skins: Vec<usize>,
    /// Meshes that replace others: other heads, other clothes.
    pub alternates: Vec<usize>,
    /// Meshes on bones: bone and mesh.
    pub held: Vec<(usize, usize)>,
    /// Bones with something else on them: particles, sprites.
    pub others: Vec<(usize, FragmentRef)>,
    /// Skins without a mesh.
    pub lost: usize,
}

/// Part of a model that a mesh shows, by the name of the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::everquest) enum Shows {
    /// The body, or all of the model.
    Body,
    /// The head.
    Head,
}

/// A row of the table of the meshes of a model, for the extras.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::everquest) struct SkeletonInstance<'w> {
    /// Part that the mesh shows.
    shows: Shows,
    /// Number of the head or body; 0 is the default one.
    number: u32,
    /// Name of the mesh.
    mesh: &'w str,
    /// Index of its fragment: meshes may share a name.
    fragment: usize,
    /// True if the mesh is in the main scene; otherwise it is in the hidden scene, if that is written.
    shown: bool,
}

impl SkeletonInstance<'_> {
    /// Extras of the scene.
    pub(super) fn facts(&self) -> everquest::ModelMesh {
        let shows = match self.shows {
            Shows::Body => "body",
            Shows::Head => "head",
        };
        everquest::ModelMesh {
            shows: Some(shows.to_owned()),
            number: Some(self.number),
            mesh: Some(self.mesh.to_owned()),
            fragment: Some(self.fragment),
            shown: Some(self.shown),
        }
    }
}

/// Part and number of a mesh of a model; `None` for names of another form.
fn part_of(mesh: &str, model: &str) -> Option<(Shows, u32)> {
    let mesh = strip_suffix_ignore_case(mesh, "_DMSPRITEDEF").unwrap_or(mesh);
    let rest = strip_prefix_ignore_case(mesh, model).filter(|_| !model.is_empty())?;
    let (shows, number) = match strip_prefix_ignore_case(rest, "HE") {
        Some(number) => (Shows::Head, number),
        None => (Shows::Body, rest),
    };
    if number.is_empty() {
        return Some((shows, 0));
    }
    let is_number = number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| number.parse().ok().map(|number| (shows, number)))?
}

/// The mesh that an instance shows.
fn mesh_of(wld: &Wld<'_>, reference: FragmentRef) -> Option<usize> {
    let Body::MeshInstance(instance) = &wld.get(reference)?.body else {
        return None;
    };
    let index = instance.definition.index()?;
    let body = &wld.fragments.get(index)?.body;
    matches!(body, Body::Mesh(_) | Body::LegacyMesh(_)).then_some(index)
}

/// True if the unreferenced mesh at `index` is an alternate of a model. Its name is the model's, then `HE`
/// for a head or nothing for a body, then two digits; or its name starts with the model's, and the mesh has
/// bones.
pub(in crate::everquest) fn is_alternate(wld: &Wld<'_>, index: usize, model: &str) -> bool {
    let Some(fragment) = wld.fragments.get(index) else {
        return false;
    };
    let has_bones = match &fragment.body {
        Body::Mesh(mesh) => !mesh.pieces.is_empty(),
        Body::LegacyMesh(mesh) => mesh.pieces.as_ref().is_some_and(|piece| !piece.is_empty()),
        _ => return false,
    };
    names_alternate(fragment.name(), model, has_bones)
}

fn names_alternate(mesh: &str, model: &str, has_bones: bool) -> bool {
    let mesh = strip_suffix_ignore_case(mesh, "_DMSPRITEDEF").unwrap_or(mesh);
    let (Some(rest), false) = (strip_prefix_ignore_case(mesh, model), model.is_empty()) else {
        return false;
    };
    let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    // `IT10` is not a part of `IT1`.
    let goes_on = is_digit(model.bytes().last()) && is_digit(rest.bytes().next());
    let number = strip_prefix_ignore_case(rest, "HE").unwrap_or(rest);
    let numbered = number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit());
    numbered || (has_bones && !goes_on)
}

/// Rest of a name after `start` (case-insensitive).
fn strip_prefix_ignore_case<'n>(name: &'n str, start: &str) -> Option<&'n str> {
    let (found, rest) = name.split_at_checked(start.len())?;
    found.eq_ignore_ascii_case(start).then_some(rest)
}

/// Rest of a name before `end` (case-insensitive).
pub(in crate::everquest) fn strip_suffix_ignore_case<'n>(
    name: &'n str,
    end: &str,
) -> Option<&'n str> {
    let (rest, found) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(rest)
}

impl ModelParts {
    /// Parts of a model's skeleton; `spares` are the meshes that nothing refers to.
    pub(in crate::everquest) fn new(
        wld: &Wld<'_>,
        skeleton: &Skeleton,
        model: &str,
        spares: &[usize],
    ) -> Self {
        let mut model_parts = Self::default();
        let mut known = BTreeSet::new();
        for skin in skeleton.skins.iter().flatten() {
            match mesh_of(wld, skin.mesh) {
                Some(mesh) if known.insert(mesh) => model_parts.skins.push(mesh),
                Some(_) => {}
                None => model_parts.lost = model_parts.lost.saturating_add(1),
            }
        }
        for (index, bone) in skeleton.bones.iter().enumerate() {
            match mesh_of(wld, bone.attachment) {
                Some(mesh) => model_parts.held.push((index, mesh)),
                None if bone.attachment.index().is_some() => {
                    model_parts.others.push((index, bone.attachment));
                }
                None => {}
            }
        }
        let spares = spares.iter().copied();
        let alternates = spares.filter(|&index| is_alternate(wld, index, model));
        model_parts.alternates.extend(alternates);
        model_parts
    }

    /// Meshes of the heads and bodies of the model, heads first; empty if there is only one mesh.
    pub(in crate::everquest) fn figures<'w>(
        &self,
        wld: &'w Wld<'_>,
        model: &str,
    ) -> Vec<SkeletonInstance<'w>> {
        let shown = self.skins.iter().map(|&mesh| (mesh, true));
        let all = shown.chain(self.alternates.iter().map(|&mesh| (mesh, false)));
        let mut figures: Vec<SkeletonInstance<'w>> = all
            .filter_map(|(fragment, shown)| {
                let mesh = wld.fragments.get(fragment)?.name();
                let (shows, number) = part_of(mesh, model)?;
                Some(SkeletonInstance {
                    shows,
                    number,
                    mesh,
                    fragment,
                    shown,
                })
            })
            .collect();
        figures.sort_by_key(|figure| (figure.shows == Shows::Body, figure.number, figure.fragment));
        match figures.len() {
            0 | 1 => Vec::new(),
            _ => figures,
        }
    }

    /// All meshes.
    pub(in crate::everquest) fn meshes(&self) -> Vec<usize> {
        let held = self.held.iter().map(|&(_, mesh)| mesh);
        let all = self.skins.iter().chain(&self.alternates).copied();
        all.chain(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_bodies_are_numbered_by_name() {
        for (mesh, found) in [
            ("FEM_DMSPRITEDEF", Some((Shows::Body, 0))),
            ("FEM02_DMSPRITEDEF", Some((Shows::Body, 2))),
            ("femhe00_dmspritedef", Some((Shows::Head, 0))),
            ("FEMHE12_DMSPRITEDEF", Some((Shows::Head, 12))),
            ("FEMHE1_DMSPRITEDEF", None),
            ("FEMWING_DMSPRITEDEF", None),
            ("GEMHE01_DMSPRITEDEF", None),
        ] {
            assert_eq!(part_of(mesh, "FEM"), found, "{mesh}");
        }
    }

    #[test]
    fn alternates_bear_the_name_of_their_model() {
        for (mesh, model, has_bones, is) in [
            ("FEMHE01_DMSPRITEDEF", "FEM", false, true),
            ("femhe01_dmspritedef", "Fem", false, true),
            ("FEM02_DMSPRITEDEF", "FEM", false, true),
            ("FEM_DMSPRITEDEF", "FEM", false, false),
            ("FEMHE1_DMSPRITEDEF", "FEM", false, false),
            ("FEMWING_DMSPRITEDEF", "FEM", false, false),
            ("FEMWING_DMSPRITEDEF", "FEM", true, true),
            ("IT100_DMSPRITEDEF", "IT10", true, false),
            ("GEMHE01_DMSPRITEDEF", "FEM", true, false),
            ("HE01_DMSPRITEDEF", "", true, false),
        ] {
            let found = names_alternate(mesh, model, has_bones);
            assert_eq!(found, is, "{mesh} of {model}");
        }
    }
}
