//! The models of an EQG archive, decoded, and their use of pictures.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::everquest::archive::stem_of;
use crate::everquest::render_method::Uses;
use relicast_codec::{Decoded, Deviations, FormatError, Vec2};
use relicast_formats::everquest::eqg::creature::{self, Creature};
use relicast_formats::everquest::eqg::layers;
use relicast_formats::everquest::eqg::mesh::{self, Mesh};
use relicast_formats::everquest::eqg::parts::{
    Bone, Material, NO_MATERIAL, Strings, Triangle, TriangleFlags, Vertex, VertexWeights,
};
use relicast_formats::everquest::eqg::zone;
use relicast_formats::kind::Kind;
use relicast_limits as limits;

use super::shader::{Blend, Shader};
use super::shader_material::{DIFFUSE, NORMAL, ShaderMaterial};
use super::variants::LayerVariants;

/// Terrain, a model or a creature.
#[derive(Debug)]
pub(crate) enum Model {
    /// Terrain or a model.
    Mesh(Box<Mesh>),
    /// A creature of several pieces.
    Creature(Box<Creature>),
}

/// A piece of a model.
#[derive(Debug, Clone)]
pub(super) struct Piece<'m> {
    /// Name.
    pub name: String,
    /// True if it replaces another piece.
    pub alternate: bool,
    /// Vertices.
    pub vertices: &'m [Vertex],
    /// True if vertices have a color and second texture coordinates of their own.
    pub colored: bool,
    /// Second texture coordinates that are stored separately.
    pub second: &'m [Vec2],
    /// Triangles.
    pub triangles: &'m [Triangle],
    /// The bones of each vertex.
    pub weights: &'m [VertexWeights],
}

impl Piece<'_> {
    /// Second texture coordinates of a vertex, if there are any.
    pub(super) fn second(&self, vertex: usize) -> Option<[f32; 2]> {
        match self.colored {
            true => Some(self.vertices.get(vertex)?.uv2.to_array()),
            false => Some(self.second.get(vertex)?.to_array()),
        }
    }

    /// Light that is stored with the vertices.
    pub(super) fn colors(&self) -> Vec<[u8; 4]> {
        let vertices = self.vertices.iter().filter(|_| self.colored);
        vertices.map(|vertex| vertex.color).collect()
    }
}

/// True if a triangle is drawn, in a model with that many materials.
pub(super) fn is_drawn(triangle: &Triangle, materials: usize) -> bool {
    triangle.material != NO_MATERIAL
        && materials > 0
        && !triangle.flags.contains(TriangleFlags::TRANSPARENT)
}

/// A name without digits at its end, in lower case: pieces with the same name are alternatives.
fn without_digits(name: &str) -> String {
    let trimmed = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    trimmed.to_lowercase()
}

impl Model {
    fn strings(&self) -> &Strings {
        match self {
            Self::Mesh(mesh) => &mesh.strings,
            Self::Creature(creature) => &creature.strings,
        }
    }

    fn materials(&self) -> &[Material] {
        match self {
            Self::Mesh(mesh) => &mesh.materials,
            Self::Creature(creature) => &creature.materials,
        }
    }

    /// Number of materials.
    pub(super) fn material_count(&self) -> usize {
        self.materials().len()
    }

    /// The bones.
    pub(super) fn bones(&self) -> &[Bone] {
        match self {
            Self::Mesh(mesh) => &mesh.tail.bones,
            Self::Creature(creature) => &creature.bones,
        }
    }

    /// Name of a bone.
    pub(super) fn bone_name(&self, bone: &Bone) -> String {
        self.strings().text(bone.name)
    }

    /// True if V of texture coordinates grows up the picture: with bones, and in creatures.
    pub(super) fn is_turned(&self) -> bool {
        match self {
            Self::Mesh(mesh) => !mesh.tail.bones.is_empty(),
            Self::Creature(_) => true,
        }
    }

    /// The material at an index of the list.
    pub(super) fn shader_material(&self, place: usize) -> Option<ShaderMaterial> {
        let material = self.materials().get(place)?;
        Some(ShaderMaterial::new(material, self.strings()))
    }

