//! The installs, file by file; EverQuest has its own module.

use relicast::asset::Game;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::messages::write::{Flavor, Lead};

use crate::Outcome;
use crate::animation::{self, Holding};
use crate::data::{
    self, CHASSIS, CONTROLS, MECH_CHASSIS, MECH_MISSION, MECH_SOUNDS, MISSION, RECOIL_MISSION,
    RECOIL_WEATHER, SKIES_CAMERAS, SKIES_MISSION, SKIES_MULTIPLAYER, SKIES_SOUNDS, SKIES_WORLD,
    SOUNDS, VEHICLES,
};
use crate::pack::Pack;
use crate::pictures::{
    hardware, interface, interface_with_font, mech_hardware, mech_sharing, sharing, skies, software,
};
use crate::random::Random;
use crate::sounds::{adpcm_sounds, patch_notice, pcm_sounds, tip};
use crate::tone::Coding;
use crate::video::movie;
use crate::{SampleFile, everquest, motion, recoil_save, skies as sky, world};

/// Games with a sample.
pub const GAMES: [Game; 5] = [Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq];

/// Short name of a game, for folders and golden files.
pub fn folder(game: Game) -> &'static str {
    match game {
        Game::Rc => "rc",
        Game::Mw => "mw",
        Game::Pm => "pm",
        Game::Cs => "cs",
        Game::Eq => "eq",
    }
}

/// The files of a sample install; `scale` multiplies the numbered sounds, textures and readers.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files(game: Game, scale: u32) -> Outcome<Vec<SampleFile>> {
    match game {
        Game::Rc => recoil(scale),
        Game::Mw => mechwarrior(scale),
        Game::Pm => pirates_moon(scale),
        Game::Cs => crimson_skies(scale),
        Game::Eq => everquest::files(scale),
    }
}

/// Builder of an install.
#[derive(Default)]
struct Install(Vec<SampleFile>);

impl Install {
    fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.0.push(SampleFile {
            path: path.to_owned(),
            bytes: bytes.into(),
        });
    }

    /// Adds files that are in every install and are not converted.
    fn add_strangers(&mut self, program: &str) {
        let mut stub = b"MZ".to_vec();
        stub.resize(64, 0);
        self.add(program, stub);
        self.add(
            "README.TXT",
            "A sample install. Nothing here is from a game.\r\n",
        );
        self.add("Sample.ttf", [0, 1, 0, 0, 0, 0]);
    }
}

