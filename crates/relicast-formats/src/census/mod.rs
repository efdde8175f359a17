//! Counts of a file's content: nodes, polygons, pictures, events by type, sounds by coding, members.
//! `pipeline::census` knows the numbers of published editions.
//!
//! ```
//! use relicast_formats::census::Counts;
//! use relicast_formats::kind::{ArchiveContext, Kind};
//!
//! let counts = Counts::new(Kind::TextReader, "detail.zrd", b"( DETAIL 3 )", &ArchiveContext::default());
//! assert_eq!(counts.rows["files"], 1);
//! assert_eq!(counts.rows["documents"], 1);
//! ```

mod zipper;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::decoded_file::{self, DecodedFile, MemberArchive};
use super::everquest::wld::Wld;
use super::everquest::xmidi::Xmidi;
use super::everquest::xmidi::events;
use super::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_entry};
use super::riff::{FormatTag, Wave};
use super::zipper::anim::AnimFile;
use super::zipper::gamez::{
    GameZ, Material, MaterialFlags, Model, ModelSlot, NodeClass, Polygon, PolygonFlags,
};
use super::zipper::mechlib::{MechModel, Member};
use super::zipper::texture::package::{Alpha, Package};
use relicast_codec::Deviations;
use relicast_limits as limits;

/// Counts of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Numbers by name, in lower case; a period separates a whole and its part.
    #[serde(flatten)]
    pub rows: BTreeMap<String, u64>,
    /// Names of the textures of a world's materials, as stored.
    #[serde(skip)]
    pub textures_wanted: BTreeSet<String>,
    /// Names of the pictures of a package, as stored.
    #[serde(skip)]
    pub pictures: BTreeSet<String>,
}

impl Counts {
    /// Counts the content of a file of `kind`, including its members. A file or member that cannot be decoded counts as
    /// one `unreadable`; `siblings` holds what a member needs to know of its archive.
    pub fn new(kind: Kind, name: &str, bytes: &[u8], siblings: &ArchiveContext) -> Self {
        let mut counts = Self::default();
        counts.add("files", 1);
        counts.count(kind, name, bytes, siblings);
        counts
    }

    /// Adds to a row; rows of 0 are not stored.
    pub fn add(&mut self, row: &str, number: usize) {
        if number > 0 {
            let number = u64::try_from(number).unwrap_or(u64::MAX);
            let sum = self.rows.entry(row.to_owned()).or_default();
            *sum = sum.saturating_add(number);
        }
    }

    /// Adds all rows of another.
    pub fn merge(&mut self, other: &Self) {
        for (row, number) in &other.rows {
            let sum = self.rows.entry(row.clone()).or_default();
            *sum = sum.saturating_add(*number);
        }
        self.textures_wanted
            .extend(other.textures_wanted.iter().cloned());
        self.pictures.extend(other.pictures.iter().cloned());
    }

    fn count(&mut self, kind: Kind, name: &str, bytes: &[u8], siblings: &ArchiveContext) {
        let decoded = limits::with_budget(|| decoded_file::decode(kind, name, bytes, siblings));
        match decoded {
            Ok(Some(Ok(decoded))) => self.count_file(&decoded.value, name),
            Ok(Some(Err(_))) | Err(_) => self.add("unreadable", 1),
            Ok(None) => {}
        }
    }

