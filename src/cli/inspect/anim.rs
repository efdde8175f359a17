//! `relicast inspect` of an animation container: its lists, and one definition or script of it.

use serde::Serialize;

use super::facts::or_rather;
use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{failure, item_line};
use crate::cli::terminal::lines::{print, print_line, usage};
use crate::config::ConvertOptions;
use relicast_codec::{Decoded, shown};
use relicast_convert::{self as convert, OpenContext, SourceItem};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::anim::{
    self, AnimFile, Definition, Event, EventStart, Sequence, SequenceState, SiScript,
};

/// Prints the lists of a container, without its definitions.
pub(super) fn container_lines(file: &AnimFile) {
    for base in &file.base_files {
        print_line(&format!("refers to:  {}", base.path.text()));
    }
    for source in &file.sources {
        print_line(&format!("source:     {}", source.path.text()));
    }
    for script in &file.scripts {
        print_line(&format!(
            "script:     {}, for {}, {} frames",
            script.script_name.text(),
            script.object_name.text(),
            script.frames.len()
        ));
    }
}

/// Prints one definition, script or scene of a container by name; letter case is ignored.
pub(super) fn member(path: &str, name: &str, bytes: &[u8], wanted: &str, json: bool) -> Exit {
    let Decoded { value: file, .. } = match anim::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return failure(path, &error),
    };
    let opened = match convert::open(OpenContext::new(Kind::Anim, name, bytes)) {
        Ok(opened) => opened,
        Err(error) => return failure(path, &error),
    };
    let items = opened.items(&ConvertOptions::default());
    match find(&file, &items, wanted) {
        None => {
            let listed = items.iter().filter_map(|item| item.member.clone());
            let scripts = file
                .scripts
                .iter()
                .map(|script| script.script_name.text().to_string());
            let names: Vec<String> = listed.chain(scripts).collect();
            let rather = or_rather(wanted, names.iter().map(String::as_str));
            usage(format_args!(
                "{path} has no definition, script or scene called {wanted}{rather}"
            ))
        }
        Some(Member::Definition(definition, item)) if json => json_of(path, item, definition),
        Some(Member::Script(script)) if json => json_of(path, &script.script_name.text(), script),
        Some(Member::Scene(item)) if json => usage(format_args!(
            "{path}: {} is made when it is converted and has no typed decode",
            item.member.as_deref().unwrap_or_default()
        )),
        Some(Member::Definition(definition, item)) => {
            print_line(&format!("file:       {path}: {item}"));
            definition_lines(definition);
            Exit::Success
        }
        Some(Member::Script(script)) => {
            script_lines(path, script);
            Exit::Success
        }
        Some(Member::Scene(item)) => {
            print_line(&format!("file:       {path}"));
            print_line("kind:       scene with clips, made when it is converted");
            print_line(&format!("  {}", item_line(item)));
            Exit::Success
        }
    }
}

