//! Recipes: the steps and the claims of a result, as TOML files in `experiments/reproduce`.

use crate::error::CliError;
use ninefold_neural::device::Device;
use serde::Deserialize;

/// Embeds files of `experiments`, as pairs of a path and its text.
macro_rules! embed {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../experiments/", $path)))),+]
    };
}

/// The recipes, in the order of `PAPERS.md`.
const RECIPES: &[(&str, &str)] = embed![
    "reproduce/search.toml",
    "reproduce/six-rules.toml",
    "reproduce/kocherzhenko-generator.toml",
    "reproduce/rrn.toml",
    "reproduce/rem.toml",
    "reproduce/rem-board.toml",
    "reproduce/rem-relations.toml",
    "reproduce/rem-controls.toml",
    "reproduce/commitments.toml",
    "reproduce/rrn-speed.toml",
    "reproduce/cnn.toml",
    "reproduce/cnn-batch-256.toml",
    "reproduce/cnn-curve.toml",
    "reproduce/multiverse-data.toml",
    "reproduce/multiverse.toml",
    "reproduce/multiverse-kinds.toml",
    "reproduce/multiverse-baseline.toml",
    "reproduce/multiverse-9x9.toml",
    "reproduce/dupree.toml",
    "reproduce/staged.toml",
    "reproduce/staged-others.toml",
    "reproduce/hopfield-trace.toml",
    "reproduce/hopfield-hints.toml",
    "reproduce/kaleidoscope.toml",
    "reproduce/kaleidoscope-start.toml",
    "reproduce/kaleidoscope-ablations.toml",
    "reproduce/kaleidoscope-rules.toml",
    "reproduce/kaleidoscope-variants.toml",
];

/// The experiments that recipes train.
const EXPERIMENTS: &[(&str, &str)] = embed![
    "rrn/curriculum.toml",
    "rrn/stays.toml",
    "rrn/stays-2.toml",
    "rem/rem.toml",
    "rem/board-1.toml",
    "rem/board-2.toml",
    "rem/counts.toml",
    "rem/control.toml",
    "rem/probe.toml",
    "rem/joint-1.toml",
    "rem/joint-2.toml",
    "cnn/batch_256.toml",
    "multiverse/m10.toml",
    "multiverse/m6.toml",
    "multiverse/m5.toml",
    "multiverse/one-lstm.toml",
    "multiverse/no-conv.toml",
    "multiverse/no-dense.toml",
    "multiverse/no-lstm.toml",
    "multiverse/order-3.toml",
    "staged/one_byte.toml",
    "kaleidoscope/2026-11-17-h200-fast.toml",
    "kaleidoscope/2026-11-17-h200-fast-longer.toml",
    "kaleidoscope/2026-11-17-h200-exchanged-a.toml",
    "kaleidoscope/2026-11-17-h200-exchanged-b.toml",
    "kaleidoscope/2026-11-17-h200-mined.toml",
    "kaleidoscope/2026-11-17-h200-longer.toml",
    "kaleidoscope/2026-11-17-h200-ablations.toml",
    "kaleidoscope/rules.toml",
    "kaleidoscope/2026-11-19-h200-variants.toml",
    "kaleidoscope/2026-11-19-h200-variants-longer-1.toml",
    "kaleidoscope/2026-11-19-h200-variants-longer-2.toml",
    "kaleidoscope/2026-11-19-h200-variants-sums-1.toml",
    "kaleidoscope/2026-11-19-h200-variants-sums-2.toml",
];

/// How much of a recipe runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Full,
    /// The shipped weights are measured, and nothing is trained.
    Shipped,
    /// Every step, with as little work as possible.
    Tiny,
}

