//! Compares explanations with the solution paths of HoDoKu 2.2.0 and of Riley's rules.
//!
//! Programs with another search order find other steps, so full agreement is not expected. The
//! measured shares are lower bounds, so that unintended changes are noticed.

use ninefold::explain::{ExplainOutcome, Explanation, TechniqueSummary};
use ninefold::grid::{Grid, Position};
use ninefold::limits::Limits;
use ninefold::logic::{ExplainOptions, SinglesOrder, default_order};
use ninefold::proof::{self, FishSize, HodokuLevel, OneOrTwo, Reason, SubsetSize, Technique};
use ninefold_test_support::shared;

/// Prints the share of agreement and panics if it is below the bound, in percent.
fn at_least(what: &str, agree: usize, all: usize, floor: f64) {
    let share = 100.0 * agree as f64 / all as f64;
    println!("{what}: {agree} of {all}, {share:.1} %");
    assert!(share >= floor, "{what}: {share:.1} % is below the measured {floor} %");
}

/// The explanation with the techniques that HoDoKu has.
fn path_of(puzzle: &Grid) -> Explanation {
    let techniques = default_order()
        .into_iter()
        .filter(|technique| technique.hodoku_score().is_some())
        .collect();
    let (position, solutions) = (Position::from_puzzle(puzzle).unwrap(), ninefold::solve(puzzle));
    let options =
        ExplainOptions::default().with_techniques(techniques).with_singles(SinglesOrder::AsListed);
    Explanation::new(&position, Some(solutions), &options, &Limits::none())
}

/// Finds a technique by its name in HoDoKu.
fn from_hodoku_name(name: &str) -> Option<Technique> {
    let name = name.split(" (").next().unwrap_or(name);
    let ours = match name {
        "Bivalue Universal Grave + 1" => "BUG+1".to_string(),
        "Almost Locked Set XZ-Rule" => "ALS-XZ".to_string(),
        "Almost Locked Set XY-Wing" => "ALS-XY-Wing".to_string(),
        _ => name
            .replace("Uniqueness Test", "Unique Rectangle Type")
            .replace("Multi Colors", "Multi-Colours"),
    };
    ours.parse().ok()
}

fn hardest(techniques: &[Technique]) -> Option<usize> {
    let order = default_order();
    techniques
        .iter()
        .filter_map(|technique| order.iter().position(|other| other == technique))
        .max()
}

pub fn paths_agree_with_hodoku() {
    let text = shared::text("oracle_hodoku_paths.txt");
    let (mut all, mut same_hardest, mut same_length, mut same_list, mut unknown) = (0, 0, 0, 0, 0);
    for block in text.split("\n\n") {
        let mut lines = block.lines().filter(|line| !line.starts_with('#'));
        let Some(puzzle) = lines.next().and_then(|line| line.trim().parse::<Grid>().ok()) else {
            continue;
        };
        let name = |line: &str| {
            line.trim().split([':', '=']).next().unwrap_or_default().trim().to_string()
        };
        let theirs: Vec<Option<Technique>> =
            lines.map(|line| from_hodoku_name(&name(line))).collect();
        unknown += theirs.iter().filter(|technique| technique.is_none()).count();
        let theirs: Vec<Technique> = theirs.into_iter().flatten().collect();
        let is_single =
            |reason: &Reason| matches!(reason, Reason::LastDigit | Reason::LastPlaceIn(_));
        let path = path_of(&puzzle);
        let steps = path.steps.iter().filter(|step| !is_single(&step.reason));
        let ours: Vec<Technique> = steps.map(|step| step.technique).collect();
        all += 1;
        same_hardest += usize::from(hardest(&ours) == hardest(&theirs));
        same_length += usize::from(ours.len() == theirs.len());
        same_list += usize::from(ours == theirs);
    }
    assert_eq!(unknown, 0, "some technique names are unknown");
    at_least("the same hardest technique", same_hardest, all, 95.0);
    at_least("as many steps beside singles", same_length, all, 86.8);
    at_least("the same techniques in the same order", same_list, all, 84.8);
}

