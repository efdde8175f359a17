//! Predictors of a block: linear prediction, and the five fixed ones (RFC 9639, sections 9.2.5 and 9.2.6).
//!
//! Linear prediction is computed in floating point with operations that IEEE 754 defines to the last bit, in a fixed
//! order; the window's cosine and the logarithms come from libm. So all machines find the same integers.

/// The largest order of linear prediction.
pub(super) const LARGEST_ORDER: usize = 8;

/// Number of lags that are summed together; more than needed: a multiple of the vector width.
const LAGS: usize = 12;

/// Products that are summed in single precision before their sum is added in double precision.
const STRETCH: usize = 64;

/// Integer linear predictor.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// Coefficients: of the previous sample, of the one before it, …
    pub(super) coefficients: [i32; LARGEST_ORDER],
    pub(super) order: usize,
    /// Bits of a coefficient.
    pub(super) precision: u32,
    pub(super) shift: u32,
}

/// Autocorrelation of one channel through a window.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    lags: [f64; LARGEST_ORDER + 1],
    /// Coefficients of each order, and the squared error of the prediction.
    orders: Vec<([f64; LARGEST_ORDER], f64)>,
}

/// Tukey window: the middle half is unchanged, with a cosine slope on each side.
pub(super) fn window(length: usize) -> Vec<f32> {
    let slope = length / 4;
    let mut window = vec![1.0; length];
    for index in 0..slope {
        let angle = std::f64::consts::PI * (index as f64 + 0.5) / slope as f64;
        let part = (0.5 - 0.5 * libm::cos(angle)) as f32;
        window[index] = part;
        window[length - 1 - index] = part;
    }
    window
}

impl Spectrum {
    /// Computes the spectrum; `buffer` is scratch memory.
    pub(super) fn new(samples: &[i32], window: &[f32], buffer: &mut Vec<f32>) -> Self {
        buffer.clear();
        let seen = samples.iter().zip(window);
        buffer.extend(seen.map(|(&sample, part)| sample as f32 * part));
        buffer.resize(samples.len().next_multiple_of(STRETCH) + LAGS, 0.0);
        let mut spectrum = Self {
            lags: autocorrelation(buffer),
            orders: Vec::with_capacity(LARGEST_ORDER),
        };
        spectrum.solve(LARGEST_ORDER.min(samples.len().saturating_sub(1)));
        spectrum
    }

    /// Levinson-Durbin recursion.
    fn solve(&mut self, largest: usize) {
        let mut error = self.lags[0];
        let mut found = [0.0; LARGEST_ORDER];
        for order in 0..largest {
            if error <= 0.0 {
                return;
            }
            let known = (0..order).map(|index| found[index] * self.lags[order - index]);
            let reflection = (self.lags[order + 1] - known.sum::<f64>()) / error;
            let before = found;
            found[order] = reflection;
            for index in 0..order {
                found[index] = before[index] - reflection * before[order - 1 - index];
            }
            error *= 1.0 - reflection * reflection;
            if error.is_nan() || error < 0.0 {
                return;
            }
            self.orders.push((found, error));
        }
    }

    /// Order with the fewest expected bits for a block; 0 if there is none.
    pub(super) fn best_order(&self, length: usize, depth: u32) -> usize {
        let precision = precision(length);
        let cost = |(index, (_, error)): (usize, &([f64; LARGEST_ORDER], f64))| {
            let order = index + 1;
            let each = match error * 0.5 / length as f64 {
                square if square > 0.0 => (0.5 * libm::log2(square)).max(0.0),
                _ => 0.0,
            };
            let fields = order as f64 * f64::from(depth + precision);
            (order, each * (length - order) as f64 + fields)
        };
        let costs = self.orders.iter().enumerate().map(cost);
        costs
            .min_by(|first, second| first.1.total_cmp(&second.1))
            .map_or(0, |(order, _)| order)
    }

    /// Integer coefficients of an order; `None` if they are too large for the format.
    pub(super) fn linear(&self, order: usize, length: usize) -> Option<Linear> {
        let (exact, _) = self.orders.get(order.checked_sub(1)?)?;
        let precision = precision(length);
        let limit = (1_i32 << (precision - 1)) - 1;
        let largest = exact
            .iter()
            .take(order)
            .fold(0.0, |most: f64, part| most.max(part.abs()));
        let scale = |shift: u32| f64::from(1_u32 << shift);
        let shift = (0..16)
            .rev()
            .find(|&shift| largest * scale(shift) < f64::from(limit))?;
        let mut coefficients = [0; LARGEST_ORDER];
        let mut left = 0.0;
        for (whole, part) in coefficients.iter_mut().zip(exact).take(order) {
            // The rounding error of one is added to the next.
            left += part * scale(shift);
            *whole = (libm::round(left) as i32).clamp(-limit, limit);
            left -= f64::from(*whole);
        }
        if coefficients == [0; LARGEST_ORDER] {
            return None;
        }
        Some(Linear {
            coefficients,
            order,
            precision,
            shift,
        })
    }
}