impl Mode {
    /// The end of the name of the directory.
    pub fn suffix(self) -> &'static str {
        match self {
            Mode::Full => "",
            Mode::Shipped => "-shipped",
            Mode::Tiny => "-tiny",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    #[serde(skip)]
    pub name: &'static str,
    pub title: String,
    pub paper: String,
    /// The record of our run.
    pub record: String,
    /// What the complete recipe costs.
    pub cost: String,
    /// How the recipe differs from the record.
    #[serde(default)]
    pub note: Option<String>,
    /// The puzzle lists that the steps read from the directory `lists`.
    #[serde(default)]
    pub lists: Vec<String>,
    pub steps: Vec<Step>,
    pub claims: Vec<Claim>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A subcommand with its arguments. `{device}` becomes the option for the device,
    /// `{weights DIR}` the option for the weights of a run, and `{full|tiny}` one of two texts.
    run: Option<String>,
    /// The model to train in the directory `out`.
    train: Option<String>,
    out: Option<String>,
    /// The experiment to train: a file in `experiments`.
    config: Option<String>,
    /// Changes to the experiment, as TOML.
    #[serde(default)]
    set: String,
    /// More changes, for a tiny run.
    #[serde(default)]
    tiny: String,
    /// The name of the file for the output.
    save: Option<String>,
    /// Repeats the step for each value, which replaces `$VALUE`.
    #[serde(default)]
    each: Vec<String>,
    /// Whether the step is only for runs that train.
    #[serde(default)]
    training_only: bool,
}

/// A number, figure or statement of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub what: String,
    #[serde(default = "none")]
    pub paper: String,
    pub ours: String,
    /// The file with the output that contains the number.
    pub from: String,
    /// The place of the number among the JSON values of the output.
    pub json: Option<String>,
    /// A regular expression whose first group is the number, for output that is not JSON.
    pub find: Option<String>,
    #[serde(default = "one")]
    pub factor: f64,
    #[serde(default = "two")]
    pub decimals: usize,
    /// Whether every complete run must give our number.
    #[serde(default)]
    pub exact: bool,
}

fn none() -> String {
    "–".to_string()
}

fn one() -> f64 {
    1.0
}

fn two() -> usize {
    2
}

/// A command of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub arguments: Vec<String>,
    /// The path and the text of the experiment file.
    pub config: Option<(String, String)>,
    /// The directory of a training run.
    pub run: Option<String>,
    pub save: Option<String>,
}

impl Command {
    /// The command as a user would type it.
    pub fn shown(&self) -> String {
        let save = self.save.as_ref().map(|file| format!(" > {file}")).unwrap_or_default();
        format!("ninefold {}{save}", self.arguments.join(" "))
    }
}

impl Recipe {
    /// All recipes with their names.
    pub fn all() -> impl Iterator<Item = Recipe> {
        RECIPES.iter().map(|(path, text)| {
            let name = path.strip_prefix("reproduce/").and_then(|name| name.strip_suffix(".toml"));
            let name = name.expect("a recipe is a TOML file in the directory reproduce");
            let recipe = toml::from_str::<Recipe>(text);
            Recipe { name, ..recipe.unwrap_or_else(|error| panic!("{path}: {error}")) }
        })
    }

    pub fn named(name: &str) -> Result<Recipe, CliError> {
        let unknown = || {
            let names: Vec<&str> = Recipe::all().map(|recipe| recipe.name).collect();
            CliError::new(format!("unknown result {name:?}"))
                .hint(format!("possible values: {}", names.join(", ")))
        };
        Recipe::all().find(|recipe| recipe.name == name).ok_or_else(unknown)
    }

    /// Whether the shipped weights can be measured.
    pub fn supports_shipped(&self) -> bool {
        self.steps.iter().any(|step| step.train.is_some())
            && self.steps.iter().any(|step| step.text().contains("{weights "))
    }

