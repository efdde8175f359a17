//! `relicast schema`: prints the JSON Schema of a kind of document.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::own_files;
use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{print, print_line, usage};
use relicast_convert::documents::{self, DocumentForm};

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Kind of document whose schema is printed. Without it, the kinds are listed.
    #[arg(value_name = "KIND", conflicts_with = "to")]
    kind: Option<String>,
    /// Write the schemas of all kinds into this folder, as KIND.schema.json.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Replace existing schemas that differ.
    #[arg(long, requires = "to")]
    force: bool,
}

/// Runs `schema`.
pub fn run(arguments: &Arguments) -> Exit {
    let forms = documents::forms();
    match (&arguments.kind, &arguments.to) {
        (Some(kind), _) => one(&forms, kind),
        (None, Some(folder)) => match write(&forms, folder, arguments.force) {
            Ok(()) => {
                print_line(&format!("{} schemas in {}", forms.len(), folder.display()));
                Exit::Success
            }
            Err(error) => usage(error),
        },
        (None, None) => {
            let width = forms.iter().map(|form| form.name.len()).max().unwrap_or(0);
            for form in &forms {
                print_line(&format!("{:width$}  {}", form.name, form.about));
            }
            Exit::Success
        }
    }
}

fn one(forms: &[DocumentForm], kind: &str) -> Exit {
    let Some(form) = forms.iter().find(|form| form.name == kind) else {
        let names = forms.iter().map(|form| &*form.name);
        let nearest = names.max_by(|a, b| {
            let likeness = |name| strsim::jaro_winkler(name, kind);
            likeness(a).total_cmp(&likeness(b))
        });
        return usage(format_args!(
            "no kind of document is called {kind}; did you mean {}? `relicast schema` lists all",
            nearest.unwrap_or_default()
        ));
    };
    print(documents::text_of(form).trim_end());
    Exit::Success
}

fn write(forms: &[DocumentForm], folder: &Path, force: bool) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write to {}: {error}", folder.display());
    let schemas = forms.iter().map(|form| {
        let path = folder.join(format!("{}.schema.json", form.name));
        (path, documents::text_of(form).into())
    });
    let schemas: Vec<_> = schemas.collect();
    fs::create_dir_all(folder).map_err(failed)?;
    own_files::write(&schemas, force)
}
