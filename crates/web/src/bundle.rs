//! Joins the page's modules into few files: each file that a slow phone asks for costs it a way to the server and back.
//!
//! The modules of a file share one scope, one after the other, those that are imported first. A top-level name that
//! another module uses for something else gets the name of its module: `change` of `page.js` becomes `change$page`.
//! `import * as game` needs no object: `game.undo` is written as the name itself. So a binding stays live, as in modules.
//!
//! The first file starts the page; a later one holds what only it needs and imports the rest from the first, and it is
//! fetched by `import("./views.js")`. Comments and indentation are left out, lines stay lines.
//!
//! This is a bundler for our own sources and reads no more of the language than they use. What it does not understand, a
//! name that nobody exports, a file that is not there and a circle of imports are errors with a place.

mod module;
mod styles;
mod tokens;

use module::{Module, Role};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
pub use styles::join_styles;
use tokens::{Gap, Kind, Token};

/// Why modules cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleError {
    file: String,
    line: usize,
    what: String,
}

impl BundleError {
    fn new(file: &str, line: usize, what: impl Into<String>) -> BundleError {
        BundleError { file: file.to_string(), line, what: what.into() }
    }
}

impl fmt::Display for BundleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, line {}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for BundleError {}

/// Joins modules, given as names and texts, into one script for each entry. A module belongs to the first entry that
/// needs it.
pub fn join_modules<'a>(
    entries: &[&'a str],
    sources: &[(&'a str, &'a str)],
) -> Result<Vec<String>, BundleError> {
    let mut bundler = Bundler { sources, modules: Vec::new(), files: Vec::new() };
    for (file, entry) in entries.iter().enumerate() {
        bundler.visit(entry, file, &mut Vec::new(), (entry, 0))?;
    }
    bundler.check_imports(entries)?;
    let finals = bundler.final_names();
    bundler.write(entries, &finals)
}

struct Bundler<'s, 'a> {
    sources: &'s [(&'a str, &'a str)],
    /// In the order in which they run.
    modules: Vec<Module<'a>>,
    /// The place among the entries of the file that each module is in.
    files: Vec<usize>,
}

/// The name that a declaration gets in the joined file, by its module and its own name.
type FinalNames<'a> = BTreeMap<(&'a str, &'a str), String>;

/// What a module uses of others: their module and its final name.
type Used<'a> = Vec<(&'a str, String)>;

