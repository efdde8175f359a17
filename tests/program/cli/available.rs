//! First needs of a new user: completions, the manual, the installed tools.

use std::fs;

use relicast_testing::test;
use serde_json::Value;

use crate::cli::text;
use crate::common::relicast;

#[test]
fn shells_get_completions_of_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = relicast().args(["completions", shell]).assert().success();
        let script = text(&run.get_output().stdout);
        for name in ["convert", "package", "doctor", "--dry-run", "--bagit"] {
            let name = match shell {
                "fish" => name.trim_start_matches('-'),
                _ => name,
            };
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    relicast().args(["completions", "tcsh"]).assert().code(1);
}

#[test]
fn every_subcommand_has_a_page_with_examples() {
    let printed = relicast().arg("man").assert().success();
    let printed = text(&printed.get_output().stdout);
    assert!(printed.contains(".TH relicast 1"), "{printed}");
    assert!(printed.contains(".SH EXAMPLES"), "{printed}");
    assert!(printed.contains("Exit codes"), "{printed}");
    let page = relicast().args(["man", "convert"]).assert().success();
    let page = text(&page.get_output().stdout);
    assert!(
        page.contains("relicast convert mech3.cue \\-\\-out"),
        "{page}"
    );
    relicast().args(["man", "nonsense"]).assert().code(1);

    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("man/man1");
    relicast()
        .arg("man")
        .arg("--to")
        .arg(&to)
        .assert()
        .success();
    let program = relicast::cli::command();
    let mut count = 0;
    for name in program.get_subcommands().map(|one| one.get_name()) {
        let page = fs::read_to_string(to.join(format!("relicast-{name}.1"))).unwrap();
        assert!(page.contains(".SH EXAMPLES"), "{name}");
        count += 1;
    }
    assert!(count >= 12);
    assert_eq!(fs::read_dir(&to).unwrap().count(), count + 1);
}

#[test]
fn doctor_lists_what_is_available_and_what_is_missing_for_what() {
    let folder = tempfile::tempdir().unwrap();
    let doctor = |more: &[&str]| {
        let mut command = relicast();
        command.arg("doctor").arg(folder.path()).args(more);
        text(&command.assert().success().get_output().stdout)
    };
    let said = doctor(&[]);
    for label in [
        "relicast:",
        "cores:",
        "memory:",
        "disk:",
        "ffmpeg:",
        "editions:",
        "missing:",
    ] {
        assert!(
            said.lines().any(|line| line.starts_with(label)),
            "{label} in {said}"
        );
    }
    let reported: Value = serde_json::from_str(&doctor(&["--json"])).unwrap();
    assert!(reported["cores"].as_u64().unwrap() > 0);
    assert!(reported["editions"]["files"].as_u64().unwrap() > 0);
    assert_eq!(reported["folder"]["writable"], true);
    #[cfg(unix)]
    assert!(reported["folder"]["free"].as_u64().unwrap() > 0);

    let config = folder.path().join("p.toml");
    fs::write(&config, "[video]\nffmpeg = \"/missing/ffmpeg\"\n").unwrap();
    let reported: Value =
        serde_json::from_str(&doctor(&["--json", "--config", config.to_str().unwrap()])).unwrap();
    assert_eq!(reported["ffmpeg"], Value::Null);
    assert_eq!(reported["missing"][0]["what"], "ffmpeg");
    let help = reported["missing"][0]["help"].as_str().unwrap();
    assert!(help.contains("/missing/ffmpeg"), "{help}");
}
