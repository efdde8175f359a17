//! Originals are never written nor deleted.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, files, relicast};
use crate::install::{Install, riff_of_nothing};

#[test]
fn an_output_folder_that_is_or_holds_an_input_is_refused() {
    let install = Install::new();
    let before = files(install.folder.path());
    for out in [install.input(), install.folder.path().to_owned()] {
        let run = convert(&install.input(), &out, &[]).assert().code(1);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(
            said.contains("the input") && said.contains("originals"),
            "{said}"
        );
        convert(&install.input(), &out, &["--dry-run"])
            .assert()
            .code(1);
    }
    let inside = install.input().join("out");
    convert(&install.input(), &inside, &[]).assert().code(1);
    assert_eq!(files(install.folder.path()), before);
}

#[test]
fn a_sound_is_not_replaced_by_its_conversion() {
    let folder = tempfile::tempdir().unwrap();
    let sound = folder.path().join("sounds/a.wav");
    fs::create_dir(sound.parent().unwrap()).unwrap();
    fs::write(&sound, riff_of_nothing()).unwrap();
    for arguments in [
        &["sounds/a.wav", "--out", "."][..],
        &["sounds", "--out", "."],
    ] {
        let run = relicast()
            .current_dir(folder.path())
            .arg("convert")
            .args(arguments)
            .assert()
            .code(1);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("sounds"), "{said}");
    }
    assert_eq!(fs::read(&sound).unwrap(), riff_of_nothing());
    assert_eq!(files(folder.path()), ["sounds/a.wav"]);
}

#[cfg(unix)]
#[test]
fn links_to_originals_are_reported_and_nothing_starts() {
    let install = Install::new();
    let input = install.out("sounds");
    fs::create_dir(&input).unwrap();
    let source = input.join("a.wav");
    fs::write(&source, riff_of_nothing()).unwrap();
    for hard in [true, false] {
        let out = install.out(if hard { "hard" } else { "soft" });
        fs::create_dir_all(out.join("sounds")).unwrap();
        let link = out.join("sounds/a.wav");
        match hard {
            true => fs::hard_link(&source, &link).unwrap(),
            false => std::os::unix::fs::symlink(&source, &link).unwrap(),
        }
        for more in [&[][..], &["--force"]] {
            let run = convert(&input, &out, more).assert().code(1);
            let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
            assert!(said.contains("sounds/a.wav"), "{said}");
            assert!(said.contains(&*source.to_string_lossy()), "{said}");
        }
        assert_eq!(files(&out).len(), usize::from(hard));
        assert_eq!(fs::read(&source).unwrap(), riff_of_nothing());
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_became_an_original_is_not_deleted() {
    let install = Install::new();
    let out = install.out("out");
    install.write("zbd/loose.wav", &riff_of_nothing());
    convert(&install.input(), &out, &[]).assert().success();
    // The outputs of the earlier run are linked from the install; sounds are switched off.
    let output = out.join("sounds/zbd/loose.wav");
    let source = install.input().join("zbd/loose.wav");
    fs::remove_file(&source).unwrap();
    fs::hard_link(&output, &source).unwrap();
    let config = install.out("pipeline.toml");
    fs::write(&config, "[sounds]\nenabled = false\n").unwrap();
    convert(
        &install.input(),
        &out,
        &["--config", config.to_str().unwrap()],
    )
    .assert()
    .code(1);
    assert!(source.exists() && output.exists());
}
