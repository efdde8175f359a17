//! Sections of Recoil's save games: memory images, whose enumerations and node numbers refer to the mission's world.
//!
//! Words that the game writes only sometimes, and pointers, are preserved.
//!
//! ```
//! use relicast_formats::zipper::save::{SavedBy, SaveMember, decode_of};
//!
//! let fog = [0; 36];
//! let section = decode_of(SavedBy::Recoil, "GWWorld/fog", &fog)?.value;
//! assert!(matches!(section, SaveMember::Fog(_)));
//!
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use relicast_codec::{
    Blob, Bytes, F32, FixedSize, FormatError, PaddedText, Result, Stream, Vec3, Walk,
};

relicast_codec::record! {
    /// `Mission/MissionData`, 92 bytes.
    pub struct MissionData[92] {
        /// Offset 0: number of the mission.
        mission: i32,
        /// Offset 4.
        flags: u32,
        /// Offset 8: index of the current objective, -1 for none.
        current_objective: i32,
        /// Offset 12: index of the first objective that is not complete.
        first_incomplete: i32,
        /// Offset 16: number of completed objectives.
        completed: i32,
        /// Offset 20: 0x64 to 0x6B.
        flow_state: i32,
        /// Offset 24.
        deadline: u32,
        /// Offset 28: the third counts shots.
        statistics: [i32; 4],
        /// Offset 44: weapons that were found, one bit each.
        weapons: u32,
        /// Offset 48: 1 for each completed objective.
        objectives: [i32; 10],
        /// Offset 88: 0 easy, 1 medium, 2 hard.
        difficulty: i32,
    }
}

relicast_codec::record! {
    /// State of a node in an animation, 68 bytes.
    pub struct NodeState[68]: FixedSize {
        /// Offset 0: number of the node; -1: the rest is unused.
        node: i32,
        /// Offset 4.
        active: i32,
        /// Offset 8: set if `place` is a matrix.
        uses_matrix: i32,
        /// Offset 12: a matrix of 3 × 4, or position, rotation, scale and three unused values.
        place: [F32; 12],
        /// Offset 60: bit 0: `morph_weight` is valid, and the node morphs.
        flags: u32,
        /// Offset 64: weight of the node's morph target, restored together with the switch of morphing.
        morph_weight: F32,
    }
}

relicast_codec::record! {
    /// Start of an animation's record, 88 bytes.
    pub struct AnimationHead[88] {
        /// Offset 0: the request, 1 to 5; 0 in records of running animations.
        command: i32,
        /// Offset 4: number of the record.
        id: u32,
        /// Offset 8: name of the animation.
        name: PaddedText<32>,
        /// Offset 40: number of the node, -1 for none.
        node: i32,
        /// Offset 44: by command: 1 position, rotation, velocity; 2 velocity; 3 node, offset, velocity;
        /// 4 node, offset, node, offset. Unused ones are stale.
        parameters: [F32; 9],
        /// Offset 80: index of the definition in `anim.zbd` in `Anim`, unused in `AnimActivation`.
        definition: u32,
        /// Offset 84: 1 ready, 2 running, 3 executed, 4 invalid, 5 unused, 6 running and waiting.
        state: u8,
        /// Offset 85: number of node states.
        count: u8,
        /// Offset 86: stale.
        unk86: Bytes<2>,
    }
}

/// `AnimActivation/…` and `Anim/…`: an animation and the nodes that it moves. Copies of an animation that run at
/// the same time have one name. Probably only animations whose definition has
/// [`SAVE_LOG_SET`](crate::zipper::anim::DefinitionFlags::SAVE_LOG_SET) are saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnimationState {
    /// Its record.
    pub head: AnimationHead,
    /// The nodes.
    pub nodes: Vec<NodeState>,
}

impl<'a> Walk<'a> for AnimationState {
    const SMALLEST: usize = AnimationHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        if !S::READING {
            self.head.count = small(self.nodes.len(), stream.position())?;
        }
        self.head.walk(stream)?;
        stream.values("nodes", &mut self.nodes, usize::from(self.head.count))
    }
}

/// A count of one byte.
fn small(count: usize, offset: usize) -> Result<u8> {
    u8::try_from(count).map_err(|_| FormatError::unencodable("count", offset, "at most 255", count))
}

relicast_codec::record! {
    /// Start of a running animation, 104 bytes.
    pub struct RunningHead[104] {
        /// Offset 0: index of the definition.
        index: i32,
        /// Offset 4.
        primary: i32,
        /// Offset 8: name of the animation.
        name: PaddedText<32>,
        /// Offset 40: number of the root node.
        root_node: i32,
        /// Offset 44.
        node_a: i32,
        /// Offset 48.
        offset_a: Vec3,
        /// Offset 60.
        node_b: i32,
        /// Offset 64.
        offset_b: Vec3,
        /// Offset 76: as in [`AnimationHead`].
        state: u8,
        /// Offset 77.
        unk77: Bytes<3>,
        /// Offset 80.
        trigger: F32,
        /// Offset 84: seconds.
        countdown: F32,
        /// Offset 88.
        velocity: Vec3,
        /// Offset 100: number of sequences.
        sequence_count: u8,
        /// Offset 101: number of lights.
        light_count: u8,
        /// Offset 102: number of sounds.
        sound_count: u8,
        /// Offset 103.
        unk103: u8,
    }
}

