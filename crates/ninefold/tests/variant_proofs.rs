//! Explanations of variants: every kind is explained to the end, and the checker rejects proofs
//! that were changed.

use ninefold::explain::{Detail, Explanation, Language};
use ninefold::generate::variants::{self, VariantKind, VariantOptions};
use ninefold::grid::rules::{Rule, Rules};
use ninefold::grid::{Candidates, Cell, Digit, DigitSet, Grid, House, Order, Position, Solutions};
use ninefold::limits::Limits;
use ninefold::logic::ExplainOptions;
use ninefold::proof::{
    Candidate, Combined, Ending, InferenceReason, Part, Reason, Step, Technique, Tree, Truth,
    all_techniques, check,
};
use ninefold::rate::effort;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A generated puzzle and its explanation.
struct Example {
    name: String,
    solution: Vec<Digit>,
    explanation: Explanation,
}

fn example(kind: VariantKind, side: usize, seed: u64) -> Option<Example> {
    let order = Order::from_side(side).unwrap_or_else(|| Order::without_boxes(side).unwrap());
    // Some kinds have no puzzle of a small size.
    let variant = variants::generate_one(&VariantOptions::new(order, vec![kind]), seed, 0).ok()?;
    let rules = Arc::new(variant.rules);
    let mut puzzle = Grid::empty(rules.order()).with_rules(rules);
    let mut solution = puzzle.clone();
    for (index, (given, digit)) in variant.givens.iter().zip(&variant.solution).enumerate() {
        puzzle.set(Cell::new(index), *given);
        solution.set(Cell::new(index), Some(*digit));
    }
    let position = Position::from_puzzle(&puzzle).unwrap();
    let options = ExplainOptions::default();
    let solutions = Some(Solutions::One(solution));
    let explanation = Explanation::new(&position, solutions, &options, &Limits::none());
    let name = format!("{kind} on {side}×{side}, seed {seed}");
    Some(Example { name, solution: variant.solution, explanation })
}

static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let sides = |kind| [(kind, 4), (kind, 6)];
    let small = VariantKind::all().flat_map(sides);
    let large =
        ["killer", "jigsaw", "thermo"].map(|name| (VariantKind::parse_list(name).unwrap()[0], 9));
    let all: Vec<Example> =
        small.chain(large).filter_map(|(kind, side)| example(kind, side, 3)).collect();
    assert!(all.len() > 60, "only {} examples", all.len());
    all
});

#[test]
fn every_kind_is_explained_to_the_end_in_every_language() {
    for example in EXAMPLES.iter() {
        let explanation = &example.explanation;
        assert!(explanation.is_complete(), "{}: {:?}", example.name, explanation.outcome);
        for (before, step) in explanation.positions() {
            for language in Language::ALL {
                for detail in Detail::ALL {
                    let text = step.explain_in(&before, detail, language);
                    let complete = text.ends_with(['.', '?', '!']) && !text.contains("  .");
                    assert!(complete, "{}: {text:?}", example.name);
                }
            }
            assert!(!step.one_line(&before).is_empty());
        }
    }
}

/// Every combination that a step uses, replaced by `change`.
fn with_combinations(step: &Step, change: &dyn Fn(&Combined) -> Combined) -> Vec<Step> {
    let mut steps = Vec::new();
    match &step.reason {
        Reason::Rule(combined) => {
            steps.push(Step { reason: Reason::Rule(change(combined)), ..step.clone() });
        }
        Reason::Count(count) => {
            for (index, truth) in count.truths.iter().enumerate() {
                let Truth::Needs(combined, digit) = truth else { continue };
                let mut count = count.clone();
                count.truths[index] = Truth::Needs(change(combined), *digit);
                steps.push(Step { reason: Reason::Count(count), ..step.clone() });
            }
        }
        Reason::Tree(tree) => {
            for tree in changed_trees(tree, change) {
                steps.push(Step { reason: Reason::Tree(tree), ..step.clone() });
            }
        }
        _ => {}
    }
    steps
}

fn changed_trees(tree: &Tree, change: &dyn Fn(&Combined) -> Combined) -> Vec<Tree> {
    let mut trees = Vec::new();
    for (index, inference) in tree.inferences.iter().enumerate() {
        if let InferenceReason::Rule(combined) = &inference.reason {
            let mut tree = tree.clone();
            tree.inferences[index].reason = InferenceReason::Rule(change(combined));
            trees.push(tree);
        }
        let mut fewer = tree.clone();
        fewer.inferences.remove(index);
        trees.push(fewer);
    }
    match &tree.end {
        Ending::NoFilling(combined) => {
            trees.push(Tree { end: Ending::NoFilling(change(combined)), ..tree.clone() });
        }
        Ending::Split(of, branches) => {
            for (index, branch) in branches.iter().enumerate() {
                for changed in changed_trees(branch, change) {
                    let mut branches = branches.clone();
                    branches[index] = changed;
                    trees.push(Tree { end: Ending::Split(*of, branches), ..tree.clone() });
                }
            }
        }
        Ending::Nothing(_) | Ending::NoRoom(_) => {}
    }
    trees
}

