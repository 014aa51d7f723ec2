//! Loops of the network over slices, written so that the compiler turns them into vector
//! instructions.
//!
//! Images are stored row by row with all channels of a pixel together, and with a border of zeros
//! of one pixel. So the three pixels under a row of a 3×3 kernel are one slice. The inner loops
//! keep 7 pixels times 8 channels in registers; 7 divides 28, 14 and 7, the widths of the layers.

/// Output channels computed together.
pub const TILE: usize = 8;
/// Pixels computed together.
const PIXELS: usize = 7;

#[inline(always)]
fn multiply_add(a: f32, b: f32, sum: f32) -> f32 {
    // Without the instruction, `mul_add` would be a slow library call.
    if cfg!(target_feature = "fma") { a.mul_add(b, sum) } else { a * b + sum }
}

/// Reorders weights from `[inputs][outputs]` to `[outputs / TILE][inputs][TILE]`.
pub fn pack(weights: &[f32], outputs: usize) -> Vec<f32> {
    let mut packed = Vec::with_capacity(weights.len());
    for tile in (0..outputs).step_by(TILE) {
        for row in weights.chunks_exact(outputs) {
            packed.extend_from_slice(&row[tile..tile + TILE]);
        }
    }
    packed
}

/// The weights that take the gradient of an output back to the input: mirrored, with inputs and
/// outputs exchanged.
pub fn transposed(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let mut turned = vec![0.0; weights.len()];
    for tap in 0..9 {
        for input in 0..inputs {
            for output in 0..outputs {
                turned[((8 - tap) * outputs + output) * inputs + input] =
                    weights[(tap * inputs + input) * outputs + output];
            }
        }
    }
    turned
}

/// A 3×3 convolution of a `side`×`side` image with border. The result has no border.
pub fn convolve(
    input: &[f32],
    side: usize,
    inputs: usize,
    packed: &[f32],
    outputs: usize,
    result: &mut [f32],
) {
    let stride = (side + 2) * inputs;
    let taps = 3 * inputs;
    for (tile, weights) in packed.chunks_exact(3 * taps * TILE).enumerate() {
        for y in 0..side {
            for x in (0..side).step_by(PIXELS) {
                let mut sums = [[0.0f32; TILE]; PIXELS];
                for (dy, weights) in weights.chunks_exact(taps * TILE).enumerate() {
                    let row = &input[(y + dy) * stride + x * inputs..];
                    let pixels: [&[f32]; PIXELS] =
                        std::array::from_fn(|pixel| &row[pixel * inputs..][..taps]);
                    for (tap, weights) in weights.chunks_exact(TILE).enumerate() {
                        let weights: &[f32; TILE] = weights.try_into().expect("a tile");
                        for pixel in 0..PIXELS {
                            let value = pixels[pixel][tap];
                            for channel in 0..TILE {
                                sums[pixel][channel] =
                                    multiply_add(value, weights[channel], sums[pixel][channel]);
                            }
                        }
                    }
                }
                for (pixel, sums) in sums.iter().enumerate() {
                    let at = (y * side + x + pixel) * outputs + tile * TILE;
                    result[at..at + TILE].copy_from_slice(sums);
                }
            }
        }
    }
}

/// Adds the gradient of the weights of [`convolve`]. `BLOCK` divides `3 * inputs`.
pub fn weight_gradient<const BLOCK: usize>(
    input: &[f32],
    side: usize,
    inputs: usize,
    output_gradient: &[f32],
    outputs: usize,
    gradient: &mut [f32],
) {
    let stride = (side + 2) * inputs;
    let taps = 3 * inputs;
    for dy in 0..3 {
        for tap in (0..taps).step_by(BLOCK) {
            for tile in (0..outputs).step_by(TILE) {
                let mut sums = [[0.0f32; TILE]; BLOCK];
                for y in 0..side {
                    let row = &input[(y + dy) * stride + tap..];
                    let above = &output_gradient[y * side * outputs..][..side * outputs];
                    for (x, above) in above.chunks_exact(outputs).enumerate() {
                        let above: &[f32; TILE] =
                            above[tile..tile + TILE].try_into().expect("a tile");
                        let values: &[f32; BLOCK] =
                            row[x * inputs..][..BLOCK].try_into().expect("a block");
                        for block in 0..BLOCK {
                            for channel in 0..TILE {
                                sums[block][channel] = multiply_add(
                                    values[block],
                                    above[channel],
                                    sums[block][channel],
                                );
                            }
                        }
                    }
                }
                for (block, sums) in sums.iter().enumerate() {
                    let at = (dy * taps + tap + block) * outputs + tile;
                    gradient[at..at + TILE].iter_mut().zip(sums).for_each(|(g, s)| *g += s);
                }
            }
        }
    }
}

