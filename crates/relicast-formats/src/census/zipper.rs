//! Counts of Zipper's files that are published elsewhere: references of animations, conditions, verbs of scripts, zones
//! of nodes, readers of missions.

use super::Counts;
use crate::zipper::anim::event::control::{CallFlags, Condition, ConditionKind, LoopLimit};
use crate::zipper::anim::event::motion::{MotionFlags, ObjectMotion};
use crate::zipper::anim::event::puffer::{IntervalKind, PufferFlags, PufferState};
use crate::zipper::anim::{
    Activation, AnimFile, Definition, DefinitionFlags, EventBody, PrerequisiteKind,
};
use crate::zipper::gamez::{Model, ModelFlags, Node, NodeFlags, PolygonFlags};
use crate::zipper::interp::{Interp, Script};
use crate::zipper::messages::MessageFile;
use crate::zipper::zrd::{MissionCounts, Value};

impl Counts {
    /// Counts scripts, and the commands of mission scripts.
    pub(super) fn count_scripts(&mut self, interp: &Interp<'_>) {
        self.add("scripts", interp.scripts.len());
        let lines = interp.scripts.iter().map(|script| script.lines.len());
        self.add("scripts.lines", lines.sum());
        for script in interp.scripts.iter().filter(|script| is_of_mission(script)) {
            self.add("scripts.of_missions", 1);
            for line in &script.lines {
                if let Some(verb) = line.tokens().next() {
                    let row = format!("scripts.of_missions.{}", verb.to_lowercase());
                    self.add(&row, 1);
                }
            }
        }
    }

    /// Counts the references of a definition.
    pub(super) fn count_definition(&mut self, definition: &Definition) {
        let tables = &definition.tables;
        let entries = |count: usize| count.saturating_sub(1);
        self.add(
            "records.node_references",
            entries(tables.objects.len()) + entries(tables.nodes.len()),
        );
        self.add(
            "records.other_references",
            entries(tables.lights.len())
                + entries(tables.puffers.len())
                + entries(tables.dynamic_sounds.len()),
        );
        let needs = |kind: PrerequisiteKind| {
            let mut conditions = tables.prerequisites.iter();
            usize::from(conditions.any(|condition| condition.kind == kind))
        };
        self.add("records.needing_nodes", needs(PrerequisiteKind::Object));
        self.add(
            "records.needing_animations",
            needs(PrerequisiteKind::Animation),
        );
        let head = &definition.head;
        self.add("records.with_health", usize::from(head.max_health.0 > 0.0));
        let is_by_range = head.flags.contains(DefinitionFlags::EXECUTION_BY_RANGE);
        self.add("records.by_range", usize::from(is_by_range));
        match head.activation {
            Activation::WeaponHit => self.add("records.hit_by_weapons", 1),
            Activation::WeaponOrCollideHit => self.add("records.hit_by_all", 1),
            _ => {}
        }
    }

    /// Counts the scripts of a pool and their frames.
    pub(super) fn count_motion_scripts(&mut self, file: &AnimFile) {
        self.add("motion_scripts", file.scripts.len());
        for script in &file.scripts {
            let is_straight = !script.header.spline_interpolation.is_set();
            self.add("motion_scripts.without_splines", usize::from(is_straight));
            self.add("motion_scripts.frames", script.frames.len());
            for frame in &script.frames {
                let is_empty =
                    frame.translate.is_none() && frame.rotate.is_none() && frame.scale.is_none();
                self.add("motion_scripts.frames.empty", usize::from(is_empty));
                let is_scaled = frame.scale.is_some();
                self.add("motion_scripts.frames.scaled", usize::from(is_scaled));
            }
        }
    }

