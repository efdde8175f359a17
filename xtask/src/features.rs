//! What the library is built with: the crates of the program come with the feature `cli` and not
//! without it.

#[cfg(test)]
mod tests {
    use crate::process::cargo;

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

    /// Names of the crates that relicast is built with.
    fn crates(arguments: &[&str]) -> Vec<String> {
        let tree = ["tree", "--package", "relicast", "--edges", "normal"];
        let output = cargo()
            .args(tree)
            .args(["--prefix", "none", "--format", "{p}", "--offline"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let names = text.lines().filter_map(|line| line.split(' ').next());
        names.map(str::to_owned).collect()
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
}
