//! A training run: segments of iterations, with one optimizer step after each. Puzzles that are not
//! finished are carried: the next segment continues from their states.
//!
//! ```text
//! each step:
//!   choose a grid size at random, by the shares of the puzzle sources
//!   replace the finished puzzles of its batch
//!   run a segment of iterations from the states of the batch; take one step of AdamW
//!   a puzzle is finished after max_carry_steps segments; a solved one also with some probability
//! ```
//! While the GPU computes a segment, the CPU draws and compiles puzzles for the next step. Which
//! puzzles are finished is known when the segment ends, and the CPU prepares the next step while the
//! GPU computes the gradient. All random numbers follow from the seed and the step, so a run that is resumed from a checkpoint with its carried states ends with exactly the weights
//! of an uninterrupted one. The carried states are a separate file, because they are large. Without
//! that file every puzzle of the batch is replaced.

use super::evaluation::{EvaluationLists, ListResult};
use super::experiment::Experiment;
use super::kernels::{Kernels, PuzzleResult};
use super::optimizer::Optimizer;
use super::puzzles::{Drawn, Puzzles};
use super::segment::{Network, Segment};
use crate::layout::{Frame, Layout, PuzzleNodes};
use crate::noise;
use crate::parameters::Spans;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_checkpoint::quantise::Precision;
use ninefold_training::TrainError;
use ninefold_training::checkpoint::{
    self, CheckpointError, HostTensor, Metadata, Progress, Tensors,
};
use ninefold_training::metrics::Line;
use ninefold_training::parallel;
use ninefold_training::run::{Learner, Log, Saved};
use ninefold_training::stop::Stop;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The states of carried puzzles, beside the checkpoint.
const CARRIED: &str = "carried.safetensors";
/// The results of evaluations: a line of JSON per list.
const EVALUATIONS: &str = "evaluations.jsonl";

/// A puzzle in a batch.
#[derive(Clone, Debug)]
struct Slot {
    drawn: Drawn,
    nodes: PuzzleNodes,
    /// 1 for each node that belongs to the solution.
    targets: Vec<f32>,
    /// Segments since the puzzle was added.
    age: usize,
    is_finished: bool,
}

/// The random numbers of a step choose its batch and its noise.
fn random_of_step(experiment: &Experiment, step: u64) -> Random {
    Random::for_part(experiment.seed ^ 0x7374_6570, step)
}

impl Slot {
    fn new(
        (experiment, puzzles, frame): (&Experiment, &Puzzles, &Frame),
        drawn: Drawn,
        age: usize,
        is_finished: bool,
    ) -> Slot {
        let nodes = puzzles.nodes(frame, &experiment.model, &drawn);
        let side = drawn.solution.len().isqrt();
        let targets = nodes.targets(side, &drawn.solution);
        // Here, because this runs on all cores.
        if let Some(groups) = &nodes.groups {
            groups.packed();
            groups.slots();
        }
        Slot { drawn, nodes, targets, age, is_finished }
    }

    /// New puzzles with these numbers for a step. They depend on nothing else, so they can be drawn
    /// before it is known how many are needed.
    fn draw(
        context: (&Experiment, &Puzzles, &Frame),
        step: u64,
        numbers: std::ops::Range<usize>,
    ) -> Vec<Slot> {
        let (experiment, puzzles, frame) = context;
        let done = experiment.share_done(step);
        parallel::map(&Vec::from_iter(numbers), |&number| {
            let seed = Random::for_part(experiment.seed ^ 0x7075_7a7a, step).bits();
            let mut random = Random::for_part(seed, number as u64);
            Slot::new(context, puzzles.draw(frame.order, done, &mut random), 0, false)
        })
    }
}

/// The batch of a grid size.
struct Batch {
    frame: Arc<Frame>,
    slots: Vec<Slot>,
    /// The first node of each puzzle in the states.
    starts: Vec<usize>,
    /// The number of puzzles that the last step replaced.
    replaced: usize,
}

impl Batch {
    fn new(order: Order, size: usize) -> Batch {
        let slot = Slot {
            drawn: Drawn::default(),
            nodes: PuzzleNodes::default(),
            targets: Vec::new(),
            age: 0,
            is_finished: true,
        };
        let frame = Arc::new(Frame::new(order));
        Batch { frame, slots: vec![slot; size], starts: Vec::new(), replaced: 0 }
    }