impl<'a> Bundler<'_, 'a> {
    fn find(&self, name: &str) -> Option<usize> {
        self.modules.iter().position(|module| module.name == name)
    }

    /// Adds a module after all that it imports.
    fn visit(
        &mut self,
        name: &'a str,
        file: usize,
        path: &mut Vec<&'a str>,
        (asker, line): (&str, usize),
    ) -> Result<(), BundleError> {
        if let Some(start) = path.iter().position(|passed| *passed == name) {
            let circle = [&path[start..], &[name]].concat().join(" → ");
            return Err(BundleError::new(
                asker,
                line,
                format!("the imports form a circle: {circle}"),
            ));
        }
        if self.find(name).is_some() {
            return Ok(());
        }
        let Some((_, text)) = self.sources.iter().find(|(source, _)| *source == name) else {
            return Err(BundleError::new(asker, line, format!("there is no {name}")));
        };
        let module = Module::read(name, text)?;
        path.push(name);
        for import in &module.imports {
            self.visit(import.from, file, path, (name, import.line))?;
        }
        path.pop();
        self.modules.push(module);
        self.files.push(file);
        Ok(())
    }

    /// Everything that is imported is exported, and every file that is fetched later is there.
    fn check_imports(&self, entries: &[&str]) -> Result<(), BundleError> {
        for module in &self.modules {
            for import in &module.imports {
                let from = &self.modules[self.find(import.from).expect("imports were visited")];
                for (theirs, _) in &import.names {
                    if !from.exports.contains(theirs) {
                        let what = format!("{} does not export {theirs}", from.name);
                        return Err(BundleError::new(module.name, import.line, what));
                    }
                }
            }
            for (head, tail, line) in module.fetched_later() {
                let fits = |entry: &&str| {
                    format!("./{entry}").strip_prefix(head).is_some_and(|rest| rest.ends_with(tail))
                };
                if !entries.iter().any(fits) {
                    let what =
                        format!("{head}{tail} is fetched later and is not a file of its own");
                    return Err(BundleError::new(module.name, line, what));
                }
            }
        }
        Ok(())
    }

    /// A name stays as it is where no other module uses it for anything else, be it a name of the browser.
    fn final_names(&self) -> FinalNames<'a> {
        let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for module in &self.modules {
            for (token, role) in module.tokens.iter().zip(&module.roles) {
                if *role != Role::Other {
                    users.entry(token.text).or_default().insert(module.name);
                }
            }
        }
        let imports_it = |user: &str, owner: &str, name: &str| {
            let module = &self.modules[self.find(user).expect("a user is a module")];
            module
                .imports
                .iter()
                .any(|import| import.from == owner && import.names.contains(&(name, name)))
        };
        let mut finals = FinalNames::new();
        for module in &self.modules {
            for name in &module.declared {
                let others =
                    users.get(name).into_iter().flatten().filter(|user| **user != module.name);
                let mut given = (*name).to_string();
                if others.into_iter().any(|user| !imports_it(user, module.name, name)) {
                    let stem = module
                        .name
                        .trim_end_matches(".js")
                        .replace(|c: char| !c.is_alphanumeric(), "_");
                    given = format!("{name}${stem}");
                }
                while given != **name && users.contains_key(given.as_str()) {
                    given.push('$');
                }
                finals.insert((module.name, name), given);
            }
        }
        finals
    }

    fn write(&self, entries: &[&str], finals: &FinalNames<'a>) -> Result<Vec<String>, BundleError> {
        let mut bodies = vec![String::new(); entries.len()];
        // What each file takes from the others, and gives: as (file, name there) and as `name as exported`.
        let mut takes = vec![BTreeSet::new(); entries.len()];
        let mut gives = vec![BTreeSet::new(); entries.len()];
        for (module, file) in self.modules.iter().zip(&self.files) {
            let (text, used) = self.rewrite(module, finals)?;
            bodies[*file].push_str(&text);
            for (from, name) in used {
                let other = self.files[self.find(from).expect("imports were visited")];
                if other != *file {
                    takes[*file].insert((other, name.clone()));
                    gives[other].insert(name);
                }
            }
            if entries[*file] == module.name {
                for name in &module.exports {
                    let given = &finals[&(module.name, *name)];
                    gives[*file].insert(if given == name {
                        given.clone()
                    } else {
                        format!("{given} as {name}")
                    });
                }
            }
        }
        let files = bodies.into_iter().zip(takes).zip(gives);
        Ok(files
            .map(|((body, takes), gives)| {
                [imports(entries, &takes), body, exports(&gives)].concat()
            })
            .collect())
    }

    /// A module with its final names.
    fn rewrite(
        &self,
        module: &Module<'a>,
        finals: &FinalNames<'a>,
    ) -> Result<(String, Used<'a>), BundleError> {
        let mut names: BTreeMap<&str, &str> = BTreeMap::new();
        let mut wholes: BTreeMap<&str, &'a str> = BTreeMap::new();
        let mut used = Vec::new();
        for name in &module.declared {
            names.insert(name, &finals[&(module.name, *name)]);
        }
        for import in &module.imports {
            wholes.extend(import.whole.map(|ours| (ours, import.from)));
            for (theirs, ours) in &import.names {
                names.insert(ours, &finals[&(import.from, *theirs)]);
                used.push((import.from, finals[&(import.from, *theirs)].clone()));
            }
        }
        let mut writer = Writer::default();
        let mut at = 0;
        while let Some(token) = module.tokens.get(at) {
            let role = module.roles[at];
            if let Some(from) = wholes.get(token.text).copied().filter(|_| role != Role::Other) {
                let name = self.member(module, at, from, finals)?;
                writer.put(token, name);
                used.push((from, name.to_string()));
                at += 3;
                continue;
            }
            match (names.get(token.text), role) {
                (Some(name), Role::Name) => writer.put(token, name),
                (Some(name), Role::Shorthand) if *name != token.text => {
                    writer.put(token, &format!("{}: {name}", token.text))
                }
                _ => writer.put(token, token.text),
            }
            at += 1;
        }
        Ok((format!("// {}\n{}\n", module.name, writer.text), used))
    }

    /// The final name of `game.undo`. The name of a whole module is used in no other way, so nothing can hide it.
    fn member<'f>(
        &self,
        module: &Module<'a>,
        at: usize,
        from: &'a str,
        finals: &'f FinalNames<'a>,
    ) -> Result<&'f str, BundleError> {
        let whole = module.tokens[at];
        let member = match &module.tokens[at + 1..] {
            [dot, name, ..] if dot.text == "." && module.roles[at] == Role::Name => name.text,
            _ => "",
        };
        let exporter = &self.modules[self.find(from).expect("imports were visited")];
        match exporter.exports.get(member) {
            Some(name) => Ok(&finals[&(from, *name)]),
            None if member.is_empty() => {
                let what = format!(
                    "`{0}` is all of {from} and can only be used as `{0}.name`",
                    whole.text
                );
                Err(BundleError::new(module.name, whole.line, what))
            }
            None => Err(BundleError::new(
                module.name,
                whole.line,
                format!("{from} does not export {member}"),
            )),
        }
    }
}

