//! Events of documents compared with those of another decode, field by field: a table states for each field
//! of the other where the document has it. A field that no table knows is a failure, and so is an entry of
//! the document that no rule has looked at.

use std::collections::BTreeSet;

use serde_json::Value;

/// Place of a field in a document, and the comparison of the two. Places are JSON pointers into the event.
pub enum Rule {
    /// The same value. Null is nothing.
    Same(&'static str),
    /// The same node: a name or an index of the other, both in the document.
    Node(&'static str),
    /// The same entry of a table of the definition.
    Entry(&'static str, &'static str),
    /// True, or nothing.
    Flag(&'static str),
    /// A word for another, or for a number (by its text); nothing for null.
    Word(&'static str, &'static [(&'static str, &'static str)]),
    /// The change per second of a changing value: written only if it does not follow from others.
    Rate(&'static str),
    /// An object with fields of its own, or null.
    Parts(&'static [(&'static str, Rule)]),
    /// Applies if the flags have one of these bits; else the document has no value.
    When(u64, &'static Rule),
    /// Anything else, at a place.
    At(fn(&Value, &mut Event<'_>, &str), &'static str),
    /// Anything else.
    By(fn(&Value, &mut Event<'_>)),
    /// Run-time state, which is empty in files.
    Empty,
    /// Read together with other fields.
    Elsewhere,
}

/// Comparison of one type of event.
pub struct Kind {
    pub rules: &'static [(&'static str, Rule)],
    /// Entries of the document that follow from others, or that other tests look at.
    pub more: &'static [&'static str],
}

/// An event of both sides.
pub struct Event<'v> {
    pub ours: &'v Value,
    pub fields: &'v Value,
    /// The names of a table of the definition, by index.
    pub table: &'v dyn Fn(&str, i64) -> Option<String>,
    seen: BTreeSet<String>,
}

/// Keys that every event of a document may have.
const HEADER: [&str; 5] = ["event", "type", "at", "starts", "lasts"];

fn parts(value: &Value) -> Option<Vec<&Value>> {
    match value {
        Value::Array(items) => Some(items.iter().collect()),
        Value::Object(fields) => {
            let keys_of = [&["x", "y", "z"][..], &["r", "g", "b"], &["min", "max"]];
            let keys = keys_of.into_iter().find(|keys| {
                keys.len() == fields.len() && keys.iter().all(|key| fields.contains_key(*key))
            })?;
            Some(keys.iter().map(|key| &fields[*key]).collect())
        }
        _ => None,
    }
}

/// True if two values are equal: floats as 32 bits, lists as objects with the usual names, 1 and 0 as true
/// and false.
pub fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
            let [one, other] = [one, other].map(|it| (it.as_f64().unwrap() as f32).to_bits());
            one == other
        }
        (Value::Number(number), Value::Bool(flag)) | (Value::Bool(flag), Value::Number(number)) => {
            number.as_i64() == Some(i64::from(*flag))
        }
        _ => match (parts(one), parts(other)) {
            (Some(one), Some(other)) => {
                one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| is_same(a, b))
            }
            _ => match (one, other) {
                (Value::Object(one), Value::Object(other)) => {
                    let known = one.iter().filter(|(_, value)| !value.is_null());
                    known.clone().count() == other.len()
                        && known.clone().all(|(key, value)| {
                            other.get(key).is_some_and(|other| is_same(value, other))
                        })
                }
                _ => one == other,
            },
        },
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0) || number.as_i64() == Some(-1),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(fields) => fields.values().all(is_empty),
    }
}