type Change = Box<dyn Fn(&Combined) -> Combined>;

/// Ways to change a combination: each factor, each rule, each house, and one part less.
fn changes(rules: usize, side: u8) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for at in 0..4 {
        changes.push(Box::new(move |combined| {
            let mut changed = combined.clone();
            let index = at % changed.parts.len();
            changed.parts[index].1 += 1;
            changed
        }));
        changes.push(Box::new(move |combined| {
            let mut changed = combined.clone();
            let index = at % changed.parts.len();
            changed.parts[index].0 = match changed.parts[index].0 {
                Part::Rule(rule) => Part::Rule((rule + 1) % (rules + 1)),
                Part::House(House::Row(row)) => Part::House(House::Row((row + 1) % side)),
                Part::House(House::Column(at)) => Part::House(House::Column((at + 1) % side)),
                Part::House(_) => Part::House(House::Row(at as u8 % side)),
            };
            changed
        }));
        changes.push(Box::new(move |combined| {
            let mut changed = combined.clone();
            let index = at % changed.parts.len();
            changed.parts.remove(index);
            changed
        }));
    }
    changes
}

#[test]
fn changed_proofs_never_remove_a_digit_of_the_solution() {
    let mut rejected = 0;
    for example in EXAMPLES.iter() {
        let puzzle = example.explanation.puzzle();
        let rules = puzzle.rules().expect("a variant").rules().len();
        let side = puzzle.order().side() as u8;
        for (before, step) in example.explanation.positions() {
            for change in changes(rules, side) {
                let mut changed = with_combinations(step, &*change);
                changed.push(step.clone());
                for cell in step.removes.iter().map(|removed| removed.cell) {
                    let digit = example.solution[cell.index()];
                    for changed in &changed {
                        let mut wrong =
                            Step { removes: vec![Candidate::new(cell, digit)], ..changed.clone() };
                        if let Reason::Tree(tree) = &mut wrong.reason {
                            tree.assumed = wrong.removes[0];
                        }
                        let answer = check(&wrong, puzzle, &before);
                        assert!(answer.is_err(), "{}: {wrong:?}", example.name);
                        rejected += 1;
                    }
                }
            }
        }
    }
    assert!(rejected > 10_000, "only {rejected} proofs were changed");
}

/// The cells with their factors, and the total; `None` for rules that are no sums.
fn equation(grid: &Grid, rules: &Rules, combined: &Combined) -> Option<(Vec<(Cell, i64)>, i64)> {
    let side = grid.order().side() as i64;
    let mut factors: BTreeMap<Cell, i64> = BTreeMap::new();
    let mut total = 0;
    for (part, factor) in &combined.parts {
        let factor = i64::from(*factor);
        let (terms, sum): (Vec<(Cell, i64)>, i64) = match part {
            Part::House(house) => {
                let cells = grid.cells_in(*house).iter();
                (cells.map(|&cell| (cell, 1)).collect(), side * (side + 1) / 2)
            }
            Part::Rule(index) => match rules.rules().get(*index)? {
                Rule::Cage { cells, sum } => {
                    (cells.iter().map(|&cell| (cell, 1)).collect(), i64::from(*sum))
                }
                Rule::Sum { terms, total } => {
                    let terms = terms.iter().map(|&(k, cell)| (cell, i64::from(k)));
                    (terms.collect(), i64::from(*total))
                }
                _ => return None,
            },
        };
        for (cell, own) in terms {
            *factors.entry(cell).or_default() += factor * own;
        }
        total += factor * sum;
    }
    Some((factors.into_iter().filter(|(_, factor)| *factor != 0).collect(), total))
}

/// Tries every filling of the cells. Returns whether one has the total, with different digits in
/// cells that see each other or share a cage.
fn has_filling(
    terms: &[(Cell, i64)],
    total: i64,
    domains: &dyn Fn(Cell) -> DigitSet,
    differ: &dyn Fn(Cell, Cell) -> bool,
    chosen: &mut Vec<(Cell, Digit)>,
) -> bool {
    let Some((&(cell, factor), rest)) = terms.split_first() else { return total == 0 };
    domains(cell).into_iter().any(|digit| {
        let fits = chosen.iter().all(|&(other, own)| own != digit || !differ(cell, other));
        fits && {
            chosen.push((cell, digit));
            let left = total - factor * i64::from(digit.number());
            let found = has_filling(rest, left, domains, differ, chosen);
            chosen.pop();
            found
        }
    })
}

