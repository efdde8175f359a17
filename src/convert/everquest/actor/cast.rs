//! What a skeleton shows: skins, meshes and other things on bones, and alternate meshes by name.

use std::collections::BTreeSet;

use crate::formats::everquest::wld::{Body, FragmentRef, Skeleton, Wld};

/// Meshes of a skeleton, by the indices of their fragments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::convert::everquest) struct Cast {
    /// Meshes of the list of skins, each once.
    pub skins: Vec<usize>,
    /// Meshes that take the place of others: other heads, other clothes.
    pub alternates: Vec<usize>,
    /// Meshes on bones: bone and mesh.
    pub held: Vec<(usize, usize)>,
    /// Bones with something else on them: particles, sprites.
    pub others: Vec<(usize, FragmentRef)>,
    /// Skins that lead to no mesh.
    pub lost: usize,
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

/// Whether a mesh that nothing refers to is an alternate of a model, by its name: that of the model,
/// `HE` for a head or nothing for a body, and two digits.
pub(in crate::convert::everquest) fn is_alternate(mesh: &str, model: &str) -> bool {
    let mesh = mesh.to_ascii_uppercase();
    let rest = mesh
        .strip_suffix("_DMSPRITEDEF")
        .unwrap_or(&mesh)
        .strip_prefix(&model.to_ascii_uppercase());
    let number = rest.map(|rest| rest.strip_prefix("HE").unwrap_or(rest));
    !model.is_empty()
        && number.is_some_and(|number| {
            number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit())
        })
}

impl Cast {
    /// What the skeleton of a model shows; `spares` are the meshes that nothing refers to.
    pub(in crate::convert::everquest) fn of(
        wld: &Wld<'_>,
        skeleton: &Skeleton,
        model: &str,
        spares: &[usize],
    ) -> Self {
        let mut cast = Self::default();
        let mut known = BTreeSet::new();
        for skin in skeleton.skins.iter().flatten() {
            match mesh_of(wld, skin.mesh) {
                Some(mesh) if known.insert(mesh) => cast.skins.push(mesh),
                Some(_) => {}
                None => cast.lost = cast.lost.saturating_add(1),
            }
        }
        for (index, bone) in skeleton.bones.iter().enumerate() {
            match mesh_of(wld, bone.attachment) {
                Some(mesh) => cast.held.push((index, mesh)),
                None if bone.attachment.index().is_some() => {
                    cast.others.push((index, bone.attachment));
                }
                None => {}
            }
        }
        let spare = spares.iter().filter(|&&index| {
            let fragment = wld.fragments.get(index);
            fragment.is_some_and(|fragment| is_alternate(fragment.name(), model))
        });
        cast.alternates.extend(spare);
        cast
    }

    /// All meshes.
    pub(in crate::convert::everquest) fn meshes(&self) -> Vec<usize> {
        let held = self.held.iter().map(|&(_, mesh)| mesh);
        let all = self.skins.iter().chain(&self.alternates).copied();
        all.chain(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternates_bear_the_name_of_their_model() {
        for (mesh, model, is) in [
            ("FEMHE01_DMSPRITEDEF", "FEM", true),
            ("femhe01_dmspritedef", "Fem", true),
            ("FEM02_DMSPRITEDEF", "FEM", true),
            ("FEM_DMSPRITEDEF", "FEM", false),
            ("FEMHE1_DMSPRITEDEF", "FEM", false),
            ("FEMWING_DMSPRITEDEF", "FEM", false),
            ("GEMHE01_DMSPRITEDEF", "FEM", false),
            ("HE01_DMSPRITEDEF", "", false),
        ] {
            assert_eq!(is_alternate(mesh, model), is, "{mesh} of {model}");
        }
    }
}
