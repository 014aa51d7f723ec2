//! `ninefold explain --method rem`, `rem-relations` and `kaleidoscope`: explanations by networks as
//! in Cheewaprakobkit et al.
//!
//! One network proposes digits, another names rules, and the six rules verify both. Kaleidoscope
//! does both with one network. If no rule applies, it guesses, and the output says so.

use super::Args;
use crate::console::{Console, Part};
use crate::error::CliError;
use crate::input::InputResult;
use crate::position;
use crate::train;
use crate::verdict::Verdict;
use ninefold::grid::{Grid, Order};
use ninefold_neural::device::Device;
use ninefold_neural::inference::predictor::{self, Predictor};
use ninefold_neural::models::kaleidoscope::Heads;
use ninefold_neural::models::rem::explain::{BoardModels, ExplainedStep, Explanation, explain};
use ninefold_neural::models::rem::networks::{self, BoardRuleModel};
use ninefold_neural::registry::{self, LoadedModel, ModelError, Weights};
use std::path::PathBuf;

/// The networks of a method.
trait Explainer {
    /// The networks for grids of this size, or the only size that they support.
    fn for_order(&self, order: Order) -> Result<Box<dyn BoardModels + '_>, Order>;
}

/// The two networks of the paper.
struct Networks {
    solving: LoadedModel,
    naming: Box<dyn BoardRuleModel>,
}

impl Explainer for Networks {
    fn for_order(&self, order: Order) -> Result<Box<dyn BoardModels + '_>, Order> {
        if order == self.naming.order() { Ok(Box::new(self)) } else { Err(self.naming.order()) }
    }
}

/// Kaleidoscope and its heads for rules, for grids of any size.
struct Kaleidoscope {
    network: LoadedModel,
    heads: Heads,
}

/// Kaleidoscope for grids of one size.
struct SizedKaleidoscope {
    network: Box<dyn Predictor>,
    heads: Heads,
}

impl Explainer for Kaleidoscope {
    fn for_order(&self, order: Order) -> Result<Box<dyn BoardModels + '_>, Order> {
        let own = &self.network.predictor;
        let network = own.for_order(order).ok_or_else(|| own.order())?;
        Ok(Box::new(SizedKaleidoscope { network, heads: self.heads.for_size(order) }))
    }
}

impl BoardModels for SizedKaleidoscope {
    fn digits(&self, board: &[u8]) -> Vec<f32> {
        self.network.log_probabilities(&[board]).into_iter().map(f32::exp).collect()
    }

    fn rules(&self, board: &[u8]) -> Vec<f32> {
        self.heads.predict(board).rules
    }

    fn doubt(&self, board: &[u8]) -> Option<f32> {
        Some(self.heads.predict(board).doubt)
    }
}

impl BoardModels for &Networks {
    fn digits(&self, board: &[u8]) -> Vec<f32> {
        // An almost complete board needs only a few of the 64 steps.
        predictor::predict_until_solved(self.solving.predictor.as_ref(), board)
            .into_iter()
            .map(f32::exp)
            .collect()
    }

    fn rules(&self, board: &[u8]) -> Vec<f32> {
        self.naming.probabilities(&[board])
    }
}

/// Runs the two networks of the paper. `naming` is the model that names rules.
pub fn run(args: &Args, naming: &str) -> Result<Verdict, CliError> {
    explain_all(args, &load(args, naming)?)
}

pub fn run_kaleidoscope(args: &Args) -> Result<Verdict, CliError> {
    let (heads, network) =
        registry::load_heads(Weights::Shipped).map_err(|error| train::model_error(&error))?;
    explain_all(args, &Kaleidoscope { network, heads })
}

fn explain_all(args: &Args, explainer: &dyn Explainer) -> Result<Verdict, CliError> {
    let mut console = Console::open(args.list.quiet, args.list.strict);
    for record in position::all(&args.input)? {
        console.print(explain_record(args, explainer, record));
    }
    console.finish();
    Ok(console.verdict)
}

