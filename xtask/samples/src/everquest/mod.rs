//! A small EverQuest install: a zone called `dell`, its objects and creatures, items, and the files that all
//! zones share. Everything is invented.
//!
//! - `zone`: ground, water, the way to another zone, lights, placements, sounds.
//! - `objects`: objects of the zone: still, waving, turning, with joints.
//! - `creatures`: a model with sets of its own, skins and a second head, and one that borrows.
//! - `sky`: a dome, clouds and a sun.
//! - [`tables`]: spells, text lists, maps, skies.
//! - [`music`]: songs, and a font to play them with.
//! - `items`: a blade with joints and sparks, a shield, a coin that faces the camera.
//! - [`eqg`]: a mill and a fen in the EQG format, with a zone each.
//! - `sheet`, `solid`, `pictures`: builders of scenes, shapes and pictures.

mod creatures;
mod items;
pub mod music;
mod objects;
mod pictures;
mod sheet;
mod sky;
mod solid;
pub mod tables;
mod zone;

use relicast::formats::everquest::pfs::{self, Footer};

use super::SampleFile;
use crate::Outcome;
use crate::minimal::eqg;

/// Packing date of the archives, in seconds since 1970.
const PACKED: u32 = 920_246_400;

/// A member of an archive.
type Member = (String, Vec<u8>);

fn archive(name: &str, members: &[Member]) -> Outcome<SampleFile> {
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let packed = pfs::pack(&members, Some(Footer::new(PACKED)), 6)?;
    Ok(SampleFile {
        path: name.to_owned(),
        bytes: pfs::encode(&packed)?,
    })
}

/// An archive of the EQG format, which has no footer.
fn eqg_archive(name: &str, members: &[eqg::Member]) -> Outcome<SampleFile> {
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (*name, bytes.as_slice()))
        .collect();
    let packed = pfs::pack(&members, None, 6)?;
    Ok(SampleFile {
        path: name.to_owned(),
        bytes: pfs::encode(&packed)?,
    })
}

fn loose(name: &str, bytes: impl Into<Vec<u8>>) -> SampleFile {
    SampleFile {
        path: name.to_owned(),
        bytes: bytes.into(),
    }
}

/// A second of silent MPEG layer III: 128 kbit/s, 44.1 kHz, after an empty tag.
fn silence() -> Vec<u8> {
    let mut bytes = b"ID3\x03\0\0\0\0\0\0".to_vec();
    for _ in 0..38 {
        bytes.extend([0xff, 0xfb, 0x90, 0]);
        bytes.extend([0; 413]);
    }
    bytes
}

/// A picture as stored in archives.
///
/// # Errors
/// The errors of [`files`].
pub fn picture() -> Outcome<Vec<u8>> {
    let first = pictures::ground()?.into_iter().next();
    first
        .map(|(_, bytes)| bytes)
        .ok_or_else(|| "no picture".into())
}

/// The files of the install. `scale` multiplies the cells of the ground along each side.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files(scale: u32) -> Outcome<Vec<SampleFile>> {
    let mut files = vec![
        loose("eqgame.exe", [&b"MZ"[..], &[0; 62]].concat()),
        loose(
            "README.TXT",
            "A sample install. Nothing here is from a game.\r\n",
        ),
        archive("dell.s3d", &zone::members(scale)?)?,
        archive("dell_obj.s3d", &objects::members()?)?,
        archive("dell_chr.s3d", &creatures::members()?)?,
        archive("global_chr.s3d", &creatures::shared_members()?)?,
        archive("gequip.s3d", &items::members()?)?,
        archive("sky.s3d", &sky::members()?)?,
        archive("snd1.pfs", &zone::sounds()?)?,
        eqg_archive("mill.eqg", &eqg::mill())?,
        loose("mill.zon", eqg::loose_zone()),
        loose("mill_EnvironmentEmitters.txt", eqg::ENVIRONMENT_EMITTERS),
        loose("stars1.dds", eqg::STARS),
        eqg_archive("fen.eqg", &eqg::fen())?,
        loose("ActorEmittersNew.edd", eqg::emitters()),
        loose(
            "dell_EnvironmentEmitters.txt",
            "Name^EmitterDefIdx^X^Y^Z^AlwaysVisible^Lifespan\r\nembers^1^20^12^1.5^0^90000000\r\n",
        ),
        loose("dell_sounds.eff", zone::emitters()?),
        loose("dell_sndbnk.eff", zone::SOUND_BANK),
        loose("dell.emt", zone::TEXT_EMITTERS),
        loose("dell.xmi", music::songs()?),
        loose("sample.sf2", music::font()?),
        loose("dusk.mp3", silence()),
        loose("mp3index.txt", "dusk.mp3\r\nlost.mp3\r\n"),
        loose("spdat.eff", tables::spells(4)?),
        loose("spells.eff", tables::spell_sprites()?),
        loose("spellsnew.eff", tables::spell_stages(0)?),
        loose("spellsnew.edd", eqg::emitters()),
    ];
    let texts = tables::LISTS.iter().chain(&tables::MAPS);
    files.extend(texts.map(|&(path, bytes)| loose(path, bytes)));
    Ok(files)
}
