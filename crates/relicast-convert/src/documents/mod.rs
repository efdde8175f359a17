//! Kinds of documents, and the JSON Schema of each.
//!
//! ```
//! use relicast_convert::documents;
//!
//! let motion = documents::forms().into_iter().find(|form| form.name == "motion").unwrap();
//! assert!(documents::text_of(&motion).contains("\"properties\""));
//! ```

mod embedded;
mod form;

use std::sync::LazyLock;

pub use form::DocumentForm;

use super::shared::cabinet::ContainerDocument;
use super::shared::disc::DiscDocument;
use super::{everquest, single_value, zipper};
use relicast_codec::Described;
use relicast_formats::kind::{DecodedType, Kind};
use relicast_formats::registry::DecodedFile;
use relicast_formats::zipper::mechlib::MechModel;
use relicast_formats::zipper::texture::package::{Directory, Image};
use relicast_scene::{Document, extras};

/// Forms of documents that belong to no family of games.
const SHARED: &[DocumentForm] = &[
    DocumentForm::of::<DiscDocument<'static>>("disc", "A disc: its tracks and files"),
    DocumentForm::of::<ContainerDocument<'static>>("cabinet", "A cabinet: its volumes and members"),
    VALUES,
];

/// Forms of the extras of glTF files, which are not documents of their own.
const EXTRAS: &[DocumentForm] = &[
    DocumentForm::of::<extras::zipper::Facts>(
        "extras-zipper",
        "Extras of objects of glTF files, below the key `zipper`",
    ),
    DocumentForm::of::<extras::everquest::Facts>(
        "extras-everquest",
        "Extras of objects of glTF files, below the key `everquest`",
    ),
    DocumentForm::of::<extras::ToolFacts>(
        "extras-relicast",
        "Extras of glTF files for import scripts, below the key `relicast`",
    ),
];

/// Form of documents whose values have no types.
const VALUES: DocumentForm =
    DocumentForm::of::<serde_json::Value>("values", "Decoded values by the names of their fields");

/// Forms of typed decodes of parts of a source, or of any source.
const DECODES: &[DocumentForm] = &[
    DocumentForm::of::<Image<'static>>("raw-texture", "The typed decode of a texture"),
    DocumentForm::of::<Directory>(
        "raw-texture-directory",
        "The typed decode of the table of a texture package",
    ),
    DocumentForm::of::<MechModel>("raw-mech", "The typed decode of a model of a library"),
    DocumentForm::of::<DecodedFile<'static>>(
        "raw-decoded",
        "A typed decode under the name of its format",
    ),
];

/// All forms: those of documents by their content, those of extras, then those of typed decodes, named `raw-` and the
/// kind of the source.
pub fn forms() -> Vec<DocumentForm> {
    let families = zipper::FORMS.iter().chain(everquest::FORMS);
    let documents = families.copied().chain([single_value::FORMS, SHARED]);
    let documents = documents.flatten().cloned();
    let decodes = Kind::ALL
        .iter()
        .filter_map(|&kind| DecodedFile::visit_type(kind, Raw(kind)));
    documents
        .chain(EXTRAS.iter().cloned())
        .chain(DECODES.iter().cloned())
        .chain(decodes)
        .collect()
}

/// The form of a document; if it has none of its own, that of values of any kind.
pub fn form_of(document: &Document<'_>) -> &'static DocumentForm {
    static FORMS: LazyLock<Vec<DocumentForm>> = LazyLock::new(forms);
    static ANY: DocumentForm = VALUES;
    FORMS
        .iter()
        .find(|form| form.is_of(document))
        .unwrap_or(&ANY)
}

/// The path of a schema below an output folder.
pub fn path_of(form: &DocumentForm) -> String {
    format!("schemas/{}.schema.json", form.name)
}

/// The relative path from the output `path` to the schema of the document in it.
pub fn place_from(path: &str, document: &Document<'_>) -> String {
    let up = "../".repeat(path.matches('/').count());
    format!("{up}{}", path_of(form_of(document)))
}

/// A kind as `relicast formats --json` names it.
fn name_of(kind: Kind) -> String {
    let name = serde_json::to_value(kind).ok();
    name.and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// The schema of a form as a file: JSON Schema (draft 2020-12), with its kind and version.
pub fn text_of(form: &DocumentForm) -> &'static str {
    let found = embedded::SCHEMAS
        .iter()
        .find(|(name, _)| *name == form.name);
    found.map_or("", |(_, text)| text)
}

/// Makes the form of the typed decode of a kind.
struct Raw(Kind);

impl DecodedType for Raw {
    type Output = DocumentForm;

    fn visit<T: Described>(self) -> DocumentForm {
        let format = self.0.format();
        DocumentForm::new::<T>(
            format!("raw-{}", name_of(self.0)).into(),
            format!("The typed decode of: {}", format.label).into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_form_has_a_name_of_its_own_and_a_schema() {
        let forms = forms();
        let names: BTreeSet<_> = forms.iter().map(|form| &form.name).collect();
        assert_eq!(names.len(), forms.len());
        assert_eq!(embedded::SCHEMAS.len(), forms.len());
        for form in &forms {
            let schema: serde_json::Value = serde_json::from_str(text_of(form)).unwrap();
            assert_eq!(schema["title"], *form.name);
        }
    }
}
