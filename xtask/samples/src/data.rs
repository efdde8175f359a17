//! Readers, scripts, maps, messages and save games with invented content.

use relicast::formats::codec::{Bytes, F32, PaddedText, Vec3};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::messages::write::{Flavor, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::save::{
    self, Activation, ActivationHead, ActivationKind, HEADER_NAME, SaveHeader, SaveMember,
};
use relicast::formats::zipper::zmap::{self, Feature, Header, Map, Rgb};
use relicast::formats::zipper::zrd::{Text, Value, binary, text};

use crate::Outcome;
use crate::pack::Pack;
use crate::random::Random;

/// Encodes a binary reader from its text notation, in the extra list that binary readers have.
pub fn reader(source_text: &str) -> Outcome<Vec<u8>> {
    let document = text::decode(source_text.as_bytes())?.value;
    Ok(binary::encode(&Value::List(document.values()?))?)
}

/// A reader with every kind of value and its extremes.
pub fn extremes() -> Outcome<Vec<u8>> {
    let floats = [
        0.0,
        -0.0,
        1.0 / 3.0,
        16_777_217.0,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::from_bits(0x7FC0_0000),
        f32::from_bits(0xFFC1_2345),
    ];
    let deep = (0..40).fold(Value::text("bottom"), |inner, _| Value::List(vec![inner]));
    let items = vec![
        Value::text("INTS"),
        Value::List([0, -1, i32::MIN, i32::MAX].map(Value::Int).to_vec()),
        Value::text("FLOATS"),
        Value::List(floats.map(|float| Value::Float(F32(float))).to_vec()),
        Value::text("TEXTS"),
        Value::List(vec![
            Value::text(""),
            Value::text("two words"),
            Value::text("1"),
            Value::text("(;)"),
            Value::Text(Text::from("%s\t100%")),
        ]),
        Value::text("EMPTY"),
        Value::List(Vec::new()),
        Value::text("SAME"),
        Value::Int(1),
        Value::text("SAME"),
        Value::Int(2),
        Value::text("DEEP"),
        deep,
    ];
    Ok(binary::encode(&Value::List(vec![Value::List(items)]))?)
}

/// A unit's reader: named settings with lists, some of them random.
pub fn unit(name: &str) -> Outcome<Vec<u8>> {
    let mut random = Random::named(name);
    let mut source_text = format!("(NAME \"{name}\" MASS {}.5 ", random.between(20, 100));
    for mount in 0..random.between(2, 5) {
        let (x, y) = (random.between(-40, 40), random.between(0, 90));
        source_text.push_str(&format!(
            "MOUNT (slot{mount} OFFSET ({:.2} {:.2} 0.0) AMMO {}) ",
            f64::from(x) / 8.0,
            f64::from(y) / 8.0,
            random.between(1, 400),
        ));
    }
    source_text.push_str(&format!("CREW () PRIORITY {})", random.between(-9, 9)));
    reader(&source_text)
}

/// Sections of a mission: places, timers, a list of objectives.
pub const MISSION: &str = "(
    MISSION \"First light\"
    START (POSITION (120.5 0.0 -64.25) HEADING -1.5)
    TIMERS ((dawn 30.0) (relief 600.0))
    OBJECTIVES (
        (reach_ridge REQUIRED 1 TEXT MSG_OBJECTIVE_RIDGE)
        (guard_convoy REQUIRED 0 TEXT MSG_OBJECTIVE_CONVOY REWARD ())
    )
)";

/// Definitions of chassis: motions, appearance and abilities of 'mechs. One uses the motions of
/// another 'mech.
pub const CHASSIS: [(&str, &str); 2] = [
    (
        "wanderer_def.zrd",
        "(CHASSIS (
            motion (
                stand (wanderer_stand trans (0.0 0.5))
                walk (wanderer_walk trans (0.5 4.0))
                run (wanderer_run trans (4.0 9.5))
                canned (wanderer_fall)
            )
            skins (
                MSG_SKIN_PRIMARY (ground flame)
                MSG_SKIN_VARIANTB (ground_b flame_b)
                damage (ground_dmg)
            )
            torso_limits (-1.5 1.5)
            firepoints ((part larm radius 0.5 share 0.5) (part rarm radius 0.5 share 0.5))
            camera (eyepoint 0.0 0.25 -0.5)
            hud (lamps 3)
            crouch_height 3.25
            chicken 0
        ))",
    ),
    (
        "vulture_def.zrd",
        "(CHASSIS (motion (stand (madcat_stand) walk (madcat_walk)) crouch_height 3. chicken 1))",
    ),
];

