//! `ninefold rate`: how difficult is it, on one scale or on several?

use crate::console::{Console, Part, Remark, Total};
use crate::error::CliError;
use crate::input::{Input, Puzzles, Question};
use crate::search_args::seconds;
use crate::source::Place;
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use clap::Args;
use clap::builder::PossibleValuesParser;
use ninefold::grid::Grid;
use ninefold::limits::Limits;
use ninefold::puzzles::canonical;
use ninefold::rate::scale::{Answer, Reach, Scale, Unrated};
use std::time::Duration;

/// Say how difficult puzzles are
///
/// Without --scale all scales but te and w are shown. A puzzle that a scale does not take, or that has no solution, is left without
/// a rating on it. A rating that --time-limit ends early says what is known so far: 7.2+ is 7.2 or more.
#[derive(Args, Debug)]
#[command(after_help = "\
Scales:
  effort       our own, made of how hard steps are to notice; easy, medium, hard, expert or extreme
  se           Sudoku Explainer, 9×9 only: ER, EP, ED, the hardest step in all, up to a digit, first
  hodoku       HoDoKu's score, 9×9 only: a sum over all steps; easy, medium, hard, unfair or extreme
  dupree       DuPree's score, 9×9 only: what Bill DuPree's solver does, counted; with one of six levels
  consistency  the weakest consistency that solves it without search: AC, GAC, SAC, SGAC, …, SSGAC
  te           Berthier's depth of trial and error: how many assumptions at once singles need
  w            Berthier's whip rating: how long the chains must be

Exit codes:
  0  yes: every puzzle has a rating on every scale asked for
  1  no: some puzzle has none
  2  trouble: something could not be read")]
pub struct Options {
    #[command(flatten)]
    input: Input,

    /// Rate on these scales; may be repeated [default: all but te and w]
    #[arg(long = "scale", value_name = "NAME,…", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Scale::ALL.map(Scale::name)))]
    scales: Vec<String>,

    /// Give all rearrangements of a puzzle the same ratings: its canonical form is rated
    ///
    /// Sudoku Explainer, HoDoKu and DuPree's solver take the first of several equal steps, so another arrangement may have another
    /// rating. Without this option the ratings are theirs for the puzzle as it is.
    #[arg(long)]
    canonical: bool,

    /// Give up a rating after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Answer with a table: a line of column names, then a row for each puzzle
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Answer with one JSON object per line
    #[arg(long)]
    json: bool,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop at the first error instead of going on with the next puzzle
    #[arg(long)]
    strict: bool,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Rates everything and prints it.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let scales = chosen(&options.scales);
    let puzzles = Puzzles::of_input(&options.input)?;
    let total = Total::Bytes(puzzles.reading.clone());
    let mut console = Console::open(options.quiet, options.strict).counting_to(total);
    if options.csv {
        let columns: Vec<&str> = scales.iter().flat_map(|scale| scale.columns()).copied().collect();
        console.print(Part { data: format!("puzzle,{}\n", columns.join(",")), ..Part::default() });
    }
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        puzzles,
        threads,
        |questions, send| {
            questions.into_iter().for_each(|question| send(answer(options, &scales, question)))
        },
        |told| match told {
            Told::Part(part) => console.print(part),
            Told::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(
            CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
        );
    }
    Ok(console.verdict)
}

/// The scales with these names in the order of the table, or the default ones if no name is given.
pub fn chosen(names: &[String]) -> Vec<Scale> {
    let is_chosen = |scale: &Scale| match names {
        [] => scale.is_default(),
        _ => names.iter().any(|name| name == scale.name()),
    };
    Scale::ALL.into_iter().filter(is_chosen).collect()
}

fn answer(options: &Options, scales: &[Scale], question: Question) -> Part {
    let bad = |error| {
        let remark = Remark { topic: "such an error", words: Err(error) };
        Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
    };
    let (puzzle, place) =
        match question.and_then(|found| Ok((found.entry()?.puzzle, found.place()))) {
            Ok(found) => found,
            Err(unreadable) => return bad(unreadable.into()),
        };
    let limits = options.time_limit.map_or(Limits::none(), Limits::time);
    let rated = if options.canonical { &canonical(&puzzle).form } else { &puzzle };
    let rate = |&scale: &Scale| (scale, scale.rate(rated, &limits, Reach::Full));
    let ratings: Ratings = scales.iter().map(rate).collect();
    let data = if options.csv {
        row(&puzzle, &ratings)
    } else if options.json {
        json(&puzzle, &place, &ratings)
    } else {
        in_words(&puzzle, &place, &ratings)
    };
    let unrated = ratings.iter().any(|(_, rating)| rating.is_err());
    // In words the reason stands in the answer itself.
    let remarks =
        ratings.iter().filter(|_| options.csv).filter_map(|(_, rating)| rating.as_ref().err());
    let remarks = remarks.map(|unrated| Remark {
        topic: "no rating",
        words: Ok(format!("{}{}", place.prefix(), unrated.reason)),
    });
    let remarks = remarks.collect();
    Part { data, remarks, verdict: if unrated { Verdict::No } else { Verdict::Yes }, puzzles: 1 }
}

/// What each scale says.
type Ratings = Vec<(Scale, Answer)>;

/// `puzzle,51,trivial`; empty fields where there is no rating, `7.2+` where there is a lower bound.
fn row(puzzle: &Grid, ratings: &Ratings) -> String {
    let mut fields = vec![puzzle.to_string()];
    for (scale, rating) in ratings {
        match rating.as_ref().map_or_else(|unrated| unrated.so_far.as_deref(), Some) {
            Some(known) => fields.extend(known.fields.iter().cloned()),
            None => fields.extend(scale.columns().iter().map(|_| String::new())),
        }
    }
    fields.join(",") + "\n"
}

/// The puzzle, then a line for each scale.
fn in_words(puzzle: &Grid, place: &Place, ratings: &Ratings) -> String {
    let mut text = format!("{}{puzzle}\n", place.prefix());
    for (scale, rating) in ratings {
        let words = match rating {
            Ok(rating) => rating.words.clone(),
            Err(unrated) if unrated.so_far.is_some() => unrated.to_string(),
            Err(unrated) => format!("none: {unrated}"),
        };
        text += &format!("{:<12} {words}\n", scale.name());
    }
    text + if place.source.is_empty() { "" } else { "\n" }
}

fn json(puzzle: &Grid, place: &Place, ratings: &Ratings) -> String {
    let mut object = serde_json::Map::new();
    if !place.source.is_empty() {
        object.insert("source".to_string(), place.source.as_ref().into());
    }
    if let Some(line) = place.line {
        object.insert("line".to_string(), line.into());
    }
    object.insert("puzzle".to_string(), puzzle.to_string().into());
    for (scale, rating) in ratings {
        let value = match rating {
            Ok(rating) => serde_json::json!(rating.details),
            Err(Unrated { reason, so_far: Some(rating), .. }) => {
                serde_json::json!({ "none": reason, "so_far": rating.details })
            }
            Err(Unrated { reason, .. }) => serde_json::json!({ "none": reason }),
        };
        object.insert(scale.name().to_string(), value);
    }
    serde_json::Value::Object(object).to_string() + "\n"
}
