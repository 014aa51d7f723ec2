//! The precision of stored weights: 4, 2 or 1 bytes each.
//!
//! A byte stores a weight as an integer from −127 to 127 times a scale. Every column of a matrix
//! (all weights of an output) has its own scale, so that large weights of one column do not reduce
//! the precision of others. Vectors, such as biases, are small and stored exactly.

use half::f16;
use safetensors::Dtype;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The precision of stored weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 4 bytes per weight, exact.
    F32,
    /// 2 bytes per weight.
    F16,
    /// 1 byte per weight of a matrix, 4 bytes per number of a vector.
    I8,
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Precision::F32 => "f32",
            Precision::F16 => "f16",
            Precision::I8 => "i8",
        })
    }
}

/// A stored tensor.
pub struct Stored {
    /// The number format.
    pub dtype: Dtype,
    /// The numbers in little-endian order.
    pub bytes: Vec<u8>,
    /// The scale of each column, for [`Precision::I8`] matrices.
    pub scales: Option<Vec<f32>>,
}

/// Stores values with `columns` numbers in the last axis. Only matrices are stored as bytes.
pub fn store(values: &[f32], columns: usize, is_matrix: bool, precision: Precision) -> Stored {
    match precision {
        Precision::I8 if is_matrix => {
            let mut largest = vec![0f32; columns];
            for row in values.chunks(columns) {
                row.iter()
                    .zip(&mut largest)
                    .for_each(|(value, largest)| *largest = largest.max(value.abs()));
            }
            let scales: Vec<f32> =
                largest.iter().map(|&top| if top > 0.0 { top / 127.0 } else { 1.0 }).collect();
            let byte = |(value, scale): (&f32, &f32)| (value / scale).round() as i8 as u8;
            let bytes =
                values.chunks(columns).flat_map(|row| row.iter().zip(&scales).map(byte)).collect();
            Stored { dtype: Dtype::I8, bytes, scales: Some(scales) }
        }
        Precision::F16 => {
            let bytes =
                values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect();
            Stored { dtype: Dtype::F16, bytes, scales: None }
        }
        Precision::F32 | Precision::I8 => {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            Stored { dtype: Dtype::F32, bytes, scales: None }
        }
    }
}

/// Reads stored values; `None` if the format is unsupported or scales are missing.
pub fn load(dtype: Dtype, bytes: &[u8], scales: Option<&[f32]>) -> Option<Vec<f32>> {
    match dtype {
        Dtype::F32 => Some(
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
        ),
        Dtype::F16 => {
            Some(bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect())
        }
        Dtype::I8 => {
            let scales = scales.filter(|scales| !scales.is_empty())?;
            let number = |(&byte, scale): (&u8, &f32)| f32::from(byte as i8) * scale;
            Some(
                bytes
                    .chunks(scales.len())
                    .flat_map(|row| row.iter().zip(scales).map(number))
                    .collect(),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip_within_their_precision() {
        let values = [1.0f32, -0.001, 0.5, 0.0004, -0.25, 0.0, 127.0, -0.002];
        for (precision, size) in [(Precision::F32, 32), (Precision::F16, 16), (Precision::I8, 8)] {
            let stored = store(&values, 2, true, precision);
            assert_eq!(stored.bytes.len(), size);
            let back = load(stored.dtype, &stored.bytes, stored.scales.as_deref()).unwrap();
            // A column of i8 has steps of its largest weight / 127: 1 in the first, 0.0000157 in
            // the second.
            for (place, (value, back)) in values.iter().zip(&back).enumerate() {
                let step = match precision {
                    Precision::F32 => 0.0,
                    Precision::F16 => value.abs() / 1024.0,
                    Precision::I8 => [0.5, 0.00001][place % 2],
                };
                assert!((value - back).abs() <= step, "{precision}: {value} came back as {back}");
            }
        }
        assert_eq!(store(&values, 2, false, Precision::I8).dtype, Dtype::F32, "vectors stay exact");
        assert_eq!(load(Dtype::I8, &[1, 2], None), None);
        assert_eq!(load(Dtype::U8, &[1, 2], None), None);
    }
}
