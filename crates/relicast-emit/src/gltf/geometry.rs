//! Meshes: primitives, morph targets, material variants.

use std::collections::BTreeMap;

use gltf_json as json;
use json::extensions::mesh::{KhrMaterialsVariants, Mapping};
use json::mesh::{Mode, MorphTarget, Semantic};
use json::validation::Checked;
use json::{Accessor, Index};
use serde_json::Value;

use super::binary::{Binary, Bounds, Section};
use super::check::Used;
use super::error::{GltfError, Part};
use super::godot;
use super::options::GltfOptions;
use super::quantize;
use super::repeats::{Form, Repeats};
use super::values::raw_extras;
use relicast_scene::model::{Mesh, Primitive, Scene, SceneNames, Topology};

/// Largest difference from 1 of the squared length of a normal.
const NORMAL_TOLERANCE: f32 = 0.01;

/// Largest difference from 1 of the sum of a vertex's weights.
const WEIGHT_TOLERANCE: f32 = 5e-7;

/// The meshes in use.
pub(super) fn meshes(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
    options: &GltfOptions<'_>,
    grids: &[Option<i32>],
    binary: &mut Binary,
) -> Result<Vec<json::Mesh>, GltfError> {
    reserve(scene, used, options.quantize, binary);
    let mut meshes = Vec::with_capacity(used.meshes.list().len());
    let mut repeats = Repeats::default();
    for id in used.meshes.list().iter().map(|&id| id as usize) {
        let mesh = &scene.meshes[id];
        let part = Part("mesh", id);
        let filled = || {
            let primitives = mesh.primitives.iter();
            primitives.filter(|primitive| !primitive.indices.is_empty())
        };
        let writer = Writer {
            scene,
            used,
            mesh,
            srgb: options.godot_extras,
            quantize: options.quantize,
            grid: grids.get(id).copied().flatten(),
            part,
        };
        let forms = filled().map(|primitive| writer.form(primitive));
        let forms = forms.collect::<Result<Vec<Form>, _>>()?;
        let formed = || filled().zip(&forms);
        let primitives =
            formed().map(
                |(primitive, form)| match repeats.find(primitive, *form, &meshes) {
                    Some(first) => writer.repeated(primitive, first, binary),
                    None => writer.primitive(primitive, form.uv_sets, binary),
                },
            );
        let mut primitives = primitives.collect::<Result<Vec<_>, _>>()?;
        complete_variants(&mut primitives, used.variants.list().len());
        if used.meshes.list().len() > 1 {
            for (place, (primitive, form)) in formed().enumerate() {
                repeats.note(primitive, *form, meshes.len(), place);
            }
        }
        let weights: Vec<f32> = mesh
            .morph_targets
            .iter()
            .map(|target| target.weight + 0.0)
            .collect();
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(GltfError::NotFinite {
                part,
                field: "weights",
            });
        }
        let mut extras = mesh.extras.clone();
        if !mesh.morph_targets.is_empty() {
            // Engines look here for the names of morph targets.
            let names = mesh
                .morph_targets
                .iter()
                .map(|target| Value::from(target.name.as_str()));
            extras.insert("targetNames".to_owned(), names.collect());
        }
        meshes.push(json::Mesh {
            extensions: None,
            extras: raw_extras(&extras)?,
            name: Some(names.meshes[id].clone()),
            primitives,
            weights: (!weights.is_empty()).then_some(weights),
        });
    }
    Ok(meshes)
}

/// Maps all variants of a file to the own material of primitives without variants, if others of the mesh have some:
/// Blender (4.2 to 5.0) expects them in each primitive of a mesh or in none.
fn complete_variants(primitives: &mut [json::mesh::Primitive], count: usize) {
    let has_some = |primitive: &json::mesh::Primitive| {
        let extensions = primitive.extensions.as_ref();
        extensions.is_some_and(|all| all.khr_materials_variants.is_some())
    };
    if !primitives.iter().any(has_some) {
        return;
    }
    for primitive in primitives
        .iter_mut()
        .filter(|primitive| !has_some(primitive))
    {
        let material = primitive.material.map(|material| material.value());
        let Some(material) = material.and_then(|it| u32::try_from(it).ok()) else {
            continue;
        };
        let variants = (0..).take(count).collect();
        let mappings = vec![Mapping { material, variants }];
        let extensions = primitive.extensions.get_or_insert_default();
        extensions.khr_materials_variants = Some(KhrMaterialsVariants { mappings });
    }
}

