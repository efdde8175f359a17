//! Mistakes of users: each ends with one line that says what to do.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use relicast_testing::test;

use crate::cli::{map, text};
use crate::common::{convert, json, relicast};

/// The line of an error; there is no other one, and nothing on standard output.
fn refusal(command: &mut Command) -> String {
    let run = command.assert().code(1);
    let said = text(&run.get_output().stderr);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("plan: "))
        .collect();
    let [line] = lines[..] else {
        panic!("not one line: {said}");
    };
    assert!(text(&run.get_output().stdout).is_empty());
    line.strip_prefix("error: ").unwrap().to_owned()
}

/// An install with one file, and its output folder.
fn converted(folder: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    let (input, out) = (folder.join("install"), folder.join("out"));
    fs::create_dir(&input).unwrap();
    fs::write(input.join("m1.zmap"), map()).unwrap();
    convert(&input, &out, &["-q"]).assert().success();
    (input, out)
}

#[test]
fn an_output_folder_is_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let (_, out) = converted(folder.path());
    let again = folder.path().join("again");
    let place = out.display();
    let expected = format!(
        "{place} is an output folder of relicast, not a game; give the install or disc image that it was converted from \
         (`relicast serve {place}` shows what is in it)"
    );
    assert_eq!(refusal(&mut convert(&out, &again, &[])), expected);
    assert!(!again.exists());
    let unnamed = &mut relicast();
    unnamed.arg("convert").arg(&out).current_dir(folder.path());
    assert_eq!(refusal(unnamed), expected);
    for command in ["plan", "identify", "census", "prove"] {
        assert_eq!(refusal(relicast().arg(command).arg(&out)), expected);
    }
}

#[test]
fn output_folders_in_an_input_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (input, _) = converted(folder.path());
    let inner = input.join("earlier");
    convert(&input, &inner, &["-q"]).assert().success();
    let out = folder.path().join("other");
    let run = convert(&input, &out, &[]).assert().success();
    let said = text(&run.get_output().stderr);
    let line = format!(
        "{} is an output folder of relicast; it was skipped",
        inner.display()
    );
    assert!(said.contains(&line), "{said}");
    let sources = json(&out.join("manifest.json"))["sources"].clone();
    assert_eq!(sources.as_array().map(Vec::len), Some(1), "{sources}");
}

#[test]
fn commands_on_a_folder_without_manifest_say_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    let (input, _) = converted(folder.path());
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let page = folder.path().join("page.html");
    let page = page.to_str().unwrap();
    let to = folder.path().join("to");
    let to = to.to_str().unwrap();
    let from = input.to_str().unwrap();
    let commands: [&[&str]; 8] = [
        &["serve"],
        &["verify"],
        &["verify", "--sha256"],
        &["report", "--html", page],
        &["gallery"],
        &["gallery", "--to", to],
        &["pack", "--from", from, "--to", to],
        &["package", "--to", to, "--bagit"],
    ];
    for command in commands {
        let refusal = |out: &Path| refusal(relicast().args(command).arg(out));
        let place = empty.display();
        assert_eq!(
            refusal(&empty),
            format!(
                "{place} is not an output folder of relicast (no manifest.json); make one with `relicast convert \
                 INSTALL --out {place}`"
            )
        );
        let place = input.display();
        assert_eq!(
            refusal(&input),
            format!(
                "{place} is not an output folder of relicast (no manifest.json); make one with `relicast convert {place}`"
            )
        );
        let missing = folder.path().join("missing");
        let place = missing.display();
        assert_eq!(
            refusal(&missing),
            format!(
                "{place} does not exist; make one with `relicast convert INSTALL --out {place}`"
            )
        );
        let file = input.join("m1.zmap");
        assert_eq!(
            refusal(&file),
            format!(
                "{} is a file; give the output folder that `relicast convert` made",
                file.display()
            )
        );
        let around = refusal(folder.path());
        assert!(
            around.ends_with(&format!(
                "but contains an output folder; give {}",
                folder.path().join("out").display()
            )),
            "{around}"
        );
    }
    assert!(!Path::new(to).exists() && !Path::new(page).exists());
}

#[test]
fn a_run_that_was_killed_is_no_output_folder_yet() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir_all(out.join(".relicast")).unwrap();
    let line = refusal(relicast().arg("serve").arg(&out));
    assert!(
        line.contains("run the same `relicast convert` again"),
        "{line}"
    );
}

