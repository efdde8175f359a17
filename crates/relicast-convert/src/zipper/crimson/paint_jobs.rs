//! Paint jobs: patterns, paints and decals in readers (`vehicle.zrd`, `ia.zrd`) and in saved planes.

use crate::Dependency;
use crate::zipper::settings;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive;
use relicast_formats::zipper::livery::{Paints, Rgb};
use relicast_formats::zipper::paint::{AIRFRAMES, PATTERNS};
use relicast_formats::zipper::save::crimson::{self, PlaneRecord};
use relicast_formats::zipper::save::{self, SaveMember, SavedBy};
use relicast_formats::zipper::zrd::Value;

/// A pattern with its own paints.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PaintJob {
    /// Stored name of the pattern.
    pub pattern: String,
    /// Its paints; `None` for those of the pattern.
    pub paints: Option<Paints>,
    /// Numbers of the decals on nose, tail and wing; `None` for a negative number.
    pub decals: [Option<u32>; 3],
    /// Prefix of its airframe; `None` for all airframes.
    pub airframe: Option<&'static str>,
    /// Name of the variant, if it has its own.
    pub name: Option<String>,
}

/// Starts of the keys of a record.
const STARTS: [&str; 2] = ["paint", "ace"];

/// Maximum depth of lists that are searched for records.
const MAX_DEPTH: usize = 24;

/// The records in the readers among the dependencies, in their order.
pub(super) fn of_readers(dependencies: &[Dependency<'_>]) -> Vec<PaintJob> {
    let mut jobs = Vec::new();
    settings::visit(dependencies, |reader| {
        visit(std::slice::from_ref(&reader.value), 0, &mut jobs);
    });
    jobs
}

/// The planes in the saves among the dependencies, in their order.
pub(super) fn of_saves(dependencies: &[Dependency<'_>]) -> Vec<PaintJob> {
    let mut jobs = Vec::new();
    for dependency in dependencies {
        if dependency.kind == Kind::Plane {
            let decoded = crimson::decode_plane(dependency.bytes);
            jobs.extend(decoded.ok().and_then(|decoded| of_plane(&decoded.value)));
        } else if dependency.kind == Kind::Archive
            && let Ok(archive) = archive::decode(dependency.bytes)
            && SavedBy::new(&archive.value) == Some(SavedBy::CrimsonSkies)
        {
            for entry in &archive.value.entries {
                let section = save::decode_of(SavedBy::CrimsonSkies, &entry.name(), &entry.data);
                if let Ok(decoded) = section
                    && let SaveMember::Pilot(pilot) = &decoded.value
                {
                    jobs.extend(pilot.hangar().filter_map(of_plane));
                }
            }
        }
    }
    jobs
}

/// Paint job of a saved plane.
fn of_plane(plane: &PlaneRecord) -> Option<PaintJob> {
    let pattern = PATTERNS.get(usize::try_from(plane.pattern).ok()?)?;
    let airframe = AIRFRAMES.get(usize::try_from(plane.airframe).ok()?)?;
    Some(PaintJob {
        pattern: pattern.folder.to_owned(),
        paints: Some(plane.rgb.map(|paint| [paint.red, paint.green, paint.blue])),
        decals: plane.decals.map(|decal| (decal < 100).then_some(decal)),
        airframe: Some(airframe.prefix),
        name: Some(plane.name.text()),
    })
}

/// True if a list holds a key itself, or a list that starts with it.
fn holds(values: &[Value<'_>], key: &str) -> bool {
    values.iter().any(|value| {
        let inner = value.as_list().and_then(<[_]>::first);
        settings::is_key(value, &[key])
            || inner.is_some_and(|first| settings::is_key(first, &[key]))
    })
}

fn visit(values: &[Value<'_>], depth: usize, jobs: &mut Vec<PaintJob>) {
    let mut found = false;
    for start in STARTS {
        if holds(values, &format!("{start}_pattern")) {
            jobs.extend(job(values, start));
            found = true;
        }
    }
    if found || depth >= MAX_DEPTH {
        return;
    }
    for value in values {
        if let Some(inner) = value.as_list() {
            visit(inner, depth + 1, jobs);
        }
    }
}

/// The record in a list; `None` for one without a pattern.
fn job(values: &[Value<'_>], start: &str) -> Option<PaintJob> {
    let keys = [
        "pattern", "color1", "color2", "color3", "decal1", "decal2", "decal3", "plane", "name",
    ]
    .map(|key| format!("{start}_{key}"));
    let known: Vec<&str> = keys.iter().map(String::as_str).collect();
    let get = |key: &str| settings::after(values, &format!("{start}_{key}"), &known);
    let pattern = settings::texts(get("pattern")?).into_iter().next()?;
    if pattern.is_empty() {
        return None;
    }
    let color = |key: &str| -> Option<Rgb> {
        let numbers = settings::numbers(get(key)?, 3);
        let channel = |place: usize| {
            let number = *numbers.get(place)?;
            (0.0..=255.0).contains(&number).then_some(number as u8)
        };
        Some([channel(0)?, channel(1)?, channel(2)?])
    };
    let decal = |key: &str| {
        let number = *settings::numbers(get(key)?, 1).first()?;
        (0.0..100.0).contains(&number).then_some(number as u32)
    };
    let paints = color("color1").zip(color("color2")).zip(color("color3"));
    Some(PaintJob {
        pattern,
        paints: paints.map(|((one, two), three)| [one, two, three]),
        decals: [decal("decal1"), decal("decal2"), decal("decal3")],
        airframe: None,
        name: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn jobs(source_text: &str) -> Vec<PaintJob> {
        let values = text::decode(source_text.as_bytes())
            .unwrap()
            .value
            .values()
            .unwrap();
        let mut jobs = Vec::new();
        visit(&values, 0, &mut jobs);
        jobs
    }

    #[test]
    fn records_are_found_in_every_shape() {
        let paints = Some([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
        for source_text in [
            "(VEHICLES (a (paint_pattern blake paint_color1 (1 2 3) paint_color2 (4 5 6) \
             paint_color3 (7 8 9) paint_decal1 21 paint_decal2 -1)))",
            "((a ((paint_pattern (blake)) (paint_color1 1 2 3) (paint_color2 4 5 6) \
             (paint_color3 7 8 9) (paint_decal1 (21)))))",
            "(ace_pattern blake ace_color1 (1 2 3) ace_color2 (4 5 6) ace_color3 (7 8 9) ace_decal1 21)",
        ] {
            let found = jobs(source_text);
            assert_eq!(found.len(), 1, "{source_text}");
            assert_eq!(found[0].pattern, "blake");
            assert_eq!(found[0].paints, paints, "{source_text}");
            assert_eq!(found[0].decals, [Some(21), None, None], "{source_text}");
        }
    }

    #[test]
    fn records_lack_what_they_do_not_say() {
        let found = jobs("((paint_pattern player_fortune) (x (paint_pattern \"\")))");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].paints, None);
        let wrong = jobs("(paint_pattern cccp paint_color1 (1 2) paint_color2 (1 2 300))");
        assert_eq!(wrong[0].paints, None);
    }
}
