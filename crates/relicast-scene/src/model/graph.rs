//! Scenes and nodes.
//!
//! ```
//! use relicast_scene::model::{Node, Scene};
//!
//! let mut scene = Scene::default();
//! let tower = scene.add_node(Node { name: "tower".to_owned(), ..Node::default() });
//! let flag = scene.add_node(Node { name: "flag".to_owned(), ..Node::default() });
//! scene.add_child(tower, flag);
//! scene.roots.push(tower);
//! let mut count = 0;
//! scene.visit(|_, _| count += 1);
//! assert_eq!(count, 2);
//! ```

use glam::{DMat4, DVec3};

use super::{
    Camera, CameraId, Clip, Extras, Light, LightId, Material, MaterialId, Mesh, MeshId, NameHint,
    NodeId, Placement, Skin, SkinId, Texture, TextureId, Transform, VariantId,
};

/// A hierarchy of nodes with all their content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Name.
    pub name: String,
    /// Nodes without a parent, in order.
    pub roots: Vec<NodeId>,
    /// Every node is a root or the child of one node.
    pub nodes: Vec<Node>,
    /// Geometry.
    pub meshes: Vec<Mesh>,
    /// Bindings of geometry to nodes.
    pub skins: Vec<Skin>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Textures of materials.
    pub textures: Vec<Texture>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Movements.
    pub clips: Vec<Clip>,
    /// Names of the material variants of primitives.
    pub variants: Vec<String>,
    /// Textures that are written although no material uses them.
    pub kept_textures: Vec<TextureId>,
    /// Materials with a scrolling texture.
    pub scrolls: Vec<Scroll>,
    /// Materials with a flip-book texture.
    pub flip_books: Vec<FlipBook>,
    /// Groups of nodes of which one is shown at a time.
    pub detail_groups: Vec<DetailGroup>,
    /// Other hierarchies over the same geometry, materials and so on. A file shows the first scene, with
    /// `roots`, unless another one is requested.
    pub others: Vec<OtherScene>,
    /// Extras.
    pub extras: Extras,
}

/// An additional scene. Its nodes are among those of the scene, and in no other
/// hierarchy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OtherScene {
    /// Name.
    pub name: String,
    /// Nodes without a parent, in order.
    pub roots: Vec<NodeId>,
    /// Extras.
    pub extras: Extras,
}

/// A texture that scrolls evenly over a material, repeatedly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scroll {
    /// The material; its texture has a transform.
    pub material: MaterialId,
    /// Seconds until the movement repeats, above 0.
    pub seconds: f32,
    /// Offset of the texture coordinates at that time.
    pub offset: [f32; 2],
}

/// A texture with several frames that jumps from one to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct FlipBook {
    /// The material; its texture has a transform.
    pub material: MaterialId,
    /// Start times of the offsets in seconds, strictly increasing from 0; the last time ends the clip.
    pub times: Vec<f32>,
    /// Offsets of the texture coordinates, one per time.
    pub offsets: Vec<[f32; 2]>,
}

/// Levels of detail of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct DetailGroup {
    /// Nodes, the finest first; all are in the scene.
    pub levels: Vec<NodeId>,
    /// For each level the smallest fraction of the screen, 0 to 1, that the object covers when it is shown.
    pub coverage: Vec<f32>,
}

/// A node of the hierarchy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Name, need not be unique.
    pub name: String,
    /// Hint for engines, written as an ending of the name.
    pub hint: Option<NameHint>,
    /// Transform relative to its parent.
    pub transform: Transform,
    /// Nodes that move with it, in order.
    pub children: Vec<NodeId>,
    /// Geometry shown here.
    pub mesh: Option<MeshId>,
    /// Transforms in the space of the node, at which the geometry is shown instead of at the node; empty if it is shown
    /// once. Written as `EXT_mesh_gpu_instancing`. Single instances cannot have properties of their own.
    pub instances: Vec<Transform>,
    /// Binding of that geometry. Such a node is a root without transform.
    pub skin: Option<SkinId>,
    /// Light that shines here.
    pub light: Option<LightId>,
    /// Camera that looks from here.
    pub camera: Option<CameraId>,
    /// Visibility of the node and all below it; `None` if that is not written. Not all engines support
    /// it.
    pub shown: Option<bool>,
    /// Extras.
    pub extras: Extras,
}

/// The node or nodes of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Outer node: child of the parent, and target of clips.
    pub outer: NodeId,
    /// Inner node: holds mesh and children. The same as `outer` unless there is shear.
    pub inner: NodeId,
}

fn push<T, I: From<usize>>(list: &mut Vec<T>, value: T) -> I {
    list.push(value);
    I::from(list.len() - 1)
}