    /// New puzzles for the finished slots, with the numbers of the slots.
    fn new_puzzles(
        &self,
        experiment: &Experiment,
        puzzles: &Puzzles,
        step: u64,
        mut ahead: Vec<Slot>,
        random: &mut Random,
    ) -> Vec<(usize, Slot)> {
        let is_finished = |(index, slot): (usize, &Slot)| slot.is_finished.then_some(index);
        let finished: Vec<usize> = self.slots.iter().enumerate().filter_map(is_finished).collect();
        if ahead.len() < finished.len() {
            let missing = ahead.len()..finished.len();
            ahead.extend(Slot::draw((experiment, puzzles, &self.frame), step, missing));
        }
        let new = finished.into_iter().zip(ahead).map(|(index, slot)| {
            // The first puzzles have different ages, so that later not all of them are replaced at
            // once.
            let is_first = self.slots[index].drawn.puzzle.is_empty();
            let age = if is_first { random.below(experiment.max_carry_steps) } else { 0 };
            (index, Slot { age, ..slot })
        });
        new.collect()
    }

    /// Adds the results of a segment to the sums, and marks finished puzzles.
    fn record(
        &mut self,
        experiment: &Experiment,
        prepared: Prepared,
        results: &[PuzzleResult],
        sums: &mut Sums,
    ) {
        let Prepared { layout, mut random, .. } = prepared;
        self.starts = layout.starts;
        for (slot, result) in self.slots.iter_mut().zip(results) {
            let is_solved = result.wrong == 0.0;
            slot.age += 1;
            slot.is_finished = (is_solved && random.chance(experiment.replace_solved))
                || slot.age >= experiment.max_carry_steps;
            sums.loss += f64::from(result.loss);
            sums.solved += f64::from(u8::from(is_solved));
        }
        sums.puzzles += self.slots.len() as f64;
    }
}

/// The input of a step. It depends on the step and on the finished puzzles only, so it is prepared
/// while the GPU computes the gradient of the previous step.
struct Prepared {
    /// The index of the batch.
    index: usize,
    /// New puzzles with their slots.
    new_puzzles: Vec<(usize, Slot)>,
    layout: Layout,
    targets: Vec<f32>,
    /// The number of empty cells.
    cells: usize,
    /// The source of the state of each node.
    sources: Vec<i32>,
    random: Random,
}

impl Prepared {
    /// `ahead` are new puzzles that were drawn for this step before.
    fn new(
        experiment: &Experiment,
        puzzles: &Puzzles,
        batches: &[Batch],
        step: u64,
        ahead: Vec<Slot>,
    ) -> Prepared {
        let mut random = random_of_step(experiment, step);
        let index = puzzles.order(experiment.share_done(step), &mut random);
        let batch = &batches[index];
        let new_puzzles = batch.new_puzzles(experiment, puzzles, step, ahead, &mut random);
        let mut slots: Vec<&Slot> = batch.slots.iter().collect();
        new_puzzles.iter().for_each(|(index, new)| slots[*index] = new);
        let mut sources = Vec::new();
        for (index, slot) in slots.iter().enumerate() {
            // Finished slots have been replaced.
            if batch.slots[index].is_finished {
                sources.extend(slot.nodes.candidates.iter().map(|_| noise::source(&mut random)));
            } else {
                sources
                    .extend((batch.starts[index]..batch.starts[index + 1]).map(|row| row as i32));
            }
        }
        let layout = Layout::new(slots.iter().map(|slot| &slot.nodes));
        let targets: Vec<f32> = slots.iter().flat_map(|slot| &slot.targets).copied().collect();
        let is_cell = |(target, candidate): &(&f32, &i32)| **target > 0.0 && **candidate >= 0;
        let cells = targets.iter().zip(&layout.candidates).filter(is_cell).count();
        Prepared { index, new_puzzles, layout, targets, cells, sources, random }
    }
}

/// Sums since the last line of the metrics.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    loss: f64,
    cells: f64,
    solved: f64,
    puzzles: f64,
}

