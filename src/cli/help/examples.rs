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
            (
                "Look at what was converted",
                "serve recoil-converted --open",
            ),
            (
                "Let others in the house look, who know this machine as attic.local",
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
            ("Count the editions on a shelf", "identify mech3.cue recoil"),
        ],
    ),
    (
        "plan",
        &[
            (
                "See how four machines would share the work",
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
                "Join what two machines converted",
                "merge shard-1 shard-2 --out merged",
            ),
            (
                "Join the shards and share the outputs in a store",
                "merge shard-1 shard-2 --out merged --store shared",
            ),
        ],
    ),
    (
        "config",
        &[
            (
                "Start a configuration of your own",
                "config > pipeline.toml",
            ),
            ("Check it", "config --check pipeline.toml"),
            ("See the settings for Godot", "config --target godot"),
        ],
    ),
    (
        "formats",
        &[
            ("List the formats", "formats"),
            ("List them for a program", "formats --json > formats.json"),
        ],
    ),
    (
        "schema",
        &[
            (
                "See what the document of a motion may hold",
                "schema motion",
            ),
            ("Give an editor all schemas", "schema --to schemas"),
        ],
    ),
    (
        "inspect",
        &[
            ("Print what a file is", "inspect recoil/zbd/interp.zbd"),
            (
                "Print everything in it",
                "inspect recoil/zbd/interp.zbd --json",
            ),
        ],
    ),
    (
        "census",
        &[
            ("Count what an install holds", "census recoil"),
            (
                "Count it file by file",
                "census recoil --json > census.json",
            ),
        ],
    ),
    (
        "gallery",
        &[
            (
                "Add pages to the outputs for a web server",
                "gallery recoil-converted",
            ),
            (
                "Make a folder that works from a stick, without a server",
                "gallery recoil-converted --to stick --embed models",
            ),
        ],
    ),
    (
        "report",
        &[
            (
                "Write a page about a run for a mail",
                "report recoil-converted --html report.html",
            ),
            (
                "Write it again after another run",
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
                "Write sums that sha256sum -c reads",
                "verify recoil-converted --sha256 > SHA256SUMS",
            ),
            ("Check a bag", "verify packages/recoil-converted"),
        ],
    ),
    (
        "prove",
        &[
            ("Prove that nothing is lost", "prove recoil"),
            (
                "Keep the proof for `collection`",
                "prove recoil --json > recoil.prove.json",
            ),
        ],
    ),
    (
        "diff",
        &[
            (
                "See what differs between two conversions",
                "diff recoil-converted merged",
            ),
            ("Compare two installs", "diff recoil recoil-copy"),
        ],
    ),
    (
        "doctor",
        &[
            ("Check this machine", "doctor"),
            (
                "Check the disk that outputs go to",
                "doctor recoil-converted",
            ),
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
                "Make a bag with linked metadata in one file",
                "package recoil-converted --to zipped --bagit --ro-crate --zip",
            ),
        ],
    ),
    (
        "collection",
        &[
            (
                "Index all discs that were converted",
                "collection homes --to index",
            ),
            (
                "Give the collection a name",
                "collection homes --to index --name Shelf",
            ),
        ],
    ),
    (
        "store",
        &[
            ("Count what is shared", "store stats shared"),
            ("Check every content", "store verify shared"),
            (
                "See what no output folder uses any more",
                "store gc shared --keep homes --dry-run",
            ),
        ],
    ),
    (
        "pack",
        &[
            (
                "See what edits would change in the game",
                "pack recoil-converted --from recoil --to mod --check",
            ),
            (
                "Make a patch for others who have the game",
                "pack recoil-converted --from recoil --to mod --patch edits.patch",
            ),
            (
                "Change the game itself, and keep its originals",
                "pack recoil-converted --from recoil --in-place",
            ),
        ],
    ),
    (
        "restore",
        &[
            ("See what would be restored", "restore recoil --check"),
            ("Restore the originals of the game", "restore recoil"),
        ],
    ),
    (
        "apply",
        &[
            (
                "See what a patch would change",
                "apply edits.patch --from recoil --to patched --check",
            ),
            (
                "Make the game files of a patch",
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
                "Complete arguments in bash",
                "completions bash > relicast.bash",
            ),
            (
                "Complete arguments in fish",
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
