//! Metrics and character codes of Helvetica, which every PDF reader provides.

/// Character widths from space to tilde, in thousandths of the font size, from Adobe's font
/// metrics.
const REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

/// Returns the width of a text.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    text.chars().map(|letter| f64::from(width_of(letter, bold))).sum::<f64>() * size / 1000.0
}

fn width_of(letter: char, bold: bool) -> u16 {
    let widths = if bold { &BOLD } else { &REGULAR };
    let ascii_width = |letter: char| widths[letter as usize - 32];
    match letter {
        ' '..='~' => ascii_width(letter),
        'ß' | '¿' => 611,
        '–' => 556,
        '—' | '…' => 1000,
        '¡' => 333,
        '×' => 584,
        'í' | 'ì' | 'î' | 'ï' => 278,
        _ => ascii_width(without_accent(letter)),
    }
}

/// Returns the letter without its accent, which has the same width, or a question mark if the font
/// does not contain it.
fn without_accent(letter: char) -> char {
    match letter {
        'à'..='å' => 'a',
        'À'..='Å' => 'A',
        'ç' => 'c',
        'Ç' => 'C',
        'è'..='ë' => 'e',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'ñ' => 'n',
        'Ñ' => 'N',
        'ò'..='ö' => 'o',
        'Ò'..='Ö' => 'O',
        'ù'..='ü' => 'u',
        'Ù'..='Ü' => 'U',
        '·' => '.',
        _ => '?',
    }
}

/// Returns the code of a letter in PDF's WinAnsi encoding.
pub(super) fn code(letter: char) -> u8 {
    match letter {
        '–' => 0x96,
        '—' => 0x97,
        '…' => 0x85,
        ' '..='~' | '\u{a1}'..='\u{ff}' => letter as u8,
        _ => b'?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_width_is_the_sum_of_its_letters() {
        assert_eq!(width("r5c5", 10.0, false), 3.33 + 5.56 + 5.0 + 5.56);
        assert_eq!(width("ü", 10.0, true), width("u", 10.0, true));
    }

    #[test]
    fn letters_of_all_languages_have_a_code() {
        assert!("äöüÄÖÜßáéíóúñÁÚ¿¡–×".chars().all(|letter| code(letter) != b'?'));
        assert_eq!(code('語'), b'?');
    }
}
