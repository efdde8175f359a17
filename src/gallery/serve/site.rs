//! Content of each path: the browser application, the catalog, and the outputs.

use std::collections::HashMap;
use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::request::Hosts;
use crate::gallery::asset::Setting;
use crate::gallery::bundle;
use crate::gallery::catalog::Catalog;
use crate::gallery::kinds::extension;
use crate::pipeline::report::converted::open_output;

/// Prefix of outputs, as pages see it.
const SETTING: Setting<'_> = Setting {
    base: "out/",
    is_served: true,
    embed: "none",
};

/// File, its media type, and its origin.
#[derive(Debug)]
pub(super) enum Found {
    /// Bytes of the program.
    Own {
        /// The bytes.
        bytes: Arc<[u8]>,
        /// Media type.
        media: &'static str,
    },
    /// File of a game.
    Output {
        /// Open file.
        file: File,
        /// Media type.
        media: &'static str,
    },
}

/// Content of the server.
#[derive(Debug)]
pub(super) struct Site {
    root: PathBuf,
    catalog: Catalog,
    hosts: Hosts,
    /// Requested parts of the catalog, plain and compressed, by name.
    made: Mutex<HashMap<String, Arc<[u8]>>>,
}

impl Site {
    /// Site of the outputs in `root`, at `address` and with these names.
    pub fn new(root: PathBuf, catalog: Catalog, address: SocketAddr, names: &[String]) -> Self {
        Self {
            root,
            catalog,
            hosts: Hosts::new(address, names),
            made: Mutex::new(HashMap::new()),
        }
    }

    /// Host names of the server.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// Number of assets.
    pub fn assets(&self) -> usize {
        self.catalog.len()
    }

    /// Content at `path`, without a leading slash. Accesses the file system, which takes time.
    pub fn find(&self, path: &str) -> Option<Found> {
        if let Some(output) = path.strip_prefix("out/") {
            return Some(Found::Output {
                file: open_output(&self.root, output)?,
                media: media_of_output(output),
            });
        }
        if path.starts_with("data/") {
            let bytes = self.cached(path, || self.data(path))?;
            let media = "application/json";
            return Some(Found::Own { bytes, media });
        }
        let name = if path.is_empty() { bundle::PAGE } else { path };
        Some(Found::Own {
            bytes: bundle::file(name)?.into(),
            media: media_of_bundle(name),
        })
    }

    fn data(&self, path: &str) -> Option<Vec<u8>> {
        let name = path.strip_prefix("data/")?;
        self.catalog.file(name, SETTING).ok().flatten()
    }

    /// Cached content with this name, created if necessary. Only names of catalog files occur, so the cache
    /// is bounded.
    pub fn cached(&self, name: &str, make: impl FnOnce() -> Option<Vec<u8>>) -> Option<Arc<[u8]>> {
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = made().get(name) {
            return Some(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = make()?.into();
        made().insert(name.to_owned(), Arc::clone(&bytes));
        Some(bytes)
    }
}

fn media_of_bundle(name: &str) -> &'static str {
    match extension(name) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "json" => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

/// Media type of an output. Types that a browser would execute become plain text.
fn media_of_output(path: &str) -> &'static str {
    match extension(path) {
        "gltf" => "model/gltf+json",
        "glb" => "model/gltf-binary",
        "json" => "application/json",
        "png" => "image/png",
        "tif" | "tiff" => "image/tiff",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "bmp" => "image/bmp",
        "wav" => "audio/wav",
        "flac" => "audio/flac",
        "mp3" => "audio/mpeg",
        "ogg" | "oga" => "audio/ogg",
        "mid" => "audio/midi",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mkv" => "video/x-matroska",
        "ogv" => "video/ogg",
        "txt" | "csv" | "script" | "h" | "ini" | "xml" | "htm" | "html" | "svg" | "rtf" => {
            "text/plain; charset=utf-8"
        }
        _ => "application/octet-stream",
    }
}

/// Returns whether content of this type compresses well.
pub(super) fn is_compressible(media: &str, path: &str) -> bool {
    media.starts_with("text/")
        || matches!(
            media,
            "application/json" | "model/gltf+json" | "image/svg+xml" | "application/wasm"
        )
        || extension(path) == "bin"
}
