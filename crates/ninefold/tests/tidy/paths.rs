//! Lists the paths that a source file mentions: `use` declarations and paths in code and macros.

use super::source::{is_punct, product_tokens};
use proc_macro2::{TokenStream, TokenTree};
use syn::{ItemUse, UseTree};

/// A path from the crate root, and the name it has where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedPath {
    /// `["grid", "Cell"]` for `crate::grid::Cell`.
    pub path: Vec<String>,
    /// `Cell`, or the alias after `as`.
    pub name: String,
}

/// All paths that start at `crate`, `self` or `super`, resolved from the crate root. `home` is the
/// module path of the file.
pub fn paths_in_crate(source: &str, home: &[String]) -> Vec<UsedPath> {
    let found = all_paths(source, home).into_iter();
    found.filter_map(|(module, used)| resolve(used, &module)).collect()
}

/// What a crate root re-exports: `pub use grid::Cell` gives the path `["grid", "Cell"]`.
pub fn root_exports(source: &str) -> Vec<UsedPath> {
    all_paths(source, &[]).into_iter().map(|(_, used)| used).collect()
}

/// Every path as written, with the module that contains it.
type Found = Vec<(Vec<String>, UsedPath)>;

fn all_paths(source: &str, home: &[String]) -> Found {
    let mut found = Vec::new();
    collect(product_tokens(source), home, &mut found);
    found
}

fn collect(tokens: TokenStream, module: &[String], found: &mut Found) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        at += match &tokens[at..] {
            [TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Group(body), ..]
                if keyword == "mod" =>
            {
                collect(body.stream(), &[module, &[name.to_string()]].concat(), found);
                3
            }
            [TokenTree::Ident(keyword), ..] if keyword == "use" => {
                let length = tokens[at..].iter().take_while(|token| !is_punct(token, ';')).count();
                let end = tokens.len().min(at + length + 1);
                // `use<'a>` in types is not a declaration.
                match syn::parse2::<ItemUse>(tokens[at..end].iter().cloned().collect()) {
                    Ok(item) => {
                        flatten(&item.tree, Vec::new(), module, found);
                        end - at
                    }
                    Err(_) => 1,
                }
            }
            [TokenTree::Ident(first), ..] if is_root(&first.to_string()) => {
                let path = leading_path(&tokens[at..]);
                let length = path.len();
                if let Some(name) = path.last().filter(|_| length > 1).cloned() {
                    found.push((module.to_vec(), UsedPath { path, name }));
                }
                3 * length - 2
            }
            [TokenTree::Group(group), ..] => {
                collect(group.stream(), module, found);
                1
            }
            _ => 1,
        };
    }
}

fn is_root(word: &str) -> bool {
    ["crate", "self", "super"].contains(&word)
}

/// The identifiers of `a::b::c`, which take 3 × count − 2 tokens.
fn leading_path(tokens: &[TokenTree]) -> Vec<String> {
    let mut path = vec![tokens[0].to_string()];
    let mut rest = &tokens[1..];
    while let [first, second, TokenTree::Ident(name), after @ ..] = rest
        && is_punct(first, ':')
        && is_punct(second, ':')
    {
        path.push(name.to_string());
        rest = after;
    }
    path
}

fn flatten(tree: &UseTree, prefix: Vec<String>, module: &[String], found: &mut Found) {
    let (last, name) = match tree {
        UseTree::Path(path) => {
            let prefix = [prefix, vec![path.ident.to_string()]].concat();
            return flatten(&path.tree, prefix, module, found);
        }
        UseTree::Group(group) => {
            return group
                .items
                .iter()
                .for_each(|tree| flatten(tree, prefix.clone(), module, found));
        }
        UseTree::Name(name) => (Some(name.ident.to_string()), None),
        UseTree::Rename(rename) => (Some(rename.ident.to_string()), Some(&rename.rename)),
        UseTree::Glob(_) => (None, None),
    };
    // `a::{self}` is `a` itself.
    let last = last.filter(|last| last != "self" || prefix.is_empty());
    let path: Vec<String> = prefix.into_iter().chain(last).collect();
    let name = name.map(ToString::to_string).or_else(|| path.last().cloned()).unwrap_or_default();
    found.push((module.to_vec(), UsedPath { path, name }));
}

/// The same path from the crate root, or `None` if it leads to another crate.
fn resolve(UsedPath { path, name }: UsedPath, module: &[String]) -> Option<UsedPath> {
    let mut from: Vec<String> = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    let mut rest = path.into_iter().peekable();
    while let Some(word) = rest.next_if(|word| is_root(word)) {
        if word == "super" {
            from.pop();
        }
    }
    from.extend(rest);
    Some(UsedPath { path: from, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let home = ["logic".to_string(), "fish".to_string()];
        let found: Vec<String> =
            paths_in_crate(source, &home).iter().map(|used| used.path.join("::")).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn finds_paths_in_every_form() {
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
        check(
            "assert!(crate::proof::check(x), \"{}\", [super::y::Z])",
            &["proof::check", "logic::y::Z"],
        );
        check(
            "macro_rules! m { () => { use $crate::grid; $crate::rate::of() } }",
            &["grid", "rate::of"],
        );
        check("fn f<'a>(x: &'a T) -> impl I + use<'a> { crate::search::f(x) }", &["search::f"]);
        check("fn f(self) { self.x; Self::y(); std::mem::swap(a, b); use ninefold::grid; }", &[]);
    }

    #[test]
    fn reads_nested_use_trees_over_several_lines() {
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
    fn resolves_super_in_inline_modules() {
        check(
            "mod inner { use super::x; mod deep { use super::super::super::y; } }\nuse super::z;",
            &["logic::fish::x", "logic::y", "logic::z"],
        );
    }

    #[test]
    fn ignores_comments_strings_and_tests() {
        check("/// [`crate::web`]\n/* use crate::web; */ let x = \"crate::web\";", &[]);
        check("#[cfg(test)]\nmod tests { use crate::generate; }\nuse crate::grid;", &["grid"]);
    }

    #[test]
    fn lists_what_the_crate_root_re_exports() {
        let exports = root_exports("pub use grid::{Cell, text::read as parse};");
        let names: Vec<(&str, &str)> =
            exports.iter().map(|used| (&*used.path[0], &*used.name)).collect();
        assert_eq!(names, [("grid", "Cell"), ("grid", "parse")]);
    }
}