/// The formula of HoDoKu: the sum of the steps, and their highest level, raised while the sum is
/// above its cap.
fn score_of(path: &Explanation) -> (u32, HodokuLevel) {
    let scores = path.steps.iter().filter_map(|step| step.technique.hodoku_score());
    let (mut sum, mut level) = (0, HodokuLevel::Easy);
    for (score, of_step) in scores {
        sum += score;
        level = level.max(of_step);
    }
    let caps = [
        (HodokuLevel::Easy, 800, HodokuLevel::Medium),
        (HodokuLevel::Medium, 1_000, HodokuLevel::Hard),
        (HodokuLevel::Hard, 1_600, HodokuLevel::Unfair),
        (HodokuLevel::Unfair, 1_800, HodokuLevel::Extreme),
    ];
    for (of, cap, next) in caps {
        if level == of && sum > cap {
            level = next;
        }
    }
    (sum, if path.outcome == ExplainOutcome::Solved { level } else { HodokuLevel::Extreme })
}

pub fn levels_agree_with_hodoku() {
    let text = shared::text("oracle_hodoku_scores.csv");
    let (mut all, mut same_level, mut next_level, mut same_score, mut near_score) = (0, 0, 0, 0, 0);
    let levels = [
        ("Easy", HodokuLevel::Easy),
        ("Medium", HodokuLevel::Medium),
        ("Hard", HodokuLevel::Hard),
        ("Unfair", HodokuLevel::Unfair),
        ("Extreme", HodokuLevel::Extreme),
    ];
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let puzzle: Grid = fields[0].parse().unwrap();
        let level = levels.iter().find(|(name, _)| *name == fields[2]).unwrap().1;
        let score: u32 = fields[3].parse().unwrap();
        let (our_score, our_level) = score_of(&path_of(&puzzle));
        all += 1;
        same_level += usize::from(our_level == level);
        next_level += usize::from((our_level as i32 - level as i32).abs() <= 1);
        same_score += usize::from(our_score == score);
        near_score += usize::from(our_score.abs_diff(score) * 10 <= score);
    }
    at_least("the same level", same_level, all, 97.5);
    at_least("the same level or the next", next_level, all, 100.0);
    at_least("the same score", same_score, all, 36.7);
    at_least("a score within a tenth", near_score, all, 77.6);
}

/// The techniques for Riley's rules of rank 1 to 15. Ranks 16 and 17, forced chains, have no
/// equivalent.
fn rules() -> [Technique; 15] {
    use Technique::*;
    let fish = |size| Fish(proof::Fish::basic(size));
    [
        NakedSingle,
        HiddenSingle,
        Pointing,
        Claiming,
        NakedSubset(SubsetSize::Pair),
        HiddenSubset(SubsetSize::Pair),
        fish(FishSize::XWing),
        NakedSubset(SubsetSize::Triple),
        HiddenSubset(SubsetSize::Triple),
        XyWing,
        fish(FishSize::Swordfish),
        SimpleColoursWrap,
        SimpleColoursTrap,
        MultiColours(OneOrTwo::One),
        MultiColours(OneOrTwo::Two),
    ]
}

pub fn what_rileys_rules_solve_we_solve_with_the_same() {
    let text = shared::text("oracle_riley.csv");
    let (mut solved, mut with_same, mut open, mut both_open) = (0, 0, 0, 0);
    let (mut same_rank, mut ranked) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let puzzle: Grid = fields[0].parse().unwrap();
        let rank: usize = fields[3].parse().unwrap();
        let solves = |rank: usize| {
            let techniques = rules()[..rank.min(15)].to_vec();
            let options = ExplainOptions::default()
                .with_techniques(techniques)
                .with_singles(SinglesOrder::AsListed);
            TechniqueSummary::new(&puzzle, &options, &Limits::none()).unwrap().outcome
                == ExplainOutcome::Solved
        };
        match (fields[2], rank) {
            ("yes", ..=15) => {
                solved += 1;
                with_same += usize::from(solves(rank));
                ranked += 1;
                same_rank += usize::from((1..=15).find(|&rank| solves(rank)) == Some(rank));
            }
            ("no", ..=15) => {
                open += 1;
                both_open += usize::from(!solves(15));
            }
            _ => {}
        }
    }
    at_least("solved with the same ranks", with_same, solved, 100.0);
    at_least("the highest rank needed is the same", same_rank, ranked, 98.9);
    at_least("unsolved by both", both_open, open, 100.0);
}
