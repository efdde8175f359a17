//! Effects of script commands on a loaded world.

mod trees;

use std::collections::BTreeSet;

use glam::DVec3;
use relicast_scene::extras::{Float, camel_case_within, floats, zipper};

use super::degrees::scripts_in_degrees;
use super::plan::{Missions, StartPlan};
use super::state::StagedWorld;
use crate::zipper::bake::curve::Rotation;
use crate::zipper::scene::hierarchy::Nodes;
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::zipper::gamez::{
    Camera, FogType, Light, ModelFlags, ModelType, NodeData, NodeFlags, Object3d, Object3dFlags,
    PolygonFlags, World,
};
use relicast_formats::zipper::script::{Command, CommandKind, ScriptRun};

/// The node that commands act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Current {
    /// No node was found or made.
    None,
    /// A node.
    Node(usize),
    /// A node that was not found, or that an unsupported command made.
    Unknown,
}

/// Reason that a command was not applied.
pub(super) type Refusal = &'static str;

const NO_NODE: Refusal = "commands for a node that is not known";
const OTHER_CLASS: Refusal = "commands for a node of another class";
const NO_MODEL: Refusal = "commands for a model that the node does not have";
const NO_MACRO: Refusal = "commands with a macro that has no value";
const UNKNOWN: Refusal = "commands whose meaning is not known";
const NO_SKY: Refusal = "horizons that are no node of the world";
const SURFACE: Refusal = "cycles of pictures; their state is in the extras of the node";
const TINT: Refusal =
    "colors of objects, which are in the extras of the node: the tinted part is unknown";
const PROGRAM: Refusal = "commands for the program and not the scene";
const DETAIL: Refusal = "commands for files and not the scene";

/// Applies the scripts of a plan.
pub(super) fn apply(state: &mut StagedWorld<'_>, missions: &Missions<'_>, plan: &StartPlan) {
    let ScriptRun {
        steps,
        missing,
        unset,
        limits,
    } = missions.run(plan);
    state.report.scripts = missions.paths(&plan.scripts);
    state.report.rules.clone_from(&plan.rules);
    for path in missing {
        state
            .report
            .leave("scripts that are called and not there", path);
    }
    for name in unset {
        state.report.leave("macros without a value", name);
    }
    for limit in limits {
        state.report.leave(limit.reason(), "");
    }
    let mut applier = Applier {
        degrees: scripts_in_degrees(&steps, state.gamez.version),
        state,
        current: Current::None,
        script: 0,
    };
    for step in steps {
        applier.script = step.script;
        let Some(command) = step.command else {
            let name = step.tokens.first().cloned().unwrap_or_default();
            applier.pass_over(&name);
            continue;
        };
        let name = command.kind.name();
        let done = match command.has_macro() {
            true => Err(NO_MACRO),
            false => applier.run(&command),
        };
        match done {
            Ok(()) => *applier.state.report.commands.entry(name).or_default() += 1,
            Err(why) => applier.state.report.leave(why, name),
        }
    }
}

/// A world that commands are applied to.
pub(super) struct Applier<'w, 'g> {
    pub(super) state: &'w mut StagedWorld<'g>,
    current: Current,
    /// Scripts whose angles are degrees.
    degrees: BTreeSet<usize>,
    /// The script that runs.
    script: usize,
}

/// A name without an ending `.flt`.
fn plain(name: &str) -> &str {
    name.strip_suffix(".flt").unwrap_or(name)
}

/// The highest slot with a name. Names compare exactly, apart from an ending `.flt`.
pub(super) fn node_called(nodes: &impl Nodes, name: &str) -> Option<usize> {
    let wanted = plain(name);
    let mut slots = (0..nodes.count()).rev();
    slots.find(|&slot| {
        let node = nodes.node(slot);
        !wanted.is_empty() && node.is_some_and(|node| plain(&node.name()) == wanted)
    })
}

/// Subject of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    /// The node for later commands.
    Find,
    /// The hierarchy of nodes.
    Tree,
    Camera,
    /// Fog, cells, background.
    Environment,
    Light,
    /// Flags and ranges of nodes.
    Node,
    /// Transforms, opacity and color of objects.
    Object3d,
    /// Drawing of the model of an object.
    Model,
    /// Texture cycles of a surface.
    Cycle,
    /// Drawing of the scene by the game.
    Setting,
    /// Files that the program loads.
    Detail,
    /// The script itself, and the program.
    Program,
}