/// Placements of a mission: vehicles, pickups, nodes of paths.
pub const VEHICLES: [(&str, &str); 4] = [
    (
        "aiv.zrd",
        "(
            barrel_00 (0 (20.0 0.0 -30.0) 90.0)
            barrel_01 (1 (-24.0 0.5 12.0) -45.0)
            wanderer_01 (2 (40.0 0.0 40.0) 180.0)
            nobody_02 (3 (1.0 2.0 3.0) 0.0)
        )",
    ),
    (
        "puppies.zrd",
        "((barrel (8.0 4.0 8.0) (0.0 1.5 0.0)) (7 (9.0 4.0 8.0) (0.0 0.0 0.0)))",
    ),
    (
        "net_00.zrd",
        "(
            node_00 (0 (20.0 0.0 -30.0) (1 -1 -1))
            node_01 (1 (30.0 0.0 -10.0) (0 -1 -1))
        )",
    ),
    (
        "net_01.zrd",
        "(
            version 105 name patrol path_width 12.0
            node_00 (0 (60.0 0.0 60.0) (1 2 -1))
            node_01 (0 (90.0 0.0 60.0) (0 -1 -1))
            node_02 (0 (60.0 0.0 90.0) (0 -1 -1))
        )",
    ),
];

/// Placements of a mission of MechWarrior 3: actors, a net of version 106 with an edge, variables that join them.
pub const MECH_MISSION: [(&str, &str); 4] = [
    (
        "aiv.zrd",
        "(
            fence_02 (1 (60.0 0.0 60.0) 90.0 5)
            barrel_00 (0 (20.0 0.0 -30.0) 90.0)
            barrel_01 (1 (-24.0 0.5 12.0) -45.0)
            wanderer_01 (2 (40.0 0.0 40.0) 180.0)
            nobody_02 (3 (1.0 2.0 3.0) 0.0)
        )",
    ),
    (
        "net_01.zrd",
        "(
            version 106 name (patrol) type (HI) path_width 8.0 attack_strategy (CIRCLE)
            node_10 (1 (60.0 0.0 60.0) (11 12 13 742) valve (1 gate_open))
            node_11 (0 (90.0 0.0 60.0) (10 12))
            node_12 (0 (60.0 0.0 90.0) (10))
            node_13 (0 (90.0 0.0 90.0) ())
            node_742 (0 (75.0 4.0 75.0) (13))
            node_10 ((11 13) valve_assign (gate_open 1) canleave (0) scan_time (2.5))
        )",
    ),
    (
        "valves.zrd",
        "(
            gate_open (sound_once (horn 0.5) delayupdate (mission_won 4.0))
            mission_won (all_nonzero namelist (gate_open convoy_safe))
            gate_open (teleport (wanderer_01 (100.0 0.0 20.0) 270.0 1))
            :convoy_safe (shutdown (barrel_00 0 1))
        )",
    ),
    (
        "objectives.zrd",
        "(reach_gate (title MSG_OBJECTIVE_RIDGE valve_change (valve (gate_open)) set_valve (mission_won 1)))",
    ),
];

/// Sounds of MechWarrior 3: a name, a file, and keys.
pub const MECH_SOUNDS: (&str, &str) = (
    "sounds.zrd",
    "(SOUND_PATH (zbd) SPEED_OF_SOUND 340
      SETS (
        M1 (
            (blip blip.wav PURGEABLE VOLUME 0.5 3D RANGE (10 120))
            (hum aux.wav LOOPED VOLUME 0.25) ()
            (engine engine_loop.wav LOOPED 3D (20 200))
            (SUB_SET (M2)))
        M2 ((order m1_briefing.wav VOICE_QUEUE SUBTITLE MSG_OBJECTIVE_RIDGE)))
      SOUND_GROUPS ((calls PLAY_SOLO EXTRA (MINDELAY 2.5) (WEIGHT 2.0 blip) (hum)))
      CD_TRACKS ((menu 2) (convoy 3)))",
);

