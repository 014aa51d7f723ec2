//! Languages and their sentence templates, which are stored in `english.words`, `german.words` and
//! `spanish.words`.
//!
//! A line of such a file is `key = template`. In a template, `{cells}` is a slot, which is filled
//! with a value. `{cells.or}` selects a form of the value, and `{House}` capitalizes it.
//! `{cells?sees it|sees both|see them all}` selects a text by the number of items: two texts are
//! for one and several, three texts for one, two and more. Lists, names of houses and words for
//! numbers are also defined in the file, so a new language needs one new file and one line in
//! [`Language`].

use super::super::notation::{Names, Notation};
use crate::grid::{Cell, Digit, DigitSet, House};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// Language of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English; cells are `r3c7`.
    #[default]
    English,
    /// German; cells are `z3s7`, for Zeile and Spalte.
    German,
    /// Spanish; cells are `f3c7`, for fila and columna.
    Spanish,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::English, Language::German, Language::Spanish];

    /// Returns the language code: `en`, `de` or `es`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::Spanish => "es",
        }
    }

    /// Returns the usual cell notation of the language.
    pub fn notation(self) -> Notation {
        match self {
            Language::English => Notation::RowColumn,
            Language::German => Notation::German,
            Language::Spanish => Notation::Spanish,
        }
    }

    pub(super) fn words(self) -> &'static Words {
        static ENGLISH: LazyLock<Words> =
            LazyLock::new(|| Words::read(include_str!("english.words")));
        static GERMAN: LazyLock<Words> =
            LazyLock::new(|| Words::read(include_str!("german.words")));
        static SPANISH: LazyLock<Words> =
            LazyLock::new(|| Words::read(include_str!("spanish.words")));
        match self {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Spanish => &SPANISH,
        }
    }
}

/// Error for an unknown language code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language {0:?}, expected en, de or es")]
pub struct UnknownLanguageError(pub String);

impl FromStr for Language {
    type Err = UnknownLanguageError;

    fn from_str(code: &str) -> Result<Language, UnknownLanguageError> {
        let known = Language::ALL.into_iter().find(|language| language.code() == code);
        known.ok_or_else(|| UnknownLanguageError(code.to_string()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Language and cell names of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wording {
    /// Language of the sentences.
    pub language: Language,
    /// Notation for cells.
    pub notation: Notation,
}

impl Wording {
    /// Sets the notation for cells.
    pub fn with_notation(self, notation: Notation) -> Wording {
        Wording { notation, ..self }
    }
}

impl From<Language> for Wording {
    fn from(language: Language) -> Wording {
        Wording { language, notation: language.notation() }
    }
}

/// English with the given notation.
impl From<Notation> for Wording {
    fn from(notation: Notation) -> Wording {
        Wording { language: Language::English, notation }
    }
}

/// Value of a template slot.
#[derive(Clone, Debug)]
pub(in crate::explain) enum Value {
    D(Digit),
    /// List of digits.
    Ds(DigitSet),
    C(Cell),
    /// List of cells.
    Cs(Vec<Cell>),
    H(House),
    /// List of houses, grouped by kind.
    Hs(Vec<House>),
    /// Kind of house.
    K(Kind),
    N(usize),
    /// Text that is already rendered.
    T(String),
}

/// Row, column, box, or a mixture of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explain) enum Kind {
    Row,
    Column,
    Box,
    Region,
    Extra,
    House,
}

impl Kind {
    pub fn from_house(house: House) -> Kind {
        match house {
            House::Row(_) => Kind::Row,
            House::Column(_) => Kind::Column,
            House::Box(_) => Kind::Box,
            House::Region(_) => Kind::Region,
            House::Extra(_) => Kind::Extra,
        }
    }

    /// Returns the common kind of these houses.
    pub fn common(houses: &[House]) -> Kind {
        let first = houses.first().map_or(Kind::House, |&house| Kind::from_house(house));
        if houses.iter().all(|&house| Kind::from_house(house) == first) {
            first
        } else {
            Kind::House
        }
    }

    fn key(self) -> &'static str {
        match self {
            Kind::Row => "row",
            Kind::Column => "column",
            Kind::Box => "box",
            Kind::Region => "region",
            Kind::Extra => "extra",
            Kind::House => "house",
        }
    }
}

impl Value {
    fn count(&self) -> usize {
        match self {
            Value::Ds(digits) => digits.count(),
            Value::Cs(cells) => cells.len(),
            Value::Hs(houses) => houses.len(),
            Value::N(number) => *number,
            Value::D(_) | Value::C(_) | Value::H(_) | Value::K(_) | Value::T(_) => 1,
        }
    }
}

/// Templates of a language.
#[derive(Debug)]
pub(in crate::explain) struct Words {
    templates: HashMap<&'static str, &'static str>,
}

/// Marks the start of every cell name until the text is complete. Cell names are not capitalized at
/// the start of a sentence.
const CELL_MARKER: char = '\u{1}';

/// Encloses the index of a rule that is a house, until the text gets its name.
pub(super) const RULE_MARKER: char = '\u{2}';

/// Longer lists of cells use the compact form `r12c789`.
const MAX_CELLS: usize = 5;

impl Words {
    fn read(file: &'static str) -> Words {
        let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let parts = lines.map(|line| {
            line.split_once(" = ").unwrap_or_else(|| panic!("missing key in {line:?}"))
        });
        let mut templates = HashMap::new();
        for (key, template) in parts {
            assert!(
                templates.insert(key.trim(), template.trim_end()).is_none(),
                "duplicate key {key:?}"
            );
        }
        Words { templates }
    }

    /// Returns the template of a key, if the language has one.
    pub fn get(&self, key: &str) -> Option<&'static str> {
        self.templates.get(key).copied()
    }

    /// Fills the slots of a template. A missing key or slot is a bug in this crate, which the tests
    /// find.
    pub fn render(&self, names: &Names, key: &str, slots: &[(&str, Value)]) -> String {
        let template = self.get(key).unwrap_or_else(|| panic!("missing template {key:?}"));
        self.fill(names, template, slots)
    }

    fn fill(&self, names: &Names, template: &str, slots: &[(&str, Value)]) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(start) = rest.find('{') {
            text += &rest[..start];
            let inside = inside_braces(&rest[start..]);
            text += &self.slot(names, inside, slots);
            rest = &rest[start + inside.len() + 2..];
        }
        text + rest
    }

