//! Animations of the sample.

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::ConditionKind;
use relicast::formats::zipper::anim::{
    Activation, Definition, DefinitionFlags, EventBody, EventStart, PrerequisiteKind,
    SequenceState, SiScript,
};

use super::events::{self, INPUT, Move, now};
use super::maker::{Maker, after, stamped};
use super::rare;
use super::scripts::{Key, frames};
use crate::Outcome;

/// Scripts of a container and of the next definition.
type Pool<'s> = &'s mut Vec<SiScript>;

const UP: [f32; 3] = [0.0, 1.0, 0.0];
const SIDE: [f32; 3] = [1.0, 0.0, 0.0];

/// A sound that every archive of the game has.
fn blip(version: ZipperGame) -> &'static str {
    match version {
        ZipperGame::CrimsonSkies => "blip.wav",
        _ => "blip",
    }
}

/// The roof of the house opens, waits, and closes, repeatedly.
pub fn roof(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["house", "roof_opens", "house"],
        Activation::OnStartup,
    )?;
    maker.keeps("house_roof")?;
    let roof = maker.wide("house_roof")?;
    let (shut, open) = ([0.0, 6.0, 0.0], [0.0, 12.0, 2.0]);
    let opened = [0.0, 2.8, 0.25];
    let channels = Move {
        translate: Some([shut, open]),
        rotate: Some([[0.0; 3], opened]),
        ..Move::default()
    };
    let back = Move {
        translate: Some([open, shut]),
        rotate: Some([opened, [0.0; 3]]),
        ..Move::default()
    };
    let sound = events::sound(&mut maker, blip(version), Some("house_roof"))?;
    let glass = maker.wide("house_glass")?;
    let glass_node = maker.node("house_glass")?;
    maker.sequence(
        "roof",
        SequenceState::Initial,
        vec![
            now(sound),
            now(events::moves(roof, 2.0, channels)),
            after(1.0, events::moves(roof, 1.5, back)),
            after(0.5, events::repeat(-1)),
        ],
    )?;
    maker.sequence(
        "glass",
        SequenceState::Initial,
        vec![
            stamped(
                EventStart::Sequence,
                0.5,
                events::fade(glass, 0.5, 1.0, 1.0, [1, -1]),
            ),
            now(events::opacity(glass_node, Some(0.25))),
            after(0.25, events::opacity(glass_node, None)),
        ],
    )?;
    Ok(maker.finish())
}

/// The house is hit: it falls to rubble, burns, and a reset restores it.
pub fn hit(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["house", "house_hit", "house"],
        Activation::WeaponOrCollideHit,
    )?;
    maker.lives(100.0, 4.0);
    maker.flag(DefinitionFlags::HAS_CALLBACKS);
    maker.flag(DefinitionFlags::NETWORK_LOG_SET);
    if version > ZipperGame::Recoil {
        maker.flag(DefinitionFlags::NETWORK_LOG_ON);
    }
    maker.needs(PrerequisiteKind::Animation, "roof_opens", true)?;
    maker.needs(PrerequisiteKind::Parent, "house", false)?;
    maker.needs(PrerequisiteKind::Object, "house_walls", false)?;
    for node in ["house_walls", "house_roof", "house_ruin"] {
        maker.keeps(node)?;
    }
    let walls = maker.node("house_walls")?;
    let ruin = maker.node("house_ruin")?;
    let roof = maker.node("house_roof")?;
    maker.resets(vec![
        now(events::shows(walls, true)),
        now(events::shows(ruin, false)),
        now(events::place(roof, [0.0, 6.0, 0.0])),
        now(events::turn(roof, [0.0; 3])),
    ])?;
    maker.damaged(vec![now(events::callback(9))])?;
    let thrown = rare::thrown(&mut maker, "house_roof", "thud", blip(version))?;
    let lamp = events::lamp(&mut maker, "blaze", "house_roof")?;
    let glow = events::glow(&mut maker, "blaze", -0.5, 1.0)?;
    let dark = events::lamp_off(&mut maker, "blaze")?;
    let burn = events::call(&mut maker, "fire_burns", Some(ruin), true)?;
    let sound = events::sound(&mut maker, blip(version), None)?;
    let near = 60.0_f32 * 60.0;
    maker.sequence(
        "fall",
        SequenceState::Initial,
        vec![
            now(events::shows(walls, false)),
            now(events::shows(ruin, true)),
            now(lamp),
            now(thrown),
            stamped(EventStart::Animation, 3.0, glow),
            now(dark),
            now(events::when(ConditionKind::RandomWeight, 0.5_f32.to_bits())),
            now(sound.clone()),
            now(events::or_when(ConditionKind::PlayerRange, near.to_bits())),
            now(events::tint(0.5)),
            now(events::or_else()),
            now(events::callback(3)),
            now(events::end()),
            now(burn),
            now(events::starts("sparks")?),
        ],
    )?;
    maker.sequence("thud", SequenceState::OnCall, vec![now(sound)])?;
    let glass = maker.node("house_glass")?;
    maker.sequence(
        "sparks",
        SequenceState::OnCall,
        vec![
            now(events::shows(glass, false)),
            after(0.25, events::shows(glass, true)),
            after(0.25, events::repeat(4)),
        ],
    )?;
    Ok(maker.finish())
}

