//! PREMIS 3: sources and outputs as objects, conversions as events, programs as agents.
//!
//! The events are those of the report: a migration or a replication for each source with outputs, a failed one for each
//! that could not be converted, and an identification for each that was skipped. The packaging itself is an event only
//! if its time is given.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use jiff::Timestamp;

use super::facts::{Facts, Payload, failures};
use super::media::{media_type, of_source, pronom};
use crate::pipeline::report::manifest::{CONVERTER, InputNumber, ManifestOutput, ManifestSource};
use crate::pipeline::report::{SourceReport, Status};

/// Name of the file next to the outputs.
pub(super) const FILE_NAME: &str = "premis.xml";

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<premis xmlns="http://www.loc.gov/premis/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.loc.gov/premis/v3 http://www.loc.gov/standards/premis/v3/premis.xsd" version="3.0">
"#;

/// The document.
pub(super) fn document(facts: &Facts<'_>) -> String {
    let outputs: HashMap<&str, &ManifestOutput> = facts
        .manifest
        .outputs
        .iter()
        .map(|output| (&*output.path, output))
        .collect();
    let mut xml = Xml(HEAD.to_owned());
    let kinds: HashMap<(InputNumber, &str), &str> = facts
        .sources()
        .map(|source| ((source.input, &*source.path), &*source.kind))
        .collect();
    for (source, number) in facts.manifest.sources.iter().zip(0_u32..) {
        let kind = kinds.get(&(source.input, &*source.path)).copied();
        xml.source(source, number, kind.unwrap_or("unknown"));
    }
    for file in facts.payload {
        xml.output(facts.prefix, file, outputs.get(&*file.path).copied());
    }
    let mut agents = BTreeSet::from([format!("relicast {CONVERTER}")]);
    for output in &facts.manifest.outputs {
        agents.insert(format!("relicast {}", output.converter));
        agents.extend(output.tool.clone());
    }
    let numbers = facts.source_numbers();
    let mut count = 0;
    for source in facts.sources() {
        count += 1;
        let number = numbers.get(&(source.input, &*source.path)).copied();
        let made: Vec<&ManifestOutput> = source
            .items
            .iter()
            .flat_map(|item| &item.outputs)
            .filter_map(|path| outputs.get(&**path).copied())
            .collect();
        xml.event_of(facts, count, source, number, &made);
    }
    if let Some(time) = facts.packaged {
        xml.packaging(facts, count, time);
    }
    for agent in &agents {
        xml.agent(agent);
    }
    xml.0.push_str("</premis>\n");
    xml.0
}

/// Removes characters that XML cannot hold; control characters are escaped.
fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => cleaned.push_str("&amp;"),
            '<' => cleaned.push_str("&lt;"),
            '>' => cleaned.push_str("&gt;"),
            '\n' | '\t' => cleaned.push(character),
            '\u{fffe}' | '\u{ffff}' => cleaned.extend(character.escape_unicode()),
            _ if character.is_control() => cleaned.extend(character.escape_default()),
            _ => cleaned.push(character),
        }
    }
    cleaned
}

/// XML that is being written.
struct Xml(String);