    /// The commands of a mode, in order.
    pub fn commands(&self, mode: Mode, device: Device) -> Result<Vec<Command>, CliError> {
        if mode == Mode::Shipped && !self.supports_shipped() {
            let message = format!("--shipped cannot be used with {}", self.name);
            return Err(CliError::new(message).hint("it measures no shipped weights"));
        }
        let trains = |step: &&Step| step.train.is_some() || step.training_only;
        let steps = self.steps.iter().filter(|step| mode != Mode::Shipped || !trains(step));
        let mut commands: Vec<Command> = Vec::new();
        for step in steps {
            let once = [String::new()];
            let values = if step.each.is_empty() { &once[..] } else { &step.each[..] };
            for value in values {
                commands.push(step.command(value, mode, device, commands.len() + 1));
            }
        }
        Ok(commands)
    }
}

impl Step {
    fn text(&self) -> &str {
        self.run.as_deref().unwrap_or_default()
    }

    fn command(&self, value: &str, mode: Mode, device: Device, number: usize) -> Command {
        let fill = |text: &str| text.replace("$VALUE", value);
        let save = self.save.as_deref().map(|file| format!("outputs/{}", fill(file)));
        let Some(model) = &self.train else {
            let text = substitute(&fill(self.text()), mode, device);
            let arguments = text.split_whitespace().map(str::to_string).collect();
            return Command { arguments, config: None, run: None, save };
        };
        let out = fill(self.out.as_deref().expect("a training step names its directory"));
        let path = format!("configs/{number:02}.toml");
        let mut arguments: Vec<String> =
            ["train", model, "--config", &path, "--out", &out].map(str::to_string).into();
        if device == Device::Gpu {
            arguments.extend(["--device".to_string(), "gpu".to_string()]);
        }
        let base = self.config.as_deref().map_or("", |config| experiment(config));
        let mut changes = table(base);
        merge(&mut changes, table(&fill(&self.set)));
        if mode == Mode::Tiny {
            merge(&mut changes, table(&fill(&self.tiny)));
        }
        Command { arguments, config: Some((path, changes.to_string())), run: Some(out), save }
    }
}

fn experiment(path: &str) -> &'static str {
    let found = EXPERIMENTS.iter().find(|(name, _)| *name == path);
    found.unwrap_or_else(|| panic!("the experiment {path} is not embedded")).1
}

fn table(text: &str) -> toml::Table {
    text.parse().unwrap_or_else(|error| panic!("a recipe contains invalid TOML: {error}\n{text}"))
}

