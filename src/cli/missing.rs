//! Missing things in the summary of a run: the count, then what is missing and which file usually has it.

use crate::pipeline::report::Report;
use crate::pipeline::report::finding::{Finding, FindingKind};
use relicast_codec::quantity::{counted, thousands};

/// Archive that most creatures of EverQuest take their animations from.
const ANIMATIONS: &str = "global_chr.s3d";

/// Kind of missing thing, recognized by the text of a note.
struct MissingKind {
    /// Text of the note before and after the name of the thing.
    before: &'static str,
    after: &'static str,
    /// The thing in singular and plural, and the advice.
    one: &'static str,
    many: &'static str,
    remedy: &'static str,
}

/// Kinds that converters report. If a note fits two, the first one counts.
const KINDS: &[MissingKind] = &[
    MissingKind {
        before: "",
        after: " has no animations: it uses those of ",
        one: "creature has no animations",
        many: "creatures have no animations",
        remedy: "",
    },
    MissingKind {
        before: "no archive has the texture ",
        after: " of ",
        one: "texture is missing from all archives",
        many: "textures are missing from all archives",
        remedy: "the other .s3d files of the install may contain them",
    },
    MissingKind {
        before: "no scene has the model ",
        after: " (placements",
        one: "placed model is missing from all archives",
        many: "placed models are missing from all archives",
        remedy: "the _obj.s3d file of the zone and the global ones may contain them",
    },
    MissingKind {
        before: "no package has the texture ",
        after: " of a skin",
        one: "texture of a skin is missing from all packages",
        many: "textures of skins are missing from all packages",
        remedy: "the other .zbd files of the install may contain them",
    },
    MissingKind {
        before: "no package has the texture ",
        after: "",
        one: "texture is missing from all packages",
        many: "textures are missing from all packages",
        remedy: "the other .zbd files of the install may contain them",
    },
    MissingKind {
        before: "its sounds have no names: ",
        after: " is missing",
        one: "list of sounds has no names",
        many: "lists of sounds have no names",
        remedy: "the _sndbnk.eff file next to each list would contain them",
    },
    MissingKind {
        before: "no archive has the group ",
        after: ", or its position is not finite",
        one: "group of objects is missing from all archives or has no position",
        many: "groups of objects are missing from all archives or have no position",
        remedy: "the other .eqg and .pfs files of the install may contain them",
    },
];

impl MissingKind {
    /// Name of the thing that a note is about, if it is of this kind.
    fn name<'n>(&self, note: &'n str) -> Option<&'n str> {
        let rest = note.strip_prefix(self.before)?;
        rest.get(..rest.find(self.after)?)
            .map(|name| if self.after.is_empty() { rest } else { name })
    }
}

/// Things of one kind, counted over all findings.
struct Counted<'r> {
    count: u64,
    kind: Option<(&'static MissingKind, &'r str)>,
    first: &'r Finding,
}

/// Number of missing things, and a line for each kind, the most frequent first.
pub(super) fn lines(report: &Report) -> (u64, Vec<String>) {
    let mut all: Vec<Counted<'_>> = Vec::new();
    let findings = report.findings.iter();
    for finding in findings.filter(|finding| finding.kind == FindingKind::Missing) {
        let known = |kind: &'static MissingKind| Some((kind, kind.name(&finding.example)?));
        let kind = KINDS.iter().find_map(known);
        let is_same = |one: &&mut Counted<'_>| {
            kind.is_some_and(|(kind, _)| one.kind.is_some_and(|(own, _)| std::ptr::eq(own, kind)))
        };
        match all.iter_mut().find(is_same) {
            Some(one) => one.count = one.count.saturating_add(finding.count),
            None => all.push(Counted {
                count: finding.count,
                kind,
                first: finding,
            }),
        }
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.count));
    let count = all.iter().map(|one| one.count).sum();
    let has_animations = report.sources.iter().any(|source| {
        let name = source.path.rsplit(['/', '\\']).next();
        name.is_some_and(|name| name.eq_ignore_ascii_case(ANIMATIONS))
    });
    let lines = all.iter().map(|one| line(one, has_animations)).collect();
    (count, lines)
}

/// Line such as `143 creatures have no animations: …`.
fn line(things: &Counted<'_>, has_animations: bool) -> String {
    let Some((kind, name)) = things.kind else {
        let Finding {
            source, example, ..
        } = things.first;
        return match things.count.saturating_sub(1) {
            0 => format!("1 in {source}: {example}"),
            more => format!(
                "{} like this, the first in {source}: {example}",
                thousands(more + 1)
            ),
        };
    };
    let counted = counted(things.count, kind.one, kind.many);
    let example = match things.count {
        1 => format!("({name} of {})", things.first.source),
        _ => format!("(such as {name} of {})", things.first.source),
    };
    // The advice is written for many things.
    let remedy = match things.count {
        1 => kind.remedy.replace(" contain them", " contain it"),
        _ => kind.remedy.to_owned(),
    };
    match (&*remedy, has_animations) {
        ("", false) => format!(
            "{counted}: {ANIMATIONS} is missing from this install; copy it from the game into the input {example}"
        ),
        ("", true) => format!(
            "{counted}: the creatures that they share animations with are missing from all archives; the other \
             _chr.s3d files of the install may contain them {example}"
        ),
        (remedy, _) => format!("{counted}: {remedy} {example}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(findings: &[(u64, &str)]) -> Report {
        let finding = |&(count, example): &(u64, &str)| Finding {
            kind: FindingKind::Missing,
            count,
            sources: 1,
            source: "fen_chr.s3d".to_owned(),
            member: None,
            example: example.to_owned(),
        };
        Report {
            findings: findings.iter().map(finding).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn the_count_comes_first_and_kinds_are_counted_together() {
        let (count, lines) = lines(&report(&[
            (2, "no archive has the texture leaf.bmp of LEAF_MDF"),
            (1_430, "no archive has the texture a b.bmp of LEAF_MDF"),
            (1, "no package has the texture bark of a skin"),
            (2, "no package has the texture bark"),
        ]));
        assert_eq!(count, 1_435);
        assert_eq!(
            lines,
            [
                "1,432 textures are missing from all archives: the other .s3d files of the install may contain them (such as leaf.bmp \
                 of fen_chr.s3d)",
                "2 textures are missing from all packages: the other .zbd files of the install may contain them (such as bark of \
                 fen_chr.s3d)",
                "1 texture of a skin is missing from all packages: the other .zbd files of the install may contain it (bark of \
                 fen_chr.s3d)",
            ]
        );
    }

    #[test]
    fn creatures_without_animations_name_the_archive_that_is_missing() {
        let text = "FEN has no animations: it uses those of ELF, which is missing from this install (most are in x)";
        let (_, lines) = lines(&report(&[(143, text)]));
        assert_eq!(
            lines,
            [
                "143 creatures have no animations: global_chr.s3d is missing from this install; copy it from the game into \
              the input (such as FEN of fen_chr.s3d)"
            ]
        );
    }

    #[test]
    fn what_is_of_no_kind_is_counted_too() {
        let (_, lines) = lines(&report(&[
            (3, "the table has no rows"),
            (1, "nothing else"),
        ]));
        assert_eq!(
            lines,
            [
                "3 like this, the first in fen_chr.s3d: the table has no rows",
                "1 in fen_chr.s3d: nothing else"
            ]
        );
    }
}
