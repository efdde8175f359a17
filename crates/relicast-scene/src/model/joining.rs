//! Merges scenes, and copies parts of a scene.

use std::collections::{HashMap, HashSet};

use super::{
    CameraId, FlipBook, LightId, Material, MaterialId, Mesh, MeshId, Node, NodeId, Scene, Scroll,
    SkinId, TextureId, Transform, VariantId,
};

impl Scene {
    /// Appends the content of another scene, except its name and extras. Indices of the other scene grow by the
    /// number of items here: nodes by the number of nodes, and so on. Only variants of the same name become
    /// one.
    ///
    /// Returns the roots of the other scene, which have no parent and are not roots yet.
    pub fn merge(&mut self, mut other: Scene) -> Vec<NodeId> {
        let [nodes, meshes, skins, materials, textures, lights, cameras] = [
            self.nodes.len(),
            self.meshes.len(),
            self.skins.len(),
            self.materials.len(),
            self.textures.len(),
            self.lights.len(),
            self.cameras.len(),
        ];
        let names = other.variants.into_iter().map(|name| {
            let known = self.variants.iter().position(|known| *known == name);
            known.map_or_else(|| self.add_variant(name), VariantId::from)
        });
        let variants: Vec<VariantId> = names.collect();
        let node = |id: &mut NodeId| *id = NodeId::from(id.index() + nodes);
        let material = |id: &mut MaterialId| *id = MaterialId::from(id.index() + materials);
        let texture = |id: &mut TextureId| *id = TextureId::from(id.index() + textures);
        for it in &mut other.nodes {
            it.children.iter_mut().for_each(node);
            it.mesh = it.mesh.map(|id| MeshId::from(id.index() + meshes));
            it.skin = it.skin.map(|id| SkinId::from(id.index() + skins));
            it.light = it.light.map(|id| LightId::from(id.index() + lights));
            it.camera = it.camera.map(|id| CameraId::from(id.index() + cameras));
        }
        let primitives = other.meshes.iter_mut().map(|mesh| &mut mesh.primitives);
        for primitive in primitives.flatten() {
            primitive.material.iter_mut().for_each(material);
            for it in &mut primitive.variants {
                material(&mut it.material);
                if let Some(&known) = variants.get(it.variant.index()) {
                    it.variant = known;
                }
            }
        }
        let used = other.materials.iter_mut().flat_map(Material::textures_mut);
        used.for_each(|it| texture(&mut it.texture));
        for skin in &mut other.skins {
            skin.joints.iter_mut().for_each(|(joint, _)| node(joint));
            skin.skeleton.iter_mut().for_each(node);
        }
        for clip in &mut other.clips {
            (clip.channels.iter_mut()).for_each(|channel| node(&mut channel.node));
            (clip.surfaces.iter_mut()).for_each(|surface| material(&mut surface.material));
        }
        (other.scrolls.iter_mut()).for_each(|scroll| material(&mut scroll.material));
        (other.flip_books.iter_mut()).for_each(|book| material(&mut book.material));
        other.kept_textures.iter_mut().for_each(texture);
        let levels = other
            .detail_groups
            .iter_mut()
            .map(|group| &mut group.levels);
        levels.flatten().for_each(node);
        let roots = other.others.iter_mut().map(|beside| &mut beside.roots);
        roots.flatten().for_each(node);
        other.roots.iter_mut().for_each(node);
        self.nodes.extend(other.nodes);
        self.meshes.extend(other.meshes);
        self.skins.extend(other.skins);
        self.materials.extend(other.materials);
        self.textures.extend(other.textures);
        self.lights.extend(other.lights);
        self.cameras.extend(other.cameras);
        self.clips.extend(other.clips);
        self.kept_textures.extend(other.kept_textures);
        self.scrolls.extend(other.scrolls);
        self.flip_books.extend(other.flip_books);
        self.detail_groups.extend(other.detail_groups);
        self.others.extend(other.others);
        other.roots
    }

    /// Copies a node with all its descendants. The copy shares the meshes and has no parent yet.
    pub fn copy_tree(&mut self, root: NodeId) -> NodeId {
        let mut order = vec![root];
        let mut at = 0;
        let mut copies = HashMap::new();
        while let Some(&id) = order.get(at) {
            at += 1;
            let Some(node) = self.nodes.get(id.index()).cloned() else {
                continue;
            };
            if copies.contains_key(&id) {
                continue;
            }
            order.extend(&node.children);
            let copy = self.add_node(node);
            copies.insert(id, copy);
        }
        for copy in copies.values() {
            let children = std::mem::take(&mut self.nodes[copy.index()].children);
            let children = children
                .iter()
                .filter_map(|child| copies.get(child).copied());
            self.nodes[copy.index()].children = children.collect();
        }
        copies.get(&root).copied().unwrap_or(root)
    }

