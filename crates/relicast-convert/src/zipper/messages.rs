//! Message libraries: one document per language, texts joined by id and key.

use crate::documents::DocumentForm;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::options::ConvertOptions;
use crate::{
    ConvertError, Converter, Dependency, Disposition, OutputRole, OutputSpec, Sink, SkipCode,
    SkipReason, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::messages::{self, Language, Message, MessageFile};
use relicast_scene::{Asset, Document};

/// A DLL that may hold messages.
#[derive(Debug)]
pub(crate) struct MessageLibrary<'a> {
    file: MessageFile<'a>,
    deviations: Deviations,
    length: u64,
}

impl<'a> MessageLibrary<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let Decoded { value, deviations } = messages::decode(bytes)?;
        Ok(Self {
            file: value,
            deviations,
            length: bytes.len() as u64,
        })
    }

    /// The item for a language; the `first` carries the typed decode of the whole file.
    fn item(
        &self,
        suffix: Option<String>,
        verdict: Disposition,
        options: &ConvertOptions,
        first: bool,
    ) -> SourceItem {
        let mut wanted = Vec::new();
        if verdict == Disposition::Convert {
            wanted.push(OutputSpec::DOCUMENT);
            if first {
                wanted.extend(OutputSpec::raw(options));
            }
        }
        SourceItem {
            suffix,
            verdict,
            ..SourceItem::whole(Kind::MessageDll, 0..self.length, wanted)
        }
    }
}

impl Converter for MessageLibrary<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        if self.file.languages.is_empty() {
            let reason = "the library has no messages".to_owned();
            return vec![self.item(
                None,
                Disposition::Skip(SkipReason::new(SkipCode::Empty, reason)),
                options,
                true,
            )];
        }
        let languages = self.file.languages.iter().enumerate();
        languages
            .map(|(index, language)| {
                let suffix = language_tag(language.language_id);
                self.item(Some(suffix), Disposition::Convert, options, index == 0)
            })
            .collect()
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        _config: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        if let Some(language) = self.file.languages.get(index) {
            let document = Document::new(LanguageDocument::new(language));
            sink.take(OutputRole::Main, Asset::Document(document))?;
        }
        sink.take_raw(|| Document::new(&self.file))?;
        Ok(Deviations::default())
    }
}

/// The texts of the message libraries among the dependencies of a file: English if available, else neutral, else of
/// the first language.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    by_key: BTreeMap<String, String>,
    by_id: BTreeMap<u32, String>,
}

impl Texts {
    pub(crate) fn new(dependencies: &[Dependency<'_>]) -> Self {
        // The lower ten bits are the language without its region.
        let rank = |language_id: u16| match language_id & 0x3FF {
            9 => 0,
            0 => 1,
            _ => 2,
        };
        let mut by_key: BTreeMap<String, (u8, String)> = BTreeMap::new();
        let mut by_id: BTreeMap<u32, (u8, String)> = BTreeMap::new();
        let libraries = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::MessageDll);
        for library in libraries {
            let Ok(decoded) = messages::decode(library.bytes) else {
                continue;
            };
            for language in &decoded.value.languages {
                let rank = rank(language.language_id);
                for message in &language.entries {
                    let Some(text) = &message.value else {
                        continue;
                    };
                    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
                    if text.is_empty() {
                        continue;
                    }
                    if let Some(key) = &message.key {
                        let known = by_key.get(key).is_some_and(|(known, _)| *known <= rank);
                        if !known {
                            by_key.insert(key.clone(), (rank, text.clone()));
                        }
                    }
                    let known = by_id.get(&message.id);
                    if known.is_none_or(|(known, _)| *known > rank) {
                        by_id.insert(message.id, (rank, text));
                    }
                }
            }
        }
        let (by_key, by_id) = (by_key.into_iter(), by_id.into_iter());
        Self {
            by_key: by_key.map(|(key, (_, text))| (key, text)).collect(),
            by_id: by_id.map(|(id, (_, text))| (id, text)).collect(),
        }
    }

    /// The text of a number, in one line: of the first library that has it.
    pub(crate) fn numbered(&self, id: u32) -> Option<String> {
        self.by_id.get(&id).cloned()
    }

    /// The text of a key, in one line; none if it is empty.
    pub(crate) fn get(&self, key: &str) -> Option<String> {
        self.by_key.get(key).cloned()
    }
}

/// Short name of a language for file names: its tag, or the LANGID where the tag is unknown.
fn language_tag(language_id: u16) -> String {
    let tag = match language_id {
        1028 => "zh-tw",
        1029 => "cs",
        1031 => "de",
        1033 => "en",
        2057 => "en-gb",
        1034 | 3082 => "es",
        1036 => "fr",
        1038 => "hu",
        1040 => "it",
        1041 => "ja",
        1042 => "ko",
        1045 => "pl",
        1046 => "pt-br",
        2070 => "pt",
        1049 => "ru",
        2052 => "zh-cn",
        other => return format!("lang{other}"),
    };
    tag.to_owned()
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LanguageDocument<'a> {
    language_id: u16,
    language: String,
    code_page: u16,
    entries: &'a [Message<'a>],
}

impl<'a> LanguageDocument<'a> {
    fn new(language: &'a Language<'_>) -> Self {
        Self {
            language_id: language.language_id,
            language: language_tag(language.language_id),
            code_page: language.code_page,
            entries: &language.entries,
        }
    }
}

/// The document of a language.
///
/// # Errors
/// Never: all keys are texts.
pub fn document(language: &Language<'_>) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(LanguageDocument::new(language))
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<LanguageDocument<'static>>(
    "messages",
    "The messages of a library in one language",
)];
