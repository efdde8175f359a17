//! Effects of reset sequences, and the first moment of animations that start with a mission.

use relicast::formats::codec::{F32, PaddedText, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::{CallAnimation, CallFlags, Condition};
use relicast::formats::zipper::anim::event::light::{LightFlags, LightKind, LightState};
use relicast::formats::zipper::anim::event::object::ObjectAddChild;
use relicast::formats::zipper::anim::{
    Activation, Bool32, DefinitionFlags, Event, EventBody, LightIndex, LightRef, NodeIndex,
    NodeName, Prerequisite, PrerequisiteKind, ShortNodeIndex,
};
use relicast_testing::test;
use serde_json::json;

use super::{
    HOUSE, NEAR, STAR, begun, place_of, puts, resetting, scene_nodes, shows, slides, standing,
    start, starting,
};

#[test]
fn flagged_resets_run_in_order_and_others_do_not() {
    for version in ZipperGame::ALL {
        let (_, said, document) = begun(
            version,
            "",
            vec![
                resetting("one", true, vec![shows(NEAR, false), puts(STAR, [1.0; 3])]),
                resetting("two", false, vec![puts(HOUSE, [7.0; 3])]),
                // The last record wins.
                resetting("three", true, vec![puts(STAR, [3.0, 4.0, 5.0])]),
                // All of a reset happens at once.
                resetting("four", true, vec![slides(HOUSE, [0.0; 3], [8.0, 0.0, 1.0])]),
            ],
        );
        assert_eq!(
            place_of(&document, version, "star"),
            json!([3.0, 4.0, 5.0]),
            "{said}"
        );
        assert_eq!(
            place_of(&document, version, "house"),
            json!([8.0, 0.0, 1.0])
        );
        let near = standing(&document, 1, version, "house_near");
        assert_eq!(near["extras"]["zipper"]["hidden"], true, "{version:?}");
        let written = start(&document);
        assert_eq!(written["resets"], 3);
        assert_eq!(
            written["changed"],
            json!({"hidden": 1, "shown": 0, "moved": 2, "faded": 0, "rehung": 0})
        );
    }
}

#[test]
fn the_first_moment_of_started_animations_is_shown() {
    for version in ZipperGame::ALL {
        let mut near = starting(
            "near_only",
            Activation::OnStartup,
            vec![puts(STAR, [9.0; 3])],
        );
        near.head.flags |= DefinitionFlags::EXECUTION_BY_RANGE;
        let mut waits = starting("waits", Activation::OnStartup, vec![puts(STAR, [8.0; 3])]);
        let needs = Prerequisite {
            kind: PrerequisiteKind::Animation,
            name: PaddedText::new("never_started").unwrap(),
            ..Prerequisite::default()
        };
        waits.tables.prerequisites = vec![needs];
        let mut later = starting("later", Activation::OnStartup, vec![]);
        let mut late = Event::new(puts(HOUSE, [6.0; 3]));
        late.time = F32(0.5);
        later.sequences[0].events.push(late);
        let when = EventBody::If(Condition::default());
        let chance = vec![
            shows(NEAR, false),
            when,
            shows(HOUSE, false),
            EventBody::EndIf(Default::default()),
        ];
        let (_, said, document) = begun(
            version,
            "listed lost",
            vec![
                resetting("back", true, vec![puts(STAR, [1.0; 3])]),
                starting(
                    "first",
                    Activation::OnStartup,
                    vec![slides(STAR, [2.0, 0.0, 2.0], [5.0; 3])],
                ),
                near,
                waits,
                later,
                starting("chance", Activation::OnStartup, chance),
                starting(
                    "listed",
                    Activation::OnCall,
                    vec![puts(HOUSE, [4.0, 5.0, 6.0])],
                ),
                starting("never", Activation::OnCall, vec![puts(HOUSE, [0.5; 3])]),
            ],
        );
        // After the resets, at the start of its way.
        assert_eq!(
            place_of(&document, version, "star"),
            json!([2.0, 0.0, 2.0]),
            "{said}"
        );
        assert_eq!(
            place_of(&document, version, "house"),
            json!([4.0, 5.0, 6.0])
        );
        let written = start(&document);
        assert_eq!(
            written["started"],
            json!(["chance", "first", "later", "listed"])
        );
        assert_eq!(written["changed"]["hidden"], 1, "{version:?}: {written}");
        for (why, name) in [
            (
                "animations that run only while the player is near or sees them",
                "near_only",
            ),
            (
                "animations whose conditions do not hold at the start",
                "waits",
            ),
            (
                "events that depend on a condition of the running game",
                "chance",
            ),
            (
                "animations that start at load and that no container has",
                "lost",
            ),
        ] {
            assert_eq!(
                written["left"][why]["names"],
                json!([name]),
                "{version:?}: {written}"
            );
        }
    }
}

#[test]
fn started_animations_call_others_hang_nodes_elsewhere_and_shine() {
    let version = ZipperGame::Recoil;
    let call = |name: &str| {
        EventBody::CallAnimation(Box::new(CallAnimation {
            name: PaddedText::new(name).unwrap(),
            operand_node: ShortNodeIndex(STAR),
            flags: CallFlags::empty(),
            ..CallAnimation::default()
        }))
    };
    let mut lamp = LightState {
        light: LightIndex(1),
        flags: LightFlags::AT_NODE | LightFlags::RANGE | LightFlags::COLOR,
        active: Bool32(1),
        kind: LightKind::Point,
        node: NodeIndex(i32::from(STAR)),
        translate: Vec3::from([0.0, 1.0, 0.0]),
        ..LightState::default()
    };
    lamp.range.min = F32(4.0);
    lamp.range.max = F32(40.0);
    lamp.color.r = F32(1.0);
    let adopt = EventBody::ObjectAddChild(ObjectAddChild {
        parent: ShortNodeIndex(STAR),
        child: ShortNodeIndex(HOUSE),
    });
    let mut first = starting(
        "first",
        Activation::OnStartup,
        vec![
            puts(STAR, [1.0, 2.0, 3.0]),
            EventBody::LightState(Box::new(lamp)),
            adopt,
            call("second"),
            // Calls in a circle end.
            call("first"),
            call("nobody"),
        ],
    );
    first.tables.lights = vec![
        LightRef::default(),
        LightRef {
            name: NodeName::new("glow").unwrap(),
            ..LightRef::default()
        },
    ];
    // Bound to the star by the call, so that the root is the star.
    let second = starting("second", Activation::OnCall, vec![shows(-100, false)]);
    let (_, said, document) = begun(version, "", vec![first, second]);
    let written = start(&document);
    let star = standing(&document, 1, version, "star");
    assert_eq!(star["extras"]["zipper"]["hidden"], true, "{written}");
    assert_eq!(written["started"], json!(["first", "second"]));
    let why = "calls of animations that no container has";
    assert_eq!(written["left"][why]["names"], json!(["nobody"]), "{said}");
    let nodes = scene_nodes(&document, 1);
    let light = nodes.iter().find(|node| node["name"] == "light_glow");
    let light = light.unwrap();
    assert_eq!(light["translation"], json!([1.0, 3.0, 3.0]));
    assert!(light["extensions"]["KHR_lights_punctual"].is_object());
    // The house hangs below the star, which is hidden, and no longer elsewhere alone.
    assert!(written["changed"]["rehung"].as_u64().unwrap() >= 1);
}
