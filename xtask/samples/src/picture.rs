//! Pictures that are distinct and have a visible orientation: every tile bears its name.

/// A picture of red, green and blue bytes, rows from top to bottom.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Texels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// The texels.
    pub texels: Vec<[u8; 3]>,
}

/// A color.
pub type Color = [u8; 3];

impl Picture {
    /// Paints a picture with `color` for each column and row.
    pub fn paint(width: u16, height: u16, mut color: impl FnMut(u16, u16) -> Color) -> Self {
        let texels = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| color(x, y))
            .collect();
        Self {
            width,
            height,
            texels,
        }
    }

    /// A gradient between four corners: top left, top right, bottom left, bottom right.
    pub fn gradient(width: u16, height: u16, corners: [Color; 4]) -> Self {
        let [top_left, top_right, bottom_left, bottom_right] = corners;
        Self::paint(width, height, |x, y| {
            let across = |from: Color, to: Color| between(from, to, x, width);
            between(
                across(top_left, top_right),
                across(bottom_left, bottom_right),
                y,
                height,
            )
        })
    }

    /// Squares of `size` texels in two colors.
    pub fn checker(width: u16, height: u16, size: u16, colors: [Color; 2]) -> Self {
        let [first, second] = colors;
        Self::paint(width, height, |x, y| match (x / size + y / size) % 2 {
            0 => first,
            _ => second,
        })
    }

    /// Rows of bricks with joints.
    pub fn bricks(width: u16, height: u16, brick: Color, joint: Color) -> Self {
        Self::paint(width, height, |x, y| {
            let course = y / 8;
            let shifted = x + (course % 2) * 8;
            if y % 8 == 7 || shifted % 16 == 15 {
                joint
            } else {
                let shade = ((shifted / 16 * 5 + course * 3) % 7) as u8 * 6;
                brick.map(|channel| channel.saturating_sub(shade))
            }
        })
    }

    /// Writes `text` near the top left corner in letters of 3 × 5 dots, `size` texels a dot.
    pub fn label(mut self, text: &str, size: u16, color: Color) -> Self {
        for (column, letter) in (0_u16..).zip(text.chars()) {
            let rows = glyph(letter);
            for (row, x) in (0..5_u16).flat_map(|row| (0..3_u16).map(move |x| (row, x))) {
                if (rows >> (14 - (row * 3 + x))) & 1 == 1 {
                    let left = size * (1 + column * 4 + x);
                    self.fill(left, size * (1 + row), size, color);
                }
            }
        }
        self
    }

    /// A frame of `thickness` texels.
    pub fn frame(mut self, thickness: u16, color: Color) -> Self {
        let (width, height) = (self.width, self.height);
        for (index, texel) in self.texels.iter_mut().enumerate() {
            let (x, y) = (index % usize::from(width), index / usize::from(width));
            let edge = x
                .min(y)
                .min(usize::from(width) - 1 - x)
                .min(usize::from(height) - 1 - y);
            if edge < usize::from(thickness) {
                *texel = color;
            }
        }
        self
    }

    fn fill(&mut self, left: u16, top: u16, size: u16, color: Color) {
        for y in top..top.saturating_add(size).min(self.height) {
            for x in left..left.saturating_add(size).min(self.width) {
                let index = usize::from(y) * usize::from(self.width) + usize::from(x);
                if let Some(texel) = self.texels.get_mut(index) {
                    *texel = color;
                }
            }
        }
    }
}

/// The color at `step` of `steps` between two.
fn between(from: Color, to: Color, step: u16, steps: u16) -> Color {
    let last = i32::from(steps.max(2)) - 1;
    std::array::from_fn(|channel| {
        let (from, to) = (i32::from(from[channel]), i32::from(to[channel]));
        (from + (to - from) * i32::from(step) / last) as u8
    })
}

/// Squared distance from the center, from 0 to 255 on the nearest edge and more in the corners.
pub fn distance(x: u16, y: u16, width: u16, height: u16) -> i32 {
    let offset = |place: u16, size: u16| {
        let doubled = i32::from(place) * 2 + 1 - i32::from(size);
        doubled * 256 / i32::from(size.max(1))
    };
    let (across, down) = (offset(x, width), offset(y, height));
    (across * across + down * down) / 256
}

/// Fifteen dots, row by row from the top left.
fn glyph(letter: char) -> u16 {
    match letter.to_ascii_uppercase() {
        '0' => 0b111_101_101_101_111,
        '1' => 0b010_110_010_010_111,
        '2' => 0b111_001_111_100_111,
        '3' => 0b111_001_111_001_111,
        '4' => 0b101_101_111_001_001,
        '5' => 0b111_100_111_001_111,
        '6' => 0b111_100_111_101_111,
        '7' => 0b111_001_010_010_010,
        '8' => 0b111_101_111_101_111,
        '9' => 0b111_101_111_001_111,
        'A' => 0b010_101_111_101_101,
        'B' => 0b110_101_110_101_110,
        'C' => 0b011_100_100_100_011,
        'D' => 0b110_101_101_101_110,
        'E' => 0b111_100_110_100_111,
        'F' => 0b111_100_110_100_100,
        'G' => 0b011_100_101_101_011,
        'H' => 0b101_101_111_101_101,
        'I' => 0b111_010_010_010_111,
        'J' => 0b001_001_001_101_010,
        'K' => 0b101_101_110_101_101,
        'L' => 0b100_100_100_100_111,
        'M' => 0b101_111_111_101_101,
        'N' => 0b110_101_101_101_101,
        'O' => 0b010_101_101_101_010,
        'P' => 0b110_101_110_100_100,
        'Q' => 0b010_101_101_110_011,
        'R' => 0b110_101_110_101_101,
        'S' => 0b011_100_010_001_110,
        'T' => 0b111_010_010_010_010,
        'U' => 0b101_101_101_101_111,
        'V' => 0b101_101_101_101_010,
        'W' => 0b101_101_111_111_101,
        'X' => 0b101_101_010_101_101,
        'Y' => 0b101_101_010_010_010,
        'Z' => 0b111_001_010_100_111,
        _ => 0,
    }
}
