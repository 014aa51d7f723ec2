//! Evaluation: how many puzzles of a list are correct after a number of iterations, without search.

use super::experiment::EvaluationConfig;
use super::kernels::Kernels;
use super::puzzles::nodes_of_variant;
use super::segment::Network;
use crate::layout::{Frame, Layout, PuzzleNodes};
use crate::{Config, noise};
use ninefold::random::Random;
use ninefold_training::data::{DataError, Examples, VariantExamples};
use ninefold_training::experiment::order_of;
use ninefold_training::parallel;
use ninefold_training::stop::Stop;
use serde::{Deserialize, Serialize};

/// The maximum number of nodes in a batch.
const NODES_PER_BATCH: usize = 400_000;
/// Iterations between two checks whether puzzles are solved.
const ITERATIONS_PER_CHECK: usize = 8;

/// The result of a list. Shares are in percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ListResult {
    /// Steps before the evaluation.
    pub step: u64,
    /// Seconds of training before the evaluation, without other evaluations.
    pub seconds: f64,
    pub list: String,
    pub puzzles: usize,
    /// The numbers of iterations after which the puzzles were compared with their solutions.
    pub iterations: Vec<usize>,
    /// The share of correct puzzles after each of these numbers of iterations.
    pub solved: Vec<f64>,
    /// The share of puzzles that were correct after one number of iterations and wrong after a
    /// later one.
    #[serde(default)]
    pub lost: f64,
    /// The share of puzzles solved at some check from the first start, from the first two, and so
    /// on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verified: Vec<f64>,
}

/// The nodes of puzzles with their targets.
pub(super) struct Problems {
    frame: Frame,
    list: Vec<(PuzzleNodes, Vec<f32>)>,
}

impl Problems {
    /// Classic puzzles.
    pub fn classic(examples: &Examples, config: &Config) -> Problems {
        let frame = Frame::new(examples.order());
        let problem = |index: usize| {
            let nodes = PuzzleNodes::new(&frame, config.nodes, examples.puzzle(index));
            let targets = nodes.targets(frame.order.side(), examples.solution(index));
            (nodes, targets)
        };
        let list = (0..examples.len()).map(problem).collect();
        Problems { frame, list }
    }

    /// Puzzles with any rules.
    pub fn variants(examples: &VariantExamples) -> Problems {
        let list = parallel::map(&examples.list, |example| {
            let clues: Vec<u8> = example.puzzle.numbers().collect();
            let nodes = nodes_of_variant(&example.puzzle, &clues);
            let targets = nodes.targets(example.puzzle.order().side(), &example.solution);
            (nodes, targets)
        });
        Problems { frame: Frame::without_groups(ninefold::grid::Order::NINE), list }
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    /// The first puzzle with more groups than the GPU supports.
    fn first_too_large(&self) -> Option<usize> {
        let is_large = |(nodes, _): &(PuzzleNodes, Vec<f32>)| {
            nodes.groups.as_ref().is_some_and(|groups| !groups.can_be_packed())
        };
        self.list.iter().position(is_large)
    }
}

/// The lists of an evaluation, with their names.
#[derive(Default)]
pub(super) struct EvaluationLists(Vec<(String, Problems)>);

impl EvaluationLists {
    pub fn read(
        config: &EvaluationConfig,
        model: &Config,
        stop: Stop<'_>,
    ) -> Result<EvaluationLists, DataError> {
        let mut lists = Vec::new();
        for (index, path) in config.lists.iter().enumerate() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let problems = if model.rules {
                let examples = VariantExamples::read_file_until(path, stop)?;
                let problems = Problems::variants(&examples.first(config.puzzles));
                if let Some(index) = problems.first_too_large() {
                    let message = format!("puzzle {} of {name} has too long sums", index + 1);
                    return Err(DataError::Variants(message));
                }
                problems
            } else {
                let order = order_of(config.boxes[index]).expect("the experiment was checked");
                let examples = Examples::read_file_until(path, order, stop)?;
                Problems::classic(&examples.first(config.puzzles), model)
            };
            lists.push((name, problems));
        }
        Ok(EvaluationLists(lists))
    }

    /// Evaluates the parameters in the kernels on all lists. The caller fills in step and seconds.
    pub fn evaluate<K: Kernels>(
        &self,
        network: &mut Network<K>,
        evaluation: &EvaluationConfig,
    ) -> Vec<ListResult> {
        let evaluate = |(name, examples): &(String, Problems)| {
            let EvaluationConfig { iterations, starts, .. } = evaluation;
            let FirstStart { correct, solved } = first_start(network, examples, iterations);
            let last = iterations.iter().copied().max().unwrap_or(0);
            let verified = verified(network, examples, last, *starts, solved);
            let percent = |count: &usize| 100.0 * *count as f64 / examples.len().max(1) as f64;
            let lost = (0..examples.len())
                .filter(|&index| is_lost(correct.iter().map(|correct| correct[index])));
            ListResult {
                step: 0,
                seconds: 0.0,
                list: name.clone(),
                puzzles: examples.len(),
                iterations: iterations.clone(),
                solved: correct.iter().map(|correct| percent(&count(correct))).collect(),
                lost: percent(&lost.count()),
                verified: verified.iter().map(percent).collect(),
            }
        };
        self.0.iter().map(evaluate).collect()
    }
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|&&flag| flag).count()
}

