//! Help texts.

use crate::common::relicast;
use crate::texts::text;
use relicast_testing::test;

/// The help of a subcommand, or of the program.
fn help(subcommand: &[&str]) -> String {
    let mut command = relicast();
    command.args(subcommand).arg("--help").env("COLUMNS", "100");
    text(&command.assert().success().get_output().stdout)
}

macro_rules! help_texts {
    ($($test:ident: $($argument:literal)*;)*) => {
        $(#[test]
        fn $test() {
            insta::assert_snapshot!(help(&[$($argument),*]));
        })*
    };
}

help_texts! {
    help_of_the_program:;
    help_of_convert: "convert";
    help_of_plan: "plan";
    help_of_merge: "merge";
    help_of_diff: "diff";
    help_of_inspect: "inspect";
    help_of_identify: "identify";
    help_of_census: "census";
    help_of_verify: "verify";
    help_of_prove: "prove";
    help_of_config: "config";
    help_of_formats: "formats";
    help_of_package: "package";
    help_of_pack: "pack";
    help_of_apply: "apply";
    help_of_restore: "restore";
    help_of_collection: "collection";
    help_of_store: "store";
    help_of_serve: "serve";
    help_of_gallery: "gallery";
    help_of_report: "report";
    help_of_schema: "schema";
    help_of_completions: "completions";
    help_of_man: "man";
    help_of_doctor: "doctor";
}

#[test]
fn every_subcommand_has_a_snapshot() {
    let program = relicast::cli::command();
    for command in program.get_subcommands() {
        let name = command.get_name();
        let snapshot = format!("program__texts__help__help_of_{name}.snap");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/texts/snapshots");
        let exists = std::path::Path::new(folder).join(&snapshot).is_file();
        assert!(exists, "no {snapshot}");
    }
}