    /// Counts the tests, loops and waits of an event.
    pub(super) fn count_event(&mut self, body: &EventBody) {
        match body {
            EventBody::If(condition) | EventBody::ElseIf(condition) => {
                self.count_condition(condition);
            }
            EventBody::Loop(body) => match body.limit {
                LoopLimit::Count { count: -1, .. } => self.add("loops.endless", 1),
                LoopLimit::Count { count: 0, .. } => self.add("loops.of_0", 1),
                LoopLimit::Count { count: 1.., .. } => self.add("loops.counted", 1),
                _ => self.add("loops.others", 1),
            },
            EventBody::ObjectOpacityFromTo(body) => {
                let (from, to) = (body.opacity_from.0, body.opacity_to.0);
                self.add("fades.out", usize::from(to < from));
                self.add("fades.in", usize::from(to > from));
            }
            EventBody::PufferState(body) => self.count_puffer(body),
            EventBody::CallAnimation(body) => {
                let waits = body.flags.contains(CallFlags::WAIT_FOR_COMPLETION);
                self.add("calls.waiting", usize::from(waits));
            }
            EventBody::ObjectMotion(body) => {
                let has_impact = body.flags.contains(MotionFlags::IMPACT_FORCE);
                self.add("motions.with_impact", usize::from(has_impact));
                match azimuth_agrees(body) {
                    Some(true) => self.add("motions.azimuth.as_direction", 1),
                    Some(false) => self.add("motions.azimuth.against_direction", 1),
                    None => {}
                }
            }
            EventBody::ObjectMotionSiScript(body) => {
                let mut frames = body.frames.iter();
                let is_reversed = frames.any(|frame| frame.end_time.0 < frame.start_time.0);
                self.add("motion_scripts.reversed", usize::from(is_reversed));
            }
            _ => {}
        }
    }

    /// Counts the emission and growth of a particle emitter.
    fn count_puffer(&mut self, body: &PufferState) {
        let by_distance = body.interval_kind == IntervalKind::Distance;
        self.add("puffers.by_distance", usize::from(by_distance));
        if body.flags.contains(PufferFlags::GROWTH_FACTORS) {
            self.add("puffers.growing", 1);
            let last = body.used_growths().last();
            let shrinks = last.is_some_and(|growth| growth.max.0 < 1.0);
            self.add("puffers.growing.below_1", usize::from(shrinks));
        }
    }

    fn count_condition(&mut self, condition: &Condition) {
        let row = match condition.kind {
            ConditionKind::RandomWeight => "conditions.random",
            ConditionKind::PlayerRange => "conditions.player_range",
            ConditionKind::AnimationLod => "conditions.detail",
            ConditionKind::NodeUndercover => "conditions.node_undercover",
            ConditionKind::HwRender => "conditions.hardware",
            ConditionKind::PlayerFirstPerson => "conditions.first_person",
            ConditionKind::PlayerBelowAltitude | ConditionKind::NodeBelowAltitude => {
                "conditions.below_altitude"
            }
            ConditionKind::AnimationHealth => "conditions.health",
            ConditionKind::AnimationHealthRange => "conditions.health_range",
            ConditionKind::NodeActive => "conditions.node_active",
            _ => "conditions.others",
        };
        self.add(row, 1);
    }

    /// Counts the zone and the flags of a node of a world.
    pub(super) fn count_zone(&mut self, node: &Node) {
        let row = match node.record.zone_id.id() {
            -1 => "zones.any".to_owned(),
            zone => format!("zones.{zone}"),
        };
        self.add(&row, 1);
        let flags = node.flags();
        self.add(
            "node_flags.fluff",
            usize::from(flags.contains(NodeFlags::FLUFF)),
        );
        let can_modify = flags.contains(NodeFlags::CAN_MODIFY);
        self.add("node_flags.can_modify", usize::from(can_modify));
    }

    /// Counts the flags of a model of a world.
    pub(super) fn count_drawing(&mut self, model: &Model) {
        let lacks = |flag| usize::from(!model.record.flags.contains(flag));
        self.add("models.unlit", lacks(ModelFlags::LIGHTING));
        self.add("models.without_fog", lacks(ModelFlags::FOG));
        let bare = model.polygons.iter().filter(|polygon| {
            let flags = &polygon.record.corners.flags;
            flags.contains(PolygonFlags::UNK3)
        });
        self.add("polygons.no_clutter", bare.count());
        for (row, layers) in [("polygons.second_layer", 2), ("polygons.third_layer", 3)] {
            let layered = model.polygons.iter();
            let layered = layered.filter(|polygon| polygon.materials.len() >= layers);
            self.add(row, layered.count());
        }
    }