/// The topic of a command.
#[rustfmt::skip]
const fn topic_of(kind: CommandKind) -> Topic {
    use CommandKind as Kind;
    match kind {
        Kind::FindNode => Topic::Find,
        Kind::FindSubNode | Kind::FindSubNodeNode | Kind::DeleteTree
        | Kind::WorldPartitionSetActive => Topic::Tree,
        Kind::CameraSetHorizon | Kind::CameraSetHorizonXZ | Kind::CameraSetFOV
        | Kind::CameraSetNearFarClip | Kind::CameraSetLODMultiplier | Kind::CameraSetDynamicLOD
        | Kind::CameraRotate => Topic::Camera,
        Kind::WorldSetFogState | Kind::WorldSetFogColor | Kind::WorldSetFogRange
        | Kind::WorldSetFogAltitude | Kind::WorldSetFogDensity | Kind::WorldSetVirtualPartition
        | Kind::DisplaySetClearColor => Topic::Environment,
        Kind::LightSetAmbient | Kind::LightSetDiffuse | Kind::LightSetColor
        | Kind::LightSetDirectedSource | Kind::LightSetPointSource | Kind::LightSetDirectional
        | Kind::LightSetSaturated | Kind::LightSetRange | Kind::LightSetTranslate
        | Kind::LightSetOrientation | Kind::LightSetActive => Topic::Light,
        Kind::NodeSetLighting | Kind::NodeSetOverwrite | Kind::NodeSetActive
        | Kind::Object3DSetActive | Kind::SetLandmark | Kind::SetAltitudeSurface
        | Kind::SetIntersectSurface | Kind::LODSetRange => Topic::Node,
        Kind::Object3DTranslate | Kind::Object3DRotate | Kind::Object3DScale
        | Kind::Object3DSetOpacity | Kind::Object3DSetOpacityIsSet | Kind::Object3DSetColor => Topic::Object3d,
        Kind::Object3DSetScroll | Kind::Object3DSetScrollAlways | Kind::Object3DSetFacade
        | Kind::Object3DSetPoints | Kind::Object3DSetPriority | Kind::Object3DSetShowBackFace => Topic::Model,
        Kind::CycleTextureSetOn | Kind::CycleTextureSetMap | Kind::CycleTextureSetSpeed
        | Kind::CycleTextureSetLooping => Topic::Cycle,
        Kind::SetVertexShading | Kind::SetInverseZTolerance | Kind::SetPaletteShading
        | Kind::LensFlareTexture | Kind::LightMapTexture | Kind::MipBias | Kind::LoadSoils
        | Kind::WriteTextureSetMap | Kind::AddClutterTemplates => Topic::Setting,
        Kind::GameZReadZBDFile | Kind::AnimSetZBDFile | Kind::AnimAddZBDFile
        | Kind::SetTextureDirectory | Kind::SetModelDirectory | Kind::RdrAddPath
        | Kind::LoadGameGen => Topic::Detail,
        Kind::IfDef | Kind::IfNotDef | Kind::EndIf | Kind::Set | Kind::Source | Kind::MakeDirectory
        | Kind::Quit | Kind::Who | Kind::Var => Topic::Program,
    }
}

impl Applier<'_, '_> {
    /// Skips an unknown command. One whose name makes a node changes the current node.
    fn pass_over(&mut self, name: &str) {
        if ["New", "Create", "Copy", "Clone"]
            .iter()
            .any(|word| name.contains(word))
        {
            self.current = Current::Unknown;
        }
        self.state.report.leave(UNKNOWN, name);
    }

    /// The current node; for a class with a single node in a world, that node, and of several the highest slot, as
    /// in the engine's search by name.
    fn target(
        &self,
        is_one: impl Fn(&NodeData) -> bool,
        is_single: bool,
    ) -> Result<usize, Refusal> {
        let nodes = &self.state.gamez.nodes.used;
        match self.current {
            Current::Node(index) => match nodes.get(index) {
                Some(node) if is_one(&node.data) => Ok(index),
                _ => Err(OTHER_CLASS),
            },
            _ if is_single => {
                let mut all = nodes.iter().enumerate().rev();
                let found = all.find(|(_, node)| is_one(&node.data));
                found.map(|(index, _)| index).ok_or(NO_NODE)
            }
            Current::None | Current::Unknown => Err(NO_NODE),
        }
    }

    fn any(&self) -> Result<usize, Refusal> {
        self.target(|_| true, false)
    }

    fn object(&self) -> Result<usize, Refusal> {
        self.target(|data| matches!(data, NodeData::Object3d(_)), false)
    }

