//! Checksums of outputs for the usual tools.

use relicast_testing::test;
use std::fs;
use std::process::{Command, Stdio};

use crate::common::{convert, files, relicast};
use crate::install::Install;

#[test]
fn sha256sum_takes_the_sums() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    let sums = || relicast().arg("verify").arg(&out).arg("--sha256").assert();
    let sums_of_all = sums().success();
    let text = String::from_utf8_lossy(&sums_of_all.get_output().stdout).into_owned();
    let listed: Vec<&str> = text.lines().map(|line| &line[66..]).collect();
    let mut expected = files(&out);
    expected.retain(|path| path != "mine.txt" && path != "report.json");
    assert_eq!(listed, expected);

    let interp = "config/zbd/interp.json";
    let kept = fs::read(out.join(interp)).unwrap();
    fs::write(out.join(interp), "{}").unwrap();
    let fewer = sums().code(2);
    let said = String::from_utf8_lossy(&fewer.get_output().stderr).into_owned();
    assert!(said.contains(&format!("changed    {interp}")), "{said}");
    let fewer = String::from_utf8_lossy(&fewer.get_output().stdout).into_owned();
    assert_eq!(fewer.lines().count() + 1, listed.len());

    let list = install.out("SHA256SUMS");
    fs::write(&list, &text).unwrap();
    let check = || {
        let mut command = Command::new("sha256sum");
        command
            .current_dir(&out)
            .args(["--check", "--strict", "--quiet"]);
        command
            .arg(&list)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status()
    };
    // Not every system has it.
    let Ok(status) = check() else {
        return;
    };
    assert!(!status.success());
    fs::write(out.join(interp), kept).unwrap();
    assert!(check().unwrap().success());
}
