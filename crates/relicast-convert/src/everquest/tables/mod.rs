//! Tables of an install, as documents with named fields.
//!
//! - [`spells`] — spells, and their visual effects;
//! - [`grass`] — cards of grass of a zone;
//! - [`lists`] — text lists with columns;
//! - [`maps`] — maps of zones;
//! - [`settings`] — skies, weather and the like.

mod grass;
mod lists;
mod maps;
mod settings;
mod spells;

pub(crate) use grass::FORMS as GRASS;
pub(crate) use lists::FORMS as LISTS;
pub(crate) use maps::FORMS as MAPS;
pub(crate) use settings::FORMS as SETTINGS;
pub(crate) use spells::FORMS as SPELLS;

use crate::options::ConvertOptions;
use crate::{
    ConvertError, Converter, Dependency, OpenContext, OutputRole, OutputSpec, Sink, SourceItem,
};
use relicast_codec::{Decoded, Deviations};
use relicast_formats::decoded_file::{self, DecodedFile};
use relicast_formats::everquest::eqg::emitters;
use relicast_formats::everquest::readable;
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::{Asset, Document};

/// A file with a table.
#[derive(Debug)]
pub(crate) struct TableFile<'a> {
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    /// Names of the emitters that the table numbers.
    emitters: Vec<String>,
    deviations: Deviations,
}

impl<'a> TableFile<'a> {
    pub(crate) fn new(context: &OpenContext<'a, '_>) -> Self {
        let emitters = match context.kind {
            Kind::SpellStages => names_of_emitters(context.dependencies),
            _ => Vec::new(),
        };
        Self {
            kind: context.kind,
            name: context.name,
            bytes: context.bytes,
            emitters,
            deviations: Deviations::default(),
        }
    }
}

/// Names of the records of the definitions among the dependencies.
fn names_of_emitters(dependencies: &[Dependency<'_>]) -> Vec<String> {
    let mut definitions = dependencies.iter();
    let found = definitions.find(|dependency| dependency.kind == Kind::EmitterDefinitions);
    let decoded = found.and_then(|found| emitters::decode(found.bytes).ok());
    let records = decoded.map(|decoded| decoded.value.definitions);
    let records = records.unwrap_or_default().into_iter();
    records.map(|record| spells::text(&record.name)).collect()
}

impl Converter for TableFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let mut wanted = vec![OutputSpec::DOCUMENT];
        wanted.extend(OutputSpec::raw(options));
        let range = 0..self.bytes.len() as u64;
        let whole = SourceItem::whole(self.kind, range, wanted);
        vec![SourceItem {
            // The zone itself has the name of its file.
            suffix: (self.kind == Kind::GrassCards).then(|| "grass".to_owned()),
            ..whole
        }]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let style = options.documents.style;
        // Lists may have very many rows, which are written as they are read.
        match self.kind {
            Kind::TextList => {
                readable::check_list(self.name, self.bytes)?;
                let main = lists::document(self.name, self.bytes, style);
                sink.take(OutputRole::Main, Asset::Document(main))?;
                return self.raw(sink);
            }
            Kind::ZoneMap => {
                readable::check_map(self.bytes)?;
                let mut deviations = Deviations::default();
                let main = maps::document(self.name, self.bytes, style, &mut deviations);
                sink.take(OutputRole::Main, Asset::Document(main))?;
                self.raw(sink)?;
                return Ok(deviations);
            }
            Kind::WorldSettings => {
                readable::check_settings(self.bytes)?;
                let main = settings::document(self.name, self.bytes);
                sink.take(OutputRole::Main, Asset::Document(main))?;
                return self.raw(sink);
            }
            _ => {}
        }
        let context = ArchiveContext::default();
        let decoded = decoded_file::decode(self.kind, self.name, self.bytes, &context);
        let Some(Decoded { value, deviations }) = decoded.transpose()? else {
            return Ok(Deviations::default());
        };
        let main = match &value {
            DecodedFile::SpellTable(table) => spells::table(table, style),
            DecodedFile::SpellSprites(table) => spells::sprites(table, style),
            DecodedFile::SpellStages(table) => spells::stages(table, &self.emitters, style),
            DecodedFile::Grass(cards) => grass::document(cards, style),
            other => Document::new(other),
        };
        sink.take(OutputRole::Main, Asset::Document(main))?;
        sink.take_raw(|| Document::new(&value))?;
        Ok(deviations)
    }
}

impl TableFile<'_> {
    /// The lines of a text, if they are wanted.
    fn raw(&self, sink: &mut dyn Sink) -> Result<Deviations, ConvertError> {
        if sink.wants(OutputRole::Raw) {
            let context = ArchiveContext::default();
            let raw = decoded_file::decode(self.kind, self.name, self.bytes, &context);
            if let Some(raw) = raw.transpose()? {
                let raw = Document::new(&raw.value);
                sink.take(OutputRole::Raw, Asset::Document(raw))?;
            }
        }
        Ok(Deviations::default())
    }
}
