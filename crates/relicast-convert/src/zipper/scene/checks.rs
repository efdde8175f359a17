//! Counters for signs of a file that was misunderstood, or that is damaged.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::Sink;
use relicast_codec::Deviations;
use relicast_codec::quantity::counted;

/// Counts of one file, for its tables. Counts of faults are deviations, too.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Checks {
    /// Polygons whose winding agrees with their stored normals, and polygons where it does not.
    pub winding: Vote,
    /// Polygons of all models.
    pub polygons: usize,
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Models drawn as points that also have polygons, which the game does not fill: their slots and nodes.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unfilled_models: BTreeSet<String>,
    /// Triangles without area.
    pub degenerate_triangles: usize,
    /// Polygons left out: fewer than three corners, or corners that do not exist.
    pub dropped_polygons: usize,
    /// Polygons that are duplicates of another polygon of the model.
    pub duplicate_polygons: usize,
    /// Polygons whose outline intersects itself.
    pub guessed_polygons: usize,
    /// Triangles with a position that is not finite.
    pub not_finite_triangles: usize,
    /// Normals of length 0 or not finite, replaced by the normal of the face.
    pub replaced_normals: usize,
    /// Texture coordinates that were not finite.
    pub replaced_values: usize,
    /// Vertex colors outside 0 to 255.
    pub colors_out_of_range: usize,
    /// Materials that do not exist.
    pub unknown_materials: usize,
    /// Textures that were found, by name, with their package.
    pub textures_found: BTreeMap<String, String>,
    /// Textures that no package has.
    pub textures_missing: Vec<String>,
    /// Materials whose cycle could not be combined in an atlas.
    #[serde(skip_serializing_if = "is_none_at_all")]
    pub still_cycles: usize,
    /// Determinants of stored matrices.
    pub determinants: Determinants,
    /// Objects whose stored matrix does not match their stored angles and scale.
    pub euler_mismatches: usize,
    /// Groups of levels of detail.
    pub detail_groups: usize,
    /// Groups with a gap or an overlap between two levels.
    pub detail_gaps: usize,
    /// Nodes that do not exist but have a parent or a cell.
    pub unknown_nodes: usize,
    /// Nodes that were reached again and became copies.
    pub copies: usize,
    /// Nodes left out because they would be their own ancestor, too deep, or too many.
    pub cut_nodes: usize,
    /// Transforms that are not finite.
    pub not_finite_transforms: usize,
    /// Collision volumes that were left out.
    pub collision_volumes: usize,
    /// Smallest box around the visible geometry, minimum and maximum corner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[[f64; 3]; 2]>,
    /// True if that box is in the area of the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_area: Option<bool>,
    /// Motions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motions: Option<MotionChecks>,
    /// Meshes that were bound as a skin, if the settings ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound_meshes: Option<BoundMeshes>,
    /// Skins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "looks")]
    pub variants: Option<VariantChecks>,
}

fn is_none_at_all(count: &usize) -> bool {
    *count == 0
}

/// Counts for and against an assumption about the format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Vote {
    /// For.
    pub agree: usize,
    /// Against.
    pub disagree: usize,
}

/// Counts over the polygons of one model, for any kind of polygon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ShapeChecks {
    /// As in [`Checks`], like all others.
    pub winding: Vote,
    pub polygons: usize,
    pub degenerate_triangles: usize,
    pub dropped_polygons: usize,
    pub duplicate_polygons: usize,
    pub guessed_polygons: usize,
    pub not_finite_triangles: usize,
    pub replaced_normals: usize,
    pub replaced_values: usize,
    pub colors_out_of_range: usize,
}

/// Determinants by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Determinants {
    /// Within a thousandth of 1: rotations.
    pub one: usize,
    /// Other positive ones: scaled.
    pub positive: usize,
    /// Negative: mirrored.
    pub negative: usize,
    /// 0: flat.
    pub zero: usize,
}

impl Determinants {
    /// Counts one; NaN counts as flat.
    pub(super) fn add(&mut self, determinant: f64) {
        if (determinant - 1.0).abs() < 1e-3 {
            self.one += 1;
        } else if determinant > 1e-12 {
            self.positive += 1;
        } else if determinant < -1e-12 {
            self.negative += 1;
        } else {
            self.zero += 1;
        }
    }
}

/// Motions of a 'mech.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MotionChecks {
    /// Motions that became clips.
    pub clips: usize,
    /// Parts that move a node.
    pub bound: usize,
    /// Parts without a node of their name.
    pub unbound: Vec<String>,
    /// Parts that are not moved because several nodes have their name.
    pub ambiguous: Vec<String>,
    /// Motions that cannot be played.
    pub damaged: Vec<String>,
    /// Motions that the definition of the chassis names and no archive has.
    pub unknown: Vec<String>,
    /// Quaternions whose length differs from 1 by more than a thousandth.
    pub odd_quaternions: usize,
    /// Parts whose last sample differs from their first.
    pub open_loops: usize,
    /// Parts whose first rotation has its scalar as largest component, and others.
    pub scalar_leads: Vote,
    /// Parts that keep the translation of their node: those whose motion begins with the same translation, and
    /// others. Sources disagree if motions move these parts (a Blender script does not, zStudio does); these counts
    /// help to decide.
    pub kept_translations: Vote,
}

/// Meshes of a model bound as a skin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BoundMeshes {
    /// Nodes whose mesh became part of the skin.
    pub bound: usize,
    /// Nodes that keep their own mesh, because it has morph targets or their matrix has no inverse.
    pub left: usize,
}

