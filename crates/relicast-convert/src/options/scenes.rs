//! Settings of scenes: what all have, and what worlds, models and EverQuest's zones have beside.

use serde::{Deserialize, Serialize};

use super::server_tables::ServerTables;

/// Conversion of worlds and models to scenes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenes {
    /// Kind of file.
    pub container: SceneContainer,
    /// Lit or unlit surfaces.
    pub shading: Shading,
    /// Which levels of detail are written.
    pub lods: Lods,
    /// Placement of nodes that are hidden at first.
    pub hidden: Hidden,
    /// Use of the alpha of textures.
    pub alpha: AlphaRule,
    /// Share of solid among visible texels from which a texture is a cut-out.
    pub alpha_threshold: f32,
    /// Textures that are mixed with what lies behind whatever their texels say; lower case.
    pub always_blend: Vec<String>,
    /// Which rule says what lies outside a texture.
    pub sampler: SamplerRule,
    /// Filtering of textures.
    pub filter: SceneFilter,
    /// Turn models that stand alone to face +Z, as glTF has it.
    pub face_forward: bool,
    /// Name clips that go round and round so that Godot loops them.
    pub godot_loop: bool,
    /// Name nodes that can be stood on or hit so that Godot makes them solid.
    pub godot_suffix: bool,
    /// Handling of pictures drawn over others.
    pub layers: Layers,
    /// Meters by which a step of priority lifts a surface off those below it, or lowers it where it is negative.
    pub decal_offset: f32,
    /// Write volumes of collision, without material.
    pub collision: bool,
    /// Factor of the brightness of all lights.
    pub light_scale: f32,
    /// Surfaces that differ by the kind of ground alone become one.
    pub merge_soil: bool,
    /// Degrees up to which faces without normals of their own are smooth.
    pub smooth_angle: f32,
    /// Put what stands in a cell of a world below a node of that cell.
    pub group_partitions: bool,
    /// Write all pictures of cycles to the file.
    pub embed_cycles: bool,
    /// Put the pictures of a cycle beside each other and write clips that show them in turn.
    pub cycle_atlas: bool,
    /// Write clips for textures that can move. The games move only those that a script or their code moves.
    pub animate_uv: bool,
    /// Tell other looks of the same surfaces by `KHR_materials_variants`.
    pub variants: bool,
    /// Files for the import script of a Godot project.
    pub godot_extras: bool,
    /// Positions and normals take fewer bytes.
    pub quantize: bool,
    /// Pictures inside `.glb` files are WebP where these are smaller.
    pub webp: bool,
    /// One node with a list of places instead of many nodes that only show the same mesh.
    pub gpu_instancing: bool,
    /// Tell levels of detail that stand together apart.
    pub msft_lod: bool,
}

impl Default for Scenes {
    fn default() -> Self {
        let shores = ["beach1", "shore1", "shore1_end", "shore2", "shore_trans"];
        Self {
            container: SceneContainer::default(),
            shading: Shading::default(),
            lods: Lods::default(),
            hidden: Hidden::default(),
            alpha: AlphaRule::default(),
            alpha_threshold: 0.45,
            always_blend: shores.map(str::to_owned).to_vec(),
            sampler: SamplerRule::default(),
            filter: SceneFilter::default(),
            face_forward: false,
            godot_loop: false,
            godot_suffix: false,
            layers: Layers::default(),
            decal_offset: 0.0,
            collision: false,
            light_scale: 1.0,
            merge_soil: false,
            smooth_angle: 0.0,
            group_partitions: false,
            embed_cycles: false,
            cycle_atlas: false,
            animate_uv: false,
            variants: true,
            godot_extras: false,
            quantize: false,
            webp: false,
            gpu_instancing: false,
            msft_lod: false,
        }
    }
}

/// Kind of scene file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneContainer {
    /// JSON, a buffer, and shared pictures.
    #[default]
    Gltf,
    /// One binary file with everything inside.
    Glb,
}

/// Lit or unlit surfaces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shading {
    /// As the game has it.
    #[default]
    Auto,
    /// All are.
    Lit,
    /// None is.
    Unlit,
}