    fn count_file(&mut self, file: &DecodedFile<'_>, name: &str) {
        if let Some(archive) = file.archive() {
            self.count_members(archive);
        }
        match file {
            DecodedFile::GameZ(gamez) => self.count_world(gamez),
            DecodedFile::Mechlib(Member::Model(mech, _)) => self.count_mech(mech),
            DecodedFile::Mechlib(Member::Materials(materials, _)) => {
                self.add("materials", materials.len());
            }
            DecodedFile::Mechlib(Member::Format(_) | Member::Version(_)) => {}
            DecodedFile::Anim(file) => self.count_animations(file),
            DecodedFile::Interp(interp) => self.count_scripts(interp),
            DecodedFile::Textures(package) => self.count_pictures(package),
            DecodedFile::Wave(wave) => self.count_sound(wave),
            DecodedFile::Wld(wld) => self.count_scene(wld),
            DecodedFile::Xmidi(song) => self.count_song(song),
            DecodedFile::Reader(value) => self.count_reader(name, std::slice::from_ref(value)),
            DecodedFile::TextReader(document) => match document.values() {
                Ok(values) => self.count_reader(name, &values),
                Err(_) => self.add("documents", 1),
            },
            DecodedFile::Motion(_) => self.add("motions", 1),
            DecodedFile::Bitmap(_) | DecodedFile::Dds(_) => self.add("pictures", 1),
            DecodedFile::SoundBank(_) => self.add("sound_banks", 1),
            DecodedFile::Emitters(_) | DecodedFile::EmitterText(_) => self.add("emitter_lists", 1),
            DecodedFile::Grass(grass) => self.add("grass_cards", grass.cards.len()),
            DecodedFile::EqgZone(_) | DecodedFile::EqgZoneText(_) => self.add("zones", 1),
            DecodedFile::EqgTerrain(_) | DecodedFile::EqgModel(_) | DecodedFile::EqgCreature(_) => {
                self.add("models", 1);
            }
            DecodedFile::EqgAnimation(_) => self.add("clips", 1),
            DecodedFile::Save(_) => self.add("saves", 1),
            DecodedFile::Livery(_) => self.add("liveries", 1),
            DecodedFile::Avi(_) => self.add("films", 1),
            DecodedFile::Messages(file) => self.count_messages(file),
            DecodedFile::Archive(_)
            | DecodedFile::Pfs(_)
            | DecodedFile::Rof(_)
            | DecodedFile::Zmap(_)
            | DecodedFile::Plane(_)
            | DecodedFile::EqgTiles(_)
            | DecodedFile::EqgWalls(_)
            | DecodedFile::EqgLayers(_)
            | DecodedFile::EqgLight(_)
            | DecodedFile::EqgParticles(_)
            | DecodedFile::EqgPoints(_)
            | DecodedFile::EqgText(_)
            | DecodedFile::Ply(_)
            | DecodedFile::SpellTable(_)
            | DecodedFile::SpellSprites(_)
            | DecodedFile::SpellStages(_)
            | DecodedFile::TextList(_)
            | DecodedFile::ZoneMap(_)
            | DecodedFile::WorldSettings(_)
            | DecodedFile::EnvironmentEmitters(_)
            | DecodedFile::EmitterDefinitions(_) => {}
        }
    }

    fn count_members(&mut self, archive: MemberArchive<'_, '_>) {
        match archive {
            MemberArchive::Zipper(archive) => {
                let siblings = ArchiveContext::new(archive);
                self.add("members", archive.entries.len());
                for entry in &archive.entries {
                    limits::check();
                    if entry.fault.is_some() {
                        self.add("unreadable", 1);
                        continue;
                    }
                    let name = entry.name();
                    let kind = sniff_member(&entry.data, &name, &siblings);
                    self.count_member(kind, &name, &entry.data, &siblings);
                }
            }
            MemberArchive::EverQuest(archive) => {
                self.add("members", archive.entries.len());
                for entry in &archive.entries {
                    limits::check();
                    let kind = sniff_pfs_entry(entry);
                    match limits::with_budget(|| entry.extract()) {
                        Ok(Ok(bytes)) => {
                            let siblings = ArchiveContext::default();
                            self.count_member(kind, &entry.label(), &bytes.value, &siblings);
                        }
                        Ok(Err(_)) | Err(_) => self.add("unreadable", 1),
                    }
                }
            }
            MemberArchive::Resources(archive) => {
                for entry in archive.entries.iter().filter(|entry| !entry.is_folder()) {
                    limits::check();
                    self.add("members", 1);
                    match limits::with_budget(|| entry.extract()) {
                        Ok(Ok(bytes)) => {
                            let kind = sniff(&bytes.value, &entry.name);
                            let siblings = ArchiveContext::default();
                            self.count_member(kind, &entry.name, &bytes.value, &siblings);
                        }
                        Ok(Err(_)) | Err(_) => self.add("unreadable", 1),
                    }
                }
            }
        }
    }