/// Whether trying all fillings shows that the candidate is false.
fn oracle_refutes(
    before: &Candidates,
    rules: &Rules,
    combined: &Combined,
    goal: Candidate,
) -> Option<bool> {
    let (terms, total) = equation(before.grid(), rules, combined)?;
    if terms.len() > 5 {
        return None;
    }
    let order = before.order();
    let differ = |a: Cell, b: Cell| {
        let in_one = |cells: &[Cell]| cells.contains(&a) && cells.contains(&b);
        let in_rule = |rule: &Rule| match rule {
            Rule::Cage { cells, .. } | Rule::Differ(cells) => in_one(cells),
            _ => false,
        };
        a != b
            && (order.see_each_other(a, b)
                || rules.regions().iter().any(|cells| in_one(cells))
                || rules.rules().iter().any(in_rule))
    };
    let domains = |cell: Cell| {
        let own = before.grid()[cell].map_or(before.at(cell), DigitSet::from_digit);
        match cell {
            _ if cell == goal.cell => DigitSet::from_digit(goal.digit),
            _ if differ(cell, goal.cell) => own.without(goal.digit),
            _ => own,
        }
    };
    Some(!has_filling(&terms, total, &domains, &differ, &mut Vec::new()))
}

#[test]
fn sums_are_accepted_only_if_trying_all_fillings_confirms_them() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..4 {
        for (kind, side) in [("killer", 4), ("killer", 6), ("killer", 9), ("little-killer", 6)] {
            let kind = VariantKind::parse_list(kind).unwrap()[0];
            let Some(example) = example(kind, side, seed) else { continue };
            let puzzle = example.explanation.puzzle();
            let rules = puzzle.rules().expect("a variant");
            for (before, step) in example.explanation.positions() {
                let Reason::Rule(combined) = &step.reason else { continue };
                let mut all = vec![combined.clone()];
                all.extend(changes(rules.rules().len(), side as u8).iter().map(|f| f(combined)));
                for combined in all {
                    for &goal in &step.removes {
                        let oracle = oracle_refutes(&before, rules, &combined, goal);
                        let Some(oracle) = oracle else { continue };
                        let step = Step {
                            reason: Reason::Rule(combined.clone()),
                            removes: vec![goal],
                            ..step.clone()
                        };
                        let answer = check(&step, puzzle, &before);
                        // The checker may ignore that cells with different factors differ.
                        assert!(oracle || answer.is_err(), "{}: {step:?}", example.name);
                        accepted += usize::from(answer.is_ok());
                        rejected += usize::from(answer.is_err());
                    }
                }
            }
        }
    }
    assert!(accepted > 100 && rejected > 1_000, "{accepted} accepted, {rejected} rejected");
}

/// One step of each technique that needs rules, in words.
#[test]
fn steps_of_rules_match_the_page() {
    let mut pages: BTreeMap<Technique, (String, String)> = BTreeMap::new();
    let sources = EXAMPLES.iter().filter(|example| !example.name.contains("4×4"));
    for example in sources.chain(EXAMPLES.iter()) {
        for (before, step) in example.explanation.positions() {
            let is_tree = step.technique == Technique::ForcingNet;
            if !step.technique.needs_rules() && !is_tree {
                continue;
            }
            let text = |detail| step.explain(&before, detail);
            let entry = format!(
                "## {}\n\nIn a generated puzzle ({}).\n\n- {}\n- {}\n- {}\n",
                step.technique,
                example.name,
                text(Detail::Hint),
                text(Detail::Technique),
                text(Detail::Full).replace('\n', "\n  "),
            );
            let german = step.explain_in(&before, Detail::Full, Language::German);
            pages.entry(step.technique).or_insert((entry, german));
        }
    }
    assert!(pages.len() >= 20, "only {} techniques", pages.len());
    let mut page = String::from(
        "# Steps of variants\n\nOne step of each technique that needs rules beyond rows, columns \
         and boxes: the hint, the\npattern, and the full reason. The test `variant_proofs` writes \
         this page.\n",
    );
    let order = all_techniques().into_iter().filter_map(|technique| pages.get(&technique));
    order.for_each(|(entry, _)| page += &format!("\n{entry}"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/variant_steps.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
        for (_, german) in pages.values() {
            println!("{german}\n");
        }
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page, "BLESS=1 rewrites the page");
}

#[test]
fn efforts_of_variants_do_not_depend_on_the_arrangement() {
    // Exchanging two digits keeps the houses of a jigsaw, and so its effort.
    let mut rated = 0;
    for example in EXAMPLES.iter().filter(|example| example.name.starts_with("jigsaw")) {
        let puzzle = example.explanation.puzzle();
        let order = puzzle.order();
        let mut image = Grid::empty(order).with_rules(puzzle.rules().unwrap().clone());
        for (cell, digit) in puzzle.clues() {
            let number = order.side() - digit.index();
            image.set(cell, Digit::new(number as u8));
        }
        let [one, other] = [puzzle, &image].map(|grid| effort::rate(grid).unwrap());
        assert!((one.points - other.points).abs() < 1e-9, "{}", example.name);
        assert_eq!((one.hardest, one.rounds), (other.hardest, other.rounds));
        rated += 1;
    }
    assert!(rated >= 2);
}
