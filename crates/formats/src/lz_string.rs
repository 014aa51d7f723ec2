//! LZ-string, the compression of f-puzzles and SudokuPad links: LZ78 on 16-bit characters, encoded
//! as base 64.
//!
//! The data is a sequence of codes of growing width. Codes 0 and 1 introduce a new character of 8
//! or 16 bits, and code 2 marks the end. Every other code refers to a phrase: a piece of text that
//! has occurred before. After each code, the previous phrase plus the first character of the
//! current one becomes a new phrase. Codes get one bit longer whenever the next one would not fit.
//! Numbers are stored with the lowest bit first, base 64 digits with the highest bit first.
//!
//! The crate `lz-str` is not used: it expands a link of 30 kB to 100 million characters, because
//! its output has no limit, and version 0.2.1 pads base 64 with one `=` more than the original.

use std::collections::{HashMap, HashSet};

const BASE_64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The maximum length of a decompressed text, in UTF-16 code units.
const LIMIT: usize = 1 << 20;

const NARROW: usize = 0;
const WIDE: usize = 1;
const END: usize = 2;

/// Decompresses a base 64 word; `None` if it is damaged or the text is too long.
pub fn decompress(word: &str) -> Option<String> {
    let mut bits = BitReader::new(word)?;
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut text: Vec<u16> = Vec::new();
    // The position of the previous phrase in the text.
    let mut last: Option<Phrase> = None;
    let mut codes = 3;
    let mut width = 2;
    loop {
        let code = bits.number(width)?;
        let phrase = match code {
            END => return String::from_utf16(&text).ok(),
            NARROW | WIDE => {
                let character = bits.number(if code == NARROW { 8 } else { 16 })? as u16;
                text.push(character);
                let phrase = Phrase { start: text.len() - 1, length: 1 };
                phrases.push(phrase);
                codes += 1;
                width = width_for(codes, width);
                phrase
            }
            _ => {
                let start = text.len();
                match (phrases.get(code - 3), last) {
                    (Some(&known), _) => {
                        text.extend_from_within(known.start..known.start + known.length)
                    }
                    // The phrase that this step defines: the previous one plus its first character.
                    (None, Some(last)) if code - 3 == phrases.len() => {
                        text.extend_from_within(last.start..last.start + last.length);
                        text.push(text[start]);
                    }
                    _ => return None,
                }
                Phrase { start, length: text.len() - start }
            }
        };
        if text.len() > LIMIT {
            return None;
        }
        if let Some(last) = last {
            // In the text, the first character of this phrase follows the previous phrase.
            phrases.push(Phrase { start: last.start, length: last.length + 1 });
            codes += 1;
        }
        width = width_for(codes, width);
        last = Some(phrase);
    }
}

/// A range of the text.
#[derive(Clone, Copy)]
struct Phrase {
    start: usize,
    length: usize,
}

/// The code width after `codes` codes are in use: one more bit when the next code would not fit.
fn width_for(codes: usize, width: usize) -> usize {
    if codes >= 1 << width { width + 1 } else { width }
}

struct BitReader {
    /// The values of the base 64 digits, 6 bits each.
    digits: Vec<u8>,
    /// The number of bits read.
    read: usize,
}

impl BitReader {
    fn new(word: &str) -> Option<BitReader> {
        let value =
            |symbol: u8| BASE_64.iter().position(|&known| known == symbol).map(|value| value as u8);
        let digits = word.trim_end_matches('=').bytes().map(value).collect::<Option<_>>()?;
        Some(BitReader { digits, read: 0 })
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        let mut number = 0;
        for place in 0..width {
            let digit = *self.digits.get(self.read / 6)?;
            number |= usize::from(digit >> (5 - self.read % 6) & 1) << place;
            self.read += 1;
        }
        Some(number)
    }
}

