//! The parameters: one array of numbers, and the position of each weight in it.
//!
//! The optimizer and the GPU use the array as a whole; files contain the weights by name.

use super::Config;
use ninefold::random::Random;
use ninefold_checkpoint::{CheckpointError, HostTensor, Tensors};

/// The position and shape of a weight among the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The index of the first number.
    pub start: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}

impl Span {
    /// The number of numbers.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "no weight is empty")]
    pub fn len(self) -> usize {
        self.rows * self.columns
    }

    /// The weight, of these parameters.
    #[inline]
    pub fn of(self, parameters: &[f32]) -> &[f32] {
        &parameters[self.start..][..self.len()]
    }

    /// The weight, of these parameters, mutable.
    #[inline]
    pub fn of_mut(self, parameters: &mut [f32]) -> &mut [f32] {
        &mut parameters[self.start..][..self.len()]
    }
}

/// The weights of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSpans {
    /// Queries, keys and values of each slot: `[slots · 3 · heads · 8, width]`.
    pub attention: Span,
    /// From the attention output to the state: `[width, slots · heads · 8]`.
    pub attended: Span,
    /// The gain of the norm after attention.
    pub first_norm: Span,
    /// Gates, then values: `[2 · expansion · width, width]`.
    pub gate: Span,
    /// From the gated layer to the state: `[width, expansion · width]`.
    pub down: Span,
    /// The gain of the norm after the gated layer.
    pub second_norm: Span,
}

/// The positions of all weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spans {
    /// The initial state of every node.
    pub start: Span,
    /// Added to the state before every iteration, a row per role.
    pub input: Span,
    /// The weights of each block.
    pub blocks: Vec<BlockSpans>,
    /// From the state to the logit.
    pub answer: Span,
    /// The number of attention slots.
    pub slots: usize,
    /// The number of parameters.
    pub count: usize,
}

impl Spans {
    /// The positions in a network with these settings.
    pub fn new(config: &Config) -> Spans {
        let mut count = 0;
        let mut span = |rows: usize, columns: usize| {
            let span = Span { start: count, rows, columns };
            count += rows * columns;
            span
        };
        let (width, head) = (config.width, config.heads * super::HEAD_WIDTH);
        let start = span(1, width);
        let (input, slots) = (span(config.roles(), width), config.slots());
        let block = |_| BlockSpans {
            attention: span(slots * 3 * head, width),
            attended: span(width, slots * head),
            first_norm: span(1, width),
            gate: span(2 * config.expansion * width, width),
            down: span(width, config.expansion * width),
            second_norm: span(1, width),
        };
        let blocks = (0..config.blocks).map(block).collect();
        let answer = span(1, width);
        Spans { start, input, blocks, answer, slots, count }
    }

    /// Every weight with its name.
    pub fn named(&self) -> Vec<(String, Span)> {
        let mut named = vec![("start".to_string(), self.start), ("input".to_string(), self.input)];
        for (index, block) in self.blocks.iter().enumerate() {
            let parts = [
                ("attention", block.attention),
                ("attended", block.attended),
                ("first_norm", block.first_norm),
                ("gate", block.gate),
                ("down", block.down),
                ("second_norm", block.second_norm),
            ];
            named.extend(parts.map(|(name, span)| (format!("blocks.{index}.{name}"), span)));
        }
        named.push(("answer".to_string(), self.answer));
        named
    }

    /// Random initial parameters: uniform within ±1/√inputs for matrices, 1 for norms.
    pub fn draw(&self, random: &mut Random) -> Vec<f32> {
        let mut parameters = vec![0.0; self.count];
        for (name, span) in self.named() {
            let limit = 1.0 / (span.columns as f64).sqrt();
            for value in span.of_mut(&mut parameters) {
                *value = match name.rsplit('.').next() {
                    Some("start") => 0.1 * random.normal(),
                    Some("input") => random.normal(),
                    Some("first_norm" | "second_norm") => 1.0,
                    _ => ((random.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * limit,
                } as f32;
            }
        }
        parameters
    }

    /// The parameters of a network with more slots and roles, from those of a network with fewer.
    /// New slots copy the queries, keys and values of the last old slot, and their output is zero.
    /// New roles copy the first.
    pub fn extended_from(&self, old: &Spans, old_parameters: &[f32]) -> Vec<f32> {
        let mut parameters = vec![0.0; self.count];
        for ((name, span), (_, old_span)) in self.named().into_iter().zip(old.named()) {
            let from = old_span.of(old_parameters);
            let into = span.of_mut(&mut parameters);
            match name.rsplit('.').next() {
                // Slots are consecutive columns.
                Some("attended") => {
                    let rows = into.chunks_exact_mut(span.columns);
                    for (into, from) in rows.zip(from.chunks_exact(old_span.columns)) {
                        into[..from.len()].copy_from_slice(from);
                    }
                }
                // Slots and roles are consecutive rows.
                name => {
                    into[..from.len()].copy_from_slice(from);
                    let copied = match name {
                        Some("attention") => &from[from.len() - from.len() / old.slots..],
                        _ => &from[..old_span.columns],
                    };
                    for part in into[from.len()..].chunks_exact_mut(copied.len()) {
                        part.copy_from_slice(copied);
                    }
                }
            }
        }
        parameters
    }

    /// Sets queries and keys to zero, so that all members of a group have equal attention weights.
    /// Training preserves this, because the gradient of either is zero if the other is zero.
    pub fn pool(&self, parameters: &mut [f32]) {
        for block in &self.blocks {
            // Queries, keys and values of the cell, then of the line, then of the box.
            let kinds = block
                .attention
                .of_mut(parameters)
                .chunks_exact_mut(block.attention.len() / (3 * self.slots));
            for (kind, numbers) in kinds.enumerate() {
                if kind % 3 < 2 {
                    numbers.fill(0.0);
                }
            }
        }
    }

    /// Adds the parameters to the tensors of a file; `prefix` is put before each name.
    pub fn write(&self, prefix: &str, parameters: &[f32], tensors: &mut Tensors) {
        for (name, span) in self.named() {
            let shape =
                if span.rows == 1 { vec![span.columns] } else { vec![span.rows, span.columns] };
            tensors.insert(
                format!("{prefix}{name}"),
                HostTensor { shape, values: span.of(parameters).to_vec() },
            );
        }
    }

    /// Reads the parameters from the tensors of a file.
    pub fn read(&self, prefix: &str, tensors: &Tensors) -> Result<Vec<f32>, CheckpointError> {
        let mut parameters = vec![0.0; self.count];
        for (name, span) in self.named() {
            let tensor = tensors
                .get(&format!("{prefix}{name}"))
                .filter(|tensor| tensor.values.len() == span.len());
            let tensor = tensor.ok_or_else(|| {
                CheckpointError::Unfit(format!("{prefix}{name} is missing or has another shape"))
            })?;
            span.of_mut(&mut parameters).copy_from_slice(&tensor.values);
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_round_trip_by_name() {
        let spans = Spans::new(&Config::tiny());
        let parameters = spans.draw(&mut Random::new(1));
        let mut tensors = Tensors::new();
        spans.write("mean.", &parameters, &mut tensors);
        assert_eq!(spans.read("mean.", &tensors).unwrap(), parameters);
        assert!(spans.read("", &tensors).is_err());
        assert_eq!(spans.named().iter().map(|(_, span)| span.len()).sum::<usize>(), spans.count);
    }

    #[test]
    fn the_default_settings_have_the_documented_number_of_parameters() {
        assert_eq!(Spans::new(&Config::default()).count, crate::PARAMETERS);
    }
}