impl<'v> Event<'v> {
    /// Value of the document at a place.
    pub fn at(&mut self, place: &str) -> Option<&'v Value> {
        let first = place.trim_start_matches('/').split('/').next().unwrap();
        self.seen.insert(first.to_owned());
        self.ours.pointer(place)
    }

    pub fn assert_same(&mut self, place: &str, expected: &Value) {
        let found = self.at(place);
        let same = match (expected, found) {
            (Value::Null, None) => true,
            (Value::Null, Some(_)) | (_, None) => false,
            (expected, Some(found)) => is_same(expected, found),
        };
        assert!(same, "{place} of {} is not {expected}", self.ours);
    }

    pub fn assert_nothing(&mut self, place: &str) {
        self.assert_same(place, &Value::Null);
    }

    /// An index and the name that it stands for, by the definition's own table.
    fn assert_entry(&mut self, place: &str, table: &str, expected: &Value) {
        let Some(found) = self.at(place) else {
            // Nodes that do not count are index 0.
            assert!(is_empty(expected), "{place} of {} is missing", self.ours);
            return;
        };
        let index = found["index"].as_i64().unwrap();
        let special = match index {
            -200 => Some("INPUT_NODE"),
            -100 => Some("ROOT_NODE"),
            _ => None,
        };
        match special {
            Some(special) => {
                assert_eq!(found["special"], special.to_lowercase());
                assert!(found.get("name").is_none());
            }
            None => {
                let name = (self.table)(table, index);
                assert_eq!(
                    found["name"].as_str(),
                    name.as_deref(),
                    "{place} of {}",
                    self.ours
                );
            }
        }
        match expected {
            Value::String(name) => {
                // The reference decoder has one word for both special nodes.
                let special = special.map(|_| "INPUT_NODE");
                let found = special.or(found["name"].as_str());
                assert_eq!(found, Some(&**name), "{place} of {}", self.ours);
            }
            stored => assert_eq!(stored.as_i64(), Some(index), "{place} of {}", self.ours),
        }
    }

    fn assert_rate(&mut self, place: &str, expected: &Value) {
        let Some(change) = self.at(place) else {
            assert!(is_empty(expected), "{place} of {} is missing", self.ours);
            return;
        };
        if let Some(stored) = change.get("stored_rate") {
            assert!(is_same(expected, stored), "{place} of {}", self.ours);
        } else if !expected.is_null() {
            let single = |value: &Value| -> f32 {
                #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
                let single = value.as_f64().unwrap() as f32;
                single
            };
            let list = |value: &Value| -> Vec<f32> {
                parts(value).map_or_else(
                    || vec![single(value)],
                    |parts| parts.into_iter().map(single).collect(),
                )
            };
            let time = single(&self.ours["run_time"]);
            let ends = list(&change["from"]).into_iter().zip(list(&change["to"]));
            let rates = ends.map(|(from, to)| if from == to { 0.0 } else { (to - from) / time });
            assert_eq!(
                rates.collect::<Vec<f32>>(),
                list(expected),
                "{place} of {}",
                self.ours
            );
        }
    }

    fn flags(&self) -> u64 {
        self.fields["flags"].as_u64().unwrap()
    }

    fn assert_absent(&mut self, rule: &Rule) {
        match rule {
            Rule::Same(place)
            | Rule::Node(place)
            | Rule::Entry(place, _)
            | Rule::Flag(place)
            | Rule::Word(place, _)
            | Rule::Rate(place) => self.assert_nothing(place),
            Rule::Parts(rules) => rules.iter().for_each(|(_, rule)| self.assert_absent(rule)),
            Rule::When(_, rule) => self.assert_absent(rule),
            Rule::At(..) | Rule::By(_) | Rule::Empty | Rule::Elsewhere => {}
        }
    }

    fn apply(&mut self, rule: &Rule, expected: &Value) {
        match rule {
            Rule::Same(place) => self.assert_same(place, expected),
            Rule::Node(place) if expected.is_null() => self.assert_nothing(place),
            Rule::Node(place) => self.assert_entry(place, "nodes", expected),
            Rule::Entry(place, table) => self.assert_entry(place, table, expected),
            Rule::Flag(place) => match is_empty(expected) {
                true => self.assert_nothing(place),
                false => self.assert_same(place, &Value::from(true)),
            },
            Rule::Word(place, _) if expected.is_null() => self.assert_nothing(place),
            Rule::Word(place, words) => {
                let text = match expected {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let word = words.iter().find(|(word, _)| *word == text);
                let (_, word) = word.unwrap_or_else(|| panic!("{text} is in no table"));
                self.assert_same(place, &Value::from(*word));
            }
            Rule::Rate(place) => self.assert_rate(place, expected),
            Rule::Parts(rules) => match expected {
                Value::Null => self.assert_absent(rule),
                parts => self.apply_all(rules, parts),
            },
            Rule::When(mask, inner) => match self.flags() & mask != 0 {
                true => self.apply(inner, expected),
                false => {
                    assert!(is_empty(expected), "{expected} of {} counts", self.fields);
                    self.assert_absent(inner);
                }
            },
            Rule::At(check, place) => check(expected, self, place),
            Rule::By(check) => check(expected, self),
            Rule::Empty => assert!(is_empty(expected), "{expected} of {}", self.fields),
            Rule::Elsewhere => {}
        }
    }

    fn apply_all(&mut self, rules: &[(&'static str, Rule)], fields: &Value) {
        for (key, expected) in fields.as_object().unwrap() {
            let rule = rules.iter().find(|(known, _)| known == key);
            let (_, rule) = rule.unwrap_or_else(|| panic!("{key} is in no table: {fields}"));
            self.apply(rule, expected);
        }
    }
}

/// Compares the fields of an event.
pub fn compare(
    kind: &Kind,
    ours: &Value,
    fields: &Value,
    table: &dyn Fn(&str, i64) -> Option<String>,
) {
    let mut event = Event {
        ours,
        fields,
        table,
        seen: BTreeSet::new(),
    };
    event.apply_all(kind.rules, fields);
    for key in ours.as_object().unwrap().keys() {
        let known =
            event.seen.contains(key) || HEADER.contains(&&**key) || kind.more.contains(&&**key);
        assert!(known, "{key} of {ours} is not in {fields}");
    }
}