/// Skins of a 'mech.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct VariantChecks {
    /// Their names, the usual one first.
    pub names: Vec<String>,
    /// Textures that they replace, all together.
    pub replaced: usize,
    /// Textures that the definition of the chassis names and no package has.
    pub missing: Vec<String>,
}

impl MotionChecks {
    fn notes(&self, notes: &mut Vec<String>) {
        if self.clips > 0 {
            notes.push(format!(
                "{}: {} bound, {} unbound, {} ambiguous, {} damaged; {} not of length 1, {} without an \
                 equal first and last sample",
                counted(self.clips, "motion", "motions"),
                counted(self.bound, "part", "parts"),
                self.unbound.len(),
                self.ambiguous.len(),
                self.damaged.len(),
                counted(self.odd_quaternions, "rotation", "rotations"),
                counted(self.open_loops, "part", "parts"),
            ));
        }
        for part in &self.unbound {
            notes.push(format!(
                "motions move {part}, but the model has no such part"
            ));
        }
        for part in &self.ambiguous {
            notes.push(format!(
                "motions move {part}, but the model has several parts of this name; not moved"
            ));
        }
        for motion in &self.damaged {
            notes.push(format!("the motion {motion} is damaged and was skipped"));
        }
        for motion in &self.unknown {
            notes.push(format!(
                "the chassis names the motion {motion}, but no archive has it"
            ));
        }
    }
}

impl Checks {
    /// Adds the counts of a model's polygons.
    pub(super) fn add_shape(&mut self, shape: ShapeChecks) {
        let ShapeChecks {
            winding: Vote { agree, disagree },
            polygons,
            degenerate_triangles,
            dropped_polygons,
            duplicate_polygons,
            guessed_polygons,
            not_finite_triangles,
            replaced_normals,
            replaced_values,
            colors_out_of_range,
        } = shape;
        for (sum, more) in [
            (&mut self.winding.agree, agree),
            (&mut self.winding.disagree, disagree),
            (&mut self.polygons, polygons),
            (&mut self.degenerate_triangles, degenerate_triangles),
            (&mut self.dropped_polygons, dropped_polygons),
            (&mut self.duplicate_polygons, duplicate_polygons),
            (&mut self.guessed_polygons, guessed_polygons),
            (&mut self.not_finite_triangles, not_finite_triangles),
            (&mut self.replaced_normals, replaced_normals),
            (&mut self.replaced_values, replaced_values),
            (&mut self.colors_out_of_range, colors_out_of_range),
        ] {
            *sum = sum.saturating_add(more);
        }
    }

    /// Adds notes and counts to the report, without the sources of textures, which are in the tables.
    pub(crate) fn report(&self, sink: &mut dyn Sink) {
        self.missing()
            .into_iter()
            .for_each(|text| sink.note_missing(text));
        self.notes().into_iter().for_each(|note| sink.note(note));
        if let Ok(Value::Object(mut counts)) = serde_json::to_value(self) {
            let found = Value::from(self.textures_found.len());
            counts.insert("textures_found".to_owned(), found);
            sink.check(Value::Object(counts));
        }
    }

    /// Features that other packages would have.
    fn missing(&self) -> Vec<String> {
        let textures = self.textures_missing.iter();
        let textures = textures.map(|name| format!("no package has the texture {name}"));
        let variants = self.variants.iter().flat_map(|variants| &variants.missing);
        let variants = variants.map(|name| format!("no package has the texture {name} of a skin"));
        textures.chain(variants).collect()
    }

    /// Notes for the user.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for model in &self.unfilled_models {
            notes.push(format!(
                "the model {model} is drawn as points: its polygons were not converted, its points are in \
                 the extras of its nodes"
            ));
        }
        if self.still_cycles > 0 {
            notes.push(format!(
                "{} only the first picture of the texture cycle: the texture coordinates exceed 0 to 1 or \
                 move, or pictures are missing or cannot be scaled to one size",
                counted(self.still_cycles, "surface has", "surfaces have")
            ));
        }
        if let Some(motions) = &self.motions {
            motions.notes(&mut notes);
        }
        if let Some(BoundMeshes {
            left: left @ 1.., ..
        }) = self.bound_meshes
        {
            notes.push(format!(
                "{} not part of the skin",
                counted(left, "mesh is", "meshes are")
            ));
        }
        if let Some(variants) = &self.variants
            && !variants.names.is_empty()
        {
            notes.push(format!(
                "{} with {}",
                counted(variants.names.len(), "skin", "skins"),
                counted(variants.replaced, "replaced texture", "replaced textures"),
            ));
        }
        notes
    }

    /// Adds the faults that break a rule of the format.
    pub(crate) fn deviations(&self, all: &mut Deviations) {
        if self.winding.disagree > self.winding.agree {
            let found = format_args!("{} that disagree", self.winding.disagree);
            all.push("polygons", 0, "winding that agrees with the normals", found);
        }
        for (field, expected, found) in [
            ("polygons", "valid corners", self.dropped_polygons),
            ("polygons", "finite positions", self.not_finite_triangles),
            (
                "polygons",
                "finite texture coordinates",
                self.replaced_values,
            ),
            ("polygons", "colors of 0 to 255", self.colors_out_of_range),
            ("polygons", "valid material indices", self.unknown_materials),
            ("nodes", "valid node indices", self.unknown_nodes),
            ("nodes", "a tree of at most 512 levels", self.cut_nodes),
            ("nodes", "finite transforms", self.not_finite_transforms),
        ] {
            if found > 0 {
                all.push(field, 0, expected, format_args!("{found} invalid"));
            }
        }
    }
}