    fn with_object(&mut self, change: impl FnOnce(&mut Object3d)) -> Result<usize, Refusal> {
        let index = self.object()?;
        match self.state.node_mut(index).map(|node| &mut node.data) {
            Some(NodeData::Object3d(object)) => {
                change(object);
                Ok(index)
            }
            _ => Err(OTHER_CLASS),
        }
    }

    fn with_camera(&mut self, change: impl FnOnce(&mut Camera)) -> Result<(), Refusal> {
        let index = self.target(|data| matches!(data, NodeData::Camera(_)), false)?;
        match self.state.node_mut(index).map(|node| &mut node.data) {
            Some(NodeData::Camera(camera)) => {
                change(camera);
                Ok(())
            }
            _ => Err(OTHER_CLASS),
        }
    }

    fn with_world(&mut self, change: impl FnOnce(&mut World)) -> Result<(), Refusal> {
        let index = self.target(|data| matches!(data, NodeData::World(_)), true)?;
        match self.state.node_mut(index).map(|node| &mut node.data) {
            Some(NodeData::World(world)) => {
                change(world);
                Ok(())
            }
            _ => Err(OTHER_CLASS),
        }
    }

    pub(super) fn with_light(&mut self, change: impl FnOnce(&mut Light)) -> Result<usize, Refusal> {
        let index = self.target(|data| matches!(data, NodeData::Light(_)), false)?;
        match self.state.node_mut(index).map(|node| &mut node.data) {
            Some(NodeData::Light(light)) => {
                change(light);
                Ok(index)
            }
            _ => Err(OTHER_CLASS),
        }
    }

    fn run(&mut self, command: &Command) -> Result<(), Refusal> {
        match topic_of(command.kind) {
            Topic::Find => {
                let found = node_called(self.state, command.text());
                self.current = found.map_or(Current::Unknown, Current::Node);
                if found.is_none() {
                    self.note_missing(command.text());
                }
                Ok(())
            }
            Topic::Tree => self.tree(command),
            Topic::Camera => self.camera(command),
            Topic::Environment => self.environment(command),
            Topic::Light => self.light(command),
            Topic::Node => self.node(command),
            Topic::Object3d => self.object3d(command),
            Topic::Model => self.model(command),
            Topic::Cycle => {
                let index = self.any()?;
                let cycle = self.state.notes.entry(index).or_default();
                let cycle = cycle.start_cycle.get_or_insert_default();
                if let Ok(value) = serde_json::to_value(command) {
                    cycle.insert(command.kind.name().to_owned(), camel_case_within(value));
                }
                Err(SURFACE)
            }
            Topic::Setting => {
                self.setting(command);
                Ok(())
            }
            Topic::Detail => Err(DETAIL),
            Topic::Program => Err(PROGRAM),
        }
    }

    /// A setting of the program for drawing the scene: stored in the extras of the scene, in the order of the commands.
    fn setting(&mut self, command: &Command) {
        let facts = serde_json::to_value(command).map(camel_case_within);
        self.state.settings.extend(facts);
    }

    fn camera(&mut self, command: &Command) -> Result<(), Refusal> {
        let [first, second, _] = command.triple();
        match command.kind {
            CommandKind::CameraSetHorizon | CommandKind::CameraSetHorizonXZ => {
                let is_whole = command.kind == CommandKind::CameraSetHorizon;
                let sky = node_called(self.state, command.text());
                let sky = sky.and_then(|sky| i32::try_from(sky).ok());
                let sky = sky.ok_or(NO_SKY)?;
                self.with_camera(|camera| match is_whole {
                    true => camera.focus_node_xy = sky,
                    false => camera.focus_node_xz = sky,
                })
            }
            CommandKind::CameraSetFOV => self.with_camera(|camera| {
                for (base, scale, degrees) in [
                    (&mut camera.fov_h_base, &mut camera.fov_h_scale, first),
                    (&mut camera.fov_v_base, &mut camera.fov_v_scale, second),
                ] {
                    base.0 = degrees.to_radians();
                    if scale.0 == 0.0 {
                        scale.0 = 1.0;
                    }
                }
            }),
            CommandKind::CameraSetNearFarClip => self.with_camera(|camera| {
                // The engine limits the near plane to 1 or more.
                camera.clip_near = F32(first.max(1.0));
                camera.clip_far = F32(second);
            }),
            CommandKind::CameraSetLODMultiplier => {
                self.with_camera(|camera| camera.lod_multiplier = F32(first))?;
                self.setting(command);
                Ok(())
            }
            CommandKind::CameraRotate => {
                let angles = command.triple();
                self.with_camera(|camera| camera.rotate = Vec3::from(angles))
            }
            _ => {
                self.setting(command);
                Ok(())
            }
        }
    }