/// At dawn: a reset hides the fence and the fire, and the start shows the fire and a light.
pub fn dawn(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["pole", "dawn_breaks", "pole"],
        Activation::OnCall,
    )?;
    maker.lives(1.0, 4.0);
    let fire = maker.node("camp_fire")?;
    let fence = maker.node("fence_01")?;
    let banner = maker.node("banner")?;
    maker.resets(vec![
        now(events::shows(fence, false)),
        now(events::shows(fire, false)),
        now(events::place(banner, [1.5, 4.0, 0.0])),
    ])?;
    let lamp = events::lamp(&mut maker, "dawn", "camp_fire")?;
    let rising = maker.wide("banner")?;
    let up = Move {
        translate: Some([[1.5, 5.0, 0.0], [1.5, 6.0, 0.0]]),
        ..Move::default()
    };
    maker.sequence(
        "dawn",
        SequenceState::Initial,
        vec![
            now(events::shows(fire, true)),
            now(lamp),
            now(events::moves(rising, 2.0, up)),
        ],
    )?;
    Ok(maker.finish())
}

/// The fire grows and turns; its light flickers.
pub fn fire(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["camp_fire", "fire_burns", "camp_fire"],
        Activation::OnCall,
    )?;
    maker.within(0.0, 250.0);
    let fire = maker.wide("camp_fire")?;
    let growth = Move {
        scale: Some([[1.0; 3], [1.5, 2.5, 1.5]]),
        ..Move::default()
    };
    let picture = rare::picture(&mut maker, "camp_fire", 1)?;
    let lamp = events::lamp(&mut maker, "embers", "camp_fire")?;
    maker.sequence(
        "grow",
        SequenceState::Initial,
        vec![
            now(picture),
            now(lamp),
            now(events::scale(fire, [1.0; 3])),
            now(events::moves(fire, 1.25, growth)),
        ],
    )?;
    let glow = events::glow(&mut maker, "embers", 0.5, 0.25)?;
    maker.sequence(
        "flicker",
        SequenceState::Initial,
        vec![now(glow), now(events::repeat_for(2.0))],
    )?;
    Ok(maker.finish())
}

/// The top of the tower rises, turns by more than a right angle in one frame, and widens.
pub fn lift(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["tower", "tower_lift", "tower"],
        Activation::CollideHit,
    )?;
    if version != ZipperGame::CrimsonSkies {
        maker.flag(DefinitionFlags::EXECUTION_BY_ZONE);
    }
    let keys = [
        Key::at(0.0, [0.0; 3]).turned(UP, 0.0).scaled([1.0; 3]),
        Key::at(1.0, [0.0, 6.0, 0.0])
            .turned(UP, 1.5)
            .scaled([1.25, 1.0, 1.25]),
        Key::at(1.75, [0.0, 6.0, 4.0])
            .turned(UP, 2.0)
            .scaled([1.25, 1.0, 1.25]),
        Key::at(2.5, [0.0, 0.0, 0.0])
            .turned(UP, 4.0)
            .scaled([1.0; 3]),
    ];
    let script = maker.script("tower_body", "..\\data\\lift.zan", frames(&keys, version))?;
    let emitter = rare::emitter(&mut maker, "winch", Some("tower_body"))?;
    let silent = rare::emitter(&mut maker, "winch", None)?;
    maker.sequence(
        "lift",
        SequenceState::Initial,
        vec![now(emitter), after(0.5, script), now(silent)],
    )?;
    Ok(maker.finish())
}