#[test]
fn inputs_without_anything_known_are_answered_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let list = relicast::formats::known_names::list();
    let empty = refusal(&mut convert(folder.path(), &out, &[]));
    assert!(
        empty.contains(": there are no files; relicast converts "),
        "{empty}"
    );
    fs::write(folder.path().join("letter.doc"), "hello").unwrap();
    let one = refusal(&mut convert(folder.path(), &out, &[]));
    assert!(one.contains(": the file is of no known kind; "), "{one}");
    fs::write(folder.path().join("more.doc"), "hello").unwrap();
    let two = refusal(&mut convert(folder.path(), &out, &[]));
    assert!(
        two.contains(": none of 2 files is of a known kind; "),
        "{two}"
    );
    for line in [empty, one, two] {
        assert!(line.contains(&list), "{line}");
        for extension in [".zbd", ".s3d", ".eqg", ".pfs", ".zip", ".iso"] {
            assert!(line.contains(extension), "{extension} is not in {line}");
        }
    }
    let formats = relicast().arg("formats").assert().success();
    assert!(text(&formats.get_output().stdout).starts_with(&format!("relicast converts {list}")));
}

#[test]
fn misspelt_options_and_commands_get_the_nearest_as_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (
            &["convert", "x", "--ouput", "y"],
            "unknown option --ouput; did you mean --output? `relicast convert --help` has examples",
        ),
        (
            &["convert", "x", "--dryrun"],
            "unknown option --dryrun; did you mean --dry-run? `relicast convert --help` has examples",
        ),
        (
            &["verify", "x", "--qqq"],
            "unknown option --qqq; `relicast verify --help` has examples",
        ),
        (
            &["store", "gc", "x", "--kepe", "y"],
            "unknown option --kepe; did you mean --keep? `relicast store gc --help` has examples",
        ),
        (
            &["cnovert", "x"],
            "unknown command cnovert; did you mean convert? `relicast --help` lists the commands",
        ),
        (
            &["qqq"],
            "unknown command qqq; `relicast --help` lists the commands",
        ),
        (
            &["convert"],
            "`relicast convert` needs <INPUT>...; `relicast convert --help` has examples",
        ),
        (
            &["report", "x"],
            "`relicast report` needs --html <FILE>; `relicast report --help` has examples",
        ),
        (
            &["convert", "x", "--game", "everqest"],
            "invalid value \"everqest\" for --game <GAME>, expected rc, mw, pm, cs, eq; did you mean everquest?",
        ),
        (
            &["convert", "x", "--jobs", "many"],
            "invalid value \"many\" for --jobs <N>: invalid digit found in string; `relicast convert --help` has examples",
        ),
        (
            &["convert", "x", "--out"],
            "--out <DIR> needs a value; `relicast convert --help` has examples",
        ),
        (
            &["convert", "x", "--quiet", "--verbose"],
            "--quiet cannot be used with --verbose; leave out one of them",
        ),
        (
            &["convert", "x", "-q", "-q"],
            "--quiet can be given once only; `relicast convert --help` has examples",
        ),
        (
            &["report", "x", "y"],
            "\"y\" is an unexpected argument; `relicast report --help` has examples",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(
            refusal(relicast().args(*arguments)),
            *expected,
            "{arguments:?}"
        );
    }
    assert_eq!(
        refusal(relicast().arg(game)),
        format!("no command was given for {game}; try `relicast convert {game}`")
    );
}

#[test]
fn games_have_the_names_that_players_know() {
    let folder = tempfile::tempdir().unwrap();
    let (input, _) = converted(folder.path());
    let game = |name: &str, config: Option<&str>| {
        let out = folder.path().join(name);
        let settings = folder.path().join("p.toml");
        fs::write(&settings, config.unwrap_or_default()).unwrap();
        let mut run = convert(
            &input,
            &out,
            &["-q", "--config", settings.to_str().unwrap()],
        );
        if config.is_none() {
            run.args(["--game", name]);
        }
        run.assert().success();
        json(&out.join("report.json"))["games"][0]["game"].clone()
    };
    assert_eq!(game("recoil", None), "rc");
    assert_eq!(game("settings", Some("[run]\ngame = \"recoil\"\n")), "rc");
    let other = ["mechwarrior3", "piratesmoon", "crimsonskies", "everquest"];
    for (name, title) in other.into_iter().zip([
        "MechWarrior 3",
        "MechWarrior 3: Pirate's Moon",
        "Crimson Skies",
        "EverQuest",
    ]) {
        let out = folder.path().join(name);
        let line = refusal(&mut convert(&input, &out, &["--game", name]));
        assert!(line.starts_with(&format!("no {title} files in ")), "{line}");
    }
}

