//! Extras of nodes and lights.

use serde_json::Value;

use super::surface::TextureFrames;
use crate::extras::declare::facts;
use crate::extras::{Float, Stored};

facts! {
    /// A node of a scene.
    Node: "everquest" {
        /// Row of a server's table.
        server: ServerRow,
        /// Name in the file.
        name: String,
        /// Model that is placed.
        model: String,
        /// File that places it.
        file: String,
        /// Volume: of WLD archives an object, of EQG archives the kind.
        #[cfg_attr(feature = "schema", schemars(with = "VolumeOrKind"))] volume: Value,
        /// Fields of an emitter of the surroundings, as its file has them.
        emitter: Stored,
        /// Index in its file.
        index: usize,
        /// Sound that it makes.
        sound: String,
        /// Text of the file about it.
        user_data: String,
        /// Function of the client that runs the model.
        callback: String,
        /// Region of the zone.
        region: u32,
        /// Another head or body.
        alternate: bool,
        /// Not drawn; in the hidden scene, where one is written.
        hidden: bool,
        /// Shape that is only felt.
        collision: bool,
        /// Invisible wall.
        wall: bool,
        /// Ecosystems of a tile of the ground.
        layers: Vec<String>,
        /// Number of a tile.
        id: i64,
        /// Number of the picture of grass.
        picture: u32,
        /// Layer of a sky.
        layer: SkyLayer,
        /// Offset of the point at which a mesh is lit.
        light_offset: [Float; 3],
        /// A picture that turns to the camera.
        faces_camera: bool,
        /// Its width and height.
        size: [Float; 2],
        /// Number of pictures of each heading.
        frames_by_heading: Vec<usize>,
        /// Milliseconds of a frame.
        sleep_ms: u32,
        /// Name of a point of a model.
        point: String,
        /// Bone that it hangs on.
        bone: String,
        /// Particles: of WLD archives an object, of EQG archives the list of the emitters.
        #[cfg_attr(feature = "schema", schemars(with = "ParticlesOrList"))] particles: Value,
        /// Picture that hangs on a joint.
        sprite: Sprite,
        /// Something else that hangs on a joint.
        attachment: Attachment,
        /// Of a light that is not made: name of its definition.
        light: String,
        /// Of a light that is not made: brightness of its frames.
        levels: Vec<Float>,
        /// Of a light that is not made: colors of its frames.
        colors: Vec<[Float; 3]>,
        /// Of a light that is not made: radius.
        radius: Float,
        /// Of a light that is not made: color.
        color: [Float; 3],
        /// Of a light that is not made: flags.
        flags: u32,
        /// Of a light that is not made: runs of regions.
        regions: Vec<[u32; 2]>,
        /// Of a light that is not made: it lights the ground.
        lights_terrain: bool,
    }

    /// A light.
    Light: "everquest" {
        /// Name of its definition.
        light: String,
        /// Brightness of its frames.
        levels: Vec<Float>,
        /// Colors of its frames.
        colors: Vec<[Float; 3]>,
        /// Milliseconds of a frame.
        sleep_ms: u32,
        /// Index in its file.
        index: usize,
        /// Radius.
        radius: Float,
        /// Color, parts as stored.
        color: [Float; 3],
        /// Flags.
        flags: u32,
        /// Regions that it lights: first one and how many.
        regions: Vec<[u32; 2]>,
        /// Lights the ground, too.
        lights_terrain: bool,
    }

    /// Row of a server's table.
    ServerRow {
        /// File.
        file: String,
        /// Line.
        line: u64,
        /// Size.
        size: Float,
        /// Way in which a door opens.
        open_type: i64,
        /// Name of a creature.
        name: String,
        /// Race.
        race: i64,
        /// Gender.
        gender: i64,
        /// Texture.
        texture: i64,
        /// Face.
        face: i64,
        /// Other columns, by their names.
        columns: Stored,
    }

    /// Layer of a sky.
    SkyLayer {
        /// Number of the sky.
        sky: u8,
        /// `upper`, `bodies`, `clouds`.
        part: String,
        /// Place in the order of drawing.
        draw_order: u8,
        /// Seconds in which one unit of texture coordinates passes.
        seconds_per_uv: u32,
        /// Direction of the movement.
        direction: String,
        /// Seconds of a turn.
        turn_seconds: u32,
    }

    /// Source of particles, directions in scene space.
    Particles {
        /// Kind.
        #[serde(rename = "type")] kind: u32,
        /// Movement of the particles.
        movement: Value,
        /// Flags.
        flags: u32,
        /// Number of particles at a time.
        simultaneous: u32,
        /// Factor of gravity.
        gravity_factor: Float,
        /// Gravity.
        gravity: [Float; 3],
        /// Milliseconds of the source.
        duration_ms: u32,
        /// Radius in which they begin.
        spawn_radius: Float,
        /// Angle in which they begin.
        spawn_angle: Float,
        /// Milliseconds of a particle.
        lifespan_ms: u32,
        /// Speed.
        velocity: Float,
        /// Direction.
        direction: [Float; 3],
        /// Milliseconds between two particles.
        spawn_rate_ms: u32,
        /// Size.
        spawn_scale: Float,
        /// Red, green, blue, alpha, 0 to 255.
        tint: [u8; 4],
        /// Box in which they begin.
        spawn_box: [[Float; 3]; 2],
        /// Another box.
        #[serde(rename = "box")] other_box: [[Float; 3]; 2],
        /// Picture.
        sprite: Sprite,
    }

    /// A picture.
    Sprite {
        /// Width and height.
        size: [Float; 2],
        /// Render method, 32 bits.
        render_method: String,
        /// Texture.
        texture: TextureFrames,
    }

    /// Emitter on a point of a model of an EQG archive.
    PointParticles {
        /// Record of `ActorEmittersNew.edd`.
        emitter: u32,
        /// Record for the cold.
        cold_emitter: u32,
        /// Point that it hangs on.
        point: String,
        /// Kind of particle.
        kind: i32,
        /// Number of the animation that it goes with.
        animation: i32,
        /// Variation of the animation.
        animation_variation: i32,
        /// Random animation, as stored.
        random_animation: i32,
        /// Start, as stored.
        start_time: i32,
        /// Duration, as stored.
        life_span: i32,
        /// On the ground, as stored.
        ground: i32,
        /// Material that it goes with; -1 for any.
        material: i32,
        /// Now and then, as stored.
        sporadic: i32,
    }

    /// Region of a WLD archive that is more than air.
    Volume {
        /// Kind: `normal`, `water`, `lava`, `player_versus_player`, `slippery`, `slime`, `freezing_water`, `unknown`.
        region_type: String,
        /// Destination of a zone line.
        line: ZoneLine,
        /// The code of a zone line ends too early, or lacks its numbers.
        broken_line: bool,
    }

    /// Destination of a zone line.
    ZoneLine {
        /// Row of the server's table, which alone tells the destination.
        reference: u32,
        /// Place in a zone.
        absolute: ZonePlace,
    }

    /// Place in a zone.
    ZonePlace {
        /// Number of the zone.
        zone: u32,
        /// Position, axes as in the file; null for a coordinate that stays as it is.
        position: [Option<Float>; 3],
        /// 512ths of a turn; 999 may mean that it stays as it is.
        heading: u32,
    }

    /// Something that hangs on a joint.
    Attachment {
        /// Kind of the fragment.
        kind: Value,
        /// Name of the fragment.
        name: String,
    }
}

/// Particles as the two kinds of archives have them.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "for the JSON Schema alone")]
enum ParticlesOrList {
    Wld(Box<Particles>),
    Eqg(Vec<PointParticles>),
}

/// Volume as the two kinds of archives have it.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "for the JSON Schema alone")]
enum VolumeOrKind {
    Wld(Volume),
    Eqg(String),
}