/// Reserves memory for all vertices and indices; if some are equal, it is more than needed.
fn reserve(scene: &Scene, used: &Used, quantize: bool, binary: &mut Binary) {
    let meshes = used.meshes.list().iter();
    let meshes = meshes.filter_map(|&id| scene.meshes.get(id as usize));
    let primitives = meshes.flat_map(|mesh| &mesh.primitives);
    let (mut vectors, mut uvs, mut colors) = (0_usize, 0_usize, 0_usize);
    let (mut narrow, mut wide) = (0_usize, 0_usize);
    let mut count = 0_usize;
    // The other data of the buffer, which grows out of the section of vectors.
    let mut more = 0_usize;
    for primitive in primitives.filter(|primitive| !primitive.indices.is_empty()) {
        count += 1;
        let morphs = primitive.morphs.iter().map(Vec::len).sum::<usize>();
        // Vectors on grids are in other sections, which grow as they are written.
        if !quantize {
            vectors += primitive.positions.len() + primitive.normals.len() + morphs;
        }
        uvs += primitive.uvs.iter().map(Vec::len).sum::<usize>();
        colors += primitive.colors.len();
        let skinned = primitive.joints.len().saturating_mul(SKINNED);
        more += size_of_val(&*primitive.tangents) + skinned + INDICES_FILL;
        match primitive.positions.len() <= usize::from(u16::MAX) {
            true => narrow += primitive.indices.len(),
            false => wide += primitive.indices.len(),
        }
    }
    binary.expect(count);
    for (section, count, size) in [
        (Section::Uvs, uvs, size_of::<[f32; 2]>()),
        (Section::Colors, colors, size_of::<[u16; 4]>()),
        (Section::Indices, narrow, size_of::<u16>()),
        (Section::WideIndices, wide, size_of::<u32>()),
    ] {
        let bytes = count.saturating_mul(size);
        binary.reserve(section, bytes);
        more = more.saturating_add(bytes);
    }
    let vectors = vectors.saturating_mul(size_of::<[f32; 3]>());
    binary.reserve(Section::Vectors, vectors.saturating_add(more));
}

/// Bytes of the joints and weights of a vertex.
const SKINNED: usize = size_of::<[u16; 4]>() + size_of::<[f32; 4]>();

/// Largest padding after the indices of a primitive, in bytes.
const INDICES_FILL: usize = 2;

struct Writer<'a> {
    scene: &'a Scene,
    used: &'a Used,
    mesh: &'a Mesh,
    /// True if vertex colors are sRGB.
    srgb: bool,
    /// True if normals are stored in fewer bytes.
    quantize: bool,
    /// Grid of the positions, if they are integers.
    grid: Option<i32>,
    part: Part,
}

