//! Features of the build: the crates of the program come with the feature `cli` and not without it, and all
//! crates with the same features for our commands, the program and the tests. None needs a newer Rust than
//! `rust-version` says.

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use crate::process::{QUICK, cargo};

    /// Crates of the program.
    const PROGRAM: [&str; 11] = [
        "clap",
        "clap_complete",
        "clap_mangen",
        "console",
        "ctrlc",
        "hyper",
        "hyper-util",
        "indicatif",
        "mimalloc",
        "tokio",
        "tracing-subscriber",
    ];

    /// Lines of `cargo tree`, a crate each.
    fn tree(format: &str, arguments: &[&str]) -> String {
        let output = cargo()
            .args(["tree", "--prefix", "none", "--format", format, "--offline"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Names of the crates that relicast is built with.
    fn crates(arguments: &[&str]) -> Vec<String> {
        let chosen = ["--package", "relicast", "--edges", "normal"];
        let text = tree("{p}", &[&chosen, arguments].concat());
        let names = text.lines().filter_map(|line| line.split(' ').next());
        names.map(str::to_owned).collect()
    }

    /// Features of the crates that packages are built with, by name and version of the crate.
    fn features(arguments: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
        let mut features: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in tree("{p}|{f}|", arguments).lines() {
            let mut parts = line.split('|');
            if let (Some(name), Some(of)) = (parts.next(), parts.next()) {
                let sets = features.entry(name.to_owned()).or_default();
                sets.insert(of.to_owned());
            }
        }
        features
    }

    #[test]
    fn the_library_alone_has_none_of_the_crates_of_the_program() {
        let (library, program) = (crates(&["--no-default-features"]), crates(&[]));
        assert!(library.contains(&"relicast".to_owned()));
        for name in PROGRAM {
            let is_name = |found: &String| found == name;
            assert!(program.iter().any(is_name), "{name} is not in the program");
            assert!(!library.iter().any(is_name), "{name} is in the library");
        }
    }

    /// A version of Rust as numbers.
    fn version(text: &str) -> Vec<u32> {
        text.split('.').map(|part| part.parse().unwrap()).collect()
    }

    #[test]
    fn no_crate_needs_a_newer_rust_than_relicast_says() {
        let output = cargo()
            .args(["metadata", "--format-version", "1", "--locked"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let own = |package: &&Value| package["name"] == "relicast";
        let promised = packages.iter().find(own).unwrap()["rust_version"].as_str();
        let promised = version(promised.unwrap());
        assert!(packages.len() > 100);
        for package in packages {
            if let Some(needed) = package["rust_version"].as_str() {
                let name = &package["name"];
                assert!(
                    version(needed) <= [&promised[..], &[0]].concat(),
                    "{name} needs Rust {needed}"
                );
            }
        }
    }

    #[test]
    fn no_crate_is_built_again_for_the_program_or_the_tests() {
        let command = features(&["--package", "xtask", "--edges", "normal,build"]);
        let program = features(&[&QUICK[..], &["--edges", "normal,build"]].concat());
        let tests = features(&["--workspace", "--edges", "normal,build,dev"]);
        assert!(command.len() > 100, "{command:?}");
        for (name, sets) in &command {
            for (what, others) in [("program", &program), ("tests", &tests)] {
                let other = others.get(name).unwrap();
                assert!(
                    sets.is_subset(other),
                    "{name} has {sets:?} for our commands and {other:?} for the {what}: it is built twice, \
                     and relicast with it"
                );
            }
        }
    }
}