    /// Gives a node its own copies of its mesh and materials, which no other node uses. Returns the
    /// materials, in all variants. Animated texture coordinates are copied too.
    pub fn own_surfaces(&mut self, node: NodeId) -> Vec<MaterialId> {
        let shown = self.nodes.get(node.index()).and_then(|node| node.mesh);
        let known = shown.and_then(|mesh| self.meshes.get(mesh.index()));
        let Some(mut mesh) = known.cloned() else {
            return Vec::new();
        };
        let others = self.nodes.iter().enumerate();
        let others = others.filter(|(index, _)| *index != node.index());
        let others: HashSet<MeshId> = others.filter_map(|(_, other)| other.mesh).collect();
        let elsewhere = others
            .iter()
            .filter_map(|mesh| self.meshes.get(mesh.index()));
        let elsewhere: HashSet<MaterialId> = elsewhere.flat_map(Mesh::surfaces).collect();
        let mut own = Vec::new();
        let mut copies: HashMap<Option<MaterialId>, MaterialId> = HashMap::new();
        let mut take = |scene: &mut Self, original: Option<MaterialId>| {
            *copies.entry(original).or_insert_with(|| {
                let taken = match original {
                    Some(original) if !elsewhere.contains(&original) => original,
                    _ => scene.copy_surface(original),
                };
                own.push(taken);
                taken
            })
        };
        for primitive in &mut mesh.primitives {
            primitive.material = Some(take(self, primitive.material));
            for variant in &mut primitive.variants {
                variant.material = take(self, Some(variant.material));
            }
        }
        match shown.filter(|shown| !others.contains(shown)) {
            Some(shown) => self.meshes[shown.index()] = mesh,
            None => self.nodes[node.index()].mesh = Some(self.add_mesh(mesh)),
        }
        own
    }

    /// Copies a material (the default one for `None`) with its texture animations.
    fn copy_surface(&mut self, original: Option<MaterialId>) -> MaterialId {
        let known = original.and_then(|id| self.materials.get(id.index()));
        let material = self.add_material(known.cloned().unwrap_or_default());
        let scrolls = self
            .scrolls
            .iter()
            .filter(|scroll| Some(scroll.material) == original);
        let scrolls: Vec<Scroll> = scrolls
            .map(|&scroll| Scroll { material, ..scroll })
            .collect();
        self.scrolls.extend(scrolls);
        let books = self.flip_books.iter();
        let books = books
            .filter(|book| Some(book.material) == original)
            .cloned();
        let books: Vec<FlipBook> = books.map(|book| FlipBook { material, ..book }).collect();
        self.flip_books.extend(books);
        material
    }

