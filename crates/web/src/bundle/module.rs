//! One module: what it imports, what it declares and exports, and which of its words are names that can be given anew.
//!
//! A word is a name unless it is a property: after a dot, before the colon of an object, or the name of a method. Which
//! braces are objects, and which are blocks or classes, follows from what stands before them.

use super::BundleError;
use super::tokens::{Kind, Token, tokens_of};
use std::collections::BTreeSet;

/// A module as it was written.
#[derive(Debug)]
pub struct Module<'a> {
    /// Its file: `page.js`.
    pub name: &'a str,
    /// What it does, without the statements that import and the words that export.
    pub tokens: Vec<Token<'a>>,
    /// What each token is to its name; parallel to the tokens.
    pub roles: Vec<Role>,
    /// Its imports, in order.
    pub imports: Vec<Import<'a>>,
    /// What other modules may import.
    pub exports: BTreeSet<&'a str>,
    /// Everything it declares at its top.
    pub declared: BTreeSet<&'a str>,
}

/// A statement that imports.
#[derive(Debug)]
pub struct Import<'a> {
    /// The other module: `game.js`.
    pub from: &'a str,
    /// The line of the statement.
    pub line: usize,
    /// Their name and ours.
    pub names: Vec<(&'a str, &'a str)>,
    /// Our name for all of it: `import * as game`.
    pub whole: Option<&'a str>,
}

/// What a token is, as far as names go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A name that is declared somewhere and can be another.
    Name,
    /// A property and a name in one: `{ game }`.
    Shorthand,
    /// Neither: a property, a keyword, a sign.
    Other,
}

/// What a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Block,
    Object,
    Class,
    Other,
}

/// Words that are never names. `set`, `get` and others are keywords in a few places only, and names elsewhere.
const KEYWORDS: &str = "await break catch class const continue delete do else export extends false finally for function if \
                        import in instanceof let new null of return super this throw true try typeof undefined var void \
                        while yield";