/// The definition of a chassis of version 2: a flat list of keys, the loadouts last.
pub const MECH_CHASSIS: (&str, &str) = (
    "dfn_strider_01.zrd",
    "(version 2 torso_limits (120.0 -20.0 30.0) recoil_bend 0.5 recoil_slide 1.5.0 max_turn_rate 45.0
      crouch_height 2.5 aim_min_pitch -30.0 aim_max_pitch 30.0 torso_shake (pitch_amp 1.0 freq 2.0)
      chicken true omnimech false clan true internal_mass 6.5 max_mass 60 weight_class 2 engine_minmax (120 300)
      hud (cage (cage_strider 0 1.4 -1)) camera (attach (dist 5.0 desired_pos (0.0 4.0 9.0)))
      animations (canned (eject (eject_seat ofs (0.0 1.5 -2.0) node head) jumpjets jumpjets narc narc_shroud)
        motion (stand (anim wanderer_stand trans (0.0 0.5)) step (anim wanderer_walk trans (0.5 1.0))
          walk (anim wanderer_walk trans (1.0 4.0)) trot (anim wanderer_run trans (4.0 6.0))
          run (anim wanderer_run trans (6.0 9.5))))
      skins (MSG_SKIN_PRIMARY (ground (flame flame)) MSG_SKIN_VARIANTB _b MSG_SKIN_VARIANTC _c MSG_SKIN_VARIANTD _d
        MSG_SKIN_VARIANTD _e MSG_SKIN_VARIANTF _f MSG_SKIN_VARIANTG _g MSG_SKIN_VARIANTH _h damage (0 0 ground_dmg))
      firepoints (gun (radius 0.5 share 0.5 part rarm) eyepoint (radius 0.25 share 0.5 part head))
      configurations (STOCK (engine (rating 250 xl true max_speed 24.5)
        armor (ferro-fibrous false mass 9.5 head 9 torso (30 10) torsolr (20 8) arms 20 legs 30)
        equipment ((heat_sink torso) (heat_sink legs))
        weapons ((ac10 gun group (1 2) ammo (20 part torso)) (laser eyepoint group (1))) internal 12.5)))",
);

/// The weather of all missions of Recoil.
pub const RECOIL_WEATHER: (&str, &str) = (
    "weather.zrd",
    "(MISSION1 (TYPE SNOW PARTICLES 60 COLOR (255 255 255)) MISSION2 (TYPE RAIN))",
);

/// Sounds defined by position: two that are looped, one of them heard from a place.
pub const SOUNDS: (&str, &str) = (
    "sounds.zrd",
    "(SYNTAX 1 SOUND_PATH (zbd) SPEED_OF_SOUND 340
      SETS (
        M1 (
            (blip blip.wav 0.5 FALSE TRUE FALSE (10 120))
            (hum aux.wav 0.25 TRUE FALSE)
            (engine engine_loop.wav 0.75 TRUE TRUE TRUE (20 200)))
        M2 ((briefing m1_briefing.wav)))
      CD_TRACKS ((menu 2) (convoy 3)))",
);

/// Sounds of Crimson Skies, defined by keys, with groups of which one is chosen.
pub const SKIES_SOUNDS: (&str, &str) = (
    "sounds.zrd",
    "(SYNTAX 2 SOUND_PATH (zbd) SPEED_OF_SOUND 340
      SETS (
        M1 (
            propeller (SFX LOOPED VOLUME 0.5 RANGE (15 300) HIGH propeller.wav)
            blip (3D VOLUME 0.75 HIGH blip.wav LOW (11025 8 1)))
        FMV (briefing (VOICE QUEUE 7.5 QPRIORITY 2 OPTIONAL HIGH m01_briefing.wav)))
      SOUND_GROUPS (calls (REPEAT 1 (WEIGHT 2.0 blip) (briefing)))
      CD_TRACKS ((menu 2)))",
);

/// Further files of a mission of Recoil: turrets, objectives, nodes that move.
pub const RECOIL_MISSION: [(&str, &str); 3] = [
    (
        "ai.zrd",
        "(DESTROY_ANIM turret_lost TURRET (turret_* PARTS (barrel_part fire_point) HEALTH 80 \
         WEAPON (NAME wep_0.1 DETECTION_RANGE 150.0)))",
    ),
    (
        "objectives.zrd",
        "(READ_TIME 5 OBJECTIVE1 (ridge MSG_OBJECTIVE_RIDGE MSG_EMPTY MSG_EMPTY ACTIVE lantern))",
    ),
    ("movers.zrd", "(banner)"),
];

