//! `config`, and the messages for a configuration that cannot be used.

use relicast_testing::test;
use std::fs;

use relicast::config::{Config, DEFAULT};

use crate::cli::{map, text};
use crate::common::{convert, relicast};

#[test]
fn the_effective_configuration_is_printed_with_its_comments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    let print = || {
        let run = relicast().args(["config", "--config"]).arg(&path).assert();
        text(&run.success().get_output().stdout)
    };
    fs::write(&path, "").unwrap();
    assert_eq!(print().trim_end(), DEFAULT.trim_end());
    fs::write(
        &path,
        "[sounds]\nformat = \"flac\"\n[loose]\ncopy = [\"txt\"]\n",
    )
    .unwrap();
    let printed = print();
    assert!(printed.contains("format = \"flac\"") && printed.contains("# Worker threads"));
    let mut expected = Config::load(&path).unwrap();
    fs::write(&path, &printed).unwrap();
    assert_eq!(Config::load(&path).unwrap(), expected);
    expected.run.jobs = 1;
    assert_ne!(Config::load(&path).unwrap(), expected);
}

#[test]
fn values_that_cannot_be_used_are_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let out = folder.path().join("out");
    let path = folder.path().join("p.toml");
    for (settings, expected) in [
        ("[video]\n\ncrf = 99\n", &["line 3: video.crf: ", "51"][..]),
        (
            "[video]\nscale = \"big\"\n",
            &["line 2: video.scale: ", "WIDTHxHEIGHT"],
        ),
        (
            "[run]\ninclude = [\"a[\"]\n",
            &["line 2: run.include: ", "glob"],
        ),
        ("[run]\njobs = -3\n", &["line 2: run.jobs: "]),
        (
            "[textures]\npalete = \"keep\"\n",
            &["line 2: textures.palete: ", "did you mean palette?"],
        ),
        (
            "[run]\nfilter = \"nearest\"\n",
            &["line 2: run.filter: ", "scenes.filter"],
        ),
        (
            "[sound]\nformat = \"wav\"\n",
            &["line 1: sound: ", "did you mean [sounds]?"],
        ),
        (
            "[sounds]\nformat = \"flak\"\n",
            &["line 2: sounds.format: ", "did you mean \"flac\"?"],
        ),
    ] {
        fs::write(&path, settings).unwrap();
        let config = path.to_str().unwrap();
        let run = convert(&input, &out, &["--config", config])
            .assert()
            .code(1);
        let said = text(&run.get_output().stderr);
        assert!(said.contains("p.toml"), "{said}");
        for expected in expected {
            assert!(said.contains(expected), "{expected} is not in {said}");
        }
        assert!(!out.exists());
    }
}
