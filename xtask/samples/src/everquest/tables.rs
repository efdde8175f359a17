//! Tables: spells, text lists, maps, skies.

use relicast::formats::codec::{F32, PaddedText};
use relicast::formats::everquest::spells::sprites::{self, Effect, SpellSprites, SpriteTable};
use relicast::formats::everquest::spells::stages::{
    self, SpellStages, Stage, StageEmitter, StageTable,
};
use relicast::formats::everquest::spells::table::{
    self, NEVER, NO_EFFECT, Spell, SpellHead, SpellItems, SpellSort, SpellTable, SpellTail,
};

use crate::Outcome;

fn text<const N: usize>(words: &str) -> Outcome<PaddedText<N>> {
    Ok(PaddedText::new(words).ok_or("a text that fits")?)
}

/// A text with remains of an older one after it.
fn stale(words: &str) -> Outcome<PaddedText<32>> {
    let mut field: PaddedText<32> = text(words)?;
    field.0[31] = b'x';
    Ok(field)
}

fn no_levels() -> [u8; 15] {
    let mut levels = [NEVER; 15];
    levels[14] = 0;
    levels
}

fn spell(slots: usize, name: &str) -> Outcome<Spell> {
    let mut levels = no_levels();
    (levels[1], levels[9]) = (5, 9);
    let mut effect = vec![NO_EFFECT; slots];
    effect[0] = 0;
    let mut base = vec![0; slots];
    base[0] = -12;
    Ok(Spell {
        head: SpellHead {
            name: stale(name)?,
            player: text("PLAYER_1")?,
            you_cast: text("You begin to hum.")?,
            cast_on_you: text("Your ears ring\u{2026}").or_else(|_| text("Your ears ring."))?,
            range: F32(100.5),
            cast_time: 2500,
            recast_time: 7000,
            mana: 40,
            ..SpellHead::default()
        },
        base,
        most: vec![0; slots],
        items: SpellItems {
            icon: 7,
            components: [13, -1, -1, -1],
            component_counts: [1; 4],
            kept_components: [u8::MAX; 4],
            ..SpellItems::default()
        },
        formula: vec![100; slots],
        sort: SpellSort {
            good: 1,
            ..SpellSort::default()
        },
        effect,
        tail: SpellTail {
            target: 5,
            zone_type: u8::MAX,
            levels,
            effect_record: 1,
            ..SpellTail::default()
        },
    })
}

fn no_spell(slots: usize) -> Spell {
    Spell {
        base: vec![0; slots],
        most: vec![0; slots],
        formula: vec![100; slots],
        effect: vec![NO_EFFECT; slots],
        tail: SpellTail {
            levels: no_levels(),
            ..SpellTail::default()
        },
        ..Spell::default()
    }
}

/// Spells with so many slots: 4 or 12.
pub fn spells(slots: usize) -> Outcome<Vec<u8>> {
    let table = SpellTable {
        slots,
        spells: vec![
            no_spell(slots),
            spell(slots, "Hum of the Mill")?,
            no_spell(slots),
            spell(slots, "Spark of Wool")?,
        ],
        ..SpellTable::default()
    };
    Ok(table::encode(&table)?)
}

/// Spell effects of old clients.
pub fn spell_sprites() -> Outcome<Vec<u8>> {
    let mut source = Effect {
        role: text("Source")?,
        attachments: [2, -1, -1],
        sound: 105,
        scale: [F32(0.5), F32(0.0), F32(0.0)],
        ..Effect::default()
    };
    source.sprites[0] = text("EMBER1_SPRITE")?;
    source.colors[0] = [10, 20, 30, 40];
    source.after[3] = text("EMBER2")?;
    let table = SpriteTable {
        records: vec![
            SpellSprites::default(),
            SpellSprites {
                used: 1,
                source,
                ..SpellSprites::default()
            },
        ],
        ..SpriteTable::default()
    };
    Ok(sprites::encode(&table)?)
}

/// Spell effects of newer clients, with so many stray bytes at the end.
pub fn spell_stages(stray: usize) -> Outcome<Vec<u8>> {
    let mut cast = Stage {
        sound: 105,
        ..Stage::default()
    };
    cast.emitters[1] = StageEmitter {
        emitter: 1,
        from_level: 24,
        mode: 1,
        attachment: 4,
    };
    let record = |name: &str, cast| -> Outcome<SpellStages> {
        Ok(SpellStages {
            name: text(name)?,
            cast,
            ..SpellStages::default()
        })
    };
    let table = StageTable {
        records: vec![record("None", Stage::default())?, record("Hum", cast)?],
        trailing: vec![7; stray].into(),
    };
    Ok(stages::encode(&table)?)
}

/// Text lists by their names.
pub const LISTS: [(&str, &[u8]); 10] = [
    (
        "dbstr_us.txt",
        b"Major^Minor^String(New)\r\n1^1^Hum\r\n1^4^Hums, 2^3 times.\r\n12^8^7\r\n12^11^Caf\xE9 folk",
    ),
    ("eqstr_us.txt", b"EQST0002\r\n0 2\r\n100 You hear %1.\\n\r\n207 Go away!\r\n"),
    ("BaseData.txt", b"1^1^25^0^15^2^5^0.083^0^0.075\n1^2^20^25^15^2^5^0.07^1.5^0.075\n"),
    ("SkillCaps.txt", b"1^0^1^10^0\n1^0^2^15^0\n"),
    ("SoundAssets.txt", b"10^hum.wav\r\n9^Unknown\r\n"),
    ("AnimationSounds.txt", b"3^105\r\n"),
    ("RaceData.txt", b"1^2^3\r\n2^4^5^06\r\n"),
    (
        "Resources/GlobalLoad.txt",
        b"1,1,TFTF,GEquip,Loading Character Equipment Files\r\n3,1,TFFF,dell.eqg,Loading a dell, and more\r\n",
    ),
    ("spells_us.txt", b"7^Hum of the Mill^PLAYER_1^^You begin to hum.^^^^^100^0\r\n8^12^PLAYER_1\r\n"),
    (
        "Resources/Sky/sky.ini",
        b"# Skies.\r\n[SkySettings]\r\nDell=\r\nmill=\r\n[SkySetting-default]\r\nTransparentAngle=0.25\r\n\
            [SkySetting-DELL]\r\nDefaultWeather=DefaultFog\r\nminangle = -0.2\r\n",
    ),
];

/// Maps by their names.
pub const MAPS: [(&str, &[u8]); 2] = [
    (
        "maps/dell.txt",
        b"L 10.5, -20, 0.0, 30, 40, 0, 0, 0, 255\r\nL 30, 40, 0, 10.5, -20, 0, 150, 0, 0\r\n",
    ),
    (
        "maps/dell_1.txt",
        b"P -3.25, 4, 1, 255, 128, 0, 2, to_the_mill\r\n",
    ),
];