    fn slot(&self, names: &Names, slot: &str, slots: &[(&str, Value)]) -> String {
        if let Some((name, choices)) = slot.split_once('?').filter(|(name, _)| !name.contains('{'))
        {
            let (value, choices) = (value_of(slots, name), alternatives(choices));
            // Zero uses the plural: "0 steps".
            let choice = value.count().checked_sub(1).unwrap_or(usize::MAX).min(choices.len() - 1);
            return self.fill(names, choices[choice], slots);
        }
        let (name, form) = slot.split_once('.').unwrap_or((slot, ""));
        let small = name.to_lowercase();
        let text = self.value(names, value_of(slots, &small), form);
        if small == name { text } else { capitalized(&text) }
    }

    fn value(&self, names: &Names, value: &Value, form: &str) -> String {
        match value {
            Value::D(digit) => names.digit(*digit),
            Value::Ds(digits) if form == "the" => {
                let each =
                    digits.map(|digit| self.render(names, "digit.the", &[("d", Value::D(digit))]));
                self.list(&each.collect::<Vec<_>>(), "")
            }
            Value::Ds(digits) => {
                self.list(&digits.map(|digit| names.digit(digit)).collect::<Vec<_>>(), form)
            }
            Value::C(cell) => format!("{CELL_MARKER}{}", names.cell(*cell)),
            Value::Cs(cells) if cells.len() > MAX_CELLS && form != "list" => {
                format!("{CELL_MARKER}{}", names.cells(cells))
            }
            Value::Cs(cells) => {
                let named: Vec<String> = cells
                    .iter()
                    .map(|&cell| format!("{CELL_MARKER}{}", names.cell(cell)))
                    .collect();
                if form == "list" { named.join(", ") } else { self.list(&named, form) }
            }
            Value::H(house) => self.houses(names, &[*house], form),
            Value::Hs(houses) => self.houses(names, houses, form),
            Value::K(kind) => self.render(names, &format!("kind.{}.{form}", kind.key()), &[]),
            Value::N(number) => self.number(*number),
            Value::T(text) => text.clone(),
        }
    }

    /// Returns `a, b and c`, or the words that the form selects.
    pub fn list(&self, items: &[String], form: &str) -> String {
        let key = if form.is_empty() { "list.and".to_string() } else { format!("list.{form}") };
        match items {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., end] => {
                // In Spanish, "o" becomes "u" before words that begin with an o: "7 u 8", "10 u
                // 11".
                let before_o = ["8", "11"]
                    .contains(&end.as_str())
                    .then(|| self.get(&format!("{key}.o")))
                    .flatten();
                let template = before_o
                    .or_else(|| self.get(&key))
                    .unwrap_or_else(|| panic!("missing template {key:?}"));
                template.replace("{first}", &first.join(", ")).replace("{last}", end)
            }
        }
    }

    fn houses(&self, names: &Names, houses: &[House], form: &str) -> String {
        let mut sentences = Vec::new();
        for kind in [Kind::Row, Kind::Column, Kind::Box, Kind::Region, Kind::Extra] {
            let mut of_kind: Vec<House> =
                houses.iter().copied().filter(|&house| Kind::from_house(house) == kind).collect();
            of_kind.sort_unstable();
            of_kind.dedup();
            if of_kind.is_empty() {
                continue;
            }
            let label = |&house: &House| match house {
                House::Extra(rule) => format!("{RULE_MARKER}{rule}{RULE_MARKER}"),
                _ => names.label(house),
            };
            let labels: Vec<String> = of_kind.iter().map(label).collect();
            let number = if labels.len() == 1 { "house" } else { "houses" };
            let plain = format!("{number}.{}", kind.key());
            let special = self.get(&format!("{plain}.{form}")).filter(|_| !form.is_empty());
            let template = special
                .or_else(|| self.get(&plain))
                .unwrap_or_else(|| panic!("missing template {plain:?}"));
            sentences.push(template.replace("{n}", &self.list(&labels, "")));
        }
        self.list(&sentences, if form == "or" { form } else { "" })
    }

    /// Returns a number as a word, if the language has one for it.
    pub fn number(&self, number: usize) -> String {
        let words = self.get("numbers").unwrap_or_default().split(' ').nth(number);
        words.map_or_else(|| number.to_string(), str::to_string)
    }
}