impl<'a> Module<'a> {
    /// Reads a module.
    pub fn read(name: &'a str, source: &'a str) -> Result<Module<'a>, BundleError> {
        let tokens =
            tokens_of(source).map_err(|error| BundleError::new(name, error.line, error.what))?;
        let mut module = Module {
            name,
            tokens: Vec::with_capacity(tokens.len()),
            roles: Vec::new(),
            imports: Vec::new(),
            exports: BTreeSet::new(),
            declared: BTreeSet::new(),
        };
        module.part(&tokens)?;
        module.roles = module.roles_of_tokens()?;
        Ok(module)
    }

    fn refuse<T>(&self, line: usize, what: impl Into<String>) -> Result<T, BundleError> {
        Err(BundleError::new(self.name, line, what))
    }

    /// Takes imports and exports out of the tokens.
    fn part(&mut self, tokens: &[Token<'a>]) -> Result<(), BundleError> {
        let (mut at, mut depth, mut is_declaring) = (0, 0_usize, false);
        // What stood before the word that exports.
        let mut gap = None;
        while let Some(token) = tokens.get(at) {
            let text = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.text);
            depth = depth + opens(token) - closes(token).min(depth);
            match (depth, token.text) {
                (_, "switch" | "with" | "var")
                    if token.kind == Kind::Word && !is_property(tokens, at) =>
                {
                    return self
                        .refuse(token.line, format!("`{}` is not understood here", token.text));
                }
                (0, "import") if !["(", "."].contains(&text(1)) => {
                    at += self.import(&tokens[at..])?;
                    continue;
                }
                (0, "export") => {
                    let declares = ["const", "let", "class", "function", "async"];
                    if !declares.contains(&text(1)) {
                        return self.refuse(
                            token.line,
                            format!("`export {}` is not understood here", text(1)),
                        );
                    }
                    let name = (2..5)
                        .map(text)
                        .find(|text| !["function", "*"].contains(text))
                        .unwrap_or("");
                    self.exports.insert(name);
                    gap = Some(token.gap);
                    at += 1;
                    continue;
                }
                (0, "const" | "let") => {
                    is_declaring = true;
                    if ["[", "{"].contains(&text(1)) {
                        return self.refuse(
                            token.line,
                            "names taken apart at the top of a module are not understood here",
                        );
                    }
                    self.declared.insert(text(1));
                }
                (0, ";") => is_declaring = false,
                (0, ",") if !is_declaring => {}
                (0, "," | "class" | "function") => {
                    self.declared.insert(if text(1) == "*" { text(2) } else { text(1) });
                }
                _ => {}
            }
            self.tokens.push(Token { gap: gap.take().unwrap_or(token.gap), ..*token });
            at += 1;
        }
        Ok(())
    }

    /// Reads a statement that imports. How many tokens it has.
    fn import(&mut self, tokens: &[Token<'a>]) -> Result<usize, BundleError> {
        let line = tokens[0].line;
        let Some(end) = tokens.iter().position(|token| token.text == ";") else {
            return self.refuse(line, "an import ends with a semicolon");
        };
        let text: Vec<&'a str> = tokens[1..end].iter().map(|token| token.text).collect();
        let (what, from) = match text.as_slice() {
            [from] => (&[][..], *from),
            [what @ .., "from", from] => (what, *from),
            _ => return self.refuse(line, "an import names its file last"),
        };
        let file = from.trim_matches('"').strip_prefix("./");
        let Some(from) = file.filter(|file| !file.contains('/')) else {
            return self.refuse(line, format!("{from} is not a file beside this one"));
        };
        let mut import = Import { from, line, names: Vec::new(), whole: None };
        match what {
            [] => {}
            ["*", "as", ours] => import.whole = Some(ours),
            ["{", names @ .., "}"] => {
                for name in names.split(|text| *text == ",").filter(|name| !name.is_empty()) {
                    match name {
                        [name] => import.names.push((name, name)),
                        [theirs, "as", ours] => import.names.push((theirs, ours)),
                        _ => {
                            return self.refuse(
                                line,
                                format!("`{}` is not understood here", name.join(" ")),
                            );
                        }
                    }
                }
            }
            _ => {
                return self
                    .refuse(line, format!("`import {}` is not understood here", what.join(" ")));
            }
        }
        self.imports.push(import);
        Ok(end + 1)
    }

    /// The files that are fetched while the page runs, as what their names begin and end with.
    pub fn fetched_later(&self) -> Vec<(&'a str, &'a str, usize)> {
        let quotes: &[char] = &['"', '\'', '`'];
        let calls = self
            .tokens
            .windows(3)
            .enumerate()
            .filter(|(_, t)| t[0].text == "import" && t[1].text == "(");
        calls
            .map(|(at, call)| {
                let file = call[2];
                let closed =
                    || self.tokens[at + 3..].iter().find(|token| token.text.starts_with('}'));
                match (file.kind, file.text.strip_suffix("${")) {
                    (Kind::Template, Some(head)) => {
                        let tail = closed().map_or("", |token| &token.text[1..]);
                        (head.trim_start_matches(quotes), tail.trim_end_matches(quotes), file.line)
                    }
                    (Kind::Text | Kind::Template, _) => {
                        (file.text.trim_matches(quotes), "", file.line)
                    }
                    _ => ("an expression", "", file.line),
                }
            })
            .collect()
    }

    fn roles_of_tokens(&self) -> Result<Vec<Role>, BundleError> {
        let mut open = vec![Inside::Block];
        let mut roles = Vec::with_capacity(self.tokens.len());
        let mut awaits_class_body = false;
        for (at, token) in self.tokens.iter().enumerate() {
            if closes(token) > 0 && open.len() > 1 {
                open.pop();
            }
            let inside = *open.last().expect("the module itself is always open");
            roles.push(self.role(at, inside));
            // `class: name` is a property.
            let is_declared = self
                .tokens
                .get(at + 1)
                .is_some_and(|after| after.kind == Kind::Word || after.text == "{");
            awaits_class_body |=
                token.text == "class" && is_declared && !is_property(&self.tokens, at);
            if opens(token) > 0 {
                let is_brace = token.text == "{";
                let kind = if !is_brace {
                    Inside::Other
                } else if awaits_class_body {
                    Inside::Class
                } else {
                    self.brace(at)?
                };
                awaits_class_body &= !is_brace;
                open.push(kind);
            }
        }
        Ok(roles)
    }

    /// What a brace opens, by what stands before it.
    fn brace(&self, at: usize) -> Result<Inside, BundleError> {
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else {
            return Ok(Inside::Block);
        };
        match (before.kind, before.text) {
            (Kind::Sign, ")" | "=>" | ";" | "{" | "}") => Ok(Inside::Block),
            (Kind::Word, "else" | "try" | "finally" | "do" | "catch" | "static") => {
                Ok(Inside::Block)
            }
            (Kind::Sign, _) => Ok(Inside::Object),
            (Kind::Template, text) if text.ends_with("${") => Ok(Inside::Object),
            (
                Kind::Word,
                "return" | "const" | "let" | "of" | "in" | "await" | "yield" | "throw" | "typeof",
            ) => Ok(Inside::Object),
            _ => self.refuse(
                self.tokens[at].line,
                format!("a brace after `{}` is not understood here", before.text),
            ),
        }
    }

    fn role(&self, at: usize, inside: Inside) -> Role {
        let token = self.tokens[at];
        if token.kind != Kind::Word
            || token.text.starts_with('#')
            || KEYWORDS.split(' ').any(|keyword| keyword == token.text)
        {
            return Role::Other;
        }
        let before = |by: usize| at.checked_sub(by).map_or("", |before| self.tokens[before].text);
        let next = self.tokens.get(at + 1);
        let after = next.map_or("", |next| next.text);
        let begins = |text: &str| ["{", ","].contains(&text);
        let is_member = ["get", "set", "async", "*"].contains(&before(1)) && after == "(";
        match inside {
            _ if is_property(&self.tokens, at) => Role::Other,
            Inside::Object if begins(before(1)) => match after {
                ":" | "(" => Role::Other,
                "," | "}" | "=" => Role::Shorthand,
                // `{ get side() {} }`
                _ if next.is_some_and(|next| next.kind == Kind::Word) => Role::Other,
                _ => Role::Name,
            },
            Inside::Object if is_member && (begins(before(2)) || before(2) == "async") => {
                Role::Other
            }
            Inside::Class
                if ["{", "}", ";", "static", "get", "set", "async", "*"].contains(&before(1)) =>
            {
                Role::Other
            }
            _ => Role::Name,
        }
    }
}

