//! The puzzle lists that recipes read: their public sources, and how to generate others.

use crate::error::CliError;
use crate::reproduce::recipe::Mode;
use std::path::{Path, PathBuf};

/// Where users keep lists, and whether missing ones may be generated.
pub struct Lists<'a> {
    pub directory: Option<&'a Path>,
    pub generate: bool,
}

/// A puzzle list.
pub struct List {
    pub name: &'static str,
    /// Names under which the list is known, without the ending of the file.
    files: &'static [&'static str],
    /// The public source.
    source: &'static str,
    /// The command that generates such puzzles, with `{out}` for the file.
    generate: &'static str,
    /// The same for a tiny run.
    tiny: &'static str,
}

const LISTS: [List; 12] = [
    List {
        name: "17_clue",
        files: &["17_clue", "17", "puzzles2_17_clue", "sudoku_17_clue"],
        source: "Gordon Royle's puzzles with 17 clues: puzzles2_17_clue of the benchmark data of \
                 tdoku, https://github.com/t-dillon/tdoku",
        generate: "generate --climb fewer-clues --minutes 600 --count 5000 --out {out}",
        tiny: "generate --minimal --count 60 --seed 5 --out {out}",
    },
    List {
        name: "kaggle",
        files: &["kaggle", "sudoku", "kaggle_easy_10000"],
        source: "\"1 million Sudoku games\" by Kyubyong Park on Kaggle: sudoku.csv",
        generate: "generate --kaggle --count 10000 --seed 777 --out {out}",
        tiny: "generate --kaggle --count 30 --seed 777 --out {out}",
    },
    List {
        name: "forum",
        files: &["forum", "puzzles5_forum_hardest_1905_11+", "forum_hardest_1905_er11plus"],
        source: "puzzles5_forum_hardest_1905_11+ of tdoku, https://github.com/t-dillon/tdoku",
        generate: "generate --climb dupree --minutes 60 --count 1000 --out {out}",
        tiny: "generate --minimal --count 40 --seed 6 --out {out}",
    },
    List {
        name: "forum_1106",
        files: &["forum_1106", "puzzles6_forum_hardest_1106", "forum_hardest_1106"],
        source: "puzzles6_forum_hardest_1106 of tdoku, https://github.com/t-dillon/tdoku",
        generate: "generate --climb dupree --minutes 60 --count 300 --seed 2 --out {out}",
        tiny: "generate --minimal --count 6 --seed 7 --out {out}",
    },
    List {
        name: "magictour",
        files: &["magictour", "puzzles3_magictour_top1465", "magictour_top1465"],
        source: "puzzles3_magictour_top1465 of tdoku, https://github.com/t-dillon/tdoku",
        generate: "generate --minimal --difficulty expert-extreme --count 1000 --out {out}",
        tiny: "generate --minimal --count 6 --seed 8 --out {out}",
    },
    List {
        name: "random",
        files: &["random", "random_minimal_generated"],
        source: "none; it is generated",
        generate: "generate --minimal --count 80000 --seed 1 --out {out}",
        tiny: "generate --minimal --count 60 --seed 9 --out {out}",
    },
    List {
        name: "16x16_easy",
        files: &["16x16_easy", "sudoku_16x16_easy"],
        source: "sudoku_16x16.json of https://github.com/zengjunjie1026/sokudu_llm",
        generate: "generate --size 16 --clues 140 --count 200 --seed 3 --out {out}",
        tiny: "generate --size 16 --clues 180 --count 2 --seed 3 --out {out}",
    },
    List {
        name: "norvig_top95",
        files: &["norvig_top95", "top95"],
        source: "top95.txt of https://norvig.com/sudoku.html",
        generate: "generate --minimal --difficulty expert --count 95 --seed 12 --out {out}",
        tiny: "generate --minimal --count 2 --seed 12 --out {out}",
    },
    List {
        name: "norvig_easy50",
        files: &["norvig_easy50", "easy50"],
        source: "easy50.txt of https://norvig.com/sudoku.html",
        generate: "generate --difficulty easy --count 50 --seed 13 --out {out}",
        tiny: "generate --kaggle --count 2 --seed 13 --out {out}",
    },
    List {
        name: "norvig_hardest",
        files: &["norvig_hardest", "hardest"],
        source: "hardest.txt of https://norvig.com/sudoku.html",
        generate: "generate --minimal --difficulty extreme --count 11 --seed 14 --out {out}",
        tiny: "generate --minimal --count 2 --seed 14 --out {out}",
    },
    List {
        name: "unbiased",
        files: &["unbiased", "puzzles1_unbiased", "unbiased_minimal"],
        source: "puzzles1_unbiased of tdoku, https://github.com/t-dillon/tdoku",
        generate: "generate --method unbiased --count 1000 --seed 16 --out {out}",
        tiny: "generate --minimal --count 4 --seed 16 --out {out}",
    },
    List {
        name: "variants",
        files: &["variants", "verified"],
        source: "puzzles with rules in any format that Ninefold reads, with their solutions",
        generate: "generate --rules killer --count 500 --seed 4 --out {out}",
        tiny: "generate --rules killer --size 4 --count 4 --seed 4 --out {out}",
    },
];

