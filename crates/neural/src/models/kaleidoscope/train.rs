//! Training: segments with carried states, one step of the optimizer after each.
//!
//! ```text
//! each step:  a size, by its share; its batch goes on where it stopped
//!             puzzles that left are replaced; a segment of iterations; one step of AdamW
//!             a puzzle leaves when it is solved and chance wants it, or when it has been there long enough
//! ```
//! While a card works on the gradient of a step, the processor prepares the next one: who leaves is known as soon as the segment is
//! thought through, and the card has its work for the gradient before that. All chance follows from the seed and the step. A
//! checkpoint with the states beside it goes on to the very same weights; without the states, which are large, every puzzle of the
//! batch is begun anew.

#[cfg(feature = "cuda")]
use super::card::Card;
use super::exam::{ExamLists, Marks};
use super::experiment::{Experiment, recipe};
use super::host::Host;
use super::kernels::{Kernels, Verdict};
use super::layout::{Frame, Layout, PuzzleNodes};
use super::noise;
use super::optimizer::Optimizer;
use super::parameters::Spans;
use super::puzzles::Puzzles;
use super::segment::{Network, Segment};
use crate::device::Device;
#[cfg(not(feature = "cuda"))]
use crate::device::NoGpu;
use crate::registry::{ModelError, TrainingJob};
use crate::training::checkpoint::{self, CheckpointError, HostTensor, Metadata, Progress, Tensors};
use crate::training::metrics::{Line, Metrics};
use crate::training::quantise::Precision;
use crate::training::throughput::{Probe, Throughput};
use crate::training::train::{CHECKPOINT, Ending, TrainError, WEIGHTS};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The states of carried puzzles, beside the checkpoint.
const CARRIED: &str = "carried.safetensors";
/// What came of the exams, a line of JSON for each list.
const EXAMS: &str = "exams.jsonl";
/// Steps between two lines of the metrics.
const STEPS_PER_LINE: u64 = 100;

/// The experiment that stands in a file.
pub(super) fn read_experiment(metadata: &Metadata) -> Result<Experiment, CheckpointError> {
    serde_json::from_value(metadata.experiment.clone())
        .map_err(|error| CheckpointError::Unfit(format!("the experiment in the file: {error}")))
}

/// The experiment of a job: the recipe with its changes, or that of the run which is resumed.
fn experiment_of(name: &str, job: &TrainingJob<'_>) -> Result<Experiment, ModelError> {
    let path = job.folder.join(CHECKPOINT);
    match job.changes {
        Some(changes) => Ok(recipe().with(changes)?),
        None if job.resume && path.exists() => {
            let (metadata, _) = checkpoint::read(&path)?;
            metadata.expect_model(name)?;
            Ok(read_experiment(&metadata)?)
        }
        None => Ok(recipe()),
    }
}