    /// Counts the texts of a message library; an identifier without a text does not count.
    pub(super) fn count_messages(&mut self, file: &MessageFile<'_>) {
        self.add("message_tables", 1);
        let entries = file.languages.iter().flat_map(|language| &language.entries);
        self.add(
            "messages",
            entries.filter(|entry| entry.value.is_some()).count(),
        );
    }

    /// Counts a reader by its name.
    pub(super) fn count_reader(&mut self, name: &str, values: &[Value<'_>]) {
        self.add("documents", 1);
        let counts = MissionCounts::new(name, values);
        for (row, number) in [
            ("nets", counts.nets),
            ("nets.places", counts.places),
            ("nets.links", counts.links),
            ("nets.with_attributes", counts.with_attributes),
            ("patrols", counts.patrols),
            ("patrols.places", counts.patrol_places),
            ("patrols.edges", counts.patrol_edges),
            ("valves", counts.valves),
            ("actors", counts.actors),
            ("actors.easy", counts.actors_easy),
            ("actors.hard", counts.actors_hard),
            (
                "actors.all",
                counts.actors + counts.actors_easy + counts.actors_hard,
            ),
            ("actors.templates", counts.templates),
            ("actors.without_net", counts.without_net),
            ("turrets", counts.turrets),
            ("listed_sounds", counts.sounds),
            ("pickups", counts.pickups),
            ("pickups.easy", counts.pickups_easy),
            ("pickups.hard", counts.pickups_hard),
            ("spawn_tables", counts.spawn_tables),
            ("weather.zones", counts.weather_zones),
            ("clutter.blocks", counts.clutter_blocks),
        ] {
            self.add(row, number);
        }
        for (slots, number) in counts.slots {
            self.add(&format!("actors.of_slots.{slots}"), number);
        }
    }
}

/// Returns true if the stored direction of a launch is (−sin a, −cos a) in x and z, a being its stored azimuth. `None`
/// if one of the two is not stored.
fn azimuth_agrees(body: &ObjectMotion) -> Option<bool> {
    const TOLERANCE: f64 = 1e-3;
    let range = body.range_azimuth;
    let is_drawn = (MotionFlags::TRANSLATION_RANGE_MIN | MotionFlags::TRANSLATION_RANGE_MAX)
        .intersects(body.flags);
    let is_stated = is_drawn || range.min.0 != 0.0;
    let [x, _, z] = body.direction.to_array().map(f64::from);
    let length = x.hypot(z);
    if !is_stated || range.min != range.max || !length.is_normal() || length < TOLERANCE {
        return None;
    }
    let azimuth = f64::from(range.min.0).to_radians();
    let (sine, cosine) = (libm::sin(azimuth), libm::cos(azimuth));
    let off = (x / length + sine).abs().max((z / length + cosine).abs());
    Some(off <= TOLERANCE)
}

/// Returns true for a mission script of Crimson Skies: `support\CHAPTER\MISSION.gw`.
fn is_of_mission(script: &Script<'_>) -> bool {
    let name = script.row.path.text().to_lowercase();
    let mut parts = name.rsplit(['\\', '/']);
    let (file, chapter, support) = (parts.next(), parts.next(), parts.next());
    chapter.is_some_and(|chapter| chapter != "support")
        && support == Some("support")
        && file.is_some_and(|file| {
            file.ends_with(".gw")
                && !["init.gw", "load.gw", "adjust.gw", "tex_fx.gw"].contains(&file)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::anim::event::control::Loop;
    use crate::zipper::anim::event::object::ObjectOpacityFromTo;
    use crate::zipper::anim::{NodeRef, Prerequisite, Range};
    use crate::zipper::interp::{Line, Row};
    use relicast_codec::{F32, PaddedText, Vec3};

    #[test]
    fn commands_of_scripts_of_missions_are_counted() {
        let script = |name: &str, lines: &[&[&str]]| Script {
            row: Row {
                path: PaddedText::new(name).unwrap(),
                ..Row::default()
            },
            lines: lines
                .iter()
                .map(|line| Line::from_tokens(line.iter().copied()))
                .collect(),
        };
        let interp = Interp {
            scripts: vec![
                script(
                    "support\\c3\\m01.gw",
                    &[&["FindNode", "a"], &["NodeSetActive", "off"]],
                ),
                script("support\\c3\\load.gw", &[&["FindNode", "b"]]),
                script("support\\common.gw", &[&["FindNode", "c"]]),
            ],
            ..Interp::default()
        };
        let mut counts = Counts::default();
        counts.count_scripts(&interp);
        assert_eq!(
            (counts.rows["scripts"], counts.rows["scripts.of_missions"]),
            (3, 1)
        );
        assert_eq!(counts.rows["scripts.of_missions.findnode"], 1);
        assert_eq!(counts.rows["scripts.of_missions.nodesetactive"], 1);
    }

    #[test]
    fn references_conditions_and_loops_are_counted() {
        let mut definition = Definition::default();
        definition.tables.nodes = vec![NodeRef::default(); 3];
        definition.head.max_health = F32(1.0);
        definition.head.activation = Activation::WeaponHit;
        definition.tables.prerequisites = vec![Prerequisite {
            kind: PrerequisiteKind::Object,
            ..Prerequisite::default()
        }];
        let mut counts = Counts::default();
        counts.count_definition(&definition);
        for count in [-1, 0, 4] {
            let limit = LoopLimit::Count { count, pad: 0 };
            counts.count_event(&EventBody::Loop(Loop { limit }));
        }
        // The first entry of a table is reserved.
        assert_eq!(counts.rows["records.node_references"], 2);
        assert_eq!(counts.rows["records.needing_nodes"], 1);
        assert_eq!(counts.rows["records.hit_by_weapons"], 1);
        let loops = ["loops.endless", "loops.of_0", "loops.counted"];
        assert_eq!(loops.map(|row| counts.rows[row]), [1, 1, 1]);
    }

    #[test]
    fn stored_directions_of_launches_are_compared_with_their_azimuths() {
        let half = Range {
            min: F32(180.0),
            max: F32(180.0),
        };
        let launch = |direction: [f32; 3], azimuth: Range| {
            EventBody::ObjectMotion(Box::new(ObjectMotion {
                flags: MotionFlags::TRANSLATION_RANGE_MIN,
                range_azimuth: azimuth,
                direction: Vec3::from(direction),
                ..ObjectMotion::default()
            }))
        };
        let mut counts = Counts::default();
        // The direction that Crimson Skies' Barracuda stores, whose reader says 180°; then one by cosine and sine.
        counts.count_event(&launch([8.742_278e-8, 0.0, 1.0], half));
        counts.count_event(&launch([-1.0, 0.0, 0.0], half));
        counts.count_event(&launch([0.0, 1.0, 0.0], half));
        counts.count_event(&launch([0.0; 3], half));
        let rows = [
            "motions.azimuth.as_direction",
            "motions.azimuth.against_direction",
        ];
        assert_eq!(rows.map(|row| counts.rows[row]), [1, 1]);
    }

    #[test]
    fn fades_and_emitters_are_counted_by_what_they_do() {
        let fade = |from: f32, to: f32| {
            EventBody::ObjectOpacityFromTo(ObjectOpacityFromTo {
                opacity_from: F32(from),
                opacity_to: F32(to),
                ..ObjectOpacityFromTo::default()
            })
        };
        let mut emitter = PufferState {
            flags: PufferFlags::GROWTH_FACTORS,
            interval_kind: IntervalKind::Distance,
            growth_count: 2,
            ..PufferState::default()
        };
        for (stop, (age, scale)) in emitter.growths.iter_mut().zip([(0.0, 1.0), (1.0, 0.5)]) {
            *stop = Range {
                min: F32(age),
                max: F32(scale),
            };
        }
        let mut counts = Counts::default();
        for body in [fade(1.0, 0.0), fade(0.0, 1.0), fade(0.5, 0.5)] {
            counts.count_event(&body);
        }
        counts.count_event(&EventBody::PufferState(Box::new(emitter)));
        let rows = [
            "fades.out",
            "fades.in",
            "puffers.by_distance",
            "puffers.growing",
            "puffers.growing.below_1",
        ];
        assert_eq!(rows.map(|row| counts.rows[row]), [1; 5]);
    }
}
