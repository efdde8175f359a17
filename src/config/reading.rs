//! Reads a configuration and reports all its errors at once, by line and key, with suggestions.

use std::fmt::{self, Display};
use std::ops::Range;

use toml::Table;
use toml::de::DeTable;

use super::{Config, Engine, Target, check};

/// Error in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFault {
    /// Line, from 1.
    pub line: Option<usize>,
    /// Setting with its section: `video.crf`.
    pub key: Option<String>,
    /// Error and advice.
    pub what: String,
}

impl Display for ConfigFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        if let Some(key) = &self.key {
            write!(formatter, "{key}: ")?;
        }
        formatter.write_str(&self.what)
    }
}

/// Reads a configuration from TOML; missing keys get their defaults.
///
/// # Errors
/// One syntax error, or all unknown keys and invalid values.
pub fn read(text: &str) -> Result<Config, Vec<ConfigFault>> {
    read_for(text, None)
}

/// Reads a configuration for a target, which sets the defaults for missing keys. `None` uses the target of the
/// text.
///
/// # Errors
/// As [`read`].
pub fn read_for(text: &str, engine: Option<Engine>) -> Result<Config, Vec<ConfigFault>> {
    let places = Places::new(text);
    let table: Table =
        toml::from_str(text).map_err(|error| vec![value_fault(&error, text, &places)])?;
    let mut faults = unknown_keys(&places);
    let (table, wrong) = usable(table, &places);
    faults.extend(wrong);
    let read = |error: toml::de::Error| vec![value_fault(&error, text, &places)];
    let own: Config = table.clone().try_into().map_err(read)?;
    let engine = engine.unwrap_or(own.target.engine);
    let mut config = match engine {
        Engine::None => own,
        engine => engine.below(&table).try_into().map_err(read)?,
    };
    config.target = Target { engine };
    let unusable = check::faults(&config).into_iter();
    faults.extend(unusable.map(|(key, what)| ConfigFault {
        line: places.line_of(&key),
        key: Some(key),
        what,
    }));
    if faults.is_empty() {
        return Ok(config);
    }
    faults.sort_by_key(|fault| fault.line);
    Err(faults)
}

/// Splits a table into valid settings and errors. Unknown settings are in neither.
fn usable(table: Table, places: &Places) -> (Table, Vec<ConfigFault>) {
    let known = Table::try_from(Config::default()).unwrap_or_default();
    let mut usable = Table::new();
    let mut faults = Vec::new();
    for (section, value) in table {
        let Some(known) = known.get(&section).and_then(toml::Value::as_table) else {
            continue;
        };
        let toml::Value::Table(keys) = value else {
            faults.push(ConfigFault {
                line: places.line_of(&section),
                what: format!("is a section: write [{section}] and its settings below it"),
                key: Some(section),
            });
            continue;
        };
        let mut own = Table::new();
        for (key, value) in keys.into_iter().filter(|(key, _)| known.contains_key(key)) {
            let one = Table::from_iter([(key.clone(), value.clone())]);
            let one = Table::from_iter([(section.clone(), toml::Value::Table(one))]);
            let read: Result<Config, toml::de::Error> = one.try_into();
            match read {
                Ok(_) => {
                    own.insert(key, value);
                }
                Err(error) => {
                    let name = format!("{section}.{key}");
                    faults.push(ConfigFault {
                        line: places.line_of(&name),
                        key: Some(name),
                        what: described(error.message()),
                    });
                }
            }
        }
        usable.insert(section, toml::Value::Table(own));
    }
    (usable, faults)
}

/// Closest of `known` to the written name, if any is close.
pub fn closest<'k>(written: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let written = written.to_lowercase();
    let likeness = |known: &str| strsim::jaro_winkler(&written, &known.to_lowercase());
    known
        .into_iter()
        .map(|known| (likeness(known), known))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}

/// Suggestion of `meant`; empty without one.
fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?"))
}

/// Positions of keys and values in a text.
struct Places {
    /// Dotted keys with the byte ranges of key and value.
    keys: Vec<(String, Range<usize>, Range<usize>)>,
    /// Start of each line.
    lines: Vec<usize>,
}

impl Places {
    fn new(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at.saturating_add(1));
        let mut keys = Vec::new();
        if let Ok(table) = DeTable::parse(text) {
            for (section, value) in table.get_ref() {
                let name = section.get_ref().to_string();
                keys.push((name.clone(), section.span(), value.span()));
                let Some(inner) = value.get_ref().as_table() else {
                    continue;
                };
                for (key, value) in inner {
                    let key_name = format!("{name}.{}", key.get_ref());
                    keys.push((key_name, key.span(), value.span()));
                }
            }
        }
        Self {
            keys,
            lines: std::iter::once(0).chain(breaks).collect(),
        }
    }

    fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset)
    }

    fn line_of(&self, key: &str) -> Option<usize> {
        let mut keys = self.keys.iter();
        let (_, place, _) = keys.find(|(known, ..)| known == key)?;
        Some(self.line_at(place.start))
    }

    /// Innermost key at `offset`, or whose value contains it.
    fn key_at(&self, offset: usize) -> Option<String> {
        let mut keys = self.keys.iter().rev();
        let found = keys.find(|(name, key, value)| {
            name.contains('.') && (key.contains(&offset) || value.contains(&offset))
        });
        found.map(|(name, ..)| name.clone())
    }
}