    /// Puts all roots below a new root with this transform. Skinned meshes stay roots, because their joints place
    /// them.
    pub fn put_below(&mut self, name: &str, transform: Transform) -> NodeId {
        let roots = std::mem::take(&mut self.roots);
        let (skinned, moved) = roots.into_iter().partition(|root| {
            self.nodes
                .get(root.index())
                .is_some_and(|node| node.skin.is_some())
        });
        let wrapper = self.add_node(Node {
            name: name.to_owned(),
            transform,
            children: moved,
            ..Node::default()
        });
        self.roots = skinned;
        self.roots.insert(0, wrapper);
        wrapper
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{
        Channel, Clip, Extras, Interpolation, Primitive, Sampler, Texture, TextureRef, Track,
        VariantMaterial, specimen,
    };

    #[test]
    fn what_is_merged_is_placed_as_before() {
        let other = specimen::scene();
        let alone = other.bounds().unwrap();
        let mut scene = specimen::scene();
        let roots = scene.merge(other.clone());
        scene.roots = roots.clone();
        assert_eq!(scene.bounds().unwrap(), alone);
        assert_eq!(scene.nodes.len(), 2 * other.nodes.len());
        let copy = scene.copy_tree(roots[0]);
        let meshes = scene.meshes.len();
        scene.nodes[copy.index()].transform.translation += Vec3::X;
        scene.roots = vec![copy];
        assert!(scene.bounds().is_some());
        assert_eq!(scene.meshes.len(), meshes);
    }

    #[test]
    fn what_is_merged_still_refers_to_its_own() {
        let scene = |name: &str| {
            let mut scene = Scene::default();
            let texture = scene.add_texture(Texture {
                name: name.to_owned(),
                key: name.to_owned(),
                sampler: Sampler::default(),
                extras: Extras::new(),
            });
            let material = scene.add_material(Material {
                name: name.to_owned(),
                base_texture: Some(TextureRef::new(texture)),
                ..Material::default()
            });
            let primitive = Primitive {
                material: Some(material),
                ..Primitive::default()
            };
            let mesh = scene.add_mesh(Mesh {
                name: name.to_owned(),
                primitives: vec![primitive],
                ..Mesh::default()
            });
            let child = scene.add_node(Node {
                mesh: Some(mesh),
                name: name.to_owned(),
                ..Node::default()
            });
            let root = scene.add_node(Node::default());
            scene.add_child(root, child);
            scene.roots.push(root);
            scene.clips.push(Clip {
                channels: vec![Channel {
                    node: child,
                    times: vec![0.0],
                    interpolation: Interpolation::Step,
                    track: Track::Scale(vec![glam::Vec3::ONE]),
                }],
                ..Clip::default()
            });
            scene
        };
        let mut both = scene("one");
        let roots = both.merge(scene("two"));
        both.roots.extend(roots);
        assert_eq!(both.roots.len(), 2);
        let root = &both.nodes[both.roots[1].index()];
        let child = &both.nodes[root.children[0].index()];
        assert_eq!(child.name, "two");
        let mesh = &both.meshes[child.mesh.unwrap().index()];
        assert_eq!(mesh.name, "two");
        let material = &both.materials[mesh.primitives[0].material.unwrap().index()];
        assert_eq!(material.name, "two");
        let texture = material.base_texture.unwrap().texture;
        assert_eq!(both.textures[texture.index()].name, "two");
        let moved = both.clips[1].channels[0].node;
        assert_eq!(both.nodes[moved.index()].name, "two");
    }

    #[test]
    fn variants_of_the_same_name_become_one() {
        let scene = |names: [&str; 2]| {
            let mut scene = specimen::scene();
            for name in names {
                let variant = scene.add_variant(name);
                let material = MaterialId(0);
                let assigned = VariantMaterial { variant, material };
                scene.meshes[0].primitives[0].variants.push(assigned);
            }
            scene
        };
        let mut both = scene(["red", "blue"]);
        let meshes = both.meshes.len();
        both.merge(scene(["blue", "green"]));
        assert_eq!(both.variants, ["red", "blue", "green"]);
        let assigned = &both.meshes[meshes].primitives[0].variants;
        assert_eq!(
            [assigned[0].variant, assigned[1].variant],
            [VariantId(1), VariantId(2)]
        );
        assert_eq!(assigned[0].material, MaterialId(1));
    }

    #[test]
    fn surfaces_of_ones_own_are_used_by_nothing_else() {
        let mut scene = specimen::scene();
        let shows = |node: &Node| node.mesh.is_some();
        let first = NodeId::from(scene.nodes.iter().position(shows).unwrap());
        let twin = scene.copy_tree(first);
        scene.roots.push(twin);
        let (before, triangles) = (scene.clone(), |scene: &Scene, node: NodeId| {
            let mesh = scene.nodes[node.index()].mesh.unwrap();
            scene.meshes[mesh.index()].clone()
        });
        let own = scene.own_surfaces(twin);
        assert!(!own.is_empty());
        assert_eq!(triangles(&scene, first), triangles(&before, first));
        let (old, new) = (triangles(&before, twin), triangles(&scene, twin));
        assert_ne!(
            scene.nodes[first.index()].mesh,
            scene.nodes[twin.index()].mesh
        );
        for (old, new) in old.primitives.iter().zip(&new.primitives) {
            assert_eq!(old.positions, new.positions);
            let copy = new.material.unwrap();
            assert!(own.contains(&copy) && copy.index() >= before.materials.len());
            let material = old.material.map(|id| before.materials[id.index()].clone());
            assert_eq!(scene.materials[copy.index()], material.unwrap_or_default());
        }
        // Materials and meshes that are not shared are not copied.
        let (materials, meshes) = (scene.materials.len(), scene.meshes.len());
        assert_eq!(scene.own_surfaces(twin), own);
        assert_eq!(
            (scene.materials.len(), scene.meshes.len()),
            (materials, meshes)
        );
    }

    #[test]
    fn a_new_root_moves_everything() {
        let mut scene = specimen::scene();
        let (least, greatest) = scene.bounds().unwrap();
        let moved = Vec3::new(1.0, 2.0, 4.0);
        let root = scene.put_below("all", Transform::from_translation(moved));
        assert_eq!(scene.roots, [root]);
        let shift = moved.as_dvec3();
        assert_eq!(scene.bounds().unwrap(), (least + shift, greatest + shift));
    }
}
