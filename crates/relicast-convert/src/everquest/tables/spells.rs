//! Spells, one for each line.

use crate::documents::DocumentForm;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::shared::line::Line;
use relicast_codec::{F32, PaddedText};
use relicast_formats::everquest::spells::sprites::{Effect, SpriteTable};
use relicast_formats::everquest::spells::stages::{Stage, StageTable};
use relicast_formats::everquest::spells::table::{NEVER, NO_EFFECT, Spell, SpellTable};
use relicast_limits as limits;
use relicast_scene::Document;
use relicast_scene::document::Style;
use relicast_scene::model::number;

/// Classes in the order of their levels.
const CLASSES: [&str; 14] = [
    "warrior",
    "cleric",
    "paladin",
    "ranger",
    "shadow_knight",
    "druid",
    "monk",
    "bard",
    "rogue",
    "shaman",
    "necromancer",
    "wizard",
    "magician",
    "enchanter",
];

/// Places of sprites on a body.
const PLACES: [&str; 6] = [
    "chest",
    "head",
    "right_hand",
    "left_hand",
    "right_foot",
    "left_foot",
];

/// Text up to the first NUL.
pub(super) fn text<const N: usize>(field: &PaddedText<N>) -> String {
    let bytes = field.text_bytes();
    encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

/// The spells that have a name, by their numbers.
pub(super) fn table(table: &SpellTable<'_>, style: Style) -> Document<'static> {
    let spells = table.spells.iter().enumerate();
    let spells = spells.filter(|(_, spell)| !spell.head.name.text_bytes().is_empty());
    let rows: Vec<Line<Value>> = spells
        .map(|(id, one)| {
            limits::check();
            Line::new(spell(id, one), style)
        })
        .collect();
    Document::new(Spells {
        slots: table.slots,
        records: table.spells.len(),
        spells: rows,
    })
}

/// The spells of a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Spells {
    /// Effect slots of a spell.
    slots: usize,
    /// Number of all records.
    records: usize,
    spells: Vec<Line<Value>>,
}

/// Visual effects of spells.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Effects {
    /// Number of all records.
    records: usize,
    effects: Vec<Line<Value>>,
}

fn spell(id: usize, spell: &Spell) -> Value {
    let Spell {
        head,
        items,
        sort,
        tail,
        ..
    } = spell;
    let mut row = Map::new();
    let mut put = |key: &str, value: Value| {
        row.insert(key.to_owned(), value);
    };
    put("id", json!(id));
    put("name", text(&head.name).into());
    for (key, words) in [
        ("player", text(&head.player)),
        ("teleport_zone", text(&head.teleport_zone)),
        ("you_cast", text(&head.you_cast)),
        ("other_casts", text(&head.other_casts)),
        ("cast_on_you", text(&head.cast_on_you)),
        ("cast_on_other", text(&head.cast_on_other)),
        ("spell_fades", text(&head.spell_fades)),
    ] {
        if !words.is_empty() {
            put(key, words.into());
        }
    }
    for (key, value) in [
        ("range", head.range),
        ("area_range", head.area_range),
        ("push_back", head.push_back),
        ("push_up", head.push_up),
    ] {
        put(key, number(value.get()));
    }
    for (key, value) in [
        ("cast_time", head.cast_time),
        ("recovery_time", head.recovery_time),
        ("recast_time", head.recast_time),
        ("duration_formula", head.duration_formula),
        ("duration", head.duration),
        ("area_duration", head.area_duration),
        ("mana", u32::from(head.mana)),
        ("icon", u32::from(items.icon)),
        ("memorized_icon", u32::from(items.memorized_icon)),
    ] {
        put(key, value.into());
    }
    put("effects", effects(spell));
    put("components", components(spell));
    for (key, value) in [
        ("light", sort.light),
        ("good", sort.good),
        ("activated", sort.activated),
        ("resist", sort.resist),
        ("target", tail.target),
        ("difficulty", tail.difficulty),
        ("skill", tail.skill),
        ("zone_type", tail.zone_type),
        ("environment", tail.environment),
        ("time_of_day", tail.time_of_day),
    ] {
        put(key, value.into());
    }
    let levels = CLASSES.iter().zip(&tail.levels);
    let levels = levels.filter(|&(_, &level)| level < NEVER);
    let levels: Map<String, Value> = levels
        .map(|(class, &level)| ((*class).to_owned(), level.into()))
        .collect();
    put("levels", Value::Object(levels));
    put("casting_animation", tail.casting_animation.into());
    put("target_animation", tail.target_animation.into());
    put("travel_type", tail.travel_type.into());
    put("effect_record", tail.effect_record.into());
    Value::Object(row)
}

fn effects(spell: &Spell) -> Value {
    let slots = spell.effect.iter().zip(&spell.base);
    let slots = slots.zip(spell.most.iter().zip(&spell.formula)).enumerate();
    let used = slots.filter(|(_, ((effect, _), _))| **effect != NO_EFFECT);
    used.map(|(slot, ((effect, base), (most, formula)))| {
        json!({"slot": slot, "effect": effect, "base": base, "most": most, "formula": formula})
    })
    .collect()
}

