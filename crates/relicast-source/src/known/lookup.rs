//! Look-up of all files of an input among the known ones.

use rayon::prelude::*;

use super::hashing::sha256;
use super::survey::{Question, Reading, Survey, sum_up};
use super::table::{Table, table};
use crate::source_file::SourceFile;
use relicast_formats::asset::Game;

/// Looks all files up. `game_of` returns the game of a file, which decides if a known name with other content is
/// reported.
pub fn survey(
    files: &[&SourceFile],
    reading: Reading,
    game_of: &(dyn Fn(&SourceFile) -> Option<Game> + Sync),
) -> Survey {
    survey_observed(files, reading, game_of, &|_| {})
}

/// Like [`survey`]; `looked_up` is called with each file after its lookup.
pub fn survey_observed(
    files: &[&SourceFile],
    reading: Reading,
    game_of: &(dyn Fn(&SourceFile) -> Option<Game> + Sync),
    looked_up: &(dyn Fn(&SourceFile) + Sync),
) -> Survey {
    survey_among(table(), files, reading, game_of, looked_up)
}

/// Looks the files up in a table.
fn survey_among(
    table: &Table,
    files: &[&SourceFile],
    reading: Reading,
    game_of: &(dyn Fn(&SourceFile) -> Option<Game> + Sync),
    looked_up: &(dyn Fn(&SourceFile) + Sync),
) -> Survey {
    let look_up = |file: &&SourceFile| {
        let question = Question::new(file, game_of(file), reading, table);
        let hash = question.wants_hash.then(|| sha256(file)).flatten();
        looked_up(file);
        question.answer(hash, table)
    };
    // In single steps: sizes differ by orders of magnitude.
    let findings = files.par_iter().with_max_len(1).map(look_up);
    sum_up(findings.collect(), table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    use sha2::{Digest, Sha256};

    fn hash_of(bytes: &[u8]) -> String {
        STANDARD_NO_PAD.encode(Sha256::digest(bytes))
    }

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<SourceFile>) {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let tree = crate::tree::Tree::list(&[folder.path().to_owned()], None).unwrap();
        (folder, tree.files)
    }

    fn survey(rows: &str, files: &[(&str, &[u8])]) -> Survey {
        let (_folder, files) = folder(files);
        let files: Vec<&SourceFile> = files.iter().collect();
        let game_of = |_: &SourceFile| Some(Game::Mw);
        survey_among(
            &Table::parse(Box::leak(rows.to_owned().into_boxed_str())),
            &files,
            Reading::Likely,
            &game_of,
            &|_| {},
        )
    }

    #[test]
    fn an_edition_needs_a_file_of_its_own() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{a}\nzbd/b.zbd\t-\t{b}\nzbd/gone.zbd\t9\t-\nopt\t9\t-\to\n\
             =\tMW\ttwo\ts\nzbd/a.zbd\t1\t{a}\nzbd/c.zbd\t1\t{c}\n=\tMW\tall\ts\t*\nzbd/d.zbd\t1\t{d}\n",
            a = hash_of(b"a"),
            b = hash_of(b"b"),
            c = hash_of(b"c"),
            d = hash_of(b"d"),
        );
        let both: Survey = survey(&rows, &[("ZBD/A.ZBD", b"a"), ("zbd/d.zbd", b"d")]);
        assert!(both.editions.is_empty(), "{:?}", both.editions);
        assert_eq!(both.known_files, 2);
        let one = survey(
            &rows,
            &[
                ("x/zbd/a.zbd", b"a"),
                ("x/ZBD/b.zbd", b"b"),
                ("x/readme", b"?"),
            ],
        );
        assert_eq!(one.editions.len(), 1);
        assert_eq!(one.editions[0].edition, "one");
        assert_eq!((one.editions[0].matched, one.editions[0].known), (2, 4));
        assert_eq!(one.editions[0].missing, ["zbd/gone.zbd"]);
        assert_eq!(one.no_record, 1);
        assert!(one.foreign.is_empty() && one.other_content.is_empty());
    }

    #[test]
    fn other_content_is_reported_without_anything_personal() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{}\nzbd/size.zbd\t4\t-\n",
            hash_of(b"a")
        );
        let found = survey(
            &rows,
            &[("me/zbd/a.zbd", b"other"), ("zbd/size.zbd", b"other")],
        );
        assert_eq!(found.other_content.len(), 1);
        let text = found.unknown_variant("0.1").unwrap();
        assert!(text.contains("zbd/a.zbd 5 "), "{text}");
        assert!(!text.contains("me/"), "{text}");
        assert!(text.contains("likeliest edition: none"), "{text}");
    }

    #[test]
    fn sizes_alone_need_more_of_them() {
        let rows = "=\tMW\tdisc\ts\na\t1\t-\nb\t2\t-\nc\t3\t-\n";
        let two = survey(rows, &[("a", b"1"), ("b", b"22")]);
        assert!(two.editions.is_empty());
        let three = survey(rows, &[("a", b"1"), ("b", b"22"), ("c", b"333")]);
        assert_eq!(three.editions[0].matched, 3);
    }
}
