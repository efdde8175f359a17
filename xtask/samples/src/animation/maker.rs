//! Builder of definitions: naming an item enters it into the tables.

use relicast::formats::codec::{F32, PaddedText};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::motion::{
    GroupedMotion, ObjectMotionGroup, ObjectMotionSiScript, ScriptMotionHead,
};
use relicast::formats::zipper::anim::{
    Activation, AnimationRef, AnimationRefIndex, AnimationRefNames, Bool32, DamageState,
    Definition, DefinitionFlags, DynamicSoundIndex, DynamicSoundRef, EffectIndex, EffectRef, Event,
    EventBody, EventStart, Frame, LightIndex, LightRef, NodeIndex, NodeName, NodeRef, ObjectRef,
    PathRef, Prerequisite, PrerequisiteKind, PufferIndex, PufferRef, Range, Sequence,
    SequenceState, ShortNodeIndex, SiScript, StaticSoundIndex, StaticSoundRef,
};

use crate::Outcome;

/// An address that is never used, for pointers that must not be 0.
pub const ADDRESS: u32 = 0x0100_0010;
/// Value that Pirate's Moon has in place of the addresses of nodes.
const NO_NODE: u32 = u32::MAX;

/// A text in a buffer of the format.
pub fn padded<const N: usize>(text: &str) -> Outcome<PaddedText<N>> {
    PaddedText::new(text).ok_or_else(|| format!("{text} does not fit").into())
}

fn node_name(text: &str) -> Outcome<NodeName> {
    NodeName::new(text).ok_or_else(|| format!("{text} does not fit").into())
}

/// Builder of a definition.
pub struct Maker<'s> {
    version: ZipperGame,
    definition: Definition,
    /// Scripts of the whole container.
    scripts: &'s mut Vec<SiScript>,
}

/// The index of a name in a table whose first entry is reserved; a new name is added.
fn enter<T: Default>(
    table: &mut Vec<T>,
    found: impl Fn(&T) -> bool,
    make: impl FnOnce() -> Outcome<T>,
) -> Outcome<usize> {
    if table.is_empty() {
        table.push(T::default());
    }
    if let Some(place) = table.iter().skip(1).position(found) {
        return Ok(place + 1);
    }
    table.push(make()?);
    Ok(table.len() - 1)
}

impl<'s> Maker<'s> {
    /// A definition called `animation` of the node `name`, bound to `root`.
    pub fn new(
        version: ZipperGame,
        scripts: &'s mut Vec<SiScript>,
        [name, animation, root]: [&str; 3],
        activation: Activation,
    ) -> Outcome<Self> {
        let mut definition = Definition::default();
        let head = &mut definition.head;
        head.name = padded(name)?;
        head.anim_name = padded(animation)?;
        head.anim_root_name = padded(root)?;
        head.activation = activation;
        head.execution_priority = 4;
        head.two = 2;
        head.reset_time = F32(-1.0);
        head.anim_ptr = if version == ZipperGame::PiratesMoon {
            NO_NODE
        } else {
            ADDRESS
        };
        head.anim_root_ptr =
            head.anim_ptr + u32::from(name != root && version != ZipperGame::PiratesMoon);
        if version < ZipperGame::PiratesMoon {
            definition.reset_state = Some(block(Sequence::RESET, Vec::new())?);
        }
        Ok(Self {
            version,
            definition,
            scripts,
        })
    }

    /// Game of the definition.
    pub fn version(&self) -> ZipperGame {
        self.version
    }

    /// Changes a flag.
    pub fn flag(&mut self, flags: DefinitionFlags) {
        self.definition.head.flags |= flags;
    }

    /// Makes it run while the player is between these distances.
    pub fn within(&mut self, nearest: f32, farthest: f32) {
        self.flag(DefinitionFlags::EXECUTION_BY_RANGE);
        self.definition.head.execution_range = Range {
            min: F32(nearest * nearest),
            max: F32(farthest * farthest),
        };
    }

