//! Counts with their nouns, for messages.

/// A count with its noun, which is plural unless the count is 1.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let texts = [0, 1, 2].map(|count| counted(count, "row", "rows"));
        assert_eq!(texts, ["0 rows", "1 row", "2 rows"]);
    }
}
