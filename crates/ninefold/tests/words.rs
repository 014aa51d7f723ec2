//! Compares the text of every technique, at every level of detail, with reviewed pages.
//!
//! `words/examples.md` contains steps of complete explanations. `words/english.md`, `german.md` and
//! `spanish.md` contain the steps of every lesson, and `docs/explanations.md` shows a selection.
//! Run `BLESS=1 cargo test -p ninefold --test words` to rewrite the pages, and review the changes.

use ninefold::explain::{Language, lessons};
use ninefold::logic::{ExplainOptions, SinglesOrder, default_order_with};
use ninefold::{Candidates, Detail, Explanation, Grid, Limits, Position, Step, Technique};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Step of an explanation that uses [`SinglesOrder::AsListed`].
struct Example {
    puzzle: &'static str,
    step: usize,
    with: Vec<Technique>,
    only: Vec<Technique>,
}

fn example(puzzle: &'static str, step: usize) -> Example {
    Example { puzzle, step, with: Vec::new(), only: Vec::new() }
}

impl Example {
    fn with(mut self, technique: &str) -> Example {
        self.with.push(technique.parse().unwrap());
        self
    }

    fn only(mut self, technique: &str) -> Example {
        self.only.push(technique.parse().unwrap());
        self
    }

    /// Returns the position before the step, and the step.
    fn find_step(&self) -> (Candidates, Step) {
        let puzzle: Grid = self.puzzle.parse().unwrap();
        let techniques =
            if self.only.is_empty() { default_order_with(&self.with) } else { self.only.clone() };
        let options = ExplainOptions::default()
            .with_techniques(techniques)
            .with_singles(SinglesOrder::AsListed)
            .with_max_steps(self.step);
        let position = Position::from_puzzle(&puzzle).unwrap();
        let path =
            Explanation::new(&position, Some(ninefold::solve(&puzzle)), &options, &Limits::none());
        let (before, step) = path.positions().last().expect("the explanation has steps");
        assert_eq!(path.steps.len(), self.step, "{}", self.puzzle);
        (before, step.clone())
    }

    fn command(&self) -> String {
        let option = |name: &str, list: &[Technique]| {
            list.iter()
                .map(|technique| format!(" --{name} {}", technique.slug()))
                .collect::<String>()
        };
        let more = option("with", &self.with) + &option("technique", &self.only);
        format!(
            "ninefold explain {} --singles as-listed --first-step {}{more}",
            self.puzzle, self.step
        )
    }
}