/// Trains on the device of the job until all steps are taken or the time is up.
pub(crate) fn train(
    name: &str,
    job: &TrainingJob<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<Ending, ModelError> {
    let experiment = &experiment_of(name, job)?;
    match job.device {
        Device::Cpu => run(name, experiment, job, report, Host::new(&experiment.model)),
        #[cfg(feature = "cuda")]
        Device::Gpu => {
            Card::check(&experiment.model)?;
            run(name, experiment, job, report, Card::new(&experiment.model))
        }
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(NoGpu::NotBuilt.into()),
    }
}

/// Measures how fast it learns: segments of a batch that is carried on.
pub(crate) fn measure(probe: &Probe<'_>) -> Result<Throughput, ModelError> {
    let mut experiment = recipe().with(probe.changes.unwrap_or_default())?;
    experiment.batch_size = probe.batch.unwrap_or(experiment.batch_size).max(1);
    match probe.device {
        Device::Cpu => measure_with(&experiment, probe, Host::new(&experiment.model)),
        #[cfg(feature = "cuda")]
        Device::Gpu => {
            Card::check(&experiment.model)?;
            measure_with(&experiment, probe, Card::new(&experiment.model))
        }
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(NoGpu::NotBuilt.into()),
    }
}

fn measure_with<K: Kernels>(
    experiment: &Experiment,
    probe: &Probe<'_>,
    kernels: K,
) -> Result<Throughput, ModelError> {
    let puzzles = Puzzles::new(experiment, 1).map_err(TrainError::from)?;
    let mut learner = Learner::new(experiment, kernels, puzzles);
    let started = Instant::now();
    learner.step(experiment)?;
    let seconds_to_first_step = started.elapsed().as_secs_f64();
    let (started, before) = (Instant::now(), learner.puzzle_segments);
    let mut steps = 0;
    while steps < probe.steps && started.elapsed() < probe.time {
        learner.step(experiment)?;
        steps += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Throughput {
        parameters: learner.network.spans.count,
        batch: experiment.batch_size,
        steps,
        seconds_to_first_step,
        seconds,
        examples_per_second: (learner.puzzle_segments - before) as f64 / seconds.max(1e-9),
    })
}

fn run<K: Kernels>(
    name: &str,
    experiment: &Experiment,
    job: &TrainingJob<'_>,
    report: &mut dyn FnMut(&Line),
    kernels: K,
) -> Result<Ending, ModelError> {
    let mut session = Session::begin(name, experiment, job, kernels)?;
    let begun = Instant::now();
    // Whatever ends the run from now on, there is something to go on from.
    session.save()?;
    let mut saved = Instant::now();
    while session.learner.optimizer.steps < experiment.steps {
        session.learner.step(experiment)?;
        let steps = session.learner.optimizer.steps;
        if steps.is_multiple_of(STEPS_PER_LINE) {
            session.line(report)?;
        }
        if experiment.exams.steps > 0
            && steps.is_multiple_of(experiment.exams.steps)
            && steps < experiment.steps
        {
            session.exam()?;
        }
        if job.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) && steps < experiment.steps {
            session.save()?;
            return Ok(Ending::Stopped);
        }
        if job.time.is_some_and(|time| begun.elapsed() >= time) && steps < experiment.steps {
            session.exam()?;
            session.save()?;
            return Ok(Ending::OutOfTime);
        }
        if saved.elapsed() >= job.checkpoint_every {
            session.save()?;
            saved = Instant::now();
        }
    }
    session.exam()?;
    session.save()?;
    Ok(Ending::Finished)
}

/// A puzzle in its place in a batch.
#[derive(Clone, Debug)]
struct Slot {
    puzzle: Vec<u8>,
    solution: Vec<u8>,
    nodes: PuzzleNodes,
    /// 1 for each node that belongs to the solution.
    targets: Vec<f32>,
    /// Segments since it came.
    age: usize,
    leaves: bool,
}

/// The batch of a size.
struct Batch {
    frame: Frame,
    slots: Vec<Slot>,
    /// The first node of each puzzle in the states.
    starts: Vec<usize>,
}

impl Batch {
    fn new(order: Order, size: usize) -> Batch {
        let place = Slot {
            puzzle: Vec::new(),
            solution: Vec::new(),
            nodes: PuzzleNodes::default(),
            targets: Vec::new(),
            age: 0,
            leaves: true,
        };
        Batch { frame: Frame::new(order), slots: vec![place; size], starts: Vec::new() }
    }

    /// A new puzzle for a place.
    fn arrival(
        &self,
        place: usize,
        experiment: &Experiment,
        puzzles: &Puzzles,
        done: f64,
        random: &mut Random,
    ) -> Slot {
        // The first puzzles leave at different times, so that never all of a batch are new.
        let is_first = self.slots[place].puzzle.is_empty();
        let age = if is_first { random.below(experiment.max_carry_steps) } else { 0 };
        let (puzzle, solution) = puzzles.draw(self.frame.order, done, random);
        let nodes = PuzzleNodes::new(&self.frame, experiment.model.nodes, &puzzle);
        let targets = nodes.targets(self.frame.order.side(), &solution);
        Slot { puzzle, solution, nodes, targets, age, leaves: false }
    }

