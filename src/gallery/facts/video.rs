//! Facts from the document next to a movie.

use serde_json::Value;

use super::known::{Facts, LARGEST_DOCUMENT};
use crate::gallery::entry::Entry;
use crate::pipeline::report::converted::Converted;

/// Reads the facts of a movie.
pub(super) fn read(converted: &Converted, entry: &Entry<'_>, facts: &mut Facts) {
    let document = entry.output("facts");
    let bytes = document.and_then(|output| converted.read(&output.path, LARGEST_DOCUMENT));
    let document = bytes.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    if let Some(document) = document {
        describe(&document, facts);
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float becomes the nearest number of its range"
)]
fn thousandths(value: f64) -> u64 {
    (value * 1000.0).round() as u64
}

fn describe(document: &Value, facts: &mut Facts) {
    let decoded = &document["decoded"];
    let streams = decoded["streams"].as_array();
    let mut streams = streams.into_iter().flatten();
    let picture = streams.find(|stream| stream["width"].is_u64());
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let seconds = number(&decoded["duration"]);
    let picture = picture.unwrap_or(&Value::Null);
    let rate = number(&picture["frame_rate"]);
    facts.put("width", picture["width"].clone());
    facts.put("height", picture["height"].clone());
    facts.put("fps", picture["frame_rate"].clone());
    facts.put("seconds", decoded["duration"].clone());
    let frames = decoded["frames"].as_array().map_or(0, Vec::len);
    facts.put("frames", frames);
    facts.put("container", document["source"]["container"].clone());
    facts.numbers = [thousandths(seconds), thousandths(rate)];
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn length_and_size_of_a_movie() {
        let document = json!({"decoded": {"duration": 2.0, "frames": ["a", "b"], "streams": [
            {"codec": "pcm"}, {"codec": "rawvideo", "width": 80, "height": 60, "frame_rate": 15.0},
        ]}});
        let mut facts = Facts::default();
        describe(&document, &mut facts);
        assert_eq!(facts.numbers, [2000, 15_000]);
        assert_eq!(
            (&facts.values["width"], &facts.values["frames"]),
            (&json!(80), &json!(2))
        );
        describe(&Value::Null, &mut Facts::default());
    }
}
