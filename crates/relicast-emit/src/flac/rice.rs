//! Residuals in partitions with a Rice parameter each (RFC 9639, section 9.2.7).

use super::bits::BitWriter;

/// A block has at most 2⁵ partitions.
const MAX_ORDER: u32 = 5;

/// Largest parameter of four bits; 15 is an escape.
const MAX_PARAMETER: u32 = 14;

/// Partitioning of a residual, and its cost.
#[derive(Clone, Debug)]
pub(super) struct Partitions {
    order: u32,
    parameters: [u8; 1 << MAX_ORDER],
    /// Approximate size of the residual with the fields before it, in bits.
    pub(super) bits: u64,
}

impl Partitions {
    /// The cheapest partitioning of a residual, which lacks the first `warm_up` samples of the block.
    pub(super) fn new(residual: &[i32], warm_up: usize) -> Self {
        let block = residual.len() + warm_up;
        let mut largest = MAX_ORDER.min(block.trailing_zeros());
        while largest > 0 && block >> largest <= warm_up {
            largest -= 1;
        }
        let mut sums = [0_u64; 1 << MAX_ORDER];
        let mut rest = residual;
        for (number, sum) in sums.iter_mut().take(1 << largest).enumerate() {
            let count = (block >> largest) - if number == 0 { warm_up } else { 0 };
            let (part, behind) = rest.split_at(count);
            rest = behind;
            *sum = sum_of(part);
        }
        let mut best: Option<Self> = None;
        for order in (0..=largest).rev() {
            let mut cut = Self {
                order,
                parameters: [0; 1 << MAX_ORDER],
                bits: 6,
            };
            let length = block >> order;
            for (number, parameter) in cut.parameters.iter_mut().take(1 << order).enumerate() {
                let count = length - if number == 0 { warm_up } else { 0 };
                let (chosen, bits) = parameter_of(sums[number], count as u64);
                *parameter = chosen;
                cut.bits += 4 + bits;
            }
            if best.as_ref().is_none_or(|best| cut.bits <= best.bits) {
                best = Some(cut);
            }
            for pair in 0..(1 << order) / 2 {
                sums[pair] = sums[2 * pair] + sums[2 * pair + 1];
            }
        }
        best.unwrap_or(Self {
            order: 0,
            parameters: [0; 1 << MAX_ORDER],
            bits: u64::MAX,
        })
    }

    /// Writes a partitioned residual.
    pub(super) fn write(&self, residual: &[i32], warm_up: usize, bits: &mut BitWriter<'_>) {
        let block = residual.len() + warm_up;
        bits.put(0, 2);
        bits.put(self.order, 4);
        let mut rest = residual;
        for (number, &parameter) in self.parameters.iter().take(1 << self.order).enumerate() {
            let count = (block >> self.order) - if number == 0 { warm_up } else { 0 };
            let (part, behind) = rest.split_at(count);
            rest = behind;
            let parameter = u32::from(parameter);
            bits.put(parameter, 4);
            for &value in part {
                bits.put_rice((value << 1 ^ value >> 31) as u32, parameter);
            }
        }
    }
}

fn sum_of(part: &[i32]) -> u64 {
    let (eights, rest) = part.as_chunks::<8>();
    let mut lanes = [0_u64; 8];
    for values in eights {
        for (lane, value) in lanes.iter_mut().zip(values) {
            *lane += u64::from(value.unsigned_abs());
        }
    }
    let rest: u64 = rest
        .iter()
        .map(|value| u64::from(value.unsigned_abs()))
        .sum();
    lanes.iter().sum::<u64>() + rest
}

/// Best parameter for so many values with this sum of magnitudes, and their approximate size in bits.
fn parameter_of(sum: u64, count: u64) -> (u8, u64) {
    let cost = |parameter: u32| {
        let high = match parameter {
            0 => 2 * sum,
            _ => sum >> (parameter - 1),
        };
        (high + count * u64::from(1 + parameter)).saturating_sub(count / 2)
    };
    let near = sum
        .checked_div(count)
        .unwrap_or(0)
        .checked_ilog2()
        .unwrap_or(0);
    let near = near.min(MAX_PARAMETER);
    let next = (near + 1).min(MAX_PARAMETER);
    match cost(next) < cost(near) {
        true => (next as u8, cost(next)),
        false => (near as u8, cost(near)),
    }
}