/// Which levels of detail are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lods {
    /// The finest.
    #[default]
    Nearest,
    /// All, each coarser level in a file of its own.
    All,
    /// All in one file, beside each other.
    Together,
}

/// Handling of pictures drawn over others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layers {
    /// Surfaces of their own over the first.
    #[default]
    Blend,
    /// More texture coordinates, and notes of what lies on them.
    Extras,
}

/// Placement of nodes that are hidden at first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hidden {
    /// To a file of its own.
    #[default]
    Separate,
    /// To the same file.
    Keep,
}

/// Use of the alpha of textures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlphaRule {
    /// Cut-outs are cut out, the rest is mixed.
    #[default]
    Auto,
    /// Everything with alpha is mixed with what lies behind.
    Blend,
    /// Everything with alpha is cut out.
    Mask,
}

/// Which rule says what lies outside a texture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SamplerRule {
    /// The texture's own edge mode.
    #[default]
    Stored,
    /// The texture again.
    Repeat,
}

/// Filtering of textures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneFilter {
    /// Smooth, with reduced pictures at a distance.
    #[default]
    Trilinear,
    /// Smooth, without reduced pictures: as the games did.
    Bilinear,
    /// Coarse texels.
    Nearest,
}

/// Worlds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Worlds {
    /// Convert them.
    pub enabled: bool,
    /// Also write each world as a mission fills it.
    pub placements: bool,
    /// Hide helpers of editors, and actors that wait at the origin.
    pub hide_unplaced: HideUnplaced,
    /// Add what Crimson Skies strews over the ground and into volumes of fog: forests, city blocks, clouds.
    pub clutter: bool,
    /// Which states of a world are written.
    pub state: WorldState,
    /// Macros that are set before the scripts of a mission run, each a name and a value.
    pub script_macros: Vec<String>,
}

impl Default for Worlds {
    fn default() -> Self {
        Self {
            enabled: true,
            placements: false,
            hide_unplaced: HideUnplaced::default(),
            clutter: true,
            state: WorldState::default(),
            script_macros: vec!["USEZBD TRUE".to_owned()],
        }
    }
}

impl Worlds {
    /// Names and values of the macros that are set before scripts run.
    pub fn macros(&self) -> Vec<(String, String)> {
        let macros = self.script_macros.iter();
        let macros = macros.map(|text| match text.trim().split_once(char::is_whitespace) {
            Some((name, value)) => (name.to_owned(), value.trim().to_owned()),
            None => (text.trim().to_owned(), String::new()),
        });
        macros.filter(|(name, _)| !name.is_empty()).collect()
    }
}

/// Which states of a world are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldState {
    /// As the file stores it.
    Stored,
    /// As missions begin in it; as stored where no mission is known.
    MissionStart,
    /// As stored, and beside that as missions begin in it.
    #[default]
    Both,
}

/// When to hide helpers of editors, and actors that wait at the origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HideUnplaced {
    /// In Crimson Skies all of them; in the older games actors that an animation places later.
    #[default]
    Auto,
    /// In every game.
    Always,
    /// In no game.
    Never,
}

/// 'Mechs, aircraft and things that are made at run time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Models {
    /// Convert them.
    pub enabled: bool,
    /// Show the heads of 'mechs.
    pub show_head: bool,
    /// Pose of 'mechs at rest.
    pub rest_pose: RestPose,
    /// Positions of the limbs of 'mechs while they move.
    pub limb_translations: LimbTranslations,
    /// Bind all meshes of a model to its nodes as one skin.
    pub skin: bool,
}

impl Default for Models {
    fn default() -> Self {
        Self {
            enabled: true,
            show_head: false,
            rest_pose: RestPose::default(),
            limb_translations: LimbTranslations::default(),
            skin: false,
        }
    }
}

/// Pose of 'mechs at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RestPose {
    /// As at the start of their motion `stand`, or else of their first.
    #[default]
    Motion,
    /// As stored.
    Stored,
}

