//! The rows of a batch as bodies of functions see them: columns of known types, constants already spread out.

use super::Argument;
use super::Kind;
use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use arrow::error::ArrowError;

/// The arguments of a function for all rows of a batch.
pub struct Rows<'a> {
    columns: &'a [ArrayRef],
}

impl<'a> Rows<'a> {
    /// These columns must be what [`columns`] has made.
    pub(crate) fn new(columns: &'a [ArrayRef]) -> Rows<'a> {
        Rows { columns }
    }

    /// A column of texts, by the place of its argument.
    pub fn text(&self, argument: usize) -> &'a StringViewArray {
        self.columns[argument].as_string_view()
    }

    /// A column of whole numbers.
    pub fn integer(&self, argument: usize) -> &'a Int64Array {
        self.columns[argument].as_primitive::<Int64Type>()
    }
}

/// The columns in the types that the arguments ask for. Texts are seen through views, whatever they are stored as: that
/// copies nothing.
pub(crate) fn columns(
    given: &[ArrayRef],
    arguments: &[Argument],
) -> Result<Vec<ArrayRef>, ArrowError> {
    given
        .iter()
        .zip(arguments)
        .map(|(column, argument)| cast(column, &seen_as(argument.kind)))
        .collect()
}

fn seen_as(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8View,
        other => other.data_type(),
    }
}

/// How many rows there are.
pub(crate) fn count(columns: &[ArrayRef]) -> usize {
    columns.first().map_or(0, |column| column.len())
}

#[cfg(test)]
pub(crate) mod testing {
    //! A function called with one text for each row.

    use super::super::{ALL, Function, Rows};
    use super::columns;
    use arrow::array::{ArrayRef, StringArray};
    use std::sync::Arc;

    /// A puzzle with one solution, and the solution.
    pub const PROPER: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    pub const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The function with this name.
    pub fn function(name: &str) -> &'static Function {
        ALL.iter().find(|function| function.name == name).unwrap()
    }

    /// The answers of a function whose arguments are all texts.
    pub fn call(function: &Function, arguments: &[&[Option<&str>]]) -> ArrayRef {
        let given: Vec<ArrayRef> = arguments
            .iter()
            .map(|column| Arc::new(StringArray::from(column.to_vec())) as ArrayRef)
            .collect();
        (function.body)(&Rows::new(&columns(&given, function.arguments).unwrap()))
    }
}