fn examples() -> Vec<Example> {
    vec![
        example(
            "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
            6,
        ),
        example(
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
            1,
        ),
        example(
            "1.3..9.8....8........4..6.3.4.....6....75.9.129....84.9..2...7.8.....5......7....",
            2,
        ),
        example(
            ".2......8...7..9.........1...7..91.......8.5624...6.....53.2...89...4.3.3..8..56.",
            1,
        ),
        example(
            "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
            1,
        ),
        example(
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
            6,
        ),
        example(
            ".46....9...3..4.......6......7.3..4....8...1.5..1..2....1.7.8.9..5.1...7.3.9.....",
            6,
        ),
        example(
            "..37.4....5..9.23....25...4.......4.8..1....56...478.3.....2.6.3.8....9...79.....",
            8,
        ),
        example(
            "39.6.......2.......4..3.85......5....6..1..9....4......15.6..3.......7.......7.82",
            13,
        ),
        example(
            "....56..........3.7.9.24.6..6......15...3..4.81....75..4..9.5..63.7...8.........4",
            12,
        ),
        example(
            ".29...6....87...2........5...59..3...4..12..6...4.7.....6..9..1.....84...5.....6.",
            12,
        ),
        example(
            "....1..594...5.8...5.7........59..8..1.2.3....34........38...........6.7.729...1.",
            14,
        ),
        example(
            ".52..68.......7.2.......6....48..9..2..41......1.....8..61..38.....9...63..6..1.9",
            5,
        ),
        example(
            "....8...7.......5.9..6.1...2.6..4.9.......1.....9..3.64.8.5....6...7.8....23.....",
            11,
        ),
        example(
            "....4.9..4......2...9.12...6.7......2...3.618....2..4.8....7.3......4..63..8..2.7",
            26,
        ),
        example(
            "......7.1..4....3..85....6.6..9.1....1...7..5....3.2...2...8.5.8.1.29....6..7....",
            6,
        ),
        example(
            "..3...6.......1.9..7..5.....18....5..2..7.1..6.9....72...83..1....2.....4...673..",
            2,
        ),
        example(
            "..123.........7..16.8..49.....32...4.....5.9.8...7...6..45.....91....6....3....2.",
            6,
        ),
        example(
            "1...69.8.......2......4...56.7..859.89.73.46..1.........1..4..69..2...5.3....7...",
            10,
        ),
        example(
            "4......6....94..5.1.9.6...............6..2..5.5231...8.7...8..1......7....8.5.3.6",
            7,
        ),
        example(
            "....5.7...56....2....6.2...8....5..3..2.93.7......8.193.8..15....4.......15..4..2",
            14,
        ),
        example(
            ".................1..2..3.4......5.....3.2.....1....6.7...6...5...8...3...6.17....",
            17,
        ),
        example(
            "....1..594...5.8...5.7........59..8..1.2.3....34........38...........6.7.729...1.",
            20,
        ),
        example(
            ".2...........53..9...12.58.9......36....8..1....2..7..7.8..6...3.9.....5.4.....6.",
            69,
        ),
        example(
            ".2.....74.....6.8...6.4.9..3..........98.....5...19....1.5...32.4.2........4....1",
            16,
        ),
        example(
            ".2.7...9...4....71..5.6......9.73...3...56.1........4..1......86....8....9...2..4",
            49,
        ),
        example(
            "3.2.8...6....9.7.8.5.....2.78..4...9..4.......1...2...1...7.....4...637.5..4...9.",
            8,
        ),
        example(
            "1....4..84...7832....5..46...2........7.81....1.69...52.........7..2.6.....4.9.5.",
            46,
        ),
        example(
            ".47.8...1............6..7..6....357......5....1..6....28..4.....9.1...4.....2.69.",
            11,
        ),
        example(
            "....6..8...3...2.69....5.....2518.9..14......7....3...2........4...9.1....9..7..5",
            15,
        ),
        example(
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
            57,
        ),
        example(
            ".63...9....78.6...84...1........52.35..1.........74.9..2....8.6.8..5..3.4.......2",
            6,
        ),
        example(
            ".....69...2....6.....75..24..4.....9..2..3.6.59........8....7...5..1...81...39...",
            22,
        ),
        example(
            "3.2.8...6....9.7.8.5.....2.78..4...9..4.......1...2...1...7.....4...637.5..4...9.",
            10,
        ),
        example(
            "1...8.....5..298....913.25.......6....4...3...6...3921.1..95.7.6.2.......4.......",
            19,
        ),
        example(
            "......7.1..4....3..85....6.6..9.1....1...7..5....3.2...2...8.5.8.1.29....6..7....",
            49,
        )
        .with("death-blossom"),
        example(
            "1..6.......7.9.4.19.3.5..7...15....93.4.....2.....7.3...5....2...........2.94..13",
            18,
        ),
        example(
            ".5.9.86....4......3...6.8........7....683.......7.2..12..5..9...9...1..6.......35",
            15,
        ),
        example(
            "1...5.......2.1.....3.7..6.........962......7.8593.....3..6..8..7....1..5....4.7.",
            12,
        ),
        example(
            ".4.7.1....1.....9...9.8.7..5.6....3.1....6.......2.8....8.....4.5..3..2..7.5....9",
            37,
        ),
        example(
            "....7..8...6...5...2...3.61.1...7..2..8..534.2..9.......2......58...6.3.4...1....",
            4,
        )
        .only("full-house")
        .only("hidden-single")
        .only("naked-single")
        .only("template-delete"),
    ]
}