/// A mission of Crimson Skies: aircraft, an airship, weather.
pub const SKIES_MISSION: [(&str, &str); 5] = [
    (
        "aiv.zrd",
        "(24 raiders 28 patrol
            wingman_1 (-1 (60.0 60.0 30.0) 90.0 0 5)
            player (-1 (40.0 50.0 20.0) 45.0 0 5)
            finch_1 (24 (100.0 55.0 10.0) -90.0 0 5)
            stranger_1 (28 (1.0 2.0 3.0) 0.0 0 5)
            raider_1 (24 (0.0 0.0 0.0) 0.0 2 0 0)
            blakepeace_2_2 (() (0.0 0.0 0.0) 90.0 2 0 1 player))",
    ),
    ("ia.zrd", "(IA (player_plane finch))"),
    (
        "zeppelins.zrd",
        "(((node samplezep position (128.0 80.0 64.0) yaw 90.0 pitch 0 max_speed 20.0 team ally)))",
    ),
    (
        "weather.zrd",
        "(VIEWING_RANGE (HIGH (CLIP_SCALE 1.0 FOG_SCALE 1.0)) WIND (STATIC_VELOCITY (0 2 0))
          CLOUD_COVER (TOP 280 BOTTOM 240 THICKNESS 10 TOP_COLOR (0.5 0.75 1.0))
          ZONE1 (FOG_COLOR (128 160 191) FOG_RANGES (300 2500) CLIP_RANGES (1 3000)
                 SUNLIGHT_ORIENTATION (-25 40 0) SUNLIGHT_DIFFUSE 1.25 SUNLIGHT_AMBIENT 0.25
                 SUNLIGHT_ACTIVE 1)
          SW_ZONE1 (FOG_COLOR (128 160 191) FOG_RANGES (200 900)) TYPE RAIN PARTICLES 40)",
    ),
    // Unused in a mission of a campaign.
    ("net.zrd", "((1.0 2.0 3.0 0.0) (4.0 5.0 6.0 90.0))"),
];

/// Files of a world of Crimson Skies: volumes of fog, objects on the ground, fire, a patrol net.
pub const SKIES_WORLD: [(&str, &str); 4] = [
    (
        "templates.zrd",
        "(wood_tree (scale_range (0.5 1.5) far_fade_range ((400 500) (600 800))))",
    ),
    (
        "effects.zrd",
        "(EFFECTS (spark.flt (NAME spark MAPS (flame tile_001 tile_002) SPEED 10.0 LOOPING ON)))",
    ),
    (
        "fogvol.zrd",
        "(clutter (weight 1.0 nodes (camp_fire) far_fade_range (100 200)) distance 400.0 fog_zone 1 \
         fog_fade_dist 50.0 interior_fog_fade_dist 20.0 fog_color (128 160 191))",
    ),
    (
        "ne000107.zrd",
        "(() 10 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 \
         ((20.0 90.0 30.0 7 8) (80.0 95.0 30.0 7 8) (80.0 100.0 90.0)) ((0 1) (1 2)) (0))",
    ),
];

/// Files of a multiplayer mission of Crimson Skies: spawn points, 16 for all and the first of a team.
pub const SKIES_MULTIPLAYER: (&str, &str) = (
    "net.zrd",
    "((10.0 50.0 20.0 0.0) (20.0 50.0 20.0 0.0) (30.0 50.0 20.0 0.0) (40.0 50.0 20.0 0.0)
      (50.0 50.0 20.0 0.0) (60.0 50.0 20.0 0.0) (70.0 50.0 20.0 0.0) (80.0 50.0 20.0 0.0)
      (10.0 50.0 90.0 180.0) (20.0 50.0 90.0 180.0) (30.0 50.0 90.0 180.0) (40.0 50.0 90.0 180.0)
      (50.0 50.0 90.0 180.0) (60.0 50.0 90.0 180.0) (70.0 50.0 90.0 180.0) (80.0 50.0 90.0 180.0)
      (15.0 60.0 45.0 90.0))",
);

/// Cameras behind aircraft of Crimson Skies.
pub const SKIES_CAMERAS: (&str, &str) = (
    "camparam.zrd",
    "(default (distance 13.0 range (15.7 25.0)) Kestrel (distance 14.5))",
);

