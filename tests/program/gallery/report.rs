//! The report as one page.

use relicast_testing::test;
use std::fs;

use predicates::str::contains;

use crate::gallery::{SAMPLES, relicast};

#[test]
fn one_small_page_shows_what_became_of_everything() {
    let path = SAMPLES.place("report.html");
    let write = |arguments: &[&str]| {
        let mut report = relicast();
        report
            .arg("report")
            .arg(SAMPLES.out())
            .arg("--html")
            .arg(&path)
            .args(arguments);
        report.assert()
    };
    write(&[]).success();
    let page = fs::read_to_string(&path).unwrap();
    assert!(
        page.len() < 200_000,
        "{} bytes are too many for a mail",
        page.len()
    );
    for text in [
        "MechWarrior 3",
        "EverQuest",
        "textures",
        "program code, not game data",
        "Discs",
        "Deviations",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("null"), "an empty list is a number");
    assert!(
        page.contains("th{white-space:nowrap}"),
        "heads break in no word"
    );
    // A number of four digits in a cell or a figure has a separator.
    let cells = page.split(['<', '>']);
    let bare = |cell: &&str| cell.len() > 3 && cell.bytes().all(|byte| byte.is_ascii_digit());
    assert_eq!(cells.clone().find(bare), None);
    let is_size = |cell: &&str| cell.ends_with(" MiB") || cell.ends_with(" KiB");
    assert!(cells.filter(is_size).count() > 4);
    assert!(
        !page.contains("<script") && !page.contains("://"),
        "it needs nothing from elsewhere"
    );
    // What is there stays, unless it may go.
    fs::write(&path, "mine").unwrap();
    write(&[]).code(1).stderr(contains("--force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    write(&["--force"]).success();
    assert_eq!(fs::read_to_string(&path).unwrap(), page);
}

#[test]
fn a_deviation_of_many_files_has_one_row() {
    use relicast::formats::codec::Blob;
    use relicast::formats::riff::{self, Format, Wave};
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("game");
    fs::create_dir(&input).unwrap();
    let format = Format::pcm(1, 22_050, 8);
    for number in 1_usize..=9 {
        let wave = Wave::new(&format, Vec::new(), Blob::from(vec![128; number * 100])).unwrap();
        let mut bytes = riff::encode(&wave).unwrap();
        // The size of the whole is off by 4.
        let size = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        bytes[4..8].copy_from_slice(&(size + 4).to_le_bytes());
        fs::write(input.join(format!("{number}.wav")), bytes).unwrap();
    }
    let out = folder.path().join("out");
    let mut convert = relicast();
    convert
        .arg("convert")
        .arg(&input)
        .arg("--out")
        .arg(&out)
        .arg("-q");
    convert.assert().success();
    let place = folder.path().join("r.html");
    let mut report = relicast();
    report.arg("report").arg(&out).arg("--html").arg(&place);
    report.assert().success();
    let page = fs::read_to_string(&place).unwrap();
    let (_, table) = page.split_once("<h2>Deviations</h2>").unwrap();
    let (table, _) = table.split_once("</table>").unwrap();
    assert_eq!(table.matches("riff_size").count(), 1, "{table}");
    assert!(
        table.contains("<td class=\"n\">9</td><td class=\"n\">9</td>")
            && table.contains("and 6 more"),
        "{table}"
    );
}

#[test]
fn a_folder_without_outputs_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = relicast();
    report
        .arg("report")
        .arg(folder.path())
        .arg("--html")
        .arg(folder.path().join("r.html"));
    report.assert().code(1).stderr(contains("manifest.json"));
    assert!(!folder.path().join("r.html").exists());
}