/// Settings that were removed, with advice.
const REMOVED: [(&str, &str); 1] = [(
    "video.download",
    "relicast uses the ffmpeg of your system and does not download one; remove this line",
)];

/// Returns settings stored by an earlier version without removed ones.
pub fn without_removed(mut settings: serde_json::Value) -> serde_json::Value {
    for (section, key) in REMOVED.iter().filter_map(|(name, _)| name.split_once('.')) {
        let section = settings.get_mut(section);
        if let Some(keys) = section.and_then(serde_json::Value::as_object_mut) {
            keys.remove(key);
        }
    }
    settings
}

/// All unknown keys.
fn unknown_keys(places: &Places) -> Vec<ConfigFault> {
    let Ok(known) = Table::try_from(Config::default()) else {
        return Vec::new();
    };
    let settings: Vec<String> = known
        .iter()
        .flat_map(|(section, keys)| {
            let keys = keys.as_table().into_iter().flat_map(Table::keys);
            keys.map(move |key| format!("{section}.{key}"))
        })
        .collect();
    let is_section = |name: &str| known.contains_key(name);
    let mut faults = Vec::new();
    for (name, place, _) in &places.keys {
        let what = match name.split_once('.') {
            None if is_section(name) => continue,
            None if settings.iter().any(|setting| ends_with_key(setting, name)) => {
                let home = settings.iter().find(|setting| ends_with_key(setting, name));
                let section = home
                    .and_then(|home| home.split_once('.'))
                    .map(|(section, _)| section);
                format!(
                    "is not a section; the setting belongs to [{}]",
                    section.unwrap_or_default()
                )
            }
            None => {
                let meant = closest(name, known.keys().map(String::as_str));
                let meant = meant.map(|meant| format!("[{meant}]"));
                format!("unknown section{}", did_you_mean(meant.as_deref()))
            }
            Some((section, _)) if !is_section(section) => continue,
            Some(_) if settings.contains(name) => continue,
            Some(_) if REMOVED.iter().any(|(removed, _)| removed == name) => {
                let why = REMOVED.iter().find(|(removed, _)| removed == name);
                format!("was removed: {}", why.map_or("", |(_, why)| why))
            }
            Some((section, key)) => {
                let own = settings.iter().filter_map(|setting| {
                    setting
                        .strip_prefix(&format!("{section}."))
                        .map(|key| (setting, key))
                });
                let meant = closest(key, own.map(|(_, key)| key)).map(str::to_owned);
                let elsewhere = settings.iter().find(|setting| ends_with_key(setting, key));
                let like = || {
                    let keys = settings
                        .iter()
                        .filter_map(|setting| setting.split_once('.'));
                    let like = closest(key, keys.map(|(_, key)| key))?;
                    settings.iter().find(|setting| ends_with_key(setting, like))
                };
                let meant = meant.or_else(|| elsewhere.or_else(like).cloned());
                format!("unknown setting{}", did_you_mean(meant.as_deref()))
            }
        };
        faults.push(ConfigFault {
            line: Some(places.line_at(place.start)),
            key: Some(name.clone()),
            what,
        });
    }
    faults
}

fn ends_with_key(setting: &str, key: &str) -> bool {
    setting.split_once('.').is_some_and(|(_, own)| own == key)
}

/// Error of the parser by line and key, with a suggestion for the value.
fn value_fault(error: &toml::de::Error, text: &str, places: &Places) -> ConfigFault {
    let offset = error.span().map(|span| span.start);
    ConfigFault {
        line: offset
            .filter(|&at| at <= text.len())
            .map(|at| places.line_at(at)),
        key: offset.and_then(|at| places.key_at(at)),
        what: described(error.message()),
    }
}

/// Type names in messages of the parser, and their plain replacements.
const TYPES: &[(&str, &str)] = &[
    ("invalid type: ", "is "),
    ("invalid value: ", "is "),
    (", expected a boolean", ", expected true or false"),
    (", expected a string", ", expected a text in quotes"),
    (", expected a sequence", ", expected a list in brackets"),
    (", expected usize", ", expected a whole number from 0"),
    (", expected u64", ", expected a whole number from 0"),
    (", expected u32", ", expected a whole number from 0"),
    (", expected u8", ", expected a whole number from 0 to 255"),
    (", expected i64", ", expected a whole number"),
    (", expected i32", ", expected a whole number"),
    (", expected f64", ", expected a number"),
    (", expected f32", ", expected a number"),
    ("string \"", "the text \""),
    ("integer `", "the number `"),
    ("floating point `", "the number `"),
    ("boolean `", "`"),
    ("sequence", "a list"),
    ("`", ""),
];

