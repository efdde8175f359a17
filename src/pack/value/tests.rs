//! A large table needs no more trials than a small one.

use relicast_codec::{Blob, F32, PaddedText};
use relicast_convert::{self as convert, ConvertError, OpenContext, OutputRole, Sink};
use relicast_emit::{self as emit, Options};
use relicast_formats::everquest::spells::table::{self, Spell, SpellTable};
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::{Asset, Encoding};
use serde_json::{Value, json};

use super::{MAX_TRIES, put};
use crate::config::Config;
use crate::pack::digest::hash;
use crate::pack::edited::Edited;
use crate::pack::unit::Unit;
use crate::pipeline::report::manifest::ManifestOutput;

const NAME: &str = "spdat.eff";

/// A table of 881 kB whose spells are all equal; every third one has no name, and is omitted from the document.
fn spells() -> Vec<u8> {
    let spell = |number: usize| {
        let mut spell = Spell {
            base: vec![0; 4],
            most: vec![0; 4],
            formula: vec![0; 4],
            effect: vec![0; 4],
            ..Spell::default()
        };
        if !number.is_multiple_of(3) {
            spell.head.name = PaddedText::new("Gate").unwrap();
        }
        spell.head.range = F32(20.0);
        spell
    };
    let table = SpellTable {
        slots: 4,
        spells: (0..1573).map(spell).collect(),
        trailing: Blob::default(),
    };
    table::encode(&table).unwrap()
}

/// Collects the document of a role.
struct Kept(OutputRole, Vec<u8>);

impl Sink for Kept {
    fn wants(&self, role: OutputRole) -> bool {
        role == self.0
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        if role == self.0 {
            let json = emit::encode(&asset, Encoding::Json, &[], Options::default());
            self.1 = json.unwrap().into_owned();
        }
        Ok(())
    }
}

fn document(bytes: &[u8], role: OutputRole) -> Vec<u8> {
    let mut config = Config::default();
    config.raw.enabled = true;
    let file = convert::open(OpenContext::new(Kind::SpellTable, NAME, bytes)).unwrap();
    let mut kept = Kept(role, Vec::new());
    file.convert(0, &config.options(), &mut kept).unwrap();
    kept.1
}

/// Edits a value of a document and packs it into the table. Returns the number of documents that were converted to find
/// its place, and the changed bytes.
fn packed(role: OutputRole, path: &str, pointer: &str, new: Value) -> (usize, Vec<usize>) {
    let original = spells();
    let before = document(&original, role);
    let output: ManifestOutput = serde_json::from_value(json!({
        "path": path, "blake3": hash(&before), "size": 0, "kind": "other", "source": NAME,
        "range": {"start": 0, "end": original.len()}, "converter": "", "config_digest": "", "key": ""
    }))
    .unwrap();
    let mut edited: Value = serde_json::from_slice(&before).unwrap();
    *edited.pointer_mut(pointer).unwrap() = new;
    let edit = Edited {
        output: &output,
        bytes: serde_json::to_vec(&edited).unwrap(),
        has_alpha_plane: false,
        palettes: Default::default(),
    };
    let unit = Unit {
        kind: Kind::SpellTable,
        name: NAME,
        original: &original,
        siblings: &ArchiveContext::default(),
        settings: &Config::default(),
        edits: &[&edit],
    };
    let (mut bytes, mut left) = (original.clone(), MAX_TRIES);
    let rounding = put(&unit, &edit, &mut bytes, &mut left).unwrap();
    assert_eq!(rounding, None);
    let after: Value = serde_json::from_slice(&document(&bytes, role)).unwrap();
    assert!(after == edited, "the table says what the edit says");
    let pairs = original.iter().zip(&bytes).enumerate();
    let changed = pairs.filter(|(_, (before, after))| before != after);
    (MAX_TRIES - left, changed.map(|(at, _)| at).collect())
}

#[test]
fn a_value_among_thousands_of_equal_ones_goes_to_its_place_at_once() {
    let raw = |pointer: &str, new| packed(OutputRole::Raw, "spdat.raw.json", pointer, new);
    assert_eq!(
        raw("/spell_table/spells/900/recovery_time", json!(7)),
        (1, vec![900 * 560 + 436])
    );
    assert_eq!(raw("/spell_table/spells/3/levels/2", json!(9)).0, 1);
    // Spells 1, 2, 4, 5 … are in the document, under their numbers.
    let main = |pointer: &str, new| packed(OutputRole::Main, "spdat.json", pointer, new);
    assert_eq!(
        main("/spells/600/mana", json!(5)),
        (1, vec![901 * 560 + 456])
    );
    let (tries, changed) = main("/spells/600/name", json!("Gats"));
    assert_eq!((tries, changed), (1, vec![901 * 560 + 3]));
    // A value with another name in the document is found by its old value.
    let (tries, changed) = main("/spells/600/levels/wizard", json!(5));
    assert_eq!(changed, [901 * 560 + 517 + 11]);
    assert!(tries < 40, "{tries}");
}
