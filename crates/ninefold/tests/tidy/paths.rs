//! Which paths a source file names: whole `use` trees, over as many lines as they take, and paths inside the code.

use super::tokens::{Token, of_product};

/// A path from the root of the crate, and the name that it has where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// `["grid", "Cell"]` for `crate::grid::Cell`.
    pub path: Vec<String>,
    /// `Cell`, or another name after `as`.
    pub name: String,
}

/// The paths that start at `crate`, `self` or `super`, from the root of the crate. `home` is the module that the file is.
pub fn inside_the_crate(source: &str, home: &[String]) -> Vec<Named> {
    let anywhere = all(source, home);
    anywhere.into_iter().filter_map(|(module, named)| resolved(named, &module)).collect()
}

/// What a crate root shows under names of its own: `pub use grid::Cell` names `["grid", "Cell"]`.
pub fn shown_by_the_root(source: &str) -> Vec<Named> {
    all(source, &[]).into_iter().map(|(_, named)| named).collect()
}

/// Every path as it is written, with the module that it stands in.
fn all(source: &str, home: &[String]) -> Vec<(Vec<String>, Named)> {
    let tokens = of_product(source);
    let mut module = home.to_vec();
    // How deep in braces each module inside the file begins.
    let (mut begins, mut depth) = (Vec::new(), 0);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = &tokens[at..];
        match (token, rest) {
            (_, [word, Token::Word(name), Token::Sign('{'), ..]) if word.is_word("mod") => {
                module.push(name.clone());
                begins.push(depth);
                depth += 1;
                at += 3;
            }
            (Token::Word(word), _) if word == "use" => {
                let mut reader = Reader { tokens: &tokens, at: at + 1 };
                found.extend(reader.tree(&[]).into_iter().map(|named| (module.clone(), named)));
                at = reader.at;
            }
            (Token::Word(word), [_, Token::PathSeparator, ..])
                if ["crate", "self", "super"].contains(&&**word) =>
            {
                let mut reader = Reader { tokens: &tokens, at };
                found.extend(reader.tree(&[]).into_iter().map(|named| (module.clone(), named)));
                at = reader.at;
            }
            _ => {
                depth +=
                    i32::from(*token == Token::Sign('{')) - i32::from(*token == Token::Sign('}'));
                if begins.last() == Some(&depth) && *token == Token::Sign('}') {
                    begins.pop();
                    module.pop();
                }
                at += 1;
            }
        }
    }
    found
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    /// `a::b`, `a::b as c`, `a::{b, c::{d, e}}` or `a::*`, after a prefix.
    fn tree(&mut self, prefix: &[String]) -> Vec<Named> {
        let mut path = prefix.to_vec();
        loop {
            match self.tokens.get(self.at) {
                Some(Token::Word(word)) => {
                    path.push(word.clone());
                    self.at += 1;
                }
                Some(Token::Sign('{')) => return self.group(&path),
                Some(Token::Sign('*')) => self.at += 1,
                // A leading `::`, or what is no path at all.
                _ => {}
            }
            if self.tokens.get(self.at) != Some(&Token::PathSeparator) {
                break;
            }
            self.at += 1;
        }
        // `a::{self}` is a itself.
        if path.len() > prefix.len().max(1) && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if let [word, Token::Word(other), ..] = &self.tokens[self.at..]
            && word.is_word("as")
        {
            name.clone_from(other);
            self.at += 2;
        }
        if path.is_empty() { Vec::new() } else { vec![Named { path, name }] }
    }

    fn group(&mut self, prefix: &[String]) -> Vec<Named> {
        let mut found = Vec::new();
        self.at += 1;
        while self.at < self.tokens.len() {
            match self.tokens[self.at] {
                Token::Sign('}') => {
                    self.at += 1;
                    break;
                }
                Token::Word(_) | Token::PathSeparator | Token::Sign('{') => {
                    found.extend(self.tree(prefix))
                }
                _ => self.at += 1,
            }
        }
        found
    }
}

/// The same path from the root of the crate; nothing if it leads out of it.
fn resolved(Named { path, name }: Named, module: &[String]) -> Option<Named> {
    let mut from: Vec<String> = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    let mut rest = path.into_iter().peekable();
    while let Some(word) = rest.next_if(|word| ["crate", "self", "super"].contains(&word.as_str()))
    {
        if word == "super" {
            from.pop();
        }
    }
    from.extend(rest);
    Some(Named { path: from, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let home = ["logic".to_string(), "fish".to_string()];
        let found: Vec<String> =
            inside_the_crate(source, &home).iter().map(|named| named.path.join("::")).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn paths_are_seen_in_every_form() {
        check("use crate::grid::Cell;", &["grid::Cell"]);
        check("pub(crate) use crate::grid::Cell as Place;", &["grid::Cell"]);
        check("use crate::search::*;", &["search"]);
        check(
            "let x = crate::rate::of(y) + f::<crate::search::Limits>(z);",
            &["rate::of", "search::Limits"],
        );
        check(
            "use super::links; use super::super::search; use self::inner::X;",
            &["logic::links", "search", "logic::fish::inner::X"],
        );
        check("fn f(self) { self.x; Self::y(); std::mem::swap(a, b); use ninefold::grid; }", &[]);
    }

    #[test]
    fn a_use_tree_may_take_many_lines_and_hold_others() {
        check(
            "use crate::{\n    grid::{\n        self, Cell, // crate::web\n        text::{read, write},\n    },\n    search,\n};\nuse crate::rate;",
            &["grid", "grid::Cell", "grid::text::read", "grid::text::write", "search", "rate"],
        );
        check(
            "use {crate::grid::Cell, std::fmt, super::{super::search::Limits, board}};",
            &["grid::Cell", "search::Limits", "logic::board"],
        );
    }

    #[test]
    fn super_in_a_module_of_the_file_is_the_file() {
        check(
            "mod inner { use super::x; mod deep { use super::super::super::y; } }\nuse super::z;",
            &["logic::fish::x", "logic::y", "logic::z"],
        );
    }

    #[test]
    fn comments_texts_and_tests_name_nothing() {
        check("/// [`crate::web`]\n/* use crate::web; */ let x = \"crate::web\";", &[]);
        check("#[cfg(test)]\nmod tests { use crate::generate; }\nuse crate::grid;", &["grid"]);
    }

    #[test]
    fn the_root_shows_names_of_its_own() {
        let shown = shown_by_the_root("pub use grid::{Cell, text::read as parse};");
        let names: Vec<(&str, &str)> =
            shown.iter().map(|named| (&*named.path[0], &*named.name)).collect();
        assert_eq!(names, [("grid", "Cell"), ("grid", "parse")]);
    }
}