fn readers(mut pack: Pack, more: &[(&str, &'static str)], scale: u32) -> Outcome<Vec<u8>> {
    for (name, source_text) in more {
        pack.add(name, data::reader(source_text)?)?;
    }
    pack.add("mission.zrd", data::reader(MISSION)?)?;
    pack.add("extremes.zrd", data::extremes()?)?;
    pack.add("empty.zrd", data::reader("()")?)?;
    pack.add("mission.zrd", data::reader("(MISSION \"later copy\")")?)?;
    pack.add("con.zrd", data::reader("(RESERVED 1)")?)?;
    pack.add("side panel.zrd", data::reader("(WIDTH 0.25 HEIGHT 1.)")?)?;
    for number in 1..=3 * scale {
        let name = format!("unit_{number:02}");
        pack.add(&format!("{name}.zrd"), data::unit(&name)?)?;
    }
    pack.finish()
}

fn small_readers(pack: Pack, name: &str) -> Outcome<Vec<u8>> {
    let mut pack = pack;
    pack.add("place.zrd", data::reader(&format!("(PLACE {name})"))?)?;
    pack.add(&format!("{name}.zrd"), data::unit(name)?)?;
    pack.finish()
}

/// Animations that start with a mission.
const STARTS: (&str, &str) = (
    "StartAnims.zrd",
    "(NEW_GAME_START (dawn_breaks) LOAD_GAME_START (roof_opens))",
);

/// Readers of a mission with placements.
fn mission_readers(mut pack: Pack, name: &str) -> Outcome<Vec<u8>> {
    pack.add(STARTS.0, data::reader(STARTS.1)?)?;
    for (name, source_text) in VEHICLES {
        pack.add(name, data::reader(source_text)?)?;
    }
    small_readers(pack, name)
}

/// Small readers, and some more before them.
fn more_readers(mut pack: Pack, more: &[(&str, &str)], name: &str) -> Outcome<Vec<u8>> {
    for (name, source_text) in more {
        pack.add(name, data::reader(source_text)?)?;
    }
    small_readers(pack, name)
}

fn motions(mut pack: Pack, scale: u32) -> Outcome<Vec<u8>> {
    pack.add("wanderer_walk", motion::file("walk", 24, &motion::PARTS)?)?;
    pack.add("wanderer_run", motion::file("run", 16, &motion::PARTS)?)?;
    pack.add(
        "wanderer_stand",
        motion::file("stand", 1, &motion::PARTS[..2])?,
    )?;
    // Motions of one 'mech that another one uses.
    for (name, frames) in [("madcat_stand", 1), ("madcat_walk", 20)] {
        pack.add(name, motion::file(name, frames, &motion::PARTS)?)?;
    }
    for number in 1..=scale {
        let name = format!("strider_{number:02}_turn");
        pack.add(&name, motion::file(&name, 12, &motion::PARTS)?)?;
    }
    pack.finish()
}

type Messages = [(Option<&'static str>, u32, Option<&'static str>)];

const ENGLISH: &Messages = &[
    (
        Some("MSG_OBJECTIVE_RIDGE"),
        10,
        Some("Reach the ridge before dawn."),
    ),
    (
        Some("MSG_OBJECTIVE_CONVOY"),
        11,
        Some("Guard the convoy.\r\nLosses: %1!d!"),
    ),
    (Some("MSG_EMPTY"), 12, Some("")),
    (
        Some("MSG_RIDGE_AGAIN"),
        10,
        Some("Reach the ridge before dawn."),
    ),
    (
        Some("MSG_QUOTES"),
        400,
        Some("\u{201C}Ready?\u{201D} \u{2013} 5 \u{20AC}"),
    ),
];

const GERMAN: &Messages = &[
    (
        Some("MSG_OBJECTIVE_RIDGE"),
        10,
        Some("Erreichen Sie den H\u{F6}henzug."),
    ),
    (
        Some("MSG_OBJECTIVE_CONVOY"),
        11,
        Some("Sch\u{FC}tzen Sie den Konvoi.\r\nVerluste: %1!d!"),
    ),
    // A key without a text.
    (Some("MSG_LOST"), 13, None),
    (Some("MSG_EMPTY"), 12, Some("")),
    (
        Some("MSG_QUOTES"),
        400,
        Some("\u{201E}Gr\u{F6}\u{DF}e\u{201C} \u{2013} 5 \u{20AC}"),
    ),
];

/// Names of skins in the language of [`GERMAN`].
const GERMAN_SKINS: &Messages = &[
    (Some("MSG_SKIN_PRIMARY"), 500, Some("Standard")),
    (Some("MSG_SKIN_VARIANTB"), 501, Some("K\u{FC}stenblau")),
    (Some("MSG_SKIN_VARIANTC"), 502, Some("Rost")),
];

/// Names of skins in the language of [`ENGLISH`], not all of them.
const ENGLISH_SKINS: &Messages = &[
    (Some("MSG_SKIN_PRIMARY"), 500, Some("Primary")),
    (Some("MSG_SKIN_VARIANTB"), 501, Some("Harbour blue")),
];

const STRINGS: &Messages = &[
    (Some("MSG_LATER"), 17_151, Some("Later \u{2708}")),
    (Some("MSG_OBJECTIVE_RIDGE"), 96, Some("Fly over the ridge.")),
    (
        Some("MSG_OBJECTIVE_CONVOY"),
        97,
        Some("Escort the airship.\r\nGood luck!"),
    ),
    (None, 98, Some("A text that no key leads to.")),
];

fn recoil(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut install = Install::default();
    install.add_strangers("Recoil.exe");
    let dll = data::messages(Flavor::MessageTable, Lead::Long, 1033, ENGLISH)?;
    install.add("messages.dll", dll);
    install.add("video/intro_01.avi", movie(20, None)?);
    install.add("SavedGames/ridge at dawn", recoil_save::save_game()?);
    install.add("maps/m1.zmap", data::map("m1")?);
    install.add("maps/m2.zmap", data::map("m2")?);
    // Multiplayer maps are copies.
    install.add("maps/m7.zmap", data::map("m1")?);
    install.add("zbd/image.zbd", interface(true)?);
    install.add(
        "zbd/interp.zbd",
        data::scripts(
            &["SET title Sample", "LOAD zbd\\image.zbd"],
            Some("data\\m1\\m1_zbd.gs"),
        )?,
    );
    install.add(
        "zbd/soundsl.zbd",
        pcm_sounds(Pack::new("soundsl"), 11_025, false, scale)?,
    );
    install.add(
        "zbd/soundsm.zbd",
        pcm_sounds(Pack::new("soundsm"), 22_050, false, scale)?,
    );
    install.add(
        "zbd/soundsh.zbd",
        pcm_sounds(Pack::new("soundsh"), 22_050, true, scale)?,
    );
    let reader = readers(Pack::new("zrdr"), &[RECOIL_WEATHER, SOUNDS], scale)?;
    install.add("zbd/zrdr.zbd", reader);
    let mut mission = Pack::new("zrdr");
    for (name, source_text) in RECOIL_MISSION {
        mission.add(name, data::reader(source_text)?)?;
    }
    install.add("zbd/m1/zrdr.zbd", mission_readers(mission, "m1")?);
    install.add("zbd/m1/texture8.zbd", sharing(64)?);
    install.add("zbd/m1/rtexture4.zbd", hardware(64, &[1, 2, 3], scale)?);
    install.add("zbd/m1/gamez.zbd", world::world(ZipperGame::Recoil)?);
    let animations = animation::encoded(ZipperGame::Recoil, Holding::All)?;
    install.add("zbd/m1/anim.zbd", animations);
    install.add("zbd/m2/zrdr.zbd", small_readers(Pack::new("zrdr"), "m2")?);
    Ok(install.0)
}

fn mechwarrior(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut install = Install::default();
    install.add_strangers("Mech3.exe");
    let dll = data::messages(
        Flavor::MessageTable,
        Lead::Short,
        1031,
        &[GERMAN, GERMAN_SKINS].concat(),
    )?;
    install.add("Mech3Msg.dll", dll);
    install.add("DefaultCtlConfig.zrd", CONTROLS);
    install.add("force_eff.ifr", b"RIFF\x04\0\0\0FORC".to_vec());
    install.add("pilots/games/Sample 1.mw3", data::save_game()?);
    install.add("video/Campaign.avi", movie(30, Some(Coding::Pcm8))?);
    install.add("video/intro.avi", movie(20, Some(Coding::Pcm16))?);
    install.add("zbd/bb_patch_notice.wav", patch_notice()?);
    install.add("zbd/c3_tip.wav", tip()?);
    install.add(
        "zbd/interp.zbd",
        data::scripts(
            &["SET title Sample", "LOAD zbd\\rimage.zbd 1"],
            Some("data\\c1\\c1_zbd.gs"),
        )?,
    );
    install.add("zbd/mechlib.zbd", world::mechs(ZipperGame::MechWarrior3)?);
    install.add("zbd/motion.zbd", motions(Pack::new("motion"), scale)?);
    let reader = readers(
        Pack::new("reader"),
        &[&CHASSIS[..], &[MECH_CHASSIS, MECH_SOUNDS]].concat(),
        scale,
    )?;
    install.add("zbd/reader.zbd", reader);
    install.add("zbd/rimage.zbd", interface(false)?);
    install.add("zbd/rmechtex.zbd", mech_hardware(32, scale)?);
    install.add(
        "zbd/soundsH.zbd",
        pcm_sounds(Pack::new("soundsH"), 22_050, true, scale)?,
    );
    install.add(
        "zbd/soundsL.zbd",
        pcm_sounds(Pack::new("soundsL"), 11_025, false, scale)?,
    );
    install.add("zbd/unknown.dat", Random::named("unknown").bytes::<100>());
    install.add("zbd/c1/gamez.zbd", world::world(ZipperGame::MechWarrior3)?);
    let animations = animation::encoded(ZipperGame::MechWarrior3, Holding::All)?;
    install.add("zbd/c1/anim.zbd", animations);
    install.add("zbd/c1/reader.zbd", small_readers(Pack::new("c1"), "c1")?);
    install.add(
        "zbd/c1/readerm1.zbd",
        more_readers(
            Pack::new("c1"),
            &[&[STARTS], &MECH_MISSION[..]].concat(),
            "m1",
        )?,
    );
    install.add("zbd/c1/rtexture3.zbd", hardware(128, &[1, 2, 3], scale)?);
    install.add("zbd/c1/texture.zbd", software(64, scale)?);
    install.add("zbd/t1/readerm1.zbd", small_readers(Pack::new("t1"), "t1")?);
    Ok(install.0)
}

fn pirates_moon(scale: u32) -> Outcome<Vec<SampleFile>> {
    let readers_of = |folder| Pack::new(folder).version_two().checksummed();
    let sounds_of = |folder| Pack::new(folder).version_two();
    let mut install = Install::default();
    install.add_strangers("Mech3.exe");
    let texts = [ENGLISH, ENGLISH_SKINS].concat();
    let dll = data::messages(Flavor::MessageTable, Lead::Short, 1033, &texts)?;
    install.add("Mech3Msg.dll", dll);
    install.add(
        "zbd/interp.zbd",
        data::scripts(
            &["SET title Moon", "LOAD zbd\\rimage.zbd 1"],
            Some("data\\c1\\c1_zbd.gs"),
        )?,
    );
    install.add("zbd/mechlib.zbd", world::mechs(ZipperGame::PiratesMoon)?);
    install.add(
        "zbd/motion.zbd",
        motions(Pack::new("motion").version_two().unit_lengths(), scale)?,
    );
    let reader = readers(
        readers_of("reader"),
        &[&CHASSIS[..], &[SOUNDS]].concat(),
        scale,
    )?;
    install.add("zbd/reader.zbd", reader);
    install.add("zbd/rimage.zbd", interface(false)?);
    install.add("zbd/rmechtex.zbd", mech_sharing(32)?);
    install.add(
        "zbd/soundsH.zbd",
        pcm_sounds(sounds_of("soundsH"), 22_050, true, scale)?,
    );
    install.add(
        "zbd/soundsL.zbd",
        pcm_sounds(sounds_of("soundsL"), 11_025, false, scale)?,
    );
    install.add("zbd/c1/gamez.zbd", world::world(ZipperGame::PiratesMoon)?);
    let animations = animation::encoded(ZipperGame::PiratesMoon, Holding::All)?;
    install.add("zbd/c1/anim.zbd", animations);
    install.add("zbd/c1/reader.zbd", small_readers(readers_of("c1"), "c1")?);
    install.add(
        "zbd/c1/readerm1.zbd",
        more_readers(readers_of("c1"), &[STARTS], "m1")?,
    );
    install.add("zbd/c1/rtexture3.zbd", hardware(64, &[0, 3], scale)?);
    install.add("zbd/c1/texture.zbd", sharing(64)?);
    // One member only: such a footer also resembles that of the older games.
    let mut single = readers_of("c2");
    single.add("place.zrd", data::reader("(PLACE c2)")?)?;
    install.add("zbd/c2/readerm1.zbd", single.finish()?);
    Ok(install.0)
}

/// Patterns of aircraft.
const USERS: (&str, &str) = (
    "vehicle.zrd",
    "(VEHICLES ((devastator (paint_pattern player_fortune)) (finch (paint_pattern blckswan \
     paint_color1 (0 0 0) paint_color2 (48 47 39) paint_color3 (196 193 186) \
     paint_decal1 21 paint_decal2 7 nodename player_finch)) (wingman (nodename heron)) \
     (pfinch (kind_of finch)) (blakepeace_2 (kind_of pfinch))))",
);

fn crimson_skies(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut install = Install::default();
    install.add_strangers("crimson.exe");
    let dll = data::messages(Flavor::StringTable, Lead::Long, 1033, STRINGS)?;
    install.add("strings.dll", dll);
    install.add(
        "ZBD/interp.zbd",
        data::skies_scripts(&["SET title Sky", "LOAD zbd\\rimage.zbd 1"])?,
    );
    install.add("ZBD/planes.zbd", world::aircraft()?);
    install.add("ZBD/rimage.zbd", interface_with_font()?);
    install.add("ZBD/soundsh.zbd", adpcm_sounds(true, scale)?);
    install.add("ZBD/soundsl.zbd", adpcm_sounds(false, scale)?);
    install.add("GOSDATA/ASSETS/crimson.rof", sky::resources()?);
    install.add("GOSDATA/ASSETS/crimptch.rof", sky::patch()?);
    install.add("SavedGames/Sample/Status.dat", sky::status()?);
    install.add("SavedGames/Sample/Mission.102", sky::mission()?);
    install.add("Planes/Green Test", sky::plane()?);
    let reader = readers(
        Pack::new("zrdr"),
        &[USERS, SKIES_SOUNDS, SKIES_CAMERAS],
        scale,
    )?;
    install.add("ZBD/zrdr.zbd", reader);
    install.add("ZBD/C1/gamez.zbd", world::world(ZipperGame::CrimsonSkies)?);
    for (path, holding) in [
        ("ZBD/C1/cam_anim.zbd", Holding::Group),
        ("ZBD/C1/M01/mis_anim.zbd", Holding::Mission),
    ] {
        let animations = animation::encoded(ZipperGame::CrimsonSkies, holding)?;
        install.add(path, animations);
    }
    install.add("ZBD/C1/texture.zbd", skies(64, scale)?);
    install.add("ZBD/C1/rtexture2.zbd", hardware(32, &[0, 4, 7, 8], scale)?);
    install.add(
        "ZBD/C1/rtexture12.zbd",
        hardware(64, &[0, 1, 2, 3, 4, 7, 8], scale)?,
    );
    install.add(
        "ZBD/C1/zrdr.zbd",
        more_readers(Pack::new("zrdr"), &SKIES_WORLD, "c1")?,
    );
    install.add(
        "ZBD/C1/MP1/zrdr.zbd",
        more_readers(Pack::new("zrdr"), &[SKIES_MULTIPLAYER], "mp1")?,
    );
    install.add(
        "ZBD/C1/M01/zrdr.zbd",
        more_readers(
            Pack::new("zrdr"),
            &[&SKIES_MISSION[..], &[STARTS]].concat(),
            "m01",
        )?,
    );
    Ok(install.0)
}