/// A loose control configuration with comments, key codes, buttons and axes.
pub const CONTROLS: &str = "; Sample controls.\r
(\tKEYS (\r
\t\t(CMD_FORWARD\tkeya(0x11)\tjoybtn(0x6))\r
\t\t(CMD_BACK\tkeya(0x1f))\r
\t\t(CMD_JUMP\tkeya(0x39))\t; the space bar\r
\t\t(CMD_MAP\tkeya(0xc8)\tkeya(0x32))\r
\t\t(\"CMD_TAUNT 1\"\tkeya(0x3b))\r
\t)\r
\tAXES (\r
\t\t(Throttle\tjoystick(Z)\tslope(-0.5)\tdeadzone(0.05))\r
\t\t(Turn\tjoystick(X)\tslope(1.0))\r
\t)\r
)\r
";

/// Script that changes the world of a mission.
const MISSION_SCRIPT: [&str; 20] = [
    "set SKY sky",
    "ifdef USEZBD",
    "FindNode camera1",
    "CameraSetHorizon %SKY%",
    "CameraSetNearFarClip 1 960",
    "FindNode world1",
    "WorldSetFogState linear",
    "WorldSetFogColor 0.75 0.625 0.5",
    "WorldSetFogRange 120 900",
    "WorldSetFogAltitude 20 180",
    "FindNode display",
    "DisplaySetClearColor 0.75 0.625 0.5",
    "FindNode sunlight",
    "LightSetDiffuse 0.5",
    "FindNode fence_02",
    "NodeSetActive off",
    "FindNode house_glass",
    "Object3DSetOpacity 0.25",
    "LoadSoils data\\soils.txt",
    "endif",
];

/// Scripts of a world of Crimson Skies: one that is compiled by, one of the world, one of a mission. The script
/// of the mission turns in degrees, switches cells, and looks for a node that does not exist.
const SKIES_SCRIPTS: [(&str, &[&str]); 3] = [
    ("data\\c1\\load.gw", &MISSION_SCRIPT),
    (
        "support\\c1\\adjust.gw",
        &["FindNode world1", "AddClutterTemplates wood"],
    ),
    (
        "support\\c1\\m01.gw",
        &[
            "FindNode fence_02",
            "NodeSetActive off",
            "FindNode pole.flt",
            "Object3DRotate 0 45 0",
            "FindNode banner",
            "Object3DSetScroll on 0 -0.4",
            "FindNode house_glass",
            "Object3DSetOpacity 0.25",
            "FindNode multiplayer1zep",
            "NodeSetActive off",
            "FindNode house",
            "FindSubNode house_ruin",
            "NodeSetActive on",
            "WorldPartitionSetActive off 0 256 128 0",
            "DeleteTree lantern",
            "Quit",
            "FindNode house",
            "NodeSetActive off",
        ],
    ),
];

/// A script of some lines.
fn script(path: &str, time: u32, lines: &[&'static str]) -> Outcome<Script<'static>> {
    Ok(Script {
        row: interp::Row {
            path: PaddedText::new(path).ok_or("path too long")?,
            time,
            start: 0,
        },
        lines: lines
            .iter()
            .map(|line| Line::from_tokens(line.split(' ')))
            .collect(),
    })
}

/// The scripts of Crimson Skies.
pub fn skies_scripts(extra: &[&'static str]) -> Outcome<Vec<u8>> {
    let mut scripts = common_scripts(extra)?;
    for (path, lines) in SKIES_SCRIPTS {
        scripts.push(script(path, 920_246_400, lines)?);
    }
    Ok(interp::encode(&Interp {
        scripts,
        ..Interp::default()
    })?)
}

/// The start-up scripts, with one for a mission.
pub fn scripts(extra: &[&'static str], mission: Option<&str>) -> Outcome<Vec<u8>> {
    let mut scripts = common_scripts(extra)?;
    if let Some(path) = mission {
        scripts.push(script(path, 920_246_400, &MISSION_SCRIPT)?);
    }
    Ok(interp::encode(&Interp {
        scripts,
        ..Interp::default()
    })?)
}

/// Scripts of every install.
fn common_scripts(extra: &[&'static str]) -> Outcome<Vec<Script<'static>>> {
    let spaced = Line::from_tokens(["MSG", "two words", "", "-1.50"]);
    let mut start = script("data\\start.gs", 915_148_800, extra)?;
    start.lines.push(spaced);
    let scripts = vec![
        start,
        script(
            "data\\world\\lights.gw",
            920_246_400,
            &[
                "LIGHT sun COLOR 1.0 0.95 0.8 DIRECTION -0.5 -0.7 0.2",
                "FOG LINEAR 200 1500",
            ],
        )?,
        script("data\\empty.gs", 0, &[])?,
    ];
    Ok(scripts)
}

/// A mission map: a coast, a base, and a route.
pub fn map(seed: &str) -> Outcome<Vec<u8>> {
    let mut random = Random::named(seed);
    let mut outline = |color: [u8; 3], corners: i32, objective: i32| {
        let middle = [random.between(-900, 900), random.between(-900, 900)];
        let [r, g, b] = color;
        Feature {
            color: Rgb { r, g, b },
            // Corners along a square's edge, moved randomly.
            vertices: (0..corners)
                .map(|corner| {
                    let side = corner * 4 / corners.max(1);
                    let along = corner * 400 / corners.max(1) % 100;
                    let (x, z) = match side {
                        0 => (along - 50, -50),
                        1 => (50, along - 50),
                        2 => (50 - along, 50),
                        _ => (-50, 50 - along),
                    };
                    let [left, top] = middle;
                    let jitter = random.between(-8, 8);
                    Vec3::from([(left + x * 4 + jitter) as f32, 0.0, (top + z * 4) as f32])
                })
                .collect(),
            objective,
        }
    };
    let features = vec![
        outline([40, 90, 200], 24, -1),
        outline([200, 180, 60], 4, 0),
        outline([220, 40, 40], 3, 1),
        outline([255, 255, 255], 0, -1),
    ];
    let header = Header {
        version: 5,
        unused: 7,
        min: Vec3::from([-1500.0, -20.5, -1500.0]),
        max: Vec3::from([1500.0, 310.25, 1500.0]),
    };
    Ok(zmap::encode(&Map { header, features })?)
}

/// A save game with each kind of activation and one unknown member.
pub fn save_game() -> Outcome<Vec<u8>> {
    let mut random = Random::named("save game");
    let activation = |kind, name: &str, node_index, values: [f32; 9], states: Vec<Bytes<68>>| {
        let head = ActivationHead {
            kind,
            name: PaddedText::new(name).unwrap_or_default(),
            node_index,
            values: values.map(F32),
            status: 3,
            ..ActivationHead::default()
        };
        SaveMember::Activation(Activation {
            head,
            node_states: states,
        })
    };
    let mut places = [0.0; 9];
    places[3..].fill_with(|| random.unit() * 100.0);
    let stale: [f32; 9] = std::array::from_fn(|_| f32::from_bits(random.bits() as u32));
    let states = vec![Bytes(random.bytes()), Bytes(random.bytes())];
    let header = SaveMember::Header(SaveHeader {
        version: 8,
        format: 2,
    });
    let members = [
        (HEADER_NAME, header),
        (
            "door_open",
            activation(ActivationKind::Plain, "door_open", 7, [0.0; 9], states),
        ),
        (
            "flare_01",
            activation(ActivationKind::Positioned, "flare_01", -1, places, vec![]),
        ),
        (
            "flare_01",
            activation(ActivationKind::Stale, "flare_01", 19_999, stale, vec![]),
        ),
        (
            "Section/Token",
            SaveMember::Unknown(random.bytes::<24>().to_vec().into()),
        ),
    ];
    let mut pack = Pack::new("save");
    for (name, member) in members {
        pack.add(name, save::encode(&member)?)?;
    }
    pack.finish()
}

/// A message library of a language: keys, ids and texts.
pub fn messages(
    flavor: Flavor,
    lead: Lead,
    language_id: u16,
    entries: &[(Option<&str>, u32, Option<&str>)],
) -> Outcome<Vec<u8>> {
    let export = match flavor {
        Flavor::MessageTable => "ZLocGetID",
        Flavor::StringTable => "ZLocGetStringID",
    };
    Ok(write(&MessageImage {
        flavor,
        lead,
        export_name: Some(export.to_owned()),
        language: Language {
            language_id,
            code_page: 1252,
            entries: entries
                .iter()
                .map(|&(key, id, value)| Message {
                    key: key.map(str::to_owned),
                    id,
                    value: value.map(str::to_owned),
                    raw: None,
                })
                .collect(),
        },
    })?)
}
