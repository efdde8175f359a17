//! Pictures that the game chooses by itself, as for damage: texture cycles that do not run. Each number is a
//! variant of the model's materials.

use std::collections::{BTreeMap, BTreeSet};

use crate::zipper::scene::material::SourceMaterial;
use crate::zipper::scene::texture_library::{TextureProvider, key_of};
use crate::zipper::scene::variants::{MaterialVariant, MaterialVariants};

/// Start of the names of these variants.
pub(super) const PREFIX: &str = "state ";

/// Maximum number of pictures of a cycle that become variants.
const MAX_COUNT: usize = 16;

/// Adds the states of some materials to the variants of a model.
pub(super) fn add<'m>(
    materials: impl Iterator<Item = &'m SourceMaterial>,
    view: &TextureProvider<'_, '_>,
    variants: &mut MaterialVariants,
) {
    let mut states: Vec<BTreeMap<String, String>> = Vec::new();
    let mut seen = BTreeSet::new();
    for material in materials {
        let Some((texture, pictures)) = material.chosen_pictures() else {
            continue;
        };
        let own = key_of(texture);
        if !seen.insert(own.clone()) {
            continue;
        }
        for (number, picture) in pictures.iter().take(MAX_COUNT).enumerate() {
            if key_of(picture) == own {
                continue;
            }
            if view.find(picture).is_none() {
                variants.lost.push(picture.clone());
                continue;
            }
            if states.len() <= number {
                states.resize_with(number + 1, BTreeMap::new);
            }
            if let Some(state) = states.get_mut(number) {
                state.insert(own.clone(), picture.clone());
            }
        }
    }
    if states.iter().all(BTreeMap::is_empty) {
        return;
    }
    if variants.variants.is_empty() {
        variants.variants.push(MaterialVariant {
            name: "as stored".to_owned(),
            textures: BTreeMap::new(),
        });
    }
    let states = states.into_iter().enumerate();
    let states = states.filter(|(_, textures)| !textures.is_empty());
    variants
        .variants
        .extend(states.map(|(number, textures)| MaterialVariant {
            name: format!("{PREFIX}{number}"),
            textures,
        }));
}
