//! Parses Rust source into tokens, so that the tidy tests ignore comments and code that only
//! tests compile.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Lit;

/// All tokens of a source file except doc comments.
pub fn tokens(source: &str) -> TokenStream {
    filtered(parsed(source), false)
}

/// The tokens of a source file except doc comments and items under `#[cfg(test)]`.
pub fn product_tokens(source: &str) -> TokenStream {
    filtered(parsed(source), true)
}

fn parsed(source: &str) -> TokenStream {
    source.parse().expect("every source file in the workspace is valid Rust")
}

fn filtered(tokens: TokenStream, skip_tests: bool) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if is_punct(&token, '#') {
            let bang = tokens.next_if(|next| is_punct(next, '!'));
            if tokens.next_if(is_doc_comment).is_some() {
                continue;
            }
            if skip_tests && bang.is_none() && tokens.next_if(is_cfg_test).is_some() {
                // An item ends at its braces, or at a semicolon before any brace.
                let _ = tokens.find(|token| is_punct(token, ';') || is_block(token));
                continue;
            }
            kept.push(token);
            kept.extend(bang);
        } else if let TokenTree::Group(group) = &token {
            let inner = filtered(group.stream(), skip_tests);
            kept.push(proc_macro2::Group::new(group.delimiter(), inner).into());
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

pub fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_cfg_test(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group)
        if group.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// Whether a token is `[doc = "…"]`, the parsed form of `///` and `//!`.
fn is_doc_comment(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    matches!(&tokens[..], [TokenTree::Ident(name), _, TokenTree::Literal(_)] if name == "doc")
}

/// Whether the identifier or keyword `word` occurs anywhere in the tokens.
pub fn contains_word(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => contains_word(group.stream(), word),
        _ => false,
    })
}

/// A string literal.
pub struct Text {
    pub value: String,
    /// Whether it is (part of) the path in `include!`, `include_str!` or `include_bytes!`.
    pub is_included: bool,
}

/// All string literals, including byte and C strings.
pub fn texts(tokens: TokenStream) -> Vec<Text> {
    let mut found = Vec::new();
    collect_texts(tokens, false, &mut found);
    found
}

fn collect_texts(tokens: TokenStream, is_included: bool, found: &mut Vec<Text>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Literal(literal) => {
                let value = match Lit::new(literal.clone()) {
                    Lit::Str(text) => text.value(),
                    Lit::ByteStr(text) => String::from_utf8_lossy(&text.value()).into_owned(),
                    Lit::CStr(text) => text.value().to_string_lossy().into_owned(),
                    _ => continue,
                };
                found.push(Text { value, is_included });
            }
            TokenTree::Group(group) => {
                let called = match &tokens[..at] {
                    [.., TokenTree::Ident(name), bang] if is_punct(bang, '!') => name.to_string(),
                    _ => String::new(),
                };
                let is_included = match called.as_str() {
                    "include" | "include_str" | "include_bytes" => true,
                    "concat" => is_included && !contains_word(group.stream(), "env"),
                    _ => false,
                };
                collect_texts(group.stream(), is_included, found);
            }
            _ => {}
        }
    }
}

#[test]
fn ignores_comments() {
    let code = "//! unsafe\n/// unsafe \"x\"\n/* unsafe */ fn f() { \"y\"; } // unsafe";
    assert!(!contains_word(tokens(code), "unsafe"));
    assert_eq!(texts(tokens(code)).len(), 1);
    assert!(contains_word(tokens("mod m { fn f() { unsafe { g() } } }"), "unsafe"));
}

#[test]
fn product_tokens_exclude_test_items() {
    let source = "use a;\n#[cfg(test)]\nuse b;\n#[cfg(test)]\nmod tests { fn x() { y() } }\n\
                  mod m { #[cfg(test)] const X: u8 = 1; } fn z() {}";
    let expected = tokens("use a; mod m { } fn z() {}");
    assert_eq!(product_tokens(source).to_string(), expected.to_string());
}
