//! `inspect` for sounds and worlds, and suggestions for unknown names.

use crate::cli::terminal::lines::print_line;
use crate::config::closest;
use relicast_codec::shown;
use relicast_formats::riff::{FormatTag, Wave};
use relicast_formats::zipper::gamez::GameZ;

/// Prints encoding, rate and length of a sound.
pub(in crate::cli) fn wave_lines(wave: &Wave<'_>) {
    let Ok(format) = wave.format() else {
        return;
    };
    let header = &format.header;
    print_line(&format!("coding:     {}", shown(&format.coding())));
    print_line(&format!("rate:       {} Hz", header.rate));
    print_line(&format!("channels:   {}", header.channels));
    print_line(&format!("bits:       {}", header.bits));
    let Ok(data) = wave.data() else {
        return;
    };
    let blocks = data.payload.len() as u64 / u64::from(header.block_align.max(1));
    let frames = match format.coding() {
        FormatTag::Pcm => blocks,
        _ => match (wave.fact_frames(), format.samples_per_block()) {
            (Some(frames), _) => u64::from(frames),
            (None, each) => blocks.saturating_mul(u64::from(each)),
        },
    };
    print_line(&format!("frames:     {frames}"));
    if header.rate > 0 {
        #[expect(clippy::cast_precision_loss, reason = "a time for display")]
        let seconds = frames as f64 / f64::from(header.rate);
        print_line(&format!("duration:   {seconds:.3} s"));
    }
}

/// Prints the counts of a world.
pub(in crate::cli) fn world_lines(world: &GameZ) {
    let models = (0..world.models.slots.len()).filter_map(|slot| world.models.get(slot));
    print_line(&format!("game file:  {}", shown(&world.version)));
    print_line(&format!("textures:   {}", world.textures.len()));
    print_line(&format!("materials:  {}", world.materials.used.len()));
    print_line(&format!("models:     {}", models.clone().count()));
    let polygons: usize = models.map(|model| model.polygons.len()).sum();
    print_line(&format!("polygons:   {polygons}"));
    print_line(&format!("nodes:      {}", world.nodes.used.len()));
}

/// Suggests the closest of `names` as a question; empty if none is close.
pub(in crate::cli) fn or_rather<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> String {
    match closest(wanted, names) {
        Some(name) => format!("; did you mean {name}?"),
        None => String::new(),
    }
}