    /// For each material the first one with its name, which the client uses for all of them.
    pub(super) fn first_of_name(&self) -> Vec<usize> {
        let mut first: HashMap<String, usize> = HashMap::new();
        let strings = self.strings();
        let materials = self.materials().iter().enumerate();
        materials
            .map(|(place, material)| *first.entry(strings.text(material.name)).or_insert(place))
            .collect()
    }

    /// The index of the first material of each name.
    pub(super) fn places(&self) -> HashMap<String, usize> {
        let mut places = HashMap::new();
        for (place, material) in self.materials().iter().enumerate() {
            let name = self.strings().text(material.name);
            places.entry(name).or_insert(place);
        }
        places
    }

    /// The pieces. `name` is the name of the file.
    pub(super) fn pieces(&self, name: &str) -> Vec<Piece<'_>> {
        match self {
            Self::Mesh(mesh) => vec![Piece {
                name: name.to_owned(),
                alternate: false,
                vertices: &mesh.vertices,
                colored: mesh.version >= 3,
                second: &mesh.tail.uvs,
                triangles: &mesh.triangles,
                weights: &mesh.tail.weights,
            }],
            Self::Creature(creature) => {
                let mut shown = BTreeSet::new();
                let pieces = creature.pieces.iter().map(|piece| {
                    let name = creature.strings.text(piece.name);
                    let first = shown.insert(without_digits(&name));
                    Piece {
                        name,
                        alternate: piece.main != 1 && !first,
                        vertices: &piece.vertices,
                        colored: creature.version >= 3,
                        second: &[],
                        triangles: &piece.triangles,
                        weights: &piece.weights,
                    }
                });
                pieces.collect()
            }
        }
    }

    /// True if any part of it is not shown at first.
    pub(in crate::everquest) fn has_hidden(&self) -> bool {
        let materials = self.material_count();
        self.pieces("").iter().any(|piece| {
            let mut triangles = piece.triangles.iter();
            piece.alternate || triangles.any(|triangle| !is_drawn(triangle, materials))
        })
    }
}

/// A model of an archive.
#[derive(Debug)]
pub(crate) struct ModelFile {
    /// The model.
    pub model: Model,
    /// Its soft faults.
    pub deviations: Deviations,
}

/// The models of an archive by member, and the errors of the others.
#[derive(Debug, Default)]
pub(crate) struct Models {
    files: BTreeMap<usize, ModelFile>,
    faults: BTreeMap<usize, FormatError>,
    /// Names of terrain that a zone of the archive shows, in lower case.
    terrain: BTreeSet<String>,
    /// Variants of the models, by member of the model.
    variants: BTreeMap<usize, LayerVariants>,
}

/// Decodes a model.
pub(super) fn decode(kind: Kind, bytes: &[u8]) -> Result<Option<Decoded<Model>>, FormatError> {
    let decoded = |model, deviations| {
        Some(Decoded {
            value: model,
            deviations,
        })
    };
    if !is_model(kind) {
        return Ok(None);
    }
    if kind == Kind::EqgCreature {
        let Decoded { value, deviations } = creature::decode(bytes)?;
        return Ok(decoded(Model::Creature(Box::new(value)), deviations));
    }
    let Decoded { value, deviations } = mesh::decode(bytes)?;
    Ok(decoded(Model::Mesh(Box::new(value)), deviations))
}

impl Models {
    /// Returns true for kinds of members that models are made from.
    pub(in crate::everquest) fn reads(kind: Kind) -> bool {
        is_model(kind) || matches!(kind, Kind::EqgZone | Kind::EqgLayers)
    }

    /// Decodes the models of an archive from those of its members that [are read](Self::reads): index, name and kind of
    /// each. `inflate` returns the bytes of a member.
    pub(in crate::everquest) fn of(
        members: &[(usize, String, Kind)],
        inflate: &dyn Fn(usize) -> Result<Decoded<Vec<u8>>, FormatError>,
    ) -> Self {
        let mut models = Self::default();
        for &(member, _, kind) in members {
            let is_zone = kind == Kind::EqgZone;
            if kind == Kind::EqgLayers {
                continue;
            }
            // A model that exceeds the budget is one that cannot be read.
            let read = limits::with_budget(|| {
                let bytes = inflate(member)?;
                if is_zone {
                    let zone = zone::decode(&bytes.value)?.value;
                    models.terrain.extend(terrain_of(&zone));
                    return Ok(None);
                }
                let mut decoded = decode(kind, &bytes.value)?;
                if let Some(decoded) = &mut decoded {
                    decoded.deviations.absorb("blocks", 0, bytes.deviations);
                }
                Ok(decoded)
            });
            match read.unwrap_or_else(|exceeded| Err(exceeded.into())) {
                Ok(Some(Decoded { value, deviations })) => {
                    let file = ModelFile {
                        model: value,
                        deviations,
                    };
                    models.files.insert(member, file);
                }
                Ok(None) => {}
                Err(fault) => {
                    models.faults.insert(member, fault);
                }
            }
        }
        models.find_variants(members, inflate);
        models
    }

