//! `relicast inspect` of a disc image.

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{failure, print, print_line, usage};
use relicast_convert::{self as convert, AudioDocument, DiscDocument, TrackDocument};
use relicast_source::disc::Disc;
use relicast_source::disc::data::Health;
use relicast_source::disc::sums::md5_text;

/// Prints a disc.
pub(super) fn inspect(path: &str, disc: &Disc, json: bool) -> Exit {
    let opened = match convert::open_disc(disc) {
        Ok(opened) => opened,
        Err(error) => return failure(path, &error),
    };
    disc.examine();
    let document = match convert::disc_document(disc) {
        Ok(document) => document,
        Err(error) => return usage(format_args!("{path}: {error}")),
    };
    if json {
        return match serde_json::to_string_pretty(&document) {
            Ok(text) => {
                print(&text);
                exit(&document)
            }
            Err(error) => usage(error),
        };
    }
    print_line(&format!("file:       {path}"));
    print_line("kind:       disc image");
    for file in &document.files {
        let problem = file.problem.map(|problem| format!(": {problem}"));
        print_line(&format!(
            "image:      {}, {} bytes{}",
            file.name,
            file.size,
            problem.unwrap_or_default()
        ));
    }
    print_line(&format!("pressing:   {}", document.pressing));
    if let Some(ids) = &document.ids {
        print_line(&format!("cddb:       {}", ids.cddb));
        print_line(&format!("musicbrainz: {}", ids.musicbrainz));
        if let Some(ctdb) = &ids.ctdb {
            print_line(&format!("ctdb:       {ctdb}"));
        }
    }
    for deviation in opened.deviations().described() {
        print_line(&format!("deviation:  {deviation}"));
    }
    for track in &document.tracks {
        print_track(track);
    }
    let entries = disc.entries();
    for (_, path, entry) in entries {
        let problem = entry.problem.as_ref().map(|problem| format!(": {problem}"));
        let size = entry.size;
        print_line(&format!(
            "  {path}, {size} bytes{}",
            problem.unwrap_or_default()
        ));
    }
    for volume in disc
        .sessions
        .iter()
        .filter_map(|session| session.volume.as_ref().ok())
    {
        for fault in &volume.faults {
            print_line(&format!("  {}: {}", fault.path, fault.problem));
        }
    }
    exit(&document)
}

fn exit(document: &DiscDocument<'_>) -> Exit {
    let damaged = document.tracks.iter().any(|track| track.problem.is_some());
    if damaged {
        Exit::Failures
    } else {
        Exit::Success
    }
}

fn print_track(track: &TrackDocument<'_>) {
    let known =
        |sector: Option<u64>| sector.map_or("unknown".to_owned(), |sector| sector.to_string());
    let line = format!(
        "track {:02}:   {}, starts at sector {}, {} sectors, pregap {}",
        track.number,
        track.mode.word(),
        known(track.start),
        known(track.sectors),
        track.pregap
    );
    print_line(&line);
    if let Some(AudioDocument { pcm }) = &track.audio {
        let cuts = [
            ("track", &pcm.drop),
            ("with the next pregap", &pcm.append),
            ("with its own pregap", &pcm.prepend),
        ];
        for (name, sums) in cuts {
            print_line(&format!(
                "  {name}: {} samples, CRC32 {:08X}, MD5 {}",
                sums.samples,
                sums.crc32,
                md5_text(&sums.md5)
            ));
        }
    }
    if let Some(volume) = &track.volume {
        print_line(&format!(
            "  volume {:?}, {} names, {} files, {} bytes",
            volume.name, volume.names, volume.files, volume.bytes
        ));
    }
    if let Some(Health { checked, bad, .. }) = track.check {
        print_line(&format!("  {checked} sectors checked, {bad} bad"));
    }
    if let Some(problem) = &track.problem {
        print_line(&format!("  damaged: {problem}"));
    }
}