/// Adds the bias, takes the maximum of each 2×2 square and replaces negative numbers by 0. Writes
/// an image with a border of `border` pixels, and which pixel was the maximum; 4 if none counts.
pub fn pool(
    image: &[f32],
    side: usize,
    bias: &[f32],
    border: usize,
    result: &mut [f32],
    chosen: &mut [u8],
) {
    let channels = bias.len();
    let small = side.div_ceil(2);
    let stride = (small + 2 * border) * channels;
    for y in 0..small {
        for x in 0..small {
            let target = &mut result[(y + border) * stride + (x + border) * channels..];
            let picked = &mut chosen[(y * small + x) * channels..][..channels];
            for channel in 0..channels {
                let (mut most, mut index) = (0.0f32, 4u8);
                for corner in 0..4u8 {
                    let (row, column) =
                        (2 * y + usize::from(corner / 2), 2 * x + usize::from(corner % 2));
                    if row < side && column < side {
                        let value =
                            image[(row * side + column) * channels + channel] + bias[channel];
                        if value > most {
                            (most, index) = (value, corner);
                        }
                    }
                }
                target[channel] = most;
                picked[channel] = index;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::random::Random;

    fn numbers(random: &mut Random, count: usize) -> Vec<f32> {
        (0..count).map(|_| random.normal() as f32).collect()
    }

    /// An image with border.
    fn image(random: &mut Random, side: usize, channels: usize) -> Vec<f32> {
        let mut image = vec![0.0; (side + 2) * (side + 2) * channels];
        for y in 1..=side {
            for x in 1..=side {
                for c in 0..channels {
                    image[(y * (side + 2) + x) * channels + c] = random.normal() as f32;
                }
            }
        }
        image
    }

    fn plain(
        input: &[f32],
        side: usize,
        inputs: usize,
        weights: &[f32],
        outputs: usize,
    ) -> Vec<f32> {
        let mut result = vec![0.0; side * side * outputs];
        for y in 0..side {
            for x in 0..side {
                for o in 0..outputs {
                    for tap in 0..9 {
                        for i in 0..inputs {
                            let at = ((y + tap / 3) * (side + 2) + x + tap % 3) * inputs + i;
                            result[(y * side + x) * outputs + o] +=
                                input[at] * weights[(tap * inputs + i) * outputs + o];
                        }
                    }
                }
            }
        }
        result
    }

    #[test]
    fn convolution_equals_the_plain_loop() {
        let mut random = Random::new(1);
        for (side, inputs, outputs) in [(7, 1, 8), (14, 3, 16), (7, 8, 24)] {
            let input = image(&mut random, side, inputs);
            let weights = numbers(&mut random, 9 * inputs * outputs);
            let mut result = vec![0.0; side * side * outputs];
            convolve(&input, side, inputs, &pack(&weights, outputs), outputs, &mut result);
            for (a, b) in result.iter().zip(plain(&input, side, inputs, &weights, outputs)) {
                assert!((a - b).abs() < 1e-3, "{a} {b}");
            }
        }
    }

    #[test]
    fn gradients_equal_differences() {
        let mut random = Random::new(2);
        let (side, inputs, outputs) = (7, 8, 8);
        let input = image(&mut random, side, inputs);
        let weights = numbers(&mut random, 9 * inputs * outputs);
        // The loss is the sum of outputs times these factors.
        let factors = numbers(&mut random, side * side * outputs);
        let loss = |input: &[f32], weights: &[f32]| -> f32 {
            let result = plain(input, side, inputs, weights, outputs);
            result.iter().zip(&factors).map(|(a, b)| a * b).sum()
        };
        let mut gradient = vec![0.0; weights.len()];
        weight_gradient::<6>(&input, side, inputs, &factors, outputs, &mut gradient);
        for at in [0, 100, 575] {
            let mut moved = weights.clone();
            moved[at] += 0.5;
            let difference = (loss(&input, &moved) - loss(&input, &weights)) / 0.5;
            assert!((difference - gradient[at]).abs() < 0.01, "{difference} {}", gradient[at]);
        }
        let mut padded = vec![0.0; (side + 2) * (side + 2) * outputs];
        for y in 0..side {
            let from = y * side * outputs;
            padded[((y + 1) * (side + 2) + 1) * outputs..][..side * outputs]
                .copy_from_slice(&factors[from..from + side * outputs]);
        }
        let back = pack(&transposed(&weights, inputs, outputs), inputs);
        let mut input_gradient = vec![0.0; side * side * inputs];
        convolve(&padded, side, outputs, &back, inputs, &mut input_gradient);
        for (y, x, channel) in [(0, 0, 0), (3, 4, 5), (6, 6, 7)] {
            let mut moved = input.clone();
            moved[((y + 1) * (side + 2) + x + 1) * inputs + channel] += 0.5;
            let difference = (loss(&moved, &weights) - loss(&input, &weights)) / 0.5;
            let found = input_gradient[(y * side + x) * inputs + channel];
            assert!((difference - found).abs() < 0.01, "{difference} {found}");
        }
    }

    #[test]
    fn pooling_keeps_the_largest_positive_number() {
        let image = [1.0, 5.0, -3.0, 2.0, 0.5, -1.0, -4.0, -2.0, -9.0];
        let (mut result, mut chosen) = (vec![0.0; 4], vec![0u8; 4]);
        pool(&image, 3, &[0.0], 0, &mut result, &mut chosen);
        assert_eq!(result, [5.0, 0.0, 0.0, 0.0]);
        assert_eq!(chosen, [1, 4, 4, 4]);
    }
}
