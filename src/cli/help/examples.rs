//! Examples of command lines: one source for the help of every command and for the manual. A test runs each of them.

/// Use of an example, and the arguments after `relicast`.
pub(in crate::cli) type Example = (&'static str, &'static str);

const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "convert",
        &[
            ("Convert an install into recoil-converted", "convert recoil"),
            (
                "Convert a disc image, music included",
                "convert mech3.cue --out converted",
            ),
            (
                "Convert the sounds of one archive only",
                "convert recoil --out sounds --only '**/soundsH.zbd/*.wav'",
            ),
        ],
    ),
    (
        "serve",
        &[
            ("View the converted files", "serve recoil-converted --open"),
            (
                "Share it on the local network, as attic.local",
                "serve recoil-converted --bind 0.0.0.0 --host attic.local",
            ),
        ],
    ),
    (
        "identify",
        &[
            (
                "Detect the game and edition of a disc",
                "identify mech3.cue",
            ),
            (
                "Identify several inputs, with totals",
                "identify mech3.cue recoil",
            ),
        ],
    ),
    (
        "plan",
        &[
            (
                "Show how four machines would share the work",
                "plan recoil --shards 4",
            ),
            (
                "List the files of every shard",
                "plan recoil --shards 4 --json > shards.json",
            ),
        ],
    ),
    (
        "merge",
        &[
            (
                "Merge the shards of two machines",
                "merge shard-1 shard-2 --out merged",
            ),
            (
                "Merge the shards and share the outputs in a store",
                "merge shard-1 shard-2 --out merged --store shared",
            ),
        ],
    ),
    (
        "config",
        &[
            ("Start your own configuration", "config > pipeline.toml"),
            ("Validate it", "config --check pipeline.toml"),
            ("Print the settings for Godot", "config --target godot"),
        ],
    ),
    (
        "formats",
        &[
            ("List the formats", "formats"),
            ("List them as JSON", "formats --json > formats.json"),
        ],
    ),
    (
        "schema",
        &[
            ("Print the schema of motion documents", "schema motion"),
            ("Write all schemas, for an editor", "schema --to schemas"),
        ],
    ),
    (
        "inspect",
        &[
            ("Print the kind of a file", "inspect recoil/zbd/interp.zbd"),
            (
                "Print all its contents",
                "inspect recoil/zbd/interp.zbd --json",
            ),
        ],
    ),
    (
        "census",
        &[
            ("Count the contents of an install", "census recoil"),
            (
                "Count the contents of each file",
                "census recoil --json > census.json",
            ),
        ],
    ),
    (
        "gallery",
        &[
            (
                "Add gallery pages for a web server",
                "gallery recoil-converted",
            ),
            (
                "Make a gallery for a USB stick, without a server",
                "gallery recoil-converted --to stick --embed models",
            ),
        ],
    ),
    (
        "report",
        &[
            (
                "Write a report page to send by mail",
                "report recoil-converted --html report.html",
            ),
            (
                "Replace it after another run",
                "report recoil-converted --html report.html --force",
            ),
        ],
    ),
    (
        "verify",
        &[
            (
                "Check outputs against their manifest",
                "verify recoil-converted",
            ),
            (
                "Write checksums for sha256sum -c",
                "verify recoil-converted --sha256 > SHA256SUMS",
            ),
            ("Check a bag", "verify packages/recoil-converted"),
        ],
    ),
    (
        "prove",
        &[
            ("Prove that decoding is lossless", "prove recoil"),
            (
                "Save the proof for `collection`",
                "prove recoil --json > recoil.prove.json",
            ),
        ],
    ),
    (
        "diff",
        &[
            ("Compare two conversions", "diff recoil-converted merged"),
            ("Compare two installs", "diff recoil recoil-copy"),
        ],
    ),
    (
        "doctor",
        &[
            ("Check this machine", "doctor"),
            ("Check the disk for outputs", "doctor recoil-converted"),
        ],
    ),
    (
        "package",
        &[
            (
                "Make a bag",
                "package recoil-converted --to packages --bagit",
            ),
            (
                "Make a zipped bag with linked metadata",
                "package recoil-converted --to zipped --bagit --ro-crate --zip",
            ),
        ],
    ),
    (
        "collection",
        &[
            ("Index all converted discs", "collection homes --to index"),
            (
                "Give the collection a name",
                "collection homes --to index --name Shelf",
            ),
        ],
    ),
    (
        "store",
        &[
            ("Count the shared outputs", "store stats shared"),
            ("Verify every content", "store verify shared"),
            (
                "Count what no output folder uses",
                "store gc shared --keep homes --dry-run",
            ),
        ],
    ),
    (
        "pack",
        &[
            (
                "Show which game files would change",
                "pack recoil-converted --from recoil --to mod --check",
            ),
            (
                "Make a patch for others who have the game",
                "pack recoil-converted --from recoil --to mod --patch edits.patch",
            ),
            (
                "Change the game itself, and save its originals",
                "pack recoil-converted --from recoil --in-place",
            ),
        ],
    ),
    (
        "restore",
        &[
            ("Show what would be restored", "restore recoil --check"),
            ("Restore the originals of the game", "restore recoil"),
        ],
    ),
    (
        "apply",
        &[
            (
                "Show what a patch would change",
                "apply edits.patch --from recoil --to patched --check",
            ),
            (
                "Make game files from a patch",
                "apply edits.patch --from recoil --to patched",
            ),
        ],
    ),
    (
        "man",
        &[
            ("Read the manual", "man"),
            ("Read about one command", "man pack"),
            (
                "Install the pages of all commands",
                "man --to share/man/man1",
            ),
        ],
    ),
    (
        "completions",
        &[
            (
                "Write completions for bash",
                "completions bash > relicast.bash",
            ),
            (
                "Write completions for fish",
                "completions fish > relicast.fish",
            ),
        ],
    ),
];

/// Returns the examples of a subcommand, or of a nested one ("store gc"); for the program itself, one of each
/// of the commands that people want first.
pub(in crate::cli) fn of(command: &str) -> Vec<Example> {
    if command == "relicast" {
        let first = |name: &&str| of(name).first().copied();
        return FIRST.iter().filter_map(first).collect();
    }
    let name = command.split(' ').next().unwrap_or(command);
    let mut rows = EXAMPLES.iter();
    let own = rows.find(|(known, _)| *known == name);
    let own = own.map_or(&[][..], |(_, examples)| examples).iter();
    own.filter(|(_, line)| line.starts_with(command))
        .copied()
        .collect()
}

/// Commands that people want first.
pub(in crate::cli) const FIRST: &[&str] = &["convert", "serve", "identify", "pack"];

/// Returns the examples of a command for its help; empty without any.
pub(in crate::cli) fn help_of(command: &str) -> String {
    let examples = of(command);
    if examples.is_empty() {
        return String::new();
    }
    let lines = examples
        .iter()
        .map(|(text, line)| format!("\n  {text}:\n    relicast {line}"));
    format!("Examples:{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_an_example_of_each_of_the_first_commands() {
        let lines: Vec<&str> = of("relicast").iter().map(|(_, line)| *line).collect();
        assert_eq!(lines.len(), FIRST.len());
        assert!(
            lines
                .iter()
                .zip(FIRST)
                .all(|(line, name)| line.starts_with(name))
        );
        assert!(of("nonsense").is_empty());
        assert_eq!(of("store gc").len(), 1);
    }

    #[test]
    fn examples_fit_a_terminal_of_80_columns() {
        for (text, line) in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            assert!(text.len() <= 76 && line.len() <= 66, "{line}");
        }
    }
}
