//! Groups of the commands in the help of the program.

use clap::Command;

use super::examples::FIRST;

/// Groups with their commands, in the order of the help.
pub(in crate::cli) const GROUPS: &[(&str, &[&str])] = &[
    ("Start here", FIRST),
    ("Convert", &["plan", "merge", "config", "formats", "schema"]),
    ("View", &["inspect", "census", "gallery", "report"]),
    ("Pack", &["apply", "restore"]),
    ("Archive", &["package", "collection", "store"]),
    ("Check", &["verify", "prove", "diff", "doctor"]),
    ("Help", &["man", "completions"]),
];

/// Returns the help template of the program, with its commands in groups.
pub(in crate::cli) fn template(program: &Command) -> String {
    let mut list = String::new();
    for (title, names) in GROUPS {
        list.push_str(&format!("\n{title}:\n"));
        for name in *names {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list.push_str(&format!("  {name:<12} {about}\n"));
        }
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}"
    )
}