/// Whether a puzzle was correct and later wrong.
fn is_lost(correct: impl Iterator<Item = bool>) -> bool {
    let mut was_correct = false;
    let mut is_lost = false;
    for correct in correct {
        is_lost |= was_correct && !correct;
        was_correct |= correct;
    }
    is_lost
}

/// The results of the start without noise.
pub(super) struct FirstStart {
    /// For each number of iterations: which examples are correct.
    pub correct: Vec<Vec<bool>>,
    /// Which examples were solved at one of the checks.
    solved: Vec<bool>,
}

/// Runs the first start on the examples and compares them with their solutions after each of these
/// numbers of iterations.
pub(super) fn first_start<K: Kernels>(
    network: &mut Network<K>,
    examples: &Problems,
    iterations: &[usize],
) -> FirstStart {
    let mut correct = vec![vec![false; examples.len()]; iterations.len()];
    let mut solved = vec![false; examples.len()];
    let all: Vec<usize> = (0..examples.len()).collect();
    let mut check = |iteration: usize, network: &Network<K>, states: &K::Rows, batch: &[usize]| {
        let place = iterations.iter().position(|&wanted| wanted == iteration);
        if place.is_some() || iteration.is_multiple_of(ITERATIONS_PER_CHECK) {
            let results = network.kernels.puzzle_results(&network.logits(states))();
            for (&index, result) in batch.iter().zip(results) {
                let is_correct = result.wrong == 0.0;
                solved[index] |= is_correct;
                place.into_iter().for_each(|place| correct[place][index] = is_correct);
            }
        }
    };
    let last = iterations.iter().copied().max().unwrap_or(0);
    iterate(network, examples, &all, (0, last), &mut check);
    FirstStart { correct, solved }
}

/// How many examples were solved at some check from the first start, from the first two, and so on.
/// `solved` are those of the first start. The examples have unique solutions, so a grid is solved
/// if it equals the solution.
fn verified<K: Kernels>(
    network: &mut Network<K>,
    examples: &Problems,
    iterations: usize,
    starts: usize,
    mut solved: Vec<bool>,
) -> Vec<usize> {
    let mut counts: Vec<usize> = (0..starts.min(1)).map(|_| count(&solved)).collect();
    for start in 1..starts {
        let open: Vec<usize> = (0..examples.len()).filter(|&index| !solved[index]).collect();
        let mut check =
            |iteration: usize, network: &Network<K>, states: &K::Rows, batch: &[usize]| {
                if iteration.is_multiple_of(ITERATIONS_PER_CHECK) || iteration == iterations {
                    let results = network.kernels.puzzle_results(&network.logits(states))();
                    batch
                        .iter()
                        .zip(results)
                        .for_each(|(&index, result)| solved[index] |= result.wrong == 0.0);
                }
            };
        iterate(network, examples, &open, (start, iterations), &mut check);
        counts.push(count(&solved));
    }
    counts
}

/// Called after every iteration with its number, the network, the states and the examples of the
/// batch.
type Observer<'a, K> = dyn FnMut(usize, &Network<K>, &<K as Kernels>::Rows, &[usize]) + 'a;

/// Iterates the network on these examples, in batches. Start 0 has no noise.
fn iterate<K: Kernels>(
    network: &mut Network<K>,
    problems: &Problems,
    indices: &[usize],
    (start, iterations): (usize, usize),
    observer: &mut Observer<'_, K>,
) {
    let nodes: Vec<&PuzzleNodes> = indices.iter().map(|&index| &problems.list[index].0).collect();
    let mut random = Random::for_part(0x6578_616d, start as u64);
    let mut first = 0;
    while first < nodes.len() {
        let mut last = first + 1;
        let mut count = nodes[first].candidates.len();
        while last < nodes.len() && count + nodes[last].candidates.len() <= NODES_PER_BATCH {
            count += nodes[last].candidates.len();
            last += 1;
        }
        let batch = &indices[first..last];
        let layout = Layout::new(nodes[first..last].iter().copied());
        let targets = batch.iter().flat_map(|&index| &problems.list[index].1);
        let kernels = &mut network.kernels;
        kernels.set_layout(&problems.frame, &layout);
        kernels.set_targets(&targets.copied().collect::<Vec<f32>>());
        let source = |_| if start == 0 { noise::NONE } else { noise::source(&mut random) };
        let sources: Vec<i32> = (0..layout.len()).map(source).collect();
        kernels.set_sources(&sources);
        let mut states = kernels.states(None, network.spans.start);
        for iteration in 1..=iterations {
            states = network.step(&states);
            observer(iteration, network, &states, batch);
        }
        first = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_lost_if_it_was_correct_and_is_wrong_later() {
        assert!(is_lost([false, true, false].into_iter()));
        assert!(is_lost([true, false, true].into_iter()));
        assert!(!is_lost([false, true, true].into_iter()));
        assert!(!is_lost([false, false].into_iter()));
    }
}