/// The top of the tower moves up and down in many frames.
pub fn long_lift(version: ZipperGame, pool: Pool<'_>, steps: u16) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["tower", "long_lift", "tower"],
        Activation::OnCall,
    )?;
    let keys: Vec<Key> = (0..steps)
        .map(|step| {
            let height = f32::from(step % 16) * 0.37;
            let place = [0.0, height, f32::from(step % 7) * 0.11];
            Key::at(f32::from(step) * 0.1, place).turned(UP, f32::from(step % 8) * 0.5)
        })
        .collect();
    let script = maker.script("tower_body", "..\\data\\long.zan", frames(&keys, version))?;
    maker.sequence("lift", SequenceState::Initial, vec![now(script)])?;
    Ok(maker.finish())
}

/// The banner waves and the pole leans, relative to its pose.
pub fn banner(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["pole", "banner_waves", "pole"],
        Activation::OnStartup,
    )?;
    let banner = maker.wide("banner")?;
    let wave = |from, to| Move {
        morph: Some([from, to]),
        ..Move::default()
    };
    maker.sequence(
        "wave",
        SequenceState::Initial,
        vec![
            now(events::moves(banner, 0.75, wave(0.0, 1.0))),
            now(events::moves(banner, 0.75, wave(1.0, 0.0))),
            now(events::repeat(3)),
        ],
    )?;
    Ok(maker.finish())
}

/// The camera flies past the house.
pub fn ride(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["camera1", "fly_by", "camera1"],
        Activation::OnCall,
    )?;
    let camera = maker.wide("camera1")?;
    let keys = [
        Key::at(0.0, [100.0, 20.0, 120.0]).turned(UP, 0.0),
        Key::at(2.0, [150.0, 12.0, 100.0]).turned(UP, 0.5),
        Key::at(4.0, [190.0, 16.0, 60.0]).turned(UP, 1.5),
    ];
    let script = maker.script("camera1", "..\\data\\fly_by.zan", frames(&keys, version))?;
    let mut list = vec![
        now(events::lens(camera, 1.0)),
        now(script),
        now(events::turn(maker.node("camera1")?, [0.0, 1.5, 0.0])),
    ];
    if version == ZipperGame::CrimsonSkies {
        list.insert(0, now(events::shows(maker.node("letterbox")?, true)));
    } else {
        list.push(now(events::zoom(camera, 1.0, 0.5, 1.0)));
    }
    list.push(now(events::lens(camera, 0.5)));
    maker.sequence("ride", SequenceState::Initial, list)?;
    Ok(maker.finish())
}

/// Two nodes move at once by a script each; Crimson Skies.
pub fn pair(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["house", "house_parts", "house"],
        Activation::OnCall,
    )?;
    maker.path(&["house", "house_roof"])?;
    let up = [
        Key::at(0.0, [0.0, 6.0, 0.0]).turned(SIDE, 0.0),
        Key::at(1.0, [0.0, 9.0, 0.0]).turned(SIDE, 0.5),
    ];
    let aside = [
        Key::at(0.0, [0.0, 2.0, 4.25]),
        Key::at(0.5, [3.0, 2.0, 4.25]),
        Key::at(1.5, [0.0, 2.0, 4.25]),
    ];
    let group = maker.scripts(&[
        ("house_roof", "..\\data\\roof.zan", frames(&up, version)),
        (
            "house_glass",
            "..\\data\\glass.zan",
            frames(&aside, version),
        ),
    ])?;
    maker.sequence("parts", SequenceState::Initial, vec![now(group)])?;
    Ok(maker.finish())
}

/// The vent of the first hangar turns; another hangar has one of the same name. Crimson Skies.
pub fn vent(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let names = ["healthy", "vent_turns", "air_gen"];
    let mut maker = Maker::new(version, pool, names, Activation::OnCall)?;
    maker.keeps("air_gen")?;
    let vent = maker.wide("air_gen")?;
    let round = Move {
        rotate: Some([[0.0; 3], [0.0, 6.25, 0.0]]),
        ..Move::default()
    };
    let turns = vec![now(events::moves(vent, 2.0, round))];
    maker.sequence("vent", SequenceState::Initial, turns)?;
    Ok(maker.finish())
}

