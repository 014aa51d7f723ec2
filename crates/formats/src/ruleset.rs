//! Detects rules that a board states only in words.
//!
//! Many boards draw a rule as lines or circles and explain it in the text `ruleset`. Such a board
//! has several solutions unless the rule is known, so the text must not be ignored. A sentence is
//! understood if all of its words belong to the usual rules or to the rules that the board has:
//! "digits in cages must sum to the total" is understood on a killer, and "one cage is lying" is
//! not. Examples in a sentence, and small spelling mistakes, are ignored.

use crate::rules::key_of;
use ninefold::grid::rules::Rules;
use std::collections::HashSet;

/// At most this many sentences are reported.
const MOST_SENTENCES: usize = 5;
/// Longer sentences are shortened.
const MOST_LETTERS: usize = 160;

/// The f-puzzles keys of the rules that a text may explain.
pub(crate) fn keys(rules: &Rules) -> Vec<&'static str> {
    let order = rules.order();
    let keys = rules.constraints().iter().filter_map(|constraint| key_of(constraint, order));
    let regions = (!order.has_boxes() && !rules.regions().is_empty()).then_some("regions");
    // Given pencil marks need no words.
    let keys = keys.chain(regions).filter(|key| *key != "givenPencilMarks");
    keys.collect::<HashSet<&str>>().into_iter().collect()
}

/// Whether this is the f-puzzles key of a rule that a text may explain.
pub(crate) fn explains(key: &str) -> bool {
    FAMILIES.iter().any(|family| family.0 == key)
}

/// The sentences of a text that say more than the usual rules and these rules, named by their
/// f-puzzles keys.
pub(crate) fn unknown_sentences(text: &str, keys: &[&str], side: usize) -> Vec<String> {
    let mut vocabulary: HashSet<&str> = NORMAL.split_whitespace().collect();
    if !keys.is_empty() {
        vocabulary.extend(COMMON.split_whitespace());
    }
    for (key, words) in FAMILIES {
        if keys.contains(&key) {
            vocabulary.extend(words.split_whitespace());
        }
    }
    let has_numbers = keys.iter().any(|key| WITH_NUMBERS.contains(key));
    let text = text.replace(['\u{2019}', '\u{2018}'], "'");
    let unknown = sentences(&text).filter(|sentence| {
        let lower = sentence.to_lowercase();
        let said = without_denials(without_example(&lower));
        !words(&said).all(|word| is_known(word, &vocabulary, has_numbers, side))
    });
    unknown.take(MOST_SENTENCES).map(shorten).collect()
}

/// Sentences end with a punctuation mark and a space, or with the line.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';']).flat_map(|line| {
        let mut last = ' ';
        let parts = line.split_inclusive(move |sign: char| {
            let ends = matches!(last, '.' | '!' | '?') && sign.is_whitespace();
            last = sign;
            ends
        });
        parts.map(str::trim).filter(|part| !part.is_empty())
    })
}

/// The part of a sentence before an example.
fn without_example(sentence: &str) -> &str {
    let starts = ["for instance", "for example", "such as", "e.g.", "example"];
    let end = starts.iter().filter_map(|start| sentence.find(start)).min();
    &sentence[..end.unwrap_or(sentence.len())]
}

/// Without "not necessarily consecutive" and the like, which deny a rule.
fn without_denials(sentence: &str) -> String {
    let mut said = sentence.to_string();
    for denial in ["don't have to be", "do not have to be", "need not be", "not necessarily"] {
        for adjective in ["consecutively", "consecutive"] {
            said = said.replace(&format!("{denial} {adjective}"), "");
        }
    }
    said
}

fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || "'#<>+×÷=:-.".contains(sign);
    let words = sentence.split(move |sign| !is_part(sign));
    let trimmed = words.map(|word| word.trim_matches(['-', ':', '+', '\'', '.']));
    trimmed.filter(|word| !word.is_empty())
}

