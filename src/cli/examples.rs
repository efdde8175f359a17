//! Examples of command lines, for the manual.

/// What an example does, and what is typed behind `relicast`.
pub(super) type Example = (&'static str, &'static str);

const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "convert",
        &[
            (
                "Convert an install",
                "convert /mnt/games/recoil --out converted",
            ),
            (
                "Convert a disc image as it lies",
                "convert mech3.cue --out converted",
            ),
            (
                "Take the sounds of one archive only",
                "convert install --out sounds --only '**/soundsH.zbd/*.wav'",
            ),
            (
                "See what would happen",
                "convert install --out converted --dry-run",
            ),
        ],
    ),
    (
        "inspect",
        &[
            ("Tell what a file is", "inspect zbd/interp.zbd"),
            ("Print everything in it", "inspect zbd/interp.zbd --json"),
        ],
    ),
    (
        "identify",
        &[
            ("Tell which edition a disc is", "identify mech3.cue"),
            (
                "Count the editions on a shelf",
                "identify shelf/one.cue shelf/two.cue",
            ),
        ],
    ),
    (
        "census",
        &[("Count what an install holds", "census install")],
    ),
    (
        "verify",
        &[
            ("Check outputs against their manifest", "verify converted"),
            (
                "Write sums that sha256sum -c reads",
                "verify converted --sha256 > SHA256SUMS",
            ),
            ("Check a bag", "verify packages/converted"),
            (
                "Compare with golden hashes",
                "verify converted --golden golden/recoil.json",
            ),
        ],
    ),
    (
        "pack",
        &[
            (
                "See what edits would change in the game",
                "pack converted --from /mnt/games/recoil --to mod --check",
            ),
            (
                "Put repainted textures back",
                "pack converted --from /mnt/games/recoil --to mod --only 'textures/**'",
            ),
            (
                "Put everything into the game itself, and keep its originals",
                "pack converted --from /mnt/games/recoil --in-place",
            ),
            (
                "Make a patch for others who have the game",
                "pack converted --from /mnt/games/recoil --to mod --patch desert.relicast-patch",
            ),
        ],
    ),
    (
        "apply",
        &[(
            "Make the game files of a patch",
            "apply desert.relicast-patch --from /mnt/games/recoil --to mod",
        )],
    ),
    (
        "restore",
        &[(
            "Put the originals back into the game",
            "restore /mnt/games/recoil",
        )],
    ),
    (
        "package",
        &[
            (
                "Make a bag with linked metadata in one file",
                "package converted --to packages --bagit --ro-crate --zip",
            ),
            (
                "Say when it is made, and under which licence",
                "package converted --to packages --bagit --date 2026-11-22 --license \
                 https://creativecommons.org/licenses/by/4.0/",
            ),
        ],
    ),
    (
        "collection",
        &[(
            "Index all discs that were converted",
            "collection homes --to index --name Shelf",
        )],
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
        "serve",
        &[
            ("Look at what was converted", "serve converted --open"),
            (
                "Let others in the house look, who know this machine as attic.local",
                "serve converted --bind 0.0.0.0 --host attic.local",
            ),
        ],
    ),
    (
        "gallery",
        &[
            (
                "Add pages to the outputs for a web server",
                "gallery converted",
            ),
            (
                "Make a folder that works from a disc or a stick, without a server",
                "gallery converted --to stick --embed models",
            ),
        ],
    ),
    (
        "report",
        &[(
            "Write a page about a run for a mail",
            "report converted --html report.html",
        )],
    ),
    ("prove", &[("Prove that nothing is lost", "prove install")]),
    (
        "config",
        &[
            (
                "Start a configuration of your own",
                "config > pipeline.toml",
            ),
            ("Check it", "config --check pipeline.toml"),
        ],
    ),
    (
        "formats",
        &[("Print the formats as JSON", "formats --json")],
    ),
    (
        "plan",
        &[(
            "Cut the work for four machines",
            "plan install --shards 4 --json",
        )],
    ),
    (
        "merge",
        &[(
            "Join what four machines converted",
            "merge shard-1 shard-2 shard-3 shard-4 --out converted",
        )],
    ),
    (
        "diff",
        &[(
            "Tell what differs between two conversions",
            "diff converted other",
        )],
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
        "completions",
        &[(
            "Complete arguments in bash",
            "completions bash > ~/.local/share/bash-completion/completions/relicast",
        )],
    ),
    (
        "man",
        &[
            ("Read the manual", "man | man -l -"),
            (
                "Install the pages of all commands",
                "man --to ~/.local/share/man/man1",
            ),
        ],
    ),
    (
        "doctor",
        &[(
            "See what is at hand, and the room for outputs",
            "doctor converted",
        )],
    ),
];

/// The examples of a subcommand; those of all for the program itself, the first of each.
pub(super) fn of(command: &str) -> Vec<Example> {
    let mut rows = EXAMPLES.iter();
    match rows.find(|(name, _)| *name == command) {
        Some((_, examples)) => examples.to_vec(),
        None if command == "relicast" => {
            let first = |name: &str| of(name).first().copied();
            ["convert", "verify", "prove", "package"]
                .into_iter()
                .filter_map(first)
                .collect()
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_examples_of_its_own() {
        assert_eq!(of("relicast").len(), 4);
        assert!(of("nonsense").is_empty());
    }
}
