//! `relicast inspect` for small lists: their contents and counts.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::terminal::lines::print_line;
use relicast_codec::quantity::thousands;
use relicast_formats::census::Counts;
use relicast_formats::decoded_file::DecodedFile;
use relicast_formats::everquest::sound::bank::{self, Section, SoundBank};
use relicast_formats::everquest::sound::eff::{Emitter, EmitterKind, SoundId, SoundSource};
use relicast_formats::everquest::sound::emt::EmitterLine;

/// Most names printed for a list; JSON has all.
const MAX_COUNT: usize = 20;

/// Largest file that can be a sound bank.
const MAX_BANK_BYTES: u64 = 1 << 20;

/// Prints a list; `path` is its place on disk, if any. Returns false for files that are not such a list.
pub(super) fn list_lines(value: &DecodedFile<'_>, path: Option<&Path>) -> bool {
    match value {
        DecodedFile::Emitters(list) => {
            let bank = path.and_then(bank_beside);
            emitter_lines(&list.emitters, bank.as_ref());
        }
        DecodedFile::EmitterText(lines) => text_lines(lines),
        DecodedFile::SoundBank(bank) => {
            names("emit", bank.names(Section::Emit));
            names("loop", bank.names(Section::Loop));
            names("random", bank.names(Section::Rand));
        }
        _ => return false,
    }
    true
}

/// Prints the counts of a file, in the format of `census`.
pub(super) fn count_lines(counts: &Counts) {
    let rows = counts.rows.iter().filter(|(row, _)| *row != "files");
    for (row, number) in rows {
        let row = row.replace('_', " ");
        match row.split_once('.') {
            None => print_line(&format!("{:<11} {}", format!("{row}:"), thousands(*number))),
            Some((_, part)) => print_line(&format!("  {part}: {}", thousands(*number))),
        }
    }
}

/// Prints a list of names: the count, and the first names.
fn names<'n>(label: &str, all: impl Iterator<Item = &'n str>) {
    let all: Vec<&str> = all.collect();
    if all.is_empty() {
        return;
    }
    let first: Vec<&str> = all.iter().take(MAX_COUNT).copied().collect();
    let more = match all.len().saturating_sub(MAX_COUNT) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let label = format!("{label}:");
    print_line(&format!(
        "{label:<11} {}: {}{more}",
        all.len(),
        first.join(", ")
    ));
}

fn emitter_lines(emitters: &[Emitter], bank: Option<&SoundBank>) {
    let music = |emitter: &&Emitter| emitter.kind == EmitterKind::Music;
    let songs = emitters.iter().filter(music).count();
    print_line(&format!(
        "emitters:   {} ({songs} of music, {} of sounds)",
        emitters.len(),
        emitters.len() - songs
    ));
    let mut heard: BTreeMap<String, usize> = BTreeMap::new();
    for emitter in emitters {
        let is_music = music(&emitter);
        let ids = [emitter.sound1, emitter.sound2];
        for name in ids.into_iter().filter_map(|id| name_of(id, is_music, bank)) {
            *heard.entry(name).or_default() += 1;
        }
    }
    for (name, count) in &heard {
        print_line(&format!("  {name}: {count}"));
    }
}

/// Name of a sound for people; `None` for no sound.
fn name_of(id: SoundId, is_music: bool, bank: Option<&SoundBank>) -> Option<String> {
    let named = bank.filter(|_| !is_music).and_then(|bank| bank.sound(id));
    Some(match (id.source(), named) {
        (SoundSource::None, _) => return None,
        (_, Some(name)) => name.to_owned(),
        (SoundSource::MusicFile(line), _) => format!("line {line} of mp3index.txt"),
        (SoundSource::Emit(number), _) if is_music => format!("song {number} of the zone's .xmi"),
        (SoundSource::Client(number), _) => format!("sound {number} of the client"),
        (SoundSource::Emit(_) | SoundSource::Loop(_), _) => {
            format!("sound {} of the zone's _sndbnk.eff", id.0)
        }
    })
}

fn text_lines(lines: &[EmitterLine]) {
    let emitters: Vec<_> = lines
        .iter()
        .filter_map(|line| line.emitter.as_ref())
        .collect();
    print_line(&format!("emitters:   {}", emitters.len()));
    let mut heard: BTreeMap<&str, usize> = BTreeMap::new();
    for emitter in emitters {
        *heard.entry(&emitter.file).or_default() += 1;
    }
    for (name, count) in heard {
        print_line(&format!("  {name}: {count}"));
    }
}

/// Sound bank next to a list of emitters: ZONE_sndbnk.eff for ZONE_sounds.eff, in any letter case.
fn bank_beside(path: &Path) -> Option<SoundBank> {
    let name = path.file_name()?.to_str()?.to_lowercase();
    let wanted = format!("{}_sndbnk.eff", name.strip_suffix("_sounds.eff")?);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut entries = entries.flatten();
    let found = entries.find(|entry| {
        let is_wanted = entry.file_name().to_string_lossy().to_lowercase() == wanted;
        is_wanted
            && entry
                .metadata()
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BANK_BYTES)
    })?;
    let bytes = std::fs::read(found.path()).ok()?;
    Some(bank::decode(&bytes).ok()?.value)
}