/// A network in training.
pub(super) struct KaleidoscopeLearner<K: Kernels> {
    experiment: Experiment,
    network: Network<K>,
    optimizer: Optimizer,
    puzzles: Puzzles,
    evaluation_lists: EvaluationLists,
    batches: Vec<Batch>,
    /// The states of each batch.
    states: Vec<Option<K::Rows>>,
    /// The next step; the kernels have its layout and its targets.
    next: Option<Prepared>,
    sums: Sums,
    /// The number of puzzles of all segments.
    puzzle_segments: u64,
    /// The seconds of all steps.
    seconds: f64,
    /// Metrics lines of the checkpoint that the run was resumed from.
    lines: usize,
    last_evaluation: Option<u64>,
    /// The file of carried states to resume from.
    carried: Option<PathBuf>,
}

/// The optimizer at the start of a run.
fn new_optimizer(experiment: &Experiment, spans: &Spans, mut parameters: Vec<f32>) -> Optimizer {
    if experiment.pooling {
        spans.pool(&mut parameters);
    }
    Optimizer::new(parameters)
}

/// The parameters of a network for classic puzzles, extended by slots for rules. Until they are
/// trained, the new slots contribute nothing.
fn extended(
    metadata: &Metadata,
    tensors: &Tensors,
    experiment: &Experiment,
    spans: &Spans,
) -> Result<Vec<f32>, TrainError> {
    let model = crate::Config { rules: false, ..experiment.model.clone() };
    metadata.expect_model(super::MODEL)?;
    let old = Spans::new(&model);
    let classic = old.read("", tensors)?;
    Ok(spans.extended_from(&old, &classic))
}

impl<K: Kernels> KaleidoscopeLearner<K> {
    pub fn new(
        experiment: Experiment,
        kernels: K,
        saved: Option<Saved>,
    ) -> Result<KaleidoscopeLearner<K>, TrainError> {
        let network = Network::new(&experiment.model, kernels);
        let spans = &network.spans;
        let (mut seconds, mut lines, mut last_evaluation, mut carried) = (0.0, 0, None, None);
        let optimizer = match (&saved, &experiment.initial_weights) {
            (Some(Saved { metadata, tensors, directory }), _) => {
                lines = metadata.progress.lines;
                seconds = metadata.progress.epoch_loss;
                last_evaluation = last_kept_evaluation(directory, metadata.progress.step)?;
                carried = Some(directory.join(CARRIED));
                Optimizer {
                    steps: metadata.progress.step,
                    parameters: spans.read("", tensors)?,
                    mean: spans.read("adam.mean.", tensors)?,
                    square: spans.read("adam.square.", tensors)?,
                    averaged: spans.read("averaged.", tensors)?,
                }
            }
            (None, Some(file)) => {
                let (metadata, tensors) = checkpoint::read(file)?;
                let parameters = match spans.read("", &tensors) {
                    Err(_) if experiment.model.rules => {
                        extended(&metadata, &tensors, &experiment, spans)?
                    }
                    parameters => parameters?,
                };
                new_optimizer(&experiment, spans, parameters)
            }
            (None, None) => {
                let parameters = spans.draw(&mut Random::for_part(experiment.seed, 0));
                new_optimizer(&experiment, spans, parameters)
            }
        };
        Ok(KaleidoscopeLearner {
            network,
            optimizer,
            puzzles: Puzzles::default(),
            evaluation_lists: EvaluationLists::default(),
            batches: Vec::new(),
            states: Vec::new(),
            next: None,
            sums: Sums::default(),
            puzzle_segments: 0,
            seconds,
            lines,
            last_evaluation,
            carried,
            experiment,
        })
    }

    pub fn parameter_count(&self) -> usize {
        self.network.spans.count
    }

    /// Passes the puzzles of a step to the kernels.
    fn set_puzzles(&mut self, prepared: &Prepared) {
        self.network.kernels.set_layout(&self.batches[prepared.index].frame, &prepared.layout);
        self.network.kernels.set_targets(&prepared.targets);
        self.network.kernels.set_sources(&prepared.sources);
    }