fn is_known(word: &str, vocabulary: &HashSet<&str>, has_numbers: bool, side: usize) -> bool {
    if vocabulary.contains(word) || is_cell(word) || word.contains("haha") {
        return true;
    }
    if word.contains(|sign: char| sign.is_ascii_digit()) {
        let is_number = |part: &str| part.parse::<usize>().is_ok();
        let is_shape = word.split_once('x').is_some_and(|(a, b)| is_number(a) && is_number(b));
        let is_ours = |part: &str| part == "1" || part.parse() == Ok(side);
        let is_range = word.split(['-', '–']).all(is_ours);
        // Years of publication.
        let is_year = word.len() == 4 && word.starts_with("20");
        let numbers_only = word.split([':', '-', '/']).all(is_number);
        return is_shape || is_range || is_year || (has_numbers && numbers_only);
    }
    if word.strip_suffix("'s").is_some_and(|word| vocabulary.contains(word)) {
        return true;
    }
    word.len() >= 5 && vocabulary.iter().any(|known| known.len() >= 5 && differ_by_one(word, known))
}

/// A cell such as r1c2.
fn is_cell(word: &str) -> bool {
    let numbers = word.strip_prefix('r').and_then(|word| word.split_once('c'));
    let is_number = |part: &str| part.parse::<u8>().is_ok();
    numbers.is_some_and(|(row, column)| is_number(row) && is_number(column))
}

/// Whether two words differ by one wrong, missing or additional letter.
fn differ_by_one(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same_start = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let same_end = short.iter().rev().zip(long.iter().rev()).take_while(|(x, y)| x == y).count();
    match long.len() - short.len() {
        0 => same_start + same_end + 1 >= long.len(),
        1 => same_start + same_end >= short.len(),
        _ => false,
    }
}

fn shorten(sentence: &str) -> String {
    match sentence.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &sentence[..end]),
        None => sentence.to_string(),
    }
}

/// Rules whose texts contain numbers of their own.
const WITH_NUMBERS: [&str; 11] = [
    "columnindexer",
    "difference",
    "littlekillersum",
    "lockout",
    "modularline",
    "ratio",
    "rowindexer",
    "sandwichsum",
    "whispers",
    "xsum",
    "xv",
];

/// Words of the usual rules and of remarks without a rule.
const NORMAL: &str = "\
    a additionally all also an and any appear appearing appears applies apply are as at be block \
    blocks bold border borders both box boxes by can cell cells classic column columns complete \
    contain containing contains conventional could digit digits do each else empty end enjoy \
    enter entire every exactly fill filled from fun good grid happy has have here hope in \
    include includes into is it its just latin let's like luck may must no nor normal not \
    nothing number numbers of on once one only or other outline outlined place placed placing \
    put puzzle region regions regular repeat repeated repeating repeats row rows rule rules set \
    should simply so solving square squares standard such sudoku surrounded thanks that that's \
    thats the their then there they thick thickly this through times to usual what whole will \
    with within without write you";

/// Words that explain any additional rule.
const COMMON: &str = "\
    about according addition again allowed already although always another aren't because being \
    below between but can't cannot cell's column's come comes completely constraint constraints \
    counts defined described didn't different digit's does doesn't don't e.g eg either example \
    except follow following follows for four given go goes having hence however i.e ie if \
    including indicated instance instead irregular irregularly isn't itself know long marked \
    mean meaning means more necessarily negative neither new nine note obey one's ones others \
    otherwise out pair pairs per possible rather restriction restrictions row's same see \
    separated shaped shown silly since solvers some somewhere still than them themselves \
    therefore these they're those though three thus time too two us use used valid value values \
    way ways we well when where whether which while whose won't words would yes your";

