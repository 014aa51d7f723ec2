//! `ninefold explain --method rem`, `rem-relations` and `kaleidoscope`: the way of Cheewaprakobkit et al. One network proposes digits,
//! another names rules, and the six rules check both. With kaleidoscope both are one network, which goes on where the rules end: it
//! guesses, and says so.

use super::Options;
use crate::console::{Console, Part, Remark};
use crate::error::CliError;
use crate::input::Question;
use crate::position;
use crate::train;
use crate::verdict::Verdict;
use neural::device::Device;
use neural::inference::predictor::{self, Predictor};
use neural::models::kaleidoscope::Heads;
use neural::models::rem::explain::{Advisers, Story, Told, explain};
use neural::models::rem::networks::{self, BoardRules};
use neural::registry::{self, LoadedModel, ModelError, Weights};
use ninefold::grid::{Grid, Order};
use std::path::PathBuf;

/// Whoever can advise about grids of a size.
trait Council {
    /// Advice about grids of this size; otherwise the size that there is advice about.
    fn advise(&self, order: Order) -> Result<Box<dyn Advisers + '_>, Order>;
}

/// Both networks of the paper.
struct Networks {
    solving: LoadedModel,
    naming: Box<dyn BoardRules>,
}

impl Council for Networks {
    fn advise(&self, order: Order) -> Result<Box<dyn Advisers + '_>, Order> {
        if order == self.naming.order() { Ok(Box::new(self)) } else { Err(self.naming.order()) }
    }
}

/// One network with its heads, for grids of any size.
struct Kaleidoscope {
    thinker: LoadedModel,
    heads: Heads,
}

/// The same for one size.
struct OneSize {
    thinker: Box<dyn Predictor>,
    heads: Heads,
}

impl Council for Kaleidoscope {
    fn advise(&self, order: Order) -> Result<Box<dyn Advisers + '_>, Order> {
        let own = &self.thinker.predictor;
        let thinker = own.for_order(order).ok_or_else(|| own.order())?;
        Ok(Box::new(OneSize { thinker, heads: self.heads.for_size(order) }))
    }
}

impl Advisers for OneSize {
    fn digits(&self, board: &[u8]) -> Vec<f32> {
        self.thinker.log_probabilities(&[board]).into_iter().map(f32::exp).collect()
    }

    fn rules(&self, board: &[u8]) -> Vec<f32> {
        self.heads.look_at(board).rules
    }

    fn doubt(&self, board: &[u8]) -> Option<f32> {
        Some(self.heads.look_at(board).doubt)
    }
}

impl Advisers for &Networks {
    fn digits(&self, board: &[u8]) -> Vec<f32> {
        // A board that is nearly full is solved after a few of its 64 steps.
        predictor::predict_until_solved(self.solving.predictor.as_ref(), board)
            .into_iter()
            .map(f32::exp)
            .collect()
    }

    fn rules(&self, board: &[u8]) -> Vec<f32> {
        self.naming.probabilities(&[board])
    }
}

/// Explains every puzzle, with rules named by this model, and prints a table for each.
pub fn run(options: &Options, naming: &str) -> Result<Verdict, CliError> {
    tell(options, &load(options, naming)?)
}

/// Explains every puzzle with the network of our own and its heads, and prints a table for each.
pub fn run_kaleidoscope(options: &Options) -> Result<Verdict, CliError> {
    let (heads, thinker) =
        registry::load_heads(Weights::Shipped).map_err(|error| train::explained(&error))?;
    tell(options, &Kaleidoscope { thinker, heads })
}

fn tell(options: &Options, council: &dyn Council) -> Result<Verdict, CliError> {
    let mut console = Console::open(false, false);
    for question in position::all(&options.input)? {
        console.print(answer(options, council, question));
    }
    console.finish();
    Ok(console.verdict)
}

fn load(options: &Options, naming: &str) -> Result<Networks, CliError> {
    fn from(path: &Option<PathBuf>) -> Weights<'_> {
        path.as_deref().map_or(Weights::Shipped, Weights::File)
    }
    let solving = registry::by_name("rrn")
        .expect("the registry has it")
        .load(from(&options.rrn), Device::Cpu);
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

fn answer(options: &Options, council: &dyn Council, question: Question) -> Part {
    let told = question.map_err(CliError::from).and_then(|found| {
        let place = found.place();
        let with_place = |error: CliError| error.at(&place);
        // The networks look at digits alone.
        let (_, position) = found.entry_that_may_break_rules()?.start();
        let grid = position.grid().clone();
        let found = grid.order();
        let advisers = council.advise(found).map_err(|order| {
            with_place(CliError::new(format!("this is a {found} grid; the networks know {order}")))
        })?;
        let story = explain(&grid, advisers.as_ref())
            .map_err(|conflict| with_place(CliError::new(conflict.to_string())))?;
        Ok((grid, story))
    });
    match told {
        Ok((puzzle, story)) => {
            let json = || {
                serde_json::to_string(&story).expect("words and numbers can be written as JSON")
                    + "\n"
            };
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
    text + &match (story.grid.solves(puzzle), story.guesses()) {
        (true, 0) => format!("Solved: {}\n", story.grid),
        (true, 1) => format!("Solved with one guess: {}\n", story.grid),
        (true, guesses) => format!("Solved with {guesses} guesses: {}\n", story.grid),
        (false, 0) => format!("The six rules find nothing more: {}\n", story.grid),
        (false, _) => format!("A guess was wrong: {}\n", story.grid),
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
    text + &match (&told.placed, &told.guess) {
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
