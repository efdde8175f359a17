//! Settings of scenes: common ones, and those of worlds, models and EverQuest's zones.

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
    /// Levels of detail to write.
    pub lods: Lods,
    /// Placement of nodes that are hidden at first.
    pub hidden: Hidden,
    /// Use of the alpha of textures.
    pub alpha: AlphaRule,
    /// Minimum share of solid texels among the visible ones for a texture to be a cut-out.
    pub alpha_threshold: f32,
    /// Textures that are always blended, regardless of their texels; lower case.
    pub always_blend: Vec<String>,
    /// Wrapping outside a texture.
    pub sampler: SamplerRule,
    /// Filtering of textures.
    pub filter: SceneFilter,
    /// Turn separate models to face +Z, as in glTF.
    pub face_forward: bool,
    /// Name looping clips so that Godot loops them.
    pub godot_loop: bool,
    /// Name nodes with collision so that Godot makes them solid.
    pub godot_suffix: bool,
    /// Handling of pictures drawn over others.
    pub layers: Layers,
    /// Meters by which each step of priority raises a surface above those below it; negative: lowers it.
    pub decal_offset: f32,
    /// Write collision volumes, without material.
    pub collision: bool,
    /// Factor of the brightness of all lights.
    pub light_scale: f32,
    /// Merge surfaces that differ only in the kind of ground.
    pub merge_soil: bool,
    /// Maximum angle in degrees for smooth shading of faces without stored normals.
    pub smooth_angle: f32,
    /// Group the nodes of each cell of a world below a node.
    pub group_partitions: bool,
    /// Write all pictures of texture cycles to the file.
    pub embed_cycles: bool,
    /// Combine the pictures of a texture cycle in an atlas and write clips that show them in turn.
    pub cycle_atlas: bool,
    /// Write clips for textures that can move. The games move only textures that a script or their code selects.
    pub animate_uv: bool,
    /// Write material variants with `KHR_materials_variants`.
    pub variants: bool,
    /// Write files for the import script of a Godot project.
    pub godot_extras: bool,
    /// Quantize positions and normals to save bytes.
    pub quantize: bool,
    /// Store pictures in `.glb` files as WebP where that is smaller.
    pub webp: bool,
    /// Write one node with a list of instances instead of many nodes with the same mesh.
    pub gpu_instancing: bool,
    /// Mark levels of detail in the same scene with `MSFT_lod`.
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
    /// One self-contained binary file.
    Glb,
}

/// Lit or unlit surfaces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shading {
    /// As in the game.
    #[default]
    Auto,
    /// All lit.
    Lit,
    /// All unlit.
    Unlit,
}

/// Levels of detail to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lods {
    /// The finest only.
    #[default]
    Nearest,
    /// All, each coarser level in a separate file.
    All,
    /// All in one file.
    Together,
}

/// Handling of pictures drawn over others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layers {
    /// Separate surfaces over the first.
    #[default]
    Blend,
    /// More sets of texture coordinates, with the overlays in extras.
    Extras,
}

/// Placement of nodes that are hidden at first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hidden {
    /// In a separate file.
    #[default]
    Separate,
    /// In the same file.
    Keep,
}

/// Use of the alpha of textures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlphaRule {
    /// Alpha mask for cut-outs, alpha blending for the rest.
    #[default]
    Auto,
    /// Alpha blending for everything with alpha.
    Blend,
    /// Alpha mask for everything with alpha.
    Mask,
}

/// Wrapping outside a texture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SamplerRule {
    /// The texture's own edge mode.
    #[default]
    Stored,
    /// Repeat the texture.
    Repeat,
}

/// Filtering of textures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneFilter {
    /// Smooth, with mipmaps.
    #[default]
    Trilinear,
    /// Smooth, without mipmaps, as in the games.
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
    /// Also write each world with the objects of each mission.
    pub placements: bool,
    /// Hide helpers of editors, and actors that wait at the origin.
    pub hide_unplaced: HideUnplaced,
    /// Add ground clutter and clouds of Crimson Skies: forests, city blocks, and clouds in fog volumes.
    pub clutter: bool,
    /// States of a world to write.
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

/// States of a world to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldState {
    /// As the file stores it.
    Stored,
    /// At the start of missions; as stored where no mission is known.
    MissionStart,
    /// Both: as stored, and at the start of missions.
    #[default]
    Both,
}

/// When to hide helpers of editors, and actors that wait at the origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HideUnplaced {
    /// In Crimson Skies all of them; in the older games only actors that an animation places later.
    #[default]
    Auto,
    /// In every game.
    Always,
    /// In no game.
    Never,
}

/// 'Mechs, aircraft and objects made at run time.
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
    /// The start of their motion `stand`, or else of their first.
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
    /// Source of the light of lamps.
    pub light: LampLight,
    /// Handling of light baked into vertices, where it is used.
    pub vertex_light: VertexLight,
    /// Strength of the sky's light where it is mixed with baked light, 0 to 1.
    pub daylight: f32,
    /// Write placed lights as lights, where they are used.
    pub lights: bool,
    /// Conversion of animated vertices.
    pub vertex_animation: VertexAnimation,
    /// Correct render methods of materials that are known to be wrong in some retail archives.
    pub corrections: bool,
    /// Order of the bytes of light baked into vertices of EQG files.
    pub eqg_light_order: ByteOrder,
    /// Direction of green in normal maps of EQG files, in the outputs.
    pub normal_green: NormalGreen,
    /// Write the visibility of regions from each other.
    pub visibility: bool,
    /// Make meshes of special regions.
    pub volumes: bool,
    /// Add the grass of a zone to its scene.
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
    /// Up, as in glTF: stored values are inverted.
    #[default]
    Up,
    /// Down, as stored.
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

/// Light of lamps. Zones store it twice, baked into vertices and as placed lights; both together are too bright.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LampLight {
    /// Baked into vertices; placed lights become empty nodes with extras.
    #[default]
    Baked,
    /// Placed lights; vertices have no colors.
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
    /// Vertex colors: baked light plus the sky's light.
    #[default]
    Colors,
    /// Nothing.
    None,
}

/// Conversion of animated vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VertexAnimation {
    /// Morph targets, and a clip that shows them in turn.
    #[default]
    Clips,
    /// Extras of the mesh.
    Extras,
}
