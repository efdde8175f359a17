//! Runs a script: macros, conditions, and scripts that it calls.
//!
//! ```
//! use relicast_codec::PaddedText;
//! use relicast_formats::zipper::interp::{Interp, Line, Row, Script};
//! use relicast_formats::zipper::script::{CommandKind, run};
//!
//! let script = Script {
//!     row: Row { path: PaddedText::new("m1_zbd.gs").unwrap(), ..Row::default() },
//!     lines: vec![
//!         Line::from_tokens(["set", "SKY", "horizon"]),
//!         Line::from_tokens(["ifndef", "SKY_OFF"]),
//!         Line::from_tokens(["CameraSetHorizon", "%SKY%"]),
//!         Line::from_tokens(["endif"]),
//!     ],
//! };
//! let scripts = Interp { scripts: vec![script], ..Interp::default() };
//! let ran = run(&scripts, &[0], &[]);
//! assert_eq!(ran.steps.len(), 1);
//! assert_eq!(ran.steps[0].command.as_ref().unwrap().kind, CommandKind::CameraSetHorizon);
//! assert_eq!(ran.steps[0].tokens[1], "horizon");
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::command::{Command, CommandKind, MOST_TOKENS};
use crate::zipper::interp::{Interp, Script};

/// Maximum depth of calls between scripts.
const MAX_DEPTH: usize = 16;

/// Maximum number of lines that are run, and of lines that are read.
const MAX_LINES: usize = 1 << 16;

/// Maximum length of a token with its macros replaced, in bytes.
const MAX_LENGTH: usize = 1024;

/// Maximum number of macros.
const MAX_MACROS: usize = 4096;

/// Limit that ends an endless run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Scripts call each other in a circle or too deeply.
    Depth,
    /// Too many lines.
    Lines,
    /// A macro grows too long, or there are too many of them.
    Macros,
}

impl Limit {
    /// Describes the limit that was reached.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Depth => "scripts that call each other in a circle are run once",
            Self::Lines => "the scripts run more lines than are followed",
            Self::Macros => "macros grow longer, or are more, than are followed",
        }
    }
}

/// A line that is run, with its macros replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Index of the script in its file.
    pub script: usize,
    /// Index of the line in the script.
    pub line: usize,
    /// The tokens, macros that have a value replaced.
    pub tokens: Vec<String>,
    /// Meaning of the line; `None` if the command is not known.
    pub command: Option<Command>,
}

/// Commands that scripts run, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptRun {
    /// The lines, without control commands.
    pub steps: Vec<Step>,
    /// Scripts that were called but are missing in the file.
    pub missing: BTreeSet<String>,
    /// Macros without a value.
    pub unset: BTreeSet<String>,
    /// Limits that cut the run short.
    pub limits: BTreeSet<Limit>,
}

struct Run<'s, 'a> {
    interp: &'s Interp<'a>,
    macros: BTreeMap<String, String>,
    /// Indices of the scripts that are running.
    above: Vec<usize>,
    looked_at: usize,
    ran: ScriptRun,
}

/// Runs scripts, given by their indices, with predefined macros. Macros set by one script apply to the next.
pub fn run(interp: &Interp<'_>, scripts: &[usize], macros: &[(String, String)]) -> ScriptRun {
    let mut run = Run {
        interp,
        macros: macros.iter().cloned().collect(),
        above: Vec::new(),
        looked_at: 0,
        ran: ScriptRun::default(),
    };
    for &script in scripts {
        run.script(script);
    }
    run.ran
}

/// Index of a script by its path, ignoring letter case and kind of slash: the whole path, or else the first that
/// ends with it.
pub fn find(interp: &Interp<'_>, path: &str) -> Option<usize> {
    let wanted = plain(path);
    if wanted.is_empty() {
        return None;
    }
    let paths = || {
        let scripts = interp.scripts.iter();
        scripts.map(|script| plain(&script.row.path.text()))
    };
    let ends_so = |path: &String| {
        let start = path.strip_suffix(&*wanted);
        start.is_some_and(|start| start.ends_with('/'))
    };
    let whole = paths().position(|path| path == wanted);
    whole.or_else(|| paths().position(|path| ends_so(&path)))
}

/// A path in lower case with forward slashes.
pub fn plain(path: &str) -> String {
    let path = path.to_lowercase().replace('\\', "/");
    path.trim_start_matches("./")
        .trim_start_matches('/')
        .to_owned()
}

impl Run<'_, '_> {
    fn script(&mut self, place: usize) {
        let interp = self.interp;
        let Some(script) = interp.scripts.get(place) else {
            return;
        };
        if self.above.contains(&place) || self.above.len() >= MAX_DEPTH {
            self.ran.limits.insert(Limit::Depth);
            return;
        }
        self.above.push(place);
        self.lines(place, script);
        self.above.pop();
    }

