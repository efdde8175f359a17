//! The four installs, file by file.

use relicast::formats::codec::Blob;
use relicast::formats::riff;
use relicast::formats::zipper::messages::write::{Flavour, Lead};
use relicast::source::install::Game;

use super::data::{self, CONTROLS, MISSION};
use super::pack::Pack;
use super::picture::{Picture, distance};
use super::random::Random;
use super::texture::{self, Shared, Texture};
use super::tone::{self, Coding, Tone};
use super::{SampleFile, motion};
use crate::Outcome;

/// Games that a sample exists of.
pub const GAMES: [Game; 4] = [Game::Rc, Game::Mw, Game::Pm, Game::Cs];

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
/// There is no sample of the game, or a value does not fit its format (a fault of this program).
pub fn files(game: Game, scale: u32) -> Outcome<Vec<SampleFile>> {
    match game {
        Game::Rc => recoil(scale),
        Game::Mw => mechwarrior(scale),
        Game::Pm => pirates_moon(scale),
        Game::Cs => crimson_skies(scale),
        Game::Eq => Err(format!("there is no sample of {game} yet").into()),
    }
}

/// The files of an install in the making.
#[derive(Default)]
struct Install(Vec<SampleFile>);

impl Install {
    fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.0.push(SampleFile {
            path: path.to_owned(),
            bytes: bytes.into(),
        });
    }

    /// Files that lie in every install and are not converted.
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

const CHORD: &[u32] = &[262, 330, 392, 523];
const FALL: &[u32] = &[880, 660, 440];
const BLIP: &[u32] = &[1320, 1760];

const fn tone(
    coding: Coding,
    channels: u16,
    rate: u32,
    notes: &'static [u32],
    note_length: u32,
) -> Tone {
    Tone {
        coding,
        channels,
        rate,
        notes,
        note_length,
    }
}

/// A sound archive of plain samples at `rate`, 16-bit where `words`; the names and cue points are
/// those of every tier.
fn pcm_sounds(mut pack: Pack, rate: u32, words: bool, scale: u32) -> Outcome<Vec<u8>> {
    let coding = if words { Coding::Pcm16 } else { Coding::Pcm8 };
    let briefing = tone(coding, 1, rate, CHORD, 150);
    let third = briefing.frames() as u32 / 3;
    // Archives of low quality were resampled without moving their cue points.
    let factor = if words { 1 } else { 2 };
    pack.add(
        "m1_briefing.wav",
        briefing.file(vec![
            tone::cues(&[0, third, third * 2], factor)?,
            tone::labels(&["dawn", "ridge", "convoy"])?,
        ])?,
    )?;
    pack.add(
        "engine_loop.wav",
        tone(coding, 1, rate, &[110], 200).file(vec![tone::sampler(rate, 64, 1023)?])?,
    )?;
    pack.add(
        "Fanfare.WAV",
        tone(coding, 2, rate, CHORD, 90).file(vec![tone::title("Sample fanfare")?])?,
    )?;
    pack.add("blip.wav", tone(coding, 1, rate, BLIP, 33).file(vec![])?)?;
    // The same name again with other content, a name that Windows reserves, one with blanks.
    pack.add("blip.wav", tone(coding, 1, rate, FALL, 33).file(vec![])?)?;
    pack.add("aux.wav", tone(coding, 1, rate, &[220], 40).file(vec![])?)?;
    pack.add(
        "two words & more.wav",
        tone(coding, 1, rate, &[247], 40).file(vec![])?,
    )?;
    for number in 1..=4 * scale {
        let mut wave = tone(coding, 1, rate, &[], 0).wave(vec![])?;
        let frames = rate as usize / 8;
        let samples = tone::burst(&mut Random::new(u64::from(number)), frames);
        let bytes = match words {
            true => tone::words(&samples),
            false => samples.iter().map(|&s| ((s >> 8) + 128) as u8).collect(),
        };
        wave = riff::Wave::new(&wave.format()?, vec![], Blob::from(bytes)).ok_or("too long")?;
        pack.add(&format!("blast{number:02}.wav"), riff::encode(&wave)?)?;
    }
    pack.finish()
}

const MOSS: [u8; 3] = [66, 94, 48];
const SAND: [u8; 3] = [214, 184, 120];
const STEEL: [u8; 3] = [112, 124, 140];
const WHITE: [u8; 3] = [255, 255, 255];
const BLACK: [u8; 3] = [0, 0, 0];

fn sky(size: u16) -> Picture {
    let corners = [
        [30, 60, 150],
        [40, 80, 180],
        [240, 190, 150],
        [250, 210, 170],
    ];
    Picture::gradient(size, size, corners).label("SKY", size / 32, WHITE)
}

