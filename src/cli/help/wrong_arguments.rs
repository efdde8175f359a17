//! Errors in the arguments, each as one line with advice.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Similarity from which a name is suggested.
const LIKE: f64 = 0.7;

/// Returns the line for an error in `words`, the arguments after the program's name.
pub(in crate::cli) fn line(error: &clap::Error, program: &Command, words: &[OsString]) -> String {
    let (command, path) = subcommand(program, words);
    let text = |kind| error.get(kind).map(text_of).unwrap_or_default();
    let argument = text(ContextKind::InvalidArg);
    let help = format!("`{path} --help` has examples");
    match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            match option_like(command, &argument) {
                Some(known) => {
                    format!("unknown option {argument}; did you mean {known}? {help}")
                }
                None => format!("unknown option {argument}; {help}"),
            }
        }
        ErrorKind::UnknownArgument => {
            format!("{argument:?} is an unexpected argument; {help}")
        }
        ErrorKind::InvalidSubcommand => {
            wrong_command(command, &path, &text(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand => {
            let names = command.get_subcommands().map(Command::get_name);
            let names: Vec<&str> = names.filter(|name| *name != "help").collect();
            format!("`{path}` needs one of {}; {help}", names.join(", "))
        }
        ErrorKind::MissingRequiredArgument => format!("`{path}` needs {argument}; {help}"),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg);
            match other.is_empty() {
                true => {
                    format!("{argument} is given twice or with an option that excludes it; {help}")
                }
                false if other == argument => format!("{argument} can be given once only; {help}"),
                false => format!("{argument} cannot be used with {other}; leave out one of them"),
            }
        }
        ErrorKind::InvalidValue => wrong_value(error, command, &argument, &help),
        ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue);
            let why = std::error::Error::source(error).map(|why| format!(": {why}"));
            let why = why.unwrap_or_default();
            format!("invalid value {value:?} for {argument}{why}; {help}")
        }
        _ => {
            let message = error.render().to_string();
            let first = message.lines().next().unwrap_or_default();
            format!("{}; {help}", first.trim_start_matches("error: "))
        }
    }
}

/// Command that the arguments name, and its command line.
fn subcommand<'p>(program: &'p Command, words: &[OsString]) -> (&'p Command, String) {
    let mut command = program;
    let mut path = program.get_name().to_owned();
    for word in words {
        let Some(inner) = word.to_str().and_then(|word| command.find_subcommand(word)) else {
            break;
        };
        command = inner;
        path.push(' ');
        path.push_str(inner.get_name());
    }
    (command, path)
}

fn text_of(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(all) => all.join(" and "),
        ContextValue::StyledStrs(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            all.join(" and ")
        }
        other => other.to_string(),
    }
}

/// Known name most similar to the written one. Names with the same beginning come first, because names are
/// often cut short.
fn most_like(written: &str, names: impl IntoIterator<Item = String>) -> Option<String> {
    let likeness = |name: &str| strsim::jaro_winkler(written, name);
    names
        .into_iter()
        .map(|name| (likeness(&name), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// Option of a command most similar to the written one.
fn option_like(command: &Command, written: &str) -> Option<String> {
    let name = written.trim_start_matches('-');
    let name = name.split('=').next().unwrap_or(name);
    let options = command.get_arguments().filter(|one| !one.is_hide_set());
    let names = options.filter_map(|option| {
        let aliases = option.get_visible_aliases().unwrap_or_default();
        let own = option.get_long()?.to_owned();
        let all = aliases.into_iter().map(str::to_owned);
        Some(all.chain([own]).collect::<Vec<_>>())
    });
    most_like(name, names.flatten()).map(|name| format!("--{name}"))
}

/// Message for a word in the place of a command: a misspelled command, or an input.
fn wrong_command(command: &Command, path: &str, written: &str) -> String {
    let is_program = !path.contains(' ');
    if is_program && Path::new(written).exists() {
        return format!("no command was given for {written}; try `{path} convert {written}`");
    }
    let names = command
        .get_subcommands()
        .map(|one| one.get_name().to_owned());
    let list = format!("`{path} --help` lists the commands");
    match most_like(written, names) {
        Some(known) => format!("unknown command {written}; did you mean {known}? {list}"),
        None => format!("unknown command {written}; {list}"),
    }
}

fn wrong_value(error: &clap::Error, command: &Command, argument: &str, help: &str) -> String {
    let value = error.get(ContextKind::InvalidValue).map(text_of);
    let value = value.unwrap_or_default();
    if value.is_empty() {
        return format!("{argument} needs a value; {help}");
    }
    let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else {
        return format!("invalid value {value:?} for {argument}; {help}");
    };
    // Values may have aliases, which are not listed.
    let long = argument.trim_start_matches('-').split(' ').next();
    let mut options = command.get_arguments();
    let option = options.find(|option| option.get_long() == long);
    let values = option.map(clap::Arg::get_possible_values);
    let values = values.unwrap_or_default();
    let names = values.iter().flat_map(|value| value.get_name_and_aliases());
    let names = names.chain(known.iter().map(String::as_str));
    let rather = most_like(&value.to_lowercase(), names.map(str::to_owned));
    let rather = rather.map_or_else(String::new, |known| format!("; did you mean {known}?"));
    let known = known.join(", ");
    format!("invalid value {value:?} for {argument}, expected {known}{rather}")
}
