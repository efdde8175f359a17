//! Counts taken while a scene is made, for notes and deviations.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Sink;
use relicast_codec::Deviations;
use relicast_codec::quantity::counted;
use relicast_formats::everquest::wld::Surface;

/// Counts of one scene. Cases that should not occur are deviations too.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Checks {
    /// Faces that are drawn.
    pub faces: usize,
    /// Faces that are never drawn, such as boundaries.
    pub invisible_faces: usize,
    /// Number of faces whose winding agrees with their normals, and of the others.
    pub winding: [usize; 2],
    /// Faces with corners that do not exist.
    pub dropped_faces: usize,
    /// Faces with a position that is not finite.
    pub not_finite_faces: usize,
    /// Normals of length 0 or not finite, replaced by the normal of a face.
    pub replaced_normals: usize,
    /// Texture coordinates that were not finite.
    pub replaced_values: usize,
    /// Faces with an invalid reference to a material.
    pub unknown_materials: usize,
    /// Lists of baked colors that do not fit their mesh.
    pub odd_colors: usize,
    /// Animations of vertices that do not fit their mesh, or are too long.
    pub odd_animations: usize,
    /// Models that do not exist, with the number of their placements.
    pub missing_models: BTreeMap<String, usize>,
    /// Placements that were left out: below the world, or not finite.
    #[serde(rename = "sunken")]
    pub below_world: usize,
    /// Placements without a usable place.
    pub unplaced: usize,
    /// Materials that are drawn otherwise than stored: how they are stored, and the source of the correction.
    pub corrected: BTreeMap<String, (Surface, &'static str)>,
    /// Surfaces that change their picture and keep the first although settings want the change.
    pub still_cycles: usize,
    /// Textures that were found in another archive, by name.
    pub borrowed_textures: BTreeMap<String, String>,
    /// Textures that no archive has, with the first material that uses them.
    pub missing_textures: BTreeMap<String, String>,
}

impl Checks {
    /// Reports missing parts of the scene, and the notes for the user.
    pub(super) fn report(&self, sink: &mut dyn Sink) {
        self.missing()
            .into_iter()
            .for_each(|text| sink.note_missing(text));
        self.notes().into_iter().for_each(|note| sink.note(note));
    }

    /// Lists missing textures (in no available archive) and placed models (in no scene).
    fn missing(&self) -> Vec<String> {
        let textures = self.missing_textures.iter();
        let textures = textures
            .map(|(name, material)| format!("no archive has the texture {name} of {material}"));
        let models = self.missing_models.iter();
        let models = models
            .map(|(name, count)| format!("no scene has the model {name} (placements: {count})"));
        textures.chain(models).collect()
    }

    /// Notes for the user.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (name, (surface, _)) in &self.corrected {
            let label = serde_json::to_value(surface).unwrap_or_default();
            let label = label.as_str().unwrap_or_default();
            notes.push(format!(
                "material {name} was corrected: it is drawn as {label}, not as stored"
            ));
        }
        if self.still_cycles > 0 {
            let surfaces = counted(self.still_cycles, "surface", "surfaces");
            notes.push(format!(
                "only the first picture of {surfaces} with changing pictures is shown: texture coordinates \
                 exceed the picture, or the pictures do not fit together"
            ));
        }
        if self.below_world > 0 {
            let placements = counted(self.below_world, "placement", "placements");
            notes.push(format!("skipped {placements} below the world"));
        }
        notes
    }

    /// Adds the faults that break a rule of the format.
    pub(super) fn deviations(&self, all: &mut Deviations) {
        let [agree, disagree] = self.winding;
        if disagree > agree {
            let found = format_args!("{disagree} that disagree");
            all.push("faces", 0, "winding that agrees with the normals", found);
        }
        for (field, expected, found) in [
            ("faces", "existing corners", self.dropped_faces),
            ("faces", "finite positions", self.not_finite_faces),
            ("faces", "finite texture coordinates", self.replaced_values),
            ("faces", "existing materials", self.unknown_materials),
            (
                "animations",
                "frames that fit the mesh",
                self.odd_animations,
            ),
            ("placements", "finite positions", self.unplaced),
        ] {
            if found > 0 {
                all.push(field, 0, expected, format_args!("{found} invalid"));
            }
        }
        if self.odd_colors > 0 {
            // Light that was baked for an older version of the model.
            let found = format_args!("{} invalid", self.odd_colors);
            all.push_usual("colors", 0, "one for each vertex", found);
        }
    }
}
