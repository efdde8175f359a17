//! Edited scripts of `interp.zbd`.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::edited::Refusal;
use super::json::Shown;
use super::proof::first_difference;
use relicast_convert::zipper::document::scripts;
use relicast_formats::zipper::interp::{self, Interp, Line};

/// Keys of a script whose values follow from others: from its lines, and from its time stamp.
const FOLLOWERS: [(&str, &str); 2] = [("commands", "lines"), ("datetime", "timestamp")];

/// The scripts with the lines of the edited document, in which commands and dates then follow from the lines; unedited
/// lines keep their bytes.
///
/// # Errors
/// The document has other scripts, a line is not a text, or something that follows was edited.
pub(super) fn encode(original: &[u8], edited: &mut Json) -> Result<Vec<u8>, Refusal> {
    let mut file = interp::decode(original).map_err(Refusal::new)?.value;
    let shown = |file: &Interp<'_>| serde_json::to_value(scripts(file)).map_err(Refusal::new);
    let before = shown(&file)?;
    put_lines(&mut file, edited)?;
    follow(&before, &shown(&file)?, edited)?;
    interp::encode(&file).map_err(Refusal::new)
}

/// Sets what follows from lines and time stamps, unless it was edited.
///
/// # Errors
/// It was edited, and not to what follows.
fn follow(before: &Json, after: &Json, edited: &mut Json) -> Result<(), Refusal> {
    let scripts = edited.as_array_mut().map_or(&mut [][..], Vec::as_mut_slice);
    for (index, script) in scripts.iter_mut().enumerate() {
        let Some(script) = script.as_object_mut() else {
            continue;
        };
        for (key, cause) in FOLLOWERS {
            let of = |document: &Json| document.get(index).and_then(|it| it.get(key)).cloned();
            let (old, new) = (of(before), of(after));
            if let Some(own) = script.get(key)
                && Some(own) != old.as_ref()
                && Some(own) != new.as_ref()
            {
                let place = &mut format!("$[{index}].{key}");
                let expected = old.as_ref().unwrap_or(&Json::Null);
                if let Some(difference) = first_difference(expected, own, place) {
                    refuse!("{difference}; edit {cause}, and leave {key} as it was, or out");
                }
            }
            match new {
                Some(new) => script.insert(key.to_owned(), new),
                None => script.shift_remove(key),
            };
        }
    }
    Ok(())
}

/// Puts the lines and time stamps of the edited document into the scripts.
fn put_lines(file: &mut Interp<'_>, edited: &Json) -> Result<(), Refusal> {
    let scripts = edited.as_array().map_or(&[][..], Vec::as_slice);
    if scripts.len() != file.scripts.len() {
        refuse!(
            "$: expected {} scripts, found {}: scripts cannot be added or removed",
            file.scripts.len(),
            scripts.len()
        );
    }
    for (index, (script, edited)) in file.scripts.iter_mut().zip(scripts).enumerate() {
        let lines = edited.get("lines").and_then(Json::as_array);
        let lines = lines.ok_or_else(|| {
            let found = Shown(edited.get("lines").unwrap_or(&Json::Null));
            refusal!("$[{index}].lines: expected a list of lines, found {found}")
        })?;
        if let Some(time) = edited.get("timestamp").and_then(Json::as_u64) {
            script.row.time = u32::try_from(time).map_err(|_| {
                refusal!("$[{index}].timestamp: expected seconds that fit 32 bits, found {time}")
            })?;
        }
        let mut new = Vec::with_capacity(lines.len());
        let stored = script.lines.iter();
        let stored: HashMap<Vec<String>, &Line<'_>> =
            stored.map(|line| (line.tokens().collect(), line)).collect();
        for (number, line) in lines.iter().enumerate() {
            let tokens = tokens(line).ok_or_else(|| {
                refusal!(
                    "$[{index}].lines[{number}]: expected a text or a list of texts in Latin-1, found {}",
                    Shown(line)
                )
            })?;
            let own = script.lines.get(number);
            let own = own.filter(|line| line.tokens().eq(tokens.iter().cloned()));
            // A line that moved is the old one.
            new.push(match own.or_else(|| stored.get(&tokens).copied()) {
                Some(kept) => kept.clone(),
                None => line_of(&tokens).ok_or_else(|| {
                    refusal!("$[{index}].lines[{number}]: expected at least one word, found none")
                })?,
            });
        }
        script.lines = new;
    }
    Ok(())
}

/// The words of a line: separated by spaces, or listed.
fn tokens(line: &Json) -> Option<Vec<String>> {
    let is_latin1 = |text: &str| {
        text.chars()
            .all(|letter| u8::try_from(letter).is_ok() && letter != '\0')
    };
    let tokens: Vec<String> = match line {
        Json::String(text) => text.split(' ').map(str::to_owned).collect(),
        Json::Array(items) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<_>>()?,
        _ => return None,
    };
    tokens
        .iter()
        .all(|token| is_latin1(token))
        .then_some(tokens)
}

fn line_of(tokens: &[String]) -> Option<Line<'static>> {
    let mut text = Vec::new();
    for token in tokens {
        text.extend(token.chars().filter_map(|letter| u8::try_from(letter).ok()));
        text.push(0);
    }
    (!tokens.is_empty()).then(|| Line {
        token_count: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
        text: text.into(),
    })
}