    fn lines(&mut self, place: usize, script: &Script<'_>) {
        // True for each open condition that holds.
        let mut open: Vec<bool> = Vec::new();
        for (number, line) in script.lines.iter().enumerate() {
            self.looked_at += 1;
            if self.looked_at > MAX_LINES {
                self.ran.limits.insert(Limit::Lines);
                return;
            }
            let tokens = line.tokens().take_while(|token| !token.starts_with('#'));
            let stored: Vec<String> = tokens.take(MOST_TOKENS).collect();
            let Some(kind) = Command::parse(&stored).map(|command| command.kind) else {
                if open.iter().all(|holds| *holds) && !stored.is_empty() {
                    let tokens = self.replaced(&stored);
                    self.step(place, number, tokens);
                }
                continue;
            };
            match kind {
                CommandKind::IfDef | CommandKind::IfNotDef => {
                    let is_reached = open.iter().all(|holds| *holds);
                    let wanted = kind == CommandKind::IfDef;
                    let condition = stored.get(1..).unwrap_or_default();
                    open.push(is_reached && self.holds(condition) == wanted);
                }
                CommandKind::EndIf => {
                    open.pop();
                }
                _ if !open.iter().all(|holds| *holds) => {}
                CommandKind::Quit => return,
                CommandKind::Set => {
                    let tokens = self.replaced(&stored);
                    let value = tokens.get(2).cloned().unwrap_or_default();
                    if let Some(name) = tokens.get(1) {
                        self.set(name.clone(), value);
                    }
                }
                CommandKind::Source => {
                    let tokens = self.replaced(&stored);
                    let path = tokens.get(1).map(String::as_str).unwrap_or_default();
                    match find(self.interp, path) {
                        Some(other) => self.script(other),
                        None => {
                            self.ran.missing.insert(path.to_owned());
                        }
                    }
                }
                CommandKind::MakeDirectory | CommandKind::Who | CommandKind::Var => {}
                _ => {
                    let tokens = self.replaced(&stored);
                    self.step(place, number, tokens);
                }
            }
        }
    }

    fn step(&mut self, script: usize, line: usize, tokens: Vec<String>) {
        self.ran.steps.push(Step {
            script,
            line,
            command: Command::parse(&tokens),
            tokens,
        });
    }

    fn set(&mut self, name: String, value: String) {
        if self.macros.len() < MAX_MACROS || self.macros.contains_key(&name) {
            self.macros.insert(name, value);
        } else {
            self.ran.limits.insert(Limit::Macros);
        }
    }

    /// True if a condition holds: names or values with `&&` between them, and `||` between such groups. Only
    /// the text `TRUE` is true.
    fn holds(&self, tokens: &[String]) -> bool {
        let is_true = |token: &str| {
            let bare = token
                .strip_prefix('%')
                .and_then(|token| token.strip_suffix('%'));
            let value = self.macros.get(bare.unwrap_or(token));
            token == TRUE || value.is_some_and(|value| value == TRUE)
        };
        let joined = tokens.join(" ");
        joined.split("||").any(|group| {
            let mut names = group.split("&&").flat_map(str::split_whitespace).peekable();
            names.peek().is_some() && names.all(is_true)
        })
    }

    /// Tokens with their macros replaced. The value of a macro is not expanded again.
    fn replaced(&mut self, tokens: &[String]) -> Vec<String> {
        tokens.iter().map(|token| self.replace(token)).collect()
    }

    fn replace(&mut self, token: &str) -> String {
        let mut made = String::new();
        let mut rest = token;
        while let Some((before, after)) = rest.split_once('%') {
            made.push_str(before);
            let Some((name, after)) = after.split_once('%') else {
                made.push('%');
                rest = after;
                continue;
            };
            match self.macros.get(name) {
                Some(value) if made.len() + value.len() <= MAX_LENGTH => made.push_str(value),
                Some(_) => {
                    self.ran.limits.insert(Limit::Macros);
                }
                None => {
                    if self.ran.unset.len() < MAX_MACROS {
                        self.ran.unset.insert(name.to_owned());
                    }
                    made.push('%');
                    made.push_str(name);
                    made.push('%');
                }
            }
            rest = after;
        }
        made.push_str(rest);
        made
    }
}