    fn count_member(&mut self, kind: Kind, name: &str, bytes: &[u8], siblings: &ArchiveContext) {
        let label = kind.label().to_lowercase().replace(' ', "_");
        self.add(&format!("members.{label}"), 1);
        self.count(kind, name, bytes, siblings);
    }

    fn count_world(&mut self, gamez: &GameZ) {
        self.add("textures", gamez.textures.len());
        let materials = &gamez.materials.used;
        self.add("materials", materials.len());
        self.add(
            "material_slots",
            materials.len() + gamez.materials.free.len(),
        );
        let takes_decals = |one: &&Material| {
            let flags = one.record.flags;
            flags.contains(MaterialFlags::TAKES_DECALS)
        };
        self.add(
            "materials.with_decals",
            materials.iter().filter(takes_decals).count(),
        );
        let textured = materials.iter();
        let textured = textured.filter(|one| one.record.flags.contains(MaterialFlags::TEXTURED));
        let textured = textured.count();
        self.add("materials.textured", textured);
        self.add("materials.plain", materials.len() - textured);
        self.add(
            "materials.cycled",
            materials.iter().filter(|one| one.cycle.is_some()).count(),
        );
        for material in materials {
            let cycle = material.cycle.iter().flat_map(|cycle| &cycle.textures);
            let cycle = cycle.filter_map(|&index| usize::try_from(index).ok());
            for index in material.texture().into_iter().chain(cycle) {
                if let Some(texture) = gamez.textures.get(index) {
                    self.textures_wanted.insert(texture.name.display());
                }
            }
        }
        self.add("model_slots", gamez.models.slots.len());
        for slot in &gamez.models.slots {
            if let ModelSlot::Used(model) = slot {
                self.count_model(model);
                self.count_drawing(model);
            }
        }
        if let Some((_, world)) = gamez.nodes.world() {
            self.add("cells", world.partitions.len());
            self.add("cells.entries", world.placed().len());
        }
        let worlds = gamez.nodes.used.iter();
        let worlds = worlds.filter(|node| node.data.class() == NodeClass::World);
        self.add(
            "nodes.below_the_world",
            worlds.map(|node| node.children.len()).sum(),
        );
        // The engine's code for fog looks for names with exactly these four bytes.
        let fog = gamez
            .nodes
            .used
            .iter()
            .filter(|node| node.name().starts_with("fvol"));
        self.add("fog_volumes", fog.count());
        self.add("nodes", gamez.nodes.used.len());
        self.add(
            "node_slots",
            gamez.nodes.used.len() + gamez.nodes.free.len(),
        );
        for node in &gamez.nodes.used {
            self.count_node(node.data.class());
            self.count_zone(node);
        }
    }

    fn count_model(&mut self, model: &Model) {
        self.add("models", 1);
        self.add("vertices", model.vertices.len());
        self.add("polygons", model.polygons.len());
        let strips = |polygon: &&Polygon| {
            let flags = &polygon.record.corners.flags;
            flags.contains(PolygonFlags::TRI_STRIP)
        };
        let smooth = model.polygons.iter();
        let smooth = smooth.filter(|polygon| !polygon.normal_indices.is_empty());
        self.add("polygons.with_normals", smooth.count());
        self.add(
            "polygons.strips",
            model.polygons.iter().filter(strips).count(),
        );
        self.add("points", model.lights.len());
    }

