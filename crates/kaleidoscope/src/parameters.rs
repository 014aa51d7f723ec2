//! The parameters: one long row of numbers, and where in it each weight lies.
//!
//! Training treats all of them alike, a graphics card takes them in one piece, and a file knows them by name.

use super::{Config, Nodes};
use checkpoint::{CheckpointError, HostTensor, Tensors};
use ninefold::random::Random;

/// A weight of so many rows and columns, at its place among the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first number.
    pub start: usize,
    /// Its rows.
    pub rows: usize,
    /// The numbers of a row.
    pub columns: usize,
}

impl Span {
    /// How many numbers it has.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a weight without numbers does not exist")]
    pub fn len(self) -> usize {
        self.rows * self.columns
    }

    /// Its numbers among the parameters.
    #[inline]
    pub fn of(self, parameters: &[f32]) -> &[f32] {
        &parameters[self.start..][..self.len()]
    }

    /// The same, to be changed.
    #[inline]
    pub fn of_mut(self, parameters: &mut [f32]) -> &mut [f32] {
        &mut parameters[self.start..][..self.len()]
    }
}

/// The weights of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSpans {
    /// Queries, keys and values for cell, line and box: `[9 · heads · 8, width]`.
    pub attention: Span,
    /// From what was attended to back to the state: `[width, 3 · heads · 8]`.
    pub attended: Span,
    /// The gain of the norm after attention.
    pub first_norm: Span,
    /// Gates, then values: `[2 · expansion · width, width]`.
    pub gate: Span,
    /// Back to the state: `[width, expansion · width]`.
    pub down: Span,
    /// The gain of the norm after the gated layer.
    pub second_norm: Span,
}

/// Where all weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spans {
    /// The state in which every node starts.
    pub start: Span,
    /// What is added to the state before every iteration, a row for each role.
    pub input: Span,
    /// The weights of each block.
    pub blocks: Vec<BlockSpans>,
    /// From a state to a logit.
    pub answer: Span,
    /// All numbers together.
    pub count: usize,
}

impl Spans {
    /// Where they are in a network with these settings.
    pub fn new(config: &Config) -> Spans {
        let mut count = 0;
        let mut span = |rows: usize, columns: usize| {
            let span = Span { start: count, rows, columns };
            count += rows * columns;
            span
        };
        let (width, head) = (config.width, config.heads * super::HEAD_WIDTH);
        let start = span(1, width);
        let input = span(if config.nodes == Nodes::All { 4 } else { 1 }, width);
        let block = |_| BlockSpans {
            attention: span(9 * head, width),
            attended: span(width, 3 * head),
            first_norm: span(1, width),
            gate: span(2 * config.expansion * width, width),
            down: span(width, config.expansion * width),
            second_norm: span(1, width),
        };
        let blocks = (0..config.blocks).map(block).collect();
        let answer = span(1, width);
        Spans { start, input, blocks, answer, count }
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

    /// First parameters: uniform within ±1/√inputs for what is multiplied, 1 for norms.
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

    /// Takes queries and keys out of parameters: all members of a house then weigh the same, and that stays so while the network
    /// learns, because neither has a gradient without the other.
    pub fn pool(&self, parameters: &mut [f32]) {
        for block in &self.blocks {
            // Queries, keys and values of the cell, then of the line, then of the box.
            let kinds =
                block.attention.of_mut(parameters).chunks_exact_mut(block.attention.len() / 9);
            for (kind, numbers) in kinds.enumerate() {
                if kind % 3 < 2 {
                    numbers.fill(0.0);
                }
            }
        }
    }

    /// The parameters as tensors of a file; `prefix` stands before each name.
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

    /// The parameters of a file.
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
    fn parameters_come_back_from_a_file_under_their_names() {
        let spans = Spans::new(&Config::tiny());
        let parameters = spans.draw(&mut Random::new(1));
        let mut tensors = Tensors::new();
        spans.write("mean.", &parameters, &mut tensors);
        assert_eq!(spans.read("mean.", &tensors).unwrap(), parameters);
        assert!(spans.read("", &tensors).is_err());
        assert_eq!(spans.named().iter().map(|(_, span)| span.len()).sum::<usize>(), spans.count);
    }

    #[test]
    fn the_published_settings_have_a_hundred_thousand_parameters() {
        assert_eq!(Spans::new(&Config::default()).count, crate::PARAMETERS);
    }
}