relicast_codec::record! {
    /// Start of a sequence of a running animation, 64 bytes.
    pub struct SequenceHead[64] {
        /// Offset 0.
        name: PaddedText<32>,
        /// Offset 32.
        run_state: u8,
        /// Offset 33.
        reset_mode: u8,
        /// Offset 34.
        unk34: Bytes<2>,
        /// Offset 36.
        times: [F32; 3],
        /// Offset 48.
        loops: u16,
        /// Offset 50.
        unk50: Bytes<2>,
        /// Offset 52: offset of the current event into the events.
        current_event: u32,
        /// Offset 56: stale.
        pointer: u32,
        /// Offset 60: bytes of the events.
        length: i32,
    }
}

/// A sequence and its events.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningSequence<'a> {
    /// Its record.
    pub head: SequenceHead,
    /// Events, in the form of `anim.zbd`.
    pub events: Blob<'a>,
}

impl<'a> Walk<'a> for RunningSequence<'a> {
    const SMALLEST: usize = SequenceHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        if !S::READING {
            self.head.length = i32::try_from(self.events.len()).map_err(|_| {
                FormatError::unencodable("length", offset, "at most 2 GiB", self.events.len())
            })?;
        }
        self.head.walk(stream)?;
        let length = usize::try_from(self.head.length).map_err(|_| {
            FormatError::malformed("length", offset, "a length of 0 or more", self.head.length)
        })?;
        stream.bytes("events", &mut self.events.0, length)
    }
}

relicast_codec::record! {
    /// A light of a running animation, 56 bytes.
    pub struct RunningLight[56]: FixedSize {
        /// Offset 0.
        name: PaddedText<36>,
        /// Offset 36.
        attached: i32,
        /// Offset 40.
        position: Vec3,
        /// Offset 52.
        parent_node: i32,
    }
}

relicast_codec::record! {
    /// A sound of a running animation, 60 bytes.
    pub struct RunningSound[60]: FixedSize {
        /// Offset 0.
        name: PaddedText<36>,
        /// Offset 36.
        attached: i32,
        /// Offset 40.
        has_position: i32,
        /// Offset 44.
        position: Vec3,
        /// Offset 56.
        parent_node: i32,
    }
}

/// `RunningAnim/…`: an animation in the middle of its events.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningAnimation<'a> {
    /// Its record.
    pub head: RunningHead,
    /// Its sequences.
    pub sequences: Vec<RunningSequence<'a>>,
    /// Its lights.
    pub lights: Vec<RunningLight>,
    /// Its sounds.
    pub sounds: Vec<RunningSound>,
}

impl<'a> Walk<'a> for RunningAnimation<'a> {
    const SMALLEST: usize = RunningHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let head = &mut self.head;
        if !S::READING {
            let offset = stream.position();
            head.sequence_count = small(self.sequences.len(), offset)?;
            head.light_count = small(self.lights.len(), offset)?;
            head.sound_count = small(self.sounds.len(), offset)?;
        }
        head.walk(stream)?;
        let count = usize::from(head.sequence_count);
        stream.records("sequences", &mut self.sequences, count)?;
        stream.values("lights", &mut self.lights, usize::from(head.light_count))?;
        stream.values("sounds", &mut self.sounds, usize::from(head.sound_count))
    }
}

relicast_codec::record! {
    /// `VehicleList/…`, 128 bytes.
    pub struct Vehicle[128] {
        /// Offset 0: 128.
        size: u32 [always 128],
        /// Offset 4: pitch, yaw, roll in radians.
        rotation: Vec3,
        /// Offset 16.
        position: Vec3,
        /// Offset 28.
        net_id: i32,
        /// Offset 32.
        ai_state: i32,
        /// Offset 36.
        saved_state: i32,
        /// Offset 40.
        return_state: i32,
        /// Offset 44.
        attack_radius_squared: F32,
        /// Offset 48.
        restore_distance_squared: F32,
        /// Offset 52.
        restore_target: Vec3,
        /// Offset 64.
        offset_direction: Vec3,
        /// Offset 76.
        activation_radius_squared: F32,
        /// Offset 80.
        suppressed: i32,
        /// Offset 84.
        alert: i32,
        /// Offset 88.
        marker: i32,
        /// Offset 92.
        active: i32,
        /// Offset 96.
        path_advance: i32,
        /// Offset 100.
        steering_state: i32,
        /// Offset 104.
        return_steering: i32,
        /// Offset 108: 4 and 5: destroyed or inactive.
        mode: i32,
        /// Offset 112.
        health_scaled: F32,
        /// Offset 116.
        health: F32,
        /// Offset 120.
        nanite_level: i32,
        /// Offset 124: of the local player's vehicle, else stale.
        player_mode: i32,
    }
}

