//! LZ-string, the packing of links: LZ78 on 16-bit characters, written as base 64.
//!
//! Codes 0 and 1 announce a new character of 8 or 16 bits, code 2 the end; every other code names a phrase. After each code
//! the last phrase with the first character of the new one becomes a phrase itself. Codes grow by a bit whenever the next
//! would not fit. Bits of a number come lowest first, bits of a base 64 sign highest first.

use std::collections::{HashMap, HashSet};

const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The longest text that is unpacked.
const LIMIT: usize = 1 << 20;

const NARROW: usize = 0;
const WIDE: usize = 1;
const END: usize = 2;

/// The text in a base 64 word, or `None` if it is damaged.
pub fn unpack(word: &str) -> Option<String> {
    let mut bits = Bits::of(word)?;
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut text: Vec<u16> = Vec::new();
    // Where the phrase before the current one stands in the text.
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
                    // The phrase that is just being made: the last one and its own first character.
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
            // In the text the last phrase is followed by the first character of this one.
            phrases.push(Phrase { start: last.start, length: last.length + 1 });
            codes += 1;
        }
        width = width_for(codes, width);
        last = Some(phrase);
    }
}

/// A piece of the text.
#[derive(Clone, Copy)]
struct Phrase {
    start: usize,
    length: usize,
}

/// A code has one bit more as soon as the next one would not fit.
fn width_for(codes: usize, width: usize) -> usize {
    if codes >= 1 << width { width + 1 } else { width }
}

struct Bits {
    signs: Vec<u8>,
    read: usize,
}

impl Bits {
    fn of(word: &str) -> Option<Bits> {
        let value =
            |sign: u8| SIGNS.iter().position(|&known| known == sign).map(|value| value as u8);
        let signs = word.trim_end_matches('=').bytes().map(value).collect::<Option<_>>()?;
        Some(Bits { signs, read: 0 })
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        let mut number = 0;
        for place in 0..width {
            let sign = *self.signs.get(self.read / 6)?;
            number |= usize::from(sign >> (5 - self.read % 6) & 1) << place;
            self.read += 1;
        }
        Some(number)
    }
}

/// A text as a base 64 word.
pub fn pack(text: &str) -> String {
    let mut packing = Packing { bits: Vec::new(), width: 2, until_wider: 2 };
    let mut codes: HashMap<Vec<u16>, usize> = HashMap::new();
    let mut unannounced: HashSet<u16> = HashSet::new();
    let mut phrase: Vec<u16> = Vec::new();
    for character in text.encode_utf16() {
        let next = codes.len() + 3;
        codes.entry(vec![character]).or_insert_with(|| {
            unannounced.insert(character);
            next
        });
        let mut longer = phrase.clone();
        longer.push(character);
        if codes.contains_key(&longer) {
            phrase = longer;
        } else {
            packing.phrase(&phrase, &codes, &mut unannounced);
            let next = codes.len() + 3;
            codes.insert(longer, next);
            phrase = vec![character];
        }
    }
    if !phrase.is_empty() {
        packing.phrase(&phrase, &codes, &mut unannounced);
    }
    packing.number(END, packing.width);
    packing.word()
}

struct Packing {
    bits: Vec<bool>,
    width: usize,
    /// So many codes until one does not fit.
    until_wider: usize,
}

impl Packing {
    fn number(&mut self, number: usize, width: usize) {
        self.bits.extend((0..width).map(|place| number >> place & 1 == 1));
    }

    fn phrase(
        &mut self,
        phrase: &[u16],
        codes: &HashMap<Vec<u16>, usize>,
        unannounced: &mut HashSet<u16>,
    ) {
        if phrase.len() == 1 && unannounced.remove(&phrase[0]) {
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
        // The original always ends with a sign that is not full, even if all its bits are free.
        let signs = self.bits.len() / 6 + 1;
        let value = |sign: usize| {
            (0..6).fold(0, |value, place| {
                value << 1 | usize::from(self.bits.get(6 * sign + place) == Some(&true))
            })
        };
        let mut word: String = (0..signs).map(|sign| char::from(SIGNS[value(sign)])).collect();
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
    fn words_of_other_programs_are_read_and_written() {
        let word = "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA==";
        let text = unpack(word).unwrap();
        assert_eq!(text, "{\"size\":3,\"grid\":[[{},{},{}],[{},{},{}],[{},{},{}]]}");
        assert_eq!(pack(&text), word);
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut random = Random::new(5);
        let pieces =
            ["{\"value\":5}", "{}", ",", "a", "b", "é", "数", "😀", "[[", "aaaaaaaaaaaaaaaaaaaaaa"];
        for length in 0..300 {
            let text: String = (0..length).map(|_| *random.pick(&pieces).unwrap()).collect();
            assert_eq!(unpack(&pack(&text)).as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn a_damaged_word_is_refused_or_read_but_never_breaks_anything() {
        let word = pack(&"{\"grid\":[[{\"value\":5,\"given\":true},{}]]}".repeat(4));
        let mut random = Random::new(6);
        for length in 0..word.len() {
            // Only where the rest is padding the end may still be found.
            assert!(unpack(&word[..length]).is_none() || word.len() - length <= 3, "{length}");
        }
        for _ in 0..20_000 {
            let mut bytes = word.clone().into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = SIGNS[random.below(64)];
            unpack(&String::from_utf8(bytes).unwrap());
        }
    }
}
