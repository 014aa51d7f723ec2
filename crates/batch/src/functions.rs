//! The SQL functions of Ninefold, such as `solve` and `rate`.
//!
//! A [`Function`] has a name, arguments, a result type, a line of help, and a body that computes
//! all rows of a batch. The local engine, the processes of a cluster and the help text use the same
//! list ([`ALL`]), so a new function only has to be added there.
//!
//! A row for which a function has no result, such as a puzzle without a solution, gets NULL; the
//! query continues. The functions `why`, `why_unrated` and `why_unpredicted` return the reason.

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

/// An SQL function of one or several columns.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name in SQL.
    pub name: &'static str,
    /// The arguments.
    pub arguments: &'static [Argument],
    /// The result type; every row may be NULL.
    pub result: Kind,
    /// A one-line description.
    pub help: &'static str,
    /// Computes all rows of a batch.
    pub body: fn(&Rows<'_>) -> ArrayRef,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name in the help text.
    pub name: &'static str,
    pub kind: Kind,
    /// The allowed values of a constant argument; empty if every value is allowed.
    pub choices: &'static [&'static str],
}

/// An SQL type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
}

impl Kind {
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Kind::Text => DataType::Utf8,
            Kind::Integer => DataType::Int64,
            Kind::Number => DataType::Float64,
            Kind::Boolean => DataType::Boolean,
        }
    }

    /// The name in SQL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Integer => "bigint",
            Kind::Number => "double",
            Kind::Boolean => "boolean",
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

/// All scalar functions. `generate` is a table function and not in this list.
pub const ALL: &[Function] = &[
    Function {
        name: "solve",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the unique solution",
        body: solving::solve,
    },
    Function {
        name: "why",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "why the puzzle is invalid or has no unique solution; NULL otherwise",
        body: solving::why,
    },
    Function {
        name: "solutions",
        arguments: &[text("puzzle"), Argument { name: "limit", kind: Kind::Integer, choices: &[] }],
        result: Kind::Integer,
        help: "the number of solutions, up to the limit",
        body: solving::solutions,
    },
    Function {
        name: "is_minimal",
        arguments: PUZZLE,
        result: Kind::Boolean,
        help: "whether a puzzle with a unique solution needs every clue",
        body: solving::is_minimal,
    },
    Function {
        name: "clues",
        arguments: PUZZLE,
        result: Kind::Integer,
        help: "the number of clues",
        body: grids::clues,
    },
    Function {
        name: "canonical",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the canonical form, equal for all rotated, mirrored and relabelled images of a puzzle",
        body: grids::canonical,
    },
    Function {
        name: "rate",
        arguments: SCALE_AND_PUZZLE,
        result: Kind::Number,
        help: "the difficulty rating on this scale",
        body: rating::rate,
    },
    Function {
        name: "level",
        arguments: SCALE_AND_PUZZLE,
        result: Kind::Text,
        help: "the name of the difficulty level, on scales with levels",
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
        help: "the techniques of the solution path, hardest first, separated by commas",
        body: steps::techniques,
    },
    Function {
        name: "explain_json",
        arguments: PUZZLE,
        result: Kind::Text,
        help: "the explanation step by step, in the format of `ninefold explain --json`",
        body: steps::explain_json,
    },
    Function {
        name: "predict",
        arguments: MODEL_AND_PUZZLE,
        result: Kind::Text,
        help: "the grid that a network fills in without search, if it is valid",
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

/// The help text: a line per function, then the allowed values of arguments.
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
    fn function_names_are_unique_and_in_the_help_text() {
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