    /// Sets its health, and the delay from its end to its reset state in seconds.
    pub fn lives(&mut self, health: f32, reset_time: f32) {
        let head = &mut self.definition.head;
        head.max_health = F32(health);
        head.current_health = F32(health);
        head.reset_time = F32(reset_time);
        self.flag(DefinitionFlags::RESET_TIME);
    }

    /// Switches the definition off.
    pub fn disable(&mut self) {
        self.definition.head.status = 5;
    }

    /// Adds a condition for its start; optional conditions need not all hold.
    pub fn needs(&mut self, kind: PrerequisiteKind, name: &str, optional: bool) -> Outcome {
        let is_animation = kind == PrerequisiteKind::Animation;
        let ptr = match (is_animation, self.version) {
            (true, _) => 0,
            (false, ZipperGame::PiratesMoon) => NO_NODE,
            (false, _) => ADDRESS,
        };
        let active = match (kind, self.version) {
            (PrerequisiteKind::Object, ZipperGame::Recoil | ZipperGame::MechWarrior3) => 1,
            (PrerequisiteKind::Object, _) => 3,
            _ => 0,
        };
        self.definition.head.prerequisites_to_satisfy |= u8::from(optional);
        self.definition.tables.prerequisites.push(Prerequisite {
            optional: Bool32(u32::from(optional)),
            kind,
            active,
            name: padded(name)?,
            ptr,
        });
        Ok(())
    }

    /// Adds a path of nodes; Crimson Skies.
    pub fn path(&mut self, names: &[&str]) -> Outcome {
        for name in names {
            let name = padded(name)?;
            self.definition.tables.paths.push(PathRef {
                name,
                node: ADDRESS,
            });
        }
        Ok(())
    }

    /// Adds a node whose state is saved for a reset.
    pub fn keeps(&mut self, name: &str) -> Outcome {
        let ptr = if self.version == ZipperGame::PiratesMoon {
            NO_NODE
        } else {
            ADDRESS
        };
        let make = || {
            let mut object = ObjectRef {
                name: node_name(name)?,
                ptr,
                ..ObjectRef::default()
            };
            for place in [0, 4, 8] {
                object.matrix[place] = F32(1.0);
            }
            Ok(object)
        };
        let objects = &mut self.definition.tables.objects;
        enter(objects, |object| object.name.text() == name, make).map(|_| ())
    }

    /// Index of a node in the tables.
    pub fn node(&mut self, name: &str) -> Outcome<ShortNodeIndex> {
        let ptr = if self.version == ZipperGame::PiratesMoon {
            NO_NODE
        } else {
            ADDRESS
        };
        let make = || {
            Ok(NodeRef {
                name: node_name(name)?,
                ptr,
                ..NodeRef::default()
            })
        };
        let nodes = &mut self.definition.tables.nodes;
        let place = enter(nodes, |node| node.name.text() == name, make)?;
        Ok(ShortNodeIndex(i16::try_from(place)?))
    }

    /// The same as 4 bytes.
    pub fn wide(&mut self, name: &str) -> Outcome<NodeIndex> {
        self.node(name).map(NodeIndex::from)
    }

    pub fn light(&mut self, name: &str) -> Outcome<LightIndex> {
        let make = || {
            Ok(LightRef {
                name: node_name(name)?,
                ptr: ADDRESS,
                ..LightRef::default()
            })
        };
        let lights = &mut self.definition.tables.lights;
        let place = enter(lights, |light| light.name.text() == name, make)?;
        Ok(LightIndex(i32::try_from(place)?))
    }

    pub fn puffer(&mut self, name: &str) -> Outcome<PufferIndex> {
        let make = || {
            Ok(PufferRef {
                name: padded(name)?,
                flags: 0x0100_0000,
                ptr: ADDRESS,
                ..PufferRef::default()
            })
        };
        let puffers = &mut self.definition.tables.puffers;
        let place = enter(puffers, |puffer| puffer.name.text() == name, make)?;
        Ok(PufferIndex(i32::try_from(place)?))
    }

