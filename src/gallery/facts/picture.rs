//! Facts from the header of a PNG.

use super::known::Facts;

/// Bytes to read: the signature and the header chunk.
pub(super) const HEAD: u64 = 33;

/// Reads the first bytes of a PNG.
pub(super) fn read(head: &[u8], facts: &mut Facts) {
    let number = |at: usize| {
        let bytes = head.get(at..)?.first_chunk()?;
        Some(u32::from_be_bytes(*bytes))
    };
    let is_png = head.starts_with(b"\x89PNG\r\n\x1a\n") && head.get(12..16) == Some(b"IHDR");
    let (Some(width), Some(height), true) = (number(16), number(20), is_png) else {
        return;
    };
    facts.put("width", width);
    facts.put("height", height);
    facts.put("bits", head.get(24).copied().unwrap_or_default());
    let color = match head.get(25) {
        Some(0) => "gray",
        Some(2) => "rgb",
        Some(3) => "palette",
        Some(4) => "graya",
        Some(6) => "rgba",
        _ => "",
    };
    facts.put("color", color);
    facts.numbers = [width.into(), height.into()];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_picture() {
        let mut head =
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x45\0\0\0\x40\x08\x03\0\0\0".to_vec();
        head.extend([0; 4]);
        let mut facts = Facts::default();
        read(&head, &mut facts);
        assert_eq!(facts.numbers, [69, 64]);
        assert_eq!(facts.values["color"], "palette");
        let mut none = Facts::default();
        read(&head[..20], &mut none);
        read(b"GIF89a", &mut none);
        assert!(none.values.is_empty());
    }
}
