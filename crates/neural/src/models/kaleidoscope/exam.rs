//! Exams: how many puzzles are right after so many iterations from one start, without any search.

use super::Config;
use super::experiment::{Exams, order_of};
use super::kernels::Kernels;
use super::layout::{Frame, Layout, PuzzleNodes};
use super::noise;
use super::puzzles;
use super::segment::Network;
use crate::training::data::{DataError, Examples};
use ninefold::random::Random;
use serde::{Deserialize, Serialize};

/// Candidates that a network thinks about at once.
const NODES_AT_ONCE: usize = 400_000;

/// What came of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Marks {
    /// Segments learned before.
    pub step: u64,
    /// Seconds of training before, exams not counted.
    pub seconds: f64,
    pub list: String,
    pub puzzles: usize,
    /// After these numbers of iterations …
    pub iterations: Vec<usize>,
    /// … this share of the puzzles is right, in percent.
    pub solved: Vec<f64>,
    /// The share of puzzles that were right after one of these numbers and wrong after a later one.
    #[serde(default)]
    pub lost: f64,
    /// The share of puzzles whose grid kept the rules at some time after the first start, the first two, and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verified: Vec<f64>,
}

/// The lists of an exam.
pub(super) struct ExamLists(Vec<(String, Examples)>);

impl ExamLists {
    pub fn read(exams: &Exams) -> Result<ExamLists, DataError> {
        let mut lists = Vec::new();
        for (path, &boxes) in exams.lists.iter().zip(&exams.boxes) {
            let order = order_of(boxes).expect("the experiment was checked");
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            lists.push((name, puzzles::read(path, order)?.first(exams.puzzles)));
        }
        Ok(ExamLists(lists))
    }

    /// Tries all lists with the parameters that the kernels hold.
    pub fn marks<K: Kernels>(
        &self,
        network: &mut Network<K>,
        config: &Config,
        exams: &Exams,
    ) -> Vec<Marks> {
        let mark = |(name, examples): &(String, Examples)| {
            let FirstStart { right, kept_the_rules } =
                first_start(network, config, examples, &exams.iterations);
            let most = exams.iterations.iter().copied().max().unwrap_or(0);
            let verified = verified(network, config, examples, most, exams.starts, kept_the_rules);
            let percent = |count: &usize| 100.0 * *count as f64 / examples.len().max(1) as f64;
            let lost = (0..examples.len())
                .filter(|&index| is_lost(right.iter().map(|right| right[index])));
            Marks {
                step: 0,
                seconds: 0.0,
                list: name.clone(),
                puzzles: examples.len(),
                iterations: exams.iterations.clone(),
                solved: right.iter().map(|right| percent(&count(right))).collect(),
                lost: percent(&lost.count()),
                verified: verified.iter().map(percent).collect(),
            }
        };
        self.0.iter().map(mark).collect()
    }
}

fn count(right: &[bool]) -> usize {
    right.iter().filter(|&&right| right).count()
}

/// Was it right, and is no longer?
fn is_lost(right: impl Iterator<Item = bool>) -> bool {
    let mut was_right = false;
    let mut is_lost = false;
    for right in right {
        is_lost |= was_right && !right;
        was_right |= right;
    }
    is_lost
}

/// What came of the start without noise.
pub(super) struct FirstStart {
    /// Which examples are right after each of the numbers of iterations.
    pub right: Vec<Vec<bool>>,
    /// Which examples had a grid that keeps the rules at one of the looks.
    kept_the_rules: Vec<bool>,
}

/// Marks the examples after each of these numbers of iterations, which rise.
pub(super) fn first_start<K: Kernels>(
    network: &mut Network<K>,
    config: &Config,
    examples: &Examples,
    iterations: &[usize],
) -> FirstStart {
    let mut right = vec![vec![false; examples.len()]; iterations.len()];
    let mut kept_the_rules = vec![false; examples.len()];
    let all: Vec<usize> = (0..examples.len()).collect();
    let mut mark = |iteration: usize, network: &Network<K>, states: &K::Rows, batch: &[usize]| {
        let place = iterations.iter().position(|&marked| marked == iteration);
        if place.is_some() || iteration.is_multiple_of(ITERATIONS_PER_LOOK) {
            let verdicts = network.kernels.verdicts(&network.logits(states))();
            for (&index, verdict) in batch.iter().zip(verdicts) {
                let is_right = verdict.wrong == 0.0;
                kept_the_rules[index] |= is_right;
                place.into_iter().for_each(|place| right[place][index] = is_right);
            }
        }
    };
    think_about(
        network,
        config,
        examples,
        &all,
        (0, iterations.iter().copied().max().unwrap_or(0)),
        &mut mark,
    );
    FirstStart { right, kept_the_rules }
}