    /// Runs one segment and takes one optimizer step. Returns the number of puzzles.
    pub fn take_step(&mut self) -> Result<u64, TrainError> {
        let started = Instant::now();
        let step = self.optimizer.steps;
        let mut prepared = match self.next.take() {
            Some(prepared) => prepared,
            None => {
                let prepared =
                    Prepared::new(&self.experiment, &self.puzzles, &self.batches, step, vec![]);
                self.set_puzzles(&prepared);
                prepared
            }
        };
        let index = prepared.index;
        let batch = &mut self.batches[index];
        batch.replaced = prepared.new_puzzles.len();
        std::mem::take(&mut prepared.new_puzzles)
            .into_iter()
            .for_each(|(slot, new)| batch.slots[slot] = new);
        let (segment, next) = self.run_and_prepare_next(prepared);
        self.set_puzzles(&next);
        self.next = Some(next);
        let gradients = self.network.kernels.take_gradients();
        if !self.optimizer.step(&gradients, &self.experiment).is_finite() {
            return Err(TrainError::Diverged { step });
        }
        self.states[index] = Some(segment.states);
        self.seconds += started.elapsed().as_secs_f64();
        let puzzles = self.batches[index].slots.len() as u64;
        self.puzzle_segments += puzzles;
        Ok(puzzles)
    }

    /// Runs a segment and computes its gradient. Meanwhile other threads draw puzzles for the next
    /// step, wait for the results of this one and prepare the next.
    fn run_and_prepare_next(&mut self, prepared: Prepared) -> (Segment<K>, Prepared) {
        let (batches, puzzles, sums) = (&mut self.batches, &self.puzzles, &mut self.sums);
        let (network, experiment) = (&mut self.network, &self.experiment);
        let step = self.optimizer.steps + 1;
        let mut random = random_of_step(experiment, step);
        let batch = &batches[puzzles.order(experiment.share_done(step), &mut random)];
        let (frame, needed) = (batch.frame.clone(), batch.replaced + batch.replaced / 4);
        std::thread::scope(|scope| {
            let ahead =
                scope.spawn(move || Slot::draw((experiment, puzzles, &frame), step, 0..needed));
            let kernels = &mut network.kernels;
            kernels.set_parameters(&self.optimizer.parameters);
            let states = kernels.states(self.states[prepared.index].as_ref(), network.spans.start);
            let Experiment { iterations, iterations_per_loss, .. } = *experiment;
            let segment = network.forward(states, iterations, iterations_per_loss);
            let results = network.kernels.puzzle_results(segment.logits());
            let cells = prepared.cells;
            let next = scope.spawn(move || {
                sums.cells += cells as f64;
                batches[prepared.index].record(experiment, prepared, &results(), sums);
                let ahead = ahead.join().expect("drawing puzzles does not panic");
                Prepared::new(experiment, puzzles, batches, step, ahead)
            });
            network.backward(&segment, cells);
            (segment, next.join().expect("preparing a step does not panic"))
        })
    }

    /// Evaluates the averaged weights on all lists.
    fn evaluate(&mut self, log: &mut Log<'_>) -> Result<(), TrainError> {
        if self.last_evaluation == Some(self.optimizer.steps) {
            return Ok(());
        }
        // The evaluation replaces the layout of the kernels, so the next step is prepared again.
        self.next = None;
        self.last_evaluation = Some(self.optimizer.steps);
        self.network.kernels.set_parameters(&self.optimizer.averaged);
        let evaluation = &self.experiment.evaluation;
        for result in self.evaluation_lists.evaluate(&mut self.network, evaluation) {
            let (step, seconds) = (self.optimizer.steps, self.seconds);
            log.append_json(EVALUATIONS, &ListResult { step, seconds, ..result })?;
        }
        Ok(())
    }

