//! `relicast inspect` of a cabinet.

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{failure, print, print_line, usage};
use relicast_convert as convert;
use relicast_source::cabinet::Container;
use relicast_source::cabinet::container::ComponentFacts;

/// Prints a cabinet.
pub(super) fn inspect(path: &str, cabinet: &Container, json: bool) -> Exit {
    if let Some(problem) = &cabinet.problem {
        return failure(path, problem);
    }
    let document = convert::container_document(cabinet);
    if json {
        return match serde_json::to_string_pretty(&document) {
            Ok(text) => {
                print(&text);
                exit(cabinet)
            }
            Err(error) => usage(error),
        };
    }
    print_line(&format!("file:       {path}"));
    print_line(&format!("kind:       {}", cabinet.kind.label()));
    if let Some(version) = &cabinet.facts.version {
        print_line(&format!("version:    {version}"));
    }
    if cabinet.facts.installer {
        print_line("holds:      the installer's own files");
    }
    for volume in cabinet.volumes.iter().filter(|volume| !volume.beside) {
        print_line(&format!(
            "volume:     {}, {} bytes",
            volume.name(),
            volume.size
        ));
    }
    for missing in &cabinet.facts.missing {
        print_line(&format!("volume:     {missing} is missing"));
    }
    for language in &cabinet.facts.languages {
        print_line(&format!("language:   {language:04x}"));
    }
    for deviation in cabinet.deviations.described() {
        print_line(&format!("deviation:  {deviation}"));
    }
    components(&cabinet.facts.components);
    for setup in &cabinet.facts.setup_types {
        print_line(&format!(
            "setup type: {}: {}",
            setup.name,
            setup.components.join(", ")
        ));
    }
    for group in &cabinet.facts.groups {
        let target = group
            .target
            .as_deref()
            .map(|target| format!(", to {target}"));
        print_line(&format!(
            "group:      {}, {} files, {} bytes{}",
            group.name,
            group.files,
            group.bytes,
            target.unwrap_or_default()
        ));
    }
    print_line(&format!("members:    {}", cabinet.members.len()));
    for member in &cabinet.members {
        let groups = match &*member.groups {
            [] => String::new(),
            groups => format!(" ({})", groups.join(", ")),
        };
        let problem = member
            .problem
            .as_ref()
            .map(|problem| format!(": {problem}"));
        print_line(&format!(
            "  {}, {} bytes, {}{groups}{}",
            member.path,
            member.size,
            member.packing(),
            problem.unwrap_or_default()
        ));
    }
    exit(cabinet)
}

/// Tree of components: each is below the one whose name is its prefix.
fn components(components: &[ComponentFacts]) {
    for component in components {
        let depth = component.name.matches('\\').count();
        let name = component.name.rsplit('\\').next().unwrap_or_default();
        let indent = "  ".repeat(depth.min(20));
        let groups = match &*component.groups {
            [] => String::new(),
            groups => format!(": {}", groups.join(", ")),
        };
        print_line(&format!("component:  {indent}{name}{groups}"));
    }
}

fn exit(cabinet: &Container) -> Exit {
    let damaged = cabinet
        .members
        .iter()
        .any(|member| member.problem.is_some());
    if damaged || !cabinet.facts.missing.is_empty() {
        Exit::Failures
    } else {
        Exit::Success
    }
}
