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
        /// Opacity of the file, 0 to 1.
        opacity: Float,
        /// Color that is mixed in.
        tint: Tint,
        /// Distances of a level of detail.
        lod: Lod,
        /// Volume that things collide with.
        collision: bool,
        /// Why it is hidden: `zone`.
        hidden_by: String,
        /// The file that switches it off.
        switched_off_by: String,
        /// Follows the camera along these axes: `xyz` or `xz`.
        sky: String,
        /// Probably follows the camera.
        likely_sky: LikelySky,
        /// Place that an animation gives it.
        placed_by_animation: GivenPlace,
        /// Effect of hits on the ground: `yes`, `no`, `blocks`.
        crater: String,
        /// Something to pick up.
        pickup: Pickup,
        /// Live box of a volume of fog.
        fog_volume: Bounds,
        /// Instrument of a cockpit.
        instrument: Instrument,
        /// Panel of an aircraft that tears.
        damage_panel: DamagePanel,
        /// State of an aircraft that it shows: `healthy`, `destroyed`.
        damage_state: String,
        /// Point from which a weapon fires.
        firepoint: FirePoint,
        /// Stored transform of a limb whose pose is that of a motion.
        rest: Rest,
        /// Airship of a mission.
        airship: Airship,
        /// Turret of a mission.
        turret: Turret,
        /// Moves in a mission.
        mover: bool,
        /// Name of the thing whose parts a mission takes from here.
        taken_by: String,
        /// Thing that a mission places.
        placement: Placement,
        /// Net of paths.
        net: Net,
        /// Things strewn about.
        clutter: Clutter,
        /// True for a light that shines at the start of the mission.
        shines: bool,
        /// Animation that switches a light on.
        of_animation: String,
        /// Value that a script set at the start: `light`.
        start: String,
        /// An animation that starts with the mission hangs here.
        starts_with: bool,
        /// Range that a script gives a level of detail.
        start_range: [Float; 2],
        /// Color that a script gives it.
        start_color: Float3,
        /// Commands of scripts about its cycle of pictures, by name.
        start_cycle: Stored,
        /// Drawn over what is there, by a script.
        overwrite: bool,
        /// Landmark, by a script.
        landmark: bool,
        /// Surface that things stand on, by a script.
        altitude_surface: bool,
        /// Surface that shots hit, by a script.
        intersect_surface: bool,
        /// Command by which a script found the node.
        found_by: FoundBy,
        /// Another instance of the node with this index.
        instance_of: usize,
        /// Not drawn; in the hidden scene, where one is written.
        hidden: bool,
        /// Points of light of its model.
        points: Vec<Points>,
        /// Turn of a model without surfaces to the camera.
        facade: Facade,
    }

    /// A color and its share.
    Tint {
        /// Parts from 0 to 1.
        color: Float3,
        /// Share of the color, 0 to 1.
        weight: Float,
    }

    /// Distances of a level of detail.
    Lod {
        /// Nearest distance at which it is seen.
        near: Float,
        /// Farthest distance.
        far: Float,
        /// The distance is that of another node.
        distance_of_other: bool,
        /// Widths of the bands in which it fades.
        fade: LodFade,
        /// Growth of the level.
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
        /// The later games' bands are inferred.
        inferred: bool,
    }

    /// Growth of a level of detail.
    LodScale {
        /// Width of the band along each axis.
        width: Float3,
        /// End of the band along each axis.
        end: Float3,
        /// Alike along all axes.
        uniform: bool,
    }

    /// Points of light of a model.
    Points {
        /// Recoil: `steady` or `chaser`.
        mode: String,
        /// Recoil: they blink.
        blink: bool,
        /// Recoil: another behavior.
        behavior: i32,
        /// Recoil: seconds between two states.
        interval: Float,
        /// Recoil: second color, 16 bits as stored.
        second_color16: u16,
        /// Recoil: order of drawing.
        priority: i16,
        /// Recoil: distances over which they fade.
        fade: PointFade,
        /// Recoil: distances of the flare.
        flare: Flare,
        /// Color as stored.
        color: Float3,
        /// Later games: flags as stored.
        flags: u16,
        /// Later games: size.
        size: Float,
        /// Crimson Skies: largest size.
        largest_size: Float,
        /// Crimson Skies: distance to which they are seen.
        seen_to: Float,
        /// Places, in the space of the node.
        positions: Vec<Float3>,
    }

    /// Distances over which points fade.
    PointFade {
        /// Distance at which the fade starts.
        from: Float,
        /// Distance at which the points are gone.
        to: Float,
    }

    /// Distances of a flare.
    Flare {
        /// Distance at which the level is whole.
        full: Float,
        /// Distance at which the level is gone.
        gone: Float,
    }

    /// The axes along which something probably follows the camera.
    LikelySky {
        /// `xyz` or `xz`.
        axes: String,
        /// False: a guess.
        certain: bool,
    }

    /// Place that an animation gives a node.
    GivenPlace {
        /// Name of the animation.
        animation: String,
        /// The place in the world.
        place: Float3,
    }

    /// Something to pick up.
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
        /// Number among those of one name.
        number: usize,
    }

    /// Panel of an aircraft.
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
        /// False: a guess.
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

    /// Things strewn about.
    Clutter {
        /// The file that says so.
        from: String,
        /// Not seen from below.
        hidden_from_below: bool,
        /// Root of the template on the ground.
        template: String,
        /// Texture of the ground that the template belongs to.
        texture: String,
        /// Place in the texture.
        uv: [Float; 2],
        /// Range of sizes.
        scale: ClutterScale,
        /// Things that may stand in its place.
        substitutes: Substitutes,
        /// Distances at which they fade.
        far_fade_range: Vec<Float>,
        /// Volumes of fog in zones that are not shown.
        volumes_of_other_zones: usize,
        /// Number of things.
        things: usize,
        /// Source of the random numbers.
        random: String,
        /// False: the rules are a guess.
        certain: bool,
    }

    /// Range of sizes.
    ClutterScale {
        /// Least and greatest.
        range: [Float; 2],
        /// False: a guess.
        certain: bool,
    }

    /// Things that may stand in the place of another.
    Substitutes {
        /// Weights by name.
        weights: BTreeMap<String, Float>,
        /// False: a guess.
        certain: bool,
    }

    /// Command by which a script found a node.
    FoundBy {
        /// The command.
        command: String,
        /// False: a guess.
        certain: bool,
    }
}