    fn write_batch(&self, index: usize, carried: &mut Tensors) {
        let batch = &self.batches[index];
        let Some(states) = &self.states[index] else { return };
        let mut add = |name: &str, width: usize, values: Vec<f32>| {
            carried.insert(
                format!("{index}.{name}"),
                HostTensor { shape: vec![values.len() / width, width], values },
            );
        };
        let cells = self.cells_of_batch(batch);
        let numbers = |grid: fn(&Slot) -> &Vec<u8>| -> Vec<f32> {
            let padded = batch.slots.iter().flat_map(|slot| {
                let numbers = grid(slot).iter().map(|&number| f32::from(number));
                numbers.chain(std::iter::repeat(0.0)).take(cells)
            });
            padded.collect()
        };
        let is_finished = |slot: &Slot| f32::from(u8::from(slot.is_finished));
        add("puzzles", cells, numbers(|slot| &slot.drawn.puzzle));
        add("solutions", cells, numbers(|slot| &slot.drawn.solution));
        let origins = batch.slots.iter().flat_map(|slot| slot.drawn.origin);
        add("origins", 2, origins.map(|number| number as f32).collect());
        add("ages", 1, batch.slots.iter().map(|slot| slot.age as f32).collect());
        add("leaves", 1, batch.slots.iter().map(is_finished).collect());
        let nodes = batch.starts.last().copied().unwrap_or(0);
        let width = self.experiment.model.width;
        let mut states = self.network.kernels.read_rows(states);
        states.truncate(nodes * width);
        add("states", width, states);
    }

    /// The cells that a file has for each puzzle of a batch.
    fn cells_of_batch(&self, batch: &Batch) -> usize {
        if self.experiment.model.rules {
            self.puzzles.most_cells()
        } else {
            batch.frame.order.cell_count()
        }
    }

    /// Restores the carried puzzles of a file of the same step. Without one all puzzles are
    /// replaced.
    fn read_carried(&mut self) -> Result<(), TrainError> {
        let Some(path) = self.carried.take().filter(|path| path.exists()) else { return Ok(()) };
        let (metadata, tensors) = checkpoint::read(&path)?;
        if metadata.progress.step != self.optimizer.steps {
            return Ok(());
        }
        for index in 0..self.batches.len() {
            let get = |name: &str| tensors.get(&format!("{index}.{name}"));
            let parts =
                (get("puzzles"), get("solutions"), get("ages"), get("leaves"), get("states"));
            let (Some(puzzles), Some(solutions), Some(ages), Some(finished), Some(states)) = parts
            else {
                continue;
            };
            let origins = get("origins");
            let cells = self.cells_of_batch(&self.batches[index]);
            let batch = &mut self.batches[index];
            if puzzles.values.len() != batch.slots.len() * cells
                || solutions.values.len() != puzzles.values.len()
            {
                let reason = format!("{CARRIED} has another number of puzzles");
                return Err(CheckpointError::Unfit(reason).into());
            }
            let grid = |tensor: &HostTensor, slot: usize, count: usize| -> Vec<u8> {
                tensor.values[slot * cells..][..count].iter().map(|&number| number as u8).collect()
            };
            for slot in 0..batch.slots.len() {
                let origin = |at: usize| {
                    let number = origins.and_then(|origins| origins.values.get(2 * slot + at));
                    number.map_or(0, |&number| number as usize)
                };
                let origin = [origin(0), origin(1)];
                let Some(count) = self.puzzles.cells_of(origin) else {
                    let reason = format!("{CARRIED} belongs to other puzzles");
                    return Err(CheckpointError::Unfit(reason).into());
                };
                let count = if self.experiment.model.rules { count } else { cells };
                let (puzzle, solution) = (grid(puzzles, slot, count), grid(solutions, slot, count));
                let drawn = Drawn { origin, puzzle, solution };
                let (age, is_finished) = (ages.values[slot] as usize, finished.values[slot] > 0.0);
                let context = (&self.experiment, &self.puzzles, &*batch.frame);
                batch.slots[slot] = Slot::new(context, drawn, age, is_finished);
            }
            batch.starts = Layout::new(batch.slots.iter().map(|slot| &slot.nodes)).starts;
            let width = self.experiment.model.width;
            self.states[index] = Some(self.network.kernels.write_rows(&states.values, width));
        }
        Ok(())
    }
}

impl<K: Kernels> Learner for KaleidoscopeLearner<K> {
    type Experiment = Experiment;

    const STEPS_PER_LINE: u64 = 100;

    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn precision(&self) -> Precision {
        self.experiment.weights
    }