/// Replaces and adds values; tables are merged.
fn merge(into: &mut toml::Table, changes: toml::Table) {
    for (key, value) in changes {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Replaces the parts in braces.
fn substitute(text: &str, mode: Mode, device: Device) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').expect("every brace of a recipe is closed");
        result += before;
        rest = after;
        if let Some((full, tiny)) = inside.split_once('|') {
            result += if mode == Mode::Tiny { tiny } else { full };
        } else if let Some(run) = inside.strip_prefix("weights ") {
            if mode != Mode::Shipped {
                result += &format!("--weights {run}/weights.safetensors");
            }
        } else {
            assert_eq!(inside, "device", "an unknown placeholder of a recipe");
            result += if device == Device::Gpu { "--device gpu" } else { "" };
        }
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_recipe_has_commands_and_claims_that_refer_to_them() {
        for recipe in Recipe::all() {
            for mode in [Mode::Full, Mode::Tiny] {
                let commands = recipe.commands(mode, Device::Cpu).unwrap();
                let saved: BTreeSet<&str> =
                    commands.iter().filter_map(|command| command.save.as_deref()).collect();
                for claim in &recipe.claims {
                    let name = recipe.name;
                    let from = format!("outputs/{}", claim.from);
                    assert!(
                        mode == Mode::Tiny
                            || saved.contains(&*from)
                            || commands
                                .iter()
                                .any(|c| c.arguments.iter().any(|a| {
                                    a.starts_with("outputs/") && from.starts_with(&**a)
                                })),
                        "{name}: nothing writes {from}"
                    );
                    assert!(claim.json.is_some() != claim.find.is_some(), "{name}: {}", claim.what);
                }
            }
            assert!(!recipe.claims.is_empty(), "{}", recipe.name);
        }
    }

    #[test]
    fn every_file_in_the_directory_of_recipes_is_embedded() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/reproduce");
        let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
        let files: BTreeSet<String> =
            files.map(|name| name.into_string().unwrap().replace(".toml", "")).collect();
        let names: BTreeSet<String> = Recipe::all().map(|recipe| recipe.name.to_string()).collect();
        assert_eq!(files, names);
    }

    /// `PAPERS.md` contains a table of all claims of each paper between two comments.
    /// `BLESS=1 cargo test -p ninefold-cli` writes the tables; review the difference.
    #[test]
    fn papers_md_lists_every_claim() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../PAPERS.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let papers: BTreeSet<String> = Recipe::all().map(|recipe| recipe.paper).collect();
        let mut expected = text.clone();
        for paper in &papers {
            let start = format!("<!-- claims: {paper} -->\n");
            let (before, rest) = expected.split_once(&start).unwrap_or_else(|| {
                panic!("PAPERS.md has no place for the claims of {paper}: {start}")
            });
            let (_, after) = rest.split_once("<!-- end of the claims -->").expect("an end");
            let table = table_of_claims(paper);
            expected = format!("{before}{start}\n{table}\n<!-- end of the claims -->{after}");
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &expected).unwrap();
        } else {
            assert!(text == expected, "PAPERS.md is not up to date; BLESS=1 updates it");
        }
    }

    fn table_of_claims(paper: &str) -> String {
        let mut table = "| `ninefold reproduce` | claim | paper | ours | record |\n\
                         |---|---|---:|---:|---|\n"
            .to_string();
        for recipe in Recipe::all().filter(|recipe| recipe.paper == paper) {
            let record = match recipe.record.as_str() {
                "PAPERS.md" => "this page".to_string(),
                path => format!("[record]({path})"),
            };
            for (index, claim) in recipe.claims.iter().enumerate() {
                let (name, record) = match index {
                    0 => (format!("`{}`", recipe.name), record.as_str()),
                    _ => (String::new(), ""),
                };
                let Claim { what, paper, ours, .. } = claim;
                table += &format!("| {name} | {what} | {paper} | {ours} | {record} |\n");
            }
        }
        table
    }

    #[test]
    fn every_command_of_a_recipe_exists() {
        use clap::Parser;
        for recipe in Recipe::all() {
            for mode in [Mode::Full, Mode::Tiny] {
                for command in recipe.commands(mode, Device::Cpu).unwrap() {
                    let typed = std::iter::once("ninefold".to_string()).chain(command.arguments);
                    let parsed = crate::arguments::Ninefold::try_parse_from(typed);
                    assert!(parsed.is_ok(), "{}: {}", recipe.name, parsed.unwrap_err());
                }
            }
        }
    }

    #[test]
    fn records_exist() {
        for recipe in Recipe::all() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&recipe.record);
            assert!(path.exists(), "{}: {}", recipe.name, recipe.record);
        }
    }

    #[test]
    fn parts_in_braces_depend_on_the_mode_and_the_device() {
        let text = "evaluate rrn {weights runs/a} {device} list {|--limit 4} {--all|}";
        let words = |mode, device| substitute(text, mode, device);
        assert_eq!(
            words(Mode::Full, Device::Cpu).split_whitespace().collect::<Vec<_>>().join(" "),
            "evaluate rrn --weights runs/a/weights.safetensors list --all"
        );
        assert_eq!(
            words(Mode::Shipped, Device::Gpu).split_whitespace().collect::<Vec<_>>().join(" "),
            "evaluate rrn --device gpu list --all"
        );
        assert!(words(Mode::Tiny, Device::Cpu).contains("--limit 4"));
    }

    #[test]
    fn changes_are_merged_into_tables() {
        let mut merged = table("a = 1\n[b]\nc = 2\nd = 3");
        merge(&mut merged, table("b.c = 5\ne = 6"));
        assert_eq!(merged, table("a = 1\ne = 6\n[b]\nc = 5\nd = 3"));
    }
}
