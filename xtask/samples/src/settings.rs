//! A run with another setting leaves what a fresh run with it leaves.

use relicast::asset::Game;
use relicast::config::Config;
use serde_json::{Value, json};

use crate::changes::{Place, differences};
use crate::files;

/// Sections that decide how a run is done and not what it makes; movies need a program from outside.
const NOT_OF_OUTPUTS: [&str; 4] = ["run", "stages", "video", "limits"];

/// Other values that a setting can have.
fn alternatives(config: &Value, section: &str, key: &str) -> Vec<Config> {
    let with = |value: Value| {
        let mut changed = config.clone();
        changed[section][key] = value;
        serde_json::from_value::<Config>(changed)
    };
    let values = match &config[section][key] {
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) if number.is_u64() => vec![json!(number.as_u64().unwrap() + 1)],
        Value::Number(number) => vec![json!(number.as_f64().unwrap() * 0.5)],
        Value::String(value) => {
            // The words that a choice knows are in what it says of one that it does not know.
            let told = with(json!("?")).map_or_else(|fault| fault.to_string(), |_| String::new());
            let words = told.split('`').skip(1).step_by(2).skip(1);
            let others = words.filter(|word| word != value);
            others.map(|word| json!(word)).collect()
        }
        _ => Vec::new(),
    };
    values
        .into_iter()
        .filter_map(|value| with(value).ok())
        .collect()
}

fn assert_fresh(game: Game) {
    let config = serde_json::to_value(Config::default()).unwrap();
    let mut place = Place::new(&files(game, 1).unwrap(), &Config::default(), Some(game));
    place.run("out");
    let mut faults = Vec::new();
    let mut tried = 0;
    for (section, keys) in config.as_object().unwrap() {
        if NOT_OF_OUTPUTS.contains(&&**section) {
            continue;
        }
        for key in keys.as_object().unwrap().keys() {
            for changed in alternatives(&config, section, key) {
                let value = serde_json::to_value(&changed).unwrap()[section][key].clone();
                place.config = changed;
                let found = differences(&place.run("out"), &place.fresh());
                tried += 1;
                if !found.is_empty() {
                    let more = &found[..found.len().min(4)];
                    faults.push(format!("{section}.{key} = {value}: {}", more.join("; ")));
                }
            }
        }
    }
    assert!(tried > 40, "only {tried} settings were tried");
    assert!(faults.is_empty(), "{game}:\n{}", faults.join("\n"));
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_mechwarrior() {
    assert_fresh(Game::Mw);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_crimson_skies() {
    assert_fresh(Game::Cs);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_setting_redoes_all_that_it_touches_in_everquest() {
    assert_fresh(Game::Eq);
}