impl Scene {
    /// Adds a node, which is not yet a root or a child.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        push(&mut self.nodes, node)
    }

    /// Adds a node at a placement. Shear needs two nodes: `node`, and within it `name__shear`. The inner node gets
    /// mesh, skin, light, camera and children; the extras stay with the outer one.
    pub fn add_placed(&mut self, mut node: Node, placement: &Placement) -> Placed {
        node.transform = placement.outer();
        let Placement::Sheared { inner, .. } = placement else {
            let outer = self.add_node(node);
            return Placed {
                outer,
                inner: outer,
            };
        };
        let shear = Node {
            name: format!("{}__shear", node.name),
            hint: node.hint.take(),
            transform: *inner,
            children: std::mem::take(&mut node.children),
            mesh: node.mesh.take(),
            instances: std::mem::take(&mut node.instances),
            skin: node.skin.take(),
            light: node.light.take(),
            camera: node.camera.take(),
            shown: None,
            extras: Extras::new(),
        };
        let outer = self.add_node(node);
        let inner = self.add_node(shear);
        self.add_child(outer, inner);
        Placed { outer, inner }
    }

    /// Makes a node the child of another. A parent that does not exist changes nothing.
    pub fn add_child(&mut self, parent: NodeId, child: NodeId) {
        if let Some(parent) = self.nodes.get_mut(parent.index()) {
            parent.children.push(child);
        }
    }

    /// Adds a mesh.
    pub fn add_mesh(&mut self, mesh: Mesh) -> MeshId {
        push(&mut self.meshes, mesh)
    }

    /// Inserts a new node between a node and its parent. Movements of the node do not move the new
    /// one.
    pub fn wrap(&mut self, inner: NodeId, wrapper: Node) -> NodeId {
        let outer = self.add_node(Node {
            children: vec![inner],
            ..wrapper
        });
        let beside = self.others.iter_mut().map(|other| &mut other.roots);
        let lists = self.nodes.iter_mut().map(|node| &mut node.children);
        let lists = lists.chain([&mut self.roots]).chain(beside).enumerate();
        for (index, list) in lists {
            if index != outer.index() {
                let places = list.iter_mut().filter(|place| **place == inner);
                places.for_each(|place| *place = outer);
            }
        }
        outer
    }

    /// Adds a skin.
    pub fn add_skin(&mut self, skin: Skin) -> SkinId {
        push(&mut self.skins, skin)
    }

    /// Adds a material.
    pub fn add_material(&mut self, material: Material) -> MaterialId {
        push(&mut self.materials, material)
    }

    /// Adds a texture.
    pub fn add_texture(&mut self, texture: Texture) -> TextureId {
        push(&mut self.textures, texture)
    }

    /// Adds a light.
    pub fn add_light(&mut self, light: Light) -> LightId {
        push(&mut self.lights, light)
    }

    /// Adds a camera.
    pub fn add_camera(&mut self, camera: Camera) -> CameraId {
        push(&mut self.cameras, camera)
    }

    /// Adds a material variant.
    pub fn add_variant(&mut self, name: impl Into<String>) -> VariantId {
        push(&mut self.variants, name.into())
    }

    /// Visits every node below a root, parents first, with its matrix to scene space.
    /// A node that is reached twice is visited once.
    pub fn visit(&self, mut visitor: impl FnMut(NodeId, &DMat4)) {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<(NodeId, DMat4)> = self
            .roots
            .iter()
            .rev()
            .map(|&root| (root, DMat4::IDENTITY))
            .collect();
        while let Some((id, parent)) = stack.pop() {
            let Some(node) = self.nodes.get(id.index()) else {
                continue;
            };
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let matrix = parent * node.transform.to_matrix();
            visitor(id, &matrix);
            stack.extend(node.children.iter().rev().map(|&child| (child, matrix)));
        }
    }

    /// Smallest box around all geometry in scene space: corners with the least and the greatest
    /// coordinates. `None` without geometry. Skins, morph targets and clips are at rest.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let mut bounds: Option<(DVec3, DVec3)> = None;
        self.visit(|id, matrix| {
            let mesh = self.nodes[id.index()].mesh;
            let Some(mesh) = mesh.and_then(|mesh| self.meshes.get(mesh.index())) else {
                return;
            };
            for position in mesh.primitives.iter().flat_map(|part| &*part.positions) {
                let point = matrix.transform_point3(DVec3::from_array(position.map(f64::from)));
                let (least, greatest) = bounds.get_or_insert((point, point));
                *least = least.min(point);
                *greatest = greatest.max(point);
            }
        });
        bounds
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::extras::number;
    use super::*;

    fn named(name: &str) -> Node {
        Node {
            name: name.to_owned(),
            ..Node::default()
        }
    }

    #[test]
    fn a_wrapper_takes_the_place_of_what_it_holds() {
        let mut scene = Scene::default();
        let child = scene.add_node(named("child"));
        let root = scene.add_node(named("root"));
        scene.add_child(root, child);
        scene.roots.push(root);
        let around_child = scene.wrap(child, named("shown"));
        let around_root = scene.wrap(root, named("all"));
        assert_eq!(scene.roots, [around_root]);
        assert_eq!(scene.nodes[root.index()].children, [around_child]);
        assert_eq!(scene.nodes[around_child.index()].children, [child]);
    }

    #[test]
    fn numbers_have_the_digits_of_their_width() {
        assert_eq!(number(0.1).to_string(), "0.1");
        assert_eq!(number(-0.0).to_string(), "0.0");
        assert_eq!(number(f32::NAN), Value::Null);
        assert_eq!(
            number(f32::MAX).as_f64().map(|wide| wide as f32),
            Some(f32::MAX)
        );
    }
}