/// Positions of the limbs of 'mechs while they move. One program for the game's files uses the stored
/// positions, because variants of a chassis share motions. Another plays all motions with the positions of
/// their tracks. The game's own rule is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimbTranslations {
    /// The stored positions.
    #[default]
    Stored,
    /// The positions of the motion.
    Motion,
    /// The positions of the motion, if most tracks of the 'mech's limbs start at the stored position of the
    /// limb.
    Majority,
}

/// Options of EverQuest's zones and models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EverQuest {
    /// Division of a zone's terrain.
    pub terrain: Terrain,
    /// Unit of the scenes.
    pub scale: Unit,
    /// Which of the two ways in which the light of lamps is stored is used.
    pub light: LampLight,
    /// Handling of light baked into vertices, where it is used.
    pub vertex_light: VertexLight,
    /// Strength of the light of the sky where it is mixed with baked light, 0 to 1.
    pub daylight: f32,
    /// Make lights of placed lights, where they are used.
    pub lights: bool,
    /// Conversion of animated vertices.
    pub vertex_animation: VertexAnimation,
    /// Correct render methods that are known to be wrong in retail files: of materials of some archives.
    pub corrections: bool,
    /// Order of the bytes of light baked into vertices of EQG files.
    pub eqg_light_order: ByteOrder,
    /// Direction of green in normal maps of EQG files, in the outputs.
    pub normal_green: NormalGreen,
    /// Write which regions are seen from which.
    pub visibility: bool,
    /// Make meshes of special regions.
    pub volumes: bool,
    /// Put the cards of grass of a zone into its scene.
    pub grass: bool,
    /// Tables of a server with doors, objects and creatures, which are placed in zones.
    pub placements: ServerTables,
}

impl Default for EverQuest {
    fn default() -> Self {
        Self {
            terrain: Terrain::default(),
            scale: Unit::default(),
            light: LampLight::default(),
            vertex_light: VertexLight::default(),
            daylight: 1.0,
            lights: true,
            vertex_animation: VertexAnimation::default(),
            corrections: true,
            eqg_light_order: ByteOrder::default(),
            normal_green: NormalGreen::default(),
            visibility: true,
            volumes: false,
            grass: false,
            placements: ServerTables::default(),
        }
    }
}

impl EverQuest {
    /// True if vertices get baked light.
    pub fn bakes(&self) -> bool {
        self.light != LampLight::Placed && self.vertex_light == VertexLight::Colors
    }

    /// True if placed lights are active.
    pub fn shines(&self) -> bool {
        self.light != LampLight::Baked && self.lights
    }
}

/// Order of the bytes of a color.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// Red first.
    #[default]
    Rgba,
    /// Blue first.
    Bgra,
}

/// Direction of the green channel of a normal map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NormalGreen {
    /// Up the picture, as glTF wants it: stored values are turned.
    #[default]
    Up,
    /// As stored, down the picture.
    Down,
}

/// Unit of lengths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Units of the files, about a foot each.
    #[default]
    Units,
    /// Meters, 0.3048 of a unit of the files.
    Meters,
}

impl Unit {
    /// Length of one unit of the files, in these units.
    pub const fn factor(self) -> f32 {
        match self {
            Self::Units => 1.0,
            Self::Meters => 0.3048,
        }
    }
}

/// Light of lamps, which zones have twice: baked into vertices, and as lights that stand somewhere. Both
/// together are too bright.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LampLight {
    /// As it is baked into vertices; placed lights become empty nodes that tell of them.
    #[default]
    Baked,
    /// As lights that stand somewhere; vertices have no colors.
    Placed,
    /// Both.
    Both,
}

/// Division of a zone's terrain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terrain {
    /// One mesh, a primitive for each material.
    #[default]
    Merged,
    /// A node for each region of the zone.
    Regions,
}

/// Handling of light baked into vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VertexLight {
    /// Vertex colors: baked light and light of the sky together.
    #[default]
    Colors,
    /// Nothing.
    None,
}

/// Conversion of animated vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VertexAnimation {
    /// Morph targets, and a clip that shows one after the other.
    #[default]
    Clips,
    /// A line in the extras of the mesh.
    Extras,
}