    /// Decodes the variants of models in the same archive. A file that cannot be read is reported with its model.
    fn find_variants(
        &mut self,
        members: &[(usize, String, Kind)],
        inflate: &dyn Fn(usize) -> Result<Decoded<Vec<u8>>, FormatError>,
    ) {
        let layers = members
            .iter()
            .filter(|(_, _, kind)| *kind == Kind::EqgLayers);
        for (layer, name, _) in layers {
            let decoded = limits::with_budget(|| layers::decode(&inflate(*layer)?.value));
            let Ok(Ok(Decoded { value, .. })) = decoded else {
                continue;
            };
            let stem = stem_of(name);
            let of_model = members
                .iter()
                .find(|(member, name, _)| self.files.contains_key(member) && stem_of(name) == stem);
            if let Some((member, ..)) = of_model {
                self.variants
                    .insert(*member, LayerVariants::new(&value, &stem));
            }
        }
    }

    /// Members that are models with bones.
    pub(super) fn skeletons(&self) -> impl Iterator<Item = usize> {
        let files = self.files.iter();
        let files = files.filter(|(_, file)| !file.model.bones().is_empty());
        files.map(|(&member, _)| member)
    }

    /// The model of a member.
    pub(in crate::everquest) fn get(&self, member: usize) -> Option<&ModelFile> {
        self.files.get(&member)
    }

    /// Error of the model or zone of a member that cannot be read.
    pub(in crate::everquest) fn fault(&self, member: usize) -> Option<&FormatError> {
        self.faults.get(&member)
    }

    /// True if a zone of the archive shows terrain of this name as its own.
    pub(in crate::everquest) fn is_terrain(&self, name: &str) -> bool {
        self.terrain.contains(&name.to_lowercase())
    }

    /// Adds the use of pictures by the models.
    pub(in crate::everquest) fn add_uses(&self, uses: &mut Uses) {
        for (member, file) in &self.files {
            let variants = self.variants.get(member);
            for place in 0..file.model.material_count() {
                let Some(shader_material) = file.model.shader_material(place) else {
                    continue;
                };
                let others =
                    variants.map(|variants| variants.of_material(place, &shader_material.name));
                for (_, layer) in others.into_iter().flatten() {
                    let mut shader_material = shader_material.clone();
                    layer.put(&mut shader_material);
                    add_use(&shader_material, uses);
                }
                add_use(&shader_material, uses);
            }
        }
    }
}

/// Adds the use of pictures by a material.
fn add_use(shader_material: &ShaderMaterial, uses: &mut Uses) {
    let shader = Shader::new(&shader_material.shader);
    if let Some(normal) = shader_material.picture(NORMAL) {
        uses.normal.insert(normal.to_lowercase());
        if shader.glows {
            uses.glow.insert(normal.to_lowercase());
        }
    }
    if let (Blend::Additive, Some(diffuse)) = (shader.blend, shader_material.picture(DIFFUSE)) {
        uses.additive.insert(diffuse.to_lowercase());
    }
}

/// True if a source of this kind is a model.
pub(in crate::everquest) fn is_model(kind: Kind) -> bool {
    matches!(kind, Kind::EqgTerrain | Kind::EqgModel | Kind::EqgCreature)
}

/// The terrain of a zone: the model of its first placement, in lower case.
fn terrain_of(zone: &zone::Zone) -> Option<String> {
    let model = usize::try_from(zone.placements.first()?.model).ok()?;
    let name = zone.strings.text(*zone.models.get(model)?);
    Some(name.to_lowercase())
}
