//! Edited scripts of `interp.zbd`.

use serde_json::Value as Json;

use super::edited::Refusal;
use super::json::Shown;
use relicast_formats::zipper::interp::{self, Line};

/// The scripts with the lines of the edited document; unedited lines keep their bytes.
///
/// # Errors
/// The document has other scripts, or a line is not a text.
pub(super) fn encode(original: &[u8], edited: &Json) -> Result<Vec<u8>, Refusal> {
    let mut file = interp::decode(original).map_err(Refusal::new)?.value;
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
        for (number, line) in lines.iter().enumerate() {
            let stored = script.lines.get(number);
            let tokens = tokens(line).ok_or_else(|| {
                refusal!(
                    "$[{index}].lines[{number}]: expected a text or a list of texts in Latin-1, found {}",
                    Shown(line)
                )
            })?;
            let kept = stored.filter(|stored| stored.tokens().eq(tokens.iter().cloned()));
            new.push(match kept {
                Some(kept) => kept.clone(),
                None => line_of(&tokens).ok_or_else(|| {
                    refusal!("$[{index}].lines[{number}]: expected at least one word, found none")
                })?,
            });
        }
        script.lines = new;
    }
    interp::encode(&file).map_err(Refusal::new)
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