fn imports(entries: &[&str], takes: &BTreeSet<(usize, String)>) -> String {
    let from = |file: usize| {
        let names: Vec<&str> = takes
            .iter()
            .filter(|(other, _)| *other == file)
            .map(|(_, name)| name.as_str())
            .collect();
        (!names.is_empty())
            .then(|| format!("import {{ {} }} from \"./{}\";\n", names.join(", "), entries[file]))
    };
    (0..entries.len()).filter_map(from).collect()
}

fn exports(gives: &BTreeSet<String>) -> String {
    let names = Vec::from_iter(gives.iter().map(String::as_str));
    if names.is_empty() { String::new() } else { format!("export {{ {} }};\n", names.join(", ")) }
}

/// Writes tokens with no more between them than they need.
#[derive(Default)]
struct Writer {
    text: String,
    last: Option<(Kind, char)>,
}

impl Writer {
    fn put(&mut self, token: &Token<'_>, text: &str) {
        match (token.gap, self.last) {
            (_, None) | (Gap::None, _) => {}
            (Gap::Line, _) => self.text.push('\n'),
            (Gap::Space, Some(last)) if needs_space(last, token) => self.text.push(' '),
            (Gap::Space, _) => {}
        }
        self.text.push_str(text);
        self.last = text.chars().next_back().map(|end| (token.kind, end));
    }
}

