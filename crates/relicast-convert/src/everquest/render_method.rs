//! Use of pictures by the surfaces of scenes, which decides about color keys.

use std::collections::BTreeSet;

use relicast_formats::everquest::wld::{Body, FragmentRef, Material, Surface, Wld};

use super::corrections;

/// Surface of a material. `archive` is the stem of its archive if corrections are wanted.
pub(super) fn surface(name: &str, material: &Material, archive: Option<&str>) -> Surface {
    let stored = material.surface();
    let correction = archive.and_then(|archive| corrections::of(archive, name, stored));
    correction.map_or(stored, |correction| correction.surface)
}

/// True if a surface is drawn at all.
pub(super) fn is_visible(surface: Surface) -> bool {
    !matches!(surface, Surface::Boundary | Surface::Invisible)
}

/// True if a surface is added to the background.
pub(super) fn is_additive(surface: Surface) -> bool {
    matches!(
        surface,
        Surface::Additive | Surface::AdditiveUnlit | Surface::SkyAdditive
    )
}

/// The texture of a material: frames in order, each with its layers, and the duration of a frame in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextureChain {
    /// File names of each frame: base color, then layers.
    pub frames: Vec<Vec<String>>,
    /// Duration of each frame in milliseconds.
    pub sleep: Option<u32>,
}

impl TextureChain {
    /// True if it names a picture at all.
    pub(super) fn names_picture(&self) -> bool {
        self.frames.iter().flatten().next().is_some()
    }
}

/// Follows the references of a material to its file names. References to other kinds end the chain.
pub(super) fn texture(wld: &Wld<'_>, material: &Material) -> TextureChain {
    let mut chain = TextureChain::default();
    let instance = match wld.get(material.texture).map(|fragment| &fragment.body) {
        Some(Body::SimpleSprite(instance)) => instance,
        // Sprites may have a bitmap and no texture.
        Some(Body::BitmapInfo(bitmap)) => {
            let files = bitmap.files.iter().map(|file| file.text()).collect();
            chain.frames = vec![files];
            return chain;
        }
        _ => return chain,
    };
    let definition = wld.get(instance.definition).map(|fragment| &fragment.body);
    let Some(Body::SimpleSpriteDefinition(sprite)) = definition else {
        return chain;
    };
    chain.sleep = sprite.sleep;
    let bitmaps = sprite
        .frames
        .iter()
        .filter_map(|&frame| match &wld.get(frame)?.body {
            Body::BitmapInfo(bitmap) => Some(bitmap),
            _ => None,
        });
    chain.frames = bitmaps
        .map(|bitmap| bitmap.files.iter().map(|file| file.text()).collect())
        .collect();
    chain
}

/// Pictures by use, lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Pictures of masked surfaces.
    pub masked: BTreeSet<String>,
    /// Pictures of surfaces that are added to the background.
    pub additive: BTreeSet<String>,
    /// Normal maps.
    pub normal: BTreeSet<String>,
    /// Normal maps whose blue gives the glow of a surface.
    pub glow: BTreeSet<String>,
}

impl Uses {
    /// Adds other uses.
    pub(super) fn extend(&mut self, other: Self) {
        self.masked.extend(other.masked);
        self.additive.extend(other.additive);
        self.normal.extend(other.normal);
        self.glow.extend(other.glow);
    }
}

/// Use of pictures by the scenes of an archive. `archive` is its stem if corrections are wanted.
pub(super) fn uses<'w>(scenes: impl Iterator<Item = &'w Wld<'w>>, archive: Option<&str>) -> Uses {
    let mut uses = Uses::default();
    for fragment in scenes.flat_map(|scene| {
        let fragments = scene.fragments.iter();
        fragments.map(move |fragment| (scene, fragment))
    }) {
        let (scene, fragment) = fragment;
        let sprite = |render_method, texture| Material {
            render_method,
            texture,
            ..Material::default()
        };
        let material = match &fragment.body {
            Body::Material(material) => material,
            Body::FlatSpriteDefinition(flat) => &sprite(flat.render_method, flat.shading.texture()),
            _ => continue,
        };
        let surface = surface(fragment.name(), material, archive);
        let set = match surface {
            Surface::Masked => &mut uses.masked,
            surface if is_additive(surface) => &mut uses.additive,
            _ => continue,
        };
        let chain = texture(scene, material);
        let files = chain.frames.iter().filter_map(|frame| frame.first());
        set.extend(files.map(|file| file.to_lowercase()));
    }
    uses
}

/// True if a face of one of these meshes has a surface that is not drawn.
pub(super) fn has_invisible(wld: &Wld<'_>, meshes: &[usize]) -> bool {
    let invisible = |palette: FragmentRef, slot: u16| {
        let Some(Body::MaterialPalette(palette)) = wld.get(palette).map(|fragment| &fragment.body)
        else {
            return false;
        };
        let material = palette.materials.get(usize::from(slot)).copied();
        let fragment = material.and_then(|material| wld.get(material));
        fragment.is_some_and(|fragment| match &fragment.body {
            // Corrections never hide or show a surface.
            Body::Material(material) => !is_visible(material.surface()),
            _ => false,
        })
    };
    meshes.iter().any(
        |&index| match wld.fragments.get(index).map(|fragment| &fragment.body) {
            Some(Body::Mesh(mesh)) => {
                let mut groups = mesh.face_groups.iter();
                groups.any(|group| group.count > 0 && invisible(mesh.palette, group.material))
            }
            Some(Body::LegacyMesh(mesh)) => {
                let groups = mesh
                    .face_groups
                    .iter()
                    .flatten()
                    .map(|group| group.material);
                let faces = mesh.faces.iter().map(|face| face.material);
                let slots: BTreeSet<u16> = groups.chain(faces).collect();
                slots.into_iter().any(|slot| invisible(mesh.palette, slot))
            }
            _ => false,
        },
    )
}
