//! Installs with their outputs, converted once for all tests of this program that begin with the same.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use relicast::config::Config;
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast_samples::SampleFile;
use sha2::{Digest, Sha256};

use crate::common::files;

/// The file that names the folder of the install: a run over it belongs to the same input only if the name is right.
const REPORT: &str = "report.json";

/// The name of the folder in a stored report.
const PLACEHOLDER: &str = "@FOLDER@";

/// Outputs by path.
type Outputs = Vec<(String, Vec<u8>)>;

type Cache = HashMap<Vec<u8>, Arc<OnceLock<Outputs>>>;

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// Writes an install to `folder/install` and its outputs to `folder/out`.
pub fn write(folder: &Path, install: &[SampleFile], config: Config) {
    relicast_samples::write_files(&folder.join("install"), install).unwrap();
    let key = key(install, &config);
    let outputs = Arc::clone(CACHE.lock().unwrap().entry(key).or_default());
    let mut is_new = false;
    let outputs = outputs.get_or_init(|| {
        is_new = true;
        convert_install(folder, config);
        read(folder)
    });
    if !is_new {
        for (path, bytes) in outputs {
            let to = folder.join("out").join(path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            if path == REPORT {
                let text = str::from_utf8(bytes).unwrap();
                fs::write(to, text.replace(PLACEHOLDER, &shown(folder))).unwrap();
            } else {
                fs::write(to, bytes).unwrap();
            }
        }
    }
}

fn convert_install(folder: &Path, config: Config) {
    let request = Request {
        inputs: vec![folder.join("install")],
        out: folder.join("out"),
        config,
        ..Request::default()
    };
    convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
}

fn read(folder: &Path) -> Outputs {
    let out = folder.join("out");
    let read = |path: String| {
        let bytes = fs::read(out.join(&path)).unwrap();
        if path == REPORT {
            let text = String::from_utf8(bytes).unwrap();
            let text = text.replace(&shown(folder), PLACEHOLDER);
            return (path, text.into_bytes());
        }
        (path, bytes)
    };
    files(&out).into_iter().map(read).collect()
}

/// A folder as it is in a report.
fn shown(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap();
    let text = serde_json::to_string(folder.to_str().unwrap()).unwrap();
    text.trim_matches('"').to_owned()
}

/// A digest of the files and of the configuration.
fn key(install: &[SampleFile], config: &Config) -> Vec<u8> {
    let mut hash = Sha256::new();
    for file in install {
        for bytes in [file.path.as_bytes(), &file.bytes] {
            hash.update(bytes.len().to_le_bytes());
            hash.update(bytes);
        }
    }
    hash.update(config.to_toml().unwrap());
    hash.finalize().to_vec()
}
