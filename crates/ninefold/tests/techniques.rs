//! The lessons are tests: every step shown there is found, said in the same words and proved.

use ninefold::explain::lessons;
use ninefold::logic::{all_steps, default_order};
use ninefold::proof::check;

#[test]
fn every_step_of_every_lesson_is_found_and_proved() {
    for lesson in lessons::all() {
        let technique = lesson.technique;
        assert!(!lesson.paragraphs.is_empty(), "{technique} is not explained");
        assert!(!lesson.examples.is_empty(), "{technique} has no example");
        for example in &lesson.examples {
            assert!(!example.lines.is_empty(), "an example of {technique} shows no step");
            let (puzzle, candidates) = (example.position.puzzle(), example.position.candidates());
            let found = all_steps(technique, &example.position);
            let said: Vec<String> = found.iter().map(|step| step.one_line(candidates)).collect();
            for expected in &example.lines {
                let index = said.iter().position(|line| line == expected);
                let index = index
                    .unwrap_or_else(|| panic!("{technique}: {expected:?} is not among {said:#?}"));
                assert_eq!(check(&found[index], puzzle, candidates), Ok(()), "{expected}");
            }
            assert_eq!(example.steps(technique).len(), example.lines.len());
        }
    }
}

#[test]
fn every_technique_of_the_default_order_has_its_lesson() {
    let missing: Vec<String> = default_order()
        .into_iter()
        .filter(|&technique| lessons::about(technique).is_none())
        .map(|technique| technique.to_string())
        .collect();
    assert!(missing.is_empty(), "no lesson for {missing:?}");
}