    /// Decides who leaves.
    fn mark(
        &mut self,
        experiment: &Experiment,
        prepared: Prepared,
        verdicts: &[Verdict],
        sums: &mut Sums,
    ) {
        let Prepared { layout, mut random, .. } = prepared;
        self.starts = layout.starts;
        for (slot, verdict) in self.slots.iter_mut().zip(verdicts) {
            let is_solved = verdict.wrong == 0.0;
            slot.age += 1;
            slot.leaves = (is_solved && random.chance(experiment.leave))
                || slot.age >= experiment.max_carry_steps;
            sums.loss += f64::from(verdict.loss);
            sums.solved += f64::from(u8::from(is_solved));
        }
        sums.puzzles += self.slots.len() as f64;
    }
}

/// What a step learns from. It follows from the step and from who leaves, so it is prepared while a card still works on the gradient
/// of the step before.
struct Prepared {
    /// The batch.
    index: usize,
    /// New puzzles and their places.
    arrivals: Vec<(usize, Slot)>,
    layout: Layout,
    targets: Vec<f32>,
    /// Where the state of each node comes from.
    sources: Vec<i32>,
    random: Random,
}

impl Prepared {
    fn new(experiment: &Experiment, puzzles: &Puzzles, batches: &[Batch], step: u64) -> Prepared {
        let done = experiment.share_done(step);
        let mut random = Random::for_part(experiment.seed ^ 0x7374_6570, step);
        let index = puzzles.order(done, &mut random);
        let batch = &batches[index];
        let (mut arrivals, mut sources) = (Vec::new(), Vec::new());
        for (place, slot) in batch.slots.iter().enumerate() {
            if slot.leaves {
                let arrival = batch.arrival(place, experiment, puzzles, done, &mut random);
                sources.extend(arrival.nodes.candidates.iter().map(|_| noise::source(&mut random)));
                arrivals.push((place, arrival));
            } else {
                sources
                    .extend((batch.starts[place]..batch.starts[place + 1]).map(|row| row as i32));
            }
        }
        let mut slots: Vec<&Slot> = batch.slots.iter().collect();
        arrivals.iter().for_each(|(place, arrival)| slots[*place] = arrival);
        let layout = Layout::new(slots.iter().map(|slot| &slot.nodes));
        let targets = slots.iter().flat_map(|slot| &slot.targets).copied().collect();
        Prepared { index, arrivals, layout, targets, sources, random }
    }
}

/// A network that learns.
struct Learner<K: Kernels> {
    network: Network<K>,
    optimizer: Optimizer,
    puzzles: Puzzles,
    batches: Vec<Batch>,
    /// The states of each batch.
    states: Vec<Option<K::Rows>>,
    /// What comes next; the kernels have its layout and its targets.
    next: Option<Prepared>,
    sums: Sums,
    /// Puzzles of all segments.
    puzzle_segments: u64,
    /// Seconds of all steps.
    seconds: f64,
}

/// What happened since the last line of the metrics.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    loss: f64,
    cells: f64,
    solved: f64,
    puzzles: f64,
}

/// The optimizer at the beginning of a run.
fn begin(experiment: &Experiment, spans: &Spans, mut parameters: Vec<f32>) -> Optimizer {
    if experiment.pooling {
        spans.pool(&mut parameters);
    }
    Optimizer::new(parameters)
}

impl<K: Kernels> Learner<K> {
    fn new(experiment: &Experiment, kernels: K, puzzles: Puzzles) -> Learner<K> {
        let network = Network::new(&experiment.model, kernels);
        let optimizer = begin(
            experiment,
            &network.spans,
            network.spans.draw(&mut Random::for_part(experiment.seed, 0)),
        );
        let batch = |&order: &Order| Batch::new(order, places(experiment.batch_size, order));
        let batches: Vec<Batch> = puzzles.orders.iter().map(batch).collect();
        let states = batches.iter().map(|_| None).collect();
        let sums = Sums::default();
        Learner {
            network,
            optimizer,
            puzzles,
            batches,
            states,
            next: None,
            sums,
            puzzle_segments: 0,
            seconds: 0.0,
        }
    }