pub fn named(name: &str) -> &'static List {
    let found = LISTS.iter().find(|list| list.name == name);
    found.unwrap_or_else(|| panic!("the list {name} is unknown"))
}

/// How a list comes into the directory of a recipe.
pub enum Origin {
    Copy(PathBuf),
    Generate(Vec<String>),
}

impl Lists<'_> {
    /// The origin of each list. Lists that are missing and may not be generated are an error,
    /// with their public sources.
    pub fn origins(&self, lists: &[&'static List], mode: Mode) -> Result<Vec<Origin>, CliError> {
        let mut origins = Vec::new();
        let mut missing = Vec::new();
        for &list in lists {
            let words = |command: &str| {
                let out = list.path();
                command.replace("{out}", &out).split_whitespace().map(str::to_string).collect()
            };
            match self.find(list)? {
                _ if mode == Mode::Tiny => origins.push(Origin::Generate(words(list.tiny))),
                Some(path) => origins.push(Origin::Copy(path)),
                None if self.generate => origins.push(Origin::Generate(words(list.generate))),
                None => missing.push(list),
            }
        }
        if missing.is_empty() {
            return Ok(origins);
        }
        let names: Vec<&str> = missing.iter().map(|list| list.name).collect();
        let message = match self.directory {
            Some(directory) => {
                format!("{} does not contain the list {}", directory.display(), names.join(", "))
            }
            None => {
                format!("the list {} is needed; pass its directory as --lists", names.join(", "))
            }
        };
        let mut hint = String::new();
        for list in missing {
            hint += &format!(
                "{}: a file named {}, with any ending and compressed or not; source: {}\n      ",
                list.name,
                list.files.join(" or "),
                list.source
            );
        }
        hint += "--generate-lists generates similar puzzles instead";
        Err(CliError::new(message).hint(hint))
    }

    /// The file of a list in the directory of the user.
    fn find(&self, list: &List) -> Result<Option<PathBuf>, CliError> {
        let Some(directory) = self.directory else { return Ok(None) };
        let cannot_read = |error| CliError::cannot_read(directory.display(), error);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(directory).map_err(cannot_read)? {
            let path = entry.map_err(cannot_read)?.path();
            let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_name = |name: &&str| {
                file.strip_prefix(*name).is_some_and(|end| end.is_empty() || end.starts_with('.'))
            };
            if let Some(rank) = list.files.iter().position(is_name) {
                found.push((rank, path));
            }
        }
        found.sort();
        Ok(found.into_iter().next().map(|(_, path)| path))
    }
}

impl List {
    /// The file in the directory of a recipe.
    pub fn path(&self) -> String {
        format!("lists/{}.txt", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn the_commands_that_generate_lists_exist() {
        for list in &LISTS {
            for command in [list.generate, list.tiny] {
                let command = format!("ninefold {command}").replace("{out}", &list.path());
                let parsed = crate::arguments::Ninefold::try_parse_from(command.split(' '));
                assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
            }
        }
    }
}