fn ground(size: u16) -> Picture {
    let corners = [MOSS, SAND, [120, 100, 60], MOSS];
    Picture::gradient(size, size, corners).label("GND", size / 32, WHITE)
}

fn wall(size: u16) -> Picture {
    Picture::bricks(size, size, [170, 84, 60], [200, 196, 180]).label("A1", 2, WHITE)
}

fn panel(size: u16) -> Picture {
    Picture::checker(size, size, 8, [STEEL, [92, 102, 118]])
        .frame(2, [40, 44, 52])
        .label("B2", 2, [255, 220, 40])
}

/// A fence: bars in front of nothing, nothing being black.
fn fence(width: u16, height: u16) -> Picture {
    Picture::paint(width, height, |x, y| match (x % 8, y % 16) {
        (0..=1, _) | (_, 0..=1) => [150, 150, 160],
        _ => BLACK,
    })
}

fn flame(size: u16) -> Picture {
    Picture::paint(size, size, |x, y| {
        let level = (255 - distance(x, y, size, size)).clamp(0, 255) as u8;
        [level, level / 2 + level / 4, level / 4]
    })
}

fn glow(size: u16) -> impl Fn(u16, u16) -> u8 {
    move |x, y| (255 - distance(x, y, size, size)).clamp(0, 255) as u8
}

fn numbered(number: u32, size: u16) -> Picture {
    let mut random = Random::new(u64::from(number));
    let mut colour = || -> [u8; 3] { random.bytes::<3>().map(|byte| byte / 2 + 32) };
    let corners = [colour(), colour(), colour(), colour()];
    Picture::gradient(size, size, corners)
        .frame(1, WHITE)
        .label(&format!("{number:03}"), size / 20, WHITE)
}

/// Textures of the hardware renderer: colour words, every kind of alpha, every edge mode.
fn hardware(size: u16, modes: &[u16], scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = vec![
        Texture::direct("sky", &sky(size)),
        Texture::direct("ground", &ground(size)).leaked(),
        Texture::keyed("fence", &fence(size, size / 2)),
        Texture::direct("flame", &flame(size)).blended(glow(size)),
        Texture::direct("odd_size", &wall(size / 2 + 5)),
    ];
    for &mode in modes {
        let picture = panel(32).label("", 2, WHITE);
        let labelled = picture.label(&format!("  {mode}"), 2, WHITE);
        textures.push(Texture::direct(&format!("edge{mode}"), &labelled).edges(mode));
    }
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::direct(&format!("tile_{number:03}"), &picture));
    }
    texture::file(&[], textures)
}

/// Textures of the software renderer: palettes of their own.
fn software(size: u16, scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = vec![
        Texture::indexed("sky", &sky(size)),
        Texture::indexed("ground", &ground(size)),
        Texture::indexed("wall", &wall(size)).edges(3),
        Texture::indexed("one_colour", &Picture::checker(8, 8, 8, [SAND, SAND])),
        Texture::indexed("flame", &flame(size)).blended(glow(size)),
    ];
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::indexed(&format!("tile_{number:03}"), &picture));
    }
    texture::file(&[], textures)
}

/// Textures that share palettes, some with planes, beside one with its own.
fn sharing(size: u16) -> Outcome<Vec<u8>> {
    texture::file(
        &[Shared::Cube, Shared::Heat],
        vec![
            Texture::shared("sky", &sky(size), 0, Shared::Cube),
            Texture::shared("ground", &ground(size), 0, Shared::Cube).edges(1),
            Texture::shared("flame", &flame(size), 1, Shared::Heat).blended(glow(size)),
            Texture::shared("heat", &flame(size), 1, Shared::Heat).leaked(),
            Texture::indexed("panel", &panel(size)).edges(2),
            Texture::direct("sign", &wall(32).label("  N", 2, BLACK)),
        ],
    )
}

/// Pictures of the interface.
fn interface(cursor_twice: bool) -> Outcome<Vec<u8>> {
    let cursor = Picture::paint(16, 16, |x, y| match x < 12 && y >= x && y < 14 {
        true => WHITE,
        false => BLACK,
    });
    let mut textures = vec![
        Texture::direct(
            "title",
            &Picture::gradient(160, 120, [STEEL, WHITE, BLACK, SAND]).label("RELICAST", 4, WHITE),
        ),
        Texture::keyed("cursor", &cursor),
        Texture::direct("a_name_of_thirty_one_characters", &panel(24)),
    ];
    if cursor_twice {
        textures.push(Texture::keyed("cursor", &fence(16, 16)));
        textures.push(Texture::direct("CURSOR", &panel(16)));
    }
    texture::file(&[], textures)
}