/// Compresses a text to a base 64 word.
pub fn compress(text: &str) -> String {
    let mut output = BitWriter { bits: Vec::new(), width: 2, until_wider: 2 };
    let mut codes: HashMap<Vec<u16>, usize> = HashMap::new();
    let mut unwritten: HashSet<u16> = HashSet::new();
    let mut phrase: Vec<u16> = Vec::new();
    for character in text.encode_utf16() {
        let next = codes.len() + 3;
        codes.entry(vec![character]).or_insert_with(|| {
            unwritten.insert(character);
            next
        });
        let mut longer = phrase.clone();
        longer.push(character);
        if codes.contains_key(&longer) {
            phrase = longer;
        } else {
            output.phrase(&phrase, &codes, &mut unwritten);
            let next = codes.len() + 3;
            codes.insert(longer, next);
            phrase = vec![character];
        }
    }
    if !phrase.is_empty() {
        output.phrase(&phrase, &codes, &mut unwritten);
    }
    output.number(END, output.width);
    output.word()
}

struct BitWriter {
    bits: Vec<bool>,
    width: usize,
    /// The number of codes left before the width grows.
    until_wider: usize,
}

impl BitWriter {
    fn number(&mut self, number: usize, width: usize) {
        self.bits.extend((0..width).map(|place| number >> place & 1 == 1));
    }

    fn phrase(
        &mut self,
        phrase: &[u16],
        codes: &HashMap<Vec<u16>, usize>,
        unwritten: &mut HashSet<u16>,
    ) {
        if phrase.len() == 1 && unwritten.remove(&phrase[0]) {
            let is_wide = phrase[0] > 255;
            self.number(if is_wide { WIDE } else { NARROW }, self.width);
            self.number(usize::from(phrase[0]), if is_wide { 16 } else { 8 });
            self.count();
        } else {
            self.number(codes[phrase], self.width);
        }
        self.count();
    }

    fn count(&mut self) {
        self.until_wider -= 1;
        if self.until_wider == 0 {
            self.until_wider = 1 << self.width;
            self.width += 1;
        }
    }

    fn word(self) -> String {
        // The original implementation always ends with an incomplete digit, even if it is empty.
        let digits = self.bits.len() / 6 + 1;
        let value = |digit: usize| {
            (0..6).fold(0, |value, place| {
                value << 1 | usize::from(self.bits.get(6 * digit + place) == Some(&true))
            })
        };
        let mut word: String = (0..digits).map(|digit| char::from(BASE_64[value(digit)])).collect();
        while !word.len().is_multiple_of(4) {
            word.push('=');
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::random::Random;

    #[test]
    fn matches_the_output_of_lz_string() {
        let word = "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA==";
        let text = decompress(word).unwrap();
        assert_eq!(text, "{\"size\":3,\"grid\":[[{},{},{}],[{},{},{}],[{},{},{}]]}");
        assert_eq!(compress(&text), word);
    }

    #[test]
    fn decompresses_what_it_compressed() {
        let mut random = Random::new(5);
        let pieces =
            ["{\"value\":5}", "{}", ",", "a", "b", "é", "数", "😀", "[[", "aaaaaaaaaaaaaaaaaaaaaa"];
        for length in 0..300 {
            let text: String = (0..length).map(|_| *random.pick(&pieces).unwrap()).collect();
            assert_eq!(decompress(&compress(&text)).as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn output_is_bounded() {
        assert_eq!(decompress(&compress(&"a".repeat(LIMIT))).map(|text| text.len()), Some(LIMIT));
        assert_eq!(decompress(&compress(&"a".repeat(LIMIT + 1000))), None);
    }

    #[test]
    fn damaged_words_never_panic() {
        let word = compress(&"{\"grid\":[[{\"value\":5,\"given\":true},{}]]}".repeat(4));
        let mut random = Random::new(6);
        for length in 0..word.len() {
            // Only padding may be missing.
            assert!(decompress(&word[..length]).is_none() || word.len() - length <= 3, "{length}");
        }
        for _ in 0..20_000 {
            let mut bytes = word.clone().into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = BASE_64[random.below(64)];
            decompress(&String::from_utf8(bytes).unwrap());
        }
    }
}
