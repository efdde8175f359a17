//! Files that settings name.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use relicast_formats::everquest::server_tables::{self, Row};

/// Maximum size of a server's table, in bytes.
const MAX_TABLE_BYTES: u64 = 256 << 20;

/// BLAKE3 of files, with their size and modification time when they were read.
type Digests = HashMap<PathBuf, (u64, Option<SystemTime>, String)>;

/// BLAKE3 of the file at `path`; a file is read again when its size or modification time has changed.
pub(super) fn file_digest(path: &Path) -> String {
    static DIGESTS: Mutex<Option<Digests>> = Mutex::new(None);
    let Ok(facts) = fs::metadata(path) else {
        return "unreadable".to_owned();
    };
    let state = (facts.len(), facts.modified().ok());
    let mut digests = DIGESTS.lock().unwrap_or_else(PoisonError::into_inner);
    let digests = digests.get_or_insert_default();
    if let Some((size, time, digest)) = digests.get(path)
        && (*size, *time) == state
    {
        return digest.clone();
    }
    let digest = match fs::read(path) {
        Ok(bytes) => blake3::hash(&bytes).to_hex().to_string(),
        Err(_) => "unreadable".to_owned(),
    };
    let row = (state.0, state.1, digest.clone());
    digests.insert(path.to_owned(), row);
    digest
}

/// Tables of a server: one file or several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "OneOrMany", into = "Vec<PathBuf>")]
pub struct ServerTables(pub Vec<PathBuf>);

/// A file, or a list of files.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a file or a list of files")]
enum OneOrMany {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

impl From<OneOrMany> for ServerTables {
    fn from(files: OneOrMany) -> Self {
        match files {
            OneOrMany::One(file) if file.as_os_str().is_empty() => Self::default(),
            OneOrMany::One(file) => Self(vec![file]),
            OneOrMany::Many(files) => Self(files),
        }
    }
}

impl From<ServerTables> for Vec<PathBuf> {
    fn from(tables: ServerTables) -> Self {
        tables.0
    }
}

/// Name of a file, and its rows.
pub type NamedRows = (String, Arc<Vec<Row>>);

impl ServerTables {
    /// BLAKE3 of each file.
    pub fn digests(&self) -> Vec<String> {
        self.0.iter().map(|path| file_digest(path)).collect()
    }

    /// Rows of all tables, with the name of each file.
    ///
    /// # Errors
    /// A file cannot be read, or is not such a table; the text names it.
    pub fn read(&self) -> Result<Vec<NamedRows>, String> {
        let tables = self.0.iter().map(|path| {
            let rows = read_rows(path).map_err(|fault| format!("{}: {fault}", path.display()))?;
            let name = path.file_name().unwrap_or(path.as_os_str());
            Ok((name.to_string_lossy().into_owned(), rows))
        });
        tables.collect()
    }
}

/// Rows of tables, with the digest of the file when they were read.
type KnownRows = HashMap<PathBuf, (String, Arc<Vec<Row>>)>;

/// Reads the rows of a table. They are cached until the file changes, because each zone of a run needs them.
fn read_rows(path: &Path) -> Result<Arc<Vec<Row>>, String> {
    static ROWS: Mutex<Option<KnownRows>> = Mutex::new(None);
    let digest = file_digest(path);
    let mut known = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some((of, rows)) = known.get(path)
        && *of == digest
    {
        return Ok(Arc::clone(rows));
    }
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_TABLE_BYTES {
        return Err(format!("{size} bytes, expected at most {MAX_TABLE_BYTES}"));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let rows = Arc::new(server_tables::read(&bytes)?);
    known.insert(path.to_owned(), (digest, Arc::clone(&rows)));
    Ok(rows)
}