fn value_of<'a>(slots: &'a [(&str, Value)], name: &str) -> &'a Value {
    let found = slots.iter().find(|(slot, _)| *slot == name);
    &found.unwrap_or_else(|| panic!("no value for slot {name:?}")).1
}

/// Returns the text between the first brace and its closing brace.
fn inside_braces(text: &str) -> &str {
    let mut depth = 0;
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[1..place];
        }
    }
    panic!("unclosed brace in {text:?}")
}

/// Splits at the bars outside of braces.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            '|' if depth == 0 => {
                parts.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Capitalizes the text unless it begins with a cell name.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first != CELL_MARKER => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}

/// Removes the cell name markers.
pub(in crate::explain) fn without_markers(text: &str) -> String {
    text.replace(CELL_MARKER, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Optional keys: forms of houses and kinds, clauses, and names.
    fn is_free(key: &str) -> bool {
        ["name.", "short.", "house.", "houses.", "kind.", "chapter."]
            .iter()
            .any(|start| key.starts_with(start))
            || key.ends_with(".inverted")
            || key == "list.or.o"
    }

    fn keys(language: Language) -> BTreeSet<&'static str> {
        language.words().templates.keys().copied().filter(|key| !is_free(key)).collect()
    }

    /// Returns the slots of a template without their forms.
    fn slots(template: &str) -> BTreeSet<String> {
        let starts = template.match_indices('{').map(|(place, _)| &template[place + 1..]);
        let name =
            |rest: &str| rest.split(['}', '.', '?', '{']).next().unwrap_or_default().to_lowercase();
        starts.map(name).filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn all_languages_have_the_same_keys() {
        let english = keys(Language::English);
        for language in Language::ALL {
            let own = keys(language);
            assert_eq!(
                english.symmetric_difference(&own).collect::<Vec<_>>(),
                Vec::<&&str>::new(),
                "{language}"
            );
        }
    }

    #[test]
    fn inverted_clauses_have_the_same_slots() {
        for language in Language::ALL {
            let words = language.words();
            for (key, template) in &words.templates {
                if let Some(plain) = key.strip_suffix(".inverted") {
                    assert_eq!(
                        slots(words.get(plain).unwrap()),
                        slots(template),
                        "{language}: {key}"
                    );
                }
            }
        }
    }

    #[test]
    fn braces_are_balanced() {
        for language in Language::ALL {
            for (key, template) in &language.words().templates {
                assert_eq!(
                    template.matches('{').count(),
                    template.matches('}').count(),
                    "{language}: {key}"
                );
            }
        }
    }

    #[test]
    fn fills_slots_by_form_number_and_capital() {
        let names = Names::with_default_notation(crate::grid::Order::NINE);
        let words = Language::English.words();
        let cells = |count: usize| ("cells", Value::Cs((0..count).map(Cell::new).collect()));
        let fill = |template: &str, slots: &[(&str, Value)]| {
            without_markers(&words.fill(&names, template, slots))
        };
        let house = ("house", Value::H(House::Row(1)));
        assert_eq!(
            fill("{House} has {cells?one|two|many}: {cells}.", &[house, cells(2)]),
            "Row 2 has two: r1c1 and r1c2."
        );
        assert_eq!(
            fill("{cells?{cells} is|one of {cells.or} is}", &[cells(3)]),
            "one of r1c1, r1c2 or r1c3 is"
        );
        assert_eq!(fill("{cells}", &[cells(6)]), "r1c123456");
        assert_eq!(fill("{N}", &[("n", Value::N(3))]), "Three");
        assert_eq!(fill("{n?1 step|several steps}", &[("n", Value::N(0))]), "several steps");
        assert_eq!(capitalized(&words.fill(&names, "{cells} is", &[cells(1)])), "\u{1}r1c1 is");
    }

    #[test]
    fn spanish_uses_u_before_eight() {
        let digits = |all: &[u8]| all.iter().map(|digit| digit.to_string()).collect::<Vec<_>>();
        let spanish = Language::Spanish.words();
        assert_eq!(spanish.list(&digits(&[7, 8]), "or"), "7 u 8");
        assert_eq!(spanish.list(&digits(&[6, 7]), "or"), "6 o 7");
        assert_eq!(spanish.list(&digits(&[7, 8]), ""), "7 y 8");
    }

    #[test]
    fn parses_language_codes() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!(
            "fr".parse::<Language>().unwrap_err().to_string(),
            "unknown language \"fr\", expected en, de or es"
        );
    }
}
