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
        /// Placed model.
        model: String,
        /// File that places it.
        file: String,
        /// Volume: for WLD archives an object, for EQG archives the kind.
        #[cfg_attr(feature = "schema", schemars(with = "VolumeOrKind"))] volume: Value,
        /// Fields of a sound emitter, as in its file.
        emitter: Stored,
        /// Index in its file.
        index: usize,
        /// Sound that it makes.
        sound: String,
        /// Text in the file about it.
        user_data: String,
        /// Function of the client that runs the model.
        callback: String,
        /// Region of the zone.
        region: u32,
        /// Another head or body.
        alternate: bool,
        /// Not drawn; in the hidden scene, where one is written.
        hidden: bool,
        /// Collision shape; not drawn.
        collision: bool,
        /// Invisible wall.
        wall: bool,
        /// Ecosystems of a terrain tile.
        layers: Vec<String>,
        /// Number of a tile.
        id: i64,
        /// Number of the grass picture.
        picture: u32,
        /// Layer of a sky.
        layer: SkyLayer,
        /// Offset of the point at which a mesh is lit.
        light_offset: [Float; 3],
        /// True for a picture that turns to the camera.
        faces_camera: bool,
        /// Its width and height.
        size: [Float; 2],
        /// Number of pictures of each heading.
        frames_by_heading: Vec<usize>,
        /// Milliseconds of a frame.
        sleep_ms: u32,
        /// Name of a point of a model.
        point: String,
        /// Bone that it is attached to.
        bone: String,
        /// Particles: for WLD archives an object, for EQG archives the list of the emitters.
        #[cfg_attr(feature = "schema", schemars(with = "ParticlesOrList"))] particles: Value,
        /// Picture attached to a joint.
        sprite: Sprite,
        /// Other attachment to a joint.
        attachment: Attachment,
        /// For a light that is not converted: name of its definition.
        light: String,
        /// For a light that is not converted: brightness of its frames.
        levels: Vec<Float>,
        /// For a light that is not converted: colors of its frames.
        colors: Vec<[Float; 3]>,
        /// For a light that is not converted: radius.
        radius: Float,
        /// For a light that is not converted: color.
        color: [Float; 3],
        /// For a light that is not converted: flags.
        flags: u32,
        /// For a light that is not converted: runs of regions.
        regions: Vec<[u32; 2]>,
        /// For a light that is not converted: true if it lights the ground.
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
        /// Regions that it lights: first one and number.
        regions: Vec<[u32; 2]>,
        /// True if it also lights the ground.
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
        /// Mode in which a door opens.
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
        /// Position in the drawing order.
        draw_order: u8,
        /// Seconds per unit of texture coordinates.
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

    /// Emitter at a point of a model of an EQG archive.
    PointParticles {
        /// Record of `ActorEmittersNew.edd`.
        emitter: u32,
        /// Record for the cold.
        cold_emitter: u32,
        /// Point that it is attached to.
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
        /// Sporadic, as stored.
        sporadic: i32,
    }

    /// Region of a WLD archive with special properties.
    Volume {
        /// Kind: `normal`, `water`, `lava`, `player_versus_player`, `slippery`, `slime`, `freezing_water`, `unknown`.
        region_type: String,
        /// Destination of a zone line.
        line: ZoneLine,
        /// True if the code of a zone line ends too early, or lacks its numbers.
        broken_line: bool,
    }

    /// Destination of a zone line.
    ZoneLine {
        /// Row of the server's table, the only place that has the destination.
        reference: u32,
        /// Position in a zone.
        absolute: ZonePlace,
    }

    /// Position in a zone.
    ZonePlace {
        /// Number of the zone.
        zone: u32,
        /// Position, axes as in the file; null for an unchanged coordinate.
        position: [Option<Float>; 3],
        /// 512ths of a turn; 999 may mean unchanged.
        heading: u32,
    }

    /// Attachment to a joint.
    Attachment {
        /// Kind of the fragment.
        kind: Value,
        /// Name of the fragment.
        name: String,
    }
}

/// Particles, in the form of either kind of archive.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "for the JSON Schema alone")]
enum ParticlesOrList {
    Wld(Box<Particles>),
    Eqg(Vec<PointParticles>),
}

/// Volume, in the form of either kind of archive.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "for the JSON Schema alone")]
enum VolumeOrKind {
    Wld(Volume),
    Eqg(String),
}
