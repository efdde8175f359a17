//! Rock Ridge: names of any length, links and relocated folders, in the system use areas of ISO 9660
//! records. On discs without Joliet, these are the original names of the files.
//!
//! Source: IEEE P1281 (fields shared by systems) and P1282 (the fields themselves). Owners, times and
//! permissions are not read.

use super::record::{Record, Sectors, word};
use super::sector::USER;

/// Maximum number of continuation areas of one record.
const MAX_AREAS: usize = 4;

/// Start of the field that marks a disc with such fields and states the offset of the others.
const SHARED: &[u8] = b"SP\x07\x01\xBE\xEF";

/// Bytes before the fields of a disc with an extended architecture.
const EXTENDED: usize = 14;

/// Settings that locate the Rock Ridge fields of a disc.
#[derive(Debug, Clone, Copy)]
pub(super) struct RockRidge {
    skipped: usize,
}

/// Values of the fields of a record.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// The name; empty when there is none.
    pub name: Vec<u8>,
    /// The record is a symbolic link.
    pub is_link: bool,
    /// The record is a relocated folder (RE), which belongs elsewhere in the tree.
    pub is_relocated: bool,
    /// Child link (CL): sector of the relocated folder that belongs here in the tree.
    pub child_link: Option<u64>,
}

/// Continuation area of fields.
struct Area {
    sector: u64,
    offset: usize,
    length: usize,
}

impl RockRidge {
    /// Detects Rock Ridge by the root folder's record of itself.
    pub fn of_root(record: &Record<'_>) -> Option<Self> {
        [0, EXTENDED].into_iter().find_map(|place| {
            let field = record.system.get(place..)?;
            let skipped = field.strip_prefix(SHARED)?.first()?;
            Some(Self {
                skipped: usize::from(*skipped),
            })
        })
    }

    /// Parses the fields of a record; areas that cannot be read count as absent.
    pub fn fields(self, record: &Record<'_>, sectors: &dyn Sectors) -> Fields {
        let mut fields = Fields::default();
        let start = record.system.get(self.skipped..).unwrap_or_default();
        let mut next = fields.take(start);
        for _ in 0..MAX_AREAS {
            let Some(area) = next else {
                break;
            };
            let mut bytes = [0; USER];
            if sectors.read(area.sector, &mut bytes).is_err() {
                break;
            }
            let bytes = bytes.get(area.offset..).unwrap_or_default();
            next = fields.take(bytes.get(..area.length).unwrap_or(bytes));
        }
        fields
    }
}

impl Fields {
    /// Applies the fields of an area, and returns its continuation.
    fn take(&mut self, mut rest: &[u8]) -> Option<Area> {
        let mut next = None;
        while let [first, second, length, _, ..] = *rest {
            let (field, behind) = rest.split_at_checked(usize::from(length))?;
            let body = field.get(4..)?;
            match &[first, second] {
                b"NM" => {
                    // Other flags stand for the folder itself and the one above.
                    if let [0 | 1, name @ ..] = body {
                        self.name.extend_from_slice(name);
                    }
                }
                b"CE" => {
                    next = Some(Area {
                        sector: u64::from(word(body, 0)),
                        offset: usize::try_from(word(body, 8)).unwrap_or(USER),
                        length: usize::try_from(word(body, 16)).unwrap_or_default(),
                    });
                }
                b"CL" => self.child_link = Some(u64::from(word(body, 0))),
                b"RE" => self.is_relocated = true,
                b"SL" => self.is_link = true,
                b"ST" => break,
                _ => {}
            }
            rest = behind;
        }
        next
    }
}
