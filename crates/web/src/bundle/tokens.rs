//! JavaScript as a row of tokens: as much of the language as our own modules use. What cannot be read is refused.

/// A part of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// How it is written.
    pub text: &'a str,
    /// The line it stands on, counted from 1.
    pub line: usize,
    /// What stands between it and the token before.
    pub gap: Gap,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, private names with their `#`, or a keyword.
    Word,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A piece of a template: from a backtick or `}` to a backtick or `${`.
    Template,
    /// A regular expression with its flags.
    Pattern,
    /// Anything else: `{`, `=>`, `...`
    Sign,
}

/// What stands between two tokens. Comments count as the space that is left of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing.
    None,
    /// Spaces.
    Space,
    /// The end of a line, which may end a statement.
    Line,
}

/// What cannot be read, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// Signs of more than one character, the longest first.
const LONG_SIGNS: &[&str] = &[
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**",
];

/// Words after which a slash begins a regular expression.
const BEFORE_PATTERNS: &str =
    "return typeof case in of new delete void throw await yield else instanceof";

/// The tokens of a script.
pub fn tokens_of(source: &str) -> Result<Vec<Token<'_>>, Unreadable> {
    let mut reader =
        Reader { source, at: 0, line: 1, depth: 0, holes: Vec::new(), tokens: Vec::new() };
    while let Some(gap) = reader.skip()? {
        reader.read(gap)?;
    }
    Ok(reader.tokens)
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    line: usize,
    /// How many braces are open.
    depth: usize,
    /// The depths at which the holes of templates were opened.
    holes: Vec<usize>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn refuse<T>(&self, what: &'static str) -> Result<T, Unreadable> {
        Err(Unreadable { line: self.line, what })
    }

    /// Passes over spaces and comments. What they leave between two tokens; nothing at the end.
    fn skip(&mut self) -> Result<Option<Gap>, Unreadable> {
        let mut gap = Gap::None;
        loop {
            let rest = self.rest();
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => end + 2,
                    None => return self.refuse("a comment has no end"),
                }
            } else {
                rest.len() - rest.trim_start().len()
            };
            if length == 0 {
                return Ok((!rest.is_empty()).then_some(gap));
            }
            let lines = rest[..length].matches('\n').count();
            gap = if lines > 0 || gap == Gap::Line { Gap::Line } else { Gap::Space };
            self.line += lines;
            self.at += length;
        }
    }

    fn read(&mut self, gap: Gap) -> Result<(), Unreadable> {
        let rest = self.rest();
        let first = rest.chars().next().expect("something is left to read");
        let second_is_digit =
            rest[first.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        let (kind, length) = match first {
            '"' | '\'' => (Kind::Text, self.quoted(first)?),
            '`' => (Kind::Template, self.template()?),
            '}' if self.holes.last() == Some(&self.depth) => {
                self.holes.pop();
                (Kind::Template, self.template()?)
            }
            '0'..='9' => (Kind::Number, number(rest)),
            '.' if second_is_digit => (Kind::Number, number(rest)),
            '/' if self.may_be_pattern() => (Kind::Pattern, self.pattern()?),
            _ if is_word(first) || first == '#' => {
                let start = first.len_utf8();
                (
                    Kind::Word,
                    rest[start..].find(|next| !is_word(next)).map_or(rest.len(), |end| start + end),
                )
            }
            _ => (Kind::Sign, self.sign()?),
        };
        let text = &rest[..length];
        self.tokens.push(Token { kind, text, line: self.line, gap });
        self.line += text.matches('\n').count();
        self.at += length;
        Ok(())
    }

    fn quoted(&self, quote: char) -> Result<usize, Unreadable> {
        let mut escaped = false;
        for (at, character) in self.rest().char_indices().skip(1) {
            match character {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == quote => return Ok(at + 1),
                _ => {}
            }
        }
        self.refuse("a text has no end")
    }

    /// A piece of a template, which ends with the template or where a hole begins.
    fn template(&mut self) -> Result<usize, Unreadable> {
        let rest = self.rest();
        let mut escaped = false;
        for (at, character) in rest.char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '`' => return Ok(at + 1),
                '$' if rest[at..].starts_with("${") => {
                    self.holes.push(self.depth);
                    return Ok(at + 2);
                }
                _ => {}
            }
        }
        self.refuse("a template has no end")
    }

    /// A slash divides after a value, and begins a regular expression everywhere else.
    fn may_be_pattern(&self) -> bool {
        self.tokens.last().is_none_or(|before| match before.kind {
            Kind::Sign => ![")", "]", "}"].contains(&before.text),
            Kind::Template => before.text.ends_with("${"),
            Kind::Word => BEFORE_PATTERNS.split(' ').any(|word| word == before.text),
            Kind::Number | Kind::Text | Kind::Pattern => false,
        })
    }

    fn pattern(&self) -> Result<usize, Unreadable> {
        let rest = self.rest();
        let (mut escaped, mut in_class) = (false, false);
        for (at, character) in rest.char_indices().skip(1) {
            match character {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    let flags = &rest[at + 1..];
                    return Ok(at + 1 + flags.find(|next| !is_word(next)).unwrap_or(flags.len()));
                }
                _ => {}
            }
        }
        self.refuse("a regular expression has no end")
    }

    fn sign(&mut self) -> Result<usize, Unreadable> {
        let rest = self.rest();
        let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
        // `a ?.5 : b` is a choice.
        let is_choice = |sign: &&&str| {
            **sign == "?." && rest[2..].starts_with(|next: char| next.is_ascii_digit())
        };
        if let Some(sign) = long.filter(|sign| !is_choice(sign)) {
            return Ok(sign.len());
        }
        match rest.as_bytes()[0] {
            b'{' => self.depth += 1,
            b'}' if self.depth == 0 => return self.refuse("a brace closes nothing"),
            b'}' => self.depth -= 1,
            first if first.is_ascii_punctuation() && first != b'@' && first != b'\\' => {}
            _ => return self.refuse("a character that belongs to no script of ours"),
        }
        Ok(1)
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

fn number(rest: &str) -> usize {
    let is_hexadecimal = rest.starts_with("0x");
    let mut before = ' ';
    rest.find(|next: char| {
        let is_sign_of_exponent =
            matches!(next, '+' | '-') && matches!(before, 'e' | 'E') && !is_hexadecimal;
        before = next;
        !(is_word(next) || next == '.' || is_sign_of_exponent)
    })
    .unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens_of(source).expect("tokens").iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_parted() {
        assert_eq!(
            texts("a?.b ?? c ?.5:1e-3"),
            ["a", "?.", "b", "??", "c", "?", ".5", ":", "1e-3"]
        );
        assert_eq!(
            texts("this.#x=0x1f-é**2"),
            ["this", ".", "#x", "=", "0x1f", "-", "é", "**", "2"]
        );
    }

    #[test]
    fn a_slash_divides_values_and_begins_patterns_elsewhere() {
        assert_eq!(texts("a / b / c"), ["a", "/", "b", "/", "c"]);
        assert_eq!(texts("x(/[/\"]\\/'/g.test(y) / 2)")[2], "/[/\"]\\/'/g");
        assert_eq!(texts("return /a/u")[1], "/a/u");
    }

    #[test]
    fn templates_hold_tokens_and_templates() {
        assert_eq!(
            texts("`a${ { b: `c${d}` }.b }e` + '`'"),
            ["`a${", "{", "b", ":", "`c${", "d", "}`", "}", ".", "b", "}e`", "+", "'`'"]
        );
    }

    #[test]
    fn comments_leave_their_space_and_lines_are_counted() {
        let tokens = tokens_of("a // not \"b\"\n/* c\n*/ d").expect("tokens");
        assert_eq!((tokens[1].text, tokens[1].line, tokens[1].gap), ("d", 3, Gap::Line));
    }

    #[test]
    fn what_has_no_end_is_refused_with_its_line() {
        for (source, what) in [
            ("\n'a", "a text has no end"),
            ("\n`a${b}", "a template has no end"),
            ("\n/* a", "a comment has no end"),
            ("\nx = /a", "a regular expression has no end"),
            ("\n}", "a brace closes nothing"),
        ] {
            assert_eq!(tokens_of(source), Err(Unreadable { line: 2, what }), "{source}");
        }
    }
}