/// Words of each rule, by its f-puzzles key.
const FAMILIES: [(&str, &str); 45] = [
    (
        "killercage",
        "add adds cage cages clue clues corner dashed dotted equal equals indicate indicates \
         inside killer left line lines little many provided sized small sum sums top top-left \
         total totals up upper upper-left window",
    ),
    (
        "thermometer",
        "along arrow away begin begins bigger bulb bulbs circular decrease direction down \
         ends equivalently flat form forms gets going gray greater grey increase increases \
         increasing larger move moves particular previous round sequence shape shapes start \
         starting starts staying strict strictly thermo thermometer thermometers thermos tip \
         tips",
    ),
    (
        "slowthermometer",
        "along bulb bulbs circular decrease decreases equal equals increase increasing never \
         remain round slow starting stay thermo thermometer thermometers thermos tip",
    ),
    (
        "arrow",
        "add adds adjoining along arrow arrows attached body bottom bulb circle circled \
         circles connected corresponding equal equals left left-to-right line lines pill \
         pills read right shaft sum sums top top-to-bottom total totals two-digit up",
    ),
    (
        "difference",
        "adjacent circle connect connected connecting consecutive differ difference \
         differences dot dots edge give gives join joined kropki neighboring neighbouring \
         orthogonally share side white",
    ),
    (
        "ratio",
        "1:2 1:3 2:1 3:1 adjacent black circle connected consecutive dot dots double give \
         gives half kropki ratio ratios side twice",
    ),
    (
        "xv",
        "add adding adjacent clue clues dot five letter marking markings side sum sums ten \
         total up v vs x xes xs",
    ),
    (
        "negative",
        "adjacent black consecutive dot dots kropki neighbors neighbouring neighbours \
         orthogonally ratio sum v white x",
    ),
    ("diagonal+", "along diagonal diagonals main major principal x"),
    ("diagonal-", "along diagonal diagonals main major principal x"),
    (
        "antiknight",
        "anti-knight antiknight apart away chess identical knight knight's move moves never",
    ),
    (
        "antiking",
        "adjacent anti-king apart away chess diagonally even identical king king's move moves \
         never touch touches",
    ),
    (
        "nonconsecutive",
        "adjacent anywhere consecutive edge horizontal horizontally neighboring neighbors \
         neighbouring neighbours never non-consecutive nonconsecutive orthogonally share side \
         touching vertical vertically",
    ),
    (
        "disjointgroups",
        "corresponding disjoint group groups left never position positions relative top",
    ),
    (
        "extraregion",
        "among area areas colored coloured connected dashed dotted extra gray grey \
         highlighted orange shaded windoku window windows",
    ),
    ("even", "circle circles even gray grey parity shaded"),
    ("odd", "circle circles gray grey odd parity shaded"),
    (
        "quadruple",
        "adjacent around bulbs circle circled circles corner corners dot intersection least \
         listed many multiple order quadruple quadruples small surround surrounding touch \
         touching twice white written",
    ),
    (
        "clone",
        "area areas clone clones colored coloured exact five gray grey groups identical \
         places position positions relative shaded shape shapes",
    ),
    (
        "palindrome",
        "along backwaards backward backwards direction directions form forms forward forwards \
         gray grey line lines palindrome palindromes palindromic read reads sequence",
    ),
    (
        "whispers",
        "adjacent along connected differ difference directly dutch five german green least \
         line lines neighbors neighbours whisper whispers",
    ),
    (
        "renban",
        "along consecutive form forms line lines non-repeating order pink purple renban \
         sequence",
    ),
    ("nabner", "along consecutive line lines nabner yellow"),
    (
        "betweenline",
        "along attached circle circles connected connecting ends gray grey intersections lie \
         line lines order particular range straight strictly turn values'",
    ),
    (
        "lockout",
        "along connected connecting diamond diamonds differ difference endpoints ends least \
         lie line lines lockout outside range strictly",
    ),
    (
        "regionsumline",
        "along blue divide divided equal individual line lines outside pass passes passing \
         segment segments separately sum sums total",
    ),
    (
        "entropicline",
        "adjacent along entropic high line lines low medium middle orange peach sequence",
    ),
    (
        "modularline",
        "adjacent along alternate divided even line lines mod modular modulo odd parity \
         remainder remainders sequence teal",
    ),
    (
        "zipperline",
        "along center centre distance equal equally equidistant far lavender line lines \
         middle sum zipper",
    ),
    ("doublearrow", "along arrow arrows circles double ends equal equals line lines sum"),
    (
        "littlekillersum",
        "add adds along arrow arrows clue clues diagonal diagonals direction killer little \
         outside show shows sum sums tell tells total totals up",
    ),
    (
        "sandwichsum",
        "clue clues corresponding give gives outside sandwich sandwiched sum sums tell tells",
    ),
    (
        "xsum",
        "adjacent away closest clue clues continuing corresponding counting direction edge \
         first give gives indicates leftmost looking many nearest outside rightmost side \
         start starting sum summed sums tell tells together total x x-sum x-sums xsum",
    ),
    (
        "skyscraper",
        "behind building buildings clue clues direction height heights hidden hides higher \
         larger look looking lower many outside represent represents seen shorter skyscraper \
         skyscrapers tall taller tells view visible",
    ),
    (
        "numberedroom",
        "clue clues direction first index looking n nth numbered outside position room rooms \
         tells x xth",
    ),
    (
        "maximum",
        "adjacent bigger gray greater grey higher immediate larger maximum maximums neighbors \
         neighbours orthogonal orthogonally shaded surrounding unshaded wherever white",
    ),
    (
        "minimum",
        "adjacent gray grey less lower minimum minimums neighbors neighbours orthogonally \
         shaded smaller surrounding unshaded wherever white",
    ),
    (
        "columnindexer",
        "first found index indexer indexes indicate indicates likewise located location \
         position positions respectively third",
    ),
    (
        "rowindexer",
        "first found index indexer indexes indicate indicates likewise located location \
         position positions respectively third",
    ),
    (
        "boxindexer",
        "found index indexer indexes indicate indicates likewise located location position \
         positions respectively",
    ),
    (
        "regions",
        "area areas colored coloured connected highlighted jigsaw orange piece pieces shaded \
         shape",
    ),
    ("windoku", "area areas extra gray grey shaded windoku window windows"),
    ("countingcircles", "circle circled circles count counting indicates many"),
    ("greaterthan", "< > greater inequality larger point points sign signs smaller"),
    ("sum", "add adds along clue clues diagonal diagonals outside sum sums total totals up"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(text: &str, keys: &[&str]) -> Vec<String> {
        unknown_sentences(text, keys, 9)
    }

    #[test]
    fn the_usual_rules_are_known() {
        for text in [
            "Normal sudoku rules apply. And that's it!",
            "Place the digits 1 to 9 in each row, column and box.",
            "Standard sudou rules apply.\n\n",
            "Fill the grid with the digits 1-9 so that no digit repeats in a row, column or box.",
        ] {
            assert_eq!(unknown(text, &[]), [""; 0], "{text}");
        }
    }

    #[test]
    fn rules_of_the_board_are_known_and_others_are_not() {
        let text = "Normal sudoku rules apply. Digits along a thermometer increase from the bulb, \
                    for example 1, 3, 7. They don't have to be consecutive.";
        assert_eq!(unknown(text, &["thermometer"]), [""; 0]);
        assert_eq!(unknown(text, &["killercage"]).len(), 1);
        // A sentence that only denies a rule adds none.
        let thermometer = "Digits along a thermometer increase from the bulb, for example 1, 3, 7.";
        assert_eq!(unknown(text, &[]), [thermometer]);
        let more = "Digits in a cage do not repeat. Exactly one cage is lying.";
        assert_eq!(unknown(more, &["killercage"]), ["Exactly one cage is lying."]);
        let consecutive = "Digits along a thermometer increase consecutively.";
        assert_eq!(unknown(consecutive, &["thermometer"]).len(), 1);
    }

    #[test]
    fn long_and_many_sentences_are_shortened() {
        let text = "Purple cows jump. ".repeat(50) + &"moon ".repeat(100);
        assert_eq!(unknown(&text, &[]).len(), MOST_SENTENCES);
        assert!(unknown(&"moon ".repeat(100), &[])[0].chars().count() <= MOST_LETTERS + 1);
    }

    #[test]
    fn words_that_differ_by_one_letter() {
        assert!(differ_by_one("sudou", "sudoku") && differ_by_one("thermometors", "thermometers"));
        assert!(!differ_by_one("sudoku", "sudden") && !differ_by_one("cages", "cagesxx"));
    }
}