/// Iterations between two looks at whether a grid keeps the rules.
const ITERATIONS_PER_LOOK: usize = 8;

/// How many examples had a grid that keeps the rules at some time after the first start, the first two, and so on; `solved` says
/// which had one after the first. All of them have one solution, so a grid that is equal to it is one that keeps the rules.
fn verified<K: Kernels>(
    network: &mut Network<K>,
    config: &Config,
    examples: &Examples,
    iterations: usize,
    starts: usize,
    mut solved: Vec<bool>,
) -> Vec<usize> {
    let mut counts: Vec<usize> = (0..starts.min(1)).map(|_| count(&solved)).collect();
    for start in 1..starts {
        let open: Vec<usize> = (0..examples.len()).filter(|&index| !solved[index]).collect();
        let mut look =
            |iteration: usize, network: &Network<K>, states: &K::Rows, batch: &[usize]| {
                if iteration.is_multiple_of(ITERATIONS_PER_LOOK) || iteration == iterations {
                    let verdicts = network.kernels.verdicts(&network.logits(states))();
                    batch
                        .iter()
                        .zip(verdicts)
                        .for_each(|(&index, verdict)| solved[index] |= verdict.wrong == 0.0);
                }
            };
        think_about(network, config, examples, &open, (start, iterations), &mut look);
        counts.push(count(&solved));
    }
    counts
}

/// Sees the states after every iteration, and which examples they belong to.
type Look<'a, K> = dyn FnMut(usize, &Network<K>, &<K as Kernels>::Rows, &[usize]) + 'a;

/// Lets the network think about some of the examples, as many as fit at a time. The first start has no noise.
fn think_about<K: Kernels>(
    network: &mut Network<K>,
    config: &Config,
    examples: &Examples,
    wanted: &[usize],
    (start, iterations): (usize, usize),
    look: &mut Look<'_, K>,
) {
    let frame = Frame::new(examples.order());
    let nodes_of = |&index: &usize| PuzzleNodes::new(&frame, config.nodes, examples.puzzle(index));
    let nodes: Vec<PuzzleNodes> = wanted.iter().map(nodes_of).collect();
    let mut random = Random::for_part(0x6578_616d, start as u64);
    let mut first = 0;
    while first < nodes.len() {
        let mut last = first + 1;
        let mut count = nodes[first].candidates.len();
        while last < nodes.len() && count + nodes[last].candidates.len() <= NODES_AT_ONCE {
            count += nodes[last].candidates.len();
            last += 1;
        }
        let batch = &wanted[first..last];
        let layout = Layout::new(nodes[first..last].iter());
        let targets = nodes[first..last].iter().zip(batch);
        let targets = targets.flat_map(|(nodes, &index)| {
            nodes.targets(frame.order.side(), examples.solution(index))
        });
        let kernels = &mut network.kernels;
        kernels.set_layout(&frame, &layout);
        kernels.set_targets(&targets.collect::<Vec<f32>>());
        let source = |_| if start == 0 { noise::NONE } else { noise::source(&mut random) };
        let sources: Vec<i32> = (0..layout.len()).map(source).collect();
        kernels.set_sources(&sources);
        let mut states = kernels.states(None, network.spans.start);
        for iteration in 1..=iterations {
            states = network.step(&states);
            look(iteration, network, &states, batch);
        }
        first = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_lost_if_it_was_right_and_is_no_longer() {
        assert!(is_lost([false, true, false].into_iter()));
        assert!(is_lost([true, false, true].into_iter()));
        assert!(!is_lost([false, true, true].into_iter()));
        assert!(!is_lost([false, false].into_iter()));
    }
}
