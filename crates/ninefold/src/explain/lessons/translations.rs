//! Lessons in other languages than English.
//!
//! `german.md` and `spanish.md` contain one section for each lesson: a heading with the short name
//! of the technique (as in URLs) and the paragraphs of the lesson. The examples are those of the
//! English pages.

use crate::explain::Language;
use crate::proof::Technique;
use std::collections::HashMap;
use std::sync::LazyLock;

type Texts = HashMap<&'static str, Vec<String>>;

static GERMAN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("german.md")));
static SPANISH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("spanish.md")));

/// The text of a lesson in this language, if it is translated.
pub(super) fn of(technique: Technique, language: Language) -> Option<&'static [String]> {
    let texts = match language {
        Language::English => return None,
        Language::German => &GERMAN,
        Language::Spanish => &SPANISH,
    };
    texts.get(technique.slug().as_str()).map(Vec::as_slice)
}

fn read(file: &'static str) -> Texts {
    let sections = file.split("\n# ").skip(1);
    let section = |text: &'static str| {
        let (slug, body) = text.split_once('\n').unwrap_or((text, ""));
        let paragraphs = body.split("\n\n").map(|paragraph| paragraph.split_whitespace());
        let paragraphs = paragraphs.map(|words| words.collect::<Vec<_>>().join(" "));
        (slug.trim(), paragraphs.filter(|paragraph| !paragraph.is_empty()).collect())
    };
    sections.map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::lessons;

    #[test]
    fn every_lesson_is_translated_into_every_language() {
        for (language, texts) in [(Language::German, &*GERMAN), (Language::Spanish, &*SPANISH)] {
            let missing: Vec<String> = lessons::all()
                .iter()
                .map(|lesson| lesson.technique.slug())
                .filter(|slug| !texts.contains_key(slug.as_str()))
                .collect();
            assert_eq!(missing, [""; 0], "{language:?}");
            assert_eq!(texts.len(), lessons::all().len(), "{language:?} has unknown lessons");
            let lengths = lessons::all().iter().map(|lesson| lesson.paragraphs_in(language).len());
            assert!(lengths.min() > Some(0), "a lesson in {language:?} is empty");
        }
    }
}
