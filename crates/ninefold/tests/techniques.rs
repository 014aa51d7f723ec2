//! The lessons are tests: every step shown in a lesson is found, has the same text and a valid
//! proof.

use ninefold::explain::lessons;
use ninefold::logic::{all_steps, default_order};
use ninefold::proof::check;

#[test]
fn finds_and_proves_every_step_of_every_lesson() {
    for lesson in lessons::all() {
        let technique = lesson.technique;
        assert!(!lesson.paragraphs.is_empty(), "the lesson on {technique} has no text");
        assert!(!lesson.examples.is_empty(), "the lesson on {technique} has no example");
        for example in &lesson.examples {
            assert!(!example.lines.is_empty(), "an example of {technique} has no step");
            let (puzzle, candidates) = (example.position.puzzle(), example.position.candidates());
            let steps = all_steps(technique, &example.position);
            let lines: Vec<String> = steps.iter().map(|step| step.one_line(candidates)).collect();
            for expected in &example.lines {
                let index = lines.iter().position(|line| line == expected);
                let index = index
                    .unwrap_or_else(|| panic!("{technique}: {expected:?} is not in {lines:#?}"));
                assert_eq!(check(&steps[index], puzzle, candidates), Ok(()), "{expected}");
            }
            assert_eq!(example.steps(technique).len(), example.lines.len());
        }
    }
}

#[test]
fn every_default_technique_of_classic_puzzles_has_a_lesson() {
    let missing: Vec<String> = default_order()
        .into_iter()
        .filter(|technique| !technique.needs_rules())
        .filter(|&technique| lessons::for_technique(technique).is_none())
        .map(|technique| technique.to_string())
        .collect();
    assert!(missing.is_empty(), "no lesson for {missing:?}");
}