#[test]
fn every_fault_of_a_configuration_is_reported_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("p.toml");
    fs::write(
        &settings,
        "[sounds]\nfromat = 1\nformat = \"flak\"\n[video]\ncrf = 99\n",
    )
    .unwrap();
    let run = relicast()
        .args(["config", "--check"])
        .arg(&settings)
        .assert()
        .code(1);
    let said = text(&run.get_output().stderr);
    let lines: Vec<&str> = said.lines().skip(1).map(|line| line.trim()).collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].starts_with("line 2: sounds.fromat: unknown setting; did you mean format?"));
    assert!(lines[1].starts_with("line 3: sounds.format: \"flak\" is not one of "));
    assert!(lines[2].starts_with("line 5: video.crf: 99 is not between"));
}

#[test]
fn an_iso_of_a_disc_with_music_says_that_the_music_is_not_in_it() {
    use relicast::source::disc::write::{NewFile, iso9660};
    let folder = tempfile::tempdir().unwrap();
    let map = map();
    let image = folder.path().join("recoil.iso");
    let files = [NewFile {
        path: "MAPS/M1.ZMAP",
        bytes: &map,
    }];
    fs::write(&image, iso9660("RECOIL", &files)).unwrap();
    let out = folder.path().join("out");
    let run = convert(&image, &out, &[]).assert().success();
    let said = text(&run.get_output().stderr) + &text(&run.get_output().stdout);
    let advice = "the disc has music, which an ISO image cannot hold; use a CUE/BIN image";
    assert!(said.contains(advice), "{said}");
    let report = json(&out.join("report.json"));
    let total = serde_json::json!({"code": "no_music", "text": advice, "count": 1});
    let skipped = report["totals"]["skipped"].as_array().unwrap();
    assert!(skipped.contains(&total), "{report}");

    let image = folder.path().join("other.iso");
    let archive = crate::cli::archive();
    let files = [NewFile {
        path: "ZBD/EMPTY.ZBD",
        bytes: &archive,
    }];
    fs::write(&image, iso9660("OTHER", &files)).unwrap();
    let run = convert(&image, &folder.path().join("other"), &[])
        .assert()
        .success();
    let said = text(&run.get_output().stderr) + &text(&run.get_output().stdout);
    assert!(!said.contains("music"), "{said}");
}

#[test]
fn images_that_other_programs_unpack_say_how() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let image = folder.path().join("recoil.chd");
    fs::write(&image, b"MComprHD\0\0\0\x7C\0\0\0\x05").unwrap();
    let place = image.display();
    let expected = format!(
        "{place} is a CHD disc image, which relicast does not read; run `chdman extractcd -i {place} -o recoil.cue` and \
         convert recoil.cue"
    );
    assert_eq!(refusal(&mut convert(&image, &out, &[])), expected);
    assert_eq!(refusal(relicast().arg("identify").arg(&image)), expected);
    let archive = folder.path().join("game.7z");
    fs::write(&archive, b"7z\xBC\xAF\x27\x1C\0\x04").unwrap();
    assert_eq!(
        refusal(&mut convert(&archive, &out, &[])),
        format!(
            "{} is a 7z archive, which relicast does not read; unpack it and convert the folder",
            archive.display()
        )
    );
    fs::write(folder.path().join("m1.zmap"), map()).unwrap();
    convert(folder.path(), &out, &["-q"]).assert().success();
    let skipped = json(&out.join("report.json"))["totals"]["skipped"].clone();
    let advice = "compressed disc image; unpack it with `chdman extractcd`";
    let total = serde_json::json!({"code": "not_converted", "text": advice, "count": 1});
    assert!(skipped.as_array().unwrap().contains(&total), "{skipped}");
}

#[test]
fn an_output_folder_without_a_name_is_called_like_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let (input, _) = converted(folder.path());
    let place = tempfile::tempdir().unwrap();
    let run = relicast()
        .arg("convert")
        .arg(&input)
        .current_dir(place.path())
        .assert();
    let said = text(&run.success().get_output().stderr);
    let line = "writing to install-converted; use --out DIR for another folder";
    assert!(said.contains(line), "{said}");
    assert!(
        place
            .path()
            .join("install-converted/manifest.json")
            .exists()
    );
    // In the install itself, and twice.
    for _ in 0..2 {
        let run = relicast()
            .args(["convert", "."])
            .current_dir(&input)
            .assert();
        run.success();
    }
    let sources = json(&input.join("install-converted/manifest.json"))["sources"].clone();
    assert_eq!(sources.as_array().map(Vec::len), Some(1), "{sources}");
    assert_eq!(
        refusal(relicast().args(["convert", "a", "b"])),
        "several inputs need an output folder; set one with --out DIR"
    );
}