    fn environment(&mut self, command: &Command) -> Result<(), Refusal> {
        let triple = command.triple();
        let [first, second, _] = triple;
        match command.kind {
            CommandKind::DisplaySetClearColor => {
                let index = self.target(|data| matches!(data, NodeData::Display(_)), true)?;
                match self.state.node_mut(index).map(|node| &mut node.data) {
                    Some(NodeData::Display(display)) => {
                        display.clear_color = Vec3::from(triple);
                        Ok(())
                    }
                    _ => Err(OTHER_CLASS),
                }
            }
            CommandKind::WorldSetFogState => {
                let kind = match command.text().to_ascii_lowercase().as_str() {
                    "off" => FogType::Off,
                    "linear" => FogType::Linear,
                    "exponential" => FogType::Exponential,
                    _ => return Err("states of fog that are not known"),
                };
                self.with_world(|world| world.record.fog_type = kind)
            }
            CommandKind::WorldSetFogColor => {
                self.with_world(|world| world.record.fog_color = Vec3::from(triple))
            }
            CommandKind::WorldSetFogRange => {
                self.with_world(|world| world.record.fog_range = Vec2::from([first, second]))
            }
            // The setter takes the low one first and the record stores it last.
            CommandKind::WorldSetFogAltitude => {
                self.with_world(|world| world.record.fog_altitude = Vec2::from([second, first]))
            }
            CommandKind::WorldSetFogDensity => {
                self.with_world(|world| world.record.fog_density = F32(first))
            }
            _ => {
                let is_on = u32::from(command.is_on());
                self.with_world(|world| world.record.virtual_partition = is_on)
            }
        }
    }

    fn node(&mut self, command: &Command) -> Result<(), Refusal> {
        let is_on = command.is_on();
        let flag = match command.kind {
            CommandKind::NodeSetLighting => {
                let index = self.any()?;
                for below in self.below(index) {
                    self.state.lit.insert(below, is_on);
                }
                return Ok(());
            }
            CommandKind::NodeSetActive => {
                let index = self.any()?;
                self.set_active(index, is_on);
                return Ok(());
            }
            CommandKind::Object3DSetActive => {
                let index = self.object()?;
                self.state.change_rest(index, |rest| rest.is_active = is_on);
                return Ok(());
            }
            CommandKind::LODSetRange => {
                let index = self.target(|data| matches!(data, NodeData::Lod(_)), false)?;
                let [near, far, _] = command.triple();
                if let Some(NodeData::Lod(lod)) =
                    self.state.node_mut(index).map(|node| &mut node.data)
                {
                    lod.range_near_sq = F32(near * near);
                    lod.range_far_sq = F32(far * far);
                }
                let facts = zipper::Node {
                    start_range: Some([Float(near), Float(far)]),
                    ..zipper::Node::default()
                };
                self.state.note(index, facts);
                return Ok(());
            }
            CommandKind::NodeSetOverwrite => NodeFlags::OVERWRITE,
            CommandKind::SetLandmark => NodeFlags::LANDMARK,
            CommandKind::SetAltitudeSurface => NodeFlags::ALTITUDE_SURFACE,
            _ => NodeFlags::INTERSECT_SURFACE,
        };
        let index = self.any()?;
        if let Some(node) = self.state.node_mut(index) {
            node.record.flags.set(flag, is_on);
        }
        let state_of = |wanted| (flag == wanted).then_some(is_on);
        let facts = zipper::Node {
            overwrite: state_of(NodeFlags::OVERWRITE),
            landmark: state_of(NodeFlags::LANDMARK),
            altitude_surface: state_of(NodeFlags::ALTITUDE_SURFACE),
            intersect_surface: state_of(NodeFlags::INTERSECT_SURFACE),
            ..zipper::Node::default()
        };
        self.state.note(index, facts);
        Ok(())
    }

    /// Switches a node or a light on or off.
    fn set_active(&mut self, index: usize, is_on: bool) {
        let node = self.state.node(index);
        if !node.is_some_and(|node| matches!(node.data, NodeData::Light(_))) {
            self.state.change_rest(index, |rest| rest.is_active = is_on);
        } else if is_on {
            self.state.dark.remove(&index);
        } else {
            self.state.dark.insert(index);
        }
    }