enum Member<'f> {
    /// Definition, with the name that it is listed by.
    Definition(&'f Definition, &'f str),
    Script(&'f SiScript),
    Scene(&'f SourceItem),
}

/// Item called `wanted`: by its listed name, else by the name of an animation, else by the name of a script,
/// with or without its folder.
fn find<'f>(file: &'f AnimFile, items: &'f [SourceItem], wanted: &str) -> Option<Member<'f>> {
    let same = |name: &str| name.eq_ignore_ascii_case(wanted);
    // The container itself is the first item; the definitions follow in order, then the scenes.
    let listed = items.iter().skip(1);
    let listed = listed.filter_map(|item| Some((item, item.member.as_deref()?)));
    let listed: Vec<(&SourceItem, &str)> = listed.collect();
    if let Some(place) = listed.iter().position(|(_, name)| same(name)) {
        let (item, name) = listed[place];
        let definition = file.definitions.get(place);
        return Some(
            definition.map_or(Member::Scene(item), |index| Member::Definition(index, name)),
        );
    }
    let named = file.definitions.iter().zip(&listed);
    let mut named = named.filter(|(definition, _)| same(&definition.anim_name()));
    if let Some((definition, &(_, name))) = named.next() {
        return Some(Member::Definition(definition, name));
    }
    let mut scripts = file.scripts.iter();
    let script = scripts.find(|script| {
        let path = script.script_name.text();
        same(&path) || path.rsplit(['\\', '/']).next().is_some_and(same)
    });
    script.map(Member::Script)
}

fn json_of(path: &str, member: &str, value: &impl Serialize) -> Exit {
    let decode = serde_json::json!({"path": path, "member": member, "value": value});
    match serde_json::to_string_pretty(&decode) {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

fn definition_lines(definition: &Definition) {
    let head = &definition.head;
    print_line("kind:       animation definition");
    print_line(&format!("animation:  {}", definition.anim_name()));
    print_line(&format!("node:       {}", head.name.text()));
    print_line(&format!("root:       {}", head.anim_root_name.text()));
    print_line(&format!("activation: {}", shown(&head.activation)));
    let flags: Vec<&str> = head.flags.iter_names().map(|(name, _)| name).collect();
    if !flags.is_empty() {
        print_line(&format!("flags:      {}", flags.join(", ")));
    }
    let tables = &definition.tables;
    // The first entry of these tables is reserved.
    let list = |label: &str, names: Vec<String>| {
        if !names.is_empty() {
            print_line(&format!("{label:<11} {}", names.join(", ")));
        }
    };
    let entries = |names: &mut dyn Iterator<Item = String>| names.skip(1).collect();
    list(
        "objects:",
        entries(&mut tables.objects.iter().map(|object| object.name.text())),
    );
    list(
        "nodes:",
        entries(&mut tables.nodes.iter().map(|node| node.name.text())),
    );
    list(
        "lights:",
        entries(&mut tables.lights.iter().map(|light| light.name.text())),
    );
    list(
        "puffers:",
        entries(&mut tables.puffers.iter().map(|puffer| puffer.name.text())),
    );
    list(
        "sounds:",
        entries(&mut tables.dynamic_sounds.iter().map(|sound| sound.name.text()))
            .into_iter()
            .chain(entries(
                &mut tables.static_sounds.iter().map(|sound| sound.name.text()),
            ))
            .collect::<Vec<String>>(),
    );
    list(
        "effects:",
        entries(&mut tables.effects.iter().map(|effect| effect.name.text())),
    );
    list(
        "calls:",
        tables
            .animation_refs
            .iter()
            .map(|reference| reference.name())
            .collect(),
    );
    list(
        "requires:",
        tables
            .prerequisites
            .iter()
            .map(|prerequisite| prerequisite.name.text())
            .collect(),
    );
    for sequence in definition.blocks_of_events() {
        sequence_lines(sequence);
    }
}

fn sequence_lines(sequence: &Sequence) {
    let head = &sequence.head;
    let state = match head.state {
        SequenceState::OnCall => ", on call",
        _ => "",
    };
    print_line(&format!(
        "sequence:   {}{state}, {} events",
        head.name.text(),
        sequence.events.len()
    ));
    for event in &sequence.events {
        print_line(&format!("  {}", event_line(event)));
    }
}

fn event_line(event: &Event) -> String {
    let name = match event.body.name() {
        Some(name) => name.to_owned(),
        None => format!("unknown event {}", event.body.code()),
    };
    if event.is_unstamped() {
        return name;
    }
    let clock = match event.start {
        EventStart::Animation => "after the start",
        EventStart::Sequence => "after the sequence's start",
        EventStart::Event => "after the event before",
        EventStart::Other(_) => "by an unknown clock",
    };
    format!("{name}, {} s {clock}", event.time.0)
}

fn script_lines(path: &str, script: &SiScript) {
    let name = script.script_name.text();
    print_line(&format!("file:       {path}: {name}"));
    print_line("kind:       script");
    print_line(&format!("node:       {}", script.object_name.text()));
    let splines = script.header.spline_interpolation.is_set();
    let between = if splines { "splines" } else { "lines" };
    print_line(&format!("frames:     {}, {between}", script.frames.len()));
    if let Some(broken) = &script.broken {
        print_line(&format!("broken:     {} frames stated", broken.count));
    }
    let end = script.frames.last().map_or(0.0, |frame| frame.end_time.0);
    print_line(&format!("duration:   {end} s"));
}