fn readers(mut pack: Pack, scale: u32) -> Outcome<Vec<u8>> {
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

fn motions(mut pack: Pack, scale: u32) -> Outcome<Vec<u8>> {
    pack.add("wanderer_walk", motion::file("walk", 24, &motion::PARTS)?)?;
    pack.add("wanderer_run", motion::file("run", 16, &motion::PARTS)?)?;
    pack.add(
        "wanderer_stand",
        motion::file("stand", 1, &motion::PARTS[..2])?,
    )?;
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
    // A key that no text belongs to.
    (Some("MSG_LOST"), 13, None),
    (Some("MSG_EMPTY"), 12, Some("")),
    (
        Some("MSG_QUOTES"),
        400,
        Some("\u{201E}Gr\u{F6}\u{DF}e\u{201C} \u{2013} 5 \u{20AC}"),
    ),
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
    let dll = data::messages(Flavour::MessageTable, Lead::Long, 1033, ENGLISH)?;
    install.add("messages.dll", dll);
    install.add("maps/m1.zmap", data::map("m1")?);
    install.add("maps/m2.zmap", data::map("m2")?);
    // Maps of several players are copies.
    install.add("maps/m7.zmap", data::map("m1")?);
    install.add("zbd/image.zbd", interface(true)?);
    install.add(
        "zbd/interp.zbd",
        data::scripts(&["SET title Sample", "LOAD zbd\\image.zbd"])?,
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
    install.add("zbd/zrdr.zbd", readers(Pack::new("zrdr"), scale)?);
    install.add("zbd/m1/zrdr.zbd", small_readers(Pack::new("zrdr"), "m1")?);
    install.add("zbd/m1/texture8.zbd", sharing(64)?);
    install.add("zbd/m1/rtexture4.zbd", hardware(64, &[1, 2, 3], scale)?);
    install.add("zbd/m2/zrdr.zbd", small_readers(Pack::new("zrdr"), "m2")?);
    Ok(install.0)
}

/// The last of a patch: a loose sound whose header promises more than there is.
fn patch_notice() -> Outcome<Vec<u8>> {
    let mut wave = tone(Coding::Pcm8, 1, 22_050, FALL, 80).wave(vec![])?;
    wave.riff_size += 4;
    Ok(riff::encode(&wave)?)
}

fn mechwarrior(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut install = Install::default();
    install.add_strangers("Mech3.exe");
    let dll = data::messages(Flavour::MessageTable, Lead::Short, 1031, GERMAN)?;
    install.add("Mech3Msg.dll", dll);
    install.add("DefaultCtlConfig.zrd", CONTROLS);
    install.add("force_eff.ifr", b"RIFF\x04\0\0\0FORC".to_vec());
    install.add("pilots/games/Sample 1.mw3", data::save_game()?);
    install.add("zbd/bb_patch_notice.wav", patch_notice()?);
    install.add(
        "zbd/c3_tip.wav",
        tone(Coding::Pcm16, 2, 44_100, CHORD, 60).file(vec![tone::cues(&[441], 1)?])?,
    );
    install.add(
        "zbd/interp.zbd",
        data::scripts(&["SET title Sample", "LOAD zbd\\rimage.zbd 1"])?,
    );
    install.add("zbd/motion.zbd", motions(Pack::new("motion"), scale)?);
    install.add("zbd/reader.zbd", readers(Pack::new("reader"), scale)?);
    install.add("zbd/rimage.zbd", interface(false)?);
    install.add("zbd/rmechtex.zbd", hardware(32, &[], scale)?);
    install.add(
        "zbd/soundsH.zbd",
        pcm_sounds(Pack::new("soundsH"), 22_050, true, scale)?,
    );
    install.add(
        "zbd/soundsL.zbd",
        pcm_sounds(Pack::new("soundsL"), 11_025, false, scale)?,
    );
    install.add("zbd/unknown.dat", Random::named("unknown").bytes::<100>());
    install.add("zbd/c1/reader.zbd", small_readers(Pack::new("c1"), "c1")?);
    install.add("zbd/c1/readerm1.zbd", small_readers(Pack::new("c1"), "m1")?);
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
    let dll = data::messages(Flavour::MessageTable, Lead::Short, 1033, ENGLISH)?;
    install.add("Mech3Msg.dll", dll);
    install.add(
        "zbd/interp.zbd",
        data::scripts(&["SET title Moon", "LOAD zbd\\rimage.zbd 1"])?,
    );
    install.add(
        "zbd/motion.zbd",
        motions(Pack::new("motion").version_two().unit_lengths(), scale)?,
    );
    install.add("zbd/reader.zbd", readers(readers_of("reader"), scale)?);
    install.add("zbd/rimage.zbd", interface(false)?);
    install.add("zbd/rmechtex.zbd", sharing(32)?);
    install.add(
        "zbd/soundsH.zbd",
        pcm_sounds(sounds_of("soundsH"), 22_050, true, scale)?,
    );
    install.add(
        "zbd/soundsL.zbd",
        pcm_sounds(sounds_of("soundsL"), 11_025, false, scale)?,
    );
    install.add("zbd/c1/reader.zbd", small_readers(readers_of("c1"), "c1")?);
    install.add("zbd/c1/rtexture3.zbd", hardware(64, &[0, 3], scale)?);
    install.add("zbd/c1/texture.zbd", sharing(64)?);
    // One member only: such a footer also looks like that of the older games.
    let mut single = readers_of("c2");
    single.add("place.zrd", data::reader("(PLACE c2)")?)?;
    install.add("zbd/c2/readerm1.zbd", single.finish()?);
    Ok(install.0)
}

/// Crimson Skies' sounds: both codings of ADPCM, mono and stereo, and some plain ones.
fn adpcm_sounds(high: bool, scale: u32) -> Outcome<Vec<u8>> {
    let rate = if high { 22_050 } else { 11_025 };
    let mono = match high {
        true => Coding::Ms(512),
        false => Coding::Ima(256),
    };
    let mut pack = Pack::new(if high { "soundsh" } else { "soundsl" });
    let briefing = tone(mono, 1, rate, CHORD, 150);
    let half = briefing.frames() as u32 / 2;
    let factor = if high { 1 } else { 4 };
    pack.add(
        "m01_briefing.wav",
        briefing.file(vec![tone::cues(&[0, half], factor)?])?,
    )?;
    pack.add(
        "propeller.wav",
        tone(Coding::Ms(256), 1, 11_025, &[98, 104], 120).file(vec![])?,
    )?;
    pack.add(
        "blip.wav",
        tone(Coding::Pcm8, 1, 11_025, BLIP, 33).file(vec![])?,
    )?;
    if high {
        pack.add(
            "radio.wav",
            tone(Coding::Ms(1024), 2, 22_050, CHORD, 120).file(vec![])?,
        )?;
        pack.add(
            "bell.wav",
            tone(Coding::Ms(1024), 1, 44_100, FALL, 70).file(vec![])?,
        )?;
        pack.add(
            "Odd Rate.wav",
            tone(Coding::Ms(512), 2, 9710, FALL, 100).file(vec![])?,
        )?;
        pack.add(
            "title.wav",
            tone(Coding::Pcm16, 2, 22_050, CHORD, 80).file(vec![])?,
        )?;
    }
    for number in 1..=2 * scale {
        let name = format!("gun_{number:02}.wav");
        pack.add(
            &name,
            tone(mono, 1, rate, FALL, 20 + number % 40).file(vec![])?,
        )?;
    }
    pack.finish()
}

/// A world's textures of Crimson Skies, sorted by name as the game wants them.
fn skies(size: u16, scale: u32) -> Outcome<Vec<u8>> {
    let mut textures = vec![
        Texture::keyed_indexed("cutout", &fence(size, size)),
        Texture::indexed("flame", &flame(size))
            .blended(glow(size))
            .leaked(),
        Texture::indexed("ground", &ground(size)),
        Texture::indexed("hangar_door", &panel(size)).edges(8),
        Texture::indexed("sky", &sky(size)),
    ];
    for number in 1..=3 * scale {
        let picture = numbered(number, size);
        textures.push(Texture::indexed(&format!("tile_{number:03}"), &picture));
    }
    texture::file(&[], textures)
}

fn crimson_skies(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut install = Install::default();
    install.add_strangers("crimson.exe");
    let dll = data::messages(Flavour::StringTable, Lead::Long, 1033, STRINGS)?;
    install.add("strings.dll", dll);
    install.add(
        "ZBD/interp.zbd",
        data::scripts(&["SET title Sky", "LOAD zbd\\rimage.zbd 1"])?,
    );
    install.add("ZBD/rimage.zbd", interface(false)?);
    install.add("ZBD/soundsh.zbd", adpcm_sounds(true, scale)?);
    install.add("ZBD/soundsl.zbd", adpcm_sounds(false, scale)?);
    install.add("ZBD/zrdr.zbd", readers(Pack::new("zrdr"), scale)?);
    install.add("ZBD/C1/texture.zbd", skies(64, scale)?);
    install.add("ZBD/C1/rtexture2.zbd", hardware(32, &[0, 4, 7, 8], scale)?);
    install.add(
        "ZBD/C1/rtexture12.zbd",
        hardware(64, &[0, 1, 2, 3, 4, 7, 8], scale)?,
    );
    install.add("ZBD/C1/zrdr.zbd", small_readers(Pack::new("zrdr"), "c1")?);
    install.add(
        "ZBD/C1/M01/zrdr.zbd",
        small_readers(Pack::new("zrdr"), "m01")?,
    );
    Ok(install.0)
}
