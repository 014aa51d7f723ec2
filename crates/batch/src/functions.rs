//! The functions: this is where we list what SQL can ask of Ninefold, once for every process that must know it.
//!
//! A [`Function`] says its name, its arguments, its result and a line of help, and has a body that answers for all rows of a
//! batch together. The local engine, the scheduler, the executors, the client and the help text are all made from one list
//! of them ([`ALL`]), so a function that is added to it is known everywhere.
//!
//! A row that has no answer is NULL and never the end of a query; `why`, `why_unrated` and `why_unpredicted` say
//! the reason.

mod grids;
mod outcome;
mod prediction;
mod rating;
mod rows;
mod solving;
mod steps;

pub use rows::Rows;
pub(crate) use rows::{columns, count as row_count};

use arrow::array::ArrayRef;
use arrow::datatypes::DataType;

/// A function of one or several columns.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name in SQL.
    pub name: &'static str,
    /// What it takes.
    pub arguments: &'static [Argument],
    /// What it gives; every row may be NULL.
    pub result: Kind,
    /// What it is for, in one line.
    pub help: &'static str,
    /// The answers for all rows of a batch.
    pub body: fn(&Rows<'_>) -> ArrayRef,
}

/// What a function takes.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name in the help text.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// The values it may have where it is a constant; any, if there are none.
    pub choices: &'static [&'static str],
}

/// A type of values, as SQL names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Truth,
}

impl Kind {
    /// The type of a column.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Kind::Text => DataType::Utf8,
            Kind::Integer => DataType::Int64,
            Kind::Number => DataType::Float64,
            Kind::Truth => DataType::Boolean,
        }
    }

    /// Its name in SQL.
    fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Integer => "bigint",
            Kind::Number => "double",
            Kind::Truth => "boolean",
        }
    }
}

const fn text(name: &'static str) -> Argument {
    Argument { name, kind: Kind::Text, choices: &[] }
}

const PUZZLE: &[Argument] = &[text("puzzle")];
const SCALE_AND_PUZZLE: &[Argument] =
    &[Argument { name: "scale", kind: Kind::Text, choices: rating::SCALES }, text("puzzle")];

const MODEL_AND_PUZZLE: &[Argument] =
    &[Argument { name: "model", kind: Kind::Text, choices: prediction::MODELS }, text("puzzle")];

/// All functions of rows. `generate`, which makes rows, is a table and stands beside them.
pub const ALL: &[Function] = &[
    Function {
        name: "solve",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the only solution",
        body: solving::solve,
    },
    Function {
        name: "why",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "why there is not exactly one solution, or what cannot be read; NULL for a proper puzzle",
        body: solving::why,
    },
    Function {
        name: "solutions",
        arguments: &[text("puzzle"), Argument { name: "limit", kind: Kind::Integer, choices: &[] }],
        result: Kind::Integer,
        help: "how many solutions there are, counted up to the limit",
        body: solving::solutions,
    },
    Function {
        name: "is_minimal",
        arguments: PUZZLE,
        result: Kind::Truth,
        help: "is every clue of a puzzle with one solution needed?",
        body: solving::is_minimal,
    },
    Function {
        name: "clues",
        arguments: PUZZLE,
        result: Kind::Integer,
        help: "how many clues there are",
        body: grids::clues,
    },
    Function {
        name: "canonical",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the form that all turned, mirrored and relabelled images of a puzzle share",
        body: grids::canonical,
    },
    Function {
        name: "rate",
        arguments: SCALE_AND_PUZZLE,
        result: Kind::Number,
        help: "how difficult a puzzle is on this scale",
        body: rating::rate,
    },
    Function {
        name: "level",
        arguments: SCALE_AND_PUZZLE,
        result: Kind::Text,
        help: "the same as a word, on scales that have words",
        body: rating::level,
    },
    Function {
        name: "why_unrated",
        arguments: SCALE_AND_PUZZLE,
        result: Kind::Text,
        help: "why rate is NULL",
        body: rating::why_unrated,
    },
    Function {
        name: "techniques",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the techniques that lead to the solution, the hardest first, separated by commas",
        body: steps::techniques,
    },
    Function {
        name: "explain_json",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the explanation step by step, as `ninefold explain --json` writes it",
        body: steps::explain_json,
    },
    Function {
        name: "predict",
        arguments: MODEL_AND_PUZZLE,
        result: Kind::Text,
        help: "a solution as a network fills it in without a search, if it keeps the rules",
        body: prediction::predict,
    },
    Function {
        name: "why_unpredicted",
        arguments: MODEL_AND_PUZZLE,
        result: Kind::Text,
        help: "why predict is NULL",
        body: prediction::why_unpredicted,
    },
];

/// The help text: a line for each function and, below it, what may be chosen.
pub fn help(functions: &[Function]) -> String {
    let signature = |function: &Function| {
        let arguments: Vec<&str> =
            function.arguments.iter().map(|argument| argument.name).collect();
        format!("{}({})", function.name, arguments.join(", "))
    };
    let width = functions.iter().map(|function| signature(function).len()).max().unwrap_or(0);
    let mut lines = String::new();
    for function in functions {
        lines += &format!(
            "  {:<width$}  {:<7}  {}\n",
            signature(function),
            function.result.name(),
            function.help
        );
    }
    for argument in functions.iter().flat_map(|function| function.arguments) {
        let line = format!("  {} is one of {}\n", argument.name, argument.choices.join(", "));
        if !argument.choices.is_empty() && !lines.contains(&line) {
            lines += &line;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_function_has_a_name_of_its_own_and_stands_in_the_help_text() {
        let names: HashSet<&str> = ALL.iter().map(|function| function.name).collect();
        assert_eq!(names.len(), ALL.len());
        let help = help(ALL);
        assert!(ALL.iter().all(|function| help.contains(function.help)));
        assert!(
            help.contains("solutions(puzzle, limit)")
                && help.contains("scale is one of effort, se"),
            "{help}"
        );
        assert!(help.contains("model is one of kaleidoscope"), "{help}");
    }
}
