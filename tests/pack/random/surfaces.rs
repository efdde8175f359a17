//! DDS surfaces of the largest size, read from the specification of the format: blocks of 4 × 4 texels, or channels of
//! 8 bits.

/// Width, height, and the texels.
pub fn read(bytes: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..4], b"DDS ");
    let (height, width) = (word(12), word(16));
    let data = &bytes[128..];
    let texels = match &bytes[84..88] {
        b"DXT1" => blocks(data, width, height, 8),
        b"DXT3" | b"DXT2" => blocks(data, width, height, 2),
        b"DXT5" | b"DXT4" => blocks(data, width, height, 3),
        _ => {
            let masks = [word(92), word(96), word(100), word(104)];
            let size = word(88) as usize / 8;
            let count = (width * height) as usize;
            let texel = |at: usize| {
                let stored = data[at * size..(at + 1) * size].iter().rev();
                let stored = stored.fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
                std::array::from_fn(|part| match masks[part] {
                    0 => 255,
                    mask => (stored & mask).checked_shr(mask.trailing_zeros()).unwrap() as u8,
                })
            };
            (0..count).map(texel).collect()
        }
    };
    (width, height, texels)
}

/// `form`: 8 for colors alone, 2 for alpha of four bits, 3 for alpha between two values.
fn blocks(data: &[u8], width: u32, height: u32, form: u8) -> Vec<[u8; 4]> {
    let across = width.div_ceil(4);
    let size = if form == 8 { 8 } else { 16 };
    let texel = |at: u32| {
        let (x, y) = (at % width, at / width);
        let block = ((y / 4 * across + x / 4) * size) as usize;
        let block = &data[block..block + size as usize];
        let within = (y % 4 * 4 + x % 4) as usize;
        let colors = &block[block.len() - 8..];
        let [red, green, blue, opaque] = color(colors, within, form == 8);
        let alpha = match form {
            8 => opaque,
            2 => (block[within / 2] >> (within % 2 * 4) & 15) * 17,
            _ => between(block, within),
        };
        [red, green, blue, alpha]
    };
    (0..width * height).map(texel).collect()
}

fn color(block: &[u8], within: usize, may_be_hidden: bool) -> [u8; 4] {
    let ends = [0, 2].map(|at| u16::from_le_bytes([block[at], block[at + 1]]));
    let wide = |word: u16| {
        let scale = |part: u16, most: u16| u32::from(part & most) * 255 / u32::from(most);
        [scale(word >> 11, 31), scale(word >> 5, 63), scale(word, 31)]
    };
    let [first, second] = ends.map(wide);
    let index = block[4 + within / 4] >> (within % 4 * 2) & 3;
    let is_three = may_be_hidden && ends[0] <= ends[1];
    let mix = |a: u32, b: u32| -> [u8; 3] {
        std::array::from_fn(|part| ((first[part] * a + second[part] * b) / (a + b)) as u8)
    };
    let [red, green, blue] = match (index, is_three) {
        (0, _) => mix(1, 0),
        (1, _) => mix(0, 1),
        (2, false) => mix(2, 1),
        (2, true) => mix(1, 1),
        (_, false) => mix(1, 2),
        (_, true) => return [0; 4],
    };
    [red, green, blue, 255]
}

fn between(block: &[u8], within: usize) -> u8 {
    let (first, second) = (u32::from(block[0]), u32::from(block[1]));
    let bits = block[2..8]
        .iter()
        .rev()
        .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let index = (bits >> (within * 3) & 7) as u32;
    let value = match (index, first > second) {
        (0, _) => first,
        (1, _) => second,
        (index, true) => (first * (8 - index) + second * (index - 1)) / 7,
        (6, false) => 0,
        (7, false) => 255,
        (index, false) => (first * (6 - index) + second * (index - 1)) / 5,
    };
    value as u8
}
