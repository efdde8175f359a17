//! Extras of nodes.

use std::collections::BTreeMap;

use super::mission::{Airship, Net, Placement, Turret};
use super::surface::Facade;
use crate::extras::declare::facts;
use crate::extras::{Float, Float3, Stored};

facts! {
    /// A node of a scene.
    Node: "zipper" {
        /// Index in the game's file.
        index: usize,
        /// Name in the game's file.
        name: String,
        /// Class of the node in the game: `empty`, `camera`, `world`, `window`, `display`, `object3d`, `lod`, `light`.
        class: String,
        /// Flags that are set, by name.
        flags: Vec<String>,
        /// Bits of flags without a name.
        unnamed_flags: u32,
        /// Zone of Crimson Skies in which it is drawn.
        zone: i32,
        /// Opacity in the file, 0 to 1.
        opacity: Float,
        /// Color that is mixed in.
        tint: Tint,
        /// Distances of a level of detail.
        lod: Lod,
        /// True for a collision volume.
        collision: bool,
        /// Reason why it is hidden: `zone`.
        hidden_by: String,
        /// The file that switches it off.
        switched_off_by: String,
        /// Follows the camera along these axes: `xyz` or `xz`.
        sky: String,
        /// Probably follows the camera.
        likely_sky: LikelySky,
        /// Position that an animation gives it.
        placed_by_animation: GivenPlace,
        /// Effect of hits on the ground: `yes`, `no`, `blocks`.
        crater: String,
        /// Pickup.
        pickup: Pickup,
        /// Bounding box of an active fog volume.
        fog_volume: Bounds,
        /// Instrument of a cockpit.
        instrument: Instrument,
        /// Damage panel of an aircraft.
        damage_panel: DamagePanel,
        /// State of an aircraft that it shows: `healthy`, `destroyed`.
        damage_state: String,
        /// Point from which a weapon fires.
        firepoint: FirePoint,
        /// Stored transform of a limb whose pose comes from a motion.
        rest: Rest,
        /// Airship of a mission.
        airship: Airship,
        /// Turret of a mission.
        turret: Turret,
        /// True if it moves in a mission.
        mover: bool,
        /// Name of the object whose parts a mission takes from here.
        taken_by: String,
        /// Object that a mission places.
        placement: Placement,
        /// Net of paths.
        net: Net,
        /// Scattered scenery.
        clutter: Clutter,
        /// True for a light that is on at the start of the mission.
        shines: bool,
        /// Animation that switches a light on.
        of_animation: String,
        /// Value that a script set at the start: `light`.
        start: String,
        /// True if an animation that starts with the mission is attached here.
        starts_with: bool,
        /// Range of a level of detail, set by a script.
        start_range: [Float; 2],
        /// Color, set by a script.
        start_color: Float3,
        /// Script commands for its animated texture, by name.
        start_cycle: Stored,
        /// True if a script draws it over other objects.
        overwrite: bool,
        /// True for a landmark, set by a script.
        landmark: bool,
        /// True for a surface that objects are placed on, set by a script.
        altitude_surface: bool,
        /// True for a surface that shots hit, set by a script.
        intersect_surface: bool,
        /// Command by which a script found the node.
        found_by: FoundBy,
        /// Another instance of the node with this index.
        instance_of: usize,
        /// True if it is not drawn; it is in the hidden scene, if there is one.
        hidden: bool,
        /// Light points of its model.
        points: Vec<Points>,
        /// Billboard mode of a model without surfaces.
        facade: Facade,
    }

    /// A blended color.
    Tint {
        /// Color channels from 0 to 1.
        color: Float3,
        /// Weight of the color, 0 to 1.
        weight: Float,
    }

    /// Distances of a level of detail.
    Lod {
        /// Nearest distance at which it is visible.
        near: Float,
        /// Farthest distance.
        far: Float,
        /// True if the distance is that of another node.
        distance_of_other: bool,
        /// Widths of the bands in which it fades.
        fade: LodFade,
        /// Scaling of the level.
        scale: LodScale,
        /// Width of the band in which it morphs.
        morph_band: Float,
        /// Number of the level, 0 for the finest.
        level: usize,
        /// Number of levels.
        of: usize,
    }

    /// Bands in which a level of detail fades.
    LodFade {
        /// Width at the near end.
        near: Float,
        /// Width at the far end.
        far: Float,
        /// True if inferred, for games after Recoil.
        inferred: bool,
    }

    /// Scaling of a level of detail.
    LodScale {
        /// Width of the band along each axis.
        width: Float3,
        /// End of the band along each axis.
        end: Float3,
        /// Equal for all axes.
        uniform: bool,
    }

    /// Light points of a model.
    Points {
        /// Recoil: `steady` or `chaser`.
        mode: String,
        /// Recoil: true if they blink.
        blink: bool,
        /// Recoil: another behavior.
        behavior: i32,
        /// Recoil: seconds between two states.
        interval: Float,
        /// Recoil: second color, 16 bits as stored.
        second_color16: u16,
        /// Recoil: drawing order.
        priority: i16,
        /// Recoil: distances over which they fade.
        fade: PointFade,
        /// Recoil: distances of the flare.
        flare: Flare,
        /// Color as stored.
        color: Float3,
        /// Games after Recoil: flags as stored.
        flags: u16,
        /// Games after Recoil: size.
        size: Float,
        /// Crimson Skies: largest size.
        largest_size: Float,
        /// Crimson Skies: greatest distance at which they are visible.
        seen_to: Float,
        /// Positions in the space of the node.
        positions: Vec<Float3>,
    }

    /// Distances over which points fade.
    PointFade {
        /// Distance at which the fade starts.
        from: Float,
        /// Distance at which the points are invisible.
        to: Float,
    }

    /// Distances of a flare.
    Flare {
        /// Distance up to which the flare has its full level.
        full: Float,
        /// Distance at which the flare is invisible.
        gone: Float,
    }

    /// Axes along which an object probably follows the camera.
    LikelySky {
        /// `xyz` or `xz`.
        axes: String,
        /// False for a guess.
        certain: bool,
    }

    /// Position that an animation gives a node.
    GivenPlace {
        /// Name of the animation.
        animation: String,
        /// Position in the world.
        place: Float3,
    }

    /// A pickup.
    Pickup {
        /// Number of the kind.
        #[serde(rename = "type")] kind: usize,
        /// Name of the kind.
        name: String,
        /// Amount that it gives.
        amount: i64,
    }

    /// A box.
    Bounds {
        /// Least corner.
        min: Float3,
        /// Greatest corner.
        max: Float3,
    }

    /// Instrument of a cockpit.
    Instrument {
        /// Name that scripts bind.
        name: String,
        /// Number among instruments of the same name.
        number: usize,
    }

    /// Damage panel of an aircraft.
    DamagePanel {
        /// Number of the panel.
        number: usize,
        /// `torn`, `whole`, `duplicate`.
        state: String,
        /// Part of the aircraft.
        part: String,
        /// Fraction of health below which it tears.
        tears_below: f64,
    }

    /// Point from which a weapon fires.
    FirePoint {
        /// Part of the 'mech.
        part: Option<String>,
        /// False for a guess.
        certain: bool,
    }

    /// A transform as glTF has it.
    Rest {
        /// Translation.
        translation: Float3,
        /// Rotation, a quaternion.
        rotation: [Float; 4],
        /// Scale.
        scale: Float3,
    }

    /// Scattered scenery.
    Clutter {
        /// File that defines it.
        from: String,
        /// True if it is not visible from below.
        hidden_from_below: bool,
        /// Root of the template on the ground.
        template: String,
        /// Texture of the ground that the template belongs to.
        texture: String,
        /// Position in the texture.
        uv: [Float; 2],
        /// Range of sizes.
        scale: ClutterScale,
        /// Objects that may replace it.
        substitutes: Substitutes,
        /// Distances at which they fade.
        far_fade_range: Vec<Float>,
        /// Number of fog volumes in zones that are not shown.
        volumes_of_other_zones: usize,
        /// Number of objects.
        things: usize,
        /// Source of the random numbers.
        random: String,
        /// False if the rules are a guess.
        certain: bool,
    }

    /// Range of sizes.
    ClutterScale {
        /// Least and greatest.
        range: [Float; 2],
        /// False for a guess.
        certain: bool,
    }

    /// Objects that may replace another one.
    Substitutes {
        /// Weights by name.
        weights: BTreeMap<String, Float>,
        /// False for a guess.
        certain: bool,
    }

    /// Command by which a script found a node.
    FoundBy {
        /// The command.
        command: String,
        /// False for a guess.
        certain: bool,
    }
}