impl Xml {
    /// Writes an element with child elements.
    fn within(&mut self, name: &str, fill: impl FnOnce(&mut Self)) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "<{name}>");
        fill(self);
        let end = name.split(' ').next().unwrap_or(name);
        let _ = writeln!(self.0, "</{end}>");
    }

    /// Writes an element with text.
    fn leaf(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.0, "<{name}>{}</{name}>", clean(text));
    }

    /// Type and value of an identifier, whose elements have different names in each context.
    fn identifier(&mut self, name: &str, value: &str) {
        self.leaf(&format!("{name}Type"), "local");
        self.leaf(&format!("{name}Value"), value);
    }

    fn fixity(&mut self, algorithm: &str, digest: &str) {
        self.within("fixity", |xml| {
            xml.leaf("messageDigestAlgorithm", algorithm);
            xml.leaf("messageDigest", digest);
        });
    }

    fn format(&mut self, name: &str, pronom: Option<&str>) {
        self.within("format", |xml| {
            xml.within("formatDesignation", |xml| xml.leaf("formatName", name));
            if let Some(key) = pronom {
                xml.within("formatRegistry", |xml| {
                    xml.leaf("formatRegistryName", "PRONOM");
                    xml.leaf("formatRegistryKey", key);
                });
            }
        });
    }

    /// A source, which is not in the package; `kind` gives its format.
    fn source(&mut self, source: &ManifestSource, number: u32, kind: &str) {
        self.within("object xsi:type=\"file\"", |xml| {
            xml.within("objectIdentifier", |xml| {
                xml.identifier("objectIdentifier", &source_id(number));
            });
            xml.within("objectCharacteristics", |xml| {
                xml.fixity("BLAKE3", &source.blake3);
                xml.leaf("size", &source.size.to_string());
                let known = of_source(kind, &source.path);
                xml.format(kind, known.and_then(|known| known.1));
            });
            xml.leaf("originalName", &source.path);
        });
    }

    /// A file of the package; `made` describes the conversion if it is an output.
    fn output(&mut self, prefix: &str, file: &Payload, made: Option<&ManifestOutput>) {
        self.within("object xsi:type=\"file\"", |xml| {
            xml.within("objectIdentifier", |xml| {
                xml.identifier("objectIdentifier", &format!("{prefix}{}", file.path));
            });
            xml.within("objectCharacteristics", |xml| {
                xml.fixity("SHA-256", &file.digests.sha256);
                xml.fixity("BLAKE3", &file.digests.blake3);
                xml.leaf("size", &file.digests.size.to_string());
                xml.format(media_type(&file.path), pronom(&file.path));
            });
            let Some(output) = made else {
                return;
            };
            if let Some(member) = &output.member {
                xml.leaf("originalName", member);
            }
            if output.made_from.is_empty() {
                return;
            }
            xml.within("relationship", |xml| {
                xml.leaf("relationshipType", "derivation");
                xml.leaf("relationshipSubType", "has source");
                for &number in &output.made_from {
                    xml.within("relatedObjectIdentifier", |xml| {
                        let source = source_id(number);
                        xml.identifier("relatedObjectIdentifier", &source);
                    });
                }
            });
        });
    }

    /// The event of a source.
    fn event_of(
        &mut self,
        facts: &Facts<'_>,
        number: usize,
        source: &SourceReport,
        object: Option<u32>,
        made: &[&ManifestOutput],
    ) {
        let failures = failures(source);
        let (kind, outcome) = match (made.is_empty(), failures.is_empty(), source.status) {
            (true, true, _) => ("format identification", "success"),
            (_, false, _) => (
                "migration",
                if made.is_empty() { "fail" } else { "partial" },
            ),
            (false, true, Status::Copied) => ("replication", "success"),
            (false, true, _) => ("migration", "success"),
        };
        let reason = source.reason.iter().filter(|_| failures.is_empty());
        let reason = reason.map(|reason| &reason.text);
        let notes: Vec<String> = failures.iter().chain(reason).cloned().collect();
        self.within("event", |xml| {
            xml.within("eventIdentifier", |xml| {
                xml.identifier("eventIdentifier", &format!("event-{number}"));
            });
            xml.leaf("eventType", kind);
            xml.leaf("eventDateTime", &facts.run.to_string());
            xml.within("eventDetailInformation", |xml| {
                let detail = format!(
                    "{}: {} ({})",
                    source.path,
                    source.kind,
                    source.status.label()
                );
                xml.leaf("eventDetail", &detail);
            });
            xml.within("eventOutcomeInformation", |xml| {
                xml.leaf("eventOutcome", outcome);
                for note in &notes {
                    xml.within("eventOutcomeDetail", |xml| {
                        xml.leaf("eventOutcomeDetailNote", note);
                    });
                }
            });
            let mut agents = BTreeSet::new();
            for output in made {
                agents.insert(format!("relicast {}", output.converter));
                agents.extend(output.tool.clone());
            }
            if agents.is_empty() {
                agents.insert(format!("relicast {}", facts.report.converter));
            }
            agents.iter().for_each(|agent| xml.link_agent(agent));
            if let Some(object) = object {
                xml.link_object(&source_id(object), "source");
            }
            for output in made {
                xml.link_object(&format!("{}{}", facts.prefix, output.path), "outcome");
            }
        });
    }

    /// The event of the packaging.
    fn packaging(&mut self, facts: &Facts<'_>, count: usize, time: Timestamp) {
        let events = [
            ("fixity check", "every output matches the manifest"),
            ("information package creation", facts.name),
        ];
        for ((kind, detail), number) in events.into_iter().zip(count + 1..) {
            self.within("event", |xml| {
                xml.within("eventIdentifier", |xml| {
                    xml.identifier("eventIdentifier", &format!("event-{number}"));
                });
                xml.leaf("eventType", kind);
                xml.leaf("eventDateTime", &time.to_string());
                xml.within("eventDetailInformation", |xml| {
                    xml.leaf("eventDetail", detail)
                });
                xml.within("eventOutcomeInformation", |xml| {
                    xml.leaf("eventOutcome", "success")
                });
                xml.link_agent(&format!("relicast {CONVERTER}"));
            });
        }
    }

    fn link_agent(&mut self, agent: &str) {
        self.within("linkingAgentIdentifier", |xml| {
            xml.identifier("linkingAgentIdentifier", agent);
            xml.leaf("linkingAgentRole", "executing program");
        });
    }

    fn link_object(&mut self, object: &str, role: &str) {
        self.within("linkingObjectIdentifier", |xml| {
            xml.identifier("linkingObjectIdentifier", object);
            xml.leaf("linkingObjectRole", role);
        });
    }

    /// A program: a name, a space, its version.
    fn agent(&mut self, agent: &str) {
        let (name, version) = agent.split_once(' ').unwrap_or((agent, "unknown"));
        self.within("agent", |xml| {
            xml.within("agentIdentifier", |xml| {
                xml.identifier("agentIdentifier", agent);
            });
            xml.leaf("agentName", name);
            xml.leaf("agentType", "software");
            xml.leaf("agentVersion", version);
        });
    }
}

/// Identifier of a source.
fn source_id(number: u32) -> String {
    format!("source-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_the_document() {
        assert_eq!(clean("a<b>&\u{1}c"), "a&lt;b&gt;&amp;\\u{1}c");
        let mut xml = Xml(String::new());
        xml.within("a b=\"c\"", |xml| xml.leaf("d", "]]>"));
        assert_eq!(xml.0, "<a b=\"c\">\n<d>]]&gt;</d>\n</a>\n");
    }
}