/// Bits of a coefficient: in short blocks, more do not pay.
fn precision(length: usize) -> u32 {
    match length {
        0..=192 => 7,
        193..=384 => 8,
        385..=576 => 9,
        577..=1152 => 10,
        1153..=2304 => 11,
        _ => 12,
    }
}

/// All windows of `N` values, each one value further than the previous.
fn spans<const N: usize, T>(values: &[T]) -> impl Iterator<Item = &[T; N]> {
    values.windows(N).filter_map(<[T]>::first_chunk)
}

fn autocorrelation(samples: &[f32]) -> [f64; LARGEST_ORDER + 1] {
    let mut sums = [0.0_f64; LAGS];
    let length = samples.len() - LAGS;
    for start in (0..length).step_by(STRETCH) {
        let mut stretch = [0.0_f32; LAGS];
        let Some(part) = samples.get(start..start + STRETCH + LAGS) else {
            break;
        };
        for ahead in spans::<LAGS, _>(part).take(STRETCH) {
            for (sum, other) in stretch.iter_mut().zip(ahead) {
                *sum += ahead[0] * other;
            }
        }
        for (sum, part) in sums.iter_mut().zip(stretch) {
            *sum += f64::from(part);
        }
    }
    std::array::from_fn(|lag| sums[lag])
}

impl Linear {
    /// Writes the differences between the samples after the first `order` and their predictions.
    ///
    /// Samples have at most 17 bits, coefficients 12, and there are eight: the sums fit.
    pub(super) fn residual(&self, samples: &[i32], out: &mut Vec<i32>) {
        match self.order {
            1 => self.residual_of::<1, 2>(samples, out),
            2 => self.residual_of::<2, 3>(samples, out),
            3 => self.residual_of::<3, 4>(samples, out),
            4 => self.residual_of::<4, 5>(samples, out),
            5 => self.residual_of::<5, 6>(samples, out),
            6 => self.residual_of::<6, 7>(samples, out),
            7 => self.residual_of::<7, 8>(samples, out),
            _ => self.residual_of::<8, 9>(samples, out),
        }
    }

    fn residual_of<const ORDER: usize, const SPAN: usize>(
        &self,
        samples: &[i32],
        out: &mut Vec<i32>,
    ) {
        let mut backward = [0; ORDER];
        for (index, part) in backward.iter_mut().enumerate() {
            *part = self.coefficients[ORDER - 1 - index];
        }
        let shift = self.shift;
        out.clear();
        out.extend(spans::<SPAN, _>(samples).map(|span| {
            let mut sum = 0;
            for index in 0..ORDER {
                sum += backward[index] * span[index];
            }
            span[ORDER] - (sum >> shift)
        }));
    }
}

/// Fixed predictor with the smallest residual, and the sum of the residual's magnitudes.
pub(super) fn fixed_order(samples: &[i32]) -> (usize, u64) {
    let mut sums = [0_u64; 5];
    for &[e, d, c, b, a] in spans(samples) {
        let left = [
            a,
            a - b,
            a - 2 * b + c,
            a - 3 * b + 3 * c - d,
            a - 4 * b + 6 * c - 4 * d + e,
        ];
        for (sum, value) in sums.iter_mut().zip(left) {
            *sum += u64::from(value.unsigned_abs());
        }
    }
    let best = sums.iter().enumerate().min_by_key(|(_, sum)| **sum);
    best.map_or((0, 0), |(order, &sum)| (order, sum))
}

/// Writes the residual of a fixed predictor.
pub(super) fn fixed_residual(samples: &[i32], order: usize, out: &mut Vec<i32>) {
    out.clear();
    match order {
        0 => out.extend_from_slice(samples),
        1 => out.extend(spans(samples).map(|&[b, a]| a - b)),
        2 => out.extend(spans(samples).map(|&[c, b, a]| a - 2 * b + c)),
        3 => out.extend(spans(samples).map(|&[d, c, b, a]| a - 3 * b + 3 * c - d)),
        _ => out.extend(spans(samples).map(|&[e, d, c, b, a]| a - 4 * b + 6 * c - 4 * d + e)),
    }
}
