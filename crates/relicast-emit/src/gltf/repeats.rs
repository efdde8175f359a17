//! Finds primitives with the shape of an earlier one: placements of one model that differ only in their light. Data
//! that was checked and written for the first is reused.

use std::sync::Arc;

use gltf_json as json;
use hashbrown::HashMap;

use relicast_scene::model::{Primitive, Topology};

/// Properties of a primitive, without its lists, that decide the bytes written for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Number of texture coordinate sets that are written.
    pub(super) uv_sets: usize,
    /// Grid of the positions, if they are integers.
    pub(super) grid: Option<i32>,
}

/// Hash key of a primitive, shared by equal shapes and few others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Mark {
    form: Form,
    vertices: usize,
    corners: usize,
    topology: Topology,
    /// Bits of the first and last position.
    ends: [[u32; 3]; 2],
}

impl Mark {
    /// Hash key of a primitive without morph targets; only such primitives are reused.
    fn new(primitive: &Primitive, form: Form) -> Option<Self> {
        let [first, last] = [primitive.positions.first()?, primitive.positions.last()?];
        primitive.morphs.is_empty().then(|| Self {
            form,
            vertices: primitive.positions.len(),
            corners: primitive.indices.len(),
            topology: primitive.topology,
            ends: [first, last].map(|position| position.map(f32::to_bits)),
        })
    }
}

/// The primitives of the meshes so far, by hash key.
#[derive(Debug, Default)]
pub(super) struct Repeats<'s> {
    /// A primitive, the index of its written mesh, and its index there.
    known: HashMap<Mark, (&'s Primitive, usize, usize)>,
}

impl<'s> Repeats<'s> {
    /// Finds an earlier primitive that differs from this one only in colors, material and extras.
    pub(super) fn find<'w>(
        &self,
        primitive: &Primitive,
        form: Form,
        written: &'w [json::Mesh],
    ) -> Option<&'w json::mesh::Primitive> {
        let &(known, mesh, place) = self.known.get(&Mark::new(primitive, form)?)?;
        let written = written.get(mesh)?.primitives.get(place);
        written.filter(|_| is_equal(known, primitive, form.uv_sets))
    }

    /// Records a primitive that was written. The first one of a shape stays.
    pub(super) fn note(&mut self, primitive: &'s Primitive, form: Form, mesh: usize, place: usize) {
        if let Some(mark) = Mark::new(primitive, form) {
            self.known.entry(mark).or_insert((primitive, mesh, place));
        }
    }
}

/// True if all lists except colors are the same, bit by bit.
fn is_equal(one: &Primitive, other: &Primitive, uv_sets: usize) -> bool {
    fn same<T: bytemuck::Pod>(one: &[T], other: &[T]) -> bool {
        bytemuck::cast_slice::<T, u8>(one) == bytemuck::cast_slice::<T, u8>(other)
    }
    let sets = |primitive: &Primitive| primitive.uvs.len().min(uv_sets);
    fn shared<T: bytemuck::Pod>(one: &Arc<Vec<T>>, other: &Arc<Vec<T>>) -> bool {
        Arc::ptr_eq(one, other) || same(one, other)
    }
    shared(&one.positions, &other.positions)
        && shared(&one.indices, &other.indices)
        && shared(&one.normals, &other.normals)
        && same(&one.tangents, &other.tangents)
        && same(&one.joints, &other.joints)
        && same(&one.weights, &other.weights)
        && sets(one) == sets(other)
        && (Arc::ptr_eq(&one.uvs, &other.uvs)
            || (one.uvs.iter().zip(&*other.uvs).take(uv_sets)).all(|(one, other)| same(one, other)))
        && one.topology == other.topology
        && one.morphs.is_empty()
        && other.morphs.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Primitive {
        Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into(),
            normals: vec![[0.0, 0.0, 1.0]; 3].into(),
            uvs: vec![vec![[0.5; 2]; 3], vec![[0.25; 2]; 3]].into(),
            colors: vec![[9; 4]; 3],
            indices: vec![0, 1, 2].into(),
            ..Primitive::default()
        }
    }

    fn uvs(primitive: &mut Primitive) -> &mut Vec<Vec<[f32; 2]>> {
        Arc::make_mut(&mut primitive.uvs)
    }

    fn written() -> json::Mesh {
        let primitive = json::mesh::Primitive {
            attributes: std::collections::BTreeMap::new(),
            extensions: None,
            extras: None,
            indices: Some(json::Index::new(7)),
            material: None,
            mode: json::validation::Checked::Valid(json::mesh::Mode::Triangles),
            targets: None,
        };
        json::Mesh {
            extensions: None,
            extras: None,
            name: None,
            primitives: vec![primitive],
            weights: None,
        }
    }

    #[test]
    fn what_differs_in_colors_alone_is_a_repetition() {
        let form = Form {
            uv_sets: 1,
            grid: None,
        };
        let first = triangle();
        let mut repeats = Repeats::default();
        repeats.note(&first, form, 0, 0);
        let meshes = [written()];
        let finds = |form: Form, change: &dyn Fn(&mut Primitive)| {
            let mut other = triangle();
            change(&mut other);
            repeats.find(&other, form, &meshes).is_some()
        };
        assert!(finds(form, &|_| ()));
        assert!(finds(form, &|other| other.colors = vec![[8; 4]; 3]));
        assert!(finds(form, &|other| uvs(other)[1][0] = [0.0; 2]));
        let others: [&dyn Fn(&mut Primitive); 8] = [
            &|other| Arc::make_mut(&mut other.positions)[1][2] = 0.5,
            &|other| Arc::make_mut(&mut other.positions)[1][2] = -0.0,
            &|other| Arc::make_mut(&mut other.normals)[1] = [0.0, 1.0, 0.0],
            &|other| other.normals = Arc::default(),
            &|other| uvs(other)[0][2] = [0.0; 2],
            &|other| other.indices = Arc::new(vec![0, 2, 1]),
            &|other| other.tangents = vec![[1.0, 0.0, 0.0, 1.0]; 3],
            &|other| other.morphs = vec![vec![[0.0; 3]; 3]],
        ];
        for change in others {
            assert!(!finds(form, change));
        }
        let forms = [
            Form { uv_sets: 2, ..form },
            Form {
                grid: Some(3),
                ..form
            },
        ];
        for other in forms {
            assert!(!finds(other, &|_| ()));
        }
        // Its mesh is not the last one.
        let repeated = repeats.find(&first, form, &[]);
        assert!(repeated.is_none());
    }
}