    /// Gives the kernels the puzzles of a step.
    fn lay_out(&mut self, prepared: &Prepared) {
        self.network.kernels.set_layout(&self.batches[prepared.index].frame, &prepared.layout);
        self.network.kernels.set_targets(&prepared.targets);
        self.network.kernels.set_sources(&prepared.sources);
    }

    /// One segment and one step of the optimizer.
    fn step(&mut self, experiment: &Experiment) -> Result<(), ModelError> {
        let started = Instant::now();
        let step = self.optimizer.steps;
        let mut prepared = match self.next.take() {
            Some(prepared) => prepared,
            None => {
                let prepared = Prepared::new(experiment, &self.puzzles, &self.batches, step);
                self.lay_out(&prepared);
                prepared
            }
        };
        let index = prepared.index;
        std::mem::take(&mut prepared.arrivals)
            .into_iter()
            .for_each(|(place, arrival)| self.batches[index].slots[place] = arrival);
        let kernels = &mut self.network.kernels;
        kernels.set_parameters(&self.optimizer.parameters);
        let states = kernels.states(self.states[index].as_ref(), self.network.spans.start);
        let segment =
            self.network.forward(states, experiment.iterations, experiment.iterations_per_loss);
        let next = self.gradient_beside_preparing(experiment, &segment, prepared);
        self.lay_out(&next);
        self.next = Some(next);
        let gradients = self.network.kernels.take_gradients();
        if !self.optimizer.step(&gradients, experiment).is_finite() {
            return Err(TrainError::Diverged { step }.into());
        }
        self.states[index] = Some(segment.states);
        self.seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// The gradient of a segment; meanwhile another thread waits for its verdicts and prepares the step that comes next.
    fn gradient_beside_preparing(
        &mut self,
        experiment: &Experiment,
        segment: &Segment<K>,
        prepared: Prepared,
    ) -> Prepared {
        let verdicts = self.network.kernels.verdicts(segment.logits());
        let cells = prepared.targets.iter().sum::<f32>() as usize;
        let (batches, puzzles, sums) = (&mut self.batches, &self.puzzles, &mut self.sums);
        let (network, step) = (&mut self.network, self.optimizer.steps + 1);
        self.puzzle_segments += batches[prepared.index].slots.len() as u64;
        std::thread::scope(|scope| {
            let next = scope.spawn(move || {
                sums.cells += cells as f64;
                batches[prepared.index].mark(experiment, prepared, &verdicts(), sums);
                Prepared::new(experiment, puzzles, batches, step)
            });
            network.backward(segment, cells);
            next.join().expect("what comes next can be prepared")
        })
    }
}

struct Session<'a, K: Kernels> {
    name: &'a str,
    experiment: &'a Experiment,
    job: &'a TrainingJob<'a>,
    learner: Learner<K>,
    exams: ExamLists,
    metrics: Metrics,
    lines: usize,
}

