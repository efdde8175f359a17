//! Output of `inspect` for single files, and copies of files.

use relicast_testing::test;
use std::fs;

use relicast::asset::Game;
use relicast::formats::codec::Blob;
use relicast::formats::everquest::pfs;
use relicast::formats::riff::{self, Format, Wave};

use crate::cli::{map, text};
use crate::common::{convert, json, relicast, sample_installs};

#[test]
fn a_sound_shows_its_rate_and_length() {
    let folder = tempfile::tempdir().unwrap();
    let samples = vec![0_u8; 22_050 * 2 * 2 / 2];
    let format = Format::pcm(2, 22_050, 16);
    let wave = Wave::new(&format, Vec::new(), Blob::from(samples)).unwrap();
    let path = folder.path().join("a.wav");
    fs::write(&path, riff::encode(&wave).unwrap()).unwrap();
    let run = relicast().arg("inspect").arg(&path).assert().success();
    let said = text(&run.get_output().stdout);
    for line in [
        "coding:     pcm",
        "rate:       22050 Hz",
        "channels:   2",
        "bits:       16",
        "frames:     11025",
        "duration:   0.500 s",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
}

#[test]
fn files_that_are_usable_as_they_are_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("game");
    fs::create_dir(&input).unwrap();
    fs::write(input.join("m1.zmap"), map()).unwrap();
    let loose = ["xml", "cur", "doc", "ini", "txt", "pdf"];
    let music = ["mp3", "ogg", "mid", "dls"];
    for ending in loose.iter().chain(&music) {
        fs::write(input.join(format!("{ending}.{ending}")), "as it is").unwrap();
    }
    for library in ["mss32.dll", "SMACKW32.DLL"] {
        fs::write(input.join(library), b"MZ and so on").unwrap();
    }
    let out = folder.path().join("out");
    convert(&input, &out, &[]).assert().success();
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    for source in sources {
        let path = source["path"].as_str().unwrap();
        let reason = source["reason"]["text"].as_str().unwrap_or_default();
        assert!(!reason.contains("usable"), "{path} is skipped: {reason}");
        if path.to_lowercase().ends_with("dll") {
            assert_eq!(reason, "program code, not game data", "{path}");
        }
    }
    let loose = loose.map(|ending| ("loose", ending));
    let music = music.map(|ending| ("music", ending));
    for (category, ending) in loose.into_iter().chain(music) {
        let copy = out.join(format!("{category}/{ending}.{ending}"));
        assert_eq!(fs::read(&copy).unwrap(), b"as it is", "{}", copy.display());
    }
}

#[test]
fn a_near_miss_suggests_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let members: [(&str, &[u8]); 2] = [("leaf.bmp", b"one"), ("bark.bmp", b"two")];
    let archive = pfs::pack(&members, None, 6).unwrap();
    let path = folder.path().join("a.s3d");
    fs::write(&path, pfs::encode(&archive).unwrap()).unwrap();
    let run = relicast()
        .arg("inspect")
        .arg(&path)
        .args(["--member", "laef.bmp"])
        .assert()
        .code(1);
    let said = text(&run.get_output().stderr);
    assert!(said.contains("did you mean leaf.bmp?"), "{said}");
    let run = relicast()
        .arg("inspect")
        .arg(&path)
        .args(["--member", "zzz"])
        .assert()
        .code(1);
    let said = text(&run.get_output().stderr);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn a_world_shows_its_counts() {
    let samples = sample_installs(&[Game::Mw]);
    let world = samples.path().join("mw/zbd/c1/gamez.zbd");
    let run = relicast().arg("inspect").arg(world).assert().success();
    let said = text(&run.get_output().stdout);
    for what in ["textures:", "materials:", "models:", "polygons:", "nodes:"] {
        let line = said.lines().find(|line| line.starts_with(what));
        let count = line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        assert!(count.is_some_and(|count| count > 0), "{what} {said}");
    }
}

#[test]
fn a_list_of_emitters_shows_how_many_there_are_and_what_they_sound() {
    use relicast::formats::everquest::sound::{bank, eff};
    let samples = sample_installs(&[Game::Eq]);
    let list = samples.path().join("eq/dell_sounds.eff");
    let bytes = fs::read(&list).unwrap();
    let emitters = eff::decode(&bytes).unwrap().value.emitters;
    let names = fs::read(samples.path().join("eq/dell_sndbnk.eff")).unwrap();
    let names = bank::decode(&names).unwrap().value;
    let run = relicast().arg("inspect").arg(&list).assert().success();
    let said = text(&run.get_output().stdout);
    assert!(
        said.contains(&format!("emitters:   {} (", emitters.len())),
        "{said}"
    );
    let sounds = emitters
        .iter()
        .filter(|emitter| emitter.kind != eff::EmitterKind::Music);
    let mut heard = sounds.filter_map(|emitter| names.sound(emitter.sound1));
    let name = heard.next().unwrap();
    assert!(said.contains(&format!("  {name}: ")), "{name}: {said}");
    // Without the neighboring names, their numbers are printed.
    fs::remove_file(samples.path().join("eq/dell_sndbnk.eff")).unwrap();
    let run = relicast().arg("inspect").arg(&list).assert().success();
    let said = text(&run.get_output().stdout);
    assert!(said.contains("of the zone's _sndbnk.eff: "), "{said}");
}

#[test]
fn members_are_what_a_file_stores_and_nothing_else() {
    use relicast::formats::zipper::{anim, gamez};
    let samples = sample_installs(&[Game::Mw]);
    let place = |name: &str| samples.path().join("mw/zbd").join(name);
    let inspect = |name: &str| {
        let run = relicast().arg("inspect").arg(place(name)).assert();
        text(&run.success().get_output().stdout)
    };
    let bytes = fs::read(place("c1/anim.zbd")).unwrap();
    let definitions = anim::decode(&bytes).unwrap().value.definitions.len();
    let said = inspect("c1/anim.zbd");
    assert!(
        said.contains(&format!("members:    {definitions}\n")) && said.contains("derived:    "),
        "{said}"
    );
    let bytes = fs::read(place("c1/gamez.zbd")).unwrap();
    gamez::decode(&bytes).unwrap();
    let said = inspect("c1/gamez.zbd");
    assert!(!said.contains("members:"), "a world stores none: {said}");
    assert!(!inspect("motion.zbd").contains("(whole file)"));
}
