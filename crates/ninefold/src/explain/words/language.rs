//! Languages: the sentences of each are templates in a file of words, `english.words` and its kin.
//!
//! A line of such a file is `key = template`. In a template `{cells}` is a slot. `{cells.or}` asks for a form of the
//! slot, `{House}` for a capital, and `{cells?sees it|sees both|see them all}` chooses by number: one and several, or
//! one, two and more. Lists, the names of houses and the words for numbers are lines of the file too, so a further
//! language is one further file and a line in [`Language`].

use super::super::notation::{Names, Notation};
use crate::grid::{Cell, Digit, DigitSet, House};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A language that steps are told in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English; cells are `r3c7`.
    #[default]
    English,
    /// German; cells are `z3s7`, Zeile and Spalte.
    German,
    /// Spanish; cells are `f3c7`, fila and columna.
    Spanish,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::English, Language::German, Language::Spanish];

    /// Its code: `en`, `de` or `es`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::Spanish => "es",
        }
    }

    /// How its readers name cells.
    pub fn notation(self) -> Notation {
        match self {
            Language::English => Notation::RowColumn,
            Language::German => Notation::German,
            Language::Spanish => Notation::Spanish,
        }
    }

    /// Its words.
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

/// A code that no language has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no language {0:?}; use en, de or es")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        let known = Language::ALL.into_iter().find(|language| language.code() == code);
        known.ok_or_else(|| UnknownLanguage(code.to_string()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// How steps are told: in which language, and with which names for cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wording {
    /// The language.
    pub language: Language,
    /// The names of cells.
    pub notation: Notation,
}

impl From<Language> for Wording {
    fn from(language: Language) -> Wording {
        Wording { language, notation: language.notation() }
    }
}

/// English with these names for cells.
impl From<Notation> for Wording {
    fn from(notation: Notation) -> Wording {
        Wording { language: Language::English, notation }
    }
}

/// What fills a slot.
#[derive(Clone, Debug)]
pub(in crate::explain) enum Value {
    /// A digit.
    D(Digit),
    /// Digits as a list.
    Ds(DigitSet),
    /// A cell.
    C(Cell),
    /// Cells as a list.
    Cs(Vec<Cell>),
    /// A house.
    H(House),
    /// Houses as a list, those of one kind together.
    Hs(Vec<House>),
    /// A kind of house.
    K(Kind),
    /// A number.
    N(usize),
    /// Something already said.
    T(String),
}

/// Row, column, box, or several of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explain) enum Kind {
    Row,
    Column,
    Box,
    House,
}

impl Kind {
    /// The kind of a house.
    pub fn of(house: House) -> Kind {
        match house {
            House::Row(_) => Kind::Row,
            House::Column(_) => Kind::Column,
            House::Box(_) => Kind::Box,
        }
    }

    /// The kind of all these houses.
    pub fn of_all(houses: &[House]) -> Kind {
        let first = houses.first().map_or(Kind::House, |&house| Kind::of(house));
        if houses.iter().all(|&house| Kind::of(house) == first) { first } else { Kind::House }
    }

    fn key(self) -> &'static str {
        match self {
            Kind::Row => "row",
            Kind::Column => "column",
            Kind::Box => "box",
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

/// The words of a language.
#[derive(Debug)]
pub(in crate::explain) struct Words {
    templates: HashMap<&'static str, &'static str>,
}

/// Stands before every name of a cell until a text is finished: such a name keeps its small letter at the start of a
/// sentence.
const CELL: char = '\u{1}';

/// More cells than this are written in the compact form, `r12c789`.
const MOST_CELLS: usize = 5;

impl Words {
    fn read(file: &'static str) -> Words {
        let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let parts = lines
            .map(|line| line.split_once(" = ").unwrap_or_else(|| panic!("{line:?} has no key")));
        let mut templates = HashMap::new();
        for (key, template) in parts {
            assert!(
                templates.insert(key.trim(), template.trim_end()).is_none(),
                "{key:?} is there twice"
            );
        }
        Words { templates }
    }

    /// The template of a key, if the language has one.
    pub fn get(&self, key: &str) -> Option<&'static str> {
        self.templates.get(key).copied()
    }

    /// Fills the slots of a template. A key or a slot that is missing is a fault of ours, which the tests find.
    pub fn say(&self, names: &Names, key: &str, slots: &[(&str, Value)]) -> String {
        let template = self.get(key).unwrap_or_else(|| panic!("there are no words for {key:?}"));
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
            // None at all is said as many are: "0 steps".
            let choice = value.count().checked_sub(1).unwrap_or(usize::MAX).min(choices.len() - 1);
            return self.fill(names, choices[choice], slots);
        }
        let (name, form) = slot.split_once('.').unwrap_or((slot, ""));
        let small = name.to_lowercase();
        let said = self.value(names, value_of(slots, &small), form);
        if small == name { said } else { capital(&said) }
    }

