//! A random number generator for values that the games generate while they run.

/// Generator of Microsoft's C runtime, from its documentation and source: the seed times 214,013 plus 2,531,011, of
/// which bits 16 to 30 are the number. Crimson Skies uses it for its clouds (`rand()` with a fixed seed, read from
/// the program by CSVM, whose documentation of the formats is CC BY 4.0); for everything else this is assumed.
#[derive(Debug, Clone)]
pub(super) struct Random(u32);

impl Random {
    pub(super) fn new(seed: u32) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u16 {
        self.0 = self.0.wrapping_mul(214_013).wrapping_add(2_531_011);
        let [.., low, high] = self.0.to_le_bytes();
        u16::from_le_bytes([low, high]) & 0x7FFF
    }

    /// Returns a number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        f64::from(self.next()) / 32_768.0
    }

    /// Returns a number in `min..max`.
    pub(super) fn between(&mut self, [min, max]: [f64; 2]) -> f64 {
        min + (max - min) * self.unit()
    }

    /// Chooses an index, with probabilities in proportion to the weights; 0 if no weight is positive.
    pub(super) fn choice(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let positive = |weight: f64| {
            if weight.is_finite() {
                weight.max(0.0)
            } else {
                0.0
            }
        };
        let mut left = self.unit() * weights.clone().map(positive).sum::<f64>();
        for (index, weight) in weights.map(positive).enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_c_runtime() {
        let mut random = Random::new(1);
        let numbers: Vec<u16> = (0..5).map(|_| random.next()).collect();
        assert_eq!(numbers, [41, 18467, 6334, 26500, 19169]);
    }

    #[test]
    fn choices_follow_their_weights() {
        // The first number is 41 / 32768, the second more than a half.
        let mut random = Random::new(1);
        assert_eq!(random.choice([1.0, 1.0].into_iter()), 0);
        assert_eq!(random.choice([1.0, 1.0].into_iter()), 1);
        assert_eq!(random.choice([0.0, f64::NAN].into_iter()), 0);
        assert_eq!(Random::new(1).choice([0.0, 2.0].into_iter()), 1);
    }
}