    pub fn emitter(&mut self, name: &str) -> Outcome<DynamicSoundIndex> {
        let make = || {
            Ok(DynamicSoundRef {
                name: node_name(name)?,
                ptr: ADDRESS,
                ..DynamicSoundRef::default()
            })
        };
        let sounds = &mut self.definition.tables.dynamic_sounds;
        let place = enter(sounds, |sound| sound.name.text() == name, make)?;
        Ok(DynamicSoundIndex(i32::try_from(place)?))
    }

    pub fn sound(&mut self, name: &str) -> Outcome<StaticSoundIndex> {
        let make = || {
            Ok(StaticSoundRef {
                name: padded(name)?,
                ..StaticSoundRef::default()
            })
        };
        let sounds = &mut self.definition.tables.static_sounds;
        let place = enter(sounds, |sound| sound.name.text() == name, make)?;
        Ok(StaticSoundIndex(i16::try_from(place)?))
    }

    /// Adds a sprite; Recoil.
    pub fn effect(&mut self, name: &str) -> Outcome<EffectIndex> {
        let make = || {
            Ok(EffectRef {
                name: padded(name)?,
                index: 2,
            })
        };
        let effects = &mut self.definition.tables.effects;
        let place = enter(effects, |effect| effect.name.text() == name, make)?;
        Ok(EffectIndex(i16::try_from(place)?))
    }

    /// Adds a called animation, one entry for each call. Stale bytes follow its name.
    pub fn calls(&mut self, name: &str, local: Option<&str>) -> Outcome<AnimationRefIndex> {
        let names = match local {
            Some(local) => AnimationRefNames::Local {
                name: padded(name)?,
                local_name: padded(local)?,
            },
            None => {
                let mut buffer = PaddedText::<64>::new(name).ok_or("too long")?;
                buffer.0[60..].copy_from_slice(b"old\0");
                AnimationRefNames::Animation { name: buffer }
            }
        };
        let refs = &mut self.definition.tables.animation_refs;
        refs.push(AnimationRef { names, ptr: 0 });
        Ok(AnimationRefIndex(i16::try_from(refs.len() - 1)?))
    }

    /// The head of a script event; the script goes to the pool if the game has one.
    fn script_head(
        &mut self,
        node: &str,
        name: &str,
        frames: &[Frame],
    ) -> Outcome<ScriptMotionHead> {
        let mut head = ScriptMotionHead {
            node: self.wide(node)?,
            ..ScriptMotionHead::default()
        };
        if !self.version.has_script_pool() {
            head.script = u32::try_from(frames.len())?;
            return Ok(head);
        }
        let mut script = SiScript {
            script_name: relicast::formats::zipper::anim::CountedText::new(name),
            object_name: relicast::formats::zipper::anim::CountedText::new(node),
            frames: frames.to_vec(),
            ..SiScript::default()
        };
        let splines = self.version == ZipperGame::CrimsonSkies;
        script.header.spline_interpolation = Bool32(u32::from(splines));
        script.header.script_name_ptr = ADDRESS;
        script.header.object_name_ptr = ADDRESS;
        script.header.data_ptr = ADDRESS;
        let index = u32::try_from(self.scripts.len())?;
        self.scripts.push(script);
        head.script = index;
        if self.version == ZipperGame::CrimsonSkies {
            let ids = &mut self.definition.tables.script_ids;
            ids.push(index);
            head.script = u32::try_from(ids.len() - 1)?;
        }
        Ok(head)
    }

    /// An event that moves a node by a script.
    pub fn script(&mut self, node: &str, name: &str, frames: Vec<Frame>) -> Outcome<EventBody> {
        let head = self.script_head(node, name, &frames)?;
        let frames = match self.version.has_script_pool() {
            true => Vec::new(),
            false => frames,
        };
        Ok(EventBody::ObjectMotionSiScript(Box::new(
            ObjectMotionSiScript { head, frames },
        )))
    }

    /// An event that moves several nodes by a script each; Crimson Skies.
    pub fn scripts(&mut self, parts: &[(&str, &str, Vec<Frame>)]) -> Outcome<EventBody> {
        let mut motions = Vec::new();
        for (node, name, frames) in parts {
            let mut motion = GroupedMotion {
                head: self.script_head(node, name, frames)?,
                ..GroupedMotion::default()
            };
            motion.header.kind = 12;
            motion.header.start = 1;
            motion.header.size = 76;
            motions.push(motion);
        }
        Ok(EventBody::ObjectMotionGroup(ObjectMotionGroup { motions }))
    }

