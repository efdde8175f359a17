//! Prints the commented default with changed values.

use toml::{Table, Value};

use super::{Config, DEFAULT};

/// Commented default with the values of `config`.
///
/// # Errors
/// Never for settings that were read from TOML, but the serializer is fallible.
pub fn commented(config: &Config) -> Result<String, toml::ser::Error> {
    let effective = Table::try_from(config)?;
    let shown = Table::try_from(Config::default())?;
    let mut out = String::new();
    let mut section = "";
    // Rest of a multi-line list whose value has been written.
    let mut inside = false;
    for line in DEFAULT.lines() {
        if inside {
            inside = line.trim() != "]";
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        let key = line.split_once(" = ").map(|(key, _)| key);
        let of = |table: &'_ Table| -> Option<Value> { table.get(section)?.get(key?).cloned() };
        match (of(&effective), of(&shown)) {
            (Some(value), Some(default)) if !line.starts_with('#') && value != default => {
                out.push_str(key.unwrap_or_default());
                out.push_str(" = ");
                out.push_str(&toml_text(&value));
                inside = line.ends_with('[');
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    Ok(out)
}

/// Formats a value as a person would write it: 32-bit numbers with the fewest digits.
fn toml_text(value: &Value) -> String {
    if let Value::Float(number) = value {
        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let short = *number as f32;
        if f64::from(short) == *number {
            return format!("{short:?}");
        }
    }
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_printed_as_it_is() {
        assert_eq!(commented(&Config::default()).unwrap(), DEFAULT);
    }

    #[test]
    fn what_is_printed_reads_back() {
        let mut config = Config::default();
        config.run.jobs = 3;
        config.run.include = vec!["a \"quoted\" name".to_owned(), "*.zbd".to_owned()];
        config.scenes.alpha_threshold = 0.3;
        config.loose.copy = vec!["txt".to_owned()];
        config.raw.enabled = true;
        let text = commented(&config).unwrap();
        assert_eq!(toml::from_str::<Config>(&text).unwrap(), config);
        assert!(text.contains("# Worker threads") && text.contains("alpha_threshold = 0.3\n"));
    }
}