fn components(spell: &Spell) -> Value {
    let items = &spell.items;
    let taken = items.components.iter().zip(&items.component_counts);
    let taken = taken.zip(&items.kept_components);
    let used = taken.filter(|((item, _), _)| **item >= 0);
    used.map(|((item, count), kept)| {
        let mut row = json!({"item": item, "count": count});
        if let (Value::Object(row), true) = (&mut row, *kept != u8::MAX) {
            row.insert("kept".to_owned(), (*kept).into());
        }
        row
    })
    .collect()
}

/// Visual effects of old clients, by the numbers of the records that are used.
pub(super) fn sprites(table: &SpriteTable<'_>, style: Style) -> Document<'static> {
    let records = table.records.iter().enumerate();
    let used = records.filter(|(_, record)| record.used != 0);
    let rows: Vec<Line<Value>> = used
        .map(|(index, record)| {
            limits::check();
            let row = json!({
                "index": index,
                "source": effect(&record.source),
                "travel": effect(&record.travel),
                "target": effect(&record.target),
            });
            Line::new(row, style)
        })
        .collect();
    Document::new(Effects {
        records: table.records.len(),
        effects: rows,
    })
}

/// Red, green and blue of a color that is stored in reverse order.
fn color(stored: &[u8]) -> Value {
    let mut parts: Vec<u8> = stored.to_vec();
    if let Some(color) = parts.get_mut(..3) {
        color.reverse();
    }
    json!(parts)
}

fn float(stored: Option<&F32>) -> Value {
    stored.map_or(Value::Null, |stored| number(stored.get()))
}

fn effect(one: &Effect) -> Value {
    let place = |code: i32| {
        let known = usize::try_from(code).ok();
        let known = known.and_then(|code| PLACES.get(code));
        known.map_or_else(|| Value::from(code), |&name| Value::from(name))
    };
    let levels = [1, 24, 39];
    let mut sprites = Vec::new();
    for (slot, level) in levels.into_iter().enumerate() {
        let name = one.sprites.get(slot).map(text).unwrap_or_default();
        if name.is_empty() {
            continue;
        }
        sprites.push(json!({
            "sprite": name,
            "from_level": level,
            "attachment": one.attachments.get(slot).map(|&code| place(code)),
            "type": one.types.get(slot),
            "color": one.colors.get(slot).map(|stored| color(stored)),
            "gravity": float(one.gravity.get(slot)),
            "direction": one.directions.get(slot).map(|all| all.map(|part| number(part.get()))),
            "radius": float(one.radius.get(slot)),
            "angle": float(one.angle.get(slot)),
            "life": one.life.get(slot),
            "velocity": float(one.velocity.get(slot)),
            "rate": one.rate.get(slot),
            "scale": float(one.scale.get(slot)),
        }));
    }
    let mut after = Vec::new();
    for (slot, name) in one.after.iter().map(text).enumerate() {
        if name.is_empty() {
            continue;
        }
        after.push(json!({
            "slot": slot,
            "sprite": name,
            "color": one.after_colors.get(slot).map(|stored| color(stored)),
            "number": one.after_numbers.get(slot),
            "angles": [one.after_angle_a.get(slot), one.after_angle_b.get(slot)],
            "radius": float(one.after_radius.get(slot)),
            "type": one.after_types.get(slot),
            "scale": float(one.after_scale.get(slot)),
        }));
    }
    json!({
        "role": text(&one.role),
        "mode": one.mode,
        "sound": one.sound,
        "sprites": sprites,
        "after": after,
    })
}

/// Visual effects of later clients, by the numbers of the records that have a name. `emitters` are the names of
/// the numbered emitters.
pub(super) fn stages(
    table: &StageTable<'_>,
    emitters: &[String],
    style: Style,
) -> Document<'static> {
    let records = table.records.iter().enumerate();
    let named = records.filter(|(_, record)| !record.name.text_bytes().is_empty());
    let rows: Vec<Line<Value>> = named
        .map(|(index, record)| {
            limits::check();
            let row = json!({
                "index": index,
                "name": text(&record.name),
                "cast": stage(&record.cast, emitters),
                "travel": stage(&record.travel, emitters),
                "impact": stage(&record.impact, emitters),
            });
            Line::new(row, style)
        })
        .collect();
    Document::new(Effects {
        records: table.records.len(),
        effects: rows,
    })
}

fn stage(stage: &Stage, names: &[String]) -> Value {
    let used = stage.emitters.iter().filter(|one| one.emitter != 0);
    let emitters = used.map(|one| {
        let mut row = json!({
            "emitter": one.emitter,
            "from_level": one.from_level,
            "mode": one.mode,
            "attachment": one.attachment,
        });
        let name = usize::try_from(one.emitter).ok();
        let name = name.and_then(|place| names.get(place));
        if let (Value::Object(row), Some(name)) = (&mut row, name) {
            row.insert("name".to_owned(), Value::from(name.as_str()));
        }
        row
    });
    json!({"sound": stage.sound, "emitters": emitters.collect::<Vec<_>>()})
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<Spells>("spells", "Spells: a line for each"),
    DocumentForm::of::<Effects>("spell-effects", "Visual effects of spells"),
];