impl<'a, K: Kernels> Session<'a, K> {
    fn begin(
        name: &'a str,
        experiment: &'a Experiment,
        job: &'a TrainingJob<'a>,
        kernels: K,
    ) -> Result<Self, ModelError> {
        experiment.check()?;
        let path = job.folder.join(CHECKPOINT);
        let folder = job.folder.display().to_string();
        match (job.resume, path.exists()) {
            (false, true) => return Err(TrainError::Occupied(folder).into()),
            (true, false) => return Err(TrainError::NothingToResume(folder).into()),
            _ => {}
        }
        let data = |error| ModelError::from(TrainError::from(error));
        let puzzles = Puzzles::new(experiment, job.threads).map_err(data)?;
        let exams = ExamLists::read(&experiment.exams).map_err(data)?;
        let mut learner = Learner::new(experiment, kernels, puzzles);
        let spans = &learner.network.spans;
        let mut lines = 0;
        if job.resume {
            let (metadata, tensors) = checkpoint::read(&path)?;
            metadata.expect_model(name)?;
            lines = metadata.progress.lines;
            learner.seconds = metadata.progress.epoch_loss;
            learner.optimizer = Optimizer {
                steps: metadata.progress.step,
                parameters: spans.read("", &tensors)?,
                mean: spans.read("adam.mean.", &tensors)?,
                square: spans.read("adam.square.", &tensors)?,
                averaged: spans.read("averaged.", &tensors)?,
            };
        } else if let Some(start) = &experiment.initial_weights {
            let (_, tensors) = checkpoint::read(start)?;
            learner.optimizer = begin(experiment, spans, spans.read("", &tensors)?);
        }
        let failed = |error| TrainError::File { path: folder.clone(), error };
        std::fs::create_dir_all(job.folder).map_err(failed)?;
        std::fs::write(job.folder.join("experiment.toml"), experiment.to_toml()).map_err(failed)?;
        let metrics = Metrics::open(job.folder, lines).map_err(failed)?;
        let mut session = Session { name, experiment, job, learner, exams, metrics, lines };
        if job.resume {
            session.read_carried()?;
        }
        Ok(session)
    }

    fn line(&mut self, report: &mut dyn FnMut(&Line)) -> Result<(), ModelError> {
        let learner = &mut self.learner;
        let sums = std::mem::take(&mut learner.sums);
        let line = Line {
            what: "steps".to_string(),
            step: learner.optimizer.steps,
            stage: 1,
            epoch: 1,
            loss: Some(sums.loss / sums.cells.max(1.0)),
            solved: Some(sums.solved / sums.puzzles.max(1.0)),
            seconds: learner.seconds,
            examples_per_second: learner.puzzle_segments as f64 / learner.seconds,
            last_step: self.experiment.steps,
            ..Line::default()
        };
        self.metrics.add(&line).map_err(|error| self.failed(error))?;
        self.lines += 1;
        report(&line);
        Ok(())
    }

