//! Models that are a picture facing the camera: a quad that faces forward, with the facts in
//! extras.

use crate::everquest::scene_builder::{Layers, Source};
use crate::everquest::space;
use relicast_formats::everquest::wld::{Body, FlatSprite, Material, MaterialFlags, Wld};
use relicast_scene::extras::{Float, ObjectExtras, everquest};
use relicast_scene::model::{Mesh, Node, Primitive};

/// The sprite definition that the instance at `index` refers to.
fn definition<'w>(wld: &'w Wld<'_>, index: usize) -> Option<(&'w str, &'w FlatSprite)> {
    let Body::FlatSprite(instance) = &wld.fragments.get(index)?.body else {
        return None;
    };
    let fragment = wld.get(instance.definition)?;
    let Body::FlatSpriteDefinition(sprite) = &fragment.body else {
        return None;
    };
    Some((fragment.name(), sprite))
}

/// True if any of a model's sprites is a picture that faces the camera.
pub(in crate::everquest) fn is_flat(wld: &Wld<'_>, sprites: &[usize]) -> bool {
    sprites
        .iter()
        .any(|&index| definition(wld, index).is_some())
}

/// Makes the scene of a model of pictures.
pub(in crate::everquest) fn build(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    name: &str,
    sprites: &[usize],
    facts: &everquest::Node,
) {
    let builder = &mut layers.main;
    let root = builder.scene.add_node(Node {
        name: name.to_owned(),
        extras: facts.extras(),
        ..Node::default()
    });
    builder.scene.roots.push(root);
    let wld = source.file.wld();
    let pictures = sprites.iter().filter_map(|&index| definition(wld, index));
    for (sprite_name, sprite) in pictures {
        let headings = sprite.pitches.iter().flat_map(|pitch| &pitch.headings);
        let frames: Vec<_> = headings.map(|heading| heading.frames.len()).collect();
        let first = sprite.pitches.iter().flat_map(|pitch| &pitch.headings);
        let first = first.flat_map(|heading| &heading.frames).next().copied();
        let shading = sprite.shading.texture();
        let material = Material {
            flags: MaterialFlags::empty(),
            render_method: sprite.render_method,
            texture: match shading.index() {
                Some(_) => shading,
                None => first.unwrap_or_default(),
            },
            ..Material::default()
        };
        let resolved = builder.material_of_sprite(source, sprite_name, &material);
        let [width, height] = sprite.size.to_array();
        let center = sprite.center.map_or([0.0; 3], |center| center.to_array());
        let [x, y, z] = space::vector(center);
        let (right, up) = (width / 2.0, height / 2.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let positions = corners.map(|(across, along)| [x + across * right, y + along * up, z]);
        let facts = everquest::Node {
            faces_camera: Some(true),
            size: Some([Float(width), Float(height)]),
            frames_by_heading: Some(frames),
            sleep_ms: sprite.sleep,
            ..everquest::Node::default()
        };
        let drawn = positions.as_flattened().iter().all(|part| part.is_finite());
        let mesh = drawn.then(|| {
            builder.scene.add_mesh(Mesh {
                name: sprite_name.to_owned(),
                primitives: vec![Primitive {
                    positions: positions.to_vec().into(),
                    normals: vec![[0.0, 0.0, 1.0]; 4].into(),
                    uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]].into(),
                    indices: vec![0, 1, 2, 0, 2, 3].into(),
                    material: Some(resolved.material),
                    keep_unused_uvs: resolved.lacks_picture,
                    ..Primitive::default()
                }],
                ..Mesh::default()
            })
        });
        let node = builder.scene.add_node(Node {
            name: sprite_name.to_owned(),
            mesh,
            extras: facts.extras(),
            ..Node::default()
        });
        builder.scene.add_child(root, node);
    }
}