    /// Sets the events of a reset.
    pub fn resets(&mut self, events: Vec<Event>) -> Outcome {
        self.definition.reset_state = Some(block(Sequence::RESET, events)?);
        if self.version >= ZipperGame::PiratesMoon {
            self.definition.head.reset_state_ptr = ADDRESS;
        }
        Ok(())
    }

    /// Sets the events of damage, if the game has them.
    pub fn damaged(&mut self, events: Vec<Event>) -> Outcome {
        if self.version == ZipperGame::CrimsonSkies {
            self.definition.head.damage_state_ptr = ADDRESS;
            self.definition.damage_state = Some(DamageState {
                position: 0,
                sequence: block(Sequence::DAMAGE, events)?,
            });
        }
        Ok(())
    }

    /// Adds a sequence.
    pub fn sequence(&mut self, name: &str, state: SequenceState, events: Vec<Event>) -> Outcome {
        let mut sequence = block(name, events)?;
        sequence.head.state = state;
        sequence.head.reset_state = state;
        self.definition.sequences.push(sequence);
        Ok(())
    }

    /// The definition.
    pub fn finish(self) -> Definition {
        let mut definition = self.definition;
        let (head, tables) = (&mut definition.head, &mut definition.tables);
        let address = |filled: bool| if filled { ADDRESS } else { 0 };
        head.sequences_ptr = ADDRESS;
        head.objects_ptr = address(!tables.objects.is_empty());
        head.nodes_ptr = address(!tables.nodes.is_empty());
        head.lights_ptr = address(!tables.lights.is_empty());
        head.puffers_ptr = address(!tables.puffers.is_empty());
        head.dynamic_sounds_ptr = address(!tables.dynamic_sounds.is_empty());
        head.static_sounds_ptr = address(!tables.static_sounds.is_empty());
        head.effects_ptr = address(!tables.effects.is_empty());
        head.prerequisites_ptr = address(!tables.prerequisites.is_empty());
        head.animation_refs_ptr = address(!tables.animation_refs.is_empty());
        head.script_ids_ptr = address(!tables.script_ids.is_empty());
        head.path_ptr = address(!tables.paths.is_empty());
        if self.version == ZipperGame::PiratesMoon {
            for node in &mut tables.nodes {
                node.ptr = NO_NODE;
            }
            for object in &mut tables.objects {
                object.ptr = NO_NODE;
            }
        }
        definition
    }
}

/// A sequence of events.
fn block(name: &str, events: Vec<Event>) -> Outcome<Sequence> {
    let mut sequence = Sequence {
        events,
        ..Sequence::default()
    };
    sequence.head.name = padded(name)?;
    sequence.head.ptr = if sequence.events.is_empty() {
        0
    } else {
        ADDRESS
    };
    Ok(sequence)
}

/// An event that starts so many seconds after the end of the previous one.
pub fn after(seconds: f32, body: EventBody) -> Event {
    stamped(EventStart::Event, seconds, body)
}

/// An event that starts at a time of a clock.
pub fn stamped(start: EventStart, seconds: f32, body: EventBody) -> Event {
    Event {
        start,
        time: F32(seconds),
        ..Event::new(body)
    }
}

/// The reserved definition with number 0.
pub fn reserved(version: ZipperGame) -> Outcome<Definition> {
    let mut definition = Definition::default();
    definition.head.activation = Activation::OnCall;
    match version {
        ZipperGame::Recoil | ZipperGame::MechWarrior3 => {
            definition.reset_state = Some(Sequence::default());
        }
        ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => {
            definition.head.anim_ptr = NO_NODE;
            definition.head.anim_root_ptr = NO_NODE;
        }
    }
    if version == ZipperGame::CrimsonSkies {
        definition.head.anim_name = padded("reserved_anim_0")?;
    }
    Ok(definition)
}