/// The propeller of the first aircraft turns; each aircraft has one of the same name. Crimson Skies.
pub fn propeller(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let names = ["player_finch", "finch_starts", "player_finch"];
    let mut maker = Maker::new(version, pool, names, Activation::OnCall)?;
    let propeller = maker.wide("prop1")?;
    let round = Move {
        rotate: Some([[0.0; 3], [0.0, 0.0, 6.25]]),
        ..Move::default()
    };
    let turns = vec![now(events::moves(propeller, 0.5, round))];
    maker.sequence("propeller", SequenceState::Initial, turns)?;
    Ok(maker.finish())
}

/// The fences: two consecutive definitions of one name, and one that is switched off.
pub fn fences(version: ZipperGame, pool: Pool<'_>) -> Outcome<Vec<Definition>> {
    let mut made = Vec::new();
    for (node, animation) in [("fence_01", "fence_slides"), ("fence_02", "fence_spins")] {
        let mut maker = Maker::new(
            version,
            pool,
            [node, animation, node],
            Activation::WeaponHit,
        )?;
        let fence = maker.wide(node)?;
        let short = maker.node(node)?;
        let events = if node == "fence_01" {
            let aside = Move {
                translate: Some([[100.0, 1.0, 100.0], [92.0, 1.0, 100.0]]),
                ..Move::default()
            };
            vec![
                now(events::moves(fence, 1.0, aside)),
                after(0.5, events::place(short, [100.0, 1.0, 100.0])),
            ]
        } else {
            if version >= ZipperGame::PiratesMoon {
                maker.disable();
            }
            let round = Move {
                rotate: Some([[0.0; 3], [0.0, 6.25, 0.0]]),
                ..Move::default()
            };
            vec![now(events::moves(fence, 3.0, round))]
        };
        maker.sequence("fence", SequenceState::Initial, events)?;
        made.push(maker.finish());
    }
    Ok(made)
}

/// Definition with everything that no other definition has.
pub fn rest(version: ZipperGame, pool: Pool<'_>) -> Outcome<Definition> {
    let mut maker = Maker::new(
        version,
        pool,
        ["barrel", "everything_else", "barrel"],
        Activation::OnCall,
    )?;
    let lid = maker.node("barrel_lid")?;
    let lid_wide = maker.wide("barrel_lid")?;
    let mut objects = vec![
        now(events::turn(lid, [0.5, 1.0, -0.25])),
        after(0.25, rare::adopt(&mut maker, "barrel", "spark")?),
        after(1.0, rare::orphan(&mut maker, "barrel", "spark")?),
        now(rare::drawn(&mut maker, "barrel_lid")?),
        now(rare::fog()?),
        now(rare::weapon("shell")?),
    ];
    match version {
        ZipperGame::Recoil => objects.extend([
            now(rare::sprite(&mut maker, "splash")?),
            now(rare::text(400)),
            now(rare::marker()),
        ]),
        _ => objects.extend([
            now(rare::smoke(&mut maker, "smoke", "barrel_lid")?),
            after(2.0, rare::smoke_off(&mut maker, "smoke")?),
        ]),
    }
    match version {
        ZipperGame::CrimsonSkies => objects.push(now(rare::adjust())),
        _ => objects.extend([
            now(rare::beam(&mut maker, "spark", "barrel", "barrel_lid")?),
            now(rare::call_beam(&mut maker, "fire_burns", "barrel")?),
        ]),
    }
    if matches!(version, ZipperGame::Recoil | ZipperGame::PiratesMoon) {
        objects.extend([now(rare::wave()), now(rare::verbose())]);
    }
    maker.sequence("objects", SequenceState::Initial, objects)?;
    let handed = events::call(&mut maker, "house_hit", Some(INPUT), false)?;
    let lost: EventBody = events::call(&mut maker, "not_compiled", None, false)?;
    maker.sequence(
        "calls",
        SequenceState::OnCall,
        vec![
            now(handed),
            now(lost),
            now(events::stop(version, "fire_burns")?),
            now(events::reset("house_hit")?),
            now(events::invalidate("roof_opens")?),
            now(events::ends("objects")?),
            now(events::when_node(
                ConditionKind::NodeUndercover,
                lid_wide,
                -4.0,
            )),
            now(events::when(ConditionKind::HwRender, 1)),
            now(events::shows(lid, true)),
            now(events::end()),
            now(events::end()),
        ],
    )?;
    Ok(maker.finish())
}
