//! Scenes put into other scenes, and parts of a scene put there again.

use std::collections::{HashMap, HashSet};

use super::{
    CameraId, FlipBook, LightId, MaterialId, Mesh, MeshId, Node, NodeId, Scene, Scroll, SkinId,
    TextureId, Transform, VariantId,
};

impl Scene {
    /// Moves the content of another scene into this one, except its clips and extras. Returns its roots,
    /// which are neither roots here nor below any node yet. Variants of the same name are merged.
    pub fn absorb(&mut self, other: Scene) -> Vec<NodeId> {
        let [nodes, meshes, skins, materials, textures, lights, cameras] = [
            self.nodes.len(),
            self.meshes.len(),
            self.skins.len(),
            self.materials.len(),
            self.textures.len(),
            self.lights.len(),
            self.cameras.len(),
        ];
        let variants: Vec<VariantId> = other
            .variants
            .into_iter()
            .map(|name| {
                let known = self.variants.iter().position(|known| *known == name);
                known.map_or_else(|| self.add_variant(name), VariantId::from)
            })
            .collect();
        let node = |id: NodeId| NodeId::from(nodes + id.index());
        let material = |id: MaterialId| MaterialId::from(materials + id.index());
        self.textures.extend(other.textures);
        self.lights.extend(other.lights);
        self.cameras.extend(other.cameras);
        self.materials
            .extend(other.materials.into_iter().map(|mut worn| {
                for texture in worn.textures_mut() {
                    texture.texture = TextureId::from(textures + texture.texture.index());
                }
                worn
            }));
        self.scrolls
            .extend(other.scrolls.into_iter().map(|scroll| Scroll {
                material: material(scroll.material),
                ..scroll
            }));
        let books = other.flip_books.into_iter();
        self.flip_books.extend(books.map(|book| FlipBook {
            material: material(book.material),
            ..book
        }));
        let kept = other.kept_textures.iter();
        let kept = kept.map(|id| TextureId::from(textures + id.index()));
        self.kept_textures.extend(kept);
        self.meshes.extend(other.meshes.into_iter().map(|mut mesh| {
            for primitive in &mut mesh.primitives {
                primitive.material = primitive.material.map(material);
                for variant in &mut primitive.variants {
                    variant.material = material(variant.material);
                    if let Some(&known) = variants.get(variant.variant.index()) {
                        variant.variant = known;
                    }
                }
            }
            mesh
        }));
        self.skins.extend(other.skins.into_iter().map(|mut skin| {
            for (joint, _) in &mut skin.joints {
                *joint = node(*joint);
            }
            skin.skeleton = skin.skeleton.map(node);
            skin
        }));
        self.nodes.extend(other.nodes.into_iter().map(|mut one| {
            one.children
                .iter_mut()
                .for_each(|child| *child = node(*child));
            one.mesh = one.mesh.map(|id| MeshId::from(meshes + id.index()));
            one.skin = one.skin.map(|id| SkinId::from(skins + id.index()));
            one.light = one.light.map(|id| LightId::from(lights + id.index()));
            one.camera = one.camera.map(|id| CameraId::from(cameras + id.index()));
            one
        }));
        let beside = other.others.into_iter();
        self.others.extend(beside.map(|mut other| {
            other.roots.iter_mut().for_each(|root| *root = node(*root));
            other
        }));
        other.roots.into_iter().map(node).collect()
    }

    /// Copies a node with all below it. The copy shares the meshes and has no parent yet.
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

    /// Copies a surface, white chalk for none, and what moves over it.
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

    /// Puts all roots below a new root with this transform. Skinned meshes stay roots, as their joints place
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
    use crate::model::specimen;

    #[test]
    fn what_is_absorbed_stands_as_before() {
        let other = specimen::scene();
        let alone = other.bounds().unwrap();
        let mut scene = specimen::scene();
        let roots = scene.absorb(other.clone());
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
    fn surfaces_of_ones_own_are_worn_by_nothing_else() {
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
            let looks = old.material.map(|id| before.materials[id.index()].clone());
            assert_eq!(scene.materials[copy.index()], looks.unwrap_or_default());
        }
        // What is its own already stays as it is.
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