impl Writer<'_> {
    /// Checks the lengths of a primitive's lists against each other and its materials.
    fn form(&self, primitive: &Primitive) -> Result<Form, GltfError> {
        self.check_lengths(primitive)?;
        Ok(Form {
            uv_sets: self.uv_sets(primitive)?,
            grid: self.grid,
        })
    }

    /// Writes a primitive whose lengths were checked.
    fn primitive(
        &self,
        primitive: &Primitive,
        uv_sets: usize,
        binary: &mut Binary,
    ) -> Result<json::mesh::Primitive, GltfError> {
        self.check_values(primitive)?;
        let attributes = self.attributes(primitive, uv_sets, binary)?;
        let targets = self.morph_targets(primitive, binary)?;
        let indices = binary.indices(&primitive.indices, primitive.positions.len());
        self.written(primitive, attributes, targets, Some(indices))
    }

    /// Writes a primitive that differs from an earlier one only in colors, material and extras.
    fn repeated(
        &self,
        primitive: &Primitive,
        first: &json::mesh::Primitive,
        binary: &mut Binary,
    ) -> Result<json::mesh::Primitive, GltfError> {
        let mut attributes = first.attributes.clone();
        attributes.remove(&Checked::Valid(Semantic::Colors(0)));
        if let Some(colors) = self.colors(primitive, binary) {
            attributes.insert(Checked::Valid(Semantic::Colors(0)), colors);
        }
        self.written(primitive, attributes, Vec::new(), first.indices)
    }

    fn written(
        &self,
        primitive: &Primitive,
        attributes: BTreeMap<Checked<Semantic>, Index<Accessor>>,
        targets: Vec<MorphTarget>,
        indices: Option<Index<Accessor>>,
    ) -> Result<json::mesh::Primitive, GltfError> {
        let material = primitive
            .material
            .and_then(|id| self.used.materials.place(id.0));
        Ok(json::mesh::Primitive {
            attributes,
            extensions: self.variants(primitive)?,
            extras: raw_extras(&primitive.extras)?,
            indices,
            material: material.map(Index::new),
            mode: Checked::Valid(match primitive.topology {
                Topology::Triangles => Mode::Triangles,
                Topology::Lines => Mode::Lines,
                Topology::Points => Mode::Points,
            }),
            targets: (!targets.is_empty()).then_some(targets),
        })
    }

    /// Writes the attributes of the vertices, with the first `uv_sets` sets of texture coordinates.
    fn attributes(
        &self,
        primitive: &Primitive,
        uv_sets: usize,
        binary: &mut Binary,
    ) -> Result<BTreeMap<Checked<Semantic>, Index<Accessor>>, GltfError> {
        let of = |field| (self.part, field);
        let mut attributes: BTreeMap<Checked<Semantic>, Index<Accessor>> = BTreeMap::new();
        let mut add = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
        let positions = &primitive.positions;
        add(
            Semantic::Positions,
            match self.grid {
                Some(power) => {
                    let rows = quantize::on_grid(positions, power);
                    binary.short_vectors(Section::Grid, &rows, Bounds::Stated)
                }
                None => {
                    binary.floats(Section::Vectors, positions, Bounds::Stated, of("positions"))?
                }
            },
        );
        if !primitive.normals.is_empty() {
            add(Semantic::Normals, self.normals(&primitive.normals, binary)?);
        }
        if !primitive.tangents.is_empty() {
            let tangents = &primitive.tangents;
            let accessor =
                binary.floats(Section::Weights, tangents, Bounds::Absent, of("tangents"))?;
            add(Semantic::Tangents, accessor);
        }
        for (set, uvs) in (0..).zip(primitive.uvs.iter().take(uv_sets)) {
            add(
                Semantic::TexCoords(set),
                binary.floats(Section::Uvs, uvs, Bounds::Absent, of("texture coordinates"))?,
            );
        }
        if let Some(accessor) = self.colors(primitive, binary) {
            add(Semantic::Colors(0), accessor);
        }
        if !primitive.joints.is_empty() {
            add(
                Semantic::Joints(0),
                binary.shorts(Section::Joints, &primitive.joints),
            );
            add(
                Semantic::Weights(0),
                binary.floats(
                    Section::Weights,
                    &primitive.weights,
                    Bounds::Absent,
                    of("weights"),
                )?,
            );
        }
        Ok(attributes)
    }

    /// Writes the colors, unless all are white.
    fn colors(&self, primitive: &Primitive, binary: &mut Binary) -> Option<Index<Accessor>> {
        let mut colors = primitive.colors.iter();
        let is_colored = colors.any(|color| *color != [u16::MAX; 4]);
        is_colored.then(|| match self.srgb {
            true => binary.shorts(Section::Colors, &godot::colors(&primitive.colors)),
            false => binary.shorts(Section::Colors, &primitive.colors),
        })
    }

    fn normals(
        &self,
        normals: &[[f32; 3]],
        binary: &mut Binary,
    ) -> Result<Index<Accessor>, GltfError> {
        if !self.quantize {
            let of = (self.part, "normals");
            return binary.floats(Section::Vectors, normals, Bounds::Absent, of);
        }
        Ok(match quantize::as_bytes(normals) {
            Some(rows) => binary.byte_normals(&rows),
            None => {
                let rows = quantize::as_shorts(normals);
                binary.short_vectors(Section::ShortNormals, &rows, Bounds::Absent)
            }
        })
    }

    fn morph_targets(
        &self,
        primitive: &Primitive,
        binary: &mut Binary,
    ) -> Result<Vec<MorphTarget>, GltfError> {
        let of = |field| (self.part, field);
        let targets = primitive.morphs.iter().map(|deltas| {
            let deltas = binary.floats(
                Section::Vectors,
                deltas,
                Bounds::Stated,
                of("displacements"),
            )?;
            Ok(MorphTarget {
                positions: Some(deltas),
                normals: None,
                tangents: None,
            })
        });
        targets.collect()
    }

    /// Checks the lengths of lists.
    fn check_lengths(&self, primitive: &Primitive) -> Result<(), GltfError> {
        let part = self.part;
        let vertices = primitive.positions.len();
        let length = |field, found: usize, expected: usize| {
            if found == expected {
                Ok(())
            } else {
                Err(GltfError::Length {
                    part,
                    field,
                    expected,
                    found,
                })
            }
        };
        let optional =
            |field, found: usize| length(field, found, if found == 0 { 0 } else { vertices });
        optional("normals", primitive.normals.len())?;
        optional("tangents", primitive.tangents.len())?;
        optional("colors", primitive.colors.len())?;
        optional("joints", primitive.joints.len())?;
        length("weights", primitive.weights.len(), primitive.joints.len())?;
        length(
            "morph targets",
            primitive.morphs.len(),
            self.mesh.morph_targets.len(),
        )?;
        for uvs in &*primitive.uvs {
            length("texture coordinates", uvs.len(), vertices)?;
        }
        for deltas in &primitive.morphs {
            length("displacements", deltas.len(), vertices)?;
        }
        Ok(())
    }

    /// Checks the values of lists of the right lengths.
    fn check_values(&self, primitive: &Primitive) -> Result<(), GltfError> {
        let part = self.part;
        let vertices = primitive.positions.len();
        let range = |field, rule| Err(GltfError::OutOfRange { part, field, rule });
        let corners = primitive.topology.corners();
        if !primitive.indices.len().is_multiple_of(corners) {
            return range("indices", "a multiple of 3 for triangles, of 2 for lines");
        }
        if primitive
            .indices
            .iter()
            .any(|&index| index as usize >= vertices || index == u32::MAX)
        {
            return range("indices", "each must be the index of a vertex");
        }
        let unit = |normal: &[f32; 3]| {
            let square: f32 = normal.iter().map(|value| value * value).sum();
            (square - 1.0).abs() <= NORMAL_TOLERANCE
        };
        if !primitive.normals.iter().all(unit) {
            return range("normals", "each must have length 1");
        }
        let sided = |[x, y, z, side]: &[f32; 4]| unit(&[*x, *y, *z]) && side.abs() == 1.0;
        if !primitive.tangents.iter().all(sided) {
            return range("tangents", "each must have length 1, and a side of 1 or -1");
        }
        let whole = |weights: &[f32; 4]| {
            let sum: f32 = weights.iter().sum();
            weights.iter().all(|weight| *weight >= 0.0) && (sum - 1.0).abs() <= WEIGHT_TOLERANCE
        };
        if !primitive.weights.iter().all(whole) {
            return range("weights", "none may be negative, and the sum must be 1");
        }
        Ok(())
    }

    /// Number of texture coordinate sets that are written.
    fn uv_sets(&self, primitive: &Primitive) -> Result<usize, GltfError> {
        let found = primitive.uvs.len();
        let others = primitive.variants.iter().map(|mapping| mapping.material);
        let mut most = 0;
        for id in primitive.material.into_iter().chain(others) {
            let needed = self
                .scene
                .materials
                .get(id.index())
                .map_or(0, |material| material.uv_sets());
            if needed > found {
                let material = Part("material", id.index());
                return Err(GltfError::MissingUvs {
                    part: self.part,
                    material,
                    needed,
                    found,
                });
            }
            most = most.max(needed);
        }
        Ok(if primitive.keep_unused_uvs {
            found
        } else {
            most
        })
    }

    /// Writes material variants, one mapping for each material in the order of first use.
    fn variants(
        &self,
        primitive: &Primitive,
    ) -> Result<Option<json::extensions::mesh::Primitive>, GltfError> {
        let mut mappings: Vec<Mapping> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for mapping in &primitive.variants {
            if !known.insert(mapping.variant) {
                let target = Part("variant", mapping.variant.index());
                return Err(GltfError::Twice {
                    holder: self.part,
                    target,
                });
            }
            let places = (
                self.used.materials.place(mapping.material.0),
                self.used.variants.place(mapping.variant.0),
            );
            let (Some(material), Some(variant)) = places else {
                continue;
            };
            match mappings
                .iter_mut()
                .find(|mapping| mapping.material == material)
            {
                Some(same) => same.variants.push(variant),
                None => mappings.push(Mapping {
                    material,
                    variants: vec![variant],
                }),
            }
        }
        Ok(
            (!mappings.is_empty()).then(|| json::extensions::mesh::Primitive {
                khr_materials_variants: Some(KhrMaterialsVariants { mappings }),
                ..Default::default()
            }),
        )
    }
}