    fn value(&self, names: &Names, value: &Value, form: &str) -> String {
        match value {
            Value::D(digit) => names.digit(*digit),
            Value::Ds(digits) if form == "the" => {
                let each =
                    digits.map(|digit| self.say(names, "digit.the", &[("d", Value::D(digit))]));
                self.list(&each.collect::<Vec<_>>(), "")
            }
            Value::Ds(digits) => {
                self.list(&digits.map(|digit| names.digit(digit)).collect::<Vec<_>>(), form)
            }
            Value::C(cell) => format!("{CELL}{}", names.cell(*cell)),
            Value::Cs(cells) if cells.len() > MOST_CELLS && form != "list" => {
                format!("{CELL}{}", names.cells(cells))
            }
            Value::Cs(cells) => {
                let named: Vec<String> =
                    cells.iter().map(|&cell| format!("{CELL}{}", names.cell(cell))).collect();
                if form == "list" { named.join(", ") } else { self.list(&named, form) }
            }
            Value::H(house) => self.houses(names, &[*house], form),
            Value::Hs(houses) => self.houses(names, houses, form),
            Value::K(kind) => self.say(names, &format!("kind.{}.{form}", kind.key()), &[]),
            Value::N(number) => self.number(*number),
            Value::T(text) => text.clone(),
        }
    }

    /// `a, b and c`, or with the other words that the form asks for.
    pub fn list(&self, items: &[String], form: &str) -> String {
        let key = if form.is_empty() { "list.and".to_string() } else { format!("list.{form}") };
        match items {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., end] => {
                // Spanish says "7 u 8" and "10 u 11", before words that begin with an o.
                let before_o = ["8", "11"]
                    .contains(&end.as_str())
                    .then(|| self.get(&format!("{key}.o")))
                    .flatten();
                let template = before_o
                    .or_else(|| self.get(&key))
                    .unwrap_or_else(|| panic!("no words for {key:?}"));
                template.replace("{first}", &first.join(", ")).replace("{last}", end)
            }
        }
    }

    fn houses(&self, names: &Names, houses: &[House], form: &str) -> String {
        let mut said = Vec::new();
        for kind in [Kind::Row, Kind::Column, Kind::Box] {
            let mut of_kind: Vec<House> =
                houses.iter().copied().filter(|&house| Kind::of(house) == kind).collect();
            of_kind.sort_unstable();
            of_kind.dedup();
            if of_kind.is_empty() {
                continue;
            }
            let labels: Vec<String> = of_kind.iter().map(|&house| names.label(house)).collect();
            let number = if labels.len() == 1 { "house" } else { "houses" };
            let plain = format!("{number}.{}", kind.key());
            let special = self.get(&format!("{plain}.{form}")).filter(|_| !form.is_empty());
            let template = special
                .or_else(|| self.get(&plain))
                .unwrap_or_else(|| panic!("no words for {plain:?}"));
            said.push(template.replace("{n}", &self.list(&labels, "")));
        }
        self.list(&said, if form == "or" { form } else { "" })
    }

    /// A number as a word, where the language has one for it.
    pub fn number(&self, number: usize) -> String {
        let words = self.get("numbers").unwrap_or_default().split(' ').nth(number);
        words.map_or_else(|| number.to_string(), str::to_string)
    }
}

fn value_of<'a>(slots: &'a [(&str, Value)], name: &str) -> &'a Value {
    let found = slots.iter().find(|(slot, _)| *slot == name);
    &found.unwrap_or_else(|| panic!("nothing was said about the slot {name:?}")).1
}

/// What stands between the first brace and the one that closes it.
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
    panic!("{text:?} has a brace that is not closed")
}

/// The parts between bars that stand outside of braces.
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

/// The text with a capital, unless it begins with the name of a cell.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first != CELL => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}

/// The text as it is read.
pub(in crate::explain) fn finished(text: &str) -> String {
    text.replace(CELL, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Forms that a language may have or not: of houses and kinds, of clauses, of names.
    fn is_free(key: &str) -> bool {
        ["name.", "short.", "house.", "houses.", "kind."].iter().any(|start| key.starts_with(start))
            || key.ends_with(".inverted")
            || key == "list.or.o"
    }

    fn keys(language: Language) -> BTreeSet<&'static str> {
        language.words().templates.keys().copied().filter(|key| !is_free(key)).collect()
    }

    /// The slots that a template names, without their forms.
    fn slots(template: &str) -> BTreeSet<String> {
        let starts = template.match_indices('{').map(|(place, _)| &template[place + 1..]);
        let name =
            |rest: &str| rest.split(['}', '.', '?', '{']).next().unwrap_or_default().to_lowercase();
        starts.map(name).filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn every_language_has_the_same_sentences() {
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
    fn an_inverted_clause_has_the_slots_of_its_plain_form() {
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
    fn the_braces_of_every_template_are_closed() {
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
    fn slots_are_filled_by_form_number_and_capital() {
        let names = Names::usual(crate::grid::Order::NINE);
        let words = Language::English.words();
        let cells = |count: usize| ("cells", Value::Cs((0..count).map(Cell::new).collect()));
        let fill = |template: &str, slots: &[(&str, Value)]| {
            finished(&words.fill(&names, template, slots))
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
        assert_eq!(capital(&words.fill(&names, "{cells} is", &[cells(1)])), "\u{1}r1c1 is");
    }

    #[test]
    fn spanish_says_u_before_eight() {
        let digits = |all: &[u8]| all.iter().map(|digit| digit.to_string()).collect::<Vec<_>>();
        let spanish = Language::Spanish.words();
        assert_eq!(spanish.list(&digits(&[7, 8]), "or"), "7 u 8");
        assert_eq!(spanish.list(&digits(&[6, 7]), "or"), "6 o 7");
        assert_eq!(spanish.list(&digits(&[7, 8]), ""), "7 y 8");
    }

    #[test]
    fn a_language_is_found_by_its_code() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!(
            "fr".parse::<Language>().unwrap_err().to_string(),
            "there is no language \"fr\"; use en, de or es"
        );
    }
}
