//! Branch-free polynomials of the exponential function and its relatives, which the compiler
//! vectorizes on the CPU.

/// 1 / (1 + e⁻ˣ).
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline]
pub fn tanh(x: f32) -> f32 {
    2.0 / (1.0 + exp(-2.0 * x)) - 1.0
}

/// The exponential function, with a relative error below 3e-7; x is clamped to [−87, 87].
///
/// eˣ = 2ⁿ · eʳ with an integer n and |r| ≤ ln 2 / 2. Adding 1.5 · 2²³ rounds to an integer and
/// leaves it in the lowest bits, from where it is added to the exponent. eʳ is a Taylor polynomial.
#[inline]
pub fn exp(x: f32) -> f32 {
    const ROUNDER: f32 = 12_582_912.0;
    // ln 2 in two parts: the product of a small n with the first is exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let mut power = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        power = power * rest + factor;
    }
    f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_agree_with_the_standard_library() {
        for number in -9_000..=9_000 {
            let x = number as f32 / 100.0;
            let (found, exact) = (exp(x), f64::from(x.clamp(-87.0, 87.0)).exp());
            assert!((f64::from(found) / exact - 1.0).abs() < 3e-7, "exp {x}: {found} {exact}");
            assert!((tanh(x) - x.tanh()).abs() < 3e-7, "tanh {x}");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 2e-7, "sigmoid {x}");
        }
    }
}