    fn count_node(&mut self, class: NodeClass) {
        let row = match class {
            NodeClass::Empty => "nodes.empty",
            NodeClass::Camera => "nodes.cameras",
            NodeClass::World => "nodes.worlds",
            NodeClass::Window => "nodes.windows",
            NodeClass::Display => "nodes.displays",
            NodeClass::Object3d => "nodes.objects",
            NodeClass::Lod => "nodes.details",
            NodeClass::Light => "nodes.lights",
            NodeClass::Other(_) => "nodes.others",
        };
        self.add(row, 1);
    }

    fn count_mech(&mut self, mech: &MechModel) {
        self.add("assemblies", 1);
        self.add("nodes", mech.nodes.len());
        for node in &mech.nodes {
            self.count_node(node.node.data.class());
            if let Some(model) = &node.model {
                self.count_model(model);
            }
        }
    }

    fn count_animations(&mut self, file: &AnimFile) {
        self.add("sources", file.sources.len());
        // The reserved one is a record, too.
        self.add("records", file.definitions.len() + 1);
        self.count_motion_scripts(file);
        for definition in &file.definitions {
            limits::check();
            self.count_definition(definition);
            self.add(
                "records.with_reset",
                usize::from(definition.reset_state.is_some()),
            );
            self.add(
                "records.with_damage",
                usize::from(definition.damage_state.is_some()),
            );
            for block in definition.blocks_of_events() {
                self.add("blocks", 1);
                self.add("events", block.events.len());
                for event in &block.events {
                    self.add(&format!("events.{}", event.body.code()), 1);
                    self.count_event(&event.body);
                }
            }
        }
    }

    fn count_pictures(&mut self, package: &Package<'_>) {
        self.add("pictures", package.images.len());
        for image in &package.images {
            let row = match image.alpha_kind() {
                Alpha::None => "pictures.opaque",
                Alpha::Simple => "pictures.with_key",
                Alpha::Full => "pictures.with_alpha",
            };
            self.add(row, 1);
            // Bits 0 and 1 clamp; bit 2 is set in Crimson Skies alone (CSVM, docs/formats).
            let is_additive = image.header.stretch & 4 != 0;
            self.add("pictures.additive", usize::from(is_additive));
            if image.header.palette_count > 0 {
                self.add("pictures.with_palette", 1);
            }
        }
        let rows = package.directory.rows.iter();
        self.pictures.extend(rows.map(|row| row.name.text()));
    }

    fn count_sound(&mut self, wave: &Wave<'_>) {
        self.add("sounds", 1);
        let row = match wave.format().map(|format| format.coding()) {
            Ok(FormatTag::Pcm) => "sounds.pcm",
            Ok(FormatTag::MsAdpcm) => "sounds.ms_adpcm",
            Ok(FormatTag::ImaAdpcm) => "sounds.ima_adpcm",
            Ok(FormatTag::Float | FormatTag::Extensible | FormatTag::Other(_)) | Err(_) => {
                "sounds.others"
            }
        };
        self.add(row, 1);
        let mut deviations = Deviations::default();
        let cues = wave.cue_points(&mut deviations).len();
        self.add("cue_points", cues);
        self.add("sounds.with_cues", usize::from(cues > 0));
    }

    fn count_scene(&mut self, wld: &Wld<'_>) {
        self.add("fragments", wld.fragments.len());
        for fragment in &wld.fragments {
            let code = fragment.kind().code();
            self.add(&format!("fragments.0x{code:02X}"), 1);
        }
    }

    fn count_song(&mut self, song: &Xmidi<'_>) {
        for form in song.sequences() {
            self.add("sequences", 1);
            let decoded = form.events().and_then(|(_, bytes)| events::decode(bytes));
            match decoded {
                Ok(sequence) => {
                    // The end is an event, too.
                    self.add("sequences.events", sequence.value.events.len() + 1);
                }
                Err(_) => self.add("unreadable", 1),
            }
        }
    }
}