fn is_property(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0 && [".", "?."].contains(&tokens[at - 1].text)
}

fn opens(token: &Token<'_>) -> usize {
    let opens_here = match token.kind {
        Kind::Sign => ["(", "[", "{"].contains(&token.text),
        Kind::Template => token.text.ends_with("${"),
        _ => false,
    };
    usize::from(opens_here)
}

fn closes(token: &Token<'_>) -> usize {
    let closes_here = match token.kind {
        Kind::Sign => [")", "]", "}"].contains(&token.text),
        Kind::Template => token.text.starts_with('}'),
        _ => false,
    };
    usize::from(closes_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> String {
        let module = Module::read("a.js", source).expect("a module");
        let roles = module.tokens.iter().zip(&module.roles);
        let shown = roles.filter_map(|(token, role)| match role {
            Role::Name => Some(token.text.to_string()),
            Role::Shorthand => Some(format!("{{{}}}", token.text)),
            Role::Other => None,
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn properties_keys_and_methods_are_no_names() {
        assert_eq!(names("a.b?.c(d ? e : f);"), "a d e f");
        assert_eq!(
            names("x = { a: b, c, d() { return e; }, async f() {}, ...g, [h]: i ? j : k, l };"),
            "x b {c} e g h i j k {l}"
        );
        assert_eq!(
            names("class A extends B { #c = d; e = f; g() { h(); } get i() { return j; } }"),
            "A B d f h j"
        );
        assert_eq!(names("x({ class: a, get b() { return c; } });"), "x a c");
    }

    #[test]
    fn what_is_taken_apart_is_shorthand_or_a_name() {
        assert_eq!(
            names("const f = ({ a, b: c, d = e }, [g]) => { for (const { h } of i) j({ h }); };"),
            "f {a} c {d} e g {h} i j {h}"
        );
        assert_eq!(names("const t = `x${ { a }.a }y${b}`;"), "t {a} b");
    }

    #[test]
    fn imports_exports_and_declarations_are_found() {
        let source = "import \"./b.js\";\nimport * as c from \"./c.js\";\nimport { d, e as f } from \"./d.js\";\n\
                      export const g = 1, h = [2, 3];\nexport async function* i() {}\nexport class J {}\nlet k;\nimport(`./w-${k}.js`);";
        let module = Module::read("a.js", source).expect("a module");
        let imports: Vec<_> = module
            .imports
            .iter()
            .map(|import| (import.from, import.names.clone(), import.whole))
            .collect();
        assert_eq!(
            imports,
            [
                ("b.js", vec![], None),
                ("c.js", vec![], Some("c")),
                ("d.js", vec![("d", "d"), ("e", "f")], None)
            ]
        );
        assert_eq!(Vec::from_iter(&module.exports), [&"J", &"g", &"i"]);
        assert_eq!(Vec::from_iter(&module.declared), [&"J", &"g", &"h", &"i", &"k"]);
        assert_eq!(module.fetched_later(), [("./w-", ".js", 8)]);
    }

    #[test]
    fn what_we_do_not_write_is_refused_with_its_place() {
        for (source, said) in [
            ("\nexport default 1;", "a.js, line 2: `export default` is not understood here"),
            ("import a from \"./b.js\";", "a.js, line 1: `import a` is not understood here"),
            (
                "import \"https://example.org/b.js\";",
                "a.js, line 1: \"https://example.org/b.js\" is not a file beside this one",
            ),
            (
                "const { a } = b;",
                "a.js, line 1: names taken apart at the top of a module are not understood here",
            ),
            ("switch (a) {}", "a.js, line 1: `switch` is not understood here"),
            ("a\n{ b }", "a.js, line 2: a brace after `a` is not understood here"),
            ("'a", "a.js, line 1: a text has no end"),
        ] {
            assert_eq!(Module::read("a.js", source).expect_err(source).to_string(), said);
        }
    }
}
