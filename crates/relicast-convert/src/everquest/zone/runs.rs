//! Numbers as runs.

/// Numbers as runs: the first number of each run and its length. Repetitions and order are preserved.
pub(super) fn runs_of(numbers: &[u32]) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some([first, count]) if first.checked_add(*count) == Some(number) => *count += 1,
            _ => runs.push([number, 1]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_keep_every_number() {
        assert_eq!(runs_of(&[]), <[[u32; 2]; 0]>::default());
        assert_eq!(
            runs_of(&[3, 4, 5, 9, 9, u32::MAX]),
            [[3, 3], [9, 1], [9, 1], [u32::MAX, 1]]
        );
    }
}
