//! Rust as tokens, as far as the tidy tests need it: words, `::`, braces, commas, text in quotes. Comments are left out, and
//! so is everything under `#[cfg(test)]`: tests may look anywhere.

/// A piece of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Word(String),
    /// What stands between quotes, as it is written.
    Text(String),
    /// `::`
    PathSeparator,
    /// Any other sign.
    Sign(char),
}

impl Token {
    /// Is it this word?
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(found) if found == word)
    }
}

/// The tokens of the code that is in the product.
pub fn of_product(source: &str) -> Vec<Token> {
    let mut tokens = of(source);
    let mark = of("#[cfg(test)]");
    while let Some(start) = tokens.windows(mark.len()).position(|window| window == mark) {
        let end = end_of_item(&tokens, start + mark.len());
        tokens.drain(start..end);
    }
    tokens
}

/// An item ends with its last brace, or with a semicolon before any brace.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Sign(';') if depth == 0 => return at + 1,
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// All tokens.
pub fn of(source: &str) -> Vec<Token> {
    let mut rest = source;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (token, length) = token_at(rest, first);
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

/// The token at the start of the text, if there is one, and how many bytes to go on.
fn token_at(text: &str, first: char) -> (Option<Token>, usize) {
    if text.starts_with("//") {
        return (None, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (None, length_of_comment(text));
    }
    if text.starts_with("::") {
        return (Some(Token::PathSeparator), 2);
    }
    if let Some((content, length)) = quoted(text) {
        return (Some(Token::Text(content)), length);
    }
    if is_part_of_a_word(first) {
        let length = text.find(|sign| !is_part_of_a_word(sign)).unwrap_or(text.len());
        return (Some(Token::Word(text[..length].to_string())), length);
    }
    match first {
        '\'' => (None, length_of_character_or_lifetime(text)),
        _ if first.is_whitespace() => (None, first.len_utf8()),
        _ => (Some(Token::Sign(first)), first.len_utf8()),
    }
}

fn is_part_of_a_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Comments in comments are allowed.
fn length_of_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        match (rest.starts_with(b"/*"), rest.starts_with(b"*/")) {
            (true, _) => depth += 1,
            (_, true) => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

/// `"…"`, `b"…"`, `r"…"`, `r#"…"#` and their like: what they hold, and how long they are.
fn quoted(text: &str) -> Option<(String, usize)> {
    let prefix =
        ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| text.starts_with(prefix))?;
    let after = &text[prefix.len()..];
    let hashes =
        if prefix.ends_with('r') { after.len() - after.trim_start_matches('#').len() } else { 0 };
    let content = after[hashes..].strip_prefix('"')?;
    let start = text.len() - content.len();
    let end = if prefix.ends_with('r') {
        content.find(&format!("\"{}", "#".repeat(hashes)))?
    } else {
        let mut escaped = false;
        content.find(|sign| {
            let ends = sign == '"' && !escaped;
            escaped = sign == '\\' && !escaped;
            ends
        })?
    };
    Some((content[..end].to_string(), start + end + 1 + hashes))
}

/// `'x'` and `'\n'` are characters, `'a` without an end is a lifetime.
fn length_of_character_or_lifetime(text: &str) -> usize {
    let mut signs = text.char_indices().skip(1);
    match (signs.next(), signs.next()) {
        (Some((_, '\\')), Some((escaped, _))) => {
            text[escaped + 1..].find('\'').map_or(text.len(), |end| escaped + end + 2)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

#[test]
fn comments_strings_characters_and_lifetimes_are_told_apart() {
    let words = |source: &str| -> Vec<String> {
        let word = |token| if let Token::Word(word) = token { Some(word) } else { None };
        of(source).into_iter().filter_map(word).collect()
    };
    assert_eq!(words("a // b\n/* c /* d */ e */ f"), ["a", "f"]);
    assert_eq!(words(r##"a "b \" c" d r#"e " f"# g b"h" i"##), ["a", "d", "g", "i"]);
    assert_eq!(words(r"a 'b' '\'' '\u{41}' '{' c<'d> e"), ["a", "c", "d", "e"]);
    assert_eq!(of("x = \"../y\";")[2], Token::Text("../y".to_string()));
}

#[test]
fn what_is_for_tests_alone_is_not_in_the_product() {
    let source =
        "use a;\n#[cfg(test)]\nuse b;\n#[cfg(test)]\nmod tests { fn x() { y() } }\nfn z() {}";
    assert_eq!(of_product(source), of("use a; fn z() {}"));
}