/// Words would run into words, and signs into signs, unless one of them is a bracket, a comma or a semicolon.
fn needs_space((last, end): (Kind, char), next: &Token<'_>) -> bool {
    let is_wordy = |kind: Kind| matches!(kind, Kind::Word | Kind::Number | Kind::Pattern);
    let stands_alone = |sign: char| "()[]{},;".contains(sign);
    let begin = next.text.chars().next().unwrap_or(' ');
    match (last, next.kind) {
        (Kind::Sign, Kind::Sign | Kind::Pattern) => !stands_alone(end) && !stands_alone(begin),
        (Kind::Number, Kind::Sign) => begin == '.',
        (last, next) => is_wordy(last) && is_wordy(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sources: &[(&str, &str)], expected: &str) {
        assert_eq!(join_modules(&["a.js"], sources).expect("the modules join"), [expected]);
    }

    fn refused(sources: &[(&str, &str)], expected: &str) {
        assert_eq!(
            join_modules(&["a.js"], sources).expect_err("the modules do not join").to_string(),
            expected
        );
    }

    #[test]
    fn modules_come_after_what_they_import_and_once() {
        check(
            &[
                (
                    "a.js",
                    "// Starts.\nimport { b } from \"./b.js\";\nimport { c } from \"./c.js\";\n\nb(c);",
                ),
                ("b.js", "import { c } from \"./c.js\";\nexport const b = (d) => d + c;"),
                ("c.js", "export let c = 1;"),
            ],
            "// c.js\nlet c=1;\n// b.js\nconst b=(d)=>d+c;\n// a.js\nb(c);\n",
        );
    }

    #[test]
    fn names_that_clash_get_the_name_of_their_module() {
        check(
            &[
                (
                    "a.js",
                    "import { open as show } from \"./my-b.js\";\nconst open = { open: 1 };\nshow({ open, show });\nhistory.open();",
                ),
                ("my-b.js", "export function open(value) { return history.state ?? value.open; }"),
            ],
            "// my-b.js\nfunction open$my_b(value){return history.state??value.open;}\n\
             // a.js\nconst open$a={open:1};\nopen$my_b({open: open$a,show: open$my_b});\nhistory.open();\n",
        );
    }

    #[test]
    fn a_name_that_another_module_means_as_the_browsers_is_another() {
        check(
            &[
                ("a.js", "import { b } from \"./b.js\";\nclose(b);"),
                ("b.js", "const close = 1;\nexport const b = close;"),
            ],
            "// b.js\nconst close$b=1;\nconst b=close$b;\n// a.js\nclose(b);\n",
        );
    }

    #[test]
    fn whole_modules_are_used_by_their_names() {
        let b = ("b.js", "export let state = 0;\nexport const set = (to) => (state = to);");
        check(
            &[("a.js", "import * as b from \"./b.js\";\nb.set({ b: b.state });\nx.b();"), b],
            "// b.js\nlet state=0;\nconst set=(to)=>(state=to);\n// a.js\nset({b:state});\nx.b();\n",
        );
        refused(
            &[("a.js", "import * as b from \"./b.js\";\n\nb.get();"), b],
            "a.js, line 3: b.js does not export get",
        );
        for source in ["f(b);", "const f = (b) => b.set;", "const { b } = c();"] {
            let source =
                format!("import * as b from \"./b.js\";\nexport function f() {{ {source} }}");
            refused(
                &[("a.js", &source), b],
                "a.js, line 2: `b` is all of b.js and can only be used as `b.name`",
            );
        }
    }

    #[test]
    fn what_is_missing_and_what_goes_in_circles_has_a_place() {
        refused(&[("a.js", "\nimport \"./b.js\";")], "a.js, line 2: there is no b.js");
        refused(
            &[("a.js", "import { c } from \"./b.js\";"), ("b.js", "const c = 1;")],
            "a.js, line 1: b.js does not export c",
        );
        refused(
            &[
                ("a.js", "import \"./b.js\";"),
                ("b.js", "import \"./c.js\";"),
                ("c.js", "\n\nimport \"./b.js\";"),
            ],
            "c.js, line 3: the imports form a circle: b.js → c.js → b.js",
        );
        refused(
            &[("a.js", "import(\"./b.js\");")],
            "a.js, line 1: ./b.js is fetched later and is not a file of its own",
        );
    }

    #[test]
    fn a_later_file_takes_what_the_first_one_has() {
        let sources = [
            (
                "a.js",
                "import { state } from \"./page.js\";\nf(state);\nimport(\"./later.js\").then(({ words }) => words);",
            ),
            (
                "later.js",
                "import * as page from \"./page.js\";\nimport { only } from \"./only.js\";\nexport const words = [page.state, only];",
            ),
            ("only.js", "import { state } from \"./page.js\";\nexport const only = () => state;"),
            ("page.js", "export let state = 1;"),
        ];
        let files = join_modules(&["a.js", "later.js"], &sources).expect("the modules join");
        assert_eq!(
            files,
            [
                "// page.js\nlet state=1;\n// a.js\nf(state);\nimport(\"./later.js\").then(({words})=>words);\nexport { state };\n",
                "import { state } from \"./a.js\";\n// only.js\nconst only=()=>state;\n\
                 // later.js\nconst words$later=[state,only];\nexport { words$later as words };\n",
            ]
        );
    }

    #[test]
    fn spaces_stay_where_they_are_needed() {
        check(
            &[(
                "a.js",
                "const a = typeof b === \"c\" ? - - d : e / /f/g.g;\nfor (const x of [1, 2]) y(x)\n  ++z",
            )],
            "// a.js\nconst a=typeof b===\"c\"? - -d:e/ /f/g.g;\nfor(const x of[1,2])y(x)\n++z\n",
        );
    }
}