/// Message of the parser in plain words, with a suggestion for the value.
fn described(message: &str) -> String {
    // The parser puts words in backquotes: the written one, then the known ones.
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.starts_with("unknown variant"), &*words) {
        (true, [written, known @ ..]) if !known.is_empty() => {
            let meant = closest(written, known.iter().copied());
            let meant = meant.map(|meant| format!("{meant:?}"));
            let known: Vec<String> = known.iter().map(|it| format!("{it:?}")).collect();
            let known = known.join(", ");
            format!(
                "{written:?} is not one of {known}{}",
                did_you_mean(meant.as_deref())
            )
        }
        _ => {
            let first = message.trim().lines().next().unwrap_or_default().to_owned();
            let replace = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
            TYPES.iter().fold(first, replace)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let faults = read(text).unwrap_err();
        faults.iter().map(ConfigFault::to_string).collect()
    }

    #[test]
    fn unknown_keys_are_reported_by_line_with_what_was_meant() {
        let text =
            "[sounds]\n\nfromat = \"flac\"\n[textuers]\ndilate = true\n[worlds]\nshading = 1\n";
        assert_eq!(
            faults(text),
            [
                "line 3: sounds.fromat: unknown setting; did you mean format?",
                "line 4: textuers: unknown section; did you mean [textures]?",
                "line 7: worlds.shading: unknown setting; did you mean scenes.shading?",
            ]
        );
        assert_eq!(
            faults("dilate = true"),
            ["line 1: dilate: is not a section; the setting belongs to [textures]"]
        );
        assert_eq!(
            faults("[video]\ndownload = \"never\""),
            [
                "line 2: video.download: was removed: relicast uses the ffmpeg of your system and does not \
                 download one; remove this line"
            ]
        );
        let nothing = faults("[sounds]\nqqq = 1");
        assert_eq!(nothing, ["line 2: sounds.qqq: unknown setting"]);
    }

    #[test]
    fn settings_of_an_earlier_version_are_read_without_those_that_are_gone() {
        let mut written = serde_json::to_value(Config::default()).unwrap();
        assert_eq!(without_removed(written.clone()), written);
        written["video"]["download"] = "never".into();
        let read: Config = serde_json::from_value(without_removed(written)).unwrap();
        assert_eq!(read.video, Config::default().video);
    }

    #[test]
    fn wrong_words_and_types_are_reported_by_line_and_key() {
        assert_eq!(
            faults("[sounds]\nformat = \"wave\"\n"),
            [
                "line 2: sounds.format: \"wave\" is not one of \"wav\", \"flac\", \"both\", \"ogg\"; did you \
                 mean \"wav\"?"
            ]
        );
        let wrong = faults("[run]\njobs = -1\n");
        assert!(wrong[0].starts_with("line 2: run.jobs: "), "{wrong:?}");
        let container = faults("[video]\ncontainer = \"mp5\"\n");
        assert!(
            container[0].contains("did you mean \"mp4\"?"),
            "{container:?}"
        );
        assert_eq!(
            wrong,
            ["line 2: run.jobs: is the number -1, expected a whole number from 0"]
        );
        let broken = faults("[run\n");
        assert!(broken[0].starts_with("line 1: "), "{broken:?}");
    }

    #[test]
    fn faults_of_every_kind_are_reported_at_once_in_the_order_of_the_file() {
        let text = "[sounds]\nformat = \"flak\"\n[video]\ncrf = 99\nshadig = 1\n[run]\nstrict = 3\n[sceens]\n";
        assert_eq!(
            faults(text),
            [
                "line 2: sounds.format: \"flak\" is not one of \"wav\", \"flac\", \"both\", \"ogg\"; did you \
                 mean \"flac\"?",
                "line 4: video.crf: 99 is not between 0 and 51, the range of libx264 (-1: the value of the profile)",
                "line 5: video.shadig: unknown setting; did you mean scenes.shading?",
                "line 7: run.strict: is the number 3, expected true or false",
                "line 8: sceens: unknown section; did you mean [scenes]?",
            ]
        );
    }

    #[test]
    fn all_values_that_cannot_be_used_are_reported_at_once() {
        let messages = faults("[scenes]\nalpha_threshold = 2.0\n[video]\n# no\ncrf = 99\n");
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(
            messages[0].starts_with("line 2: scenes.alpha_threshold: "),
            "{messages:?}"
        );
        assert!(
            messages[1].starts_with("line 5: video.crf: "),
            "{messages:?}"
        );
    }
}