/// Value of a macro that is true.
const TRUE: &str = "TRUE";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::interp::{Line, Row};
    use relicast_codec::PaddedText;

    fn file(scripts: &[(&str, &str)]) -> Interp<'static> {
        let scripts = scripts.iter().map(|(path, text)| Script {
            row: Row {
                path: PaddedText::new(path).unwrap(),
                ..Row::default()
            },
            lines: text
                .lines()
                .map(|line| Line::from_tokens(line.split_whitespace()))
                .collect(),
        });
        Interp {
            scripts: scripts.collect(),
            ..Interp::default()
        }
    }

    fn ran(scripts: &[(&str, &str)], macros: &[(&str, &str)]) -> (Vec<String>, ScriptRun) {
        let macros = macros
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let ran = run(&file(scripts), &[0], &macros.collect::<Vec<_>>());
        let lines = ran.steps.iter().map(|step| step.tokens.join(" ")).collect();
        (lines, ran)
    }

    #[test]
    fn conditions_nest_and_only_the_text_true_is_true() {
        let script = "\
            set A TRUE\nset B 1\nset C TRUE\n\
            ifdef A\nx a\nifdef B\nx b\nendif\nifndef B\nx nb\nendif\nendif\n\
            ifdef A && B\nx ab\nendif\nifdef A && C\nx ac\nendif\nifdef B || C\nx bc\nendif\n\
            ifdef %A%\nx pa\nendif\nifdef NONE\nifndef NONE\nx deep\nendif\nendif\nendif\nx end";
        let (lines, _) = ran(&[("a.gs", script)], &[]);
        assert_eq!(lines, ["x a", "x nb", "x ac", "x bc", "x pa", "x end"]);
        let (lines, _) = ran(
            &[("a.gs", "ifdef USEZBD\nx on\nendif")],
            &[("USEZBD", "TRUE")],
        );
        assert_eq!(lines, ["x on"]);
    }

    #[test]
    fn macros_are_replaced_within_tokens_and_unset_ones_stay() {
        let script = "set M m1\nset P data/%M%\nGameZReadZBDFile zbd/%M%/%FILE%.zbd\nx %P% 50% %";
        let (lines, ran) = ran(&[("a.gs", script)], &[]);
        assert_eq!(
            lines,
            ["GameZReadZBDFile zbd/m1/%FILE%.zbd", "x data/m1 50% %"]
        );
        assert_eq!(ran.unset.into_iter().collect::<Vec<_>>(), ["FILE"]);
    }

    #[test]
    fn scripts_call_each_other_and_quit_ends_its_own() {
        let scripts = [
            (
                "data\\m1\\a.gs",
                "x 1\nsource DATA/M1/B.GW\nx 4\n# x 5\nsource c.gw\nsource d.gw",
            ),
            ("data\\m1\\b.gw", "x 2\nset S s\nQuit\nx 3"),
            ("support\\c.gw", "x %S%"),
        ];
        let (lines, ran) = ran(&scripts, &[]);
        assert_eq!(lines, ["x 1", "x 2", "x 4", "x s"]);
        assert_eq!(ran.missing.into_iter().collect::<Vec<_>>(), ["d.gw"]);
    }

    #[test]
    fn what_has_no_end_is_cut_short_and_reported() {
        let circle = [
            ("a.gs", "x\nsource b.gs\nsource a.gs"),
            ("b.gs", "y\nsource a.gs\nz"),
        ];
        let (lines, ran_circle) = ran(&circle, &[]);
        assert_eq!(lines, ["x", "y", "z"]);
        assert!(ran_circle.limits.contains(&Limit::Depth));
        // Each line doubles the macro.
        let bomb = format!("set A 0123456789\n{}x %A%", "set A %A%%A%\n".repeat(200));
        let (lines, ran_bomb) = ran(&[("a.gs", &bomb)], &[]);
        assert!(lines[0].len() <= 2 * MAX_LENGTH && ran_bomb.limits.contains(&Limit::Macros));
        // Scripts that each call the next one many times.
        let names: Vec<String> = (0..10).map(|place| format!("s{place}.gs")).collect();
        let texts: Vec<String> = (0..10)
            .map(|place| format!("source s{}.gs\n", place + 1).repeat(16) + "x")
            .collect();
        let scripts: Vec<(&str, &str)> = names
            .iter()
            .zip(&texts)
            .map(|(name, text)| (&**name, &**text))
            .collect();
        let (lines, ran_many) = ran(&scripts, &[]);
        assert!(lines.len() <= MAX_LINES && ran_many.limits.contains(&Limit::Lines));
        // More names than the limit.
        let names: String = (0..6000).map(|place| format!("set N{place} 1\n")).collect();
        let (_, ran_names) = ran(&[("a.gs", &names)], &[]);
        assert!(ran_names.limits.contains(&Limit::Macros));
    }
}
