//! Checks that a run with another setting gives the result of a fresh run with it.

use relicast::asset::Game;
use relicast::config::Config;
use serde_json::{Value, json};

use crate::changes::{Place, differences};
use crate::{SampleFile, files, folder};

/// Settings that are not tested: they name paths on this machine or external programs, or choose the command of a run,
/// which does not affect outputs.
const NOT_TRIED: [&str; 13] = [
    "run.include",
    "run.exclude",
    "run.golden",
    "run.store",
    "run.jobs",
    "run.game",
    "stages.convert",
    "stages.emit",
    "stages.verify",
    "music.sound_font",
    "video.enabled",
    "video.ffmpeg",
    "target.engine",
];

/// A table of a server: a door in each zone of the sample install.
const TABLE: &str =
    "zone,name,pos_x,pos_y,pos_z\ndell,LEVER,10,20,3\nmill,WHEEL,10,20,3\nfen,WHEEL,1,2,3\n";

/// Other values of a setting.
fn alternatives(place: &Place, config: &Value, section: &str, key: &str) -> Vec<Config> {
    let with = |value: Value| {
        let mut changed = config.clone();
        changed[section][key] = value;
        serde_json::from_value::<Config>(changed)
    };
    let values = match &config[section][key] {
        _ if (section, key) == ("everquest", "placements") => {
            let table = place.path("doors.csv");
            std::fs::write(&table, TABLE).unwrap();
            vec![json!(table)]
        }
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) if number.is_u64() => vec![json!(number.as_u64().unwrap() + 1)],
        Value::Number(number) => vec![json!(number.as_f64().unwrap() * 0.5)],
        Value::String(value) => {
            // The words of a choice are in its error about an unknown word.
            let message =
                with(json!("?")).map_or_else(|fault| fault.to_string(), |_| String::new());
            let words = message.split('`').skip(1).step_by(2).skip(1);
            let others = words.filter(|word| word != value);
            others.map(|word| json!(word)).collect()
        }
        Value::Array(values) if values.is_empty() => vec![json!(["beach1"])],
        Value::Array(values) => vec![json!([]), json!(&values[1..])],
        _ => Vec::new(),
    };
    values
        .into_iter()
        .filter_map(|value| with(value).ok())
        .collect()
}

/// Changes every setting and restores it, and returns the number of values that were tried.
fn assert_fresh(name: &str, files: &[SampleFile], game: Option<Game>) -> usize {
    let config = serde_json::to_value(Config::default()).unwrap();
    let mut place = Place::new(files, &Config::default(), game);
    let first = place.run("out");
    let mut faults = Vec::new();
    let mut tried = 0;
    for (section, keys) in config.as_object().unwrap() {
        for key in keys.as_object().unwrap().keys() {
            if NOT_TRIED.contains(&&*format!("{section}.{key}")) {
                continue;
            }
            for changed in alternatives(&place, &config, section, key) {
                let value = serde_json::to_value(&changed).unwrap()[section][key].clone();
                place.config = changed;
                let there = differences(&place.run("out"), &place.fresh());
                place.config = Config::default();
                let back = differences(&place.run("out"), &first);
                tried += 1;
                for (found, way) in [(there, "there"), (back, "and back")] {
                    if !found.is_empty() {
                        let more = &found[..found.len().min(4)];
                        faults.push(format!(
                            "{section}.{key} = {value}, {way}: {}",
                            more.join("; ")
                        ));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    tried
}

fn assert_fresh_game(game: Game) {
    let tried = assert_fresh(folder(game), &files(game, 1).unwrap(), Some(game));
    assert!(tried > 120, "only {tried} settings were tried");
}

/// A few small files, whose names are in both letter cases.
fn a_few() -> Vec<SampleFile> {
    let files = files(Game::Mw, 1).unwrap().into_iter();
    let wanted = [
        "zbd/interp.zbd",
        "zbd/reader.zbd",
        "zbd/c1/rtexture3.zbd",
        "Mech3Msg.dll",
    ];
    let mut few: Vec<SampleFile> = files.filter(|file| wanted.contains(&&*file.path)).collect();
    for file in &mut few {
        file.path = file.path.replace("zbd/", "ZBD/");
    }
    assert_eq!(few.len(), wanted.len());
    few
}

#[test]
fn every_setting_there_and_back_leaves_what_a_fresh_run_leaves() {
    let tried = assert_fresh("a few files", &a_few(), Some(Game::Mw));
    assert!(tried > 120, "only {tried} settings were tried");
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_mechwarrior() {
    assert_fresh_game(Game::Mw);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_crimson_skies() {
    assert_fresh_game(Game::Cs);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_everquest() {
    assert_fresh_game(Game::Eq);
}
