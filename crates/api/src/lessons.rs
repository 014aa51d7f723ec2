//! Lessons as JSON: a list of all lessons, and each lesson with its boards.

use crate::error::ApiError;
use crate::game::parse_language;
use ninefold::explain::lessons::{self, Example, Lesson};
use ninefold::explain::view::digits;
use ninefold::proof::Chapter;
use ninefold::{Language, Technique};
use serde_json::{Value, json};

/// A list of all lessons by chapter.
#[must_use]
pub fn list() -> Value {
    let entry = |lesson: &Lesson| {
        json!({
            "name": lesson.technique.to_string(),
            "names": names(|language| lesson.technique.name_in(language)),
            "slug": lesson.technique.slug(),
            "tried": lesson.technique.is_default(),
        })
    };
    let lessons = |chapter: Chapter| -> Vec<Value> {
        lessons::all()
            .iter()
            .filter(|lesson| lesson.technique.chapter() == chapter)
            .map(entry)
            .collect()
    };
    let chapters = Chapter::ALL.map(|chapter| {
        json!({
            "name": chapter.title(),
            "names": names(|language| chapter.title_in(language)),
            "lessons": lessons(chapter),
        })
    });
    json!({ "tiers": chapters })
}

/// The names in the other languages, by language code; English names are in a field of their own.
pub(crate) fn names(name: impl Fn(Language) -> &'static str) -> Value {
    let others = Language::ALL.into_iter().filter(|&language| language != Language::English);
    let others = others.filter(|&language| name(language) != name(Language::English));
    others.map(|language| (language.code(), name(language))).collect()
}

/// The lesson about the technique with this name, and the language with this code.
pub fn find(name: &str, language: Option<&str>) -> Result<(&'static Lesson, Language), ApiError> {
    let language = parse_language(language)?;
    let lesson = name.parse::<Technique>().ok().and_then(lessons::for_technique);
    let missing = || ApiError::not_found("there is no such lesson", "see /api/lessons for a list");
    Ok((lesson.ok_or_else(missing)?, language))
}

/// A lesson with its boards.
#[must_use]
pub fn view(lesson: &Lesson, language: Language) -> Value {
    json!({
        "name": lesson.technique.name_in(language),
        "slug": lesson.technique.slug(),
        "tier": lesson.technique.chapter().title_in(language),
        "paragraphs": lesson.paragraphs_in(language),
        "boards": lesson.examples.iter().map(|example| board(example, lesson.technique, language)).collect::<Vec<_>>(),
    })
}

fn board(example: &Example, technique: Technique, language: Language) -> Value {
    let (position, candidates) = (&example.position, example.position.candidates());
    let order = position.order();
    let steps = example.steps(technique);
    let steps = (1..).zip(&steps).map(|(number, step)| step.view(number, candidates, language));
    json!({
        "puzzle": position.puzzle().to_string(),
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "grid": position.grid().to_string(),
        "candidates": digits(candidates),
        "steps": steps.collect::<Vec<_>>(),
    })
}
