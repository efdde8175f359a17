//! Surfaces that show several pictures in turn. Depending on the settings, all of them are in the file, or next to each
//! other in one picture, with a clip that moves over them.

use crate::shared::atlas;
use relicast_scene::Pictures;
use relicast_scene::model::{
    FlipBook, MaterialId, Primitive, Sampler, Scene, Texture, TextureRef, UvTransform,
};

use super::archive::TextureProvider;

/// Distance that texture coordinates may leave the picture by and still count as inside.
const INSIDE: f32 = 1.0 / 1024.0;

/// A surface that shows several pictures in turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cycle {
    /// The surface.
    pub material: MaterialId,
    /// Name and key of each picture.
    pub frames: Vec<(String, String)>,
    /// Duration of each picture in milliseconds.
    pub sleep: u32,
    /// Sampler of the pictures.
    pub sampler: Sampler,
}

/// True if a primitive uses a material, in any variant.
fn uses_material(primitive: &Primitive, material: MaterialId) -> bool {
    let mut others = primitive.variants.iter().map(|variant| variant.material);
    primitive.material == Some(material) || others.any(|other| other == material)
}

/// True if all primitives with the material stay inside the picture.
fn stays_inside(scene: &Scene, material: MaterialId) -> bool {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut resolved = primitives.filter(|primitive| uses_material(primitive, material));
    resolved.all(|primitive| {
        let uvs = primitive.uvs.first().map_or(&[][..], Vec::as_slice);
        let mut parts = uvs.iter().flatten();
        parts.all(|part| (-INSIDE..=1.0 + INSIDE).contains(part))
    })
}

/// Puts the pictures of a surface next to each other, and makes it show them in turn. `None` if they
/// do not fit, or if the surface exceeds the picture: nothing changes.
fn play_cycle(scene: &mut Scene, cycle: &Cycle, view: TextureProvider<'_, '_>) -> Option<()> {
    if !stays_inside(scene, cycle.material) || cycle.sleep == 0 {
        return None;
    }
    let sizes = cycle.frames.iter().map(|(_, key)| {
        let picture = view.picture(key)?;
        Some((picture.width, picture.height))
    });
    let sizes: Vec<(u32, u32)> = sizes.collect::<Option<_>>()?;
    let speed = (1000.0 / f64::from(cycle.sleep)) as f32;
    let frame_times = atlas::frame_times(sizes.len(), speed, true, 0)?;
    if !atlas::sizes_fit(&sizes) {
        return None;
    }
    let keys: Vec<&str> = cycle.frames.iter().map(|(_, key)| key.as_str()).collect();
    let (name, _) = cycle.frames.first()?;
    let texture = scene.add_texture(Texture {
        name: format!("{name}_cycle"),
        key: atlas::key(&keys),
        sampler: cycle.sampler,
        extras: relicast_scene::model::Extras::new(),
    });
    let share = 1.0 / sizes.len() as f32;
    let transform = UvTransform {
        scale: [share, 1.0],
        ..UvTransform::default()
    };
    let surface = scene.materials.get_mut(cycle.material.index())?;
    surface.base_texture = Some(TextureRef {
        transform: Some(transform),
        ..TextureRef::new(texture)
    });
    let offsets = frame_times
        .frames
        .iter()
        .map(|&frame| [frame as f32 * share, 0.0]);
    scene.flip_books.push(FlipBook {
        material: cycle.material,
        offsets: offsets.collect(),
        times: frame_times.times,
    });
    Some(())
}

/// Animates the texture coordinates of surfaces with several pictures. Returns the number of surfaces that keep
/// their first picture, because animation is not possible.
pub(super) fn finish(scene: &mut Scene, cycles: &[Cycle], view: TextureProvider<'_, '_>) -> usize {
    if !view.options.scenes.cycle_atlas {
        return 0;
    }
    let still = cycles
        .iter()
        .filter(|cycle| play_cycle(scene, cycle, view).is_none());
    still.count()
}
