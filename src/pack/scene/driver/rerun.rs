//! Scenes of one game file converted again, into a separate folder: the original ones, and the packed ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::error::SceneError;
use super::scope::Scope;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::error::access;
use crate::pack::in_place::Originals;
use crate::pipeline::progress::Unobserved;
use crate::pipeline::request::Request;
use crate::pipeline::run::convert;

/// A conversion that is run again.
#[derive(Debug)]
pub(in crate::pack::scene) struct Rerun<'r> {
    /// The original install.
    pub originals: &'r Originals,
    /// The file of the scenes, below the install.
    pub source: &'r str,
    /// The items of the install that they need.
    pub scope: &'r Scope,
    /// The settings.
    pub config: &'r Config,
    /// True if packed pictures are compared too, not only shapes.
    pub with_pictures: bool,
    /// True if all files are converted: documents name outputs of others than their own.
    pub everything: bool,
}

/// A folder with outputs.
#[derive(Debug)]
pub(in crate::pack::scene) struct Outputs {
    folder: TempDir,
}

impl Outputs {
    /// The bytes of an output.
    pub(in crate::pack::scene) fn read(&self, path: &str) -> Option<Vec<u8>> {
        relicast_source::bytes::read_document(self.path(path)).ok()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("out").join(path)
    }
}

impl Rerun<'_> {
    /// Converts with other bytes for the file of the scenes.
    ///
    /// # Errors
    /// As for [`Rerun::run`].
    pub(in crate::pack::scene) fn run_with(&self, bytes: Vec<u8>) -> Result<Outputs, SceneError> {
        self.run(Some(&BTreeMap::from([(self.source.to_owned(), bytes)])))
    }

    /// Converts, with other bytes for these files if there are any.
    ///
    /// # Errors
    /// It could not be converted, or a file cannot be read or written.
    pub(in crate::pack::scene) fn run(
        &self,
        replaced: Option<&BTreeMap<String, Vec<u8>>>,
    ) -> Result<Outputs, SceneError> {
        let temporary = std::env::temp_dir();
        let folder = tempfile::tempdir().map_err(access(&temporary))?;
        let install = folder.path().join("install");
        for path in &self.scope.sources {
            let to = install.join(path);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(access(parent))?;
            }
            match replaced.and_then(|files| files.get(path)) {
                Some(bytes) => fs::write(&to, bytes).map_err(access(&to))?,
                None => fs::write(&to, self.originals.read(path)?).map_err(access(&to))?,
            }
        }
        let source = globset::escape(self.source);
        let only = match self.scope.members.is_empty() {
            _ if self.everything => Vec::new(),
            true => vec![source],
            false => {
                let members = self.scope.members.iter();
                members
                    .map(|member| {
                        format!("{source}/{}", globset::escape(&member.replace('\\', "/")))
                    })
                    .collect()
            }
        };
        let request = Request {
            inputs: vec![install],
            out: folder.path().join("out"),
            only,
            // Scenes name the pictures that are written with them.
            no_needs: replaced.is_some() && !self.with_pictures,
            config: self.config.clone(),
            ..Request::default()
        };
        match convert(&request, &Unobserved, &AtomicBool::new(false)) {
            Ok(_) => Ok(Outputs { folder }),
            Err(error) => Err(Refusal::new(error).into()),
        }
    }
}