fn load(args: &Args, naming: &str) -> Result<Networks, CliError> {
    fn weights(path: &Option<PathBuf>) -> Weights<'_> {
        path.as_deref().map_or(Weights::Shipped, Weights::File)
    }
    let solving = registry::by_name("rrn")
        .expect("rrn is registered")
        .load(weights(&args.rrn_weights), Device::Cpu);
    let solving = solving.map_err(|error| load_error(&error, "rrn", "--rrn-weights"))?;
    let (naming, _) =
        networks::load_board_rules(naming, weights(&args.rem_weights), Device::Cpu, 1)
            .map_err(|error| load_error(&error, naming, "--rem-weights"))?;
    Ok(Networks { solving, naming })
}

fn load_error(error: &ModelError, model: &str, option: &str) -> CliError {
    match error {
        ModelError::NotShipped(_) => CliError::new(error.to_string()).hint(format!(
            "train weights with `ninefold train {model}` and pass them with {option} FILE"
        )),
        _ => train::model_error(error),
    }
}

fn explain_record(args: &Args, explainer: &dyn Explainer, record: InputResult) -> Part {
    let result = record.map_err(CliError::from).and_then(|record| {
        let place = record.place();
        let with_place = |error: CliError| error.at(&place);
        // The networks read digits and ignore candidates.
        let (_, position) = record.entry_allowing_conflicts()?.start();
        let grid = position.grid().clone();
        let order = grid.order();
        let models = explainer.for_order(order).map_err(|supported| {
            with_place(CliError::new(format!(
                "the networks support {supported} grids, and this one is {order}"
            )))
        })?;
        let explanation = explain(&grid, models.as_ref())
            .map_err(|conflict| with_place(CliError::new(conflict.to_string())))?;
        Ok((grid, explanation))
    });
    match result {
        Ok((puzzle, explanation)) => {
            let json = || {
                serde_json::to_string(&explanation).expect("a explanation can be written as JSON")
                    + "\n"
            };
            let verdict = if explanation.grid.solves(&puzzle) { Verdict::Yes } else { Verdict::No };
            let data = if args.json { json() } else { text(&puzzle, &explanation) };
            Part { data, verdict, puzzles: 1, ..Part::default() }
        }
        Err(error) => Part::error(error, 1),
    }
}

/// For each digit: the rules that the network named, the rules that were applied, and the digit.
fn text(puzzle: &Grid, explanation: &Explanation) -> String {
    let mut text = format!("{puzzle}\n");
    for step in &explanation.steps {
        text += &step_text(step);
    }
    text + &match (explanation.grid.solves(puzzle), explanation.guesses()) {
        (true, 0) => format!("Solved: {}\n", explanation.grid),
        (true, 1) => format!("Solved with one guess: {}\n", explanation.grid),
        (true, guesses) => format!("Solved with {guesses} guesses: {}\n", explanation.grid),
        (false, 0) => format!("The six rules find nothing more: {}\n", explanation.grid),
        (false, _) => format!("A guess was wrong: {}\n", explanation.grid),
    }
}

fn step_text(step: &ExplainedStep) -> String {
    let mut text = format!("{:>3}. named    ", step.step);
    let predictions = step.predictions.iter().map(|prediction| {
        let holds = if prediction.holds { "holds" } else { "does not hold" };
        format!(
            "{} {} for {} in {} ({:.0} %, {holds})",
            prediction.rule,
            prediction.name,
            prediction.digit,
            prediction.cell,
            100.0 * prediction.probability
        )
    });
    text += &predictions.collect::<Vec<_>>().join("\n              ");
    for applied in &step.applied {
        text += &format!(
            "\n     applied  {} {}: {} (named with {:.0} %)",
            applied.rule,
            applied.name,
            applied.words,
            100.0 * applied.probability
        );
    }
    text + &match (&step.placed, &step.guess) {
        (Some((cell, digit, sure)), _) => {
            format!("\n     placed   {digit} in {cell} (proposed with {:.0} %)\n", 100.0 * sure)
        }
        (None, Some(guess)) => format!(
            "\n     guessed  {} in {} (proposed with {:.0} %; doubted with {:.0} %): no rule proves it\n",
            guess.digit,
            guess.cell,
            100.0 * guess.probability,
            100.0 * guess.doubt
        ),
        (None, None) => "\n     placed   nothing\n".to_string(),
    }
}