/// Returns the text of all three levels as a list.
fn level_list(before: &Candidates, step: &Step, language: Language) -> String {
    let levels = [Detail::Hint, Detail::Technique, Detail::Full];
    let texts =
        levels.map(|detail| step.explain_in(before, detail, language).replace('\n', "\n  "));
    format!("- {}\n- {}\n- {}\n", texts[0], texts[1], texts[2])
}

/// Compares a page with the current text, or rewrites it if `BLESS` is set.
fn check_page(page: &Path, expected: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(page, expected).unwrap();
        return;
    }
    let written = std::fs::read_to_string(page).unwrap_or_default();
    let differs = written.lines().zip(expected.lines()).find(|(old, new)| old != new);
    assert!(
        written == expected,
        "{} differs from the current text: {differs:?}; BLESS=1 rewrites it",
        page.display()
    );
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words").join(name)
}

#[test]
fn example_texts_match_the_page() {
    let mut page_text = "# Steps of explanations, in words\n".to_string();
    for example in examples() {
        let (before, step) = example.find_step();
        let levels = level_list(&before, &step, Language::English);
        let _ = write!(page_text, "\n## {}\n`{}`\n{levels}", step.technique, example.command());
    }
    check_page(&page("examples.md"), &page_text);
}

#[test]
fn lesson_texts_match_the_pages_in_every_language() {
    for language in Language::ALL {
        let mut page_text = format!("# Every technique in words ({language})\n");
        for lesson in lessons::all() {
            for example in &lesson.examples {
                let before = example.position.candidates();
                for step in example.steps(lesson.technique) {
                    let levels = level_list(before, &step, language);
                    let conclusion = step.conclusion(example.position.order());
                    let _ = write!(page_text, "\n## {}: {conclusion}\n{levels}", lesson.technique);
                }
            }
        }
        let name = match language {
            Language::English => "english.md",
            Language::German => "german.md",
            _ => "spanish.md",
        };
        check_page(&page(name), &page_text);
    }
}

#[test]
fn documented_explanations_cover_all_chapters() {
    let mut page_text = "# Explanations\n\n\
        Ninefold describes a step at three levels: where to look, what to look for, and the full\n\
        reason. The checker has verified every proof. The test that compares this page with the\n\
        current text also rewrites it: `BLESS=1 cargo test -p ninefold --test words`. The directory\n\
        `crates/ninefold/tests/words` contains all techniques in English, German and Spanish.\n"
        .to_string();
    let mut chapters = Vec::new();
    for example in examples() {
        let (before, step) = example.find_step();
        chapters.push(step.technique.chapter());
        let [hint, pattern] = [Detail::Hint, Detail::Technique]
            .map(|detail| step.explain_in(&before, detail, Language::English));
        let reason = step.reason_in(&before, Language::English).replace('\n', "<br>\n");
        let _ = write!(
            page_text,
            "\n## {}\n`{}`\n\n- Hint: {hint}\n- Technique: {pattern}\n\n{reason}\n",
            step.technique,
            example.command()
        );
    }
    assert!(ninefold::proof::Chapter::ALL.iter().all(|chapter| chapters.contains(chapter)));
    check_page(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explanations.md"),
        &page_text,
    );
}

/// Checks for unfilled placeholders, double spaces and incomplete sentences.
#[test]
fn complete_explanations_consist_of_complete_sentences() {
    let mut steps = 0;
    for example in examples() {
        let puzzle: Grid = example.puzzle.parse().unwrap();
        for (before, step) in ninefold::explain(&puzzle).unwrap().positions() {
            for language in Language::ALL {
                for detail in [Detail::Hint, Detail::Technique, Detail::Full] {
                    let text = step.explain_in(&before, detail, language);
                    let is_clean = !text.contains(['{', '}', '\u{1}'])
                        && !text.contains("  ")
                        && !text.contains("..");
                    let ends = text.lines().all(|line| line.ends_with(['.', '?']));
                    assert!(
                        is_clean && ends && !text.contains(" ,") && !text.contains(" ."),
                        "{text:?}"
                    );
                }
            }
            steps += 1;
        }
    }
    assert!(steps > 1_000, "only {steps} steps were checked");
}