    fn load_data(&mut self, threads: usize, stop: Stop<'_>) -> Result<(), TrainError> {
        let Experiment { evaluation, batch_size, .. } = &self.experiment;
        self.puzzles = Puzzles::new(&self.experiment, threads, stop)?;
        self.evaluation_lists = EvaluationLists::read(evaluation, &self.experiment.model, stop)?;
        let batch = |&order: &Order| Batch::new(order, slots(*batch_size, order));
        self.batches = self.puzzles.orders.iter().map(batch).collect();
        self.states = self.batches.iter().map(|_| None).collect();
        self.read_carried()
    }

    fn is_finished(&self) -> bool {
        self.optimizer.steps >= self.experiment.steps
    }

    fn step(&mut self) -> Result<(), TrainError> {
        self.take_step().map(|_| ())
    }

    fn line(&mut self) -> Result<Line, TrainError> {
        let sums = std::mem::take(&mut self.sums);
        Ok(Line {
            what: "steps".to_string(),
            step: self.optimizer.steps,
            stage: 1,
            epoch: 1,
            loss: Some(sums.loss / sums.cells.max(1.0)),
            solved: Some(sums.solved / sums.puzzles.max(1.0)),
            seconds: self.seconds,
            examples_per_second: self.puzzle_segments as f64 / self.seconds,
            last_step: self.experiment.steps,
            ..Line::default()
        })
    }

    fn evaluate_if_due(&mut self, log: &mut Log<'_>) -> Result<(), TrainError> {
        let (step, interval) = (self.optimizer.steps, self.experiment.evaluation.steps_between);
        let is_due = self.is_finished() || (step > 0 && interval > 0 && step % interval == 0);
        if is_due { self.evaluate(log) } else { Ok(()) }
    }

    fn at_time_limit(&mut self, log: &mut Log<'_>) -> Result<(), TrainError> {
        self.evaluate(log)
    }

    fn checkpoint(&mut self) -> Result<Tensors, TrainError> {
        let (spans, mut tensors) = (&self.network.spans, Tensors::new());
        let Optimizer { parameters, mean, square, averaged, .. } = &self.optimizer;
        spans.write("", parameters, &mut tensors);
        spans.write("adam.mean.", mean, &mut tensors);
        spans.write("adam.square.", square, &mut tensors);
        spans.write("averaged.", averaged, &mut tensors);
        Ok(tensors)
    }

    fn progress(&self) -> Progress {
        Progress {
            step: self.optimizer.steps,
            lines: self.lines,
            // This model has no epochs and stores its training time here.
            epoch_loss: self.seconds,
            ..Progress::default()
        }
    }

    fn weights(&self) -> Tensors {
        let mut tensors = Tensors::new();
        self.network.spans.write("", &self.optimizer.averaged, &mut tensors);
        tensors
    }

    fn extra_file(&self) -> Option<(&'static str, Tensors)> {
        let mut carried = Tensors::new();
        (0..self.batches.len()).for_each(|index| self.write_batch(index, &mut carried));
        Some((CARRIED, carried))
    }
}

/// The step of the last evaluation up to this step. Later ones are removed from their file, because
/// they were made after the checkpoint that the run resumes from.
fn last_kept_evaluation(directory: &Path, step: u64) -> Result<Option<u64>, TrainError> {
    #[derive(Deserialize)]
    struct Evaluation {
        step: u64,
    }
    let path = directory.join(EVALUATIONS);
    let failed = |error| TrainError::File { path: path.display().to_string(), error };
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        result => result.map_err(failed)?,
    };
    let step_of = |line: &str| Some(serde_json::from_str::<Evaluation>(line).ok()?.step);
    let is_kept = |line: &&str| step_of(line).is_some_and(|line_step| line_step <= step);
    let kept: Vec<&str> = text.split_inclusive('\n').filter(is_kept).collect();
    ninefold_files::write(&path, kept.concat()).map_err(failed)?;
    Ok(kept.last().and_then(|line| step_of(line)))
}

/// The slots of a batch: as many puzzles as have about as many candidates as `batch_size` 9×9
/// puzzles.
fn slots(batch_size: usize, order: Order) -> usize {
    let share = batch_size * 729 / order.side().pow(3);
    share.clamp(batch_size.min(8), 4 * batch_size)
}