    /// Tries the averaged weights on the lists, and puts what came of it into a file.
    fn exam(&mut self) -> Result<(), ModelError> {
        // An exam has layouts of its own, so what was prepared is prepared again after it.
        self.learner.next = None;
        self.learner.network.kernels.set_parameters(&self.learner.optimizer.averaged);
        let marks = self.exams.marks(
            &mut self.learner.network,
            &self.experiment.model,
            &self.experiment.exams,
        );
        let path = self.job.folder.join(EXAMS);
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| self.failed(error))?;
        for marks in marks {
            let marks = Marks {
                step: self.learner.optimizer.steps,
                seconds: self.learner.seconds,
                ..marks
            };
            let line = serde_json::to_string(&marks).expect("marks can be written as JSON");
            writeln!(file, "{line}").map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn failed(&self, error: std::io::Error) -> ModelError {
        TrainError::File { path: self.job.folder.display().to_string(), error }.into()
    }

    /// Leaves a checkpoint, the states beside it, and the weights as they would be shipped.
    fn save(&self) -> Result<(), ModelError> {
        let progress = Progress {
            step: self.learner.optimizer.steps,
            lines: self.lines,
            // Here it is the time that the run has taken.
            epoch_loss: self.learner.seconds,
            ..Progress::default()
        };
        let metadata = Metadata::new(self.name, self.experiment, self.job.commit, &progress);
        let spans = &self.learner.network.spans;
        let mut tensors = Tensors::new();
        spans.write("", &self.learner.optimizer.averaged, &mut tensors);
        checkpoint::save(
            &self.job.folder.join(WEIGHTS),
            &metadata,
            &tensors,
            self.experiment.weights,
        )?;
        spans.write("", &self.learner.optimizer.parameters, &mut tensors);
        spans.write("adam.mean.", &self.learner.optimizer.mean, &mut tensors);
        spans.write("adam.square.", &self.learner.optimizer.square, &mut tensors);
        spans.write("averaged.", &self.learner.optimizer.averaged, &mut tensors);
        checkpoint::save(&self.job.folder.join(CHECKPOINT), &metadata, &tensors, Precision::F32)?;
        let mut carried = Tensors::new();
        for index in 0..self.learner.batches.len() {
            self.write_batch(index, &mut carried);
        }
        checkpoint::save(&self.job.folder.join(CARRIED), &metadata, &carried, Precision::F32)?;
        Ok(())
    }

    fn write_batch(&self, index: usize, carried: &mut Tensors) {
        let batch = &self.learner.batches[index];
        let Some(states) = &self.learner.states[index] else { return };
        let mut add = |name: &str, width: usize, values: Vec<f32>| {
            carried.insert(
                format!("{index}.{name}"),
                HostTensor { shape: vec![values.len() / width, width], values },
            );
        };
        let cells = batch.frame.order.cell_count();
        let numbers = |grid: fn(&Slot) -> &Vec<u8>| {
            batch.slots.iter().flat_map(grid).map(|&number| f32::from(number)).collect::<Vec<f32>>()
        };
        add("puzzles", cells, numbers(|slot| &slot.puzzle));
        add("solutions", cells, numbers(|slot| &slot.solution));
        add("ages", 1, batch.slots.iter().map(|slot| slot.age as f32).collect());
        add("leaves", 1, batch.slots.iter().map(|slot| f32::from(u8::from(slot.leaves))).collect());
        let nodes = batch.starts.last().copied().unwrap_or(0);
        let width = self.experiment.model.width;
        let mut states = self.learner.network.kernels.read_rows(states);
        states.truncate(nodes * width);
        add("states", width, states);
    }

    /// Goes on with the puzzles of a file of the same step; without one, all are begun anew.
    fn read_carried(&mut self) -> Result<(), ModelError> {
        let path = self.job.folder.join(CARRIED);
        if !path.exists() {
            return Ok(());
        }
        let (metadata, tensors) = checkpoint::read(&path)?;
        if metadata.progress.step != self.learner.optimizer.steps {
            return Ok(());
        }
        for index in 0..self.learner.batches.len() {
            let get = |name: &str| tensors.get(&format!("{index}.{name}"));
            let parts =
                (get("puzzles"), get("solutions"), get("ages"), get("leaves"), get("states"));
            let (Some(puzzles), Some(solutions), Some(ages), Some(leaves), Some(states)) = parts
            else {
                continue;
            };
            let batch = &mut self.learner.batches[index];
            let cells = batch.frame.order.cell_count();
            if puzzles.values.len() != batch.slots.len() * cells
                || solutions.values.len() != puzzles.values.len()
            {
                return Err(CheckpointError::Unfit(format!(
                    "{CARRIED} has another number of puzzles"
                ))
                .into());
            }
            let grid = |tensor: &HostTensor, place: usize| -> Vec<u8> {
                tensor.values[place * cells..][..cells].iter().map(|&number| number as u8).collect()
            };
            for place in 0..batch.slots.len() {
                let (puzzle, solution) = (grid(puzzles, place), grid(solutions, place));
                let nodes = PuzzleNodes::new(&batch.frame, self.experiment.model.nodes, &puzzle);
                let (age, leaves) = (ages.values[place] as usize, leaves.values[place] > 0.0);
                let targets = nodes.targets(batch.frame.order.side(), &solution);
                batch.slots[place] = Slot { puzzle, solution, nodes, targets, age, leaves };
            }
            batch.starts = Layout::new(batch.slots.iter().map(|slot| &slot.nodes)).starts;
            let states = self
                .learner
                .network
                .kernels
                .write_rows(&states.values, self.experiment.model.width);
            self.learner.states[index] = Some(states);
        }
        Ok(())
    }
}

/// Puzzles in a batch of this size: about as many candidates as `batch_size` puzzles of 9×9 have.
fn places(batch_size: usize, order: Order) -> usize {
    let share = batch_size * 729 / order.side().pow(3);
    share.clamp(batch_size.min(8), 4 * batch_size)
}