    /// Records a node that a script looks for and that does not exist.
    fn note_missing(&mut self, name: &str) {
        let why = "nodes that scripts look for and the world has not";
        self.state.report.leave(why, name);
    }

    /// A node and its descendants.
    fn below(&self, index: usize) -> Vec<usize> {
        let mut seen = vec![false; self.state.count()];
        let mut stack = vec![index];
        let mut found = Vec::new();
        while let Some(at) = stack.pop() {
            let Some(seen) = seen.get_mut(at).filter(|seen| !**seen) else {
                continue;
            };
            *seen = true;
            found.push(at);
            let children = self.state.node(at).map(|node| node.children.as_slice());
            stack.extend(
                children
                    .unwrap_or_default()
                    .iter()
                    .map(|&child| child as usize),
            );
        }
        found
    }

    fn object3d(&mut self, command: &Command) -> Result<(), Refusal> {
        let triple = command.triple();
        let [first, ..] = triple;
        let vector = DVec3::from_array(triple.map(f64::from));
        match command.kind {
            CommandKind::Object3DTranslate => {
                let index = self.object()?;
                self.state
                    .change_rest(index, |rest| rest.translation = vector);
            }
            CommandKind::Object3DRotate => {
                let index = self.object()?;
                let angles = match self.degrees.contains(&self.script) {
                    true => vector * (std::f64::consts::PI / 180.0),
                    false => vector,
                };
                self.state.change_rest(index, |rest| {
                    rest.leave_matrix();
                    rest.rotation = Rotation::from_angles(angles);
                });
            }
            CommandKind::Object3DScale => {
                let index = self.object()?;
                self.state.change_rest(index, |rest| {
                    rest.leave_matrix();
                    rest.scale = vector;
                });
            }
            CommandKind::Object3DSetColor => {
                let index = self.object()?;
                let facts = zipper::Node {
                    start_color: Some(floats(triple)),
                    ..zipper::Node::default()
                };
                self.state.note(index, facts);
                return Err(TINT);
            }
            kind => {
                let is_on = command.is_on();
                let mut own = None;
                let index = self.with_object(|object| {
                    match kind {
                        CommandKind::Object3DSetOpacity => object.opacity = F32(first),
                        _ => object.flags.set(Object3dFlags::OPACITY, is_on),
                    }
                    let opacity = object.opacity().filter(|opacity| opacity.is_finite());
                    own = opacity.map(|opacity| f64::from(opacity.clamp(0.0, 1.0)));
                })?;
                self.state.change_rest(index, |rest| rest.opacity = own);
                self.state.report.changed.faded += 1;
            }
        }
        Ok(())
    }

    fn model(&mut self, command: &Command) -> Result<(), Refusal> {
        let index = self.object()?;
        let is_on = command.is_on();
        let numbers = command.numbers();
        let first = |place: usize| numbers.get(place).copied().unwrap_or_default();
        let kind_if_on = |kind| if is_on { kind } else { ModelType::Default };
        let changed = match command.kind {
            CommandKind::Object3DSetScroll | CommandKind::Object3DSetScrollAlways => {
                let (u, v) = (first(0), first(1));
                self.state.change_model(index, |model| {
                    let record = &mut model.record;
                    record.flags.known.set(ModelFlags::TEXTURE_SCROLL, is_on);
                    let speed = |speed| F32(if is_on { speed } else { 0.0 });
                    record.tex_scroll_u = speed(u);
                    record.tex_scroll_v = speed(v);
                })
            }
            CommandKind::Object3DSetFacade => self.state.change_model(index, |model| {
                model.record.model_type = kind_if_on(ModelType::Facade);
            }),
            CommandKind::Object3DSetPoints => self.state.change_model(index, |model| {
                model.record.model_type = kind_if_on(ModelType::Points);
            }),
            CommandKind::Object3DSetPriority => {
                let priority = first(0) as i32;
                self.state.change_model(index, |model| {
                    for polygon in &mut model.polygons {
                        polygon.record.priority = priority;
                    }
                })
            }
            _ => self.state.change_model(index, |model| {
                for polygon in &mut model.polygons {
                    let flags = &mut polygon.record.corners.flags.known;
                    flags.set(PolygonFlags::SHOW_BACKFACE, is_on);
                }
            }),
        };
        match changed {
            true => Ok(()),
            false => Err(NO_MODEL),
        }
    }
}