relicast_codec::record! {
    /// A side of a weapon bank, 8 bytes.
    pub struct Side[8]: FixedSize {
        /// Offset 0.
        enabled: i32,
        /// Offset 4.
        ammunition: F32,
    }
}

relicast_codec::record! {
    /// A weapon bank, 20 bytes.
    pub struct Bank[20]: FixedSize {
        /// Offset 0: the side that is selected.
        selected: i32,
        /// Offset 4.
        sides: [Side; 2],
    }
}

relicast_codec::record! {
    /// `Player/…`, 292 bytes; newer builds add [`Damage`].
    pub struct PlayerHead[292] {
        /// Offset 0.
        size: i32,
        /// Offset 4.
        alternate_bank: i32,
        /// Offset 8.
        alternate_side: i32,
        /// Offset 12.
        primary_bank: i32,
        /// Offset 16.
        primary_side: i32,
        /// Offset 20.
        banks: [Bank; 10],
        /// Offset 220.
        status_ratio: F32,
        /// Offset 224.
        counter: i32,
        /// Offset 228: amphibious, hover, submarine.
        unlocked: [i32; 3],
        /// Offset 240.
        unk240: i32,
        /// Offset 244.
        next_mode_change: F32,
        /// Offset 248.
        unk248: [i32; 3],
        /// Offset 260: track, hover, amphibious, submarine, fly.
        mode: i32,
        /// Offset 264.
        camera_target: Vec3,
        /// Offset 276.
        camera_position: Vec3,
        /// Offset 288.
        zone_tag: Bytes<4>,
    }
}

relicast_codec::record! {
    /// Damage over time, 28 bytes.
    pub struct Damage[28]: FixedSize {
        /// Offset 0.
        flags: u32,
        /// Offset 4.
        weapon: u32,
        /// Offset 8.
        level: F32,
        /// Offset 12.
        target_level: F32,
        /// Offset 16: stale.
        pointer16: u32,
        /// Offset 20.
        time: F32,
        /// Offset 24: stale.
        pointer24: u32,
    }
}

/// `Player/…`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// Fields of every build.
    pub head: PlayerHead,
    /// Fields that newer builds add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
}

impl<'a> Walk<'a> for Player {
    const SMALLEST: usize = PlayerHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        self.head.walk(stream)?;
        let more = match S::READING {
            true => stream.remaining() >= <Damage as FixedSize>::SIZE,
            false => self.damage.is_some(),
        };
        stream.optional("damage", more, &mut self.damage, |stream, damage| {
            stream.value("damage", damage)
        })
    }
}

relicast_codec::record! {
    /// `Pickup/…`, 48 bytes.
    pub struct Pickup[48] {
        /// Offset 0: 1 in the first that was written.
        first: i32,
        /// Offset 4: 0 to 39; its template is the node `pu` and this number.
        kind: i32,
        /// Offset 8.
        id: i32,
        /// Offset 12.
        amount: i32,
        /// Offset 16.
        position: Vec3,
        /// Offset 28.
        rotation: Vec3,
        /// Offset 40.
        unk40: i32,
        /// Offset 44: seconds.
        respawn_delay: F32,
    }
}

relicast_codec::record! {
    /// `GWWorld/…`, 36 bytes: fog.
    pub struct Fog[36] {
        /// Offset 0.
        state: i32,
        /// Offset 4.
        color: Vec3,
        /// Offset 16.
        near: F32,
        /// Offset 20.
        far: F32,
        /// Offset 24.
        altitude_high: F32,
        /// Offset 28.
        altitude_low: F32,
        /// Offset 32.
        density: F32,
    }
}

relicast_codec::record! {
    /// `zDEClient/…`, 52 bytes: a change of the ground.
    pub struct Deformation[52] {
        /// Offset 0: 1 crater, 3 quicksand.
        kind: i32,
        /// Offset 4: the event, with pointers in it.
        event: Bytes<44>,
        /// Offset 48: 1: the list is cleared first.
        first: i32,
    }
}

relicast_codec::record! {
    /// `Mines/…`, 96 bytes.
    pub struct Mine[96] {
        /// Offset 0: 1 in the first that was written.
        first: i32,
        /// Offset 4.
        weapon: PaddedText<32>,
        /// Offset 36.
        position: Vec3,
        /// Offset 48.
        scale: Vec3,
        /// Offset 60: node of its owner.
        owner: PaddedText<36>,
    }
}
