//! `ninefold explain --method rem` and `rem-relations`: the way of paper 1. One network proposes digits, another names
//! rules, and the six rules check both.

use super::Options;
use crate::console::{Console, Part, Remark};
use crate::error::CliError;
use crate::input::Question;
use crate::position;
use crate::train;
use crate::verdict::Verdict;
use neural::device::Device;
use neural::inference::predictor;
use neural::models::rem::explain::{Advisers, Story, Told, explain};
use neural::models::rem::networks::{self, BoardRules};
use neural::registry::{self, LoadedModel, ModelError, Weights};
use ninefold::grid::Grid;
use std::path::PathBuf;

/// Both networks of the paper.
struct Networks {
    solving: LoadedModel,
    naming: Box<dyn BoardRules>,
}

impl Advisers for Networks {
    fn digits(&self, board: &[u8]) -> Vec<f32> {
        // A board that is nearly full is solved after a few of its 64 steps.
        predictor::predict_until_solved(self.solving.predictor.as_ref(), board).into_iter().map(f32::exp).collect()
    }

    fn rules(&self, board: &[u8]) -> Vec<f32> {
        self.naming.probabilities(&[board])
    }
}

/// Explains every puzzle, with rules named by this model, and prints a table for each.
pub fn run(options: &Options, naming: &str) -> Result<Verdict, CliError> {
    let networks = load(options, naming)?;
    let mut console = Console::open(false, false);
    for question in position::all(&options.input)? {
        console.print(answer(options, &networks, question));
    }
    console.finish();
    Ok(console.verdict)
}

fn load(options: &Options, naming: &str) -> Result<Networks, CliError> {
    fn from(path: &Option<PathBuf>) -> Weights<'_> {
        path.as_deref().map_or(Weights::Shipped, Weights::File)
    }
    let solving = registry::by_name("rrn").expect("the registry has it").load(from(&options.rrn), Device::Cpu);
    let solving = solving.map_err(|error| explained(&error, "rrn", "--rrn"))?;
    let (naming, _) = networks::load_board_rules(naming, from(&options.rem), Device::Cpu, 1)
        .map_err(|error| explained(&error, naming, "--rem"))?;
    Ok(Networks { solving, naming })
}

fn explained(error: &ModelError, model: &str, option: &str) -> CliError {
    match error {
        ModelError::NotShipped(_) => CliError::new(error.to_string())
            .hint(format!("`ninefold train {model}` makes weights; {option} FILE reads them")),
        _ => train::explained(error),
    }
}

fn answer(options: &Options, networks: &Networks, question: Question) -> Part {
    let told = question.map_err(CliError::from).and_then(|found| {
        let place = found.place();
        let with_place = |error: CliError| error.at(&place);
        // The networks look at digits alone.
        let (_, position) = found.entry_that_may_break_rules()?.start();
        let grid = position.grid().clone();
        let order = networks.naming.order();
        if grid.order() != order {
            let found = grid.order();
            return Err(with_place(CliError::new(format!("this is a {found} grid; the networks know {order}"))));
        }
        let story = explain(&grid, networks).map_err(|conflict| with_place(CliError::new(conflict.to_string())))?;
        Ok((grid, story))
    });
    match told {
        Ok((puzzle, story)) => {
            let json = || serde_json::to_string(&story).expect("words and numbers can be written as JSON") + "\n";
            let verdict = if story.grid.solves(&puzzle) { Verdict::Yes } else { Verdict::No };
            let data = if options.json { json() } else { text(&puzzle, &story) };
            Part { data, verdict, puzzles: 1, ..Part::default() }
        }
        Err(error) => {
            let remark = Remark { topic: "such an error", words: Err(error) };
            Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
        }
    }
}

/// For each digit: what the network named, what was applied, and the digit.
fn text(puzzle: &Grid, story: &Story) -> String {
    let mut text = format!("{puzzle}\n");
    for told in &story.steps {
        text += &one_step(told);
    }
    text + &match story.grid.solves(puzzle) {
        true => format!("Solved: {}\n", story.grid),
        false => format!("The six rules find nothing more: {}\n", story.grid),
    }
}

fn one_step(told: &Told) -> String {
    let mut text = format!("{:>3}. named    ", told.step);
    let named = told.named.iter().map(|named| {
        let holds = if named.holds { "holds" } else { "does not hold" };
        format!(
            "{} {} for {} in {} ({:.0} %, {holds})",
            named.rule,
            named.name,
            named.digit,
            named.cell,
            100.0 * named.probability
        )
    });
    text += &named.collect::<Vec<_>>().join("\n              ");
    for applied in &told.applied {
        text += &format!(
            "\n     applied  {} {}: {} (named with {:.0} %)",
            applied.rule,
            applied.name,
            applied.words,
            100.0 * applied.named_with
        );
    }
    text + &match &told.placed {
        Some((cell, digit, sure)) => {
            format!("\n     placed   {digit} in {cell} (proposed with {:.0} %)\n", 100.0 * sure)
        }
        None => "\n     placed   nothing\n".to_string(),
    }
}
