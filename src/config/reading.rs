//! Reads a configuration so that whatever is wrong with it is told at once, by line and key, with what was
//! probably meant.

use std::fmt::{self, Display};
use std::ops::Range;

use toml::Table;
use toml::de::DeTable;

use super::{Config, Engine, Target, check};

/// One thing that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFault {
    /// Its line, from 1.
    pub line: Option<usize>,
    /// The setting, with its section: `video.crf`.
    pub key: Option<String>,
    /// What is wrong, and what would be right.
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

/// Reads a configuration from TOML; keys that it lacks take their defaults.
///
/// # Errors
/// All that is wrong with it: one fault of its grammar, or every unknown key, or every value that cannot
/// be used.
pub fn read(text: &str) -> Result<Config, Vec<ConfigFault>> {
    read_for(text, None)
}

/// Reads a configuration for a target: its defaults count where the text is silent. Without one, that of the
/// text does.
///
/// # Errors
/// As [`read`].
pub fn read_for(text: &str, engine: Option<Engine>) -> Result<Config, Vec<ConfigFault>> {
    let places = Places::new(text);
    let unknown = unknown_keys(text, &places);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let config: Config =
        toml::from_str(text).map_err(|error| vec![value_fault(&error, text, &places)])?;
    let engine = engine.unwrap_or(config.target.engine);
    let config = match engine {
        Engine::None => config,
        engine => of_engine(text, engine).unwrap_or(config),
    };
    let config = Config {
        target: Target { engine },
        ..config
    };
    let faults: Vec<ConfigFault> = check::faults(&config)
        .into_iter()
        .map(|(key, what)| ConfigFault {
            line: places.line_of(&key),
            key: Some(key),
            what,
        })
        .collect();
    if faults.is_empty() {
        Ok(config)
    } else {
        Err(faults)
    }
}

/// The defaults of a target with a text over them, which is known to be a configuration.
fn of_engine(text: &str, engine: Engine) -> Option<Config> {
    let own: Table = toml::from_str(text).ok()?;
    engine.below(&own).try_into().ok()
}

/// The closest of `known` to what was written, if any is close.
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

/// A question that offers `meant`; nothing when there is nothing to offer.
fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?"))
}

/// Where keys and values stand in a text.
struct Places {
    /// Dotted keys with the bytes of key and value.
    keys: Vec<(String, Range<usize>, Range<usize>)>,
    /// Where each line starts.
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

    /// The innermost key whose value holds `offset`, or that stands there.
    fn key_at(&self, offset: usize) -> Option<String> {
        let mut keys = self.keys.iter().rev();
        let found = keys.find(|(name, key, value)| {
            name.contains('.') && (key.contains(&offset) || value.contains(&offset))
        });
        found.map(|(name, ..)| name.clone())
    }
}

/// Every key that is no setting.
fn unknown_keys(text: &str, places: &Places) -> Vec<ConfigFault> {
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
            None if text
                .get(place.start..)
                .is_some_and(|_| settings.iter().any(|setting| ends_with_key(setting, name))) =>
            {
                let home = settings.iter().find(|setting| ends_with_key(setting, name));
                let section = home
                    .and_then(|home| home.split_once('.'))
                    .map(|(section, _)| section);
                format!(
                    "is no section; the setting stands in [{}]",
                    section.unwrap_or_default()
                )
            }
            None => {
                let meant = closest(name, known.keys().map(String::as_str));
                let meant = meant.map(|meant| format!("[{meant}]"));
                format!("is no section{}", did_you_mean(meant.as_deref()))
            }
            Some((section, _)) if !is_section(section) => continue,
            Some(_) if settings.contains(name) => continue,
            Some((section, key)) => {
                let own = settings.iter().filter_map(|setting| {
                    setting
                        .strip_prefix(&format!("{section}."))
                        .map(|key| (setting, key))
                });
                let meant = closest(key, own.map(|(_, key)| key)).map(str::to_owned);
                let elsewhere = settings.iter().find(|setting| ends_with_key(setting, key));
                let meant = meant.or_else(|| elsewhere.cloned());
                format!("is no setting{}", did_you_mean(meant.as_deref()))
            }
        };
        faults.push(ConfigFault {
            line: Some(places.line_at(place.start)),
            key: Some(name.clone()),
            what,
        });
    }
    faults.sort_by_key(|fault| fault.line);
    faults
}

fn ends_with_key(setting: &str, key: &str) -> bool {
    setting.split_once('.').is_some_and(|(_, own)| own == key)
}

/// What the parser says, by line and key, with the value that was probably meant.
fn value_fault(error: &toml::de::Error, text: &str, places: &Places) -> ConfigFault {
    let offset = error.span().map(|span| span.start);
    let message = error.message();
    // Words that a setting takes stand in back quotes: the written one, then the known ones.
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let what = match (message.starts_with("unknown variant"), &*words) {
        (true, [written, known @ ..]) if !known.is_empty() => {
            let meant = closest(written, known.iter().copied());
            let meant = meant.map(|meant| format!("{meant:?}"));
            let known: Vec<String> = known.iter().map(|it| format!("{it:?}")).collect();
            let known = known.join(", ");
            format!(
                "{written:?} is none of {known}{}",
                did_you_mean(meant.as_deref())
            )
        }
        _ => message.trim().replace('\n', "; "),
    };
    ConfigFault {
        line: offset
            .filter(|&at| at <= text.len())
            .map(|at| places.line_at(at)),
        key: offset.and_then(|at| places.key_at(at)),
        what,
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
    fn unknown_keys_are_told_by_line_with_what_was_meant() {
        let text =
            "[sounds]\n\nfromat = \"flac\"\n[textuers]\ndilate = true\n[worlds]\nshading = 1\n";
        assert_eq!(
            faults(text),
            [
                "line 3: sounds.fromat: is no setting; did you mean format?",
                "line 4: textuers: is no section; did you mean [textures]?",
                "line 7: worlds.shading: is no setting; did you mean scenes.shading?",
            ]
        );
        assert_eq!(
            faults("dilate = true"),
            ["line 1: dilate: is no section; the setting stands in [textures]"]
        );
        let nothing = faults("[sounds]\nqqq = 1");
        assert_eq!(nothing, ["line 2: sounds.qqq: is no setting"]);
    }

    #[test]
    fn wrong_words_and_types_are_told_by_line_and_key() {
        assert_eq!(
            faults("[sounds]\nformat = \"wave\"\n"),
            [
                "line 2: sounds.format: \"wave\" is none of \"wav\", \"flac\", \"both\", \"ogg\"; did you mean \"wav\"?"
            ]
        );
        let wrong = faults("[run]\njobs = -1\n");
        assert!(wrong[0].starts_with("line 2: run.jobs: "), "{wrong:?}");
        let container = faults("[video]\ncontainer = \"mp5\"\n");
        assert!(
            container[0].contains("did you mean \"mp4\"?"),
            "{container:?}"
        );
        let broken = faults("[run\n");
        assert!(broken[0].starts_with("line 1: "), "{broken:?}");
    }

    #[test]
    fn all_values_that_cannot_be_used_are_told_at_once() {
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
